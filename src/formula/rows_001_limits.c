/*
 * Central limit theorems of composition: moments of losses, the band of
 * Berry and Esseen, and the limits of sampled compositions, which are
 * approximations.
 */
#include "family_args.h"
#include "line_args.h"

/* ---- Moments ------------------------------------------------------------ */

#define MOMENT_ROW(function, field)                                            \
    static dosi_status function(                                               \
        dosi_interval *out, const formula_args *args, dosi_error *err)         \
    {                                                                          \
        loss_moments m;                                                        \
        dosi_status status = family_read(&m, args, err);                       \
        return status != DOSI_OK ? status : formula_give(out, m.field, err);   \
    }

MOMENT_ROW(family_kl, mean)
MOMENT_ROW(family_k2, square)
MOMENT_ROW(family_k3, cube)
MOMENT_ROW(family_k3bar, central)

typedef ball (*sampled_moment)(const fixed_sample *s);

static ball sampled_of(const formula_args *args, sampled_moment moment)
{
    fixed_sample s = {ARG("p"), ARG("mu")};
    return ball_is_zero(s.rate) || ball_is_zero(s.mu) ? ball_of(0) : moment(&s);
}

static ball central_of(const fixed_sample *s)
{
    return fixed_sample_central(s, fixed_sample_mean(s), false);
}

static ball central_printed_of(const fixed_sample *s)
{
    return fixed_sample_central(s, fixed_sample_mean(s), true);
}

FORMULA_BALL(sampled_kl, sampled_of(args, fixed_sample_mean))
FORMULA_BALL(sampled_k2, sampled_of(args, fixed_sample_square))
FORMULA_BALL(sampled_k3, sampled_of(args, fixed_sample_cube))
FORMULA_BALL(sampled_k3bar, sampled_of(args, central_of))
FORMULA_BALL(sampled_k3bar_printed, sampled_of(args, central_printed_of))

/* ---- The band of a composition ------------------------------------------ */

static const char half_words[] = "gamma < 1/2", quarter_words[] = "gamma < 1/4";

#define BAND_ROW(function, reader, limit, words, expression)                   \
    static dosi_status function(                                               \
        dosi_interval *out, const formula_args *args, dosi_error *err)         \
    {                                                                          \
        clt_band b;                                                            \
        dosi_status status = reader(&b, args, err);                            \
        if (status == DOSI_OK)                                                 \
            status = band_require(&b, ball_of(limit), words, err);             \
        return status != DOSI_OK ? status                                      \
                                 : formula_give(out, (expression), err);       \
    }

BAND_ROW(band_mu, family_read_band, HUGE_VAL, "", b.mu)
BAND_ROW(band_gamma, family_read_band, HUGE_VAL, "", b.gamma)
BAND_ROW(band_lower, family_read_band, 0.5, half_words,
    clt_lower(&b, formula_real(args, "alpha")))
BAND_ROW(band_delta_upper, family_read_band, 0.5, half_words,
    clt_delta_upper(&b, ARG("eps_out")))
BAND_ROW(band_delta_lower, family_read_band, 0.25, quarter_words,
    clt_delta_lower(&b, ARG("eps_out")))

static dosi_status band_upper(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    clt_band b;
    double alpha = formula_real(args, "alpha");
    dosi_status status = family_read_band(&b, args, err);
    if (status == DOSI_OK)
        status = band_require(&b, ball_of(0.5), half_words, err);
    if (status != DOSI_OK)
        return status;
    ball rest = ball_sub(ball_of(1), ball_of(alpha));
    if (!ball_less_equal(b.gamma, ball_of(alpha)) ||
        !ball_less_equal(b.gamma, rest))
        return formula_domain(err,
            "needs gamma <= alpha <= 1 - gamma, got alpha = %.17g, "
            "gamma = %.17g",
            alpha, ball_mid(b.gamma));
    return formula_give(out, clt_upper(&b, alpha), err);
}

FORMULA_BALL(array_mu, ball_div(ball_scale2(ARG("K"), 1), ARG("s")))

/* ---- The band of noisy training ----------------------------------------- */

static clt_band training_band_of(const formula_args *args, bool printed)
{
    loss_moments m = moments_of_sampled_gauss(
        ARG("p"), ball_div(ball_of(1), ARG("sigma")), printed);
    return clt_band_of(&m, ARG("T"));
}

static dosi_status training_band(
    clt_band *out, const formula_args *args, dosi_error *err)
{
    (void)err;
    *out = training_band_of(args, false);
    return DOSI_OK;
}

FORMULA_BALL(training_mu, training_band_of(args, false).mu)
FORMULA_BALL(training_gamma, training_band_of(args, false).gamma)
FORMULA_BALL(training_gamma_printed, training_band_of(args, true).gamma)
BAND_ROW(training_lower, training_band, 0.5, half_words,
    clt_lower(&b, formula_real(args, "alpha")))
BAND_ROW(training_delta, training_band, 0.5, half_words,
    clt_delta_upper(&b, ARG("eps")))
BAND_ROW(training_floor, training_band, 0.5, half_words, clt_delta_floor(&b))

/* ---- Limits of sampled compositions ------------------------------------- */

static dosi_interval chi_of(ball mu)
{
    ball square = ball_sqr(mu);
    return square.hi < 600 ? ball_interval(limit_chi_gauss(mu))
                           : exp_or_above(limit_log_chi_gauss(mu));
}

static ball log_chi_of(ball mu)
{
    return ball_is_zero(mu) ? ball_of(-HUGE_VAL) : limit_log_chi_gauss(mu);
}

FORMULA_INTERVAL(chi_gauss, chi_of(ARG("mu")))
FORMULA_BALL(log_chi_gauss, log_chi_of(ARG("mu")))
FORMULA_BALL(chi_pure, limit_chi_pure(ARG("eps")))
FORMULA_BALL(chi_laplace, limit_chi_laplace(ARG("mu")))
FORMULA_BALL(limit_mu_pure,
    ball_mul(ARG("p0"), ball_sqrt(ball_scale2(limit_chi_pure(ARG("eps")), 1))))

#define SMALL_PART "0 <= p <= 1, mu >= 0"
#define TRAINING "0 < p <= 1, sigma > 0, T >= 1, T whole"

static const formula_row rows[] = {
    {"T001-K.kl", "moments.kl", FAMILY, "exact", VALID_FAMILY,
        "-E L of a curve's loss under P.", family_kl},
    {"T001-K.k2", "moments.k2", FAMILY, "exact", VALID_FAMILY,
        "E L^2 of a curve's loss.", family_k2},
    {"T001-K.k3", "moments.k3", FAMILY, "exact", VALID_FAMILY,
        "E |L|^3 of a curve's loss.", family_k3},
    {"T001-K.k3bar", "moments.k3bar", FAMILY, "exact", VALID_FAMILY,
        "E |L - E L|^3 of a curve's loss.", family_k3bar},
    {"T001-L4.kl", "moments.sampled_kl", "p;mu", "exact", SMALL_PART,
        "-E L of a sampled Gaussian.", sampled_kl},
    {"T001-L4.k2", "moments.sampled_k2", "p;mu", "exact", SMALL_PART,
        "E L^2 of a sampled Gaussian.", sampled_k2},
    {"T001-L4.k3", "moments.sampled_k3", "p;mu", "exact", SMALL_PART,
        "E |L|^3 of a sampled Gaussian.", sampled_k3},
    {"T001-L4.k3bar", "moments.sampled_k3bar", "p;mu", "exact", SMALL_PART,
        "E |L - E L|^3 of a sampled Gaussian.", sampled_k3bar},
    {"T001-L4.k3bar_printed", "moments.sampled_k3bar_printed", "p;mu", "helper",
        SMALL_PART, "That moment as printed, without the loss at 0: too small.",
        sampled_k3bar_printed},
    {"T001-T5.mu", "clt.mu", STEP_LIST, "exact",
        VALID_STEP_LIST "; " STEP_LIST_FORMS,
        "mu of the Gaussian curve in the middle of the band.", band_mu},
    {"T001-T5.gamma", "clt.gamma", STEP_LIST, "exact",
        VALID_STEP_LIST "; " STEP_LIST_FORMS,
        "Half width of the band around G_mu.", band_gamma},
    {"T001-T5.lower", "clt.lower", STEP_LIST ";alpha", "upper",
        VALID_STEP_LIST ", 0 <= alpha <= 1; gamma < 1/2; " STEP_LIST_FORMS,
        "A curve below that of the composition: a guarantee.", band_lower},
    {"T001-T5.upper", "clt.upper", STEP_LIST ";alpha", "lower",
        VALID_STEP_LIST ", 0 <= alpha <= 1; gamma < 1/2, gamma <= alpha <= 1 - "
                        "gamma; " STEP_LIST_FORMS,
        "A curve above that of the composition.", band_upper},
    {"T001-T5.delta_upper", "clt.delta_upper", STEP_LIST ";eps_out", "upper",
        VALID_STEP_LIST ", eps_out >= 0; gamma < 1/2; " STEP_LIST_FORMS,
        "delta at eps_out, certified.", band_delta_upper},
    {"T001-T5.delta_lower", "clt.delta_lower", STEP_LIST ";eps_out", "lower",
        VALID_STEP_LIST ", eps_out >= 0; gamma < 1/4; " STEP_LIST_FORMS,
        "delta at eps_out is at least this.", band_delta_lower},
    {"T001-T6.mu", "clt.mu_of_limits", "K;s", "approximate", "K >= 0, s > 0",
        "mu of an array with limits K and s, 2K/s.", array_mu},
    {"T001-C5.mu", "training.clt_mu", "p;T;sigma", "exact", TRAINING,
        "mu in the middle of the band of noisy training.", training_mu},
    {"T001-C5.gamma", "training.clt_gamma", "p;T;sigma", "exact", TRAINING,
        "Half width of that band.", training_gamma},
    {"T001-C5.gamma_printed", "training.clt_gamma_printed", "p;T;sigma",
        "helper", TRAINING,
        "That half width from the printed moment: too small.",
        training_gamma_printed},
    {"T001-C5.f", "training.clt_tradeoff", "p;T;sigma;alpha", "upper",
        TRAINING ", 0 <= alpha <= 1; gamma < 1/2",
        "A curve below that of noisy training: a guarantee.", training_lower},
    {"T001-C5.delta_upper", "training.clt_delta", "p;T;sigma;eps", "upper",
        TRAINING ", eps >= 0; gamma < 1/2", "delta at eps by that curve.",
        training_delta},
    {"T001-C5.delta_floor", "training.clt_floor", "p;T;sigma", "upper",
        TRAINING "; gamma < 1/2", "The least delta that curve certifies.",
        training_floor},
    {"T001-L3.chi", "limit.chi_gauss", "mu", "exact", "mu >= 0",
        "int (|G'| - 1)_+^2 of G_mu.", chi_gauss},
    {"T001-L3.logchi", "limit.log_chi_gauss", "mu", "exact", "mu >= 0",
        "Its logarithm.", log_chi_gauss},
    {"T001-T11.chi_pure", "limit.chi_pure", "eps", "exact", "eps >= 0",
        "The same of f_{eps,0}.", chi_pure},
    {"T001-T11.chi_laplace", "limit.chi_laplace", "mu", "exact", "mu >= 0",
        "The same of Laplace's curve.", chi_laplace},
    {"T001-T11.mu_pure", "limit.mu_pure", "p0;eps", "approximate",
        "p0 >= 0, eps >= 0",
        "mu of sampled eps-DP steps, p0 the limit of p sqrt(T).",
        limit_mu_pure},
};

FORMULA_TABLE(formula_001_limits, rows);
