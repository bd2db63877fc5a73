/*
 * Loss laws of adaptively chosen runs of bounded range: the profile of all
 * runs, finite laws that dominate them or are dominated by one of them and
 * compose with other laws, and one member of the class. Derivation:
 * docs/theory/adaptive.md.
 */
#ifndef DOSI_ADAPTIVE_ADAPTIVE_LAW_H
#define DOSI_ADAPTIVE_ADAPTIVE_LAW_H

#include "profile/profile.h"
#include "adaptive_runs.h"

/*
 * The privacy profile of all runs, with a record removed or added. Some member
 * of the class attains it at every epsilon.
 *
 * owns      r is borrowed and must outlive the profile
 */
privacy_profile profile_adaptive_runs(const adaptive_runs *r, bool add);

/*
 * A finite law that dominates the class of these runs (upper side), or one that
 * some member dominates at each epsilon, composed with anything that runs
 * before it (lower side).
 *
 * requires  runs without sampling
 * owns      *out, freed with finite_free; NULL after a failure
 * fails     DOSI_EUNABLE as adaptive_runs_lattice and loss_from_profile_make,
 *           DOSI_ENOMEM
 */
DOSI_CHECK dosi_status adaptive_runs_atoms(
    finite_law **out, const adaptive_runs *r, dosi_side side, dosi_error *err);

/*
 * A mechanism of range e with two losses; k runs of it have nearly the delta of
 * the class at deltas of about 1e-6.
 *
 * owns      *out, freed with finite_free; NULL after a failure
 * fails     DOSI_ENOMEM, DOSI_EINVAL
 */
DOSI_CHECK dosi_status adaptive_member(
    finite_law **out, ball e, double k, dosi_error *err);

#endif
