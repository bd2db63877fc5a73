/*
 * Ball arithmetic: double-double kernels and the radii that cover their errors.
 * Derivation of the error bounds: docs/theory/num.md.
 */
#include "ball.h"

/* Below this, error-free products may lose bits to underflow. */
#define SAFE_PRODUCT 0x1p-900

/* Quotients and square roots of numbers between 1/SAFE_SIZE and SAFE_SIZE
 * stay clear of underflow and overflow. */
#define SAFE_SIZE 0x1p400

ball ball_of_int(int64_t n)
{
    const int64_t half = 4294967296; /* 2^32: both parts are exact */
    int64_t quotient = n / half;
    double high = (double)quotient * 0x1p32, low = (double)(n % half);
    dd s = dd_two_sum(high, low);
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
    dd s = dd_two_sum(x.hi, low); /* hi + low <= every point of the ball */
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
    if (a.lo == 0 && b.lo == 0) /* two_sum is exact */
        return ball_from(dd_two_sum(a.hi, b.hi), rad);
    /* sums below 2^-1022 are exact: there is no underflow to charge */
    dd s = dd_add(ball_dd(a), ball_dd(b));
    return ball_from(s, rad + fabs(s.hi) * BALL_UNIT);
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
        dd p = dd_two_product(a.hi, b.hi);
        if (fabs(p.hi) >= SAFE_PRODUCT)
            return ball_from(p, rad);
    }
    dd p = dd_mul(ball_dd(a), ball_dd(b));
    return ball_from(p, rad + fabs(p.hi) * BALL_UNIT + BALL_TINY);
}

/*
 * a / b if nothing over- or underflows by more than BALL_TINY: |a.hi| and
 * |b.hi| between 1 / SAFE_SIZE and SAFE_SIZE, or |a.hi| < 1 and |b.hi| in [1/2,
 * 1). Unknown if b may be 0.
 */
static ball ball_div_safe(ball a, ball b)
{
    /* at most the modulus of any point of b */
    double least = fabs(b.hi) * (1 - 0x1p-50) - b.rad * BALL_SLACK;
    if (!(least > 0))
        return ball_unknown();
    dd q = dd_div(ball_dd(a), ball_dd(b));
    /* |a'/b' - a/b| <= (|a' - a| + |a/b| |b' - b|) / |b'| */
    double spread = a.rad + fabs(q.hi) * (1 + 0x1p-50) * b.rad;
    double rad = spread / (least * (1 - 0x1p-50));
    bool sure = a.rad == 0 && b.rad == 0; /* the spread may underflow */
    if (sure && a.lo == 0 && b.lo == 0 && fabs(a.hi) > 1 / SAFE_SIZE &&
        fma(q.hi, b.hi, -a.hi) == 0)
        return ball_of(q.hi); /* the remainder is 0 */
    return ball_from(q, rad + fabs(q.hi) * BALL_UNIT + BALL_TINY);
}

ball ball_div(ball a, ball b)
{
    if (ball_is_unknown(a) || ball_is_unknown(b))
        return ball_unknown();
    if (ball_is_infinite(b))
        return ball_is_infinite(a) ? ball_unknown() : ball_of(0);
    if (!(fabs(b.hi) > b.rad))
        return ball_unknown(); /* b may be 0 */
    if (ball_is_infinite(a)) {
        bool sure = ball_is_positive(b) || ball_is_negative(b);
        return sure ? ball_of(b.hi > 0 ? a.hi : -a.hi) : ball_unknown();
    }
    if (fabs(a.hi) > 1 / SAFE_SIZE && fabs(a.hi) < SAFE_SIZE &&
        fabs(b.hi) > 1 / SAFE_SIZE && fabs(b.hi) < SAFE_SIZE)
        return ball_div_safe(a, b);
    /* scale the greater of |a.hi| and rad, and |b.hi|, to [1/2, 1) */
    int i = 0, j = 0;
    (void)frexp(fmax(fabs(a.hi), a.rad), &i);
    (void)frexp(b.hi, &j);
    ball q = ball_div_safe(ball_scale2(a, -i), ball_scale2(b, -j));
    return ball_is_zero(a) && !ball_is_unknown(q) ? a : ball_scale2(q, i - j);
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
    if (!(a.hi > a.rad)) { /* x may be 0, or is near it */
        double most = fmax(ball_upper(a), 0);
        return ball_of_interval((dosi_interval){0, round_up(sqrt(most))});
    }
    if (a.hi < 1 / SAFE_SIZE || a.hi > SAFE_SIZE) {
        int e = 0;
        (void)frexp(a.hi, &e);
        e -= e % 2;
        return ball_scale2(ball_sqrt(ball_scale2(a, -e)), e / 2);
    }
    /* [LLMPR23] SQRTDWtoDW, relative error <= 25/8 u^2 */
    double s = sqrt(a.hi);
    double rest = fma(-s, s, a.hi) + a.lo;
    dd r = dd_fast_two_sum(s, rest / (2 * s));
    /* |sqrt x - sqrt m| = |x - m| / (sqrt x + sqrt m) <= |x - m| / sqrt m */
    double rad = a.rad / (s * (1 - 0x1p-50));
    if (a.rad == 0 && a.lo == 0 && rest == 0)
        return ball_of(s); /* s^2 is a */
    return ball_from(r, rad + s * BALL_UNIT + BALL_TINY);
}

/* 2^n for |n| <= 1000. */
static inline double power_of_two(int n)
{
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

ball ball_scale2(ball a, int n)
{
    if (ball_is_unknown(a) || ball_is_infinite(a))
        return a;
    if (n < -1000 || n > 1000) {
        /* doubles end at 2^-1074 and 2^1024: beyond 2200 nothing changes */
        n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
        return ball_scale2(ball_scale2(a, n / 2), n - n / 2);
    }
    double f = power_of_two(n), back = power_of_two(-n);
    dd s = {a.hi * f, a.lo * f};
    double rad = a.rad * f;
    /* exact unless bits fall below 2^-1074, at most 2^-1075 in each part */
    if (n < 0 &&
        (s.hi * back != a.hi || s.lo * back != a.lo || rad * back < a.rad)) {
        s = dd_fast_two_sum(s.hi, s.lo);
        rad += BALL_TINY;
    }
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
    if (!(r >= 0 && r <= DBL_MAX))
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
