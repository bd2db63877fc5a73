/*
 * The parameter "f", one of gauss, pure, laplace, Cpure and Cgauss (or CG),
 * with the parameters of that curve: mu of gauss, laplace and Cgauss, eps of
 * pure and Cpure, the sampling rate p of those with C. The parameter "ledger"
 * is a list of such curves with counts; the sampling rate is p or m/n.
 */
#ifndef DOSI_FORMULARY_FAMILY_ARGS_H
#define DOSI_FORMULARY_FAMILY_ARGS_H

#include "formula.h"
#include "tradeoff/berry_esseen.h"

/* Parts of the declaration and the validity of a row. */
#define FAMILY "f{};eps?;mu?;p?"
#define VALID_FAMILY "eps >= 0, mu >= 0, 0 <= p <= 1"

/*
 * Reads the moments of the curve; fails for an unknown curve, and for
 * parameters that do not belong to it.
 *
 * fails  DOSI_EINVAL
 */
dosi_status family_read(
    loss_moments *out, const formula_args *args, dosi_error *err);

/*
 * The band of n such curves, or of a ledger of different steps,
 *
 *     50*gauss:0.1|200*pure:0.05|30*laplace:0.1|1000*Cgauss:0.01:1
 *
 * with curves as curve_parse reads them. Fails if the variance of the loss is
 * 0, and for steps with a delta.
 */
#define STEP_LIST "f{}?;eps?;mu?;p?;n?;ledger{}?"
#define VALID_STEP_LIST VALID_FAMILY ", n >= 1, n whole"
#define STEP_LIST_FORMS                                                        \
    "f and n, or ledger=50*gauss:MU|9*pure:EPS|laplace:MU|Cpure:P:EPS|"        \
    "Cgauss:P:MU"
dosi_status family_read_band(
    clt_band *out, const formula_args *args, dosi_error *err);

/* The sampling rate, p or m/n. */
#define RATE "m?;n?;p?"
#define VALID_RATE "m > 0, n > 0, 0 < p <= 1"

/*
 * Fails if neither or both are given, and for m > n.
 *
 * fails  DOSI_EDOMAIN
 */
dosi_status rate_read(ball *out, const formula_args *args, dosi_error *err);

/*
 * Fails for gamma >= limit, where the band is trivial.
 *
 * fails  DOSI_EDOMAIN; DOSI_EUNABLE if gamma is unknown
 */
dosi_status band_require(
    const clt_band *b, ball limit, const char *words, dosi_error *err);

#endif
