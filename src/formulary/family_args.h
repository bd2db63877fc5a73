/*
 * The parameter "f", one of gauss, pure, laplace, Cpure and Cgauss (or CG),
 * with the parameters of that curve: mu of gauss, laplace and Cgauss, eps of
 * pure and Cpure, the sampling rate p of the C ones. The parameter "ledger",
 * a list of such curves with counts. And the plan of noisy training: p or
 * m/n, sigma, T.
 */
#ifndef DOSI_FORMULARY_FAMILY_ARGS_H
#define DOSI_FORMULARY_FAMILY_ARGS_H

#include "formula.h"
#include "tradeoff/berry_esseen.h"

/* Of a row's declaration and validity. */
#define FAMILY "f{};eps?;mu?;p?"
#define VALID_FAMILY "eps >= 0, mu >= 0, 0 <= p <= 1"

/* Refuses an unknown curve, and parameters that are not its own. */
dosi_status family_read(
    loss_moments *out, const formula_args *args, dosi_error *err);

/*
 * The band of n of them, or of a ledger of unlike steps,
 *
 *     50*gauss:0.1|200*pure:0.05|30*laplace:0.1|1000*Cgauss:0.01:1
 *
 * with curves as curve_parse reads them. Refuses steps without spread, and
 * steps with a delta.
 */
#define STEP_LIST "f{}?;eps?;mu?;p?;n?;ledger{}?"
#define VALID_STEP_LIST VALID_FAMILY ", n >= 1, n whole"
#define STEP_LIST_FORMS                                                        \
    "f and n, or ledger=50*gauss:MU|9*pure:EPS|laplace:MU|Cpure:P:EPS|"        \
    "Cgauss:P:MU"
dosi_status family_read_band(
    clt_band *out, const formula_args *args, dosi_error *err);

/* p, or m/n. */
#define RATE "m?;n?;p?"
#define VALID_RATE "m > 0, n > 0, 0 < p <= 1"

/* Refuses neither or both, and m > n. */
dosi_status rate_read(ball *out, const formula_args *args, dosi_error *err);

/* Refuses gamma >= limit, the condition under which a band says something. */
dosi_status band_require(
    const clt_band *b, ball limit, const char *words, dosi_error *err);

#endif
