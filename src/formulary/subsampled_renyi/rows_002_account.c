/*
 * The moments accountant: epsilon at delta and delta at epsilon of repeated
 * and of mixed mechanisms.
 */
#include "formulary/formula.h"

#include <stdlib.h>

#include "formulary/mech_args.h"
#include "formulary/plan_args.h"
#include "literature/moments_accountant.h"

static ball log_inverse_delta(const formula_args *args)
{
    return ball_neg(ball_log(ARG("delta")));
}

/* ---- k runs of one mechanism ------------------------------------------- */

static moments_term repeated(const chi_law *law, double k)
{
    return (moments_term){mech_cumulant, law, k,
        chi_divergence(law, ball_of(1)), chi_pure(law), mech_log_atom(law)};
}

static moments_optimum epsilon_search(
    const chi_law *law, const formula_args *args)
{
    moments_term term = repeated(law, formula_real(args, "k"));
    moments_sum sum = {&term, 1};
    return moments_epsilon(&sum, log_inverse_delta(args));
}

/* Gaussians in closed form: x + 2 sqrt(x c) with x = k mu^2/2. */
static dosi_interval epsilon_of(const chi_law *law, const formula_args *args)
{
    if (law->kind != CHI_GAUSSIAN)
        return epsilon_search(law, args).least;
    ball x = ball_mul(ARG("k"), ball_scale2(ball_sqr(law->parameter), -1));
    ball root = ball_sqrt(ball_mul(x, log_inverse_delta(args)));
    return ball_interval(ball_add(x, ball_scale2(root, 1)));
}

/* sqrt(c/x) */
static dosi_interval lambda_of(const chi_law *law, const formula_args *args)
{
    if (law->kind != CHI_GAUSSIAN)
        return epsilon_search(law, args).argument;
    ball x = ball_mul(ARG("k"), ball_scale2(ball_sqr(law->parameter), -1));
    return ball_interval(ball_sqrt(ball_div(log_inverse_delta(args), x)));
}

/* -(eps - x)^2/(4 x) from eps = x on */
static dosi_interval log_delta_of(const chi_law *law, const formula_args *args)
{
    double k = formula_real(args, "k");
    ball eps = ARG("eps");
    if (law->kind != CHI_GAUSSIAN) {
        moments_term term = repeated(law, k);
        moments_sum sum = {&term, 1};
        return moments_log_delta(&sum, eps).least;
    }
    ball x = ball_mul_d(ball_scale2(ball_sqr(law->parameter), -1), k);
    ball gap = ball_max(ball_sub(eps, x), ball_of(0));
    ball log_delta = ball_neg(ball_div(ball_sqr(gap), ball_scale2(x, 2)));
    return iv_min(ball_interval(log_delta), iv_point(0));
}

MECH_ROW(
    account_epsilon, mech_read, formula_give_interval, epsilon_of(&law, args))
MECH_ROW(
    account_lambda, mech_read, formula_give_interval, lambda_of(&law, args))
MECH_ROW(account_log_delta, mech_read, formula_give_interval,
    log_delta_of(&law, args))

/* ---- k runs on samples ------------------------------------------------- */

/* min over alpha = 2 .. alpha_max of k K' - (alpha-1) eps, and where. */
static dosi_status least_log_delta(
    ball *least, double *at, const formula_args *args, dosi_error *err)
{
    chi_law law;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    double last = formula_real(args, "alpha_max");
    ball *k;
    status =
        mech_sampled(&k, &law, ARG("gamma"), WR_GENERAL, NULL, 0, last, err);
    if (status != DOSI_OK)
        return status;
    *least = ball_of(HUGE_VAL);
    for (double order = 2; order <= last; order++) {
        ball x = ball_sub(ball_mul(k[(size_t)order - 2], ARG("k")),
            ball_mul_d(ARG("eps"), order - 1));
        if (order == 2 || ball_mid(ball_sub(x, *least)) < 0)
            *at = order;
        *least = ball_min(*least, x);
    }
    free(k);
    return DOSI_OK;
}

FORMULA(account_sampled_log_delta)
{
    ball least;
    double at = 0;
    dosi_status status = least_log_delta(&least, &at, args, err);
    return status == DOSI_OK
               ? formula_give(out, ball_min(least, ball_of(0)), err)
               : status;
}

FORMULA(sampled_order)
{
    ball least;
    double at = 0;
    dosi_status status = least_log_delta(&least, &at, args, err);
    return status == DOSI_OK ? formula_give_interval(out, iv_point(at), err)
                             : status;
}

/* ---- Mixed mechanisms -------------------------------------------------- */

typedef struct whole_optimum {
    ball value;
    double lambda;
} whole_optimum;

/* The best whole lambda for epsilon at log(1/delta), or delta at eps. */
static whole_optimum best_whole(
    const moments_sum *sum, bool asks_epsilon, ball given)
{
    whole_optimum best = {ball_of(HUGE_VAL), 0};
    for (double t = 1; t < PLAN_MAX_ORDER; t++) {
        ball k = moments_at(sum, ball_of(t));
        ball x = asks_epsilon ? ball_div_d(ball_add(k, given), t)
                              : ball_sub(k, ball_mul_d(given, t));
        if (t == 1 || ball_mid(ball_sub(x, best.value)) < 0)
            best.lambda = t;
        best.value = ball_min(best.value, x);
    }
    return best;
}

static dosi_interval whole_epsilon(
    const moments_sum *sum, const formula_args *args)
{
    return ball_interval(best_whole(sum, true, log_inverse_delta(args)).value);
}

static dosi_interval whole_order(
    const moments_sum *sum, const formula_args *args)
{
    return iv_point(best_whole(sum, true, log_inverse_delta(args)).lambda + 1);
}

static dosi_interval whole_log_delta(
    const moments_sum *sum, const formula_args *args)
{
    ball x = best_whole(sum, false, ARG("eps")).value;
    return ball_interval(ball_min(x, ball_of(0)));
}

/* Also over the real lambda next to the best whole one, where the sum of
 * linear bounds and cumulants is convex, and the pure level. */
static dosi_interval real_epsilon(
    const moments_sum *sum, const formula_args *args)
{
    ball c = log_inverse_delta(args);
    whole_optimum best = best_whole(sum, true, c);
    double t = best.lambda;
    dosi_interval least = ball_interval(best.value);
    moments_optimum near =
        moments_epsilon_between(sum, c, t > 1 ? t - 1 : 0x1p-40, t);
    least = iv_min(least, near.least);
    if (t + 1 < PLAN_MAX_ORDER) {
        near = moments_epsilon_between(sum, c, t, t + 1);
        least = iv_min(least, near.least);
    }
    return iv_min(least, ball_interval(moments_pure(sum)));
}

static dosi_interval total_pure(
    const moments_sum *sum, const formula_args *args)
{
    (void)args;
    return ball_interval(moments_pure(sum));
}

static dosi_status give_plan(dosi_interval *out, const formula_args *args,
    dosi_interval (*value)(const moments_sum *, const formula_args *),
    dosi_error *err)
{
    plan_args plan;
    dosi_status status = plan_args_read(&plan, args, err);
    if (status == DOSI_OK) {
        moments_sum sum = plan_sum(&plan);
        status = formula_give_interval(out, value(&sum, args), err);
    }
    plan_args_free(&plan);
    return status;
}

#define PLAN_ROW(function, value)                                              \
    FORMULA(function)                                                          \
    {                                                                          \
        return give_plan(out, args, value, err);                               \
    }

PLAN_ROW(plan_epsilon_whole, whole_epsilon)
PLAN_ROW(plan_order, whole_order)
PLAN_ROW(plan_log_delta, whole_log_delta)
PLAN_ROW(plan_epsilon, real_epsilon)
PLAN_ROW(plan_pure, total_pure)
