/*
 * Noisy training with batches of fixed size: T steps of C_p(G_{1/sigma}).
 * The limit of Corollary 4 is an approximation; moments bound; the composed
 * law itself is exact.
 */
#include "formulary/composed.h"
#include "formulary/family_args.h"
#include "formulary/line_args.h"

#include "sampling/amplify.h"
#include "literature/fixed_size_rounds.h"
#include "noise/gaussian.h"
#include "sampling/poisson_gaussian.h"
#include "literature/tradeoff_fixed_size.h"

/* ---- The limit: mu = c sqrt(2 chi(1/sigma)) ----------------------------- */

static ball noise_of(const formula_args *args)
{
    return ball_div(ball_of(1), ARG("sigma"));
}

/* log mu from log c */
static ball log_limit_mu(const formula_args *args, ball log_c)
{
    ball log_chi = limit_log_chi_gauss(noise_of(args));
    return ball_add(log_c, ball_scale2(ball_add(log_chi, ball_ln2()), -1));
}

static ball epochs_c2(const formula_args *args)
{
    return ball_div(ball_mul(ARG("epochs"), ARG("m")), ARG("n"));
}

static ball log_of_epochs(const formula_args *args)
{
    return ball_scale2(ball_log(epochs_c2(args)), -1);
}

static ball log_of_steps(const formula_args *args, ball rate)
{
    return ball_add(ball_log(rate), ball_scale2(ball_log(ARG("T")), -1));
}

static dosi_interval limit_epsilon(ball log_mu, ball log_delta)
{
    return gauss_epsilon(ball_exp(log_mu), log_delta);
}

FORMULA_BALL(steps_c, ball_sqrt(epochs_c2(args)))
FORMULA_BALL(steps_c2, epochs_c2(args))
FORMULA_INTERVAL(
    training_mu_approx, exp_or_above(log_limit_mu(args, log_of_epochs(args))))
FORMULA_INTERVAL(
    limit_eps, limit_epsilon(log_limit_mu(args, log_of_epochs(args)),
                   ball_log(ARG("delta"))))
FORMULA_INTERVAL(limit_mu_steps,
    exp_or_above(log_limit_mu(args, log_of_steps(args, ARG("p")))))

/* chi = mu^2/(2 p^2 T), sigma = 1 over its inverse */
static dosi_interval limit_sigma_of(const formula_args *args)
{
    ball log_c = log_of_steps(args, ARG("p"));
    ball log_chi = ball_scale2(ball_sub(ball_log(ARG("mu")), log_c), 1);
    dosi_interval mu = limit_chi_gauss_inverse(ball_sub(log_chi, ball_ln2()));
    return iv_div(iv_point(1), mu);
}

FORMULA_INTERVAL(limit_sigma, limit_sigma_of(args))

FORMULA(training_delta_approx)
{
    ball rate;
    dosi_status status = rate_read(&rate, args, err);
    if (status != DOSI_OK)
        return status;
    ball mu = ball_exp(log_limit_mu(args, log_of_steps(args, rate)));
    return formula_give(out, gauss_delta(mu, ARG("eps")), err);
}

FORMULA(clt_epsilon)
{
    ball rate;
    dosi_status status = rate_read(&rate, args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give_interval(out,
        limit_epsilon(log_limit_mu(args, log_of_steps(args, rate)),
            ball_log(ARG("delta"))),
        err);
}

/* ---- Moments ------------------------------------------------------------ */

static dosi_status divergence_of(
    ball *out, const formula_args *args, ball rate, ball mu, dosi_error *err)
{
    ball order = ARG("order");
    fixed_rounds one = {rate, mu, 1};
    if (ball_is_zero(rate) || ball_is_zero(mu)) {
        *out = ball_of(0);
        return DOSI_OK;
    }
    if (ball_is_zero(ball_sub_d(rate, 1))) {
        *out = ball_scale2(ball_mul(order, ball_sqr(mu)), -1);
        return DOSI_OK;
    }
    dosi_status status = fixed_rounds_log_moment(
        out, &one, formula_real(args, "order"), err);
    *out = ball_div(*out, ball_sub_d(order, 1));
    return status;
}

static dosi_status step_divergence(
    ball *out, const formula_args *args, dosi_error *err)
{
    ball rate;
    dosi_status status = rate_read(&rate, args, err);
    if (status != DOSI_OK)
        return status;
    return divergence_of(out, args, rate, noise_of(args), err);
}

FORMULA(renyi_step)
{
    ball divergence;
    dosi_status status = step_divergence(&divergence, args, err);
    return status == DOSI_OK ? formula_give(out, divergence, err) : status;
}

FORMULA(renyi_sampled)
{
    ball divergence;
    dosi_status status =
        divergence_of(&divergence, args, ARG("p"), ARG("mu"), err);
    return status == DOSI_OK ? formula_give(out, divergence, err) : status;
}

/* exp((a-1) (T D_a - eps)) */
FORMULA(chernoff)
{
    ball divergence;
    dosi_status status = step_divergence(&divergence, args, err);
    if (status != DOSI_OK)
        return status;
    ball total = ball_mul(ARG("T"), divergence);
    ball exponent =
        ball_mul(ball_sub_d(ARG("order"), 1), ball_sub(total, ARG("eps")));
    return formula_give_interval(out, exp_or_above(exponent), err);
}

/* ---- The composed law --------------------------------------------------- */

static dosi_status rounds_read(
    fixed_rounds *out, const formula_args *args, dosi_error *err)
{
    *out =
        (fixed_rounds){.mu = noise_of(args), .count = formula_real(args, "T")};
    return rate_read(&out->rate, args, err);
}

/* A logarithm known to some digits; else DOSI_EUNABLE. */
#define SOME_DIGITS 1e-4

static dosi_status require_narrow(dosi_interval log_value, dosi_error *err)
{
    if (log_value.hi - log_value.lo < SOME_DIGITS || log_value.hi == -HUGE_VAL)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EUNABLE,
        "the integral converges too slowly for that few steps or that much "
        "noise");
}

/* T = 1, or all records each time: C_p(G_mu) of one mu. */
static bool is_single(const fixed_rounds *r)
{
    return r->count == 1 || ball_is_zero(ball_sub_d(r->rate, 1));
}

static ball single_mu(const fixed_rounds *r)
{
    return ball_mul(r->mu, ball_sqrt(ball_of(r->count)));
}

FORMULA(exact_delta)
{
    fixed_rounds r;
    dosi_status status = rounds_read(&r, args, err);
    if (status != DOSI_OK)
        return status;
    if (is_single(&r))
        return formula_give(out,
            sampled_gaussian_delta(SAMPLED_MIXTURE_FIRST, r.rate,
                single_mu(&r), ARG("eps")),
            err);
    loss_law one = fixed_rounds_loss(&r);
    status = composed_log_delta(out, &one, 1, formula_real(args, "eps"), err);
    if (status == DOSI_OK)
        status = require_narrow(*out, err);
    *out = composed_delta_of(*out);
    return status;
}

/* P[L > eps]: at T = 1 sf(y + mu/2) where Z = eps. */
FORMULA(exact_alpha)
{
    fixed_rounds r;
    dosi_status status = rounds_read(&r, args, err);
    if (status != DOSI_OK)
        return status;
    if (is_single(&r))
        return formula_give(out,
            gauss_tail_q(
                single_mu(&r), amplify_base_epsilon(r.rate, ARG("eps"))),
            err);
    status = fixed_rounds_log_alpha(out, &r, formula_real(args, "eps"), err);
    if (status == DOSI_OK)
        status = require_narrow(*out, err);
    *out = composed_delta_of(*out);
    return status;
}

/* f(alpha) = 1 - delta - e^eps alpha */
FORMULA(exact_beta)
{
    dosi_interval delta, alpha;
    dosi_status status = row_exact_delta(&delta, args, err);
    if (status == DOSI_OK)
        status = row_exact_alpha(&alpha, args, err);
    if (status != DOSI_OK)
        return status;
    ball grown = ball_mul(ball_exp(ARG("eps")), ball_of_interval(alpha));
    ball sum = ball_add(ball_of_interval(delta), grown);
    return formula_give_interval(
        out, within(ball_sub(ball_of(1), sum), 0, 1), err);
}

FORMULA(exact_epsilon)
{
    fixed_rounds r;
    dosi_status status = rounds_read(&r, args, err);
    if (status != DOSI_OK)
        return status;
    if (is_single(&r))
        return formula_give_interval(out,
            sampled_tradeoff_epsilon(r.rate, single_mu(&r), ARG("delta")),
            err);
    loss_law one = fixed_rounds_loss(&r);
    status = composed_epsilon(out, &one, 1, ARG("delta"), err);
    if (status == DOSI_OK && (isinf(out->hi) ||
                                 !(out->hi - out->lo <= SOME_DIGITS * out->hi)))
        status = dosi_fail(err, DOSI_EUNABLE,
            "the integral converges too slowly for that few steps or that "
            "much noise");
    return status;
}
