/*
 * Group privacy of zCDP.
 */
#include "line_args.h"
#include "repr/zcdp_group.h"

#define LOG_DELTA ball_log(ARG("delta"))

static double size_of(const formula_args *args)
{
    return formula_real(args, "k");
}

/* rho k^2 as a line of its own. */
static cdp_line group_line(const formula_args *args)
{
    cdp_line line = {ball_of(0), ARG("rho")};
    return zcdp_group(line, size_of(args));
}

static ball group_xi(const formula_args *args)
{
    cdp_line line = {ARG("xi"), ball_of(0)};
    return zcdp_group(line, size_of(args)).xi;
}

FORMULA_BALL(rho_of_group, group_line(args).rho)
FORMULA_BALL(xi_of_group, group_xi(args))
FORMULA_BALL(xi_of_group_log, ball_is_zero(ARG("xi"))
                                  ? ball_of(0)
                                  : zcdp_group_xi_simple(ARG("xi"), ARG("k")))
FORMULA_BALL(xi_of_group_pure, ball_mul(ARG("xi"), ARG("k")))
FORMULA_BALL(harmonic, harmonic_number(size_of(args)))
FORMULA_BALL(epsilon_of_group_simple,
    cdp_epsilon(CDP_SIMPLE, group_line(args), LOG_DELTA))
FORMULA_BALL(epsilon_of_group_algebraic,
    cdp_epsilon(CDP_ALGEBRAIC, group_line(args), LOG_DELTA))
FORMULA_BALL(order_bound_of_group, ball_div(ARG("m"), ARG("k")))
FORMULA_BALL(vacuous_size, ball_div(ball_neg(LOG_DELTA), ARG("eps")))

static dosi_status group_approximate(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    double delta = formula_real(args, "delta");
    if (delta > 0)
        return formula_domain(err,
            "needs delta = 0, got delta = %.17g: approximate zCDP has no "
            "group bound, convert to (eps, delta) first",
            delta);
    return formula_give(out, group_line(args).rho, err);
}

#define VALID_K "k >= 1, k whole"

static const formula_row rows[] = {
    {"T003-1.9", "group.rho", "rho;k", "upper", "rho >= 0, " VALID_K,
        "rho of a group of k, k^2 rho; tight for Gaussian noise.",
        rho_of_group},
    {"T003-5.3-xi", "group.xi", "xi;k", "upper", "xi >= 0, " VALID_K,
        "xi of a group of k, xi k (1 + 1/2 + ... + 1/k).", xi_of_group},
    {"T003-5.3-xi-log", "group.xi_simple", "xi;k", "upper", "xi >= 0, " VALID_K,
        "The weaker xi k (1 + log k).", xi_of_group_log},
    {"T003-5.3-xi-pure", "group.xi_pure", "xi;k", "upper", "xi >= 0, " VALID_K,
        "xi of a group of k when rho = 0: pure DP.", xi_of_group_pure},
    {"D003-5.3-xi-neg", "group.xi_negative", "xi;k", "upper",
        "xi < 0, " VALID_K, "xi of a group of k for negative xi, k xi.",
        xi_of_group_pure},
    {"T003-5.3-Hk", "group.harmonic", "k", "exact", VALID_K,
        "1 + 1/2 + ... + 1/k.", harmonic},
    {"T003-1.9-eps-35", "group.epsilon_simple", "rho;k;delta", "upper",
        "rho >= 0, k >= 1, k whole, 0 < delta < 1",
        "epsilon at delta of a group of k, readable form.",
        epsilon_of_group_simple},
    {"T003-1.9-eps-o3", "group.epsilon_algebraic", "rho;k;delta", "upper",
        "rho >= 0, k >= 1, k whole, 0 < delta < 1",
        "epsilon at delta of a group of k by the last option.",
        epsilon_of_group_algebraic},
    {"D003-8.4-group-m", "group.order_bound", "m;k", "upper",
        "1 <= k < m, k whole",
        "A line known for orders below m holds for groups below m/k.",
        order_bound_of_group},
    {"T003-8.1-group", "group.rho_approximate", "delta;rho;k", "upper",
        "0 <= delta < 1, rho >= 0, k >= 1, k whole; delta = 0",
        "rho of a group of k; refused for approximate zCDP.",
        group_approximate},
    {"T003-dp-vacuous", "group.vacuous_size", "eps;delta", "approximate",
        "eps > 0, 0 < delta < 1",
        "Size of groups for which (eps, delta)-DP says nothing.", vacuous_size},
};

FORMULA_TABLE(formula_003_group, rows);
