/*
 * Piecewise linear trade-off functions, given by their vertices. Derivation:
 * docs/theory/tradeoff.md, section 2.
 */
#ifndef DOSI_LITERATURE_TRADEOFF_CURVE_H
#define DOSI_LITERATURE_TRADEOFF_CURVE_H

#include <stddef.h>

#include "num/ball.h"

typedef struct curve_vertex {
    double alpha;
    double beta;
} curve_vertex;

/* An answer that may stay open. */
typedef enum verdict {
    VERDICT_NO,
    VERDICT_YES,
    VERDICT_OPEN /* undecided: equal within the accuracy */
} verdict;

/* Whether a <= b: certainly, certainly not, or open. */
verdict verdict_at_most(ball a, ball b);

/* The conjunction: no if one is no, yes if both are yes. */
verdict verdict_both(verdict a, verdict b);

/*
 * Whether the curve through the vertices is a trade-off function: convex,
 * falling, 0 <= f <= 1 - alpha.
 *
 * requires  alphas increasing from 0 to 1
 * source    T001-P1
 */
verdict curve_is_tradeoff(const curve_vertex *v, size_t n);

/* Whether f is its own inverse: no mirrored vertex lies certainly off the
 * curve. */
bool curve_is_symmetric(const curve_vertex *v, size_t n);

/*
 * The profile of a symmetric trade-off function,
 * max over alpha of 1 - e^eps alpha - f(alpha), attained at a vertex.
 *
 * requires  eps >= 0
 * source    T001-P6
 */
ball curve_delta(const curve_vertex *v, size_t n, ball eps);

/*
 * The smallest curve with delta(eps) = 1 + g*(-e^eps) for every eps >= 0: the
 * supremum of the lines that support g with slope <= -1, of their mirror
 * images, and of 0. It is min{g, g^-1}** if T001-P8 applies.
 *
 * requires  curve_is_tradeoff
 */
ball curve_envelope(const curve_vertex *v, size_t n, double alpha);

#endif
