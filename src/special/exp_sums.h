/*
 * Many exponentials at once, in doubles, for machines with wide registers:
 * tilted sums over points, from which saddles, moments and bounds are made.
 * An exponential errs by at most 4 units in the last place.
 */
#ifndef DOSI_SPECIAL_EXP_SUMS_H
#define DOSI_SPECIAL_EXP_SUMS_H

#include <stddef.h>

/* top = max a_i + p l_i, and sums of e^(a_i + p l_i - top) l_i^m, m = 0, 1,
 * 2, in which no exponent counts as less than -700. NaN wherever one of the
 * numbers is. */
typedef struct exp_moments {
    double top, sum, first, second;
} exp_moments;

exp_moments exp_tilted(
    const double *height, const double *point, size_t n, double p);

/* e^x in place of each of n numbers; of those below -700 e^-700, infinite
 * above 700. */
void exp_all(double *x, size_t n);

/* e^x - 1 likewise, to 8 units. */
void expm1_all(double *x, size_t n);

/* log x of normal x > 0, and log(1 + x) where 1 + x is that, to 8 units; NaN
 * where x is no finite number. */
void log_all(double *x, size_t n);
void log1p_all(double *x, size_t n);

#endif
