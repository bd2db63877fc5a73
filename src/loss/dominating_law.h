/*
 * From upper bounds of a privacy profile at points to a dominating pair:
 * "connect the dots" [DGKKM22]. Derivation: docs/theory/sampling.md, section 8.
 */
#ifndef DOSI_LOSS_DOMINATING_LAW_H
#define DOSI_LOSS_DOMINATING_LAW_H

#include "finite/finite_law.h"

/* An upper bound of delta at some eps. */
typedef struct profile_point {
    double eps;   /* exact */
    double delta; /* at least the profile at eps */
} profile_point;

/*
 * Makes the law of the lower convex hull of the points in x = e^eps, continued
 * by symmetry below eps = 0, with delta of the last point at +inf. It dominates
 * every symmetric pair (delta(-eps) = 1 - e^-eps (1 - delta(eps))) whose
 * profile is at most that of the points.
 *
 * requires  n >= 2 points, rising strictly from eps = 0 to at most 700; 0 <=
 *           delta <= 1
 * width     points next to underflow give a law that is valid, but not tight
 * owns      *out, freed with finite_free; points is overwritten
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status dominating_law_make(
    finite_law **out, profile_point *points, size_t n, dosi_error *err);

#endif
