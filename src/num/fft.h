/*
 * Discrete Fourier transform of a power of two points, with a proven bound
 * on its rounding error: radix-4 stages (and one of radix 2 where needed) on
 * split real and imaginary arrays, sorted on the way (Stockham). Derivation:
 * docs/theory/fft.md.
 */
#ifndef DOSI_NUM_FFT_H
#define DOSI_NUM_FFT_H

#include <stddef.h>

#include "base/error.h"

/* Tables and working space: a plan serves one thread at a time. */
typedef struct fft_plan fft_plan;

/*
 * Tables for n points.
 *
 * requires  n a power of two, 2 <= n <= 2^30
 * owns      *out, freed with fft_plan_free
 * cost      about 32 n bytes
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status fft_plan_new(fft_plan **out, size_t n, dosi_error *err);
void fft_plan_free(fft_plan *plan); /* accepts NULL */

/* In place: X_j = sum_m x_m e^{-2 pi i jm/n}. */
void fft_forward(fft_plan *plan, double *re, double *im);

/* In place and scaled: x_m = (1/n) sum_j X_j e^{2 pi i jm/n}. */
void fft_inverse(fft_plan *plan, double *re, double *im);

/* Upper bound g on the relative error in l2 of either transform of n points:
 * the computed y^ has ||y^ - y||_2 <= g ||y||_2 + n 2^-1060, the last term
 * for underflow; about 2.5 log2(n) 2^-53. */
double fft_relative_error(size_t n);

#endif
