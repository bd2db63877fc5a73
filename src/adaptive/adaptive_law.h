/*
 * Laws of runs of bounded range: of all runs by themselves, from above and
 * from below as finite laws that compose, and of one member of the class.
 * Derivation: docs/theory/adaptive.md.
 */
#ifndef DOSI_ADAPTIVE_ADAPTIVE_LAW_H
#define DOSI_ADAPTIVE_ADAPTIVE_LAW_H

#include "profile/profile.h"
#include "adaptive_runs.h"

/* Attained by some member at every epsilon, a record being removed or added;
 * r is borrowed. */
privacy_profile profile_adaptive_runs(const adaptive_runs *r, bool add);

/*
 * A finite law that dominates the class of these runs; or one that some
 * member dominates at each epsilon, composed with anything that is run
 * before it.
 *
 * requires  runs that are not sampled
 * owns      *out, freed with finite_free
 * fails    DOSI_EUNABLE as loss_from_profile_make, DOSI_ENOMEM
 */
DOSI_CHECK dosi_status adaptive_runs_atoms(
    finite_law **out, const adaptive_runs *r, dosi_side side, dosi_error *err);

/*
 * A mechanism of range e with two losses, such that k runs of it have nearly
 * the delta of the class where that is about 1e-6.
 */
DOSI_CHECK dosi_status adaptive_member(
    finite_law **out, ball e, double k, dosi_error *err);

#endif
