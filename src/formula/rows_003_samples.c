/*
 * How many rows: lower bounds for zCDP, the mechanisms that match them, and
 * pure DP out of zCDP.
 */
#include "line_args.h"
#include "repr/renyi.h"
#include "repr/sample_size.h"

#define LOG_T ball_log(ARG("T"))
#define LOG_T_OVER_BETA ball_sub(LOG_T, ball_log(ARG("beta")))

/* ---- Packings ------------------------------------------------------------ */

static dosi_status packing_rows(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    cdp_line line = {ARG("xi"), ARG("rho")};
    if (ball_is_zero(line.xi) && ball_is_zero(line.rho))
        return formula_domain(err, "needs xi > 0 or rho > 0, got both 0");
    ball nats = packing_information(ARG("T"), ARG("beta"));
    return formula_give_interval(
        out, within(rows_of_information(line, nats), 0, HUGE_VAL), err);
}

static dosi_interval rows_by_rho(const formula_args *args, ball nats)
{
    cdp_line line = {ball_of(0), ARG("rho")};
    return within(rows_of_information(line, nats), 0, HUGE_VAL);
}

FORMULA_INTERVAL(marginal_rows,
    rows_by_rho(args, packing_information_cube(ARG("d"), ARG("beta"))))

static dosi_status fano_rows(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball size = ARG("T"), beta = ARG("beta");
    /* beta T <= T - 1 */
    if (ball_less(ball_sub_d(size, 1), ball_mul(beta, size)))
        return formula_domain(err,
            "needs beta <= 1 - 1/T, got beta = %.17g, T = %.17g", beta.hi,
            size.hi);
    return formula_give_interval(
        out, rows_by_rho(args, packing_information_fano(size, beta)), err);
}

/* ---- Histograms ---------------------------------------------------------- */

FORMULA_INTERVAL(hist_rows,
    within(histogram_rows(ARG("alpha"), ARG("rho"), LOG_T), 0, HUGE_VAL))
FORMULA_INTERVAL(hist_rows_best,
    histogram_rows_best(formula_real(args, "alpha"), ARG("rho"), LOG_T))
FORMULA_BALL(
    hist_rows_order, histogram_rows_order(ARG("alpha"), ARG("rho"), LOG_T))

/* sqrt(2 log(T/beta)), and as printed sqrt(log(T/beta)) */
static ball deviations(const formula_args *args, int printed)
{
    return ball_sqrt(ball_scale2(LOG_T_OVER_BETA, printed ? 0 : 1));
}

static ball radius_of(const formula_args *args, int printed)
{
    return ball_div(deviations(args, printed), ball_sqrt(ARG("rho")));
}

FORMULA_BALL(radius, radius_of(args, 0))
FORMULA_BALL(radius_printed, radius_of(args, 1))
FORMULA_INTERVAL(
    miss, within(histogram_miss(ARG("T"), deviations(args, 0)), 0, 1))
FORMULA_INTERVAL(
    miss_printed, within(histogram_miss(ARG("T"), deviations(args, 1)), 0, 1))
FORMULA_BALL(radius_log_tail,
    ball_sub(
        LOG_T, ball_scale2(ball_mul(ARG("rho"), ball_sqr(ARG("lambda"))), -1)))
FORMULA_BALL(rows_enough, ball_scale2(radius_of(args, 0), 1))

/* ---- Marginals and bits -------------------------------------------------- */

FORMULA_BALL(marginal_variance,
    ball_scale2(
        ball_div(ball_div(ARG("d"), ball_sqr(ARG("n"))), ARG("rho")), -1))
FORMULA_BALL(response_correlation, ball_tanh(ball_scale2(ARG("eps"), -1)))
FORMULA_BALL(sign_sd, ball_sqrt(ball_div(ball_of(2), ARG("rho"))))
FORMULA_BALL(sign_eps, sign_epsilon(ARG("rho")))
FORMULA_BALL(sign_corr, sign_correlation(ARG("rho")))
/* eps tanh(eps/2), where tanh(eps/2) is the correlation */
FORMULA_BALL(
    sign_rho, ball_mul(sign_epsilon(ARG("rho")), sign_correlation(ARG("rho"))))

/* ---- Pure DP from zCDP --------------------------------------------------- */

/* Relative slack of conditions such as rho <= alpha^2 on rounded inputs. */
#define SLACK 0x1p-50

static dosi_status read_source(
    cdp_line *line, const formula_args *args, dosi_error *err)
{
    *line = (cdp_line){ARG("xi"), ARG("rho")};
    ball most = ball_mul_d(ball_sqr(ARG("alpha")), 1 + SLACK);
    if (ball_less_equal(line->xi, most) && ball_less_equal(line->rho, most))
        return DOSI_OK;
    return formula_domain(err,
        "needs xi <= alpha^2 and rho <= alpha^2, got xi = %.17g, "
        "rho = %.17g, alpha = %.17g",
        line->xi.hi, line->rho.hi, formula_real(args, "alpha"));
}

static ball pure_rows_of(cdp_line line, const formula_args *args)
{
    return pure_rows(line, formula_real(args, "n"), ARG("alpha"), ARG("eps"));
}

/* 10 alpha + 4 log(1/beta) / (eps n') */
static ball pure_radius_of(cdp_line line, const formula_args *args)
{
    ball rows = ball_mul(ARG("eps"), pure_rows_of(line, args));
    ball tail = ball_scale2(ball_log(ARG("beta")), 2);
    return ball_sub(ball_mul_d(ARG("alpha"), 10), ball_div(tail, rows));
}

/* 2 (xi n (1 + log n) + rho n^2 + log 2), from pure_rows without its 4/x */
static ball pure_net_of(cdp_line line, const formula_args *args)
{
    ball sum = pure_rows(line, formula_real(args, "n"), ball_of(4), ball_of(1));
    sum = ball_add(ball_sub_d(sum, 1), ball_ln2());
    return ball_scale2(sum, 1);
}

LINE_BALL(pure_size, read_source, pure_rows_of(line, args))
LINE_BALL(pure_radius, read_source, pure_radius_of(line, args))
LINE_BALL(pure_net, read_source, pure_net_of(line, args))

static dosi_status pure_size_simple(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball n = ARG("n"), alpha = ARG("alpha");
    if (ball_less(ball_mul_d(ball_mul(alpha, n), 1 + SLACK), ball_of(1)))
        return formula_domain(err,
            "needs alpha >= 1/n, got alpha = %.17g, n = %.17g", alpha.hi, n.hi);
    return formula_give(out, ball_mul_d(ball_sqr(n), 5), err);
}

/* 4 n^2 + 4 / alpha^2 */
FORMULA_BALL(pure_size_general,
    ball_scale2(ball_add(ball_sqr(ARG("n")),
                    ball_div(ball_of(1), ball_sqr(ARG("alpha")))),
        2))

FORMULA_INTERVAL(lattice, iv_point(lattice_net(formula_real(args, "n"),
                              formula_real(args, "radius"))))

/* ---- The exponential mechanism ------------------------------------------- */

/* 2 Delta / eps */
static ball choice_unit(const formula_args *args)
{
    return ball_div(ball_scale2(ARG("Delta"), 1), ARG("eps"));
}

static ball choice_scale(const formula_args *args)
{
    return ball_div(ARG("eps"), ball_scale2(ARG("Delta"), 1));
}

FORMULA_BALL(choice_excess, ball_mul(choice_unit(args), LOG_T_OVER_BETA))
FORMULA_BALL(choice_mean_excess, ball_mul(choice_unit(args), LOG_T))

static dosi_status choice_chance(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const double *loss = formula_list(args, "loss", &n);
    double i = formula_real(args, "i");
    if (!(i < (double)n))
        return formula_domain(err,
            "needs i below the number of losses, got i = %.17g of %zu", i, n);
    ball chance = choice_probability(loss, n, choice_scale(args), (size_t)i);
    return formula_give_interval(out, within(chance, 0, 1), err);
}

static dosi_status choice_mean(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const double *loss = formula_list(args, "loss", &n);
    return formula_give(
        out, choice_mean_loss(loss, n, choice_scale(args)), err);
}

/* sqrt(k / (pi rho)) / n */
FORMULA_BALL(gaussian_l1,
    ball_div(ball_sqrt(ball_div(ARG("k"), ball_mul(ball_pi(), ARG("rho")))),
        ARG("n")))

#define VALID_HIST "T >= 1, rho > 0, 0 < beta < 1"
#define VALID_SOURCE "n >= 1, n whole, alpha > 0, eps > 0, rho >= 0, xi >= 0"
#define SOURCE_LIMITS                                                          \
    "; xi <= alpha^2 and rho <= alpha^2, up to 4 units in the last place"

static const formula_row rows[] = {
    {"T003-7.4-n", "rows.packing", "T;beta;xi;rho", "lower",
        "T >= 1, 0 <= beta < 1, xi >= 0, rho >= 0; xi > 0 or rho > 0",
        "Rows needed to tell T far answers apart.", packing_rows},
    {"D003-7.4-n-fano", "rows.packing_fano", "T;beta;rho", "lower",
        "T >= 2, 0 <= beta < 1, rho > 0; beta <= 1 - 1/T",
        "The same by Fano's inequality, stronger.", fano_rows},
    {"D003-7.4-marginals-n", "rows.marginals", "d;beta;rho", "lower",
        "d >= 1, d whole, 0 <= beta < 1, rho > 0",
        "Rows needed for d one-way marginals to within 1/2.", marginal_rows},
    {"D003-6.4-n", "rows.histogram", "alpha;rho;T", "lower",
        "0 < alpha <= 0.1, rho > 0, T >= 1",
        "Rows needed for a histogram of expected error alpha.", hist_rows},
    {"D003-6.4-n-opt", "rows.histogram_best", "alpha;rho;T", "lower",
        "0 < alpha < 0.5, rho > 0, T >= 1",
        "The same with the best number of blocks.", hist_rows_best},
    {"T003-6.4", "rows.histogram_order", "alpha;rho;T", "approximate",
        "0 < alpha < 1, rho > 0, T >= 1",
        "The order of these, without a constant.", hist_rows_order},
    {"T003-6.ex1-var", "marginals.noise_variance", "d;n;rho", "exact",
        "d >= 1, d whole, n >= 1, n whole, rho > 0",
        "Gaussian variance per marginal that costs rho.", marginal_variance},
    {"T003-6.ex2-radius", "histogram.error", "T;rho;beta", "upper", VALID_HIST,
        "Largest error of a noisy histogram but for "
        "probability beta.",
        radius},
    {"T003-6.ex2-logtail", "histogram.log_tail", "T;rho;lambda", "upper",
        "T >= 1, rho >= 0, lambda >= 0",
        "log probability that some error exceeds lambda.", radius_log_tail},
    {"T003-6.ex2-exactprob", "histogram.miss", "T;rho;beta", "exact",
        VALID_HIST, "Exact probability to exceed that error.", miss},
    {"X003-6.ex2-radius-printed", "misread.histogram_error", "T;rho;beta",
        "helper", VALID_HIST,
        "The error without its factor sqrt 2: not a "
        "bound.",
        radius_printed},
    {"X003-6.ex2-exactprob-printed", "misread.histogram_miss", "T;rho;beta",
        "helper", VALID_HIST, "The probability to exceed it: far above beta.",
        miss_printed},
    {"D003-6.ex2-nupper", "histogram.rows_enough", "T;beta;rho", "upper",
        VALID_HIST,
        "Rows with which a noisy histogram finds a constant "
        "data set.",
        rows_enough},
    {"T003-6.ex3-rr-corr", "response.correlation", "eps", "exact", "eps >= 0",
        "Correlation of randomized response with its input.",
        response_correlation},
    {"T003-6.ex3-sign-sd", "sign.noise", "rho", "upper", "rho > 0",
        "Deviation of the noise before the sign is taken.", sign_sd},
    {"D003-6.ex3-sign-eps", "sign.epsilon", "rho", "exact", "rho > 0",
        "Pure epsilon of the noisy sign of +-1.", sign_eps},
    {"D003-6.ex3-sign-rho", "sign.rho", "rho", "exact", "rho > 0",
        "The least rho of that sign, below what it was given.", sign_rho},
    {"D003-6.ex3-sign-corr", "sign.correlation", "rho", "exact", "rho > 0",
        "Correlation of that sign with its input.", sign_corr},
    {"T003-7.1-nprime", "pure_from_zcdp.rows", "n;alpha;eps;rho;xi", "upper",
        VALID_SOURCE SOURCE_LIMITS,
        "Rows with which an eps-DP mechanism does as well: it exists.",
        pure_size},
    {"T003-7.1-radius", "pure_from_zcdp.error", "n;alpha;eps;rho;xi;beta",
        "upper", VALID_SOURCE ", 0 < beta < 1" SOURCE_LIMITS,
        "Its error but for probability beta.", pure_radius},
    {"T003-7.1-logTmax", "pure_from_zcdp.log_net", "n;alpha;eps;rho;xi",
        "upper", VALID_SOURCE SOURCE_LIMITS, "log of the size of its net.",
        pure_net},
    {"T003-1.11-nprime", "pure_from_zcdp.rows_simple", "n;alpha", "upper",
        "n >= 1, n whole, alpha > 0; alpha >= 1/n",
        "5 n^2 rows for eps = alpha from rho = alpha^2.", pure_size_simple},
    {"D003-1.11-nprime-via-7.1", "pure_from_zcdp.rows_general", "n;alpha",
        "upper", "n >= 1, n whole, alpha > 0",
        "The same rows by the general theorem, 4 n^2 + 4/alpha^2.",
        pure_size_general},
    {"T003-7.2-lattice", "net.lattice", "n;radius", "exact",
        "n >= 1, n whole, radius >= 0",
        "Points of the greedy net of {0, 1/n, ..., 1}.", lattice},
    {"T003-7.3-hp", "choice.excess", "T;beta;Delta;eps", "upper",
        "T >= 1, 0 < beta < 1, Delta >= 0, eps > 0",
        "Excess loss of the exponential mechanism but for probability "
        "beta.",
        choice_excess},
    {"T003-7.3-mean", "choice.mean_excess", "T;Delta;eps", "upper",
        "T >= 1, Delta >= 0, eps > 0",
        "Mean excess loss of the exponential mechanism.", choice_mean_excess},
    {"T003-7.3-prob", "choice.probability", "loss[];Delta;eps;i", "exact",
        "Delta > 0, eps >= 0, i >= 0, i whole; i counts from 0",
        "Probability of choice i under the exponential mechanism.",
        choice_chance},
    {"D003-7.3-exactmean", "choice.mean_loss", "loss[];Delta;eps", "exact",
        "Delta > 0, eps >= 0", "Mean loss of the exponential mechanism.",
        choice_mean},
    {"D003-7.gauss-l1", "gaussian.mean_error_l1", "k;n;rho", "exact",
        "k >= 1, k whole, n >= 1, n whole, rho > 0",
        "Mean error per answer of k means with Gaussian noise.", gaussian_l1},
};

FORMULA_TABLE(formula_003_samples, rows);
