/*
 * The branches of gaussian.c in doubles. The logarithm of the density is kept
 * as two doubles, since its error is that of the result.
 */
#include "gaussian_quick.h"

#include "num/mills.h"

#define U 0x1p-53
#define SMALL_MU 0.25   /* up to here one row holds a < 0 <= b */
#define MU_UNIT 0x1p-51 /* how far mu may be off */
#define LARGEST 0x1p25
#define LEAST_MU 1e-150

static const double inv_sqrt_2pi = 0x1.9884533d43651p-2;

static const dscaled unknown = {{0, 0}, {0, HUGE_VAL}};

/* -a^2/2, off by 3 u^2 a^2 <= u. */
static inline dd minus_half_square(ball a)
{
    dd square = dd_two_product(a.hi, a.hi);
    return (dd){-square.hi / 2, -(square.lo / 2 + a.hi * a.lo)};
}

/* phi(a) (R(a) - R(a + mu)), a >= -1/4. Relative: the mean slope; |a| + 2
 * for each unit of a, of which the slope did not see the low part, |a.lo|
 * g_2(a) <= 2u; 4u of mu; the exponent, a constant and three products. */
static inline dscaled tail_form(ball a, double mu)
{
    dball mean = mills_mean_slope_quick(a.hi, mu);
    double mid = mean.mid * mu * inv_sqrt_2pi;
    double spread = a.rad * (fabs(a.hi) + 2);
    if (!(spread <= 0x1p-10))
        return unknown;
    double rad =
        mean.rad * mu * inv_sqrt_2pi + mid * (spread * (1 + spread) + 13 * U);
    return (dscaled){minus_half_square(a), {mid, rad * BALL_SLACK}};
}

/* 1 - phi(a) (R(-a) + R(b)), a < 0 <= b, >= 0.08. S(b) <= 1/(1 + b^2), as
 * R(b) >= b/(1 + b^2), and b S <= R: the sum is off by 5u mu S(b) for mu and
 * the low part of a in b, and by u of each part for the rest; the product
 * moves by |a| + 1 at most with a. */
static dscaled miss_form(ball a, double mu)
{
    double b = fmax(a.hi + mu, 0);
    dball left = mills_quick(-a.hi), right = mills_quick(b);
    double sum = left.mid + right.mid;
    double rad = left.rad + right.rad + 2 * MU_UNIT * mu / (1 + b * b) +
                 3 * U * sum;
    dscaled miss = {minus_half_square(a),
        {sum * inv_sqrt_2pi, (rad * inv_sqrt_2pi + 3 * U * sum) * BALL_SLACK}};
    dball x = dscaled_at(miss, 0);
    x.rad += a.rad * (fabs(a.hi) + 2);
    return (dscaled){{0, 0}, dball_sub(dball_of(1), x)};
}

static inline dscaled nonnegative_b(ball a, double mu)
{
    return a.hi >= 0 || mu <= SMALL_MU ? tail_form(a, mu) : miss_form(a, mu);
}

/* b < 0: 1 - x + x delta(-eps), x = e^eps, eps = mu (a + mu/2) < 0, where
 * |a + mu/2| >= |a|/2; delta(-eps) is at -b. */
static dscaled mirrored(ball a, double mu)
{
    double e = mu * (a.hi + mu / 2);
    dball eps = {e, fabs(e) * 16 * U + 1.01 * mu * a.rad};
    dd b = dd_two_sum(-a.hi, -mu);
    b = dd_fast_two_sum(b.hi, b.lo - a.lo);
    ball back = {b.hi, b.lo,
        (a.rad + MU_UNIT * mu + (fabs(a.lo) + fabs(b.lo)) * 4 * U) *
            BALL_SLACK};
    dball other = dscaled_at(nonnegative_b(back, mu), 0);
    dball sum = dball_sub(dball_mul(dball_exp(eps), other), dball_expm1(eps));
    return (dscaled){{0, 0}, sum};
}

DD_FUSED static dscaled delta_of(ball a, double mu)
{
    return a.hi + mu >= 0 ? nonnegative_b(a, mu) : mirrored(a, mu);
}

/* Not a clone itself: resolvers of those are exported. */
dscaled gauss_quick_delta(ball a, double mu)
{
    bool known = fabs(a.hi) <= LARGEST && a.rad <= 0x1p-10 && mu >= LEAST_MU &&
                 mu <= LARGEST;
    return known ? delta_of(a, mu) : unknown;
}
