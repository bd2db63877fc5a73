/*
 * A loss law by points from values of delta: one that dominates every pair
 * with these values or less, and one that every pair with these values or
 * more dominates. Only that delta is convex in e^epsilon is used, so the
 * values may come from anywhere. Derivation: docs/theory/loss.md, section
 * 2.
 */
#ifndef DOSI_LOSS_LOSS_FROM_PROFILE_H
#define DOSI_LOSS_LOSS_FROM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "dosimeter.h"

/* log delta enclosed at rising epsilons, the first of them 0. */
typedef struct loss_values {
    size_t n; /* >= 1 */
    const double *at;
    const dosi_interval *log_delta;
} loss_values;

/* Of an ordered pair, and of it with its parts exchanged. */
typedef struct loss_curve {
    loss_values own, back;
} loss_curve;

typedef struct loss_from_profile {
    size_t n;
    double *at;   /* rising; two may be equal. +inf at the end, or not */
    double *mass; /* as dosi_plan_loss takes them */
} loss_from_profile;

/*
 * The law above, or below.
 *
 * owns   *out, freed with loss_from_profile_free in any case
 * fails  DOSI_EUNABLE when the values are too rough for a law that is
 *        certainly on its side, DOSI_ENOMEM
 */
DOSI_CHECK dosi_status loss_from_profile_make(loss_from_profile *out,
    const loss_curve *curve, dosi_side side, dosi_error *err);
void loss_from_profile_free(loss_from_profile *x);

#endif
