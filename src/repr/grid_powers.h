/*
 * Powers of spectra of a law cut in two, s and omega w: with
 *
 *     b = s^k,    d = ((s + omega w)^k - s^k)/omega,
 *
 * made by d -> d (2b + omega d) and d -> d (s + omega w) + b w, so that a rare
 * w keeps its digits; and what d would be if all of s and w were replaced by
 * its modulus, in which rounding is counted. Derivation: docs/theory/grid.md,
 * section 11. Internal to the grid.
 */
#ifndef DOSI_REPR_GRID_POWERS_H
#define DOSI_REPR_GRID_POWERS_H

#include <stddef.h>

#define GRID_BLOCK 128

/* Frequencies of a block, and bounds of the moduli. */
typedef struct grid_block {
    double re[GRID_BLOCK], im[GRID_BLOCK], most[GRID_BLOCK];
} grid_block;

/* b and d of a power of one law, and the law: s, w and s + omega w. */
typedef struct grid_powers {
    grid_block s, w, a, b, d;
} grid_powers;

/* b and d of a product of laws so far, for all frequencies. */
typedef struct grid_spectra {
    double *b_re, *b_im, *d_re, *d_im;
    double *b_most, *d_most;
} grid_spectra;

/* b and d of the count-th power of the first n frequencies; s, w and a = s +
 * omega w are there.
 *
 * requires  count a whole number >= 1, omega a power of two */
void grid_powers_raise(grid_powers *p, size_t n, double count, double omega);

/* Times what there is at n frequencies from one on: d (b' + omega d') + b d',
 * b b'. */
void grid_powers_multiply(
    grid_powers *p, const grid_spectra *x, size_t at, size_t n, double omega);

#endif
