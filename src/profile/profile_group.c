/*
 * Group privacy by the triangle inequality: data sets k neighbouring steps
 * apart have
 *
 *     delta_k(k x) <= delta(x) A(x),  A(x) = (e^(kx) - 1)/(e^x - 1),
 *
 * delta the larger one of both directions (T004-GB). Since delta_k falls, the
 * bound at a smaller x is valid as well (X004-GB.mono). The bound holds for
 * every profile and is attained by none. Derivation: docs/theory/sampling.md,
 * section 8.
 */
#include "profile.h"

#include "noise/base_profile.h"

/* The bound is evaluated at these parts of eps, 0/6 to 6/6. */
#define N_SHARES 6

#define MAX_ROUNDS 30
#define REL_WIDTH 0x1p-14

/* log A(x), x >= 0. */
static ball log_steps(double k, ball x)
{
    return scaled_log(profile_steps(k, x));
}

/* log delta at x, the larger one of both directions. */
static dosi_interval worse_log_delta(const privacy_profile *self, ball x)
{
    const privacy_profile *reverse = self->as.group.reverse;
    dosi_interval d = profile_log_delta(self->as.group.base, x);
    return reverse == NULL ? d : iv_max(d, profile_log_delta(reverse, x));
}

/* At a smaller x delta is no smaller, and A is at least k: once k times a lower
 * bound of delta is no better than the best bound, neither is any smaller x. */
static dosi_interval group_log_delta(const privacy_profile *self, ball eps)
{
    dosi_interval out = {-HUGE_VAL, 0};
    if (!ball_is_nonnegative(eps))
        return out;
    for (int i = N_SHARES; i >= 0; i--) {
        ball x = ball_div_d(ball_mul_d(eps, i), N_SHARES * self->as.group.size);
        dosi_interval worse = worse_log_delta(self, x);
        double d = worse.hi;
        ball bound = ball_add_d(log_steps(self->as.group.size, x), d);
        if (d == -HUGE_VAL || !ball_is_unknown(bound))
            out.hi = fmin(
                out.hi, d == -HUGE_VAL ? d : ball_upper(bound));
        if (ball_is_zero(eps) || worse.lo + log(self->as.group.size) >= out.hi)
            break;
    }
    return out;
}

/* The upper end of the x with delta(x) <= e^log_delta. */
static double worse_epsilon(const privacy_profile *self, ball log_delta)
{
    ball delta = ball_exp(log_delta);
    const privacy_profile *reverse = self->as.group.reverse;
    double hi = profile_epsilon(self->as.group.base, delta, log_delta).hi;
    return reverse == NULL
               ? hi
               : fmax(hi, profile_epsilon(reverse, delta, log_delta).hi);
}

/* The difference of the epsilon for delta/A(x) and x, or 0 if negative: 0 means
 * that certainly delta(x) <= delta/A(x). */
static double shortfall(const privacy_profile *self, ball log_delta, double x)
{
    ball log_factor = log_steps(self->as.group.size, ball_of(x));
    ball target = ball_sub(log_delta, log_factor);
    double there =
        ball_is_unknown(target) ? HUGE_VAL : worse_epsilon(self, target);
    return there <= x ? 0 : there - x;
}

/* The zero of the falling line through two points, a little further on: beyond
 * both points, and at most four times the second. */
static double secant_beyond(double x0, double y0, double x1, double y1)
{
    double x = x1 + y1 * (x1 - x0) / (y0 - y1); /* or NaN */
    return (x > x1 ? fmin(x, 4 * x1) : 2 * x1) * (1 + REL_WIDTH / 4);
}

/* The smallest x found; every x whose shortfall is 0 is valid. */
static dosi_interval group_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    double lo = 0, above = shortfall(self, log_delta, 0);
    double hi = above == 0 ? 0 : HUGE_VAL, x = above * (1 + REL_WIDTH / 4);
    for (int i = 0; i < MAX_ROUNDS; i++) {
        if (hi < HUGE_VAL && hi - lo <= REL_WIDTH * hi)
            break;
        double here = shortfall(self, log_delta, x);
        if (!(here < HUGE_VAL))
            break;
        if (here == 0) {
            hi = x;
            x = lo / 2 + hi / 2;
        } else {
            double next = secant_beyond(lo, above, x, here);
            lo = x;
            above = here;
            x = next < hi ? next : lo / 2 + hi / 2;
        }
    }
    return (dosi_interval){
        0, ball_upper(ball_mul_d(ball_of(hi), self->as.group.size))};
}

/* If no step has mass at +inf, k steps have none. */
static dosi_interval group_log_floor(const privacy_profile *self)
{
    double hi = profile_log_floor(self->as.group.base).hi;
    if (self->as.group.reverse != NULL)
        hi = fmax(hi, profile_log_floor(self->as.group.reverse).hi);
    return (dosi_interval){-HUGE_VAL, hi == -HUGE_VAL ? hi : 0};
}

static const profile_type group_type = {.theorem = "T004-GB",
    .log_delta = group_log_delta,
    .epsilon = group_epsilon,
    .log_floor = group_log_floor,
    .is_slow = true};

privacy_profile profile_group(
    const privacy_profile *base, const privacy_profile *reverse, double k)
{
    if (base == NULL)
        return (privacy_profile){0};
    return (privacy_profile){.type = &group_type,
        .flag = ATTAINED_BY_NONE,
        .as.group = {base, reverse, k}};
}
