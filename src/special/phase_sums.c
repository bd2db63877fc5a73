/*
 * Sums of weighted phases e^{iuc} in doubles, one u at a time and in rows of
 * equidistant u, with bounds of their errors. Derivation:
 * docs/theory/contour.md, section 3.
 */
#include "phase_sums.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Adding and subtracting this number rounds |x| < 2^51 to the nearest
 * integer. */
#define INTEGER_SHIFT 0x1.8p52

/* pi = PI_1 + PI_2 + PI_3 up to 2^-106; the first two have 27 bits, so that
 * their products with integers below 2^26 are exact. */
#define PI_1 0x1.921fb54p+1
#define PI_2 0x1.10b461p-29
#define PI_3 0x1.a62633145c06ep-57
#define INVERSE_PI 0.31830988618379067154
#define MAX_HALF_TURNS 0x1p25

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
    /* sums of n positive terms err by at most (n + 4) 2^-53 relatively, up to
     * underflow */
    double up = 1 + ((double)s->n + 8) * 0x1p-52;
    s->near2 = s->near2 * up + DBL_MIN;
    s->near3 = s->near3 * up + DBL_MIN;
    s->far0 = s->far0 * up + DBL_MIN;
    s->far1 = s->far1 * up + DBL_MIN;
}

double phase_reach(const phase_set *s)
{
    return s->largest > 0 ? MAX_HALF_TURNS / s->largest : HUGE_VAL;
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

/* a = n pi + r. */
typedef struct reduced {
    double r, is_odd; /* n: 1 or 0 */
} reduced;

static inline reduced reduce(double a)
{
    double half_turns = (a * INVERSE_PI + INTEGER_SHIFT) - INTEGER_SHIFT;
    double even = (half_turns * 0.5 + INTEGER_SHIFT) - INTEGER_SHIFT;
    double odd = half_turns - 2 * even; /* -1, 0 or 1 */
    double r =
        ((a - half_turns * PI_1) - half_turns * PI_2) - half_turns * PI_3;
    return (reduced){r, odd * odd};
}

/* Sums the terms at one u without branches, so that compilers vectorise it.
 * With a = n pi + r: 1 - cos a is 1 - cos r for even n and 2 - (1 - cos r) for
 * odd n; sin a - a is +-(sin r - r) + (+-r - a), whose last bracket is exactly
 * 0 for n = 0. */
PHASE_WIDE static void phase_pass(double *sum_x, double *sum_y,
    const double *weight, const double *point, size_t n, double u)
{
    double lane_x[PHASE_LANES] = {0}, lane_y[PHASE_LANES] = {0};
    for (size_t i = 0; i < n; i += PHASE_LANES)
        for (size_t l = 0; l < PHASE_LANES; l++) {
            double a = u * point[i + l], g = weight[i + l];
            reduced by = reduce(a);
            double r = by.r, is_odd = by.is_odd, sign = 1 - 2 * is_odd;
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
    /* docs/theory/contour.md, Lemma 3: per term, in units of 2^-53 g, min(10
     * a^2, 20 + 3a) for X and min(8 a^3, 14 + 11a) for Y, and the summation of
     * n/8 + 8 terms, each at most min(a^2/2, 2) and min(a^3/6, 1 + a) */
    double m = (double)s->n / PHASE_LANES + PHASE_LANES + 2;
    double near = u * u * ((10 + m / 2) * s->near2 +
                              u * (8 + m / 6) * s->near3);
    double far = (34 + 3 * m) * s->far0 + u * (14 + m) * s->far1;
    *error = (near + far) * (0x1p-53 * (1 + 0x1p-40)) + 0x1p-1000;
}

/* Cosines and sines, as in phase_pass: cos a = +-cos r, sin a = +-sin r. */
PHASE_WIDE static void cos_sin_pass(double *restrict cosine,
    double *restrict sine, const double *restrict angle, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        reduced by = reduce(angle[i]);
        double r = by.r, s = r * r, sign = 1 - 2 * by.is_odd;
        cosine[i] = sign * (1 - s * cosine_part(s));
        sine[i] = sign * (r - r * s * sine_part(s));
    }
}

void phase_cos_sin(
    double *cosine, double *sine, const double *angle, size_t n)
{
    cos_sin_pass(cosine, sine, angle, n);
}

/* Angles up to which points are summed by their moments. */
#define MAX_MOMENT_ANGLE 2.0

/* Points whose powers are summed before they are added to the others: 8 in a
 * lane. */
#define MOMENT_CHUNK 64

#define N_POWERS 24         /* powers of a point, for X and Y */
#define PHASES_PER_POINT 64 /* of a point: real and imaginary parts of a row */

static_assert(MOMENT_CHUNK == 8 * PHASE_LANES, "lanes are whole");
static_assert(N_POWERS == 2 * PHASE_TERMS, "for both sums");
static_assert(PHASES_PER_POINT == 2 * PHASE_ROW, "both parts");

/* Sums of g d^k for k = 2, 3, ... in lanes of a chunk. */
PHASE_WIDE static void add_powers(double sum[N_POWERS],
    const double *weight, const double *point, size_t n, double reach)
{
    double lane[N_POWERS][PHASE_LANES] = {{0}};
    for (size_t i = 0; i < n; i += PHASE_LANES) {
        double power[PHASE_LANES], d[PHASE_LANES];
        for (size_t l = 0; l < PHASE_LANES; l++) {
            d[l] = point[i + l] * reach;
            power[l] = weight[i + l] * d[l];
        }
        for (size_t k = 0; k < N_POWERS; k++)
            for (size_t l = 0; l < PHASE_LANES; l++) {
                power[l] *= d[l];
                lane[k][l] += power[l];
            }
    }
    for (size_t k = 0; k < N_POWERS; k++) {
        double all = 0;
        for (size_t l = 0; l < PHASE_LANES; l++)
            all += lane[k][l];
        sum[k] += all;
    }
}

/* Pads with points of weight 0. */
static size_t pad(double *weight, double *point, size_t n)
{
    for (; n % PHASE_LANES > 0; n++)
        weight[n] = point[n] = 0;
    return n;
}

/* Moments of the near points, as coefficients of alternating sign. */
static void set_moments(phase_rows *r)
{
    double sum[N_POWERS] = {0}, factor = 1, sign = 1, cube = 0;
    for (size_t i = 0; i < r->n_near; i += MOMENT_CHUNK) {
        size_t rest = r->n_near - i;
        add_powers(sum, r->near_weight + i, r->near_point + i,
            rest < MOMENT_CHUNK ? rest : MOMENT_CHUNK, r->reach);
    }
    for (size_t k = 0; k < PHASE_TERMS; k++, sign = -sign) {
        double m = 2 * (double)k + 2;
        factor /= k == 0 ? 2 : m * (m - 1);
        r->even[k] = sign * sum[2 * k] * factor;
        r->odd[k] = -sign * sum[2 * k + 1] * factor / (m + 1);
    }
    for (size_t i = 0; i < r->n_near; i++) {
        double d = fabs(r->near_point[i]) * r->reach;
        cube += r->near_weight[i] * d * d * d;
    }
    double up = 1 + ((double)r->n_near + 64) * 0x1p-52;
    r->near2 = sum[0] * up + DBL_MIN;
    r->near3 = cube * up + DBL_MIN;
}

/* Sums over the far points. */
static void set_far(phase_rows *r)
{
    double lane[2][PHASE_LANES] = {{0}};
    r->mass = r->first = r->far0 = r->far1 = 0;
    for (size_t i = 0; i < r->n; i++) {
        double g = r->far_weight[i];
        lane[0][i % PHASE_LANES] += g;
        lane[1][i % PHASE_LANES] += g * r->point[i];
        r->far0 += g;
        r->far1 += g * fabs(r->point[i]);
    }
    for (size_t l = 0; l < PHASE_LANES; l++) {
        r->mass += lane[0][l];
        r->first += lane[1][l];
    }
    double up = 1 + ((double)r->n + 8) * 0x1p-52;
    r->far0 = r->far0 * up + DBL_MIN;
    r->far1 = r->far1 * up + DBL_MIN;
}

/* Splits the points into near and far ones for all u up to reach. */
static void set_reach(phase_rows *r, double reach)
{
    const phase_set *s = r->set;
    size_t n = 0;
    r->reach = reach;
    for (size_t i = 0; i < s->n; i++)
        if (fabs(s->point[i]) * reach <= MAX_MOMENT_ANGLE) {
            r->near_weight[n] = s->weight[i];
            r->near_point[n++] = s->point[i];
        }
    r->n_near = pad(r->near_weight, r->near_point, n);
    for (size_t i = 0; i < r->n; i++) {
        bool is_near = fabs(r->point[i]) * reach <= MAX_MOMENT_ANGLE;
        r->far_weight[i] = is_near ? 0 : r->weight[i];
    }
    set_moments(r);
    set_far(r);
}

bool phase_rows_make(
    phase_rows *r, const phase_set *s, double step, double outer)
{
    size_t all = s->n + PHASE_LANES, n = 0;
    double *room = malloc((8 + PHASES_PER_POINT) * all * sizeof *room);
    *r = (phase_rows){.step = step, .outer = outer, .set = s,
        .storage = room};
    if (room == NULL)
        return false;
    double **parts[] = {&r->near_weight, &r->near_point, &r->weight,
        &r->point, &r->far_weight, &r->angle, &r->re, &r->im};
    for (size_t i = 0; i < 8; i++)
        *parts[i] = room + i * all;
    r->phases = room + 8 * all;
    for (size_t i = 0; i < s->n; i++)
        if (!(fabs(s->point[i]) * outer <= MAX_MOMENT_ANGLE)) {
            r->weight[n] = s->weight[i];
            r->point[n++] = s->point[i];
        }
    r->n = pad(r->weight, r->point, n);
    for (size_t i = 0; i < r->n; i++) {
        double angle[PHASE_ROW], *turn = r->phases + PHASES_PER_POINT * i;
        for (size_t j = 0; j < PHASE_ROW; j++)
            angle[j] = (double)j * step * r->point[i];
        phase_cos_sin(turn, turn + PHASE_ROW, angle, PHASE_ROW);
    }
    return true;
}

/* Adds the terms of all points, each rotated to the nodes of the row: eight
 * points at a time, so that n/8 + 8 sums are rounded. */
PHASE_WIDE static void add_rotated(double *restrict sum_re,
    double *restrict sum_im, const double *restrict re,
    const double *restrict im, const double *restrict turn, size_t n)
{
    for (size_t j = 0; j < PHASE_ROW; j++)
        sum_re[j] = sum_im[j] = 0;
    for (size_t i = 0; i < n; i += PHASE_LANES) {
        const double *at = turn + PHASES_PER_POINT * i;
        for (size_t j = 0; j < PHASE_ROW; j++) {
            double x = 0, y = 0;
            for (size_t l = 0; l < PHASE_LANES; l++) {
                double c = at[PHASES_PER_POINT * l + j];
                double d = at[PHASES_PER_POINT * l + PHASE_ROW + j];
                x += re[i + l] * c - im[i + l] * d;
                y += re[i + l] * d + im[i + l] * c;
            }
            sum_re[j] += x;
            sum_im[j] += y;
        }
    }
}

/* Sums the near points by Horner's rule. */
PHASE_WIDE static void near_pass(double *restrict x, double *restrict y,
    const phase_rows *restrict r, double u)
{
    for (size_t j = 0; j < PHASE_ROW; j++) {
        double v = (u + (double)j * r->step) / r->reach, s = v * v;
        double p = r->even[PHASE_TERMS - 1], q = r->odd[PHASE_TERMS - 1];
        for (size_t k = PHASE_TERMS - 1; k-- > 0;) {
            p = p * s + r->even[k];
            q = q * s + r->odd[k];
        }
        x[j] = p * s;
        y[j] = q * s * v;
    }
}

/* docs/theory/contour.md, section 3: near points err by (18 + 0.7 m) v^2 and (8
 * + m/4) v^3 of their moments, m = n/64 + 18 for the summation; the e^{iuc} of
 * far points err by 39 + 3 u |c| each, once for X and once for Y, and the
 * subtracted mass and first moment by the rest. */
void phase_rows_at(double x[PHASE_ROW], double y[PHASE_ROW],
    double error[PHASE_ROW], phase_rows *r, double u)
{
    double end = fmin(u + PHASE_ROW * r->step, r->outer);
    if (end > r->reach)
        set_reach(r, fmin(fmax(end, 2 * r->reach), r->outer));
    near_pass(x, y, r, u);
    for (size_t i = 0; i < r->n; i++)
        r->angle[i] = u * r->point[i];
    phase_cos_sin(r->re, r->im, r->angle, r->n);
    for (size_t i = 0; i < r->n; i++) {
        r->re[i] *= r->far_weight[i];
        r->im[i] *= r->far_weight[i];
    }
    double near = (double)r->n_near / MOMENT_CHUNK + 2 * PHASE_LANES + 2;
    double far = (double)r->n / PHASE_LANES + PHASE_LANES + 2;
    double re[PHASE_ROW], im[PHASE_ROW];
    add_rotated(re, im, r->re, r->im, r->phases, r->n);
    for (size_t j = 0; j < PHASE_ROW; j++) {
        double at = u + (double)j * r->step, v = at / r->reach;
        x[j] += r->mass - re[j];
        y[j] += im[j] - at * r->first;
        double of_near = v * v * ((18 + 0.7 * near) * r->near2 +
                                     v * (8 + near / 4) * r->near3);
        double of_far =
            (90 + 3 * far) * r->far0 + at * (20 + far) * r->far1;
        error[j] = (of_near + of_far) * (0x1p-53 * (1 + 0x1p-40)) +
                   0x1p-1000;
    }
}
