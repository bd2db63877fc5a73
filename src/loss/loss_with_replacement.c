/*
 * Sampling with replacement as a loss law: weights of the number of times that
 * one record is drawn, and the tail masses of the mixture over it. Derivation:
 * docs/theory/sampling.md, section 8.
 */
#include "loss_with_replacement.h"

#include "special/binomial_mean.h"
#include "num/ends.h"

/* The ratio w_(k+1)/w_k = (m - k)/((k + 1)(n - 1)), falling in k. */
static ball ratio_at(double k, double draws, double population)
{
    ball below = ball_mul_d(ball_of(population - 1), k + 1);
    return ball_div(ball_of(fmax(draws - k, 0)), below);
}

unsigned loss_with_replacement_terms(
    double draws, double population, double log_rest)
{
    binomial_mix mix = binomial_mix_of_size(draws, population);
    for (unsigned n = 1; n <= LOSS_MAX_GROUP; n++) {
        if (n >= draws)
            return n;
        double ratio = ball_upper(ratio_at(n, draws, population));
        double log_w = ball_upper(binomial_mix_log_weight(&mix, n));
        if (ratio < 0.5 && log_w + log(2 * ratio) <= log_rest)
            return n;
    }
    return 0;
}

ball loss_with_replacement_weights(
    ball *weight, unsigned n, double draws, double population)
{
    binomial_mix mix = binomial_mix_of_size(draws, population);
    for (unsigned k = 0; k <= n; k++)
        weight[k] = k <= draws ? ball_exp(binomial_mix_log_weight(&mix, k))
                               : ball_of(0);
    if (n >= draws)
        return ball_of(0);
    /* the ratios fall: the weights beyond n add up to at most w r/(1 - r), and
     * to at least the next weight */
    ball ratio = ratio_at(n, draws, population);
    ball gap = ball_sub(ball_of(1), ratio);
    ball next = ball_mul(weight[n], ratio);
    return ball_is_positive(gap) ? ball_hull(next, ball_div(next, gap))
                                 : ball_hull(ball_of(0), ball_of(1));
}

/* True if Q has the draws of LOSS_GROUP. */
static bool draws_are_added(const loss_law *pair)
{
    return pair->map == LOSS_GROUP && pair->removed == 0;
}

ball loss_with_replacement_lost(const loss_law *pair)
{
    ball weight[LOSS_MAX_GROUP + 1];
    bool drawn = pair->map == LOSS_WITH_REPLACEMENT ||
                 (pair->map == LOSS_GROUP && pair->draws > 0);
    if (!drawn || draws_are_added(pair))
        return ball_of(0);
    ball rest = loss_with_replacement_weights(
        weight, pair->removed, pair->draws, pair->population);
    return ball_hull(ball_of(0), rest);
}

static void group_init(loss_tails *c)
{
    const loss_law *pair = &c->pair;
    bool added = draws_are_added(pair);
    ball rest = loss_with_replacement_weights(added ? c->added : c->removed,
        added ? pair->added : pair->removed, pair->draws, pair->population);
    if (added) {
        /* Without the remaining weight Q is smaller, which makes the pair
         * worse; with it at n draws, Q is nearer to P than it is, which makes
         * the pair better. */
        ball *last = &c->added[pair->added];
        c->removed[0] = ball_of(1);
        *last = ball_hull(*last, ball_add(*last, rest));
        return;
    }
    c->added[0] = ball_of(1);
    /* all of it for the upper end, none for the lower */
    c->p_inf = ball_hull(ball_of(0), rest);
}

/* Fills the shares, and the mean over all k of delta_k(0), which is at most 1
 * beyond n. */
static void drawn_init(loss_tails *c)
{
    const loss_law *pair = &c->pair;
    ball rest = loss_with_replacement_weights(
        c->removed, pair->removed, pair->draws, pair->population);
    c->p_inf = rest;
    c->base_delta = ball_div(rest, pair->rate);
    for (unsigned k = 1; k <= pair->removed; k++) {
        c->removed[k] = ball_div(c->removed[k], pair->rate);
        ball delta =
            loss_noise_delta(pair->noise, ball_mul_d(pair->parameter, k));
        c->base_delta = ball_add(c->base_delta, ball_mul(c->removed[k], delta));
    }
    c->removed[0] = ball_of(0);
}

void loss_with_replacement_init(loss_tails *c)
{
    if (c->pair.map == LOSS_GROUP)
        group_init(c);
    else
        drawn_init(c);
}

/* True if |s| certainly lies beyond the losses of k, which are at most log(1 +
 * q (e^(k a) - 1)) for bounded noise. */
static bool is_beyond(const loss_law *pair, unsigned k, ball s)
{
    if (pair->noise == LOSS_GAUSSIAN || k == pair->removed)
        return false;
    ball most = ball_log1p(
        ball_mul(pair->rate, ball_expm1(ball_mul_d(pair->parameter, k))));
    return ball_less_equal(most, ball_abs(s));
}

loss_tail loss_with_replacement_tail(const loss_tails *c, ball s, bool upper)
{
    const loss_law *pair = &c->pair;
    loss_tail sum = {ball_of(0), ball_of(0)};
    for (unsigned k = 1; k <= pair->removed; k++) {
        if (is_beyond(pair, k, s))
            continue;
        loss_tail t = loss_without_replacement_tail(
            pair, ball_mul_d(pair->parameter, k), s, upper);
        sum.p = ball_add(sum.p, ball_mul(c->removed[k], t.p));
        sum.xq = ball_add(sum.xq, ball_mul(c->removed[k], t.xq));
    }
    return sum;
}
