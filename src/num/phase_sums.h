/*
 * The inner pass of a characteristic function, in doubles: for weights g_i
 * that sum to 1 and points c_i with mean 0,
 *
 *     chi(u) = sum g_i e^{i u c_i} = 1 - X + i Y,
 *     X = sum g_i (1 - cos u c_i),    Y = sum g_i (sin u c_i - u c_i).
 *
 * Every term is formed to relative accuracy in u c_i, so that chi^k keeps its
 * digits for k in the billions. Error bound: docs/theory/spectral.md.
 */
#ifndef DOSI_NUM_PHASE_SUMS_H
#define DOSI_NUM_PHASE_SUMS_H

#include <stddef.h>

/* Arrays are padded with weight 0 to whole groups of this many. */
#define PHASE_LANES 8

/* The same operations in the same order, in wider registers where the machine
 * has them. Resolvers of such functions run before a sanitizer's. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define PHASE_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PHASE_WIDE
#endif

typedef struct phase_set {
    size_t n; /* a multiple of PHASE_LANES */
    const double *weight;
    const double *point;

    /* Bounds from above, filled by phase_prepare: moments of the points up
     * to the cut, mass and first moment of those beyond. */
    double near2, near3, far0, far1;
    double largest; /* |point| */
} phase_set;

/* Fills in the bounds, splitting at |point| = cut > 0. */
void phase_prepare(phase_set *s, double cut);

/* The largest u for which phase_sums is proven. */
double phase_reach(const phase_set *s);

/*
 * X and Y at u. *error bounds |X^ - X| + |Y^ - Y| where weights and points
 * are the given doubles with a relative error of at most 2^-52 each.
 *
 * requires  0 <= u <= phase_reach(s)
 * cost      some 5 ns a point
 */
void phase_sums(
    double *x, double *y, double *error, const phase_set *s, double u);

#endif
