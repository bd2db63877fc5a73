/*
 * From (xi, rho)-zCDP to (epsilon, delta) and back by every bound of the
 * source, the Gaussian mechanism's own curve beside them, and the noise that
 * each of them asks for.
 */
#include "line_args.h"
#include "repr/gaussian.h"
#include "repr/zcdp.h"

#define LOG_DELTA ball_log(ARG("delta"))

/* ---- Delta from epsilon -------------------------------------------------- */

#define LOG_DELTA_ROW(function, rule)                                          \
    LINE_BALL(                                                                 \
        function, line_read_in_reach, cdp_log_delta(rule, line, ARG("eps")))

LOG_DELTA_ROW(log_delta_simple, CDP_SIMPLE)
LOG_DELTA_ROW(log_delta_flat, CDP_FLAT)
LOG_DELTA_ROW(log_delta_reciprocal, CDP_RECIPROCAL)
LOG_DELTA_ROW(log_delta_algebraic, CDP_ALGEBRAIC)
LOG_DELTA_ROW(log_delta_sharp, CDP_SHARP)
LINE_BALL(order, line_read_in_reach, cdp_order(line, ARG("eps")))
LINE_INTERVAL(
    delta_total, line_read, within(cdp_delta_total(line, ARG("eps")), 0, 1))
LINE_BALL(log_delta_bounded, line_read_in_reach,
    cdp_log_delta_bounded(line, ARG("m"), ARG("eps")))
FORMULA_BALL(log_delta_gaussian, cdp_log_delta_gaussian(ARG("rho"), ARG("eps")))

static dosi_status log_delta_best(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

EPSILON_ROW(epsilon_simple, CDP_SIMPLE)
EPSILON_ROW(epsilon_flat, CDP_FLAT)
EPSILON_ROW(epsilon_reciprocal, CDP_RECIPROCAL)
EPSILON_ROW(epsilon_algebraic, CDP_ALGEBRAIC)
EPSILON_ROW(epsilon_sharp, CDP_SHARP)
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

FORMULA_BALL(rho_simple, zcdp_rho_simple(gap_of(args), LOG_DELTA))
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
FORMULA_BALL(
    misread_gaussian, ball_exp(cdp_log_delta_gaussian(ARG("rho"), ARG("eps"))))

#define VALID_RHO "0 < delta < 1, xi <= eps"
#define VALID_SIGMA "eps > 0, 0 < delta < 1, Delta >= 0"
#define VALID_MISREAD "0 < rho <= eps"

static const formula_row rows[] = {
    {"T003-1.3", "line.epsilon_of_rho", "rho;delta", "upper",
        "rho >= 0, 0 < delta < 1",
        "epsilon at delta of rho-zCDP, rho + 2 sqrt(rho log(1/delta)).",
        epsilon_rho},
    {"T003-3.5-eps", "line.epsilon_simple", "xi;rho;delta", "upper",
        VALID_AT_DELTA, "epsilon at delta of a line, readable form.",
        epsilon_simple},
    {"T003-3.5-logdelta", "line.log_delta_simple", "xi;rho;eps", "upper",
        VALID_IN_REACH, "log delta at eps of a line, readable form.",
        log_delta_simple},
    {"T003-3.5-alpha", "line.order_at_epsilon", "xi;rho;eps", "exact",
        "rho > 0; xi + rho >= 0, eps >= xi + rho",
        "The order that minimises the readable bound.", order},
    {"T003-3.5-rho", "line.rho_simple", "xi;eps;delta", "upper", VALID_RHO,
        "A rho that suffices for (eps, delta), readable form.", rho_simple},
    {"T003-3.5-rho-approx", "line.rho_approx", "xi;eps;delta", "approximate",
        VALID_RHO, "(eps - xi)^2 / (4 log(1/delta)): too large to suffice.",
        rho_approx},
    {"T003-3.6-eps", "line.epsilon_flat", "xi;rho;delta", "upper",
        VALID_AT_DELTA, "epsilon at delta with the factor sqrt(pi rho).",
        epsilon_flat},
    {"T003-3.6-logdelta-o1", "line.log_delta_flat", "xi;rho;eps", "upper",
        VALID_IN_REACH, "log delta at eps with the factor sqrt(pi rho).",
        log_delta_flat},
    {"T003-3.6-logdelta-o2", "line.log_delta_reciprocal", "xi;rho;eps", "upper",
        VALID_IN_REACH, "log delta at eps with the factor 1/order.",
        log_delta_reciprocal},
    {"T003-3.6-logdelta-o3", "line.log_delta_algebraic", "xi;rho;eps", "upper",
        VALID_IN_REACH, "log delta at eps, the last option: below the others.",
        log_delta_algebraic},
    {"T003-3.6-eps-o2", "line.epsilon_reciprocal", "xi;rho;delta", "upper",
        VALID_AT_DELTA, "epsilon at delta with the factor 1/order.",
        epsilon_reciprocal},
    {"T003-3.6-eps-o3", "line.epsilon_algebraic", "xi;rho;delta", "upper",
        VALID_AT_DELTA, "epsilon at delta by the last option.",
        epsilon_algebraic},
    {"T003-3.6-rho-o3", "line.rho_algebraic", "xi;eps;delta", "upper",
        VALID_RHO, "The largest rho that the last option certifies.",
        rho_algebraic},
    {"D003-B.2-logdelta-h", "line.log_delta_sharp", "xi;rho;eps", "upper",
        VALID_IN_REACH,
        "log delta at eps before the proof's last step: the "
        "sharpest from tails.",
        log_delta_sharp},
    {"D003-B.2-eps-h", "line.epsilon_sharp", "xi;rho;delta", "upper",
        VALID_AT_DELTA, "epsilon at delta by the sharp bound.", epsilon_sharp},
    {"D003-B.2-rho-h", "line.rho_sharp", "xi;eps;delta", "upper", VALID_RHO,
        "The largest rho that the sharp bound certifies.", rho_sharp},
    {"D003-B.2-delta-h-total", "line.delta_total", "xi;rho;eps", "upper",
        "rho >= 0, eps >= 0; xi + rho >= 0",
        "delta at any eps by the sharp bound.", delta_total},
    {"D003-B.2-eps-h-total", "line.epsilon_total", "xi;rho;delta", "upper",
        VALID_AT_DELTA, "epsilon at delta by the sharp bound, down to 0.",
        epsilon_total},
    {"T003-B.2-gauss-logdelta", "gaussian.log_delta_of_rho", "rho;eps", "exact",
        "rho > 0, eps >= 0",
        "log delta at eps of the Gaussian mechanism with this rho.",
        log_delta_gaussian},
    {"D003-8.4-logdelta", "line.log_delta_bounded", "m;xi;rho;eps", "upper",
        "rho >= 0, m > 1; xi + rho >= 0, eps >= xi + rho",
        "log delta when the line is known for orders below m only.",
        log_delta_bounded},
    {"T003-calib-sigma-35", "gaussian.sigma_simple", "eps;delta;Delta", "upper",
        VALID_SIGMA, "Gaussian noise for (eps, delta), readable form.",
        sigma_simple},
    {"T003-calib-sigma-o3", "gaussian.sigma_algebraic", "eps;delta;Delta",
        "upper", VALID_SIGMA,
        "Gaussian noise for (eps, delta) by the last option.", sigma_algebraic},
    {"D003-calib-sigma-h", "gaussian.sigma_sharp", "eps;delta;Delta", "upper",
        VALID_SIGMA, "Gaussian noise for (eps, delta) by the sharp bound.",
        sigma_sharp},
    {"X003-calib-sigma-exact", "gaussian.sigma_exact", "eps;delta;Delta",
        "helper", VALID_SIGMA, "Least Gaussian noise for (eps, delta).",
        sigma_exact},
    {"X003-cks-logdelta", "line.log_delta_best_order", "xi;rho;eps", "helper",
        VALID_IN_REACH,
        "log delta at eps by the best order, not only by tails.",
        log_delta_best},
    {"X003-ocr-merged-bad", "misread.merged", "rho;eps", "helper",
        VALID_MISREAD, "Two options read as one: not a bound.", misread_merged},
    {"X003-ocr-merged-gauss", "misread.merged_truth", "rho;eps", "helper",
        VALID_MISREAD, "The Gaussian delta that refutes it.", misread_gaussian},
    {"X003-ocr-numer1-bad", "misread.halved", "rho;eps", "helper",
        VALID_MISREAD, "The last option with numerator 1: not a bound.",
        misread_halved},
};

FORMULA_TABLE(formula_003_convert, rows);
