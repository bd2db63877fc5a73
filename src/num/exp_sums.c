#include "exp_sums.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "phase_sums.h"

/* Adding and subtracting it rounds |x| < 2^51 to the nearest integer, which is
 * then in its low bits. */
#define MAGIC 0x1.8p52
#define INVERSE_LN2 1.44269504088896340736
/* log 2 but for 2^-97; the first part has 42 bits, so that its product with
 * an integer below 2^11 is exact. */
#define LN2_1 0x1.62e42fefa38p-1
#define LN2_2 0x1.ef35793c7673p-45
/* Of exponents. */
#define LEAST (-700.0)
#define MOST 700.0

/* x = k log 2 + r. */
typedef struct split_exp {
    double less; /* e^r - 1 */
    double scale; /* 2^k */
} split_exp;

/*
 * |r| < 0.3467; r is exact but for the rounding of its last difference, 2^-55,
 * and of k LN2_2, and x itself where k = 0. Taylor's polynomial to r^13 leaves
 * out less than 2^-57 of r; Horner's rule errs by half a unit of each of its
 * last sums and products, less than 2 units of e^r - 1. 2^k is exact.
 */
static inline split_exp exp_split(double x)
{
    double t = x * INVERSE_LN2 + MAGIC, k = t - MAGIC;
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
    double shifted = t + 1023; /* exact: a whole number */
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits <<= 52;
    split_exp out = {p * r, 0};
    memcpy(&out.scale, &bits, sizeof out.scale);
    return out;
}

static inline double within_range(double x)
{
    double y = x < LEAST ? LEAST : x;
    return y > MOST ? MOST : y;
}

static inline double exp_one(double x)
{
    split_exp e = exp_split(x);
    return (e.less + 1) * e.scale;
}

/* Sums in lanes. */
typedef struct lanes {
    double top[PHASE_LANES], sum[PHASE_LANES];
    double first[PHASE_LANES], second[PHASE_LANES];
} lanes;

PHASE_WIDE static void add_tops(lanes *s, const double *height,
    const double *point, size_t n, double p)
{
    for (size_t i = 0; i < n; i += PHASE_LANES)
        for (size_t l = 0; l < PHASE_LANES; l++) {
            double e = height[i + l] + p * point[i + l];
            s->top[l] = e > s->top[l] ? e : s->top[l];
        }
}

PHASE_WIDE static void add_sums(lanes *s, const double *height,
    const double *point, size_t n, double p, double top)
{
    lanes t = *s;
    for (size_t i = 0; i < n; i += PHASE_LANES)
        for (size_t l = 0; l < PHASE_LANES; l++) {
            double z = point[i + l], e = height[i + l] + p * z - top;
            double g = exp_one(e < LEAST ? LEAST : e);
            t.sum[l] += g;
            t.first[l] += g * z;
            t.second[l] += g * z * z;
        }
    *s = t;
}

exp_moments exp_tilted(
    const double *height, const double *point, size_t n, double p)
{
    size_t whole = n - n % PHASE_LANES;
    double last_height[PHASE_LANES], last_point[PHASE_LANES] = {0};
    lanes s = {.sum = {0}};
    for (size_t l = 0; l < PHASE_LANES; l++) {
        s.top[l] = last_height[l] = -HUGE_VAL;
        if (whole + l < n) {
            last_height[l] = height[whole + l];
            last_point[l] = point[whole + l];
        }
    }
    add_tops(&s, height, point, whole, p);
    add_tops(&s, last_height, last_point, PHASE_LANES, p);
    exp_moments out = {-HUGE_VAL, 0, 0, 0};
    for (size_t l = 0; l < PHASE_LANES; l++)
        out.top = s.top[l] > out.top ? s.top[l] : out.top;
    add_sums(&s, height, point, whole, p, out.top);
    add_sums(&s, last_height, last_point, PHASE_LANES, p, out.top);
    for (size_t l = 0; l < PHASE_LANES; l++) {
        out.sum += s.sum[l];
        out.first += s.first[l];
        out.second += s.second[l];
    }
    return out;
}

/* Clones are exported unless they are static. */
PHASE_WIDE static void exp_wide(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double e = exp_one(within_range(x[i]));
        x[i] = x[i] > MOST ? HUGE_VAL : e;
    }
}

/* 2^k (e^r - 1) + (2^k - 1), each within half a unit; beyond k = 0 the sum is
 * at least 0.29 in size. */
PHASE_WIDE static void expm1_wide(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        split_exp e = exp_split(within_range(x[i]));
        double less = e.less * e.scale + (e.scale - 1);
        x[i] = x[i] > MOST ? HUGE_VAL : less;
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
