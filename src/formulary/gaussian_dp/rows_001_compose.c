/*
 * Composition of trade-off functions: (eps, delta) guarantees exactly, their
 * Gaussian limit and its distance, and products of different laws.
 */
#include "formulary/composed.h"
#include "formulary/formula.h"

#include "finite/finite_law.h"
#include "tradeoff/fixed_size_gaussian.h"
#include "noise/gaussian.h"
#include "literature/product_profile.h"
#include "finite/response_composition.h"
#include "literature/response_limit.h"
#include "tradeoff/tradeoff.h"

/* ---- Equal guarantees --------------------------------------------------- */

#define COUNT formula_real(args, "n")

static dosi_status too_long(dosi_error *err)
{
    return dosi_fail(
        err, DOSI_EUNABLE, "the sum needs more terms than allowed");
}

static dosi_status epsilon_of(dosi_interval *out, double n, ball eps0,
    ball delta0, ball delta, dosi_error *err)
{
    bool done = false;
    dosi_interval eps = optimal_composition_epsilon(
        n, eps0, delta0, delta, ball_log(delta), 0, &done);
    return done ? formula_give_interval(out, eps, err) : too_long(err);
}

FORMULA_BALL(compose_pure_delta,
    optimal_composition_delta(COUNT, ARG("eps0"), ball_of(0), ARG("eps"), 0))
FORMULA_BALL(compose_approx_delta,
    optimal_composition_delta(COUNT, ARG("eps0"), ARG("delta0"), ARG("eps"), 0))

FORMULA(compose_pure_epsilon)
{
    return epsilon_of(out, COUNT, ARG("eps0"), ball_of(0), ARG("delta"), err);
}

FORMULA(approx_epsilon_n)
{
    return epsilon_of(
        out, COUNT, ARG("eps0"), ARG("delta0"), ARG("delta"), err);
}

static ball step_of(const formula_args *args)
{
    return ball_div(ARG("mu"), ball_sqrt(ARG("n")));
}

FORMULA(figure_epsilon)
{
    return epsilon_of(out, COUNT, step_of(args), ball_of(0), ARG("delta"), err);
}

FORMULA(pure_curve)
{
    bool done = false;
    dosi_interval f = optimal_composition_tradeoff(
        COUNT, ARG("eps0"), ball_of(0), formula_real(args, "alpha"), 0, &done);
    return done ? formula_give_interval(out, f, err) : too_long(err);
}

/* ---- Unequal guarantees on a lattice ------------------------------------ */

FORMULA(lattice_delta)
{
    size_t n = 0;
    const double *k = formula_list(args, "ks", &n);
    ball step = ARG("step"), total = ARG("delta_tot");
    finite_law *halves[2] = {NULL, NULL};
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = finite_add_response(
            &halves[i % 2], ball_mul_d(step, k[i]), ball_of(0), err);
    if (status == DOSI_OK) {
        ball eps = ARG("eps");
        ball delta = n == 1 ? finite_delta(halves[0], eps)
                            : finite_product_delta(halves[0], halves[1], eps);
        ball keep = ball_sub(ball_of(1), total);
        status = formula_give(out, ball_add(total, ball_mul(keep, delta)), err);
    }
    finite_free(halves[0]);
    finite_free(halves[1]);
    return status;
}

/* ---- The limit, T001-T7 ------------------------------------------------- */

/* 1 - e^-d (1 - delta_mu) = (1 - e^-d) + e^-d delta_mu */
static ball limit_delta(ball mu, ball sum, ball eps)
{
    ball leak = ball_neg(ball_expm1(ball_neg(sum)));
    ball delta = ball_is_zero(mu)
                     ? ball_max(ball_of(0), ball_neg(ball_expm1(eps)))
                     : gauss_delta(mu, eps);
    return ball_add(leak, ball_mul(ball_exp(ball_neg(sum)), delta));
}

static ball ledger_mu(const formula_args *args)
{
    return ball_mul(ball_sqrt(ARG("n")), ARG("eps0"));
}

static ball ledger_sum(const formula_args *args)
{
    return ball_mul(ARG("n"), ARG("delta0"));
}

FORMULA_BALL(limit_leak, ball_neg(ball_expm1(ball_neg(ARG("delta_sum")))))
FORMULA_BALL(
    limit_curve, tradeoff_gauss_leaky(ARG("mu"),
                     ball_exp(ball_neg(ARG("delta_sum"))), ARG("alpha")))
FORMULA_BALL(
    limit_profile, limit_delta(ARG("mu"), ARG("delta_sum"), ARG("eps")))
FORMULA_BALL(limit_mu, ledger_mu(args))
FORMULA_BALL(limit_ledger_delta,
    limit_delta(ledger_mu(args), ledger_sum(args), ARG("eps")))

/* delta_mu = 1 - (1 - delta) e^d; nothing serves where that is negative. */
FORMULA(ledger_epsilon)
{
    ball log_rest =
        ball_add(ball_log1p(ball_neg(ARG("delta"))), ledger_sum(args));
    if (ball_is_positive(log_rest))
        return formula_give(out, ball_of(HUGE_VAL), err);
    return formula_give_interval(
        out, gauss_epsilon(ledger_mu(args), ball_log1mexp(log_rest)), err);
}

/* ---- Its distance, T001-T8 ---------------------------------------------- */

#define GAP response_gap_of(ARG("mu"), COUNT)
FORMULA_BALL(gap_shift, GAP.shift)
FORMULA_BALL(gap_constant, ball_mul(ARG("n"), GAP.shift))
FORMULA_BALL(gap_over, GAP.over)
FORMULA_BALL(gap_under, GAP.under)

static ball gap_most(response_gap g)
{
    return ball_max(g.over, g.under);
}

FORMULA_BALL(gap_both, gap_most(GAP))

/* ---- Unlike laws, T001-D5 ----------------------------------------------- */

/* By the engines of plans; noise of an infinite scale loses nothing. */
FORMULA(gauss_laplace)
{
    const loss_law laws[2] = {
        {.noise = LOSS_GAUSSIAN, .parameter = ARG("mu"), .count = 1},
        {.noise = LOSS_LAPLACE, .parameter = ARG("mulap"), .count = 1}};
    size_t n = ball_is_zero(laws[1].parameter) ? 1 : 2;
    dosi_status status =
        composed_log_delta(out, laws, n, formula_real(args, "eps"), err);
    *out = composed_delta_of(*out);
    return status;
}

FORMULA_BALL(gauss_approx,
    product_gauss_approx(ARG("mu"), ARG("eps0"), ARG("delta0"), ARG("eps")))
FORMULA_BALL(laplace_laplace,
    product_laplace_laplace(ARG("mu1"), ARG("mu2"), ARG("eps")))

static fixed_sample sample_of(const formula_args *args)
{
    return (fixed_sample){ARG("p"), ARG("mu")};
}

static ball sampled_twice_of(const formula_args *args)
{
    fixed_sample s = sample_of(args);
    return fixed_sample_pair_delta(&s, ARG("eps"));
}

static ball sampled_gauss_of(const formula_args *args)
{
    fixed_sample s = sample_of(args);
    return fixed_sample_gauss_delta(&s, ARG("mu2"), ARG("eps"));
}

FORMULA_BALL(sampled_twice, sampled_twice_of(args))
FORMULA_BALL(sampled_gauss, sampled_gauss_of(args))
