/*
 * Information that zCDP lets through, randomized response beside it, and
 * what it means for generalisation.
 */
#include "line_args.h"
#include "repr/information.h"

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
LINE_BALL(any_law_harmonic, line_read,
    information_bound_harmonic(line, rows_of(args)))
LINE_BALL(independent, line_read, information_bound_independent(line, ARG("n")))
LINE_BALL(blocks, line_read,
    ball_mul(ARG("m"), information_bound(line, formula_real(args, "l"))))
FORMULA_BALL(any_law_rho, information_bound(rho_line(args), rows_of(args)))
FORMULA_BALL(
    independent_rho, information_bound_independent(rho_line(args), ARG("n")))
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

#define VALID_N "rho >= 0, n >= 1, n whole"
#define VALID_LINE_N VALID_N "; xi + rho >= 0"
#define VALID_ACC "rho >= 0, alpha >= 0; xi + rho >= 0"

static const formula_row rows[] = {
    {"T003-6.1", "information.any_law", "xi;rho;n", "upper", VALID_LINE_N,
        "Mutual information with n rows of any law, in nats.", any_law},
    {"T003-6.1-H", "information.any_law_sharp", "xi;rho;n", "upper",
        VALID_LINE_N, "The same with the harmonic number.", any_law_harmonic},
    {"T003-6.2", "information.independent", "xi;rho;n", "upper", VALID_LINE_N,
        "Mutual information with n independent rows.", independent},
    {"T003-6.3", "information.blocks", "xi;rho;m;l", "upper",
        "rho >= 0, m >= 1, m whole, l >= 1, l whole; xi + rho >= 0",
        "Mutual information with m independent blocks of l rows.", blocks},
    {"T003-1.10", "information.any_law_rho", "rho;n", "upper", VALID_N,
        "Mutual information with n rows of any law under rho-zCDP.",
        any_law_rho},
    {"T003-1.10-indep", "information.independent_rho", "rho;n", "upper",
        VALID_N, "Mutual information with n independent rows, rho-zCDP.",
        independent_rho},
    {"D003-6.2-rr-mi", "information.response", "eps", "exact", "eps >= 0",
        "Nats that randomized response tells about a fair bit.", response},
    {"D003-6.1-rr-mi-copies", "information.copies", "eps;n", "exact",
        "eps >= 0, n >= 1, n whole",
        "The same for one fair bit copied into n rows.", copies},
    {"T003-C.1", "population.pinsker", "D1", "upper", "D1 >= 0",
        "Gap of the means of laws on [-1, 1], sqrt(2 D1).", pinsker},
    {"T003-C.2", "population.mean_gap", "xi;rho;Ef2", "upper",
        "rho >= 0, Ef2 >= 0; xi + rho >= 0",
        "Gap of the means of f on neighbours, given E[f^2].", gap_of_line},
    {"T003-C.2-d2", "population.mean_gap_d2", "D2;Ef2", "upper",
        "D2 >= 0, Ef2 >= 0",
        "Gap of the means of f, given E[f^2] and the divergence of order 2.",
        gap_of_d2},
    {"T003-C.3-M", "population.output_error", "alpha;xi;rho", "upper",
        VALID_ACC,
        "Error towards the population when alpha is that towards "
        "the sample.",
        population_output},
    {"T003-C.3-q", "population.sample_error", "alpha;xi;rho", "upper",
        VALID_ACC,
        "Distance of sample and population, such a mechanism "
        "given.",
        population_query},
    {"T003-7.5", "population.average_error", "alpha;xi;rho", "upper", VALID_ACC,
        "Any average is this close to one of n rows.", population_query},
};

FORMULA_TABLE(formula_003_information, rows);
