/*
 * A loss law by points from values of a privacy profile: one that dominates
 * every pair with at most these values, or one that every pair with at least
 * these values dominates. The proof uses only that delta is convex in
 * e^epsilon, so the values may come from any method. Derivation:
 * docs/theory/loss.md, section 2.
 */
#ifndef DOSI_LOSS_LOSS_FROM_PROFILE_H
#define DOSI_LOSS_LOSS_FROM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "dosimeter.h"

/* Enclosures of log delta at rising epsilons, the first of them 0. */
typedef struct loss_values {
    size_t n; /* >= 1 */
    const double *at;
    const dosi_interval *log_delta;
} loss_values;

/* Values of an ordered pair, and of the reversed pair. */
typedef struct loss_curve {
    loss_values own, back;
} loss_curve;

typedef struct loss_from_profile {
    size_t n;
    double *at;   /* rising; two may be equal, and the last may be +inf */
    double *mass; /* as dosi_plan_loss takes them */
} loss_from_profile;

/*
 * Makes the law that dominates (upper side), or that is dominated (lower side).
 *
 * owns      *out, freed with loss_from_profile_free in any case
 * fails     DOSI_EUNABLE if the values are too wide for a law that is certainly
 *           on its side, DOSI_ENOMEM
 */
DOSI_CHECK dosi_status loss_from_profile_make(loss_from_profile *out,
    const loss_curve *curve, dosi_side side, dosi_error *err);
void loss_from_profile_free(loss_from_profile *x);

#endif
