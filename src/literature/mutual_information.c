/*
 * Mutual information of mechanisms, bounded by lines of zCDP, and of randomized
 * response exactly. Derivation: docs/theory/concentrated.md, section 5.
 */
#include "mutual_information.h"

#include "special/binomial_mean.h"
#include "zcdp_group.h"

/* ---- Bounds ------------------------------------------------------------- */

ball information_bound(cdp_line line, double n)
{
    ball count = ball_of(n), xi = ball_mul(line.xi, count);
    if (!ball_is_negative(line.xi) && !ball_is_zero(line.xi))
        xi = zcdp_group_xi_simple(line.xi, count);
    return ball_add(xi, ball_mul(line.rho, ball_sqr(count)));
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

typedef struct copies {
    ball eps;
    double n;
} copies;

/* The information given that k of n responses are truthful. */
static scaled copies_term(double k, const void *context)
{
    const copies *c = context;
    ball gap = ball_sub(ball_of(2 * k), ball_of(c->n)); /* exact to 2^53 */
    return scaled_of(information_of_response(ball_mul(c->eps, gap)));
}

ball information_of_copies(ball eps, double n)
{
    if (ball_is_zero(eps))
        return eps;
    const copies c = {eps, n};
    ball_coin keep = ball_coin_of_log_odds(eps);
    if (!(20 * sqrt(n * keep.p.hi * keep.q.hi) < (double)BINOMIAL_MIX_TERMS))
        return ball_unknown(); /* the sum would have too many terms */
    const binomial_mix kept = {.n = n, .coin = keep};
    const binomial_mix flipped = {.n = n, .coin = ball_coin_swap(keep)};
    /* the information is symmetric about n/2 and grows away from it */
    scaled sum = binomial_mix_sum(
        &kept, ceil(n / 2), copies_term, &c, -HUGE_VAL);
    scaled rest = binomial_mix_sum(
        &flipped, floor(n / 2) + 1, copies_term, &c, -HUGE_VAL);
    return scaled_ball(scaled_add(sum, rest));
}
