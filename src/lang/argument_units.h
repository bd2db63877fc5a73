/*
 * Arguments in other units than the parameter they give:
 *
 *     gaussian(std=S, sensitivity=D)    sigma = S / D
 *     laplace(scale=B, sensitivity=D)   scale = B / D
 *     laplace(epsilon=E)                scale = 1 / E, also discrete_laplace
 *
 * Where the quotient is no double, the parameter is the next one below it:
 * less noise, so that no answer is too small.
 */
#ifndef DOSI_LANG_ARGUMENT_UNITS_H
#define DOSI_LANG_ARGUMENT_UNITS_H

#include "plan/kinds.h"

/* What was written of them. */
typedef struct units {
    bool given[UNIT_COUNT];
    double value[UNIT_COUNT];
    size_t offset[UNIT_COUNT];
} units;

/* The unit that the kind takes under this name, or UNIT_COUNT. */
unit dosi_unit_find(dosi_kind kind, const char *name, size_t n);

/*
 * The kind's first parameter from its units, and from itself if it was given.
 * Nothing changes where no unit was given.
 *
 * fails  DOSI_EINVAL with the offset of the culprit, or DOSI_NO_OFFSET where
 *        something is missing
 */
DOSI_CHECK dosi_status dosi_units_apply(double *parameter, bool *given,
    const units *u, dosi_kind kind, bool is_hole, dosi_error *err);

#endif
