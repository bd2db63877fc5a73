/*
 * Groups by chains: k neighbours in a row lose no more than
 *
 *     delta_k(k x) <= delta(x) A(x),  A(x) = (e^(kx) - 1)/(e^x - 1),
 *
 * delta the greater one of both directions (T004-GB). Since delta_k falls,
 * the bound at a smaller x holds as well (X004-GB.mono). Of any law, and of
 * none that attains it.
 */
#include "profile.h"

#include "noise/base_profile.h"

/* Shares of an eps at which the bound is looked at, in sixths. */
#define SHARES 6

#define MAX_ROUNDS 30
#define CLOSE 0x1p-14

/* log A(x), x >= 0. */
static ball log_steps(double k, ball x)
{
    return scaled_log(profile_steps(k, x));
}

/* log delta at x, the greater one of both directions. */
static dosi_interval worse_log_delta(const privacy_profile *self, ball x)
{
    dosi_interval d = profile_log_delta(self->base, x);
    return self->other == NULL ? d
                               : iv_max(d, profile_log_delta(self->other, x));
}

/* At a smaller x delta is no less, and A is at least k: where k times what
 * delta is at least is no better than what was found, nor is any smaller x. */
static dosi_interval group_log_delta(const privacy_profile *self, ball eps)
{
    dosi_interval out = {-HUGE_VAL, 0};
    if (!ball_is_nonnegative(eps))
        return out;
    for (int i = SHARES; i >= 0; i--) {
        ball x = ball_div_d(ball_mul_d(eps, i), SHARES * self->n);
        dosi_interval worse = worse_log_delta(self, x);
        double d = worse.hi;
        ball bound = ball_add_d(log_steps(self->n, x), d);
        if (d == -HUGE_VAL || !ball_is_unknown(bound))
            out.hi = fmin(
                out.hi, d == -HUGE_VAL ? d : ball_upper(bound));
        if (ball_is_zero(eps) || worse.lo + log(self->n) >= out.hi)
            break;
    }
    return out;
}

/* The upper end of the x with delta(x) <= e^log_delta. */
static double worse_epsilon(const privacy_profile *self, ball log_delta)
{
    ball delta = ball_exp(log_delta);
    double hi = profile_epsilon(self->base, delta, log_delta).hi;
    return self->other == NULL
               ? hi
               : fmax(hi, profile_epsilon(self->other, delta, log_delta).hi);
}

/* How far the epsilon for delta/A(x) is above x: where it is not, delta(x) <=
 * delta/A(x) is certain. */
static double shortfall(const privacy_profile *self, ball log_delta, double x)
{
    ball target = ball_sub(log_delta, log_steps(self->n, ball_of(x)));
    double there =
        ball_is_unknown(target) ? HUGE_VAL : worse_epsilon(self, target);
    return there <= x ? 0 : there - x;
}

/* Where two points on a falling line lead to 0, and a little further; beyond
 * both, but not far. */
static double lead(double x0, double y0, double x1, double y1)
{
    double x = x1 + y1 * (x1 - x0) / (y0 - y1); /* or NaN */
    return (x > x1 ? fmin(x, 4 * x1) : 2 * x1) * (1 + CLOSE / 4);
}

/* The least x that is found; any that is certain will do. */
static dosi_interval group_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    double lo = 0, above = shortfall(self, log_delta, 0);
    double hi = above == 0 ? 0 : HUGE_VAL, x = above * (1 + CLOSE / 4);
    for (int i = 0; i < MAX_ROUNDS; i++) {
        if (hi < HUGE_VAL && hi - lo <= CLOSE * hi)
            break;
        double here = shortfall(self, log_delta, x);
        if (!(here < HUGE_VAL))
            break;
        if (here == 0) {
            hi = x;
            x = lo / 2 + hi / 2;
        } else {
            double next = lead(lo, above, x, here);
            lo = x;
            above = here;
            x = next < hi ? next : lo / 2 + hi / 2;
        }
    }
    return (dosi_interval){
        0, ball_upper(ball_mul_d(ball_of(hi), self->n))};
}

/* Where no step of a chain has mass at +inf, all of it has none. */
static dosi_interval group_log_floor(const privacy_profile *self)
{
    double hi = profile_log_floor(self->base).hi;
    if (self->other != NULL)
        hi = fmax(hi, profile_log_floor(self->other).hi);
    return (dosi_interval){-HUGE_VAL, hi == -HUGE_VAL ? hi : 0};
}

static const profile_type group_type = {.theorem = "T004-GB",
    .log_delta = group_log_delta,
    .epsilon = group_epsilon,
    .log_floor = group_log_floor,
    .is_slow = true};

privacy_profile profile_group(
    const privacy_profile *base, const privacy_profile *other, double k)
{
    if (base == NULL)
        return (privacy_profile){0};
    return (privacy_profile){.type = &group_type,
        .flag = ATTAINED_BY_NONE,
        .base = base,
        .other = other,
        .n = k};
}
