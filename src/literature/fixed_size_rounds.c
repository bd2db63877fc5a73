/*
 * The tail of the loss of several rounds by the trapezoid rule on a contour
 * that contour/engine chooses and bounds for the profile, with the sums of one
 * round in double-doubles. With S the loss under Q and z = t + iu,
 *
 *   E_Q[e^(eps - S); S > eps] = (1/pi) Re int M(z)^T e^(-z eps) / (z+1) du,
 *
 * since int_0^inf e^(-zx) e^-x dx = 1/(z+1); this is e^eps P[S > eps]. S is 0
 * with probability a^T, a the atom of one round; that part is subtracted, which
 * does not change the tail at eps > 0 and leaves a law with a density. The sum
 * over u = n D is sum_m e^(t m L) A(eps + m L), L = 2 pi/D, A >= 0 the left
 * side. Derivation: docs/theory/tradeoff.md, section 8.
 */
#include "fixed_size_rounds.h"

#include <stdlib.h>

#include "tradeoff/fixed_size_gaussian.h"
#include "contour/part/part_piecewise.h"
#include "contour/core/contour_choose.h"
#include "num/ends.h"
#include "special/special.h"

#define TARGET_WIDTH 1e-14 /* of log P, relative */
#define CONTOUR_ERROR 0x1p-56 /* of delta; as fine as doubles allow */
#define MAX_COST 1e8

loss_law fixed_rounds_loss(const fixed_rounds *r)
{
    return (loss_law){.noise = LOSS_GAUSSIAN,
        .map = LOSS_WITHOUT_REPLACEMENT,
        .flag = ATTAINED_BY_NONE,
        .parameter = r->mu,
        .rate = r->rate,
        .count = r->count};
}

typedef struct contour_sum {
    contour_part *part;
    contour_choice choice;
    disc *phase, *turn; /* per node: its term at u, and e^(i D loss) */
    ball cumulant; /* T K(t) */
    ball atom;     /* (a/M(t))^T */
} contour_sum;

/* Makes the terms at u = 0; freed by sum_free. */
static bool sum_start(contour_sum *f)
{
    const pieces *s = f->part->pieces;
    f->phase = malloc(s->n_balls * sizeof *f->phase);
    f->turn = malloc(s->n_balls * sizeof *f->turn);
    if (f->phase == NULL || f->turn == NULL)
        return false;
    for (size_t i = 0; i < s->n_balls; i++) {
        f->phase[i] = disc_of(s->ball_weight[i], ball_of(0));
        f->turn[i] = disc_phase(ball_mul_d(s->ball_loss[i], f->choice.step));
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
    const contour_part *p = f->part;
    disc sum = {{0, 0}, {0, 0}, 0};
    for (size_t i = 0; i < p->pieces->n_balls; i++) {
        f->phase[i] = disc_mul(f->phase[i], f->turn[i]);
        sum = disc_add(sum, f->phase[i]);
    }
    disc chi = disc_div(sum, p->moment);
    chi.rad = round_up(chi.rad + p->pieces->error);
    return disc_power(chi, p->count);
}

/* Re of f/(z+1), z = t + iu. */
static ball kernel_term(ball re, ball im, ball t, ball u)
{
    ball t1 = ball_add_d(t, 1);
    ball top = ball_add(ball_mul(re, t1), ball_mul(im, u));
    return ball_div(top, ball_add(ball_sqr(t1), ball_sqr(u)));
}

/* (D/pi) Re( G_0/2 + sum G_n ), G_n = (chi^T - atom) e^(-iu eps)/(z+1), over
 * e^(T K(t) - t eps). */
static ball sum_terms(contour_sum *f, double eps)
{
    const contour_choice *c = &f->choice;
    ball t = ball_of(c->t), zero = ball_of(0);
    disc turn = disc_phase(ball_mul_d(ball_of(c->step), -eps));
    disc phase = turn, atom = disc_of(ball_neg(f->atom), zero);
    ball first = ball_sub(ball_of(1), f->atom);
    ball sum = ball_scale2(kernel_term(first, zero, t, zero), -1);
    for (double n = 1; n <= c->n_outer; n++) {
        disc power = disc_mul(disc_add(next_power(f), atom), phase);
        ball u = ball_mul_d(ball_of(c->step), n);
        sum = ball_add(sum, kernel_term(disc_re(power), disc_im(power), t, u));
        phase = disc_mul(phase, turn);
    }
    return ball_div(ball_mul_d(sum, c->step), ball_pi());
}

/*
 * The truncation error beyond U = N D, where |chi| <= B. Without the atom
 * |chi - w| <= V/u, w = a/M(t) <= B, V the variation of the tilted density.
 * Hence
 * |chi^T - w^T| <= min(2 B^T, T B^(T-1) V/u), and the sum is at most
 * B^T/pi (1 + 2 log+(T V/(B U))).
 */
static double cut_off(const contour_sum *f)
{
    const contour_choice *c = &f->choice;
    const contour_part *p = f->part;
    ball outer = ball_mul_d(ball_of(c->step), c->n_outer);
    ball log_b =
        ball_of(fmin(p->type->log_decay(p, ball_lower(outer)), 0));
    ball most = ball_exp(ball_mul_d(log_b, p->count));
    most = ball_div(most, ball_pi());
    ball ratio = ball_log(ball_mul_d(ball_of(p->pieces->variation), p->count));
    ratio = ball_sub(ball_sub(ratio, ball_log(outer)), log_b);
    ball factor = ball_add_d(ball_scale2(ball_max(ratio, ball_of(0)), 1), 1);
    return ball_upper(ball_mul(most, factor));
}

/* The aliases, divided by e^(T K(t) - t eps): A(x) <= e^(T K(s) - s x),
 * s >= 0. */
static double aliases(const contour_sum *f, double eps)
{
    const contour_choice *c = &f->choice;
    const double shifts[] = {c->alias_right, -c->t};
    ball period = ball_div(ball_scale2(ball_pi(), 1), ball_of(c->step));
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        ball k = ball_of(0); /* at s = 0 */
        if (i == 0)
            k = ball_mul_d(
                ball_of(f->part->type->cumulant_upper(f->part, shifts[i])),
                f->part->count);
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

/* log A at eps; [-inf, inf] where no contour was found. */
static dosi_status ask_part(dosi_interval *out, const fixed_rounds *r,
    contour_part *part, double eps, dosi_error *err)
{
    contour_sum f = {.part = part};
    contour_parts parts = {1, part, NULL};
    part_request want = {0};
    contour_effort effort = {
        .width = TARGET_WIDTH / 64, .max_cost = MAX_COST,
        .tolerance = CONTOUR_ERROR};
    fixed_sample s = {r->rate, r->mu};
    bool found = false;
    if (!contour_saddle_at_epsilon(&f.choice, &parts, eps) ||
        !contour_choose(&f.choice, &want, &parts, &effort) ||
        f.choice.smoothing_sigma > 0)
        return DOSI_OK;
    want.step = f.choice.step;
    want.keep_balls = true;
    dosi_status status = part->type->tilt(&found, part, &want, err);
    if (status != DOSI_OK || !found)
        return status;
    f.cumulant = ball_mul_d(part->cumulant, r->count);
    f.atom = ball_exp(ball_sub(
        ball_mul_d(ball_log(fixed_sample_atom(&s)), r->count), f.cumulant));
    bool has_room = sum_start(&f);
    if (has_room)
        *out = read_sum(&f, eps);
    sum_free(&f);
    return has_room ? DOSI_OK : dosi_fail_memory(err);
}

dosi_status fixed_rounds_log_alpha(
    dosi_interval *out, const fixed_rounds *r, double eps, dosi_error *err)
{
    loss_law one = fixed_rounds_loss(r);
    contour_part part = {0};
    dosi_status status = DOSI_OK;
    dosi_interval grown = {-HUGE_VAL, HUGE_VAL};
    if (contour_part_init(&part, &one))
        status = ask_part(&grown, r, &part, eps, err);
    contour_part_free(&part);
    *out = iv_meet(
        (dosi_interval){-HUGE_VAL, 0}, iv_sub(grown, iv_point(eps)));
    return status;
}

/* ---- The moments of one round ------------------------------------------- */

/*
 * Closed bounds of the moment, narrow where it is too large for a rule. For
 * losses Z > 0 it is at least E (p e^w)^a, w > 0, and by Minkowski's inequality
 * at most (1-p + p e^(t mu^2/2))^a; all other losses add at most 1.
 */
static ball log_moment_bounds(const fixed_rounds *r, ball order)
{
    ball growth = ball_mul(ball_sub_d(order, 1), ball_sqr(r->mu));
    growth = ball_add(ball_scale2(growth, -1), ball_log(r->rate));
    ball reach = ball_mul(ball_sub_d(order, 0.5), r->mu);
    ball low =
        ball_add(ball_mul(order, growth), ball_log_normal_cdf(reach));
    ball miss = ball_log1p(ball_neg(r->rate));
    ball high = ball_mul(order, ball_logaddexp(miss, growth));
    return ball_clamp(ball_hull(low, ball_log1pexp(high)), 0, HUGE_VAL);
}

/* Digits of the rule, in nats: the logarithm is about (p mu)^2. */
static double digits_of(const fixed_rounds *r)
{
    return 45 - 2 * fmin(log(ball_mid(r->rate)) + log(ball_mid(r->mu)), 0);
}

dosi_status fixed_rounds_log_moment(
    ball *out, const fixed_rounds *r, double order, dosi_error *err)
{
    loss_law one = fixed_rounds_loss(r);
    contour_part part = {0};
    part_request want = {
        .t = order - 1, .keep_balls = true, .digits = digits_of(r)};
    bool found = false;
    dosi_status status = DOSI_OK;
    *out = log_moment_bounds(r, ball_of(order));
    if (contour_part_init(&part, &one))
        status = part.type->tilt(&found, &part, &want, err);
    if (found)
        *out = ball_clamp(part.cumulant, 0, HUGE_VAL);
    contour_part_free(&part);
    return status;
}
