/*
 * Optimal composition of (epsilon, delta) guarantees, equal and unequal, and
 * the shuffling analogue, which is a comparison only.
 */
#include "formula.h"

#include "repr/amplify.h"
#include "repr/approx.h"
#include "repr/atoms.h"
#include "repr/optimal.h"

FORMULA_BALL(kov_delta, optimal_delta(formula_real(args, "k"), ARG("eps"),
                            ARG("delta0"), ARG("target_eps"), 0))
FORMULA_INTERVAL(
    kov_log_delta, optimal_log_delta(formula_real(args, "k"), ARG("eps"),
                       ARG("delta0"), ARG("target_eps"), 0))
FORMULA_BALL(
    kov_log_pmf, optimal_log_pmf(formula_real(args, "k"),
                     formula_real(args, "l"), ARG("eps"), ARG("delta0")))

static dosi_status kov_epsilon(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    bool done = false;
    ball delta = ARG("delta");
    dosi_interval eps = optimal_epsilon(formula_real(args, "k"), ARG("eps"),
        ARG("delta0"), delta, ball_log(delta), 0, &done);
    if (!done)
        return dosi_fail(
            err, DOSI_EUNABLE, "the sum needs more terms than allowed");
    return formula_give_interval(out, eps, err);
}

/* ---- Unequal guarantees ------------------------------------------------ */

/* Two halves of the list, composed each, meet in one profile value. */
static dosi_status hetero_delta(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    size_t n = 0, n_delta = 0;
    const double *eps = formula_list(args, "eps", &n);
    const double *delta0 = formula_list(args, "delta0", &n_delta);
    if (n != n_delta)
        return dosi_fail(err, DOSI_EINVAL,
            "eps has %zu elements, delta0 has %zu", n, n_delta);
    atoms *halves[2] = {NULL, NULL};
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = atoms_add_response(
            &halves[i % 2], ball_of(eps[i]), ball_of(delta0[i]), err);
    if (status == DOSI_OK && n == 1)
        status =
            formula_give(out, atoms_delta(halves[0], ARG("target_eps")), err);
    else if (status == DOSI_OK)
        status = formula_give(out,
            atoms_product_delta(halves[0], halves[1], ARG("target_eps")), err);
    atoms_free(halves[0]);
    atoms_free(halves[1]);
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

#define EACH "k >= 0, k whole, eps >= 0, 0 <= delta0 <= 1"

static const formula_row rows[] = {
    {"S000-7.kov_delta", "optimal.delta", "k;eps;delta0;target_eps", "exact",
        EACH ", target_eps >= 0",
        "Smallest delta at target_eps of k (eps, delta0) mechanisms.",
        kov_delta},
    {"S000-7.kov_logdelta", "optimal.log_delta", "k;eps;delta0;target_eps",
        "exact", EACH ", target_eps >= 0", "Its logarithm.", kov_log_delta},
    {"S000-7.kov_eps", "optimal.epsilon", "k;eps;delta0;delta", "exact",
        EACH ", 0 < delta < 1",
        "Smallest epsilon at delta of k (eps, delta0) mechanisms; inf "
        "where they leak more than delta.",
        kov_epsilon},
    {"S000-7.kov_log_pmf", "optimal.log_pmf", "k;l;eps;delta0", "exact",
        EACH ", 0 <= l <= k, l whole",
        "Log probability that their loss is (2 l - k) eps.", kov_log_pmf},
    {"S000-7.hetero_delta", "optimal.delta_unequal",
        "eps[];delta0[];target_eps", "exact",
        "eps >= 0, 0 <= delta0 <= 1, target_eps >= 0",
        "Smallest delta at target_eps of unequal (eps, delta0) mechanisms.",
        hetero_delta},
    {"S000-7.shuffle_analogue_step", "shuffle.step_approx", "n;eps",
        "approximate", "n >= 1, n whole, eps >= 0",
        "Epsilon of one of n shuffled messages by analogy with sampling; "
        "never a bound.",
        shuffle_analogue_step},
    {"S000-7.shuffle_analogue_eps", "shuffle.epsilon_approx", "n;eps;delta",
        "approximate", "n >= 1, n whole, eps >= 0, 0 < delta < 1",
        "Epsilon of shuffling n messages by that analogy; never a bound.",
        shuffle_analogue_epsilon},
};

FORMULA_TABLE(formula_optimal, rows);
