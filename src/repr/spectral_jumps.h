/*
 * Contours for heavy tails: few runs of Poisson-sampled Gaussian noise, or a
 * small rate, mixture against base, where one rare jump of the loss decides
 * and no tilt fits all jumps. The noise is cut smoothly into classes by how
 * far out it lies. Runs whose farthest jump is in one class have a light tail
 * and a contour of their own; jumps beyond the last cut exceed epsilon
 * whatever else happens, and are counted in closed form. Gaussian noise that
 * is not sampled may be beside it. Derivation: docs/theory/spectral.md,
 * section 9.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_H
#define DOSI_REPR_SPECTRAL_JUMPS_H

#include "base/work_limits.h"
#include "spectral_part.h"
#include "spectral_steer.h"

typedef struct spectral_jumps spectral_jumps;

/* Whether every part is such noise, and some part is sampled. */
bool spectral_can_jump(const spectral_parts *parts);

/* The same, and jumps so rare that it is best to begin with them. */
bool spectral_jumps_are_rare(const spectral_parts *parts);

/* Roughly log delta if one jump decides, or delta is not tiny; and in any
 * case, which takes longer. */
double spectral_jumps_log_delta(const spectral_parts *parts, double epsilon);
double spectral_jumps_estimate(const spectral_parts *parts, double epsilon);

/* The first, and how fast it falls in log eps. */
double spectral_jumps_fall(
    double *fall, const spectral_parts *parts, double epsilon);

/* Roughly epsilon at this delta, or some small number where it is 0. */
double spectral_jumps_guess(const spectral_parts *parts, double log_delta);

/*
 * For epsilons near this one, where delta is about e^log_delta, of at most
 * max_cost pairs of nodes. width is that of epsilon at this delta, relatively,
 * which is enough, or 0. *out is NULL when none was found, or it was stopped.
 *
 * owns   *out, freed with spectral_jumps_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status spectral_jumps_new(spectral_jumps **out,
    const spectral_parts *parts, double epsilon, double log_delta,
    double width, double max_cost, work_limits *limits, dosi_error *err);
void spectral_jumps_free(spectral_jumps *j); /* accepts NULL */

/* Roughly the slope of -log delta. */
double spectral_jumps_slope(const spectral_jumps *j);

/* log delta. */
dosi_interval spectral_jumps_read(const spectral_jumps *j, double epsilon);

#endif
