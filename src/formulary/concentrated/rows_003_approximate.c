/*
 * Approximate zCDP: the line holds except on events of probability delta.
 * Composition, conversion, and its relation to (epsilon, delta)
 * mechanisms beside the older rules.
 */
#include "formulary/line_args.h"
#include "renyi/composition_theorems.h"
#include "finite/response_composition.h"
#include "renyi/renyi.h"
#include "renyi/zcdp.h"

/* 1 - (1 - a) (1 - b) from log(1 - a) and log(1 - b). */
static dosi_interval total_delta(ball log_keep, ball log_keep_too)
{
    return within(ball_neg(ball_expm1(ball_add(log_keep, log_keep_too))), 0, 1);
}

/* log(1 - e^x), also for x = -inf. */
static ball log_keep_of(ball log_delta)
{
    return ball_is_infinite(log_delta) ? ball_of(0) : ball_log1mexp(log_delta);
}

/* ---- Deltas -------------------------------------------------------------- */

static ball list_log_keep(const formula_args *args, const char *name)
{
    size_t n = 0;
    const double *delta = formula_list(args, name, &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add(sum, ball_log1p(ball_of(-delta[i])));
    return sum;
}

/* k log(1 - delta) */
static ball equal_log_keep(const formula_args *args)
{
    return ball_mul(ARG("k"), ball_log1p(ball_neg(ARG("delta"))));
}

FORMULA_INTERVAL(
    composed_delta, total_delta(list_log_keep(args, "delta"), ball_of(0)))
FORMULA_INTERVAL(equal_delta, total_delta(equal_log_keep(args), ball_of(0)))
FORMULA_BALL(rho_of_approx, zcdp_of_pure(ARG("eps")))
FORMULA_BALL(rho_of_approx_tight, renyi_rr_mean_loss(ARG("eps")))
FORMULA_BALL(
    approximate_keep, approx_truth_probability(ARG("eps"), ARG("delta")))
FORMULA_BALL(flip, approx_lie_probability(ARG("eps"), ARG("delta")))
FORMULA_BALL(approximate_delta_pure, ARG("delta"))

/* ---- One guarantee ------------------------------------------------------- */

/* delta + (1 - delta) delta' at eps */
static dosi_interval line_delta(
    cdp_rule rule, cdp_line line, const formula_args *args)
{
    ball tail = ball_exp(cdp_log_delta(rule, line, ARG("eps")));
    ball rest = ball_sub(ball_of(1), ARG("delta"));
    return within(ball_add(ARG("delta"), ball_mul(rest, tail)),
        formula_real(args, "delta"), 1);
}

LINE_INTERVAL(
    delta_simple, line_read_in_reach, line_delta(CDP_SIMPLE, line, args))
LINE_INTERVAL(
    delta_algebraic, line_read_in_reach, line_delta(CDP_ALGEBRAIC, line, args))
LINE_INTERVAL(
    delta_sharp, line_read_in_reach, line_delta(CDP_SHARP, line, args))

/* eps at deltatotal, for which (deltatotal - delta) / (1 - delta) is left. */
static dosi_status give_epsilon(dosi_interval *out, cdp_rule rule,
    cdp_line line, ball delta, ball target, dosi_error *err)
{
    ball left = ball_sub(target, delta);
    if (!ball_is_positive(left))
        return formula_domain(err,
            "infeasible: needs deltatotal > delta, got deltatotal = %.17g, "
            "delta = %.17g",
            ball_mid(target), ball_mid(delta));
    left = ball_div(left, ball_sub(ball_of(1), delta));
    return formula_give(out, cdp_epsilon(rule, line, ball_log(left)), err);
}

static dosi_status line_epsilon(dosi_interval *out, cdp_rule rule,
    const formula_args *args, dosi_error *err)
{
    cdp_line line;
    dosi_status status = line_read(&line, args, err);
    if (status != DOSI_OK)
        return status;
    return give_epsilon(out, rule, line, ARG("delta"), ARG("deltatotal"), err);
}

FORMULA(approximate_epsilon_algebraic)
{
    return line_epsilon(out, CDP_ALGEBRAIC, args, err);
}

FORMULA(approximate_epsilon_sharp)
{
    return line_epsilon(out, CDP_SHARP, args, err);
}

/* ---- k equal guarantees -------------------------------------------------- */

/* sum of squares of eps over k mechanisms, = 2 rho */
static ball equal_squares(const formula_args *args)
{
    return ball_mul(ARG("k"), ball_sqr(ARG("eps")));
}

static cdp_line equal_line(const formula_args *args)
{
    return (cdp_line){ball_of(0), ball_scale2(equal_squares(args), -1)};
}

/* s^2 + 2 lambda s, s = sqrt(rho) */
static ball epsilon_at_lambda(const formula_args *args)
{
    ball rho = equal_line(args).rho;
    ball step = ball_mul(ARG("lambda"), ball_sqrt(rho));
    return ball_add(rho, ball_scale2(step, 1));
}

/* log delta' = -lambda^2 + log(2 m / (b + ...)), a = sqrt 2 lambda */
static ball log_tail_at_lambda(const formula_args *args)
{
    ball m = ball_sqrt(equal_squares(args));
    if (ball_is_zero(m))
        return ball_of(-HUGE_VAL);
    ball lambda = ARG("lambda");
    ball a = ball_mul(ball_sqrt(ball_of(2)), lambda);
    return ball_sub(
        cdp_log_factor(CDP_ALGEBRAIC, m, ball_add(a, m)), ball_sqr(lambda));
}

FORMULA_BALL(lambda_epsilon, epsilon_at_lambda(args))
FORMULA_INTERVAL(lambda_delta,
    total_delta(equal_log_keep(args), log_keep_of(log_tail_at_lambda(args))))

/* S/2 + sqrt 2 lambda sqrt S, and sqrt(pi/2) sqrt S e^(-lambda^2) + k delta */
static ball norm_epsilon_of(const formula_args *args)
{
    ball squares = equal_squares(args);
    ball step = ball_sqrt(ball_scale2(squares, 1));
    return ball_add(ball_scale2(squares, -1), ball_mul(ARG("lambda"), step));
}

static ball half_pi_norm(const formula_args *args)
{
    return ball_sqrt(ball_scale2(ball_mul(ball_pi(), equal_squares(args)), -1));
}

FORMULA_BALL(norm_epsilon, norm_epsilon_of(args))
FORMULA_BALL(
    norm_delta, ball_add(ball_mul(half_pi_norm(args),
                             ball_exp(ball_neg(ball_sqr(ARG("lambda"))))),
                    ball_mul(ARG("k"), ARG("delta"))))

/* the same at delta': lambda^2 = log(sqrt(pi/2) sqrt S / delta'), or 0 */
static ball norm_epsilon_at(const formula_args *args)
{
    ball squares = equal_squares(args);
    if (ball_is_zero(squares))
        return squares;
    ball square =
        ball_sub(ball_log(half_pi_norm(args)), ball_log(ARG("deltaprime")));
    square = ball_max(square, ball_of(0));
    ball step = ball_sqrt(ball_mul(ball_scale2(squares, 1), square));
    return ball_add(ball_scale2(squares, -1), step);
}

FORMULA_BALL(norm_epsilon_delta, norm_epsilon_at(args))
FORMULA_BALL(norm_delta_delta,
    ball_add(ARG("deltaprime"), ball_mul(ARG("k"), ARG("delta"))))

#define LOG_DELTAPRIME ball_log(ARG("deltaprime"))

/* k eps tanh(eps/2) */
static cdp_line equal_line_tight(const formula_args *args)
{
    return (cdp_line){
        ball_of(0), ball_mul(ARG("k"), renyi_rr_mean_loss(ARG("eps")))};
}

FORMULA_BALL(
    equal_epsilon, cdp_epsilon(CDP_ALGEBRAIC, equal_line(args), LOG_DELTAPRIME))
FORMULA_BALL(equal_epsilon_tight,
    cdp_epsilon(CDP_SHARP, equal_line_tight(args), LOG_DELTAPRIME))
FORMULA_BALL(equal_epsilon_older,
    approx_older_epsilon(ARG("k"), ARG("eps"), LOG_DELTAPRIME))
FORMULA_INTERVAL(equal_delta_exact,
    within(optimal_composition_delta(formula_real(args, "k"), ARG("eps"),
               ARG("delta"), epsilon_at_lambda(args), RESPONSE_MAX_TERMS),
        0, 1))

/* ---- Lists --------------------------------------------------------------- */

static ball list_rho(const formula_args *args)
{
    size_t n = 0;
    const double *eps = formula_list(args, "eps_i", &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add(sum, zcdp_of_pure(ball_of(eps[i])));
    return sum;
}

FORMULA_BALL(several_rho, list_rho(args))

FORMULA(several_delta)
{
    dosi_status status = same_length(args, "eps_i", "delta_i", err);
    if (status != DOSI_OK)
        return status;
    cdp_line line = {ball_of(0), list_rho(args)};
    if (ball_less(ARG("eps"), line.rho))
        return formula_domain(err,
            "needs eps >= rho, got eps = %.17g, rho = %.17g",
            formula_real(args, "eps"), ball_mid(line.rho));
    ball tail = cdp_log_delta(CDP_ALGEBRAIC, line, ARG("eps"));
    return formula_give_interval(out,
        total_delta(list_log_keep(args, "delta_i"), log_keep_of(tail)), err);
}
