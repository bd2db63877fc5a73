/*
 * Chi-divergences, forward differences of moments, and the bounds of ternary
 * chi-divergences that amplification rests on. Values are logarithms where
 * they may leave the range.
 */
#include "formulary/formula.h"

#include "formulary/mech_args.h"
#include "renyi/without_replacement_renyi.h"

/* ---- Divergences ------------------------------------------------------- */

FORMULA(log_difference)
{
    chi_law law;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    if (fmod(formula_real(args, "l"), 2) == 1)
        return formula_domain(
            err, "needs an even l, got %g", formula_real(args, "l"));
    return formula_give(out, chi_log_xi(&law, ARG("l")), err);
}

MECH_BALL(log_chi, chi_log_xi(&law, ARG("alpha")))
MECH_BALL(chi_one, ball_exp(chi_log_xi(&law, ball_of(1))))
MECH_BALL(difference, chi_difference(&law, formula_real(args, "order")))

/* Means p, q and r, noise sigma. */
FORMULA(ternary)
{
    size_t n = 0;
    const char *name = formula_text(args, "mech", &n);
    if (n != 5 || name[0] != 'g' || name[1] != 'a')
        return dosi_fail(err, DOSI_EINVAL, "mech is gauss");
    ball sigma = ARG("sigma");
    return formula_give(out,
        chi_log_ternary(ball_div(ARG("p"), sigma), ball_div(ARG("q"), sigma),
            ball_div(ARG("r"), sigma), ARG("j")),
        err);
}

FORMULA(chi_six)
{
    chi_law law = chi_gaussian(ball_div(ARG("mu"), ARG("sigma")));
    return formula_give(out, chi_log_xi(&law, ball_of(6)), err);
}

FORMULA(log_chi_gaussian)
{
    chi_law law = chi_gaussian(ball_div(ARG("mu"), ARG("sigma")));
    return formula_give(out, chi_log_xi(&law, ARG("l")), err);
}

/* ---- Bounds of log zeta(j)^j ------------------------------------------- */

static ball zeta_hoelder(const chi_law *law, const formula_args *args, ball u)
{
    return wr_log_zeta_hoelder(law, formula_real(args, "j"), u);
}

/* A bound of the base at j. */
#define ZETA_ROW(function, reader, bound)                                      \
    FORMULA(function)                                                          \
    {                                                                          \
        chi_law law;                                                           \
        dosi_status status = reader(&law, args, err);                          \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        wr_base base = wr_base_of_law(&law);                                   \
        ball log_zeta = bound(&base, formula_real(args, "j"));                 \
        return formula_give(out, log_zeta, err);                               \
    }

ZETA_ROW(zeta_moment, mech_read, wr_log_zeta_moment)
ZETA_ROW(zeta_pure, mech_read_pure, wr_log_zeta_pure)
ZETA_ROW(zeta_general, mech_read, wr_log_zeta_general)
ZETA_ROW(zeta_consistent, mech_read, wr_log_zeta_consistent)
MECH_BALL(zeta_chi, wr_log_zeta_chi(&law, formula_real(args, "j")))
MECH_BALL(zeta_squares, zeta_hoelder(&law, args, ball_of(2)))
MECH_PURE_BALL(zeta_one, zeta_hoelder(&law, args, ball_of(1)))

FORMULA(zeta_u)
{
    chi_law law;
    dosi_status status = formula_real(args, "u") > 1
                             ? mech_read(&law, args, err)
                             : mech_read_pure(&law, args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, zeta_hoelder(&law, args, ARG("u")), err);
}

/* ---- From chi-divergence to (epsilon, delta) --------------------------- */

/* (s - 1) log(s - 1) - s log s */
static ball log_shape(ball s)
{
    ball t = ball_sub_d(s, 1);
    return ball_sub(ball_mul(t, ball_log(t)), ball_mul(s, ball_log(s)));
}

/* xi^s (s-1)^(s-1) / (s^s (e^eps - 1)^(s-1)) */
static ball delta_of_chi(const chi_law *law, ball s, ball eps)
{
    ball x = ball_add(chi_log_xi(law, s), log_shape(s));
    ball gap = ball_mul(ball_sub_d(s, 1), ball_logexpm1(eps));
    return ball_exp(ball_sub(x, gap));
}

/* log(1 + (xi^s (s-1)^(s-1)/(s^s delta))^(1/(s-1))) */
static ball epsilon_of_chi(const chi_law *law, ball s, ball delta)
{
    ball x = ball_add(chi_log_xi(law, s), log_shape(s));
    x = ball_div(ball_sub(x, ball_log(delta)), ball_sub_d(s, 1));
    return ball_log1pexp(x);
}

/* (xi/(e^eps - 1))^s */
static ball printed_delta(const chi_law *law, ball s, ball eps)
{
    ball gap = ball_mul(s, ball_logexpm1(eps));
    return ball_exp(ball_sub(chi_log_xi(law, s), gap));
}

/* log(1 + xi delta^(-1/s)) */
static ball printed_epsilon(const chi_law *law, ball s, ball delta)
{
    ball x = ball_sub(chi_log_xi(law, s), ball_log(delta));
    return ball_log1pexp(ball_div(x, s));
}

MECH_BALL(to_delta, delta_of_chi(&law, ARG("alpha"), ARG("eps")))
MECH_BALL(to_epsilon, epsilon_of_chi(&law, ARG("alpha"), ARG("delta")))
MECH_BALL(to_delta_printed, printed_delta(&law, ARG("alpha"), ARG("eps")))
MECH_BALL(to_epsilon_printed, printed_epsilon(&law, ARG("alpha"), ARG("delta")))

/* ---- A step of the proof ----------------------------------------------- */

/* (j^2 - j) x^j/y^(j+1) (1 + y^2/x^2) */
static ball eigenvalue(ball j, ball x, ball y)
{
    ball front = ball_sub(ball_sqr(j), j);
    ball powers = ball_sub(
        ball_mul(j, ball_log(x)), ball_mul(ball_add_d(j, 1), ball_log(y)));
    ball rest = ball_add_d(ball_sqr(ball_div(y, x)), 1);
    return ball_mul(ball_mul(front, ball_exp(powers)), rest);
}

FORMULA_BALL(hessian, eigenvalue(ARG("j"), ARG("x"), ARG("y")))
