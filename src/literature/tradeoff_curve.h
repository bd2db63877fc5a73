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
    VERDICT_OPEN /* too close to be told */
} verdict;

/* Certainly a <= b, certainly not, or open. */
verdict verdict_at_most(ball a, ball b);

/* No if one is no, yes if both are yes. */
verdict verdict_both(verdict a, verdict b);

/*
 * Whether the curve through the vertices is a trade-off function: convex,
 * falling, 0 <= f <= 1 - alpha.
 *
 * requires  alphas increasing from 0 to 1
 * source    T001-P1
 */
verdict curve_is_tradeoff(const curve_vertex *v, size_t n);

/* Whether f is its own inverse: every mirrored vertex lies on the curve. A
 * vertex nearer to it than can be told counts. */
bool curve_is_symmetric(const curve_vertex *v, size_t n);

/* max over alpha of 1 - e^eps alpha - f(alpha): the profile of a symmetric
 * trade-off function at eps >= 0 (T001-P6); attained at a vertex. */
ball curve_delta(const curve_vertex *v, size_t n, ball eps);

/*
 * The least curve with delta(eps) = 1 + g*(-e^eps) for every eps >= 0: the
 * supremum of the lines that support g with slope <= -1, of their mirror
 * images, and of 0. It is min{g, g^-1}** where T001-P8 gives that.
 *
 * requires  curve_is_tradeoff
 */
ball curve_envelope(const curve_vertex *v, size_t n, double alpha);

#endif
