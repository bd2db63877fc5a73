/*
 * From (xi, rho)-zCDP to (epsilon, delta) and back by every bound of the
 * source, the exact curve of the Gaussian mechanism, and the noise that
 * each of them asks for.
 */
#include "formulary/line_args.h"
#include "noise/gaussian.h"
#include "renyi/zcdp.h"

#define LOG_DELTA ball_log(ARG("delta"))

/* ---- Delta from epsilon -------------------------------------------------- */

#define LOG_DELTA_ROW(function, rule)                                          \
    LINE_BALL(                                                                 \
        function, line_read_in_reach, cdp_log_delta(rule, line, ARG("eps")))

LOG_DELTA_ROW(line_log_delta_simple, CDP_SIMPLE)
LOG_DELTA_ROW(log_delta_flat, CDP_FLAT)
LOG_DELTA_ROW(log_delta_reciprocal, CDP_RECIPROCAL)
LOG_DELTA_ROW(log_delta_algebraic, CDP_ALGEBRAIC)
LOG_DELTA_ROW(log_delta_sharp, CDP_SHARP)
LINE_BALL(order, line_read_in_reach, cdp_order(line, ARG("eps")))
LINE_INTERVAL(
    delta_total, line_read, within(cdp_delta_total(line, ARG("eps")), 0, 1))

/* If the line holds for orders below m only: order = min(cdp_order, m) in
 * (order - 1) (xi + rho order - eps). */
static ball bounded_log_delta(cdp_line line, const formula_args *args)
{
    ball order = ARG("m");
    if (!ball_is_zero(line.rho))
        order = ball_min(cdp_order(line, ARG("eps")), order);
    ball gap = ball_sub(cdp_divergence(line, order), ARG("eps"));
    return ball_mul(ball_sub_d(order, 1), gap);
}

/* The exact value of the Gaussian mechanism. */
static ball exact_log_delta(const formula_args *args)
{
    return gauss_log_delta(ball_sqrt(ball_scale2(ARG("rho"), 1)), ARG("eps"));
}

LINE_BALL(
    log_delta_bounded, line_read_in_reach, bounded_log_delta(line, args))
FORMULA_BALL(log_delta_gaussian, exact_log_delta(args))

FORMULA(log_delta_best)
{
    cdp_line line;
    dosi_status status = line_read_in_reach(&line, args, err);
    if (status != DOSI_OK)
        return status;
    ball gap = ball_sub(ARG("eps"), line.xi);
    return formula_give_interval(out, zcdp_log_delta(line.rho, gap), err);
}

/* ---- Epsilon from delta -------------------------------------------------- */

#define EPSILON_ROW(function, rule)                                            \
    LINE_BALL(function, line_read_at_delta, cdp_epsilon(rule, line, LOG_DELTA))

EPSILON_ROW(line_epsilon_simple, CDP_SIMPLE)
EPSILON_ROW(epsilon_flat, CDP_FLAT)
EPSILON_ROW(epsilon_reciprocal, CDP_RECIPROCAL)
EPSILON_ROW(line_epsilon_algebraic, CDP_ALGEBRAIC)
EPSILON_ROW(line_epsilon_sharp, CDP_SHARP)
LINE_BALL(
    epsilon_total, line_read_at_delta, cdp_epsilon_total(line, ARG("delta")))
FORMULA_BALL(epsilon_rho, zcdp_epsilon_simple(ARG("rho"), LOG_DELTA))

/* ---- Rho from both ------------------------------------------------------- */

static ball gap_of(const formula_args *args)
{
    return ball_sub(ARG("eps"), ARG("xi"));
}

static ball rho_of(cdp_rule rule, const formula_args *args)
{
    return ball_scale2(ball_sqr(cdp_mu(rule, gap_of(args), LOG_DELTA)), -1);
}

FORMULA_BALL(line_rho_simple, zcdp_rho_simple(gap_of(args), LOG_DELTA))
FORMULA_BALL(rho_approx, zcdp_rho_simple_upper(gap_of(args), LOG_DELTA))
FORMULA_BALL(rho_algebraic, rho_of(CDP_ALGEBRAIC, args))
FORMULA_BALL(rho_sharp, rho_of(CDP_SHARP, args))

/* Delta / sqrt(2 rho) */
static ball sigma_of(cdp_rule rule, const formula_args *args)
{
    return ball_div(ARG("Delta"), cdp_mu(rule, ARG("eps"), LOG_DELTA));
}

static dosi_interval sigma_exact_of(const formula_args *args)
{
    dosi_interval mu = gauss_mu(ARG("eps"), LOG_DELTA);
    return iv_div(iv_point(formula_real(args, "Delta")), mu);
}

FORMULA_BALL(sigma_simple, sigma_of(CDP_SIMPLE, args))
FORMULA_BALL(sigma_algebraic, sigma_of(CDP_ALGEBRAIC, args))
FORMULA_BALL(sigma_sharp, sigma_of(CDP_SHARP, args))
FORMULA_INTERVAL(sigma_exact, sigma_exact_of(args))

/* ---- What the print made of it ------------------------------------------- */

/* Two options read as one, sqrt(pi rho) / order: not a bound. */
static ball merged(const formula_args *args)
{
    cdp_line line = {ball_of(0), ARG("rho")};
    ball log_delta = cdp_log_delta(CDP_FLAT, line, ARG("eps"));
    return ball_div(ball_exp(log_delta), cdp_order(line, ARG("eps")));
}

/* The last option with numerator 1: not a bound. */
static ball halved(const formula_args *args)
{
    cdp_line line = {ball_of(0), ARG("rho")};
    ball log_delta = cdp_log_delta(CDP_ALGEBRAIC, line, ARG("eps"));
    return ball_scale2(ball_exp(log_delta), -1);
}

FORMULA_BALL(misread_merged, merged(args))
FORMULA_BALL(misread_halved, halved(args))
FORMULA_BALL(misread_gaussian, ball_exp(exact_log_delta(args)))
