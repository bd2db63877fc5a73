/*
 * Mean-concentrated DP and zCDP, curves of (epsilon, delta) back to zCDP,
 * and the thresholded bit that separates the two notions.
 */
#include "line_args.h"
#include "repr/mean_concentrated.h"

/* ---- mCDP ---------------------------------------------------------------- */

FORMULA_BALL(xi_of_mcdp, mcdp_line(ARG("mu"), ARG("tau")).xi)
FORMULA_BALL(rho_of_mcdp, mcdp_line(ARG("mu"), ARG("tau")).rho)
LINE_BALL(mu_of_line, line_read, ball_add(line.xi, line.rho))
FORMULA_BALL(tau_crossover, ((void)args, mcdp_tau_crossover()))
FORMULA_BALL(variance_ratio, mcdp_variance_ratio(ARG("eps")))

/* In logarithms where e^a would leave the range. */
static dosi_interval tau_at(ball a, bool proof)
{
    if (a.hi > 600)
        return exp_or_above(proof ? mcdp_log_tau_proof(a) : mcdp_log_tau(a));
    return ball_interval(proof ? mcdp_tau_proof(a) : mcdp_tau(a));
}

LINE_INTERVAL(tau_of_line, line_read, tau_at(mcdp_exponent(line), false))
LINE_INTERVAL(tau_of_proof, line_read, tau_at(mcdp_exponent(line), true))

/* xi + 2 rho = mu + tau^2/2 */
FORMULA_INTERVAL(tau_roundtrip,
    tau_at(ball_add(ARG("mu"), ball_scale2(ball_sqr(ARG("tau")), -1)), false))

/* ---- Curves -------------------------------------------------------------- */

FORMULA_BALL(
    curve_xi_printed, curve_xi(ARG("xihat"), ARG("rhohat"), ball_of(5)))
FORMULA_BALL(
    curve_xi_proof, curve_xi(ARG("xihat"), ARG("rhohat"), curve_constant()))
FORMULA_BALL(curve_xi_opt, curve_xi_best(ARG("xihat"), ARG("rhohat")))
FORMULA_BALL(curve_rho, ball_scale2(ARG("rhohat"), -2))
FORMULA_BALL(curve_tail, curve_log_tail(ARG("rhohat"), ARG("t")))

/* ---- The thresholded bit ------------------------------------------------- */

static bit_release bit_of(const formula_args *args)
{
    return bit_release_of(ARG("sigma"), ARG("t"));
}

static ball bit_moment_of(const formula_args *args, ball lambda)
{
    bit_release bit = bit_of(args);
    return bit_log_moment(&bit, lambda);
}

static ball bit_mean_of(const formula_args *args)
{
    bit_release bit = bit_of(args);
    return bit_log_mean(&bit);
}

FORMULA_BALL(bit_p, bit_of(args).log_p)
FORMULA_BALL(bit_q, bit_of(args).log_q)
FORMULA_BALL(bit_mean, bit_mean_of(args))
FORMULA_INTERVAL(
    bit_moment, within(bit_moment_of(args, ARG("lambda")), 0, HUGE_VAL))
FORMULA_BALL(bit_allows, bit_allowed(ARG("sigma"), ARG("lambda")))
FORMULA_BALL(bit_crossover, ((void)args, bit_sigma_crossover()))

static dosi_status bit_violates(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball sigma = ARG("sigma"), t = ARG("t");
    ball cube = ball_mul(ball_sqr(sigma), sigma);
    if (ball_less(t, ball_add_d(ball_mul_d(cube, 6), 1)))
        return formula_domain(err,
            "needs t >= 6 sigma^3 + 1, got t = %.17g, sigma = %.17g", t.hi,
            sigma.hi);
    ball lambda = ball_scale2(t, -1);
    return give_verdict(
        out, bit_allowed(sigma, lambda), bit_moment_of(args, lambda), err);
}

/* Rows that hold for sigma <= t - 1 only. */
#define FAR_BIT(function, expression)                                          \
    static dosi_status function(                                               \
        dosi_interval *out, const formula_args *args, dosi_error *err)         \
    {                                                                          \
        ball sigma = ARG("sigma"), t = ARG("t");                               \
        if (ball_less(ball_sub_d(t, 1), sigma))                                \
            return formula_domain(err,                                         \
                "needs sigma <= t - 1, got sigma = %.17g, t = %.17g",          \
                sigma.hi, t.hi);                                               \
        return formula_give(out, (expression), err);                           \
    }

FAR_BIT(bit_p_lower, bit_log_p_lower(sigma, t))
FAR_BIT(bit_p_upper, bit_log_p_upper(sigma, t))
FAR_BIT(bit_ratio_lower, bit_loss_lower(sigma, t))

#define VALID_MCDP "mu >= 0, tau >= 0"
#define VALID_CURVE "0 <= xihat <= 1, 0 <= rhohat <= 1"
#define VALID_BIT "sigma > 0"
#define VALID_FAR_BIT "sigma > 0; sigma <= t - 1"

static const formula_row rows[] = {
    {"T003-4.2-xi", "mcdp.xi", "mu;tau", "upper", VALID_MCDP,
        "xi of (mu, tau)-mCDP, mu - tau^2/2; it may be negative.", xi_of_mcdp},
    {"T003-4.2-rho", "mcdp.rho", "mu;tau", "upper", VALID_MCDP,
        "rho of (mu, tau)-mCDP, tau^2/2.", rho_of_mcdp},
    {"T003-4.3-mu", "mcdp.mu_of_line", "xi;rho", "upper", VALID_LINE,
        "mu of (xi, rho)-zCDP, xi + rho.", mu_of_line},
    {"D003-4.3-tau", "mcdp.tau_of_line", "xi;rho", "upper", VALID_LINE,
        "tau of (xi, rho)-zCDP, for every xi and rho.", tau_of_line},
    {"D003-4.3-tau-proof", "mcdp.tau_of_line_proof", "xi;rho", "upper",
        VALID_LINE, "tau of (xi, rho)-zCDP as the proof gives it.",
        tau_of_proof},
    {"D003-4.3-roundtrip-tau", "mcdp.tau_roundtrip", "mu;tau", "upper",
        VALID_MCDP, "tau after (mu, tau)-mCDP went through zCDP.",
        tau_roundtrip},
    {"D003-4.3-crossover", "mcdp.tau_crossover", "", "exact", "",
        "Where the two branches of tau meet: e^a - 1 = 2 a.", tau_crossover},
    {"X003-4.3-varratio", "mcdp.variance_ratio", "eps", "helper", "eps > 0",
        "Variance over eps of a pair that refutes tau = "
        "O(sqrt(xi + 2 rho)).",
        variance_ratio},
    {"T003-3.7-xi", "curve.xi", "xihat;rhohat", "upper", VALID_CURVE,
        "xi when eps = xihat + sqrt(rhohat log(1/delta)) for every delta.",
        curve_xi_printed},
    {"T003-3.7-rho", "curve.rho", "xihat;rhohat", "upper", VALID_CURVE,
        "rho of that curve, rhohat/4.", curve_rho},
    {"T003-B.3-xi", "curve.xi_proof", "xihat;rhohat", "upper", VALID_CURVE,
        "xi of that curve with the proof's constant.", curve_xi_proof},
    {"D003-B.3-xi-opt", "curve.xi_best", "xihat;rhohat", "upper",
        "xihat >= 0, rhohat > 0",
        "xi of that curve with the best split of the tail.", curve_xi_opt},
    {"T003-B.3-logtail", "curve.log_tail", "rhohat;t", "upper",
        "rhohat > 0, t > 0",
        "log probability of a loss above xihat + t under that curve.",
        curve_tail},
    {"T003-A.1-logp", "bit.log_p", "sigma;t", "exact", VALID_BIT,
        "log probability that a noisy bit exceeds the threshold.", bit_p},
    {"T003-A.1-logq", "bit.log_q", "sigma;t", "exact", VALID_BIT,
        "log probability that it falls below minus the threshold.", bit_q},
    {"T003-A.1-logEZ", "bit.log_mean_loss", "sigma;t", "exact", VALID_BIT,
        "log of the mean loss of the thresholded bit.", bit_mean},
    {"T003-A.1-logmgf", "bit.log_moment", "sigma;t;lambda", "exact", VALID_BIT,
        "Centred log moment of that loss at lambda.", bit_moment},
    {"T003-A.1-allowed", "bit.allowed", "sigma;t;lambda", "exact", VALID_BIT,
        "What (2/sigma^2, 2/sigma)-mCDP allows there.", bit_allows},
    {"T003-A.1", "bit.violates_mcdp", "sigma;t", "exact",
        "sigma >= 1; t >= 6 sigma^3 + 1",
        "Whether lambda = t/2 shows that mCDP was lost: 1 or 0.", bit_violates},
    {"T003-A.2-logp-lo", "bit.log_p_lower", "sigma;t", "lower", VALID_FAR_BIT,
        "A bound of log p from below.", bit_p_lower},
    {"T003-A.2-logp-hi", "bit.log_p_upper", "sigma;t", "upper", VALID_FAR_BIT,
        "A bound of log p from above.", bit_p_upper},
    {"T003-A.2-logratio-lo", "bit.log_ratio_lower", "sigma;t", "lower",
        VALID_FAR_BIT, "log(p/q) is at least 2t/sigma^2.", bit_ratio_lower},
    {"X003-A.1-sigma-crossover", "bit.sigma_crossover", "", "helper", "",
        "From which sigma the proof's printed last step holds.", bit_crossover},
};

FORMULA_TABLE(formula_003_mcdp, rows);
