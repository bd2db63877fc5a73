/*
 * Exponentials and logarithms of many doubles at once, without branches so that
 * compilers vectorise them: argument reduction by powers of two, then a
 * polynomial.
 */
#include "exp_sums.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "phase_sums.h"

/* Adding and subtracting this number rounds |x| < 2^51 to the nearest integer,
 * which then stands in its low bits. */
#define INTEGER_SHIFT 0x1.8p52
#define INVERSE_LN2 1.44269504088896340736
/* log 2 up to 2^-97; the first part has 42 bits, so that its product with an
 * integer below 2^11 is exact. */
#define LN2_1 0x1.62e42fefa38p-1
#define LN2_2 0x1.ef35793c7673p-45
/* Bounds of the exponents. */
#define MIN_EXPONENT (-700.0)
#define MAX_EXPONENT 700.0

/* The reduced form of e^x, x = k log 2 + r. */
typedef struct split_exp {
    double less;  /* e^r - 1 */
    double scale; /* 2^k */
} split_exp;

/*
 * |r| < 0.3467; r is exact up to the rounding of its last difference, 2^-55,
 * and of k LN2_2, and is x itself for k = 0. Taylor's polynomial to r^13 omits
 * less than 2^-57 of r; Horner's rule errs by half a unit of each of its last
 * sums and products, less than 2 units of e^r - 1. 2^k is exact.
 */
static inline split_exp exp_split(double x)
{
    double t = x * INVERSE_LN2 + INTEGER_SHIFT, k = t - INTEGER_SHIFT;
    double r = (x - k * LN2_1) - k * LN2_2;
    double p = 1 / 6227020800.0;
    p = p * r + 1 / 479001600.0;
    p = p * r + 1 / 39916800.0;
    p = p * r + 1 / 3628800.0;
    p = p * r + 1 / 362880.0;
    p = p * r + 1 / 40320.0;
    p = p * r + 1 / 5040.0;
    p = p * r + 1 / 720.0;
    p = p * r + 1 / 120.0;
    p = p * r + 1 / 24.0;
    p = p * r + 1 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1;
    double shifted = t + 1023; /* exact: an integer */
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits <<= 52;
    split_exp out = {p * r, 0};
    memcpy(&out.scale, &bits, sizeof out.scale);
    return out;
}

static inline double within_range(double x)
{
    double y = x < MIN_EXPONENT ? MIN_EXPONENT : x;
    return y > MAX_EXPONENT ? MAX_EXPONENT : y;
}

static inline double exp_one(double x)
{
    split_exp e = exp_split(x);
    return (e.less + 1) * e.scale;
}

/* Independent sums that one pass forms. */
#define SUM_LANES 16

static inline size_t lanes_left(size_t n, size_t at)
{
    return n - at < SUM_LANES ? n - at : SUM_LANES;
}

PHASE_WIDE static void add_tops(double top[restrict SUM_LANES],
    const double *restrict height, const double *restrict point, size_t n,
    double p)
{
    for (size_t at = 0; at < n; at += SUM_LANES) {
        size_t m = lanes_left(n, at);
        for (size_t i = 0; i < m; i++) {
            double e = height[at + i] + p * point[at + i];
            top[i] = top[i] < e ? e : top[i];
        }
    }
}

typedef struct lane_sums {
    double sum[SUM_LANES], first[SUM_LANES], second[SUM_LANES];
} lane_sums;

PHASE_WIDE static void add_sums(lane_sums *restrict s,
    const double *restrict height, const double *restrict point, size_t n,
    double p, double top)
{
    for (size_t at = 0; at < n; at += SUM_LANES) {
        size_t m = lanes_left(n, at);
        for (size_t i = 0; i < m; i++) {
            double z = point[at + i], e = height[at + i] + p * z - top;
            double g = exp_one(e < MIN_EXPONENT ? MIN_EXPONENT : e);
            s->sum[i] += g;
            s->first[i] += g * z;
            s->second[i] += g * z * z;
        }
    }
}

exp_moments exp_tilted(
    const double *height, const double *point, size_t n, double p)
{
    double tops[SUM_LANES];
    lane_sums s = {.sum = {0}};
    exp_moments out = {-HUGE_VAL, 0, 0, 0};
    for (size_t i = 0; i < SUM_LANES; i++)
        tops[i] = -HUGE_VAL;
    add_tops(tops, height, point, n, p);
    for (size_t i = 0; i < SUM_LANES; i++)
        out.top = tops[i] > out.top ? tops[i] : out.top;
    add_sums(&s, height, point, n, p, out.top);
    for (size_t i = 0; i < SUM_LANES; i++) {
        out.sum += s.sum[i];
        out.first += s.first[i];
        out.second += s.second[i];
    }
    return out;
}

/* target_clones are exported unless they are static. */
PHASE_WIDE static void exp_wide(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double e = exp_one(within_range(x[i]));
        x[i] = x[i] > MAX_EXPONENT ? HUGE_VAL : e;
    }
}

/* 2^k (e^r - 1) + (2^k - 1), each within half a unit; for k other than 0 the
 * modulus of the sum is at least 0.29. */
PHASE_WIDE static void expm1_wide(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        split_exp e = exp_split(within_range(x[i]));
        double less = e.less * e.scale + (e.scale - 1);
        x[i] = x[i] > MAX_EXPONENT ? HUGE_VAL : less;
    }
}

void exp_all(double *x, size_t n)
{
    exp_wide(x, n);
}

void expm1_all(double *x, size_t n)
{
    expm1_wide(x, n);
}

#define ROOT2 1.41421356237309504880
#define MANTISSA 0x000fffffffffffffull
#define ONE_BITS 0x3ff0000000000000ull
#define BIG_BITS 0x4330000000000000ull /* of 2^52 */

/*
 * log u, u > 0 and normal: u = 2^k m, m within [1/sqrt 2, sqrt 2], and log m =
 * 2 s + 2 s^3/3 + ..., s = (m - 1)/(m + 1), |s| < 0.1716. The terms up to s^21
 * omit less than 2^-60 of it. m - 1 is exact, s errs by 2 units, the sum by 1.2
 * more; if k is not 0 the modulus of the result is at least 0.34, and 6 units
 * cover all.
 */
static inline double log_one(double u)
{
    uint64_t bits, top;
    memcpy(&bits, &u, sizeof bits);
    top = (bits >> 52) | BIG_BITS;
    bits = (bits & MANTISSA) | ONE_BITS;
    double k, m;
    memcpy(&k, &top, sizeof k);
    memcpy(&m, &bits, sizeof m);
    k -= 0x1p52 + 1023;
    k = m > ROOT2 ? k + 1 : k;
    m = m > ROOT2 ? m * 0.5 : m;
    double f = m - 1, s = f / (2 + f), z = s * s;
    double p = 2 / 21.0;
    p = p * z + 2 / 19.0;
    p = p * z + 2 / 17.0;
    p = p * z + 2 / 15.0;
    p = p * z + 2 / 13.0;
    p = p * z + 2 / 11.0;
    p = p * z + 2 / 9.0;
    p = p * z + 2 / 7.0;
    p = p * z + 2 / 5.0;
    p = p * z + 2 / 3.0;
    double log_m = 2 * s + s * (p * z);
    return k * LN2_1 + (log_m + k * LN2_2);
}

PHASE_WIDE static void log_wide(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = log_one(x[i]) + (x[i] - x[i]); /* NaN stays NaN */
}

void log_all(double *x, size_t n)
{
    log_wide(x, n);
}
