/*
 * Readers of the parameters that rows about integer noise share: the law by its
 * short name, and exact ratios.
 */
#ifndef DOSI_FORMULARY_NOISE_ARGS_H
#define DOSI_FORMULARY_NOISE_ARGS_H

#include "formula.h"
#include "release_laws/envelope.h"

/*
 * The parameter "law": rgauss, rlaplace, dgauss or dlaplace.
 *
 * fails  DOSI_EINVAL
 */
dosi_status noise_law_read(
    dosi_noise_law *out, const formula_args *args, dosi_error *err);

/*
 * Reads "A/B" of whole numbers, or a decimal, exactly; fails if it is not
 * positive, or has more than 18 digits.
 *
 * fails  DOSI_EINVAL
 */
dosi_status noise_ratio_read(envelope_ratio *out, const formula_args *args,
    const char *name, dosi_error *err);

/*
 * Reads the double nearest to such a ratio, or to a decimal >= 0 of any
 * length.
 *
 * fails  DOSI_EINVAL
 */
dosi_status noise_rate_read(
    double *out, const formula_args *args, const char *name, dosi_error *err);

#endif
