/*
 * Choices of one run of a Poisson sample of bounded range as rows of weights
 * on a lattice. Internal to range_lattice.h.
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
typedef struct range_row {
    int n, m;
    double weight[4];
    double p1, fall, keep; /* p1 (fall + keep (1 - e^-((n-i)h))) */
    double p2, rise, grow; /* p2 (rise + grow (e^((i+m)h) - 1)) */
    bool is_mid; /* between the rows before and behind it, as a function of
                    its choice a + b s + c/s */
} range_row;

/*
 * At all choices where an end is a point, in their order. From above one more
 * is between each two, and for each group of choices from first to end, both of
 * them included, one that is no less than any of theirs, nor than those
 * between. From below chords end at points.
 */
#define RANGE_GROUP 16

typedef struct range_rows {
    size_t n;
    range_row *items; /* from above 2 n - 1: of choice i the one at 2 i */
    size_t n_groups;
    range_row *bounds; /* from above */
} range_rows;

typedef struct range_choice {
    ball e;
    double rate;
    double h; /* the lattice's step */
} range_choice;

/* owns  out->items and out->bounds; fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status range_rows_above(
    range_rows *out, const range_choice *c, dosi_error *err);
DOSI_CHECK dosi_status range_rows_below(
    range_rows *out, const range_choice *c, dosi_error *err);

/* Steps that a chord goes back, and on, at most. */
double range_reach(const range_choice *c, bool back);

#endif
