/*
 * Runs of bounded range on a lattice of e/m: from below by chords whose ends
 * are points of it, from above by all of these, and one step of range e/m for
 * what lies between. The inside of range_runs.h.
 */
#ifndef DOSI_REPR_RANGE_LATTICE_H
#define DOSI_REPR_RANGE_LATTICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/work_limits.h"
#include "num/ball.h"

/* What two products and a sum, or three, of positive terms round by. */
#define UP (1 + 0x1p-50)
#define DOWN (1 - 0x1p-50)

/* Smaller deltas are not told apart: below them doubles lose digits. */
#define TINY 1e-280

/* Pairs that are compared at once; values beyond the last point, for them. */
#define BLOCK 32
#define SPARE (BLOCK + 4)

/* One end of the enclosure, for a range of m steps exactly. */
typedef struct range_side {
    double step;
    double *left, *right; /* weights of the ends of a chord, a steps above
                             its left end, a = 0..m */
    double *drop, *factor; /* 1 - e^-x and e^-x, x = i steps, i = 0..m */
    double *value;         /* delta at i steps, i >= -m */
    double *next;          /* with one run more */
} range_side;

/* All zeros: none. */
typedef struct range_lattice {
    ptrdiff_t m;
    ptrdiff_t start; /* the first point from 0 on where delta is not nearly 1 */
    ptrdiff_t top;   /* the last point */
    double rest;   /* from above: all beyond it */
    range_side upper, lower;
    double bend[3]; /* weights of the points i - 1, i, i + 1, from above */
    double *storage;
    int *before; /* of chord b and the next: up to where b is above it */
    int *after;  /* and from where on it is below */
    ptrdiff_t room; /* points up to which there is memory */
    double log_tail; /* it goes on to about e^-log_tail */
    bool is_finest; /* the limits allow no more cells */
} range_lattice;

/*
 * k runs of range e, known to about e^-log_tail, on a lattice of so many cells
 * a range, or of as many as the limits and some tenths of a second allow.
 *
 * requires  0 < e, k a whole number, 2 <= k
 * owns      what *out holds, until range_lattice_clear; nothing after a failure
 * fails     DOSI_EUNABLE where it was stopped, the memory is too little or e
 *           too great or too small; DOSI_ENOMEM
 */
DOSI_CHECK dosi_status range_lattice_make(range_lattice *out, ball e, double k,
    double log_tail, double cells, work_limits *limits, dosi_error *err);
void range_lattice_clear(range_lattice *r);

/* H(X) = 1 - X + X H(1/X): the values left of 0. */
void range_side_reflect(range_side *s, ptrdiff_t m, double rounding);

/* One run more, with values up to the point most. */
void range_lattice_add(range_lattice *r, ptrdiff_t most);

/* log delta at any real epsilon; [-inf, -inf] where delta is 0. */
dosi_interval range_lattice_log_delta(const range_lattice *r, ball eps);

/* Smallest eps >= 0 with delta(eps) <= exp(log_delta). */
dosi_interval range_lattice_epsilon(const range_lattice *r, ball log_delta);

/* The i-th of the points from 0 on, up to the top. */
double range_lattice_point(const range_lattice *r, size_t i);

#endif
