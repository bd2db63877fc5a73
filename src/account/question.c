/*
 * The public questions: their arguments are checked here and nowhere else.
 */
#include "account.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "special/special.h"

static void answer_clear(dosi_answer *out)
{
    *out = (dosi_answer){.value = {-HUGE_VAL, HUGE_VAL},
        .log_value = {-HUGE_VAL, HUGE_VAL},
        .route = "none",
        .theorem = "",
        .lower_meaning = ""};
}

dosi_status dosi_epsilon_at_delta(dosi_answer *out, const dosi_plan *plan,
    double delta, const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(delta);
    answer_clear(out);
    if (!(delta >= 0 && delta < 1)) /* also rejects NaN */
        return dosi_fail(err, DOSI_EINVAL,
            "delta must be at least 0 and less than 1, got %g", delta);
    if (delta == 0)
        return account_pure_epsilon(out, plan, options, err);
    account_question q = {.kind = ACCOUNT_EPSILON,
        .delta = ball_of(delta),
        .log_delta = ball_log(ball_of(delta))};
    return account_answer(out, plan, &q, options, err);
}

dosi_status dosi_epsilon_at_log_delta(dosi_answer *out, const dosi_plan *plan,
    double log_delta, const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(log_delta);
    answer_clear(out);
    if (!(log_delta < 0 && log_delta >= -DBL_MAX))
        return dosi_fail(err, DOSI_EINVAL,
            "log_delta must be negative and finite, got %g", log_delta);
    account_question q = {.kind = ACCOUNT_EPSILON,
        .delta = ball_exp(ball_of(log_delta)),
        .log_delta = ball_of(log_delta)};
    return account_answer(out, plan, &q, options, err);
}

/* The rule that an argument breaks, or NULL. */
static const char *rule_of(account_kind kind, double x)
{
    switch (kind) {
    case ACCOUNT_DELTA:
        return x >= 0 && x <= DBL_MAX
                   ? NULL
                   : "epsilon must be non-negative and finite";
    case ACCOUNT_TRADEOFF:
        return x >= 0 && x <= 1 ? NULL : "alpha must be between 0 and 1";
    case ACCOUNT_RENYI:
        return x > 1 && x <= DBL_MAX
                   ? NULL
                   : "order must be greater than 1 and finite";
    case ACCOUNT_ZCDP:
        return fabs(x) <= DBL_MAX ? NULL : "xi must be finite";
    case ACCOUNT_EPSILON:
        break;
    }
    return NULL;
}

/* A question of one kind at each of n arguments. */
static dosi_status answer_all(dosi_answer *out, const dosi_plan *plan,
    account_kind kind, const double *arguments, size_t n,
    const dosi_options *options, dosi_error *err)
{
    for (size_t i = 0; i < n; i++)
        answer_clear(&out[i]);
    for (size_t i = 0; i < n; i++)
        if (rule_of(kind, arguments[i]) != NULL)
            return dosi_fail(err, DOSI_EINVAL, "%s, got %g",
                rule_of(kind, arguments[i]), arguments[i]);
    account_question *all = malloc((n > 0 ? n : 1) * sizeof *all);
    if (all == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        all[i] = (account_question){.kind = kind, .argument = arguments[i]};
    dosi_status status =
        n == 1 ? account_answer(out, plan, all, options, err)
               : account_answers(out, n, plan, all, options, err);
    free(all);
    return status;
}

dosi_status dosi_delta_at_epsilon(dosi_answer *out, const dosi_plan *plan,
    double epsilon, const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(epsilon);
    return answer_all(out, plan, ACCOUNT_DELTA, &epsilon, 1, options, err);
}

dosi_status dosi_tradeoff_at_alpha(dosi_answer *out, const dosi_plan *plan,
    double alpha, const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(alpha);
    return answer_all(out, plan, ACCOUNT_TRADEOFF, &alpha, 1, options, err);
}

dosi_status dosi_renyi_at_order(dosi_answer *out, const dosi_plan *plan,
    double order, const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(order);
    return answer_all(out, plan, ACCOUNT_RENYI, &order, 1, options, err);
}

dosi_status dosi_zcdp_at_xi(dosi_answer *out, const dosi_plan *plan,
    double xi, const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(xi);
    return answer_all(out, plan, ACCOUNT_ZCDP, &xi, 1, options, err);
}

dosi_status dosi_delta_curve(dosi_answer *out, const dosi_plan *plan,
    const double *epsilons, size_t n, const dosi_options *options,
    dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return answer_all(out, plan, ACCOUNT_DELTA, epsilons, n, options, err);
}

dosi_status dosi_tradeoff_curve(dosi_answer *out, const dosi_plan *plan,
    const double *alphas, size_t n, const dosi_options *options,
    dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return answer_all(out, plan, ACCOUNT_TRADEOFF, alphas, n, options, err);
}

/* Where normal quantiles of a curve's points end: 1e-6 and 1 - 1e-6. */
#define LAST_QUANTILE 4.7534243088229

void dosi_tradeoff_alphas(double *out, size_t n)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(n);
    for (size_t i = 0; i < n; i++) {
        /* from -1 to 1 without the ends */
        double t = (2 * (double)i - (double)(n - 1)) / (double)(n - 1);
        double z = -LAST_QUANTILE * t * (double)(n - 1) /
                   (n > 3 ? (double)(n - 3) : 1);
        double upper = exp(log_normal_sf_approx(fabs(z)));
        /* a few digits say as much, and read better */
        double unit = pow(10, floor(log10(upper) - log10((double)n)) - 2);
        upper = round(upper / unit) / round(1 / unit);
        out[i] = z > 0 ? upper : 1 - upper;
    }
    if (n > 0)
        out[0] = 0;
    if (n > 1)
        out[n - 1] = 1;
}
