/*
 * Reader of the parameter "mech" of rows about privacy profiles: laplace or
 * gauss with theta, the distance in units of the noise; rr with p, the
 * probability of a true answer; dp with eps0 and delta0, the class of all such
 * mechanisms.
 */
#ifndef DOSI_FORMULARY_PROFILE_ARGS_H
#define DOSI_FORMULARY_PROFILE_ARGS_H

#include "formula.h"
#include "sampling/amplify_profile.h"
#include "renyi/chi_divergence.h"

/* Parts of the declaration and the validity of a row. */
#define PROFILE "mech{};theta?;p?;eps0?;delta0?"
#define VALID_PROFILE "theta > 0, 0.5 <= p <= 1, eps0 >= 0, 0 <= delta0 <= 1"

/* Parts for mechanisms with a law, that is, not dp. */
#define PROFILE_LAW "mech{};theta?;p?"
#define VALID_PROFILE_LAW "theta > 0, 0 < p < 1"

/*
 * Read the profile, or the law; fail for an unknown mechanism, and for
 * parameters that do not belong to it.
 *
 * fails  DOSI_EINVAL
 */
dosi_status profile_read(
    base_profile *out, const formula_args *args, dosi_error *err);
dosi_status profile_read_law(
    chi_law *out, const formula_args *args, dosi_error *err);

/*
 * Reads the parameter "group", white or black.
 *
 * fails  DOSI_EINVAL
 */
dosi_status group_read(
    base_profile_group *out, const formula_args *args, dosi_error *err);

/* Whether the text parameter is the word. */
bool formula_text_is(
    const formula_args *args, const char *name, const char *word);

/* Store a value of [0, 1], or its logarithm. */
dosi_status give_probability(dosi_interval *out, scaled value, dosi_error *err);
dosi_status give_log_probability(
    dosi_interval *out, scaled value, dosi_error *err);

/* Sums below this logarithm underflow. */
#define LOG_LEAST (-760.0)

/* Defines a row of one expression in base, the profile. */
#define PROFILE_ROW(function, give, expression)                                \
    FORMULA(function)                                                          \
    {                                                                          \
        base_profile base;                                                     \
        dosi_status status = profile_read(&base, args, err);                   \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        return give(out, (expression), err);                                   \
    }

#endif
