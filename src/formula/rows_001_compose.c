/*
 * Composition of trade-off functions: (eps, delta) guarantees exactly, their
 * Gaussian limit and its distance, unlike laws.
 */
#include "composed.h"
#include "formula.h"

#include "repr/atoms.h"
#include "repr/fixed_sample.h"
#include "repr/gaussian.h"
#include "repr/loss_product.h"
#include "repr/optimal.h"
#include "repr/response_limit.h"
#include "repr/tradeoff.h"

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
    dosi_interval eps =
        optimal_epsilon(n, eps0, delta0, delta, ball_log(delta), 0, &done);
    return done ? formula_give_interval(out, eps, err) : too_long(err);
}

FORMULA_BALL(
    pure_delta, optimal_delta(COUNT, ARG("eps0"), ball_of(0), ARG("eps"), 0))
FORMULA_BALL(approx_delta,
    optimal_delta(COUNT, ARG("eps0"), ARG("delta0"), ARG("eps"), 0))

static dosi_status pure_epsilon(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return epsilon_of(out, COUNT, ARG("eps0"), ball_of(0), ARG("delta"), err);
}

static dosi_status approx_epsilon_n(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return epsilon_of(
        out, COUNT, ARG("eps0"), ARG("delta0"), ARG("delta"), err);
}

static ball step_of(const formula_args *args)
{
    return ball_div(ARG("mu"), ball_sqrt(ARG("n")));
}

static dosi_status figure_epsilon(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return epsilon_of(out, COUNT, step_of(args), ball_of(0), ARG("delta"), err);
}

static dosi_status pure_curve(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    bool done = false;
    dosi_interval f = optimal_tradeoff(
        COUNT, ARG("eps0"), ball_of(0), formula_real(args, "alpha"), 0, &done);
    return done ? formula_give_interval(out, f, err) : too_long(err);
}

/* ---- Unequal guarantees on a lattice ------------------------------------ */

static dosi_status lattice_delta(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const double *k = formula_list(args, "ks", &n);
    ball step = ARG("step"), total = ARG("delta_tot");
    atoms *halves[2] = {NULL, NULL};
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = atoms_add_response(
            &halves[i % 2], ball_mul_d(step, k[i]), ball_of(0), err);
    if (status == DOSI_OK) {
        ball eps = ARG("eps");
        ball delta = n == 1 ? atoms_delta(halves[0], eps)
                            : atoms_product_delta(halves[0], halves[1], eps);
        ball keep = ball_sub(ball_of(1), total);
        status = formula_give(out, ball_add(total, ball_mul(keep, delta)), err);
    }
    atoms_free(halves[0]);
    atoms_free(halves[1]);
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
FORMULA_BALL(
    ledger_delta, limit_delta(ledger_mu(args), ledger_sum(args), ARG("eps")))

/* delta_mu = 1 - (1 - delta) e^d; nothing serves where that is negative. */
static dosi_status ledger_epsilon(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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
static dosi_status gauss_laplace(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    const loss laws[2] = {
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

#define N_TIMES "eps0 >= 0, n >= 0, n whole"
#define LIMIT "mu >= 0, delta_sum >= 0"
#define LEDGER N_TIMES ", 0 <= delta0 <= 1"
#define STEPS "mu >= 0, n >= 1, n whole"
#define SAMPLE "0 < p <= 1, mu > 0"

static const formula_row rows[] = {
    {"T001-S33.delta", "compose.pure_delta", "eps0;n;eps", "exact", N_TIMES,
        "delta at eps of n eps0-DP mechanisms.", pure_delta},
    {"T001-S33.eps", "compose.pure_epsilon", "eps0;n;delta", "exact",
        N_TIMES ", 0 < delta < 1", "epsilon at delta of n eps0-DP mechanisms.",
        pure_epsilon},
    {"T001-S33.f", "compose.pure_tradeoff", "eps0;n;alpha", "exact",
        N_TIMES ", 0 <= alpha <= 1", "The curve of n eps0-DP mechanisms.",
        pure_curve},
    {"T001-S33.delta_ed", "compose.approx_delta", "eps0;delta0;n;eps", "exact",
        LEDGER, "delta at eps of n (eps0, delta0)-DP mechanisms.",
        approx_delta},
    {"T001-S33.eps_ed", "compose.approx_epsilon", "eps0;delta0;n;delta",
        "exact", LEDGER ", 0 < delta < 1",
        "epsilon at delta of n (eps0, delta0)-DP mechanisms.",
        approx_epsilon_n},
    {"T001-S33.hetero_delta", "compose.lattice_delta",
        "step;ks[];delta_tot;eps", "exact",
        "step >= 0, ks >= 0, ks whole, 0 <= delta_tot <= 1",
        "delta at eps of mechanisms with eps_i = k_i step, and a total "
        "failure.",
        lattice_delta},
    {"T001-F5.eps", "figure5.epsilon", "n;mu;delta", "exact",
        STEPS ", 0 < delta < 1",
        "epsilon at delta of n mechanisms that are mu/sqrt(n)-DP.",
        figure_epsilon},
    {"T001-F5.supdist", "figure5.distance", "n;mu", "exact", STEPS,
        "Largest distance of their curve from G_mu.", gap_both},
    {"T001-T7.delta_limit", "limit.leak", "delta_sum", "approximate",
        "delta_sum >= 0", "Total failure of many small deltas.", limit_leak},
    {"T001-T7.f", "limit.tradeoff", "mu;delta_sum;alpha", "approximate",
        LIMIT ", 0 <= alpha <= 1",
        "The limit curve of many small (eps, delta).", limit_curve},
    {"T001-T7.delta", "limit.delta", "mu;delta_sum;eps", "approximate", LIMIT,
        "delta at eps of that limit.", limit_profile},
    {"T001-T7.mu", "limit.mu", "eps0;delta0;n", "approximate", LEDGER,
        "mu of n (eps0, delta0)-DP mechanisms in the limit.", limit_mu},
    {"T001-T7.delta_ledger", "limit.ledger_delta", "eps0;delta0;n;eps",
        "approximate", LEDGER, "delta at eps of those in the limit.",
        ledger_delta},
    {"T001-T7.eps_ledger", "limit.ledger_epsilon", "eps0;delta0;n;delta",
        "approximate", LEDGER ", 0 < delta < 1",
        "epsilon at delta of those in the limit.", ledger_epsilon},
    {"T001-T8.eta", "limit.shift", "mu;n", "exact", STEPS,
        "Least shift between n mu/sqrt(n)-DP mechanisms and G_mu.", gap_shift},
    {"T001-T8.c", "limit.shift_constant", "mu;n", "exact", STEPS,
        "n times that shift.", gap_constant},
    {"T001-T8.sup_over", "limit.over", "mu;n", "exact", STEPS,
        "How far their curve rises above G_mu.", gap_over},
    {"T001-T8.sup_under", "limit.under", "mu;n", "exact", STEPS,
        "How far their curve falls below G_mu.", gap_under},
    {"T001-D5.gauss_laplace", "product.gauss_laplace", "mu;mulap;eps", "exact",
        "mu > 0, mulap >= 0",
        "delta at eps of mu-GDP and Laplace noise of scale 1/mulap.",
        gauss_laplace},
    {"T001-D5.gauss_ed", "product.gauss_approx", "mu;eps0;delta0;eps", "exact",
        "mu > 0, eps0 >= 0, 0 <= delta0 <= 1",
        "delta at eps of mu-GDP and (eps0, delta0)-DP.", gauss_approx},
    {"T001-D5.laplace_laplace", "product.laplace_laplace", "mu1;mu2;eps",
        "exact", "mu1 >= 0, mu2 >= 0, eps >= 0",
        "delta at eps of two Laplace mechanisms.", laplace_laplace},
    {"T001-D5.CG_CG", "product.sampled_twice", "p;mu;eps", "exact",
        SAMPLE ", eps >= 0", "delta at eps of two sampled Gaussians.",
        sampled_twice},
    {"T001-D5.CG_gauss", "product.sampled_gauss", "p;mu;mu2;eps", "exact",
        SAMPLE ", mu2 > 0, eps >= 0",
        "delta at eps of a sampled Gaussian and mu2-GDP.", sampled_gauss},
};

FORMULA_TABLE(formula_001_compose, rows);
