/*
 * Chi-divergences, forward differences of moments, and the bounds of ternary
 * chi-divergences that amplification rests on. Values are logarithms where
 * they may leave the range.
 */
#include "formula.h"

#include "mech_args.h"
#include "repr/without_replacement.h"

/* ---- Divergences ------------------------------------------------------- */

static dosi_status log_difference(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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
static dosi_status ternary(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status chi_six(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    chi_law law = chi_gaussian(ball_div(ARG("mu"), ARG("sigma")));
    return formula_give(out, chi_log_xi(&law, ball_of(6)), err);
}

static dosi_status log_chi_gaussian(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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
    static dosi_status function(                                               \
        dosi_interval *out, const formula_args *args, dosi_error *err)         \
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

static dosi_status zeta_u(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

#define WHOLE_J VALID_MECH ", j >= 2, j whole, j <= 10000000"
#define TAIL VALID_MECH ", alpha > 1, eps > 0"
#define AT_DELTA VALID_MECH ", alpha > 1, 0 < delta < 1"

static const formula_row rows[] = {
    {"D002-18.logB", "chi.log_difference", MECH ";l", "exact",
        VALID_MECH ", l >= 2, l whole; l even",
        "log of the forward difference B(l) of the moments, l even.",
        log_difference},
    {"Q002-3.1.logchi", "chi.log_divergence", MECH ";alpha", "exact",
        VALID_MECH ", alpha >= 1",
        "log of the chi-divergence E|p/q - 1|^alpha, any real order.", log_chi},
    {"X002-D.chi1", "chi.order_one", MECH, "exact", VALID_MECH,
        "E|p/q - 1|, twice the total variation.", chi_one},
    {"L002-27.logchi6", "chi.log_gaussian_six", "sigma;mu", "exact",
        "sigma > 0, mu > 0",
        "log of the chi-divergence of order 6 of Gaussians mu apart.", chi_six},
    {"L002-27.logchi", "chi.log_gaussian", "sigma;mu;l", "exact",
        "sigma > 0, mu > 0, l >= 1",
        "log of the chi-divergence of order l of Gaussians mu apart.",
        log_chi_gaussian},
    {"Q002-3.3.diff", "chi.difference", MECH ";order", "exact",
        VALID_MECH ", 0 <= order <= 100000, order whole",
        "Forward difference of the moments, E(p/q - 1)^order.", difference},
    {"D002-11.logtern", "chi.log_ternary", "mech{};sigma;p;q;r;j", "exact",
        "sigma > 0, j >= 1",
        "log of the ternary chi-divergence of Gaussians with means p, q, r.",
        ternary},
    {"L002-15.logzeta_flagged", "chi.log_zeta_consistent", MECH ";j", "upper",
        WHOLE_J,
        "log of 4 sqrt(B(2 floor(j/2)) B(2 ceil(j/2))), above zeta(j)^j.",
        zeta_consistent},
    {"L002-15.logzeta", "chi.log_zeta_chi", MECH ";j", "upper", WHOLE_J,
        "log of 4 xi(j)^j, above zeta(j)^j.", zeta_chi},
    {"L002-16.logzeta", "chi.log_zeta_moment", MECH ";j", "upper", WHOLE_J,
        "log of 2 m(j), above zeta(j)^j.", zeta_moment},
    {"L002-17.logzeta", "chi.log_zeta_pure", MECH ";j", "upper",
        WHOLE_J "; eps(inf) finite",
        "log of m(j) (e^eps(inf) - 1)^j, above zeta(j)^j.", zeta_pure},
    {"T002-9.logzeta", "chi.log_zeta_general", MECH ";j", "upper", WHOLE_J,
        "What Theorem 9 takes for log zeta(j)^j.", zeta_general},
    {"R002-30.logzeta", "chi.log_zeta_squares", MECH ";j", "upper", WHOLE_J,
        "log of sqrt(m(2j-1) B(2j)), above zeta(j)^j.", zeta_squares},
    {"X002-29a.logzeta", "chi.log_zeta_one", MECH ";j", "upper",
        WHOLE_J "; eps(inf) finite",
        "log of e^((j-1) eps(inf)) xi(j)^j, above zeta(j)^j.", zeta_one},
    {"L002-29.logzeta", "chi.log_zeta_hoelder", MECH ";j;u", "upper",
        WHOLE_J ", u >= 1; u = 1 with eps(inf) finite",
        "Hölder's bound of log zeta(j)^j with exponent u.", zeta_u},
    {"L002-28.corrected_delta", "chi.delta", MECH ";alpha;eps", "upper", TAIL,
        "delta at eps from one chi-divergence.", to_delta},
    {"L002-28.corrected_eps", "chi.epsilon", MECH ";alpha;delta", "upper",
        AT_DELTA, "epsilon at delta from one chi-divergence.", to_epsilon},
    {"L002-28.printed_delta", "chi.delta_printed", MECH ";alpha;eps", "helper",
        TAIL,
        "As printed, false unless e^eps - 1 <= s^s/(s-1)^(s-1), s = alpha.",
        to_delta_printed},
    {"L002-28.eps_from_printed_delta", "chi.epsilon_printed",
        MECH ";alpha;delta", "helper", AT_DELTA,
        "Inverse of chi.delta_printed; false where that is.",
        to_epsilon_printed},
    {"L002-13.eig", "chi.hessian", "j;x;y", "helper", "j > 1, x > 0, y > 0",
        "Positive eigenvalue of the Hessian of x^j/y^(j-1).", hessian},
};

FORMULA_TABLE(formula_002_chi, rows);
