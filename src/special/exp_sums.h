/*
 * Exponentials and logarithms of many doubles at once, for machines with wide
 * registers, and tilted sums over points, from which saddle points, moments and
 * bounds are computed. An exponential errs by at most 4 units in the last
 * place.
 */
#ifndef DOSI_SPECIAL_EXP_SUMS_H
#define DOSI_SPECIAL_EXP_SUMS_H

#include <stddef.h>

/* top = max a_i + p l_i, and sums of e^(a_i + p l_i - top) l_i^m for m = 0, 1,
 * 2, in which exponents below -700 count as -700. NaN if one of the numbers is
 * NaN. */
typedef struct exp_moments {
    double top, sum, first, second;
} exp_moments;

/* cost  O(n), two passes */
exp_moments exp_tilted(
    const double *height, const double *point, size_t n, double p);

/* Replaces each of n numbers by e^x: e^-700 below -700, infinity above 700. */
void exp_all(double *x, size_t n);

/* Replaces each of n numbers by e^x - 1, to 8 units; the ranges are those of
 * exp_all. */
void expm1_all(double *x, size_t n);

/* Replaces each of n numbers by log x, for normal x > 0, to 8 units; NaN if x
 * is not finite. */
void log_all(double *x, size_t n);

#endif
