/*
 * Ball arithmetic: double-double kernels and the radii they earn. The error
 * bounds are derived in docs/theory/balls.md.
 */
#include "ball.h"

/* A sum of two doubles, hi = fl(hi + lo), without an error bound. */
typedef struct dd {
    double hi;
    double lo;
} dd;

/* Absorbs the rounding of up to 2^7 operations on non-negative radii. */
#define RAD_SLACK (1 + 0x1p-45)

/* Below this, error-free products may lose bits to underflow. */
#define SAFE_PRODUCT 0x1p-900

/* ---- Error-free transformations ---------------------------------------- */

/* s + e = a + b exactly, whatever a and b, barring overflow (Knuth). */
static inline dd two_sum(double a, double b)
{
    double s = a + b;
    double t = s - a;
    return (dd){s, (a - (s - t)) + (b - t)};
}

/* The same when |a| >= |b| or a = 0 (Dekker). */
static inline dd fast_two_sum(double a, double b)
{
    double s = a + b;
    return (dd){s, b - (s - a)};
}

/* p + e = a b exactly when |a b| >= 2^-969. */
static inline dd two_product(double a, double b)
{
    double p = a * b;
    return (dd){p, fma(a, b, -p)};
}

/* ---- Double-double kernels --------------------------------------------- */

/* [JMP17] algorithm 6, relative error <= 3u^2 + 13u^3. */
static inline dd dd_add(dd x, dd y)
{
    dd s = two_sum(x.hi, y.hi);
    dd t = two_sum(x.lo, y.lo);
    dd v = fast_two_sum(s.hi, s.lo + t.hi);
    return fast_two_sum(v.hi, t.lo + v.lo);
}

/* [JMP17] algorithm 12, relative error <= 4u^2 (5u^2 is used). */
static inline dd dd_mul(dd x, dd y)
{
    dd c = two_product(x.hi, y.hi);
    double t = fma(x.hi, y.lo, x.lo * y.lo);
    return fast_two_sum(c.hi, c.lo + fma(x.lo, y.hi, t));
}

/* [JMP17] algorithm 7, relative error <= 2u^2. */
static inline dd dd_mul_d(dd x, double y)
{
    dd c = two_product(x.hi, y);
    dd t = fast_two_sum(c.hi, x.lo * y);
    return fast_two_sum(t.hi, t.lo + c.lo);
}

/* [JMP17] algorithm 17, relative error <= 15u^2 + 56u^3. */
static inline dd dd_div(dd x, dd y)
{
    double t = x.hi / y.hi;
    dd r = dd_mul_d(y, t);
    double d = (x.hi - r.hi) + (x.lo - r.lo);
    return fast_two_sum(t, d / y.hi);
}

/* ---- Balls from kernels ------------------------------------------------ */

static inline ball ball_from(dd x, double rad)
{
    rad *= RAD_SLACK;
    /* also catches NaN in any of the three, and overflow */
    if (!(fabs(x.hi + x.lo) <= DBL_MAX && rad <= DBL_MAX))
        return ball_unknown();
    return (ball){x.hi, x.lo, rad};
}

static inline dd ball_dd(ball x)
{
    return (dd){x.hi, x.lo};
}

static inline bool ball_is_infinite(ball x)
{
    return isinf(x.hi) != 0;
}

/* >= |x| for every x in the ball; never below |hi + lo| + rad. */
static inline double ball_magnitude(ball x)
{
    return (fabs(x.hi) + fabs(x.lo) + x.rad) * RAD_SLACK;
}

ball ball_of_int(int64_t n)
{
    /* both halves are exact: 32 bits each */
    double high = (double)(n / 4294967296) * 0x1p32;
    double low = (double)(n % 4294967296);
    dd s = two_sum(high, low);
    return (ball){s.hi, s.lo, 0};
}

ball ball_of_interval(dosi_interval x)
{
    if (x.lo == x.hi)
        return ball_of(x.lo);
    if (!(x.lo >= -DBL_MAX && x.hi <= DBL_MAX))
        return ball_unknown();
    double mid = x.lo / 2 + x.hi / 2;
    double rad = round_up(fmax(x.hi - mid, mid - x.lo));
    return ball_from((dd){mid, 0}, rad);
}

double ball_lower(ball x)
{
    if (ball_is_unknown(x))
        return -HUGE_VAL;
    if (ball_is_infinite(x))
        return x.hi;
    double low = x.rad == 0 ? x.lo : round_down(x.lo - x.rad);
    dd s = two_sum(x.hi, low); /* hi + low <= every point of the ball */
    return s.lo < 0 ? round_down(s.hi) : s.hi;
}

double ball_upper(ball x)
{
    return -ball_lower(ball_neg(x));
}

dosi_interval ball_interval(ball x)
{
    return (dosi_interval){ball_lower(x), ball_upper(x)};
}

bool ball_is_positive(ball x)
{
    return ball_lower(x) > 0;
}

bool ball_is_negative(ball x)
{
    return ball_upper(x) < 0;
}

bool ball_is_nonnegative(ball x)
{
    return ball_lower(x) >= 0;
}

bool ball_less(ball a, ball b)
{
    return ball_is_negative(ball_sub(a, b));
}

bool ball_less_equal(ball a, ball b)
{
    if (ball_is_infinite(a) && ball_is_infinite(b))
        return a.hi <= b.hi;
    return ball_upper(ball_sub(a, b)) <= 0;
}

/* ---- Arithmetic -------------------------------------------------------- */

ball ball_neg(ball a)
{
    return (ball){-a.hi, -a.lo, a.rad};
}

ball ball_abs(ball a)
{
    /* | |x| - |m| | <= |x - m| */
    return a.hi < 0 ? ball_neg(a) : a;
}

ball ball_add(ball a, ball b)
{
    if (ball_is_infinite(a) || ball_is_infinite(b)) {
        if (ball_is_unknown(a) || ball_is_unknown(b))
            return ball_unknown();
        return ball_of(a.hi + b.hi); /* inf - inf: unknown */
    }
    double rad = a.rad + b.rad;
    if (a.lo == 0 && b.lo == 0) /* two_sum is exact, underflow included */
        return ball_from(two_sum(a.hi, b.hi), rad);
    dd s = dd_add(ball_dd(a), ball_dd(b));
    return ball_from(s, rad + fabs(s.hi) * BALL_UNIT + BALL_TINY);
}

ball ball_sub(ball a, ball b)
{
    return ball_add(a, ball_neg(b));
}

static ball ball_mul_infinite(ball a, ball b)
{
    if (ball_is_unknown(a) || ball_is_unknown(b))
        return ball_unknown();
    double sign = 1;
    const ball factors[] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (ball_is_negative(factors[i]))
            sign = -sign;
        else if (!ball_is_positive(factors[i]))
            return ball_unknown();
    }
    return ball_of(sign * HUGE_VAL);
}

ball ball_mul(ball a, ball b)
{
    if (ball_is_infinite(a) || ball_is_infinite(b))
        return ball_mul_infinite(a, b);
    if (ball_is_zero(a) || ball_is_zero(b))
        return ball_is_unknown(a) || ball_is_unknown(b) ? ball_unknown()
                                                        : ball_of(0);
    double rad = 0;
    if (a.rad > 0 || b.rad > 0)
        rad = (fabs(a.hi) + fabs(a.lo)) * b.rad +
              (fabs(b.hi) + fabs(b.lo)) * a.rad + a.rad * b.rad + BALL_TINY;
    if (a.lo == 0 && b.lo == 0) {
        dd p = two_product(a.hi, b.hi);
        if (fabs(p.hi) >= SAFE_PRODUCT)
            return ball_from(p, rad);
    }
    dd p = dd_mul(ball_dd(a), ball_dd(b));
    return ball_from(p, rad + fabs(p.hi) * BALL_UNIT + BALL_TINY);
}

/* a / b by scaling both near 1, where no kernel can under- or overflow. */
static ball ball_div_scaled(ball a, ball b)
{
    int ea = 0, eb = 0;
    (void)frexp(a.hi, &ea);
    (void)frexp(b.hi, &eb);
    ball q = ball_div(ball_scale2(a, -ea), ball_scale2(b, -eb));
    return ball_scale2(q, ea - eb);
}

ball ball_div(ball a, ball b)
{
    if (ball_is_unknown(a) || ball_is_unknown(b))
        return ball_unknown();
    if (ball_is_infinite(b))
        return ball_is_infinite(a) ? ball_unknown() : ball_of(0);
    /* every point of b is at least this far from 0 */
    double least = fabs(b.hi) * (1 - 0x1p-50) - b.rad * RAD_SLACK;
    if (!(least > 0))
        return ball_unknown();
    if (ball_is_infinite(a))
        return ball_of(b.hi > 0 ? a.hi : -a.hi);
    if (ball_is_zero(a))
        return a;
    bool safe = fabs(a.hi) > 0x1p-400 && fabs(a.hi) < 0x1p400 &&
                fabs(b.hi) > 0x1p-400 && fabs(b.hi) < 0x1p400;
    if (!safe && !(a.hi == 0) &&
        !(fabs(a.hi) >= 0.5 && fabs(a.hi) < 1 && fabs(b.hi) >= 0.5 &&
            fabs(b.hi) < 1))
        return ball_div_scaled(a, b);
    dd q = dd_div(ball_dd(a), ball_dd(b));
    /* |a'/b' - a/b| <= (|a' - a| + |a/b| |b' - b|) / |b'| */
    double rad = (a.rad + fabs(q.hi) * (1 + 0x1p-50) * b.rad) /
                 (least * (1 - 0x1p-50));
    return ball_from(q, rad + fabs(q.hi) * BALL_UNIT + BALL_TINY);
}

ball ball_sqr(ball a)
{
    return ball_mul(a, a);
}

ball ball_sqrt(ball a)
{
    if (ball_is_unknown(a))
        return a;
    if (a.hi == 0 && a.rad == 0)
        return a;
    if (ball_is_infinite(a))
        return a.hi > 0 ? a : ball_of(0);
    if (!(a.hi > 0)) {
        double most = fmax(ball_upper(a), 0);
        return ball_of_interval((dosi_interval){0, round_up(sqrt(most))});
    }
    if (a.hi < 0x1p-400 || a.hi > 0x1p400) {
        int e = 0;
        (void)frexp(a.hi, &e);
        e -= e % 2;
        return ball_scale2(ball_sqrt(ball_scale2(a, -e)), e / 2);
    }
    /* [LLMR22] SQRTDWtoDW, relative error <= 25/8 u^2 */
    double s = sqrt(a.hi);
    double rest = fma(-s, s, a.hi) + a.lo;
    dd r = fast_two_sum(s, rest / (2 * s));
    /* |sqrt x - sqrt m| = |x - m| / (sqrt x + sqrt m) <= |x - m| / sqrt m */
    double rad = a.rad / (s * (1 - 0x1p-50));
    return ball_from(r, rad + s * BALL_UNIT + BALL_TINY);
}

ball ball_scale2(ball a, int n)
{
    if (ball_is_unknown(a) || ball_is_infinite(a))
        return a;
    dd s = {ldexp(a.hi, n), ldexp(a.lo, n)};
    double rad = ldexp(a.rad, n);
    if (fabs(s.hi) < SAFE_PRODUCT || rad < SAFE_PRODUCT)
        if (a.lo != 0 || a.rad != 0 || fabs(s.hi) < DBL_MIN)
            rad += BALL_TINY; /* ldexp rounds only below 2^-1021 */
    return ball_from(s, rad);
}

ball ball_max(ball a, ball b)
{
    if (ball_is_unknown(a) || ball_is_unknown(b))
        return ball_unknown();
    if (ball_is_infinite(a) || ball_is_infinite(b))
        return a.hi > b.hi ? a : b;
    /* |max(x, y) - max(m, n)| <= max(|x - m|, |y - n|) */
    bool a_above = a.hi > b.hi || (a.hi == b.hi && a.lo >= b.lo);
    ball r = a_above ? a : b;
    if (ball_less(a, b) || ball_less(b, a))
        return r;
    r.rad = fmax(a.rad, b.rad);
    return r;
}

ball ball_min(ball a, ball b)
{
    return ball_neg(ball_max(ball_neg(a), ball_neg(b)));
}

ball ball_widen(ball a, double r)
{
    if (!(r >= 0))
        return ball_unknown();
    if (ball_is_infinite(a) || r == 0)
        return a;
    return ball_from(ball_dd(a), a.rad + r);
}

ball ball_clamp(ball a, double lo, double hi)
{
    dosi_interval x = ball_interval(a);
    if (x.lo >= lo && x.hi <= hi)
        return a;
    ball b = ball_of_interval(iv_meet(iv_make(lo, hi), x));
    return b.rad < a.rad ? b : a;
}

/* ---- Exponential ------------------------------------------------------- */

/* ln 2 = L1 + L2 + L3 + rest, |rest| < 2^-157; L1 has 42 bits, so that k L1
 * is exact for |k| < 2^11. Digits: mpmath at 600 bits. */
static const double ln2_1 = 0x1.62e42fefa3800p-1;
static const double ln2_2 = 0x1.ef35793c76730p-45;
static const double ln2_3 = 0x1.f97b57a079a19p-103;

/* Relative charge of exp_kernel, see docs/theory/balls.md. */
#define EXP_UNIT 0x1p-97

/* 1/j! as double-doubles, j = 1..8 (exact division by mpmath). */
static const dd inverse_factorial[] = {
    {1, 0},
    {0.5, 0},
    {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
};

/* exp(r) - 1 for |r| <= 0.35, relative error below EXP_UNIT. */
static dd expm1_kernel(dd r)
{
    double t = r.hi * 0x1p-4;
    dd s = {t, r.lo * 0x1p-4};
    /* terms 9..16 of the series over t^9: they weigh < 2^-62 of the sum */
    double tail = 1 / 20922789888000.0; /* 16! */
    tail = tail * t + 1 / 1307674368000.0;
    tail = tail * t + 1 / 87178291200.0;
    tail = tail * t + 1 / 6227020800.0;
    tail = tail * t + 1 / 479001600.0;
    tail = tail * t + 1 / 39916800.0;
    tail = tail * t + 1 / 3628800.0;
    tail = tail * t + 1 / 362880.0;
    dd p = {tail, 0};
    for (int j = 7; j >= 0; j--)
        p = dd_add(dd_mul(p, s), inverse_factorial[j]);
    p = dd_mul(p, s);
    for (int i = 0; i < 4; i++) /* e^2r - 1 = 2 (e^r - 1) + (e^r - 1)^2 */
        p = dd_add((dd){2 * p.hi, 2 * p.lo}, dd_mul(p, p));
    return p;
}

/* x = k ln 2 + r with |r| <= 0.35, for |x| < 760. */
static dd exp_reduce(dd x, int *k)
{
    double n = floor(x.hi * 0x1.71547652b82fep+0 + 0.5); /* 1 / ln 2 */
    *k = (int)n;
    dd r = two_sum(x.hi - n * ln2_1, x.lo); /* the difference is exact */
    dd c = two_product(n, ln2_2);
    c = fast_two_sum(c.hi, c.lo + n * ln2_3);
    return dd_add(r, (dd){-c.hi, -c.lo});
}

/* The value at the midpoint of x; exp with e^x relative, |x.hi| < 760. */
static ball exp_at(dd x)
{
    int k = 0;
    dd s = expm1_kernel(exp_reduce(x, &k));
    dd e = dd_add((dd){1, 0}, s);
    ball r = ball_from(e, e.hi * EXP_UNIT);
    return k == 0 ? r : ball_scale2(r, k);
}

ball ball_exp(ball x)
{
    if (ball_is_unknown(x))
        return x;
    if (ball_is_infinite(x))
        return ball_of(x.hi > 0 ? HUGE_VAL : 0);
    if (x.hi == 0 && x.rad == 0)
        return ball_of(1);
    if (x.rad > 0.5) { /* exp is increasing */
        ball low = ball_exp(ball_of(ball_lower(x)));
        ball high = ball_exp(ball_of(ball_upper(x)));
        return ball_of_interval(
            iv_make(fmax(ball_lower(low), 0), ball_upper(high)));
    }
    if (x.hi > 710)
        return ball_unknown();
    if (x.hi < -746) /* 0 < exp(x) < e^-745.4 < 2^-1075 */
        return (ball){0, 0, BALL_TINY};
    ball r = exp_at(ball_dd(x));
    if (x.rad == 0)
        return r;
    /* |e^x - e^m| <= e^m (e^rad - 1) <= e^m rad (1 + rad), rad <= 1/2 */
    return ball_widen(
        r, ball_magnitude(r) * (x.rad * (1 + x.rad)) * RAD_SLACK + BALL_TINY);
}

ball ball_expm1(ball x)
{
    if (ball_is_unknown(x) || ball_is_infinite(x) || fabs(x.hi) > 0.34 ||
        x.rad > 0.25)
        return ball_sub_d(ball_exp(x), 1);
    if (x.hi == 0 && x.rad == 0)
        return x;
    dd s = expm1_kernel(ball_dd(x));
    /* e^m <= 1.41 for |m| <= 0.345 */
    double rad = 1.5 * x.rad * (1 + x.rad);
    return ball_from(s, rad + fabs(s.hi) * EXP_UNIT + BALL_TINY);
}

/* ---- Logarithm --------------------------------------------------------- */

/* log(1 + z) for |z| <= 2^-30: z - z^2/2 + z^3/3, remainder <= z^4. */
static ball log1p_tiny(ball z)
{
    double most = ball_magnitude(z);
    if (!(most <= 0x1p-30))
        return ball_unknown();
    ball z2 = ball_sqr(z);
    ball r = ball_sub(z, ball_scale2(z2, -1));
    double cubic = z.hi * z.hi * z.hi / 3;
    r = ball_add_d(r, cubic);
    /* the cubic term's own rounding and radius, and the remainder */
    double slack = 4 * most * most * most * 0x1p-52 + most * most * z.rad;
    return ball_widen(r, slack + most * most * most * most + BALL_TINY);
}

ball ball_log1p(ball x)
{
    if (ball_is_unknown(x) || ball_is_infinite(x) || !(fabs(x.hi) < 0.25) ||
        x.rad > 0x1p-8)
        return ball_log(ball_add_d(x, 1));
    if (x.hi == 0 && x.rad == 0)
        return x;
    ball m = {x.hi, x.lo, 0};
    double y = log1p(x.hi); /* steers: any y near log(1 + x) will do */
    ball minus_y = ball_of(-y);
    /* log(1 + m) = y + log(1 + z), z = m e^-y + (e^-y - 1) */
    ball z = ball_add(
        ball_mul(m, ball_exp(minus_y)), ball_expm1(minus_y));
    ball r = ball_add_d(log1p_tiny(z), y);
    /* |log(1+x) - log(1+m)| <= rad / (1 + m - rad), 1 + m - rad > 0.7 */
    return ball_widen(r, x.rad * 1.5);
}

ball ball_log(ball x)
{
    if (ball_is_unknown(x))
        return x;
    if (ball_is_zero(x))
        return ball_of(-HUGE_VAL);
    if (!(x.hi > 0))
        return ball_unknown();
    if (ball_is_infinite(x))
        return x;
    if (x.rad > x.hi * 0x1p-8) { /* log is increasing */
        double low = ball_lower(x);
        if (!(low > 0))
            return ball_unknown();
        return ball_of_interval(
            iv_make(ball_lower(ball_log(ball_of(low))),
                ball_upper(ball_log(ball_of(ball_upper(x))))));
    }
    int n = 0;
    double f = frexp(x.hi, &n);
    if (f < 0.70710678)
        n--;
    ball m = ball_scale2(x, -n); /* 0.7 < m < 1.42 */
    if (fabs(m.hi - 1) < 0.2) {
        m = ball_log1p(ball_sub_d(m, 1));
    } else {
        double y = log(m.hi); /* steers */
        ball z = ball_sub_d(
            ball_mul((ball){m.hi, m.lo, 0}, ball_exp(ball_of(-y))), 1);
        /* |log x - log m| <= rad / (m - rad) */
        double rad = m.rad / (m.hi * (1 - 0x1p-7));
        m = ball_widen(ball_add_d(log1p_tiny(z), y), rad);
    }
    return n == 0 ? m : ball_add(m, ball_mul_d(ball_ln2(), n));
}

ball ball_log1mexp(ball x)
{
    if (x.hi > -0.69)
        return ball_log(ball_neg(ball_expm1(x)));
    return ball_log1p(ball_neg(ball_exp(x)));
}

ball ball_logexpm1(ball x)
{
    if (x.hi > 1)
        return ball_add(x, ball_log1p(ball_neg(ball_exp(ball_neg(x)))));
    return ball_log(ball_expm1(x));
}

ball ball_log1pexp(ball x)
{
    if (x.hi > 0)
        return ball_add(x, ball_log1p(ball_exp(ball_neg(x))));
    return ball_log1p(ball_exp(x));
}

ball ball_pow(ball x, ball y)
{
    if (ball_is_zero(x) && ball_is_positive(y))
        return x;
    return ball_exp(ball_mul(y, ball_log(x)));
}

ball ball_logaddexp(ball a, ball b)
{
    ball top = a.hi >= b.hi ? a : b;
    ball other = a.hi >= b.hi ? b : a;
    if (ball_is_infinite(top) || ball_is_infinite(other))
        return ball_is_unknown(other) ? other : top;
    return ball_add(top, ball_log1pexp(ball_sub(other, top)));
}

ball ball_logsubexp(ball a, ball b)
{
    if (ball_is_infinite(b) && b.hi < 0)
        return a;
    return ball_add(a, ball_log1mexp(ball_sub(b, a)));
}

/* ---- Hyperbolic functions ---------------------------------------------- */

ball ball_sinh(ball x)
{
    /* (t + t / (1 + t)) / 2 with t = e^|x| - 1: no cancellation */
    if (x.hi < 0)
        return ball_neg(ball_sinh(ball_neg(x)));
    ball t = ball_expm1(x);
    return ball_scale2(ball_add(t, ball_div(t, ball_add_d(t, 1))), -1);
}

ball ball_cosh(ball x)
{
    ball e = ball_exp(ball_abs(x));
    return ball_scale2(ball_add(e, ball_div(ball_of(1), e)), -1);
}

ball ball_tanh(ball x)
{
    if (x.hi < 0)
        return ball_neg(ball_tanh(ball_neg(x)));
    ball t = ball_neg(ball_expm1(ball_scale2(ball_neg(x), 1)));
    return ball_div(t, ball_sub(ball_of(2), t));
}

/* ---- Constants (digits: mpmath at 600 bits) ---------------------------- */

ball ball_pi(void)
{
    return (ball){0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, 0x1p-107};
}

ball ball_ln2(void)
{
    return (ball){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1p-110};
}

ball ball_log_2pi(void)
{
    return (ball){0x1.d67f1c864beb5p+0, -0x1.65b5a1b7ff5dfp-54, 0x1p-107};
}
