/*
 * Mutual information. Derivations: docs/theory/concentrated.md.
 */
#include "information.h"

#include "num/binomial.h"
#include "num/excess.h"
#include "num/special.h"
#include "zcdp_group.h"

#define MAX_TERMS ((size_t)1 << 20)

/* ---- Bounds ------------------------------------------------------------- */

ball information_bound(cdp_line line, double n)
{
    ball count = ball_of(n), xi = ball_mul(line.xi, count);
    if (!ball_is_negative(line.xi) && !ball_is_zero(line.xi))
        xi = zcdp_group_xi_simple(line.xi, count);
    return ball_add(xi, ball_mul(line.rho, ball_sqr(count)));
}

ball information_bound_harmonic(cdp_line line, double n)
{
    cdp_line group = zcdp_group(line, n);
    return ball_add(group.xi, group.rho);
}

ball information_bound_independent(cdp_line line, ball n)
{
    return ball_mul(ball_add(line.xi, line.rho), n);
}

/* ---- Randomized response ------------------------------------------------ */

ball information_of_response(ball eps)
{
    ball x = ball_abs(eps);
    if (x.hi < 2) {
        /* log cosh(y) = log(1 + sinh(y)^2) / 2; about half remains */
        ball y = ball_scale2(x, -1);
        ball log_cosh = ball_log1p(ball_sqr(ball_sinh(y)));
        ball sum = ball_mul(x, ball_tanh(y));
        return ball_clamp(
            ball_scale2(ball_sub(sum, log_cosh), -1), 0, HUGE_VAL);
    }
    /* log 2 - log(1 + e^-x) - x e^-x / (1 + e^-x) */
    ball gone = ball_exp(ball_neg(x));
    ball lie = ball_div(gone, ball_add_d(gone, 1));
    ball rest = ball_add(ball_log1p(gone), ball_mul(x, lie));
    return ball_sub(ball_ln2(), rest);
}

/* The information at j flipped copies. */
static ball copies_term(ball eps, double n, double j)
{
    ball gap = ball_sub(ball_of(n), ball_of(2 * j)); /* exact to 2^53 */
    return information_of_response(ball_mul(eps, gap));
}

/* Sums pmf(j) term(j) from j on, upward (step 1) or downward, by the ratio
 * of neighbouring masses, for at most count terms. */
static ball copies_side(ball eps, double n, double j, int step, double count,
    const ball_coin *flip, ball pmf)
{
    ball sum = ball_of(0);
    for (double i = 0; i < count && j >= 0 && j <= n; i++, j += step) {
        sum = ball_add(sum, ball_mul(pmf, copies_term(eps, n, j)));
        ball ratio =
            step > 0 ? ball_mul(flip->odds, ball_div_d(ball_of(n - j), j + 1))
                     : ball_mul(flip->inverse_odds,
                           ball_div_d(ball_of(j), n - j + 1));
        pmf = ball_mul(pmf, ratio);
    }
    return sum;
}

ball information_of_copies(ball eps, double n)
{
    if (ball_is_zero(eps))
        return eps;
    if (eps.hi > 300) { /* a flip has chance below e^-300 n */
        ball lost = ball_mul_d(ball_exp(ball_neg(eps)), n);
        ball whole = information_of_response(ball_mul_d(eps, n));
        return ball_widen(whole, ball_upper(lost));
    }
    ball_coin flip = ball_coin_of_log_odds(ball_neg(eps));
    double mean = n * flip.p.hi, mode = fmin(floor(mean), n);
    /* far enough that what is left out, times log 2, is below 1e-17 of
     * the value, which is near n eps^2 / 8 where that is small */
    double depth = 44 - log(fmin(1, n * eps.hi * eps.hi));
    double reach = ceil(sqrt(2 * mean * depth) + 2 * depth) + 2;
    if (!(fmin(2 * reach, n) <= (double)MAX_TERMS))
        return ball_unknown();
    ball top = ball_exp(
        ball_binomial_log_pmf(n, mode, flip.log_p, flip.log_q, flip.p, flip.q));
    ball sum = copies_side(eps, n, mode, 1, reach, &flip, top);
    if (mode >= 1) {
        ball ratio = ball_mul(
            flip.inverse_odds, ball_div_d(ball_of(mode), n - mode + 1));
        sum = ball_add(sum, copies_side(eps, n, mode - 1, -1, reach, &flip,
                                ball_mul(top, ratio)));
    }
    if (reach >= n) /* every j was there */
        return sum;
    /* the terms left out lie in [0, log 2] */
    ball tails = ball_of(0);
    if (mode + reach <= n)
        tails = ball_add(tails, ball_exp(ball_binomial_log_tail(
                                    n, mode + reach, &flip, MAX_TERMS)));
    ball_coin keep = ball_coin_swap(flip);
    double kept = n - (mode - 1 - reach);
    if (kept <= n)
        tails = ball_add(
            tails, ball_exp(ball_binomial_log_tail(n, kept, &keep, MAX_TERMS)));
    double rest = ball_upper(ball_mul(tails, ball_ln2()));
    return ball_add(sum, ball_of_interval(iv_make(0, fmax(rest, 0))));
}
