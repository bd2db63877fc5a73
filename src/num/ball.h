/*
 * Balls: a real number as a double-double midpoint with a radius,
 *
 *     |x - (hi + lo)| <= rad,      hi = fl(hi + lo),      rad >= 0.
 *
 * About 30 digits. Used if rounding would be amplified (exponentials of large
 * arguments, differences of nearly equal terms, long sums), so that what leaves
 * as an interval of doubles is one or two units wide. Nothing here trusts the C
 * library beyond + - * / sqrt fma ldexp.
 *
 * Two special values: rad = inf means unknown (hi = lo = 0); hi = +-inf with
 * rad = 0 is exactly that infinity (log of 0, an infinite privacy loss). NaN
 * never occurs.
 *
 * Error bounds of the double-double kernels, with u = 2^-53 and barring
 * underflow ([JMP17], [LLMPR23]):
 *     sum 3 u^2 + 13 u^3, product 5 u^2, quotient 15 u^2 + 56 u^3,
 *     square root 25/8 u^2,
 * all relative to the exact result. Each is charged as 2^-101 = 32 u^2;
 * underflow, which sums do not have, is charged as BALL_TINY. Results known to
 * be exact are not charged. Derivation: docs/theory/num.md.
 */
#ifndef DOSI_NUM_BALL_H
#define DOSI_NUM_BALL_H

#include <stdbool.h>
#include <stdint.h>

#include "dd.h"
#include "interval.h"

typedef struct ball {
    double hi;
    double lo;
    double rad;
} ball;

/* Relative charge of one operation, and absolute charge for underflow. */
#define BALL_UNIT 0x1p-101
#define BALL_TINY 0x1p-1060

/* Absorbs the rounding of up to 2^7 operations on non-negative radii. */
#define BALL_SLACK (1 + 0x1p-45)

/* ---- Making and reading ------------------------------------------------ */

static inline ball ball_unknown(void)
{
    return (ball){0, 0, HUGE_VAL};
}

/* The midpoint x with a radius from up to 2^7 rounded operations. Overflow
 * or NaN in any of the three gives unknown. */
static inline ball ball_from(dd x, double rad)
{
    rad *= BALL_SLACK;
    if (!(fabs(x.hi + x.lo) <= DBL_MAX && rad <= DBL_MAX))
        return ball_unknown();
    return (ball){x.hi, x.lo, rad};
}

static inline dd ball_dd(ball x)
{
    return (dd){x.hi, x.lo};
}

/* The exact number x; +-inf is that infinity, NaN becomes unknown. */
static inline ball ball_of(double x)
{
    return isnan(x) ? ball_unknown() : (ball){x, 0, 0};
}

/* The exact integer n. */
ball ball_of_int(int64_t n);

/* A ball that contains the interval: midpoint and half width. Unknown if it is
 * unbounded, unless both ends are the same infinity. */
ball ball_of_interval(dosi_interval x);

/* The interval of doubles around a ball, as narrow as its ends allow; lower and
 * upper end. */
dosi_interval ball_interval(ball x);
double ball_lower(ball x);
double ball_upper(ball x);

/* The midpoint as a double, without a guarantee. */
static inline double ball_mid(ball x)
{
    return x.hi + x.lo;
}

static inline bool ball_is_unknown(ball x)
{
    return !(x.rad <= DBL_MAX);
}

static inline bool ball_is_infinite(ball x)
{
    return fabs(x.hi) > DBL_MAX;
}

/* >= |x| for every x of the ball. */
static inline double ball_magnitude(ball x)
{
    return (fabs(x.hi) + fabs(x.lo) + x.rad) * BALL_SLACK;
}

/* Certain comparisons: false also if the balls leave the order open. */
bool ball_is_positive(ball x);
bool ball_is_negative(ball x);
bool ball_is_nonnegative(ball x);
static inline bool ball_is_zero(ball x)
{
    return x.hi == 0 && x.rad == 0;
}
bool ball_less(ball a, ball b);       /* certainly a < b */
bool ball_less_equal(ball a, ball b); /* certainly a <= b */

/* ---- Arithmetic -------------------------------------------------------- */

/*
 * Arithmetic: encloses the result for all points of the arguments.
 *
 * width     of sum, product, quotient and root of exact numbers: rad <=
 *           2^-100 |result| + 2 BALL_TINY; 0 for neg, abs and results known
 *           to be exact
 * cost      no allocation; some 10 to 40 floating-point operations
 */
ball ball_neg(ball a);
ball ball_abs(ball a);
ball ball_add(ball a, ball b);
ball ball_sub(ball a, ball b);
ball ball_mul(ball a, ball b);
ball ball_div(ball a, ball b); /* unknown if b may be 0 */
ball ball_sqr(ball a);
ball ball_sqrt(ball a);          /* the negative part of a counts as 0 */
ball ball_scale2(ball a, int n); /* a * 2^n */

/* Arithmetic with an exact double. */
static inline ball ball_add_d(ball a, double b)
{
    return ball_add(a, ball_of(b));
}
static inline ball ball_sub_d(ball a, double b)
{
    return ball_add(a, ball_of(-b));
}
static inline ball ball_mul_d(ball a, double b)
{
    return ball_mul(a, ball_of(b));
}
static inline ball ball_div_d(ball a, double b)
{
    return ball_div(a, ball_of(b));
}

/* Enclose max(a, b) and min(a, b). */
ball ball_max(ball a, ball b);
ball ball_min(ball a, ball b);

/* Widens by a further absolute error r >= 0 (NaN: to unknown). */
ball ball_widen(ball a, double r);

/* The part of a that lies in [lo, hi], which is known to contain the exact
 * value. Returns a unchanged if that would not narrow it. */
ball ball_clamp(ball a, double lo, double hi);

/* ---- Elementary functions (ball_exp.c) --------------------------------- */

/*
 * Elementary functions: enclose the value at all points of the argument. Of
 * the C library they use log1p, as a guess that is corrected.
 *
 * width     of exp, expm1, log and log1p at exact arguments: rad <= 2^-97
 *           |result| + 2 BALL_TINY, if that log1p is within ELEM_ULPS
 * cost      no allocation
 */
ball ball_exp(ball x);         /* exp(-inf) = 0; unknown above the range */
ball ball_expm1(ball x);       /* relative accuracy near 0 */
ball ball_log(ball x);         /* log(0) = -inf; unknown if x may be <= 0 */
ball ball_log1p(ball x);       /* relative accuracy near 0; log1p(-1) = -inf */
ball ball_log1mexp(ball x);    /* log(1 - exp(x)), x <= 0 */
ball ball_logexpm1(ball x);    /* log(exp(x) - 1), x >= 0 */
ball ball_log1pexp(ball x);    /* log(1 + exp(x)) */
ball ball_pow(ball x, ball y); /* exp(y log x), x > 0; 0^y = 0 for y > 0 */
ball ball_logaddexp(ball a, ball b); /* log(exp a + exp b) */
ball ball_logsubexp(ball a, ball b); /* log(exp a - exp b), a >= b */
ball ball_sinh(ball x);              /* relative accuracy near 0 */
ball ball_cosh(ball x);
ball ball_tanh(ball x); /* relative accuracy near 0 */

/* ---- Constants --------------------------------------------------------- */

/* Enclosures of constants, to 2^-106 relative. */
ball ball_pi(void);
ball ball_ln2(void);
ball ball_log_2pi(void); /* log(2 pi) */

#endif
