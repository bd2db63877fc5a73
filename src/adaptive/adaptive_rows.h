/*
 * Chords of one Poisson-sampled run of bounded range as rows of weights on a
 * lattice. Internal to adaptive_grid.h; derivation: docs/theory/adaptive.md.
 */
#ifndef DOSI_ADAPTIVE_ADAPTIVE_ROWS_H
#define DOSI_ADAPTIVE_ADAPTIVE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "num/ball.h"

/*
 * A chord at any point i of the lattice, from n + phi/h steps left of it to m +
 * r/h steps right of it: weights of the values at i - n, i - n - 1, i + m and i
 * + m + 1. The chord of (1 - X)_+ exceeds (1 - X)_+ by at most p2 (e^r
 * e^((i+m)h) - 1) for -m <= i <= 0 and p1 (1 - e^-phi e^-((n-i)h)) for 0 <= i
 * <= n.
 */
typedef struct adaptive_row {
    int n, m;
    double weight[4];
    double p1, fall, keep; /* p1 (fall + keep (1 - e^-((n-i)h))) */
    double p2, rise, grow; /* p2 (rise + grow (e^((i+m)h) - 1)) */
    /* between the rows before and after it, as a function of its choice a + b s
     * + c/s */
    bool is_mid;
} adaptive_row;

/*
 * The rows of all choices at which an end of the chord is a lattice point, in
 * their order. Upper bounds have one more row between each two, and for each
 * group of choices, first and end included, a row that bounds all of them and
 * those between. Lower bounds have chords that end at points.
 */
#define CHOICES_PER_GROUP 16

typedef struct adaptive_rows {
    size_t n;
    adaptive_row *items; /* upper: 2 n - 1 rows, choice i at 2 i */
    size_t n_groups;
    adaptive_row *bounds; /* upper bounds only */
} adaptive_rows;

typedef struct adaptive_row_params {
    ball e;
    double rate;
    double h; /* step of the lattice */
} adaptive_row_params;

/*
 * Rows for the upper, or for the lower envelope.
 *
 * owns      out->items and out->bounds
 * fails     DOSI_ENOMEM; DOSI_EUNABLE if a weight is not a finite number
 */
DOSI_CHECK dosi_status adaptive_rows_above(
    adaptive_rows *out, const adaptive_row_params *c, dosi_error *err);
DOSI_CHECK dosi_status adaptive_rows_below(
    adaptive_rows *out, const adaptive_row_params *c, dosi_error *err);

/* Upper bound of the steps that chords reach to the left, or to the right. */
double adaptive_chord_steps(const adaptive_row_params *c, bool back);

#endif
