/*
 * Profile and tail of the composed loss by the trapezoid rule on a contour
 * that the spectral route chooses and bounds, with the sums of one round in
 * double-doubles. With S the loss under Q and z = t + iu,
 *
 *   delta = E_Q (1 - e^(eps - S))_+ = (1/pi) Re int M(z)^T e^(-z eps) k du
 *
 * with the kernel k = 1/(z(z+1)), and with k = 1/(z+1) it is
 * E_Q[e^(eps - S); S > eps] = e^eps P[S > eps], since
 * int_0^inf e^(-zx) g(x) dx = k for g = 1 - e^-x, e^-x. S is 0 with
 * probability a^T, a the atom of one round; the tail is asked without that
 * part, which changes nothing for eps > 0 and leaves a law with a density.
 * The sum over u = n D is sum_m e^(t m L) A(eps + m L), L = 2 pi/D, A >= 0
 * the left side.
 */
#include "fixed_rounds.h"

#include <stdlib.h>

#include "amplify.h"
#include "fixed_sample.h"
#include "gaussian.h"
#include "sampled_gaussian.h"
#include "spectral.h"
#include "spectral_pieces.h"
#include "spectral_steer.h"

#define WIDTH 1e-14
#define TOLERANCE 0x1p-56 /* of delta; as fine as doubles allow */
#define MAX_COST 1e8

loss fixed_rounds_loss(const fixed_rounds *r)
{
    return (loss){.noise = LOSS_GAUSSIAN,
        .map = LOSS_FIXED,
        .flag = LAW_BOUND,
        .parameter = r->mu,
        .rate = r->rate,
        .count = r->count};
}

static bool is_all(const fixed_rounds *r)
{
    return ball_is_zero(ball_sub_d(r->rate, 1));
}

/* mu sqrt(T): what T rounds on all records come to. */
static ball whole_mu(const fixed_rounds *r)
{
    return ball_mul(r->mu, ball_sqrt(ball_of(r->count)));
}

/* ---- The contour -------------------------------------------------------- */

typedef enum kernel {
    KERNEL_DELTA, /* 1/(z (z+1)) */
    KERNEL_TAIL   /* 1/(z+1), without the atom */
} kernel;

typedef struct contour_sum {
    kernel kind;
    const fixed_rounds *r;
    spectral_part *part;
    spectral_choice choice;
    disc *phase, *turn; /* of each node: its term at u, e^(i D loss) */
    ball cumulant; /* T K(t) */
    ball atom;     /* (a/M(t))^T, or 0 where it stays */
} contour_sum;

/* Starts at u = 0. owns  what is freed by sum_free */
static bool sum_start(contour_sum *f)
{
    const pieces *s = f->part->pieces;
    f->phase = malloc(s->n_fine * sizeof *f->phase);
    f->turn = malloc(s->n_fine * sizeof *f->turn);
    if (f->phase == NULL || f->turn == NULL)
        return false;
    for (size_t i = 0; i < s->n_fine; i++) {
        f->phase[i] = disc_of(s->fine_weight[i], ball_of(0));
        f->turn[i] = disc_turn(ball_mul_d(s->fine_loss[i], f->choice.step));
    }
    return true;
}

static void sum_free(contour_sum *f)
{
    free(f->phase);
    free(f->turn);
}

/* chi^T at the next outer node. */
static disc next_power(contour_sum *f)
{
    const spectral_part *p = f->part;
    disc sum = {{0, 0}, {0, 0}, 0};
    for (size_t i = 0; i < p->pieces->n_fine; i++) {
        f->phase[i] = disc_mul(f->phase[i], f->turn[i]);
        sum = disc_add(sum, f->phase[i]);
    }
    disc chi = disc_div(sum, p->moment);
    chi.rad = round_up(chi.rad + p->pieces->error);
    return disc_power(chi, p->count);
}

/* Re of f/(z (z+1)) or f/(z+1), z = t + iu. */
static ball kernel_term(kernel kind, ball re, ball im, ball t, ball u)
{
    ball t1 = ball_add_d(t, 1), below = t1, across = u;
    if (kind == KERNEL_DELTA) {
        below = ball_sub(ball_mul(t, t1), ball_sqr(u));
        across = ball_mul(u, ball_add(t, t1));
    }
    ball norm = ball_add(ball_sqr(below), ball_sqr(across));
    ball top = ball_add(ball_mul(re, below), ball_mul(im, across));
    return ball_div(top, norm);
}

/* (D/pi) Re( G_0/2 + sum G_n ), G_n = (chi^T - atom) e^(-iu eps) k(z), over
 * e^(T K(t) - t eps). */
static ball sum_terms(contour_sum *f, double eps)
{
    const spectral_choice *c = &f->choice;
    ball t = ball_of(c->t), zero = ball_of(0);
    disc turn = disc_turn(ball_mul_d(ball_of(c->step), -eps));
    disc phase = turn, atom = disc_of(ball_neg(f->atom), zero);
    ball first = ball_sub(ball_of(1), f->atom);
    ball sum = ball_scale2(kernel_term(f->kind, first, zero, t, zero), -1);
    for (double n = 1; n <= c->n_outer; n++) {
        disc power = disc_mul(disc_add(next_power(f), atom), phase);
        ball u = ball_mul_d(ball_of(c->step), n);
        sum = ball_add(
            sum, kernel_term(f->kind, disc_re(power), disc_im(power), t, u));
        phase = disc_mul(phase, turn);
    }
    return ball_div(ball_mul_d(sum, c->step), ball_pi());
}

/*
 * What is left out beyond U = N D, where |chi| <= B. For delta the kernel is
 * at most 1/u^2: B^T/(pi U). For the tail without the atom, |chi - w| <= V/u,
 * w = a/M(t) <= B and V the variation of the tilted density. Hence
 * |chi^T - w^T| <= min(2 B^T, T B^(T-1) V/u), and the sum is at most
 * B^T/pi (1 + 2 log+(T V/(B U))).
 */
static double cut_off(const contour_sum *f)
{
    const spectral_choice *c = &f->choice;
    const spectral_part *p = f->part;
    ball outer = ball_mul_d(ball_of(c->step), c->n_outer);
    ball log_b =
        ball_of(fmin(p->type->log_decay(p, ball_lower(outer)), 0));
    ball most = ball_exp(ball_mul_d(log_b, p->count));
    most = ball_div(most, ball_pi());
    if (f->kind == KERNEL_DELTA)
        return ball_upper(ball_div(most, outer));
    ball ratio = ball_log(ball_mul_d(ball_of(p->pieces->variation), p->count));
    ratio = ball_sub(ball_sub(ratio, ball_log(outer)), log_b);
    ball factor = ball_add_d(ball_scale2(ball_max(ratio, ball_of(0)), 1), 1);
    return ball_upper(ball_mul(most, factor));
}

/* The aliases over e^(T K(t) - t eps): A(x) <= e^(T K(s) - s x), s >= 0. */
static double aliases(const contour_sum *f, double eps)
{
    const spectral_choice *c = &f->choice;
    const double shifts[] = {c->alias_right, -c->alias_left};
    ball period = ball_div(ball_scale2(ball_pi(), 1), ball_of(c->step));
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        ball s = ball_add_d(ball_of(c->t), shifts[i]);
        ball k = ball_of(0);
        if (!ball_is_zero(s))
            k = ball_mul_d(
                ball_of(f->part->type->cumulant_upper(f->part, shifts[i])),
                f->r->count);
        ball decay = ball_mul_d(period, -fabs(shifts[i]));
        ball value = ball_add(ball_sub(k, f->cumulant), decay);
        value = ball_sub(value, ball_log1mexp(decay));
        value = ball_sub(value, ball_mul_d(ball_of(shifts[i]), eps));
        sum = round_up(sum + ball_upper(ball_exp(value)));
    }
    return sum;
}

/* log A at eps. */
static dosi_interval read_sum(contour_sum *f, double eps)
{
    ball sum = sum_terms(f, eps);
    double cut = cut_off(f), alias = aliases(f, eps);
    double lo = round_down(round_down(ball_lower(sum) - cut) - alias);
    double hi = round_up(ball_upper(sum) + cut);
    ball base = ball_sub(f->cumulant, ball_mul_d(ball_of(f->choice.t), eps));
    dosi_interval out = {-HUGE_VAL, HUGE_VAL};
    if (hi > 0 && hi < HUGE_VAL)
        out.hi = ball_upper(ball_add(base, ball_log(ball_of(hi))));
    if (lo > 0 && lo < HUGE_VAL)
        out.lo = ball_lower(ball_add(base, ball_log(ball_of(lo))));
    return out;
}

/* The contour is chosen for the profile, and serves the tail too. */
static dosi_status ask_part(dosi_interval *out, const fixed_rounds *r,
    kernel kind, spectral_part *part, double eps, dosi_error *err)
{
    contour_sum f = {.kind = kind, .r = r, .part = part, .atom = ball_of(0)};
    spectral_parts parts = {1, part, NULL};
    spectral_want want = {0};
    spectral_effort effort = {
        .width = WIDTH / 64, .max_cost = MAX_COST, .tolerance = TOLERANCE};
    fixed_sample s = {r->rate, r->mu};
    bool found = false;
    if (!spectral_saddle_at_epsilon(&f.choice, &parts, eps) ||
        !spectral_choose(&f.choice, &want, &parts, &effort) ||
        f.choice.blur > 0)
        return DOSI_OK;
    want.step = f.choice.step;
    want.is_fine = true;
    dosi_status status = part->type->tilt(&found, part, &want, err);
    if (status != DOSI_OK || !found)
        return status;
    f.cumulant = ball_mul_d(part->cumulant, r->count);
    if (kind == KERNEL_TAIL)
        f.atom = ball_exp(ball_sub(
            ball_mul_d(ball_log(fixed_sample_atom(&s)), r->count),
            f.cumulant));
    bool has_room = sum_start(&f);
    if (has_room)
        *out = read_sum(&f, eps);
    sum_free(&f);
    return has_room ? DOSI_OK : dosi_fail_memory(err);
}

/* log A at eps; [-inf, inf] where no contour was found. */
static dosi_status ask_contour(dosi_interval *out, const fixed_rounds *r,
    kernel kind, double eps, dosi_error *err)
{
    loss one = fixed_rounds_loss(r);
    spectral_part part = {0};
    dosi_status status = DOSI_OK;
    *out = (dosi_interval){-HUGE_VAL, HUGE_VAL};
    if (spectral_part_init(&part, &one))
        status = ask_part(out, r, kind, &part, eps, err);
    spectral_part_free(&part);
    return status;
}

/* ---- The profile -------------------------------------------------------- */

/* One round and two have closed forms. */
static bool closed_log_delta(ball *out, const fixed_rounds *r, double eps)
{
    if (is_all(r)) {
        *out = gauss_log_delta(whole_mu(r), ball_of(eps));
        return true;
    }
    if (r->count == 1) {
        *out = sampled_gaussian_log_delta(
            SAMPLED_MIXTURE_FIRST, r->rate, r->mu, ball_of(eps));
        return true;
    }
    fixed_sample s = {r->rate, r->mu};
    if (r->count == 2)
        *out = ball_log(fixed_sample_pair_delta(&s, ball_of(eps)));
    return r->count == 2 && !ball_is_unknown(*out);
}

dosi_status fixed_rounds_log_delta(
    dosi_interval *out, const fixed_rounds *r, double eps, dosi_error *err)
{
    ball closed;
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (closed_log_delta(&closed, r, eps)) {
        *out = iv_meet(*out, ball_interval(closed));
        return DOSI_OK;
    }
    dosi_interval found;
    dosi_status status = ask_contour(&found, r, KERNEL_DELTA, eps, err);
    *out = iv_meet(*out, found);
    return status;
}

dosi_status fixed_rounds_epsilon(
    dosi_interval *out, const fixed_rounds *r, double delta, dosi_error *err)
{
    ball at = ball_of(delta), log_at = ball_log(at);
    *out = (dosi_interval){0, HUGE_VAL};
    if (is_all(r) || r->count == 1) {
        dosi_interval eps = gauss_epsilon(whole_mu(r),
            is_all(r) ? log_at : ball_sub(log_at, ball_log(r->rate)));
        if (!is_all(r) && ball_less_equal(r->rate, at))
            eps = iv_point(0);
        /* log(1 + p (e^eps - 1)) increases */
        *out = iv_make(
            fmax(ball_lower(amplify_epsilon(r->rate, ball_of(eps.lo))), 0),
            ball_upper(amplify_epsilon(r->rate, ball_of(eps.hi))));
        return DOSI_OK;
    }
    loss one = fixed_rounds_loss(r);
    spectral *s = NULL;
    work_limits limits = work_default(WIDTH);
    dosi_status status = spectral_new(&s, &one, 1, &limits, err);
    if (status == DOSI_OK && s != NULL)
        status = spectral_epsilon(out, s, at, log_at, err);
    spectral_free(s);
    return status;
}

/* ---- The tail ----------------------------------------------------------- */

dosi_status fixed_rounds_log_alpha(
    dosi_interval *out, const fixed_rounds *r, double eps, dosi_error *err)
{
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (is_all(r) || r->count == 1) { /* sf(y + mu/2) where Z = eps */
        ball level = is_all(r) ? ball_of(eps)
                               : amplify_base_epsilon(r->rate, ball_of(eps));
        *out =
            iv_meet(*out, ball_interval(gauss_log_tail_q(whole_mu(r), level)));
        return DOSI_OK;
    }
    dosi_interval grown;
    dosi_status status = ask_contour(&grown, r, KERNEL_TAIL, eps, err);
    *out = iv_meet(*out, iv_sub(grown, iv_point(eps)));
    return status;
}
