/*
 * Inside of range_runs.h: values of delta on a lattice of e/m, from above and
 * from below, and the run that is added to them.
 */
#ifndef DOSI_REPR_RANGE_TABLE_H
#define DOSI_REPR_RANGE_TABLE_H

#include "range_runs.h"

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

struct range_runs {
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
};

/* H(X) = 1 - X + X H(1/X): the values left of 0. */
void range_side_reflect(range_side *s, ptrdiff_t m, double rounding);

/* One run more, with values up to the point most. */
void range_runs_add(range_runs *r, ptrdiff_t most);

#endif
