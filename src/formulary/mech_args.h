/*
 * Reader of the parameter "mech", one of gauss, laplace and rr, with the
 * parameter of that mechanism: sigma or b, in units of the sensitivity, or the
 * probability p of a true answer.
 */
#ifndef DOSI_FORMULARY_MECH_ARGS_H
#define DOSI_FORMULARY_MECH_ARGS_H

#include "formula.h"
#include "renyi/chi_divergence.h"
#include "renyi/without_replacement_renyi.h"

/* Parts of the declaration and the validity of a row. */
#define MECH "mech{};sigma?;b?;p?"
#define VALID_MECH "sigma > 0, b > 0, 0 < p < 1"

/*
 * Reads the law; fails for an unknown mechanism, and for parameters that do
 * not belong to it.
 *
 * fails  DOSI_EINVAL, DOSI_EDOMAIN
 */
dosi_status mech_read(chi_law *law, const formula_args *args, dosi_error *err);

/*
 * One mechanism with its parameter, by name and value.
 *
 * fails  DOSI_EINVAL, DOSI_EDOMAIN
 */
dosi_status mech_named(chi_law *law, const char *name, size_t name_bytes,
    double parameter, dosi_error *err);

/*
 * mech_read that also fails for mechanisms without a pure level.
 *
 * fails  DOSI_EINVAL, DOSI_EDOMAIN
 */
dosi_status mech_read_pure(
    chi_law *law, const formula_args *args, dosi_error *err);

/*
 * K' of samples of a mechanism at every whole order 2 .. last, by a rule;
 * exponents are those of WR_HOELDER.
 *
 * owns   *out, released with free; (*out)[i] belongs to the order i + 2
 */
dosi_status mech_sampled(ball **out, const chi_law *law, ball rate,
    wr_rule rule, const double *exponents, size_t n_exponents, double last,
    dosi_error *err);

/* log P[Z = pure]; -inf for the Gaussian. */
ball mech_log_atom(const chi_law *law);

/* K(lambda) of a law, for the moments accountant; context is the law. */
ball mech_cumulant(ball lambda, const void *law);

/* Defines a row of one expression in law. */
#define MECH_ROW(function, reader, give, expression)                           \
    FORMULA(function)                                                          \
    {                                                                          \
        chi_law law;                                                           \
        dosi_status status = reader(&law, args, err);                          \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        return give(out, (expression), err);                                   \
    }
#define MECH_BALL(function, expression)                                        \
    MECH_ROW(function, mech_read, formula_give, expression)
#define MECH_PURE_BALL(function, expression)                                   \
    MECH_ROW(function, mech_read_pure, formula_give, expression)

#endif
