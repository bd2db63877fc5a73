/*
 * Closed forms of trade-off functions. The choice between two branches rests on
 * a certain comparison; if that is undecided, the maximum (or minimum) of both
 * is enclosed, or their hull. Derivation: docs/theory/tradeoff.md.
 */
#include "tradeoff.h"

#include "num/bracket.h"
#include "num/ends.h"
#include "special/special.h"

share share_of(double x)
{
    return (share){ball_of(x), ball_sub(ball_of(1), ball_of(x))};
}

static ball one_minus(ball x)
{
    return ball_sub(ball_of(1), x);
}

/* ---- (eps, delta) ------------------------------------------------------- */

/* e^eps x for x >= 0; +inf on overflow. */
static ball grown(ball eps, ball x)
{
    if (ball_is_zero(x))
        return x;
    if (eps.hi < 600)
        return ball_mul(ball_exp(eps), x);
    ball log_product = ball_add(eps, ball_log(x));
    return ball_lower(log_product) > 700 ? ball_of(HUGE_VAL)
                                         : ball_exp(log_product);
}

share tradeoff_approx(ball eps, ball delta, share alpha)
{
    ball rise = grown(eps, alpha.value);
    /* 1 - delta - alpha from the more exact part of alpha */
    ball miss = ball_sub(alpha.rest, delta);
    ball low = ball_mul(ball_exp(ball_neg(eps)), miss);
    share f = {ball_max(low, ball_of(0)), ball_unknown()};
    ball second = one_minus(low);
    if (isinf(rise.hi)) {
        f.rest = second;
    } else {
        ball power = ball_add(delta, rise);
        f.value = ball_max(f.value, one_minus(power));
        f.rest = ball_min(power, second);
    }
    f.rest = ball_min(f.rest, ball_of(1));
    return f;
}

ball tradeoff_approx_fixed(ball eps, ball delta)
{
    ball decay = ball_exp(ball_neg(eps));
    return ball_div(ball_mul(one_minus(delta), decay), ball_add_d(decay, 1));
}

ball tradeoff_approx_tv(ball eps, ball delta)
{
    ball t = ball_tanh(ball_scale2(eps, -1));
    return ball_add(delta, ball_mul(one_minus(delta), t));
}

/* ---- Groups ------------------------------------------------------------- */

typedef struct group {
    ball eps, delta;
    ball fixed; /* (1-delta)/(1+e^eps): below it the steep line is smaller */
    share alpha;
} group;

/* (e^(j eps) - 1)/(e^eps - 1), which is j at eps = 0. */
static ball geometric(ball eps, ball j)
{
    if (ball_is_zero(eps) || ball_is_zero(j))
        return j;
    ball x = ball_mul(eps, j);
    if (x.hi < 600)
        return ball_div(ball_expm1(x), ball_expm1(eps));
    return ball_unknown();
}

/* j steps r -> delta + e^eps r. */
static ball steep(const group *g, double j)
{
    ball count = ball_of(j);
    ball r = grown(ball_mul(g->eps, count), g->alpha.value);
    if (ball_is_zero(g->delta))
        return r;
    return ball_add(r, ball_mul(g->delta, geometric(g->eps, count)));
}

/* The result of j steep steps, then k - j steps c -> e^-eps (c - delta) of
 * c = 1 - r. */
static share through(const group *g, double j, double k)
{
    ball r = j > 0 ? steep(g, j) : g->alpha.value;
    ball c = j > 0 ? one_minus(r) : g->alpha.rest;
    if (j == k)
        return (share){c, r};
    ball count = ball_of(k - j), back = ball_neg(g->eps);
    ball fall = ball_mul(ball_exp(ball_mul(back, count)), c);
    if (!ball_is_zero(g->delta)) {
        ball sum = ball_mul(ball_exp(back), geometric(back, count));
        fall = ball_sub(fall, ball_mul(g->delta, sum));
    }
    return (share){fall, one_minus(fall)};
}

static double steep_gap(double j, const void *context)
{
    const group *g = context;
    double e = g->eps.hi, d = g->delta.hi;
    double sum = e * j < 600 && e > 0 ? expm1(e * j) / expm1(e) : j;
    return log(exp(e * j) * g->alpha.value.hi + d * sum) - log(g->fixed.hi);
}

share tradeoff_approx_group(ball eps, ball delta, double k, share alpha)
{
    group g = {eps, delta, tradeoff_approx_fixed(eps, delta), alpha};
    double j = 0;
    if (steep_gap(0, &g) < 0) /* steers */
        j = steep_gap(k, &g) < 0 ? k : ceil(bracket_approx(steep_gap, &g, 0, k));
    /* the number of steep steps is the first j with r_j >= fixed */
    while (j > 0 && !ball_less(steep(&g, j - 1), g.fixed) && j > 1)
        j--;
    for (int i = 0; i < 4 && j < k && !ball_less(g.fixed, steep(&g, j)); i++)
        j++;
    double low = fmax(j - 2, 0), high = fmin(j + 2, k);
    /* at eps = 0 both lines are one, whatever j */
    bool sure = (low == 0 || ball_less(steep(&g, low - 1), g.fixed)) &&
                (high == k || !ball_less(steep(&g, high), g.fixed));
    sure = sure || ball_is_zero(eps);
    share best = through(&g, low, k);
    /* h^k is the least over all orders of lines, since h is the least */
    for (double i = low + 1; i <= high; i++) {
        share f = through(&g, i, k);
        if (ball_is_unknown(f.value))
            continue;
        best.value = ball_max(best.value, f.value);
        best.rest = ball_min(best.rest, f.rest);
    }
    best.value = ball_max(best.value, ball_of(0));
    best.rest = ball_min(best.rest, ball_of(1));
    return sure ? best : (share){ball_unknown(), ball_unknown()};
}

/* ---- Gaussian ----------------------------------------------------------- */

static share gauss_inside(ball mu, share alpha)
{
    ball z = alpha.value.hi < 0.5 ? ball_normal_isf(alpha.value)
                                  : ball_neg(ball_normal_isf(alpha.rest));
    ball x = ball_sub(z, mu);
    return (share){ball_normal_cdf(x), ball_normal_sf(x)};
}

share tradeoff_gauss(ball mu, share alpha)
{
    share none = {ball_of(1), ball_of(0)}, all = {ball_of(0), ball_of(1)};
    if (ball_less_equal(alpha.value, ball_of(0)))
        return none; /* a test of level 0 has no power */
    if (ball_less_equal(alpha.rest, ball_of(0)))
        return all;
    if (ball_is_positive(alpha.value) && ball_is_positive(alpha.rest))
        return gauss_inside(mu, alpha);
    /* alpha is not certainly inside (0, 1): f falls with alpha */
    share *end = ball_is_positive(alpha.rest) ? &none : &all;
    ball edge = end == &none ? ball_top(alpha.value) : ball_top(alpha.rest);
    share inner = {edge, one_minus(edge)};
    if (end == &all)
        inner = (share){inner.rest, inner.value};
    inner = gauss_inside(mu, inner);
    return (share){
        ball_hull(end->value, inner.value), ball_hull(end->rest, inner.rest)};
}

/* sf(-m/2) - sf(m/2) = erf(m/sqrt 8). */
ball tradeoff_gauss_tv(ball mu)
{
    return ball_erf(ball_div(mu, ball_sqrt(ball_of(8))));
}

static ball pure_gap(ball mu, const void *context)
{
    const ball *tv = context;
    return ball_sub(tradeoff_gauss_tv(mu), *tv);
}

ball tradeoff_pure_to_mu(ball eps)
{
    if (ball_is_zero(eps))
        return eps;
    if (eps.hi > 0.5) { /* sf(mu/2) = 1/(1+e^eps) */
        ball log_p = ball_neg(ball_log1pexp(eps));
        return ball_scale2(ball_normal_isf_log(log_p), 1);
    }
    ball tv = ball_tanh(ball_scale2(eps, -1));
    /* tv is concave in mu; tv/mu falls from 1/sqrt(2 pi) to 0.393 at 0.5 */
    double low = ball_lower(ball_mul_d(tv, 2.5));
    double high = ball_upper(ball_mul_d(tv, 2.6));
    return ball_of_interval(bracket_root_of(pure_gap, &tv, low, high));
}

ball tradeoff_group_gap(ball eps)
{
    ball t = ball_sqr(ball_tanh(ball_scale2(eps, -1)));
    return ball_scale2(ball_mul(t, ball_add_d(ball_exp(ball_neg(eps)), 1)), -2);
}

ball tradeoff_gauss_leaky(ball mu, ball keep, ball alpha)
{
    if (ball_is_zero(keep) || ball_less_equal(keep, alpha))
        return ball_of(0);
    share a = {ball_div(alpha, keep), ball_div(ball_sub(keep, alpha), keep)};
    if (!ball_is_positive(a.rest) && !ball_is_zero(alpha))
        return ball_unknown(); /* alpha and 1 - delta are not ordered */
    return ball_mul(keep, tradeoff_gauss(mu, a).value);
}
