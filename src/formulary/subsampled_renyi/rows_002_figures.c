/*
 * Many runs on samples without replacement, by every bound and by classical
 * composition: the curves of the source's figures, as questions.
 */
#include "formulary/formula.h"

#include <stdlib.h>

#include "formulary/mech_args.h"
#include "literature/exponential_families.h"
#include "literature/moments_accountant.h"
#include "finite/response_composition.h"
#include "sampling/amplify.h"

static ball log_inverse_delta(const formula_args *args)
{
    return ball_neg(ball_log(ARG("delta")));
}

/* ---- Rényi bounds ------------------------------------------------------ */

typedef struct choice {
    ball epsilon;
    double order;
} choice;

/* min over alpha = 2 .. alpha_max of (c + k K')/(alpha - 1). */
static dosi_status choose(choice *out, const formula_args *args, wr_rule rule,
    const double *exponents, size_t n, dosi_error *err)
{
    chi_law law;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    double last = formula_real(args, "alpha_max");
    ball *k;
    status =
        mech_sampled(&k, &law, ARG("gamma"), rule, exponents, n, last, err);
    if (status != DOSI_OK)
        return status;
    ball c = log_inverse_delta(args);
    *out = (choice){ball_of(HUGE_VAL), 0};
    for (double order = 2; order <= last; order++) {
        ball eps = ball_mul(k[(size_t)order - 2], ARG("k"));
        eps = ball_div_d(ball_add(eps, c), order - 1);
        if (order == 2 || ball_mid(ball_sub(eps, out->epsilon)) < 0)
            out->order = order;
        out->epsilon = ball_min(out->epsilon, eps);
    }
    free(k);
    return DOSI_OK;
}

static dosi_status give_epsilon(
    dosi_interval *out, const formula_args *args, wr_rule rule, dosi_error *err)
{
    choice c;
    dosi_status status = choose(&c, args, rule, NULL, 0, err);
    return status == DOSI_OK ? formula_give(out, c.epsilon, err) : status;
}

static dosi_status give_order(
    dosi_interval *out, const formula_args *args, wr_rule rule, dosi_error *err)
{
    choice c;
    dosi_status status = choose(&c, args, rule, NULL, 0, err);
    return status == DOSI_OK
               ? formula_give_interval(out, iv_point(c.order), err)
               : status;
}

#define CHOICE_ROW(function, give, rule)                                       \
    FORMULA(function)                                                          \
    {                                                                          \
        return give(out, args, rule, err);                                     \
    }

CHOICE_ROW(general_epsilon, give_epsilon, WR_GENERAL)
CHOICE_ROW(general_order, give_order, WR_GENERAL)
CHOICE_ROW(lower_epsilon, give_epsilon, WR_LOWER)
CHOICE_ROW(lower_order, give_order, WR_LOWER)
CHOICE_ROW(consistent_epsilon, give_epsilon, WR_CONSISTENT)
CHOICE_ROW(consistent_order, give_order, WR_CONSISTENT)
CHOICE_ROW(least_epsilon, give_epsilon, WR_LEAST)
CHOICE_ROW(least_order, give_order, WR_LEAST)
CHOICE_ROW(squares_epsilon, give_epsilon, WR_SQUARES)
CHOICE_ROW(squares_order, give_order, WR_SQUARES)

FORMULA(hoelder_epsilon)
{
    size_t n = 0;
    const double *u = formula_list(args, "ugrid", &n);
    if (formula_given(args, "plus4chi") && formula_real(args, "plus4chi") != 1)
        return formula_domain(
            err, "needs plus4chi = 1, got %g", formula_real(args, "plus4chi"));
    choice c;
    dosi_status status = choose(&c, args, WR_HOELDER, u, n, err);
    return status == DOSI_OK ? formula_give(out, c.epsilon, err) : status;
}

/* ---- Without Rényi ----------------------------------------------------- */

MECH_PURE_BALL(
    runs_pure, ball_mul(ARG("k"),
                   amplify_epsilon(ARG("gamma"), chi_pure(&law))))

/* epsilon of one run at delta by the moments bound (2.2); the pure level of
 * mechanisms that have one. */
static ball base_epsilon(const chi_law *law, ball delta)
{
    if (law->kind != CHI_GAUSSIAN)
        return law->parameter;
    ball x = ball_scale2(ball_sqr(law->parameter), -1);
    ball root = ball_sqrt(ball_mul(x, ball_neg(ball_log(delta))));
    return ball_add(x, ball_scale2(root, 1));
}

/* k rounds on samples, delta/(k gamma) spent on each. */
static ball naive_of(const chi_law *law, const formula_args *args)
{
    ball rate = ARG("gamma"), k = ARG("k");
    ball delta = ball_div(ARG("delta"), ball_mul(k, rate));
    return ball_mul(k, amplify_epsilon(rate, base_epsilon(law, delta)));
}

FORMULA(runs_naive)
{
    chi_law law;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    ball spent = ball_mul(ARG("k"), ARG("gamma"));
    if (law.kind == CHI_GAUSSIAN && !ball_less(ARG("delta"), spent))
        return formula_domain(err,
            "needs delta < k gamma, got delta = %.17g, k gamma = %.17g",
            formula_real(args, "delta"), ball_mid(spent));
    return formula_give(out, naive_of(&law, args), err);
}

/* Optimal composition of k rounds on samples, dtilde spent on each. */
FORMULA(runs_optimal)
{
    chi_law law;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    bool is_pure = law.kind != CHI_GAUSSIAN, done = false;
    if (is_pure != (formula_real(args, "dtilde") == 0))
        return formula_domain(
            err, is_pure ? "needs dtilde = 0 for a mechanism with a pure level"
                         : "needs dtilde > 0 for the Gaussian");
    ball rate = ARG("gamma"), each = ARG("dtilde"), delta = ARG("delta");
    ball eps = amplify_epsilon(rate, base_epsilon(&law, each));
    dosi_interval total = optimal_composition_epsilon(formula_real(args, "k"),
        eps, ball_mul(rate, each), delta, ball_log(delta), 0, &done);
    if (!done)
        return dosi_fail(err, DOSI_EUNABLE, "too many terms at k = %.17g",
            formula_real(args, "k"));
    return formula_give_interval(out, total, err);
}

/* ---- Limits for one data set ------------------------------------------- */

static ball bad_cumulant(ball lambda, const void *context)
{
    const formula_args *args = context;
    ball d = family_bad_approx(
        ARG("sigma"), ARG("gamma"), ARG("n"), ball_add_d(lambda, 1));
    return isinf(d.hi) ? d : ball_mul(lambda, d);
}

static dosi_interval bad_of(const formula_args *args)
{
    moments_term term = {bad_cumulant, args, formula_real(args, "k"),
        family_bad_approx(ARG("sigma"), ARG("gamma"), ARG("n"), ball_of(1)),
        ball_of(HUGE_VAL), ball_of(-HUGE_VAL)};
    moments_sum sum = {&term, 1};
    return moments_epsilon(&sum, log_inverse_delta(args)).least;
}

FORMULA_INTERVAL(bad_epsilon, bad_of(args))

/* x alpha at every alpha gives x + 2 sqrt(x c). */
static ball good_of(const formula_args *args)
{
    ball x = ball_mul(ARG("k"),
        family_good_approx(ARG("sigma"), ARG("gamma"), ARG("n"), ball_of(1)));
    ball root = ball_sqrt(ball_mul(x, log_inverse_delta(args)));
    return ball_add(x, ball_scale2(root, 1));
}

FORMULA_BALL(good_epsilon, good_of(args))
FORMULA_BALL(
    threshold, ball_div(ball_of(1), ball_sqrt(((void)args, ball_ln2()))))
