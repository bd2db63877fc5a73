/*
 * The parameter "mech" of rows about privacy profiles: laplace or gauss with
 * theta, the distance in units of the noise; rr with p, the probability of a
 * true answer; dp with eps0 and delta0, any mechanism that is so private.
 */
#ifndef DOSI_FORMULARY_PROFILE_ARGS_H
#define DOSI_FORMULARY_PROFILE_ARGS_H

#include "formula.h"
#include "sampling/amplify_profile.h"
#include "renyi/chi_divergence.h"

/* Of a row's declaration and validity. */
#define PROFILE "mech{};theta?;p?;eps0?;delta0?"
#define VALID_PROFILE "theta > 0, 0.5 <= p <= 1, eps0 >= 0, 0 <= delta0 <= 1"

/* Of the mechanisms with a law: not dp. */
#define PROFILE_LAW "mech{};theta?;p?"
#define VALID_PROFILE_LAW "theta > 0, 0 < p < 1"

/* Refuses an unknown mechanism, and parameters that are not its own. */
dosi_status profile_read(
    base_profile *out, const formula_args *args, dosi_error *err);
dosi_status profile_read_law(
    chi_law *out, const formula_args *args, dosi_error *err);

/* The parameter "group", white or black. */
dosi_status group_read(
    base_profile_group *out, const formula_args *args, dosi_error *err);

/* Whether the text parameter is the word. */
bool formula_text_is(
    const formula_args *args, const char *name, const char *word);

/* A value of [0, 1], and its logarithm. */
dosi_status give_probability(dosi_interval *out, scaled value, dosi_error *err);
dosi_status give_log_probability(
    dosi_interval *out, scaled value, dosi_error *err);

/* Parts below this logarithm are out of the range of doubles. */
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
