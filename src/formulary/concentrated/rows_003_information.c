/*
 * Mutual information under zCDP and of randomized response, and its
 * consequences for generalisation.
 */
#include "formulary/line_args.h"
#include "literature/mutual_information.h"
#include "literature/zcdp_group.h"

static double rows_of(const formula_args *args)
{
    return formula_real(args, "n");
}

/* rho alone, as a line. */
static cdp_line rho_line(const formula_args *args)
{
    return (cdp_line){ball_of(0), ARG("rho")};
}

LINE_BALL(any_law, line_read, information_bound(line, rows_of(args)))

/* with the harmonic number in place of 1 + log n */
static ball harmonic_bound(cdp_line line, double n)
{
    cdp_line group = zcdp_group(line, n);
    return ball_add(group.xi, group.rho);
}

LINE_BALL(any_law_harmonic, line_read, harmonic_bound(line, rows_of(args)))
LINE_BALL(
    independent, line_read, ball_mul(ball_add(line.xi, line.rho), ARG("n")))
LINE_BALL(blocks, line_read,
    ball_mul(ARG("m"), information_bound(line, formula_real(args, "l"))))
FORMULA_BALL(any_law_rho, information_bound(rho_line(args), rows_of(args)))
FORMULA_BALL(independent_rho, ball_mul(ARG("rho"), ARG("n")))
FORMULA_BALL(response, information_of_response(ARG("eps")))
FORMULA_INTERVAL(
    copies, within(information_of_copies(ARG("eps"), rows_of(args)), 0, 1))

/* ---- Generalisation ------------------------------------------------------ */

static ball pinsker_gap(ball d1)
{
    return ball_sqrt(ball_scale2(d1, 1));
}

/* times acc, plus sqrt(2 (xi + rho)) */
static ball population_gap(cdp_line line, const formula_args *args, int times)
{
    ball acc = ball_mul_d(ARG("alpha"), times);
    return ball_add(acc, pinsker_gap(ball_add(line.xi, line.rho)));
}

FORMULA_BALL(pinsker, pinsker_gap(ARG("D1")))
/* sqrt(E[f^2] (e^d2 - 1)) */
static dosi_interval mean_gap(const formula_args *args, ball d2)
{
    ball square = ARG("Ef2");
    if (ball_is_zero(square))
        return iv_point(0);
    if (d2.hi > 600)
        return exp_or_above(
            ball_scale2(ball_add(ball_log(square), ball_logexpm1(d2)), -1));
    return ball_interval(ball_sqrt(ball_mul(square, ball_expm1(d2))));
}

FORMULA_INTERVAL(gap_of_d2, mean_gap(args, ARG("D2")))
LINE_INTERVAL(
    gap_of_line, line_read, mean_gap(args, cdp_divergence(line, ball_of(2))))
LINE_BALL(population_output, line_read, population_gap(line, args, 1))
LINE_BALL(population_query, line_read, population_gap(line, args, 2))
