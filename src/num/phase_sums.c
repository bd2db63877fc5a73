#include "phase_sums.h"

#include <float.h>
#include <math.h>

/* Adding and subtracting it rounds |x| < 2^51 to the nearest integer. */
#define MAGIC 0x1.8p52

/* pi = PI_1 + PI_2 + PI_3 up to 2^-106; the first two have 27 bits, so that
 * their products with integers below 2^26 are exact. */
#define PI_1 0x1.921fb54p+1
#define PI_2 0x1.10b461p-29
#define PI_3 0x1.a62633145c06ep-57
#define INVERSE_PI 0.31830988618379067154
#define MOST_TURNS 0x1p25

void phase_prepare(phase_set *s, double cut)
{
    s->near2 = s->near3 = s->far0 = s->far1 = s->largest = 0;
    for (size_t i = 0; i < s->n; i++) {
        double g = s->weight[i], c = fabs(s->point[i]);
        s->largest = fmax(s->largest, g > 0 ? c : 0);
        if (c <= cut) {
            s->near2 += g * c * c;
            s->near3 += g * c * c * c;
        } else {
            s->far0 += g;
            s->far1 += g * c;
        }
    }
    /* sums of n positive terms err by at most (n + 4) 2^-53 relatively, but
     * for underflow */
    double up = 1 + ((double)s->n + 8) * 0x1p-52;
    s->near2 = s->near2 * up + DBL_MIN;
    s->near3 = s->near3 * up + DBL_MIN;
    s->far0 = s->far0 * up + DBL_MIN;
    s->far1 = s->far1 * up + DBL_MIN;
}

double phase_reach(const phase_set *s)
{
    return s->largest > 0 ? MOST_TURNS / s->largest : HUGE_VAL;
}

/* (1 - cos r)/r^2 by Taylor's series in s = r^2, |r| <= 1.571. */
static inline double cosine_part(double s)
{
    double p = 1 / 1124000727777607680000.0; /* 1/22! */
    p = p * -s + 1 / 2432902008176640000.0;
    p = p * -s + 1 / 6402373705728000.0;
    p = p * -s + 1 / 20922789888000.0;
    p = p * -s + 1 / 87178291200.0;
    p = p * -s + 1 / 479001600.0;
    p = p * -s + 1 / 3628800.0;
    p = p * -s + 1 / 40320.0;
    p = p * -s + 1 / 720.0;
    p = p * -s + 1 / 24.0;
    return p * -s + 1 / 2.0;
}

/* (r - sin r)/r^3 by Taylor's series in s = r^2. */
static inline double sine_part(double s)
{
    double p = 1 / 51090942171709440000.0; /* 1/21! */
    p = p * -s + 1 / 121645100408832000.0;
    p = p * -s + 1 / 355687428096000.0;
    p = p * -s + 1 / 1307674368000.0;
    p = p * -s + 1 / 6227020800.0;
    p = p * -s + 1 / 39916800.0;
    p = p * -s + 1 / 362880.0;
    p = p * -s + 1 / 5040.0;
    p = p * -s + 1 / 120.0;
    return p * -s + 1 / 6.0;
}

/* Without branches, so that compilers vectorise it. With a = n pi + r:
 * 1 - cos a is 1 - cos r for even n and 2 - (1 - cos r) for odd n; sin a - a
 * is +-(sin r - r) + (+-r - a), where the last bracket is exactly 0 for
 * n = 0. */
PHASE_WIDE static void phase_pass(double *sum_x, double *sum_y,
    const double *weight, const double *point, size_t n, double u)
{
    double lane_x[PHASE_LANES] = {0}, lane_y[PHASE_LANES] = {0};
    for (size_t i = 0; i < n; i += PHASE_LANES)
        for (size_t l = 0; l < PHASE_LANES; l++) {
            double a = u * point[i + l], g = weight[i + l];
            double turns = (a * INVERSE_PI + MAGIC) - MAGIC;
            double even = (turns * 0.5 + MAGIC) - MAGIC;
            double odd = turns - 2 * even; /* -1, 0 or 1 */
            double is_odd = odd * odd, sign = 1 - 2 * is_odd;
            double r = ((a - turns * PI_1) - turns * PI_2) - turns * PI_3;
            double s = r * r;
            double versine = s * cosine_part(s);
            double bend = r * s * sine_part(s);
            lane_x[l] += g * (2 * is_odd + sign * versine);
            lane_y[l] += g * ((sign * r - a) - sign * bend);
        }
    double x = 0, y = 0;
    for (size_t l = 0; l < PHASE_LANES; l++) {
        x += lane_x[l];
        y += lane_y[l];
    }
    *sum_x = x;
    *sum_y = y;
}

void phase_sums(
    double *x, double *y, double *error, const phase_set *s, double u)
{
    phase_pass(x, y, s->weight, s->point, s->n, u);
    /* docs/theory/spectral.md, Lemma 3: per term, in units of 2^-53 g,
     * min(10 a^2, 20 + 3a) for X and min(8 a^3, 14 + 11a) for Y, and the
     * summation of n/8 + 8 terms, each at most min(a^2/2, 2) resp.
     * min(a^3/6, 1 + a) */
    double m = (double)s->n / PHASE_LANES + PHASE_LANES + 2;
    double near = u * u * ((10 + m / 2) * s->near2 +
                              u * (8 + m / 6) * s->near3);
    double far = (34 + 3 * m) * s->far0 + u * (14 + m) * s->far1;
    *error = (near + far) * (0x1p-53 * (1 + 0x1p-40)) + 0x1p-1000;
}
