/*
 * Sums over the points of a total from one of them on, with their errors:
 * what questions are answered with. Derivation: docs/theory/grid.md, section
 * 6. Internal to the grid.
 */
#ifndef DOSI_REPR_GRID_SUMS_H
#define DOSI_REPR_GRID_SUMS_H

#include "grid_total.h"

/*
 * Sums over the points of index at and more:
 *
 *     p = sum y e1,   q = sum z e1 e2,   e1 = e^(-tilt n), e2 = e^(-gap-n h)
 *
 * n counting from at, gap the distance of that point to a threshold; z is y,
 * or Q's masses from below. In units of exp(log_scale - tilt at) they are the
 * P-mass there, and e^threshold times the Q-mass.
 */
typedef struct grid_sums {
    double p, q, gain; /* gain = sum y e1 (1 - e2) */
    double p_rest, q_rest, gain_rest; /* of their summation */
    double size, q_size;     /* >= sums of |y| e1 and |z| e1 e2 */
    double p2, q2, gain2;    /* >= sums of e1^2, (e1 e2)^2 and
                                (e1 (1 - e2))^2 */
    ball log_unit;
    bool is_cut; /* points below the window would count as well */
} grid_sums;

/* A threshold, moved by as much as losses may be off: as if all of them were
 * at their points and had moved toward the bad side. */
ball grid_moved_threshold(const grid_total *t, double threshold, bool up);

/* The first index certainly above the threshold, up to what rounds away. */
double grid_index_above(const grid_total *t, ball threshold);

/* Over the points above a threshold, moved; z is y. */
grid_sums grid_sums_above(
    const grid_total *t, const grid_side *side, double threshold, bool up);

/* A sum with its errors, from above or from below. */
double grid_sum_end(const grid_sums *s, const grid_side *side, double value,
    double square, bool up);

/* log of mass at +inf plus unit times sum. */
ball grid_log_with_inf(double inf, ball log_unit, double sum);

/* The test that rejects from an index on, within the window: P's mass there
 * at least, e^threshold times Q's at most, which what is wrapped in only
 * adds to; both in the unit of s, but for a factor ratio of Q's. */
typedef struct grid_tested {
    grid_sums s;
    double p, q;
    ball ratio;
} grid_tested;

/* requires  lo_q */
grid_tested grid_test_from(const grid_total *t, double at, ball threshold);

/* Where P's mass less e^threshold times Q's is greatest, nearly. */
double grid_test_start(const grid_total *t, ball threshold);

#endif
