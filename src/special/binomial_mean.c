/*
 * Means of a monotone function over a binomial law, tilted or not. The sum
 * starts at the largest weight, or at the first k whose term is not 0 if that
 * is larger, and runs both ways. Derivation: docs/theory/couplings.md, section
 * 4.
 */
#include "binomial_mean.h"

/* The greatest remainder that is left out, relative to the sum. */
#define MAX_RELATIVE_REST 0x1p-75

/* Terms within this of 1 are not computed any more. */
#define FROZEN_GAP 0x1p-80

/* Successes, drawn and expected, up to which a weight is computed as a product
 * of factors. */
#define MAX_FACTORS 32

binomial_mix binomial_mix_of_size(double n, double size)
{
    ball s = ball_of(size), rest = ball_sub_d(s, 1);
    ball p = ball_div(ball_of(1), s);
    binomial_mix mix = {.n = n, .lift = ball_of(0), .bend = ball_of(0)};
    mix.coin = (ball_coin){.p = p,
        .q = ball_div(rest, s),
        .log_p = ball_neg(ball_log(s)),
        .log_q = ball_log1p(ball_neg(p)),
        .odds = ball_div(ball_of(1), rest),
        .inverse_odds = rest};
    return mix;
}

binomial_mix binomial_mix_of_rate(double n, ball rate)
{
    ball q = ball_sub(ball_of(1), rate);
    binomial_mix mix = {.n = n, .lift = ball_of(0), .bend = ball_of(0)};
    mix.coin = (ball_coin){.p = rate,
        .q = q,
        .log_p = ball_log(rate),
        .log_q = ball_log1p(ball_neg(rate)),
        .odds = ball_div(rate, q),
        .inverse_odds = ball_div(q, rate)};
    return mix;
}

/* True if the weight of k is a product of at most MAX_FACTORS factors, in
 * range. */
static bool has_few_factors(const binomial_mix *mix, double k)
{
    double p = ball_mid(mix->coin.p);
    bool fits = k == 0 || k * ball_mid(mix->coin.log_p) > -500;
    return fits && k <= MAX_FACTORS && p * mix->n <= MAX_FACTORS && p < 0.5;
}

/* Encloses C(n,k) (p/q)^k. Integers are multiplied as long as their product is
 * exact. */
static ball factor_product(const binomial_mix *mix, double k)
{
    ball product = ball_of(1);
    double above = 1, below = 1;
    for (double j = 0; j < k; j++) {
        product = ball_mul(product, mix->coin.odds);
        if (above * (mix->n - j) > 0x1p53) {
            product = ball_mul_d(product, above);
            above = 1;
        }
        above *= mix->n - j;
        if (below * (j + 1) > 0x1p53) {
            product = ball_div_d(product, below);
            below = 1;
        }
        below *= j + 1;
    }
    return ball_div_d(ball_mul_d(product, above), below);
}

/* Encloses the log of the tilt, k lift - k^2 bend/2. */
static ball log_tilt(const binomial_mix *mix, double k)
{
    ball square = ball_sqr(ball_of(k)); /* exact below 2^53 */
    return ball_sub(
        ball_mul_d(mix->lift, k), ball_scale2(ball_mul(square, mix->bend), -1));
}

ball binomial_mix_log_weight(const binomial_mix *mix, double k)
{
    const ball_coin *c = &mix->coin;
    ball w;
    if (has_few_factors(mix, k)) {
        w = ball_mul_d(c->log_q, mix->n);
        if (k > 0)
            w = ball_add(w, ball_log(factor_product(mix, k)));
    } else {
        w = ball_binomial_log_pmf(mix->n, k, c->log_p, c->log_q, c->p, c->q);
    }
    return isinf(w.hi) ? w : ball_add(w, log_tilt(mix, k));
}

static scaled weight_of(const binomial_mix *mix, double k)
{
    if (!has_few_factors(mix, k))
        return scaled_exp(binomial_mix_log_weight(mix, k));
    ball rest = ball_mul_d(mix->coin.log_q, mix->n);
    return scaled_mul_ball(
        scaled_exp(ball_add(rest, log_tilt(mix, k))), factor_product(mix, k));
}

double binomial_mix_log_ratio_approx(const binomial_mix *mix, double k)
{
    return log((mix->n - k) / (k + 1)) + ball_mid(mix->coin.log_p) -
           ball_mid(mix->coin.log_q) + ball_mid(mix->lift) -
           (k + 0.5) * ball_mid(mix->bend);
}

double binomial_mix_mode_approx(const binomial_mix *mix)
{
    double low = 0, high = mix->n;
    if (ball_is_zero(mix->lift) && ball_is_zero(mix->bend))
        return fmin(floor((mix->n + 1) * ball_mid(mix->coin.p)), mix->n);
    while (low < high) {
        double k = floor(low + (high - low) / 2);
        if (binomial_mix_log_ratio_approx(mix, k) > 0)
            low = k + 1;
        else
            high = k;
    }
    return low;
}

/* The first k in [low, n] whose term is not exactly 0; n + 1 if none. */
static double first_positive(const binomial_mix *mix, double low,
    binomial_term term, const void *context)
{
    double high = mix->n + 1;
    while (low < high) {
        double k = floor(low + (high - low) / 2);
        if (ball_is_zero(term(k, context).m))
            low = k + 1;
        else
            high = k;
    }
    return low;
}

typedef struct mean_sum {
    const binomial_mix *mix;
    binomial_term term;
    const void *context;
    scaled sum;
    double log_floor;
    size_t n_terms;
} mean_sum;

/* Encloses the ratio of the tilts at k + 1 and k, e^(lift - bend (k + 1/2)). */
static ball tilt_step(const binomial_mix *mix, double k)
{
    ball middle = ball_mul(mix->bend, ball_add_d(ball_of(k), 0.5));
    return ball_exp(ball_sub(mix->lift, middle));
}

/*
 * True, and the remainder charged, if all terms beyond w t may be left out:
 * with ratios of at most r they add up to at most w t r/(1 - r).
 */
static bool rest_is_small(mean_sum *s, scaled w, scaled t, double r)
{
    if (!(r < 0.999))
        return false;
    scaled rest = scaled_mul(w, t);
    rest = scaled_mul_ball(rest, ball_of(1.001 * r / (1 - r)));
    double most = ball_upper(rest.m), size = ball_lower(s->sum.m);
    if (!(most <= DBL_MAX))
        return false;
    if (most > 0) {
        bool relative =
            size > 0 && log(most) + (double)(rest.e - s->sum.e) * 0.6931471806 <
                            log(size * MAX_RELATIVE_REST);
        bool absolute =
            log(most) + (double)rest.e * 0.6931471806 < s->log_floor - 1;
        if (!relative && !absolute)
            return false;
        scaled charge = {ball_widen(ball_of(0), most), rest.e};
        s->sum = scaled_add(s->sum, charge);
    }
    return true;
}

/* Operations of one term, and terms between two checks of the limits. */
#define TERM_OPERATIONS 2000
#define TERMS_PER_CHECK 64

/* True if no more terms may be taken. */
static bool must_stop(mean_sum *s)
{
    if (s->n_terms-- == 0)
        return true;
    return s->n_terms % TERMS_PER_CHECK == 0 &&
           work_spent(
               s->mix->limits, TERMS_PER_CHECK * TERM_OPERATIONS);
}

/* Sums from k upward; w is the weight of k and t its term. Near 1 the term is
 * not computed any more. */
static bool sum_up(mean_sum *s, double k, scaled w, scaled t)
{
    const binomial_mix *mix = s->mix;
    bool is_tilted = !ball_is_zero(mix->lift) || !ball_is_zero(mix->bend);
    bool is_frozen = false;
    ball tilt = is_tilted ? tilt_step(mix, k) : ball_of(1);
    ball bend = is_tilted ? ball_exp(ball_neg(mix->bend)) : ball_of(1);
    scaled one = {ball_of(1), 0};
    for (double start = k;; k++) {
        if (!is_frozen) {
            if (k > start)
                t = s->term(k, s->context);
            double least = ball_lower(scaled_ball(t));
            if (ball_is_unknown(t.m) || ball_is_unknown(w.m))
                return false;
            is_frozen = least >= 1 - FROZEN_GAP;
            if (is_frozen) /* t(k) <= t(k + i) <= 1 */
                t = scaled_of(ball_of_interval(iv_make(fmin(least, 1), 1)));
        }
        s->sum = scaled_add(s->sum, scaled_mul(w, t));
        if (k >= mix->n)
            return true;
        ball ratio = ball_div_d(ball_mul_d(mix->coin.odds, mix->n - k), k + 1);
        if (is_tilted) {
            ratio = ball_mul(ratio, tilt);
            tilt = ball_mul(tilt, bend);
        }
        if (rest_is_small(s, w, one, ball_upper(ratio)))
            return true;
        if (must_stop(s))
            return false;
        w = scaled_mul_ball(w, ratio);
    }
}

/* Sums from below k down to first; w is the weight of k. */
static bool sum_down(mean_sum *s, double k, double first, scaled w)
{
    const binomial_mix *mix = s->mix;
    bool is_tilted = !ball_is_zero(mix->lift) || !ball_is_zero(mix->bend);
    scaled t = {ball_of(1), 0};
    while (k > first) {
        /* w(k-1)/w(k) */
        ball ratio =
            ball_div_d(ball_mul_d(mix->coin.inverse_odds, k), mix->n - k + 1);
        if (is_tilted)
            ratio = ball_div(ratio, tilt_step(mix, k - 1));
        /* further down the terms are no larger than the term at k */
        if (rest_is_small(s, w, t, ball_upper(ratio)))
            return true;
        if (must_stop(s))
            return false;
        w = scaled_mul_ball(w, ratio);
        k--;
        t = s->term(k, s->context);
        if (ball_is_zero(t.m))
            return true;
        if (ball_is_unknown(t.m) || ball_is_unknown(w.m))
            return false;
        s->sum = scaled_add(s->sum, scaled_mul(w, t));
    }
    return true;
}

/* The mean if only one k has weight: p is 0 or 1. */
static scaled single(const binomial_mix *mix, double k, double first,
    binomial_term term, const void *context)
{
    if (k < first)
        return (scaled){ball_of(0), 0};
    scaled w = weight_of(mix, k);
    return scaled_mul(w, term(k, context));
}

scaled binomial_mix_sum(const binomial_mix *mix, double first,
    binomial_term term, const void *context, double log_floor)
{
    const scaled zero = {{0, 0, 0}, 0};
    if (ball_is_zero(mix->coin.q) || ball_is_zero(mix->coin.p))
        return single(
            mix, ball_is_zero(mix->coin.q) ? mix->n : 0, first, term, context);
    if (first > mix->n)
        return zero;
    double start = fmax(binomial_mix_mode_approx(mix), first);
    scaled t = term(start, context);
    if (ball_is_zero(t.m)) {
        start = first_positive(mix, start, term, context);
        if (start > mix->n)
            return zero;
        t = term(start, context);
    }
    mean_sum s = {mix, term, context, zero, log_floor, BINOMIAL_MIX_TERMS};
    scaled w = weight_of(mix, start);
    if (!sum_up(&s, start, w, t) || !sum_down(&s, start, first, w))
        return scaled_of(ball_unknown());
    return s.sum;
}
