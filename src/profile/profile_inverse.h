/*
 * The inverse of a privacy profile that is known by enclosures: one certified
 * search for all laws that have no closed inverse.
 */
#ifndef DOSI_PROFILE_PROFILE_INVERSE_H
#define DOSI_PROFILE_PROFILE_INVERSE_H

#include "num/ball.h"

/* Encloses log delta at one epsilon; [-inf, 0] is the trivial enclosure. */
typedef dosi_interval (*profile_enclosure)(double eps, const void *context);

/*
 * Encloses the smallest eps >= 0 with log delta(eps) <= log_delta.
 *
 * Each end of the result is an end of `within`, or an epsilon at which the
 * enclosure of delta is certainly above the target (lower end), or certainly
 * not above it (upper end).
 *
 * requires  0 <= within.lo <= within.hi; the root lies in `within`, which is
 *           [0, inf] if no better bracket is known. delta falls; its enclosures
 *           may be of any width, and need not be monotone.
 * width     each end adds at most 1/128 of the width that the enclosures leave
 *           open, or a unit in the last place
 * cost      some 20 evaluations; less if `within` is narrow
 */
dosi_interval profile_inverse(profile_enclosure enclosure,
    const void *context, ball log_delta, dosi_interval within);

#endif
