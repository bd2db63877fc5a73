/*
 * The distance of n-fold randomised response from its Gaussian limit. With
 * x = e^s the profile of f = f_{eps,0}^n is A - x B on the cell of s from
 * (2(k-1)-n) eps to (2k-n) eps, A and B being the probabilities of k or more
 * under both laws; that of G is convex in x. So
 *
 *   (delta_f - delta_G)/(1+x)  has one maximum in a cell, where
 *       sf(s/mu + mu/2) + sf(s/mu - mu/2) = A + B,
 *   (delta_G - delta_f)/(1+x)  has its maximum at an end of a cell,
 *
 * and the shift is the maximum of both. sup (f - G) is the maximum of
 * delta_G - delta_f at the losses (2k-n) eps, and sup (G - f) that of
 * A - roc_G(B) at the vertices. By symmetry s >= 0 suffices. Derivation:
 * docs/theory/tradeoff.md, section 4.
 */
#include "response_limit.h"

#include "noise/gaussian.h"
#include "special/binomial.h"
#include "num/bracket.h"
#include "num/newton.h"
#include "special/special.h"
#include "tradeoff/tradeoff.h"

#define MAX_CELLS 131072

typedef struct cells {
    ball mu;
    double n;
    ball eps;
    ball_coin likely;    /* q_e = 1/(1 + e^-eps) */
    ball a, b;           /* A and B of the cell */
    ball mass_a, mass_b; /* of the count k itself */
    double k;
} cells;

static ball loss_at(const cells *c, double k)
{
    return ball_mul_d(c->eps, k - (c->n - k));
}

static ball log_pmf(const cells *c, const ball_coin *coin, double k)
{
    return ball_binomial_log_pmf(
        c->n, k, coin->log_p, coin->log_q, coin->p, coin->q);
}

/* Starts at the last cell: n, or 8 standard deviations above the mean of the
 * law with the larger mean. */
static void cells_start(cells *c, ball mu, double n)
{
    *c = (cells){.mu = mu, .n = n};
    c->eps = ball_div(mu, ball_sqrt(ball_of(n)));
    c->likely = ball_coin_of_log_odds(c->eps);
    ball_coin rare = ball_coin_swap(c->likely);
    c->k = fmin(n, ceil(n * ball_mid(c->likely.p) + 8 * sqrt(n)));
    c->a = ball_exp(ball_binomial_log_tail(n, c->k, &c->likely, 0x100000));
    c->b = ball_exp(ball_binomial_log_tail(n, c->k, &rare, 0x100000));
    c->mass_a = ball_exp(log_pmf(c, &c->likely, c->k));
    c->mass_b = ball_exp(log_pmf(c, &rare, c->k));
}

static void cells_next(cells *c)
{
    /* pmf(k-1) = pmf(k) k/(n-k+1) q/p */
    ball ratio = ball_div_d(ball_of(c->k), c->n - c->k + 1);
    c->mass_a = ball_mul(c->mass_a, ball_mul(ratio, c->likely.inverse_odds));
    c->mass_b = ball_mul(c->mass_b, ball_mul(ratio, c->likely.odds));
    c->a = ball_add(c->a, c->mass_a);
    c->b = ball_add(c->b, c->mass_b);
    c->k--;
}

/* delta_f - delta_G at s, by the line of the cell. */
static ball gap_at(const cells *c, ball s)
{
    ball f = ball_sub(c->a, ball_mul(ball_exp(s), c->b));
    return ball_sub(f, gauss_delta(c->mu, s));
}

/* ---- The maximum inside a cell ------------------------------------------ */

/* A + B - sf(s/mu + mu/2) - sf(s/mu - mu/2), increasing in s. */
static ball balance(ball s, const void *context)
{
    const cells *c = context;
    ball x = ball_div(s, c->mu), h = ball_scale2(c->mu, -1);
    ball sum = ball_add(
        ball_normal_sf(ball_add(x, h)), ball_normal_sf(ball_sub(x, h)));
    return ball_sub(ball_add(c->a, c->b), sum);
}

static ball balance_slope(ball s, const void *context)
{
    const cells *c = context;
    ball x = ball_div(s, c->mu), h = ball_scale2(c->mu, -1);
    ball sum = ball_add(
        ball_normal_pdf(ball_add(x, h)), ball_normal_pdf(ball_sub(x, h)));
    return ball_div(sum, c->mu);
}

/* The maximum inside the cell from s0 to s1; 0 if there is none. */
static ball inner_shift(const cells *c, ball s0, ball s1)
{
    ball at0 = balance(s0, c), at1 = balance(s1, c);
    /* n odd: the first cell is symmetric about s0 = 0, a maximum */
    if (ball_is_zero(s0) && fmod(c->n, 2) == 1)
        return ball_of(0);
    if (ball_is_positive(at0) || ball_is_negative(at1))
        return ball_of(0); /* monotone: the ends are evaluated anyway */
    double guess = bracket_guess(balance, c, ball_mid(s0), ball_mid(s1));
    double slope = ball_mid(balance_slope(ball_of(guess), c));
    ball s = newton_root(balance, balance_slope, c, guess, slope, 0x1p-80);
    if (!ball_is_unknown(s))
        return ball_div(gap_at(c, s), ball_add_d(ball_exp(s), 1));
    /* in the tail a bound suffices: delta_f(s0) <= A, over 1 + e^s0 */
    ball most = ball_mul(c->a, ball_exp(ball_neg(s0)));
    return ball_of_interval(iv_make(0, fmax(ball_upper(most), 0)));
}

/* ---- All cells ---------------------------------------------------------- */

/* An upper bound of both profiles, and of A, beyond s. */
static ball rest_beyond(const cells *c, ball s)
{
    return ball_max(c->a, gauss_delta(c->mu, s));
}

/* Takes the maxima over cell k, from s0 to s1. */
static void look_at(response_gap *g, const cells *c, ball s0, ball s1)
{
    ball roc =
        tradeoff_gauss(c->mu, (share){c->b, ball_sub(ball_of(1), c->b)}).rest;
    g->under = ball_max(g->under, ball_sub(c->a, roc));
    ball gap = gap_at(c, s1);
    g->over = ball_max(g->over, ball_neg(gap));
    g->shift = ball_max(
        g->shift, ball_div(ball_abs(gap), ball_add_d(ball_exp(s1), 1)));
    g->shift = ball_max(g->shift, inner_shift(c, s0, s1));
}

response_gap response_gap_of(ball mu, double n)
{
    response_gap g = {ball_of(0), ball_of(0), ball_of(0)};
    response_gap none = {ball_unknown(), ball_unknown(), ball_unknown()};
    if (ball_is_zero(mu))
        return g;
    cells c;
    cells_start(&c, mu, n);
    double last = floor(n / 2) + 1;
    if (!(c.k - last < MAX_CELLS))
        return none;
    ball end = loss_at(&c, c.k);
    /* beyond the largest loss delta_f is 0 and delta_G falls */
    ball rest = c.k < n ? rest_beyond(&c, end) : ball_of(0);
    for (; c.k >= last; cells_next(&c)) {
        ball s0 = c.k > last ? loss_at(&c, c.k - 1) : ball_of(0);
        look_at(&g, &c, s0, loss_at(&c, c.k));
        if (c.k == last) { /* and s = 0, where -gap is at most sup (f - G) */
            ball first = gap_at(&c, s0);
            g.shift = ball_max(g.shift, ball_scale2(ball_abs(first), -1));
            g.over = ball_max(g.over, ball_neg(first));
        }
        if (ball_is_unknown(g.shift) || ball_is_unknown(g.under))
            return none;
    }
    /* the cells beyond the last one */
    ball most = ball_of_interval(iv_make(0, ball_upper(rest)));
    g.over = ball_max(g.over, most);
    g.under = ball_max(g.under, most);
    g.shift = ball_max(g.shift, ball_mul(most, ball_exp(ball_neg(end))));
    return g;
}
