/*
 * Inverses of amplified profiles: the epsilon at a delta, and the largest rate
 * or number of draws for both. The profiles do not rise with epsilon and do not
 * fall with the rate, so signs at doubles and whole numbers decide. Declared in
 * sampling/amplify_profile.h; derivation: docs/theory/couplings.md, section 3.
 */
#include "sampling/amplify_profile.h"

#include "num/bracket.h"
#include "profile/profile_inverse.h"

/* ---- Epsilon ----------------------------------------------------------- */

/* The logarithm of a delta, for comparison with a positive double: -inf for 0,
 * and for values below every positive double. */
static ball log_of(scaled d)
{
    if (ball_is_zero(d.m) || (d.e < -100000 && ball_upper(d.m) < 0x1p300))
        return ball_of(-HUGE_VAL);
    return scaled_log(d);
}

typedef struct target {
    const amplified *a;
    ball delta;
    ball log_delta;
} target;

/* log delta' - log delta, delta > 0. */
static ball excess_at(const amplified *a, ball eps_out, const target *t)
{
    scaled d = amplified_delta(a, eps_out, -HUGE_VAL);
    return ball_sub(log_of(d), t->log_delta);
}

static dosi_interval log_delta_at(double eps_out, const void *context)
{
    scaled d = amplified_delta(context, ball_of(eps_out), -HUGE_VAL);
    return iv_min(ball_interval(log_of(d)), iv_point(0));
}

/* Whether the theorem is delta' = rate delta(eps). */
static bool is_plain(const amplified *a)
{
    return a->theorem == AMPLIFY_POISSON || a->theorem == AMPLIFY_WITHOUT;
}

static dosi_interval map_ends(ball rate, dosi_interval eps)
{
    return (dosi_interval){ball_lower(amplify_map(rate, ball_of(eps.lo))),
        ball_upper(amplify_map(rate, ball_of(eps.hi)))};
}

static dosi_interval plain_epsilon(const target *t)
{
    ball rate = amplified_rate(t->a);
    ball delta = ball_div(t->delta, rate);
    ball log_delta = ball_sub(t->log_delta, ball_log(rate));
    if (ball_is_unknown(delta)) /* overflow: above every probability */
        return iv_point(0);
    dosi_interval eps = base_profile_epsilon(&t->a->base, delta, log_delta);
    return map_ends(rate, eps);
}

/* The eps beyond which delta' = 0. */
static ball end_of(const amplified *a)
{
    base_profile last = a->base;
    if (a->theorem == AMPLIFY_WITH && a->group == BASE_PROFILE_WHITE)
        last = base_profile_of_group(&a->base, a->m);
    ball end = base_profile_end(&last);
    if (a->theorem == AMPLIFY_WITH && a->group == BASE_PROFILE_BLACK)
        end = ball_mul_d(end, a->m); /* delta(eps/m) = 0 */
    return isinf(end.hi) ? end : amplify_map(amplified_rate(a), end);
}

/* The infimum of delta' over eps. */
static ball floor_of(const amplified *a)
{
    ball floor = base_profile_floor(&a->base);
    if (a->theorem == AMPLIFY_ADD || ball_is_zero(floor))
        return ball_of(0);
    return ball_mul(floor, amplified_rate(a));
}

dosi_interval amplified_epsilon(const amplified *a, ball delta, ball log_delta)
{
    target t = {a, delta, log_delta};
    if (is_plain(a))
        return plain_epsilon(&t);
    if (ball_less(delta, floor_of(a)))
        return iv_point(HUGE_VAL);
    if (a->theorem == AMPLIFY_WITH && ball_is_zero(delta)) {
        ball end = end_of(a);
        return isinf(end.hi) ? iv_point(HUGE_VAL) : ball_interval(end);
    }
    return profile_inverse(
        log_delta_at, a, log_delta, (dosi_interval){0, HUGE_VAL});
}

/* ---- Rates ------------------------------------------------------------- */

typedef struct rate_target {
    const base_profile *base;
    ball eps_out;
    ball delta;
    ball log_delta;
} rate_target;

/* log delta' - log delta, which rises with the rate. */
static ball rate_excess(ball gamma, const void *context)
{
    const rate_target *t = context;
    amplified a = {
        .theorem = AMPLIFY_POISSON, .base = *t->base, .gamma = gamma};
    scaled d = amplified_delta(&a, t->eps_out, -HUGE_VAL);
    return ball_sub(log_of(d), t->log_delta);
}

dosi_interval amplify_gamma(const base_profile *base, ball eps_out, ball delta)
{
    rate_target t = {base, eps_out, delta, ball_log(delta)};
    ball end = base_profile_end(base);
    if (ball_is_zero(delta)) {
        /* delta(eps) = 0: eps_in(gamma, eps') >= end */
        if (isinf(end.hi))
            return iv_point(0);
        if (ball_less_equal(end, eps_out))
            return iv_point(1);
        ball rate =
            ball_exp(ball_sub(ball_logexpm1(eps_out), ball_logexpm1(end)));
        return iv_min(ball_interval(rate), iv_point(1));
    }
    if (ball_is_negative(rate_excess(ball_of(1), &t)))
        return iv_point(1);
    return bracket_root_of(rate_excess, &t, DBL_MIN, 1);
}

/* ---- Draws ------------------------------------------------------------- */

#define MAX_DRAWS 0x1p40

/* +1 if m draws certainly have delta' <= delta, -1 if certainly not. */
static int draws_sign(
    const amplified *a, double m, ball eps_out, const target *t)
{
    amplified b = *a;
    b.m = m;
    if (ball_is_zero(amplified_delta(&b, eps_out, -HUGE_VAL).m))
        return 1; /* also if delta is 0 */
    return -bracket_sign_of(excess_at(&b, eps_out, t));
}

dosi_interval amplify_draws(const amplified *a, ball eps_out, ball delta)
{
    target t = {a, delta, ball_log(delta)};
    double limit = a->theorem == AMPLIFY_WITHOUT ? a->n : MAX_DRAWS;
    double good = 0, bad = 1;
    while (bad <= limit && draws_sign(a, bad, eps_out, &t) > 0) {
        good = bad;
        bad *= 2;
    }
    if (bad > limit) {
        if (good == limit || draws_sign(a, limit, eps_out, &t) > 0)
            return iv_point(a->theorem == AMPLIFY_WITHOUT ? limit : HUGE_VAL);
        bad = limit;
    }
    double worse = HUGE_VAL; /* the least m known to be too many */
    if (draws_sign(a, bad, eps_out, &t) < 0)
        worse = bad;
    while (bad - good > 1) {
        double m = floor(good + (bad - good) / 2);
        int sign = draws_sign(a, m, eps_out, &t);
        if (sign > 0)
            good = m;
        else
            bad = m;
        if (sign < 0)
            worse = fmin(worse, m);
    }
    /* undecided numbers between may be the answer */
    return iv_make(good, fmin(worse - 1, limit));
}
