/*
 * Sample sizes: lower bounds for zCDP, the mechanisms that match them, and
 * pure DP out of zCDP.
 */
#include "formulary/line_args.h"
#include "renyi/renyi.h"
#include "literature/mutual_information.h"
#include "literature/sample_size.h"
#include "special/special.h"

#define LOG_T ball_log(ARG("T"))
#define LOG_T_OVER_BETA ball_sub(LOG_T, ball_log(ARG("beta")))

/* ---- Packings ------------------------------------------------------------ */

FORMULA(packing_rows)
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

/* ((1 - beta) d - 1) log 2, packing_information of 2^d points */
static ball cube_information(const formula_args *args)
{
    ball share = ball_sub(ball_of(1), ARG("beta"));
    ball bits = ball_sub_d(ball_mul(share, ARG("d")), 1);
    return ball_mul(ball_max(bits, ball_of(0)), ball_ln2());
}

FORMULA_INTERVAL(marginal_rows, rows_by_rho(args, cube_information(args)))

FORMULA(fano_rows)
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

/* The bound of histogram_rows_best at m = 1/(10 alpha). */
static ball tenth_rows(const formula_args *args)
{
    ball tenth = ball_mul_d(ARG("alpha"), 10);
    ball m = ball_div(ball_of(1), tenth);
    ball share = ball_div_d(ball_scale2(LOG_T, 2), 5);
    ball nats = ball_mul(m, ball_sub(share, ball_log(m)));
    nats = ball_max(ball_sub(nats, ball_ln2()), ball_of(0));
    return ball_sqrt(ball_div(ball_div(nats, ARG("rho")), tenth));
}

/* sqrt(log(alpha^2 T)/(rho alpha^2)) */
static ball rows_order(const formula_args *args)
{
    ball top = ball_add(ball_scale2(ball_log(ARG("alpha")), 1), LOG_T);
    ball square = ball_div(ball_max(top, ball_of(0)), ARG("rho"));
    return ball_div(ball_sqrt(square), ARG("alpha"));
}

FORMULA_INTERVAL(hist_rows, within(tenth_rows(args), 0, HUGE_VAL))
FORMULA_INTERVAL(hist_rows_best,
    histogram_rows_best(formula_real(args, "alpha"), ARG("rho"), LOG_T))
FORMULA_BALL(hist_rows_order, rows_order(args))

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

/* The correlation of the sign with its bit, P[right] - P[wrong] =
 * erf(sqrt(rho)/2). */
static ball sign_correlation(ball rho)
{
    return ball_erf(ball_scale2(ball_sqrt(rho), -1));
}

/* log((1 + c)/(1 - c)), c the correlation */
static ball sign_epsilon(ball rho)
{
    ball s = ball_sqrt(ball_scale2(rho, -1)), c = sign_correlation(rho);
    if (s.hi >= 1)
        return ball_sub(ball_log_normal_cdf(s), ball_log_normal_sf(s));
    return ball_log1p(ball_div(ball_scale2(c, 1), ball_sub(ball_of(1), c)));
}

FORMULA_BALL(sign_eps, sign_epsilon(ARG("rho")))
FORMULA_BALL(sign_corr, sign_correlation(ARG("rho")))
/* eps tanh(eps/2), where tanh(eps/2) is the correlation */
FORMULA_BALL(
    sign_rho, ball_mul(sign_epsilon(ARG("rho")), sign_correlation(ARG("rho"))))

/* ---- Pure DP from zCDP --------------------------------------------------- */

/* Relative slack of conditions such as rho <= alpha^2 on rounded inputs. */
#define INPUT_SLACK 0x1p-50

static dosi_status read_source(
    cdp_line *line, const formula_args *args, dosi_error *err)
{
    *line = (cdp_line){ARG("xi"), ARG("rho")};
    ball most = ball_mul_d(ball_sqr(ARG("alpha")), 1 + INPUT_SLACK);
    if (ball_less_equal(line->xi, most) && ball_less_equal(line->rho, most))
        return DOSI_OK;
    return formula_domain(err,
        "needs xi <= alpha^2 and rho <= alpha^2, got xi = %.17g, "
        "rho = %.17g, alpha = %.17g",
        line->xi.hi, line->rho.hi, formula_real(args, "alpha"));
}

/* (4/(eps alpha)) (rho n^2 + xi n (1 + log n) + 1) */
static ball pure_rows_of(cdp_line line, const formula_args *args)
{
    ball sum = ball_add_d(information_bound(line, formula_real(args, "n")), 1);
    return ball_div(
        ball_scale2(sum, 2), ball_mul(ARG("eps"), ARG("alpha")));
}

/* 10 alpha + 4 log(1/beta) / (eps n') */
static ball pure_radius_of(cdp_line line, const formula_args *args)
{
    ball rows = ball_mul(ARG("eps"), pure_rows_of(line, args));
    ball tail = ball_scale2(ball_log(ARG("beta")), 2);
    return ball_sub(ball_mul_d(ARG("alpha"), 10), ball_div(tail, rows));
}

/* 2 (xi n (1 + log n) + rho n^2 + log 2) */
static ball pure_net_of(cdp_line line, const formula_args *args)
{
    ball sum = information_bound(line, formula_real(args, "n"));
    return ball_scale2(ball_add(sum, ball_ln2()), 1);
}

LINE_BALL(pure_size, read_source, pure_rows_of(line, args))
LINE_BALL(pure_radius, read_source, pure_radius_of(line, args))
LINE_BALL(pure_net, read_source, pure_net_of(line, args))

FORMULA(pure_size_simple)
{
    ball n = ARG("n"), alpha = ARG("alpha");
    if (ball_less(ball_mul_d(ball_mul(alpha, n), 1 + INPUT_SLACK), ball_of(1)))
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

FORMULA(choice_chance)
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

FORMULA(choice_mean)
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
