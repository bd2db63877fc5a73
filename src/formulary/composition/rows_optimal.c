/*
 * Optimal composition of (epsilon, delta) guarantees, equal and unequal, and
 * the shuffling analogue, which is a comparison only.
 */
#include "formulary/formula.h"

#include "sampling/amplify.h"
#include "renyi/composition_theorems.h"
#include "finite/finite_law.h"
#include "finite/response_composition.h"

FORMULA_BALL(kov_delta, optimal_composition_delta(formula_real(args, "k"),
                            ARG("eps"), ARG("delta0"), ARG("target_eps"), 0))
FORMULA_INTERVAL(
    kov_log_delta, optimal_composition_log_delta(formula_real(args, "k"),
                       ARG("eps"), ARG("delta0"), ARG("target_eps"), 0))
FORMULA_BALL(
    kov_log_pmf, optimal_composition_log_pmf(formula_real(args, "k"),
                     formula_real(args, "l"), ARG("eps"), ARG("delta0")))

FORMULA(kov_epsilon)
{
    bool done = false;
    ball delta = ARG("delta");
    dosi_interval eps = optimal_composition_epsilon(formula_real(args, "k"),
        ARG("eps"), ARG("delta0"), delta, ball_log(delta), 0, &done);
    if (!done)
        return dosi_fail(
            err, DOSI_EUNABLE, "the sum needs more terms than allowed");
    return formula_give_interval(out, eps, err);
}

/* ---- Unequal guarantees ------------------------------------------------ */

/* Two halves of the list, composed each, meet in one profile value. */
FORMULA(hetero_delta)
{
    size_t n = 0, n_delta = 0;
    const double *eps = formula_list(args, "eps", &n);
    const double *delta0 = formula_list(args, "delta0", &n_delta);
    if (n != n_delta)
        return dosi_fail(err, DOSI_EINVAL,
            "eps has %zu elements, delta0 has %zu", n, n_delta);
    finite_law *halves[2] = {NULL, NULL};
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = finite_add_response(
            &halves[i % 2], ball_of(eps[i]), ball_of(delta0[i]), err);
    if (status == DOSI_OK && n == 1)
        status =
            formula_give(out, finite_delta(halves[0], ARG("target_eps")), err);
    else if (status == DOSI_OK)
        status = formula_give(out,
            finite_product_delta(halves[0], halves[1], ARG("target_eps")), err);
    finite_free(halves[0]);
    finite_free(halves[1]);
    return status;
}

/* ---- Shuffling analogue ------------------------------------------------ */

/* log(1 + (e^eps - 1) / n) */
static ball shuffle_step(const formula_args *args)
{
    ball rate = ball_div(ball_of(1), ARG("n"));
    return amplify_epsilon(rate, ARG("eps"));
}

static ball shuffle_total(const formula_args *args)
{
    ball squares = ball_mul(ARG("n"), ball_sqr(shuffle_step(args)));
    return approx_advanced_epsilon(squares, ball_log(ARG("delta")));
}

FORMULA_BALL(shuffle_analogue_step, shuffle_step(args))
FORMULA_BALL(shuffle_analogue_epsilon, shuffle_total(args))
