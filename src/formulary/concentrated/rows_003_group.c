/*
 * Group privacy of zCDP.
 */
#include "formulary/line_args.h"
#include "literature/zcdp_group.h"

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
FORMULA_BALL(group_harmonic, harmonic_number(size_of(args)))
FORMULA_BALL(epsilon_of_group_simple,
    cdp_epsilon(CDP_SIMPLE, group_line(args), LOG_DELTA))
FORMULA_BALL(epsilon_of_group_algebraic,
    cdp_epsilon(CDP_ALGEBRAIC, group_line(args), LOG_DELTA))
FORMULA_BALL(order_bound_of_group, ball_div(ARG("m"), ARG("k")))
FORMULA_BALL(vacuous_size, ball_div(ball_neg(LOG_DELTA), ARG("eps")))

FORMULA(group_approximate)
{
    double delta = formula_real(args, "delta");
    if (delta > 0)
        return formula_domain(err,
            "needs delta = 0, got delta = %.17g: approximate zCDP has no "
            "group bound, convert to (eps, delta) first",
            delta);
    return formula_give(out, group_line(args).rho, err);
}
