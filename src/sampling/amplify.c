/*
 * Closed forms of amplification by Poisson sampling, arranged so that nothing
 * overflows or cancels; see the numerical notes in docs/theory/sampling.md,
 * section 4.
 */
#include "amplify.h"

#include "num/scaled.h"

/* Exponentials of larger numbers are computed by their logarithm; e^700 is
 * still in range. */
#define MAX_EXPONENT 700

static ball complement(ball rate)
{
    return ball_sub(ball_of(1), rate);
}

/* ---- (eps, delta) ------------------------------------------------------- */

ball amplify_epsilon(ball rate, ball eps)
{
    if (ball_is_zero(rate) || isinf(eps.hi))
        return ball_is_zero(rate) ? rate : eps;
    if (eps.hi <= MAX_EXPONENT)
        return ball_log1p(ball_mul(rate, ball_expm1(eps)));
    return scaled_log1p(scaled_mul_ball(scaled_expm1(eps), rate));
}

ball amplify_delta(ball rate, ball delta)
{
    return ball_mul(rate, delta);
}

ball amplify_epsilon_simple(ball rate, ball eps)
{
    if (ball_is_zero(rate))
        return rate;
    return ball_mul(rate, ball_expm1(eps));
}

ball amplify_epsilon_base_first(ball rate, ball eps)
{
    if (ball_is_zero(complement(rate)))
        return eps;
    ball gone = ball_expm1(ball_neg(eps)); /* -1 at eps = inf */
    return ball_neg(ball_log1p(ball_mul(rate, gone)));
}

ball amplify_delta_base_first(ball rate, ball eps, ball delta)
{
    if (ball_is_zero(complement(rate)))
        return delta;
    ball part = ball_mul(rate, ball_exp(ball_neg(eps)));
    ball whole = ball_add(complement(rate), part);
    return ball_mul(ball_div(part, whole), delta);
}

ball amplify_base_epsilon(ball rate, ball target)
{
    if (isinf(target.hi))
        return target;
    if (target.hi <= 40) {
        ball growth = ball_div(ball_expm1(target), rate);
        if (!ball_is_unknown(growth))
            return ball_log1p(growth);
        return scaled_log1p(
            scaled_div(scaled_of(ball_expm1(target)), scaled_of(rate)));
    }
    /* target + log(1/p) + log(1 - (1-p) e^-target), the last below e^-40 */
    ball rest = ball_mul(complement(rate), ball_exp(ball_neg(target)));
    rest = ball_log1p(ball_neg(rest));
    return ball_add(ball_sub(target, ball_log(rate)), rest);
}

ball amplify_lambda(ball rate, ball order)
{
    ball top = ball_mul(ball_sub_d(ball_scale2(order, 1), 1), rate);
    ball rest = ball_mul_d(complement(rate), 3);
    return ball_div(top, ball_add(top, rest));
}

/* ---- Scalar steps ------------------------------------------------------- */

ball amplify_mean(ball rate, ball x)
{
    return ball_add(complement(rate), ball_mul(rate, x));
}

ball amplify_harmonic(ball rate, ball x)
{
    /* x / ((1-p) x + p) */
    ball below = ball_add(ball_mul(complement(rate), x), rate);
    return ball_div(x, below);
}

ball amplify_cubic(ball rate, ball x, ball v)
{
    ball keep = complement(rate);
    ball power = ball_pow(amplify_mean(rate, x), v);
    ball cube = ball_add(ball_div(keep, x), rate);
    cube = ball_mul(cube, ball_sqr(cube));
    return ball_add(ball_mul(ball_mul_d(keep, 3), power),
        ball_mul(ball_mul(v, rate), cube));
}

ball amplify_cubic_floor(ball rate, ball v)
{
    return ball_add(ball_mul_d(complement(rate), 3), ball_mul(v, rate));
}

ball amplify_power(ball rate, ball x, ball order)
{
    return ball_pow(amplify_mean(rate, x), order);
}

/* e a (a-1) p^2 / 2 */
static ball curvature(ball rate, ball order)
{
    ball e = ball_exp(ball_of(1));
    ball pair = ball_mul(order, ball_sub_d(order, 1));
    return ball_scale2(ball_mul(ball_mul(e, pair), ball_sqr(rate)), -1);
}

ball amplify_quadratic(ball rate, ball x, ball order)
{
    ball step = ball_sub_d(x, 1);
    ball linear = ball_mul(ball_mul(order, rate), step);
    ball square = ball_mul(curvature(rate, order), ball_sqr(step));
    return ball_add(ball_add_d(linear, 1), square);
}

ball amplify_quadratic_tail(ball rate, ball x, ball order, ball omega)
{
    ball base = ball_mul(ball_mul(ball_sub_d(order, 1), rate), x);
    return ball_add(amplify_quadratic(rate, x, order), ball_pow(base, omega));
}

bool amplify_rate_is_small(ball rate)
{
    ball most = ball_neg(ball_expm1(ball_of(-1)));
    return ball_less_equal(rate, most);
}

bool amplify_quadratic_applies(ball rate, ball x, ball order)
{
    if (!amplify_rate_is_small(rate) || !ball_is_nonnegative(x) ||
        !ball_is_positive(ball_sub_d(order, 1)))
        return false;
    if (ball_less_equal(order, ball_of(2)))
        return true;
    /* the condition p x <= p, or p x (order - 2) <= 1 - p */
    ball excess = ball_mul(ball_mul(rate, x), ball_sub_d(order, 2));
    return ball_is_zero(rate) || ball_less_equal(x, ball_of(1)) ||
           ball_less_equal(excess, complement(rate));
}

/* ---- Analytic Rényi bounds ---------------------------------------------- */

ball amplify_omega(ball rate, ball rho)
{
    ball minus_log = ball_neg(ball_log(rate));
    ball first = ball_div(minus_log, ball_scale2(rho, 2));
    ball second = ball_add_d(ball_exp(ball_scale2(minus_log, -2)), 1);
    return ball_min(first, second);
}

bool amplify_slope_applies(ball rate, ball rho)
{
    if (!ball_is_positive(rate) || !ball_is_positive(rho) ||
        !ball_less_equal(rate, ball_of(0.5)) ||
        !ball_less_equal(rho, ball_of(1)))
        return false;
    /* log(1/rho)/log(1/p) */
    ball ratio = ball_div(ball_log(rho), ball_log(rate));
    ball least = ball_add_d(ball_scale2(ratio, 1), 3);
    return ball_less_equal(least, amplify_omega(rate, rho));
}

ball amplify_slope(ball rate, ball rho)
{
    return ball_mul_d(ball_mul(ball_sqr(rate), rho), 10);
}

/* order/(order-1) */
static ball conjugate(ball order)
{
    return ball_div(order, ball_sub_d(order, 1));
}

ball amplify_limit_lower(ball rate, ball rho, ball order)
{
    ball gain = ball_mul(conjugate(order), ball_log(rate));
    return ball_add(ball_mul(order, rho), gain);
}

ball amplify_analytic(ball rate, ball rho, ball order, ball omega)
{
    ball t = ball_sub_d(order, 1);
    ball near =
        ball_mul(curvature(rate, order), ball_expm1(ball_scale2(rho, 1)));
    /* omega log((a-1) p) + (omega-1) omega rho */
    ball far = ball_mul(omega, ball_log(ball_mul(t, rate)));
    far = ball_add(far, ball_mul(ball_mul(ball_sub_d(omega, 1), omega), rho));
    if (far.hi > MAX_EXPONENT || ball_is_unknown(near)) {
        /* log(e^near + e^far + 1), each by its logarithm */
        near = ball_add(ball_log(curvature(rate, order)),
            ball_logexpm1(ball_scale2(rho, 1)));
        far = ball_log1pexp(ball_logaddexp(near, far));
    } else {
        far = ball_log1p(ball_add(near, ball_exp(far)));
    }
    return ball_div(far, t);
}

ball amplify_analytic_linear(ball rate, ball rho, ball order, ball omega)
{
    ball t = ball_sub_d(order, 1);
    ball near =
        ball_mul(curvature(rate, order), ball_expm1(ball_scale2(rho, 1)));
    near = ball_div(near, t);
    /* p ((a-1) p e^(omega rho))^(omega-1) */
    ball far = ball_add(ball_log(ball_mul(t, rate)), ball_mul(omega, rho));
    far = ball_exp(ball_mul(ball_sub_d(omega, 1), far));
    return ball_add(near, ball_mul(rate, far));
}

ball amplify_analytic_omega(ball rate, ball rho, ball order)
{
    ball log_far = ball_log(ball_mul(ball_sub_d(order, 1), rate));
    ball best = ball_div(log_far, ball_scale2(rho, 1));
    return ball_max(order, ball_sub(ball_of(0.5), best));
}

ball amplify_analytic_best(ball rate, ball rho, ball order)
{
    ball omega = amplify_analytic_omega(rate, rho, order);
    return amplify_analytic(rate, rho, order, omega);
}

ball amplify_large_order(ball rate, ball order, ball d)
{
    if (isinf(d.hi))
        return d;
    ball factor = conjugate(order);
    /* (1 - 1/a) d = d/factor */
    return ball_mul(factor, amplify_epsilon(rate, ball_div(d, factor)));
}

ball amplify_large_order_relaxed(ball rate, ball order, ball d)
{
    if (isinf(d.hi))
        return d;
    ball factor = conjugate(order);
    ball odds = ball_div(complement(rate), rate);
    ball rest = ball_mul(odds, ball_exp(ball_neg(ball_div(d, factor))));
    return ball_add(d, ball_mul(factor, ball_add(ball_log(rate), rest)));
}

/* ---- A sampled mean ----------------------------------------------------- */

ball amplify_mean_rho(ball n, ball sigma)
{
    return ball_div(ball_of(0.5), ball_sqr(ball_mul(n, sigma)));
}

ball amplify_mean_rho_sampled(ball n, ball rate, ball sigma)
{
    return amplify_mean_rho(ball_mul(n, rate), sigma);
}

ball amplify_mean_error(ball n, ball rate, ball sigma)
{
    ball sampling = ball_div(complement(rate), ball_mul(rate, n));
    return ball_add(ball_sqr(sigma), sampling);
}
