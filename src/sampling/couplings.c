/*
 * Divergences of finite laws as sums of positive parts. An outcome whose
 * difference has no certain sign adds the interval from 0 to its upper end.
 * Derivation: docs/theory/couplings.md, section 2.
 */
#include "couplings.h"

static ball positive_part(ball x)
{
    if (ball_is_nonnegative(ball_neg(x)))
        return ball_of(0);
    return ball_is_nonnegative(x) ? x : ball_max(x, ball_of(0));
}

/* [p - alpha q]_+; at alpha = inf, p if q = 0 and else 0. */
static ball excess_of(ball p, ball q, ball alpha)
{
    if (ball_is_zero(q))
        return p;
    if (isinf(alpha.hi))
        return ball_of(0);
    return positive_part(ball_sub(p, ball_mul(alpha, q)));
}

ball coupling_divergence(const ball *p, const ball *q, size_t n, ball alpha)
{
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add(sum, excess_of(p[i], q[i], alpha));
    return sum;
}

ball coupling_singular(const ball *p, const ball *q, size_t n)
{
    return coupling_divergence(p, q, n, ball_of(HUGE_VAL));
}

/* ---- The maximal coupling ---------------------------------------------- */

ball coupling_common(const ball *p, const ball *q, ball eta, size_t i)
{
    return ball_div(ball_min(p[i], q[i]), ball_sub(ball_of(1), eta));
}

ball coupling_own(const ball *p, const ball *q, ball eta, size_t i)
{
    return ball_div(excess_of(p[i], q[i], ball_of(1)), eta);
}

ball coupling_joint(const ball *p, const ball *q, ball eta, size_t i, size_t j)
{
    ball one = ball_of(1);
    ball here = excess_of(p[i], q[i], one), there = excess_of(q[j], p[j], one);
    ball sum = i == j ? ball_min(p[i], q[i]) : ball_of(0);
    if (ball_is_zero(here) || ball_is_zero(there))
        return sum;
    return ball_add(sum, ball_div(ball_mul(here, there), eta));
}

/* ---- Advanced joint convexity ------------------------------------------ */

ball coupling_alpha_out(ball eta, ball alpha)
{
    return ball_add_d(ball_mul(eta, ball_sub_d(alpha, 1)), 1);
}

ball coupling_beta(ball eta, ball alpha)
{
    return ball_div(coupling_alpha_out(eta, alpha), alpha);
}

/* (1 - eta)(1 - 1/alpha) */
static ball one_minus_beta(ball eta, ball alpha)
{
    ball share = ball_div(ball_sub_d(alpha, 1), alpha);
    return ball_mul(ball_sub(ball_of(1), eta), share);
}

ball coupling_exact(const coupling_mixture *x, ball alpha)
{
    ball beta = coupling_beta(x->eta, alpha);
    ball rest = one_minus_beta(x->eta, alpha);
    ball sum = ball_of(0);
    for (size_t i = 0; i < x->n; i++) {
        ball mixed = ball_add(
            ball_mul(rest, x->shared[i]), ball_mul(beta, x->second[i]));
        sum = ball_add(sum, excess_of(x->first[i], mixed, alpha));
    }
    return ball_mul(x->eta, sum);
}

ball coupling_upper(const coupling_mixture *x, ball alpha)
{
    ball beta = coupling_beta(x->eta, alpha);
    ball rest = one_minus_beta(x->eta, alpha);
    ball shared = coupling_divergence(x->first, x->shared, x->n, alpha);
    ball second = coupling_divergence(x->first, x->second, x->n, alpha);
    return ball_mul(
        x->eta, ball_add(ball_mul(rest, shared), ball_mul(beta, second)));
}

ball coupling_naive(const coupling_mixture *x, ball alpha)
{
    ball out = coupling_alpha_out(x->eta, alpha);
    return ball_mul(
        x->eta, coupling_divergence(x->first, x->second, x->n, out));
}
