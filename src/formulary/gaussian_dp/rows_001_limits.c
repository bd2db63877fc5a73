/*
 * Central limit theorems of composition: moments of losses, the band of
 * Berry and Esseen, and the limits of sampled compositions, which are
 * approximations.
 */
#include "formulary/family_args.h"
#include "formulary/line_args.h"

/* ---- Moments ------------------------------------------------------------ */

#define MOMENT_ROW(function, field)                                            \
    FORMULA(function)                                                          \
    {                                                                          \
        loss_moments m;                                                        \
        dosi_status status = family_read(&m, args, err);                       \
        return status != DOSI_OK ? status : formula_give(out, m.field, err);   \
    }

MOMENT_ROW(moments_kl, mean)
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
    FORMULA(function)                                                          \
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

FORMULA(band_upper)
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

static ball log_chi_of(ball mu)
{
    return ball_is_zero(mu) ? ball_of(-HUGE_VAL) : limit_log_chi_gauss(mu);
}

FORMULA_INTERVAL(chi_gauss, exp_or_above(log_chi_of(ARG("mu"))))
FORMULA_BALL(log_chi_gauss, log_chi_of(ARG("mu")))
FORMULA_BALL(chi_pure, limit_chi_pure(ARG("eps")))
FORMULA_BALL(chi_laplace, limit_chi_laplace(ARG("mu")))
FORMULA_BALL(limit_mu_pure,
    ball_mul(ARG("p0"), ball_sqrt(ball_scale2(limit_chi_pure(ARG("eps")), 1))))
