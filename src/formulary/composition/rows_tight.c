/*
 * The exact limit of a privacy-loss-distribution accountant for T steps of
 * Poisson sampling and Gaussian noise (S000-7.tight_*), one row a direction:
 * add is mixture against base, rem base against mixture.
 */
#include "formulary/composed.h"
#include "formulary/formula.h"

#include "noise/gaussian.h"
#include "sampling/poisson_gaussian.h"

/* The source calls "add" what the pair (mixture, base) loses. */
static dosi_status tight_law(
    loss_law *out, const formula_args *a, bool base_first, dosi_error *err)
{
    ball mu = ball_div(formula_ball(a, "sens"), formula_ball(a, "sigma"));
    *out = (loss_law){.noise = LOSS_GAUSSIAN,
        .map = base_first ? LOSS_BASE_FIRST : LOSS_MIXTURE_FIRST,
        .flag = ATTAINED_BY_MECHANISM,
        .parameter = mu,
        .rate = formula_ball(a, "p"),
        .count = formula_real(a, "T")};
    if (ball_is_unknown(mu) || !ball_is_positive(mu))
        return formula_domain(
            err, "needs sens / sigma within the range of numbers");
    return DOSI_OK;
}

/* Without sampling the steps are Gaussian, mu grows by sqrt(T). */
static ball tight_gaussian_mu(const loss_law *one)
{
    return ball_mul(one->parameter, ball_sqrt(ball_of(one->count)));
}

static bool samples_all(const loss_law *one)
{
    return ball_is_zero(ball_sub_d(one->rate, 1));
}

static dosi_status tight_delta(dosi_interval *out, const formula_args *a,
    bool base_first, dosi_error *err)
{
    loss_law one;
    dosi_status status = tight_law(&one, a, base_first, err);
    if (status != DOSI_OK)
        return status;
    ball eps = formula_ball(a, "eps");
    if (ball_is_zero(one.rate))
        return formula_give(out, ball_of(0), err);
    ball whole = gauss_delta(tight_gaussian_mu(&one), eps);
    if (samples_all(&one))
        return formula_give(out, whole, err);
    if (one.count == 1)
        return formula_give(out,
            sampled_gaussian_delta(
                base_first ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST,
                one.rate, one.parameter, eps),
            err);
    dosi_interval delta;
    status = composed_log_delta(&delta, &one, 1, formula_real(a, "eps"), err);
    if (status != DOSI_OK)
        return status;
    delta = composed_delta_of(delta);
    /* publishing the samples makes delta no less */
    delta = iv_meet(delta, iv_make(0, fmax(ball_upper(whole), 0)));
    return formula_give_interval(out, delta, err);
}

static dosi_status tight_epsilon(dosi_interval *out, const formula_args *a,
    bool base_first, dosi_error *err)
{
    loss_law one;
    dosi_status status = tight_law(&one, a, base_first, err);
    if (status != DOSI_OK)
        return status;
    ball delta = formula_ball(a, "delta");
    if (ball_is_zero(one.rate))
        return formula_give(out, ball_of(0), err);
    dosi_interval whole =
        gauss_epsilon(tight_gaussian_mu(&one), ball_log(delta));
    if (samples_all(&one))
        return formula_give_interval(out, whole, err);
    dosi_interval epsilon;
    status = composed_epsilon(&epsilon, &one, 1, delta, err);
    if (status != DOSI_OK)
        return status;
    epsilon = iv_meet(epsilon, iv_make(0, whole.hi));
    return formula_give_interval(out, epsilon, err);
}

FORMULA(tight_delta_add)
{
    return tight_delta(out, args, false, err);
}

FORMULA(tight_delta_rem)
{
    return tight_delta(out, args, true, err);
}

FORMULA(tight_eps_add)
{
    return tight_epsilon(out, args, false, err);
}

FORMULA(tight_eps_rem)
{
    return tight_epsilon(out, args, true, err);
}
