/*
 * Profile and tail of the composed loss by the trapezoid rule on a contour
 * that the spectral route chooses and bounds, with the sums of one round on
 * nodes that have more digits. With S the loss under Q and z = t + iu,
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

#include "amplify.h"
#include "fixed_nodes.h"
#include "gaussian.h"
#include "grid.h"
#include "num/special.h"
#include "sampled_gaussian.h"
#include "spectral.h"
#include "spectral_steer.h"

#define WIDTH 1e-14
#define DIGITS 36.0 /* nats of one round's sums, times the count */
#define TOLERANCE 0x1p-56 /* of delta; as fine as doubles allow */
#define MAX_COST 1e8
#define GRID_WIDTH 1e-7 /* where the contour converges too slowly */

static loss loss_of(const fixed_rounds *r)
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
    const fixed_rounds *r;
    kernel kind;
    const spectral_part *part; /* tilted: bounds */
    spectral_choice choice;
    fixed_nodes nodes;
    ball cumulant; /* T K(t) */
    ball atom;     /* (a/M(t))^T, or 0 where it stays */
} contour_sum;

/* Re of f/(z (z+1)) or f/(z+1), z = t + iu. */
static ball kernel_term(kernel kind, ball re, ball im, ball t, ball u)
{
    ball t1 = ball_add_d(t, 1), below = t1, beside = u;
    if (kind == KERNEL_DELTA) {
        below = ball_sub(ball_mul(t, t1), ball_sqr(u));
        beside = ball_mul(u, ball_add(t, t1));
    }
    ball norm = ball_add(ball_sqr(below), ball_sqr(beside));
    ball top = ball_add(ball_mul(re, below), ball_mul(im, beside));
    return ball_div(top, norm);
}

/* (D/pi) Re( G_0/2 + sum G_n ), G_n = (chi^T - atom) e^(-iu eps) k(z), over
 * e^(T K(t) - t eps). */
static ball sum_terms(contour_sum *f, double eps)
{
    const spectral_choice *c = &f->choice;
    ball t = ball_of(c->t), zero = ball_of(0);
    disc turn = disc_turn(ball_mul_d(ball_of(c->step), -eps));
    disc phase = {{1, 0}, {0, 0}, 0};
    ball first = ball_sub(ball_of(1), f->atom);
    ball sum = ball_scale2(kernel_term(f->kind, first, zero, t, zero), -1);
    for (double n = 1; n <= c->n_outer; n++) {
        disc chi = fixed_nodes_next(&f->nodes);
        phase = disc_mul(phase, turn);
        disc power = disc_power(chi, f->r->count);
        power = disc_add(power, disc_of(ball_neg(f->atom), zero));
        power = disc_mul(power, phase);
        ball u = ball_mul_d(ball_of(c->step), n);
        sum = ball_add(
            sum, kernel_term(f->kind, disc_re(power), disc_im(power), t, u));
    }
    return ball_div(ball_mul_d(sum, c->step), ball_pi());
}

/*
 * What is left out beyond U = N D. |chi| <= B there. For delta the kernel is
 * at most 1/u^2: B^T/(pi U). For the tail without the atom,
 * |chi - w| <= C/u, w = a/M(t) <= B: the densities of the losses,
 * e^((t+1) Z) phi/(mu r) and e^(-t Z) phi/(mu r), r >= p, have the
 * logarithmic slopes (t+1) mu r - x - mu (1-r) and -t mu r - x - mu (1-r), so
 * that their variation, jumps at 0 included, is at most
 * (4 phi(mu/2) + (3t+4) mu M(t))/(mu p), and C = (1.6/mu + 3t + 4)/p. Hence
 * |chi^T - w^T| <= min(2 B^T, T B^(T-1) C/u), and the sum is at most
 * B^T/pi (1 + 2 log+(T C/(B U))).
 */
static double cut_off(const contour_sum *f)
{
    const spectral_choice *c = &f->choice;
    ball outer = ball_mul_d(ball_of(c->step), c->n_outer);
    double one = f->part->type->log_decay(f->part, ball_lower(outer));
    ball log_b = ball_of(fmin(one, 0));
    ball most = ball_exp(ball_mul_d(log_b, f->r->count));
    most = ball_div(most, ball_pi());
    if (f->kind == KERNEL_DELTA)
        return ball_upper(ball_div(most, outer));
    ball size = ball_add(ball_div(ball_of(1.6), f->r->mu),
        ball_add_d(ball_mul_d(ball_of(c->t), 3), 4));
    size = ball_div(ball_mul_d(size, f->r->count), f->r->rate);
    ball log_ratio = ball_sub(ball_sub(ball_log(size), ball_log(outer)), log_b);
    ball factor =
        ball_add_d(ball_scale2(ball_max(log_ratio, ball_of(0)), 1), 1);
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

/* The logarithm of A, as far as [-inf, most] knows it. */
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

/* Chooses the contour for the profile, which serves the tail too. */
static dosi_status ask_part(dosi_interval *out, const fixed_rounds *r,
    kernel kind, spectral_part *part, double eps, dosi_error *err)
{
    contour_sum f = {.r = r, .kind = kind, .part = part};
    spectral_parts parts = {1, part, NULL};
    spectral_want want = {0};
    spectral_effort effort = {
        .width = WIDTH / 64, .max_cost = MAX_COST, .tolerance = TOLERANCE};
    fixed_sample s = {r->rate, r->mu};
    if (!spectral_saddle_at_epsilon(&f.choice, &parts, eps) ||
        !spectral_choose(&f.choice, &want, &parts, &effort) ||
        f.choice.blur > 0 || part->type->log_decay == NULL)
        return DOSI_OK;
    bool found = false;
    dosi_status status = part->type->tilt(&found, part, &want, err);
    if (status != DOSI_OK || !found)
        return status;
    double outer = f.choice.step * f.choice.n_outer * (1 + 0x1p-40);
    /* left of the saddle the terms cancel to e^-lost of their size */
    double lost = ball_mid(part->cumulant) * r->count - f.choice.t * eps -
                  f.choice.log_estimate;
    status = fixed_nodes_new(&f.nodes, &found, &s, f.choice.t, f.choice.step,
        outer, DIGITS + log(r->count) + fmax(lost, 0), err);
    if (status != DOSI_OK || !found)
        return status;
    ball log_m = ball_add(ball_log(f.nodes.moment), f.nodes.shift);
    f.cumulant = ball_mul_d(log_m, r->count);
    f.atom = ball_of(0);
    if (kind == KERNEL_TAIL) {
        ball share = ball_div(f.nodes.atom, f.nodes.moment);
        f.atom = ball_exp(ball_mul_d(ball_log(share), r->count));
    }
    *out = read_sum(&f, eps);
    fixed_nodes_free(&f.nodes);
    return DOSI_OK;
}

/* log A at eps; [-inf, inf] where no contour was found. */
static dosi_status ask_contour(dosi_interval *out, const fixed_rounds *r,
    kernel kind, double eps, dosi_error *err)
{
    loss one = loss_of(r);
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

/* Meets what the grid found; that it found nothing is no failure. */
static dosi_status may_be_unable(
    dosi_status status, dosi_interval *out, dosi_interval found)
{
    if (status == DOSI_OK)
        *out = iv_meet(*out, found);
    return status == DOSI_EUNABLE ? DOSI_OK : status;
}

dosi_status fixed_rounds_log_delta(
    dosi_interval *out, const fixed_rounds *r, double eps, dosi_error *err)
{
    ball closed;
    dosi_interval fine;
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (closed_log_delta(&closed, r, eps)) {
        *out = iv_meet(*out, ball_interval(closed));
        return DOSI_OK;
    }
    dosi_status status = ask_contour(&fine, r, KERNEL_DELTA, eps, err);
    *out = iv_meet(*out, fine);
    if (status != DOSI_OK || out->hi - out->lo < 1e-3)
        return status;
    loss one = loss_of(r);
    spectral *s = NULL;
    work_limits limits = work_default(1e-10);
    status = spectral_new(&s, &one, 1, &limits, err);
    if (status == DOSI_OK && s != NULL)
        status = spectral_log_delta(&fine, s, eps, err);
    spectral_free(s);
    *out = iv_meet(*out, fine);
    if (status != DOSI_OK || out->hi - out->lo < 10 * GRID_WIDTH ||
        r->count > GRID_MAX_COUNT)
        return status;
    work_limits coarse = work_default(GRID_WIDTH);
    return may_be_unable(
        grid_log_delta(&fine, &one, 1, eps, &coarse, err), out, fine);
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
    loss one = loss_of(r);
    spectral *s = NULL;
    work_limits limits = work_default(WIDTH);
    dosi_status status = spectral_new(&s, &one, 1, &limits, err);
    if (status == DOSI_OK && s != NULL)
        status = spectral_epsilon(out, s, at, log_at, err);
    spectral_free(s);
    if (status != DOSI_OK || r->count > GRID_MAX_COUNT ||
        (!isinf(out->hi) && out->hi - out->lo <= 10 * GRID_WIDTH * out->hi))
        return status;
    work_limits coarse = work_default(GRID_WIDTH);
    dosi_interval found = *out;
    return may_be_unable(
        grid_epsilon(&found, &one, 1, log_at, &coarse, err), out, found);
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
