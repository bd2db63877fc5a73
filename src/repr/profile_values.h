/*
 * Values of the profile of Gaussian and Poisson-sampled Gaussian parts,
 * composed, in both directions, by contours that are kept for what is asked
 * near them. Internal to profile_table.c.
 */
#ifndef DOSI_REPR_PROFILE_VALUES_H
#define DOSI_REPR_PROFILE_VALUES_H

#include "base/work_limits.h"
#include "loss.h"

/* No value is asked for that is farther out. */
#define PROFILE_FARTHEST 300.0

typedef struct profile_values profile_values;

/*
 * owns   *out, freed with profile_values_free; limits must live as long
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status profile_values_new(profile_values **out,
    const loss *laws, size_t n, work_limits *limits, dosi_error *err);
void profile_values_free(profile_values *t); /* accepts NULL */

/* Encloses delta at x != 0, where it is known to be in an interval.
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status profile_values_at(dosi_interval *out,
    profile_values *t, double x, dosi_interval known, dosi_error *err);

/* delta(x) = 1 - e^x + e^x delta_(Q,P)(-x) from the log of the latter. */
dosi_interval profile_mirrored(double x, dosi_interval log_delta);

/* Roughly the standard deviation of the loss, or NaN. fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status profile_values_deviation(
    double *out, profile_values *t, dosi_error *err);

/* An x, from one on, where delta of (P, Q) is certainly at most e^log_least, or
 * delta of (Q, P) that times 1 - e^-x; 0 where none is found.
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status profile_values_reach(double *out, profile_values *t,
    bool reversed, double from, double log_least, dosi_error *err);

#endif
