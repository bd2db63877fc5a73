/*
 * Choices of one run of a Poisson sample of bounded range as rows of weights
 * on a lattice. Internal to adaptive_grid.h.
 */
#ifndef DOSI_ADAPTIVE_ADAPTIVE_ROWS_H
#define DOSI_ADAPTIVE_ADAPTIVE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "num/ball.h"

/*
 * A chord at any point i of the lattice, from n + phi/h steps before it to m +
 * r/h steps behind it: weights of the values at i - n, i - n - 1, i + m and i +
 * m + 1. That of (1 - X)_+ exceeds it by up to p2 (e^r e^((i+m)h) - 1) for
 * -m <= i <= 0 and p1 (1 - e^-phi e^-((n-i)h)) for 0 <= i <= n.
 */
typedef struct adaptive_row {
    int n, m;
    double weight[4];
    double p1, fall, keep; /* p1 (fall + keep (1 - e^-((n-i)h))) */
    double p2, rise, grow; /* p2 (rise + grow (e^((i+m)h) - 1)) */
    bool is_mid; /* between the rows before and behind it, as a function of
                    its choice a + b s + c/s */
} adaptive_row;

/*
 * At all choices where an end is a point, in their order. From above one more
 * is between each two, and for each group of choices from first to end, both of
 * them included, one that is no less than any of theirs, nor than those
 * between. From below chords end at points.
 */
#define RANGE_GROUP 16

typedef struct adaptive_rows {
    size_t n;
    adaptive_row *items; /* from above 2 n - 1: of choice i the one at 2 i */
    size_t n_groups;
    adaptive_row *bounds; /* from above */
} adaptive_rows;

typedef struct adaptive_choice {
    ball e;
    double rate;
    double h; /* the lattice's step */
} adaptive_choice;

/* owns  out->items and out->bounds; fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status adaptive_rows_above(
    adaptive_rows *out, const adaptive_choice *c, dosi_error *err);
DOSI_CHECK dosi_status adaptive_rows_below(
    adaptive_rows *out, const adaptive_choice *c, dosi_error *err);

/* Steps that a chord goes back, and on, at most. */
double adaptive_reach(const adaptive_choice *c, bool back);

#endif
