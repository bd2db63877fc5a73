/*
 * The sum of T000-34 with 1 subtracted term by term: the binomial weights add
 * up to 1, so
 *
 *     exp((a-1) e) - 1 = sum_{k=2}^a C(a,k) (1-p)^(a-k) p^k expm1((k-1) eps(k))
 *
 * and every term is >= 0. Terms are balls times powers of two; the weights
 * follow from each other by their ratio. docs/theory/sampling.md.
 */
#include "poisson_renyi.h"

#include <stdlib.h>

#include "base/error.h"
#include "num/scaled.h"

struct sampled_renyi {
    double max_order;
    scaled *excess;   /* expm1((k-1) eps(k)) at index k - 2 */
    ball *divergence; /* eps(k) */
};

ball renyi_curve_gaussian(double order, const void *rho)
{
    return ball_mul_d(*(const ball *)rho, order);
}

ball renyi_curve_pure(double order, const void *eps)
{
    ball e = *(const ball *)eps;
    ball square = ball_mul_d(ball_scale2(ball_sqr(e), -1), order);
    return ball_min(e, square);
}

static dosi_status check_order(double order, dosi_error *err)
{
    if (!(order <= SAMPLED_RENYI_MAX_ORDER))
        return dosi_fail(err, DOSI_EUNABLE,
            "the sum over 2 .. alpha is not attempted above alpha = %g, got "
            "alpha = %g",
            SAMPLED_RENYI_MAX_ORDER, order);
    return DOSI_OK;
}

static scaled excess_at(double k, ball divergence)
{
    return scaled_expm1(ball_mul_d(divergence, k - 1));
}

dosi_status sampled_renyi_new(sampled_renyi **out, double max_order,
    renyi_curve curve, const void *context, dosi_error *err)
{
    *out = NULL;
    dosi_status status = check_order(max_order, err);
    if (status != DOSI_OK)
        return status;
    size_t n = max_order < 2 ? 1 : (size_t)max_order - 1;
    sampled_renyi *base = calloc(1, sizeof *base);
    if (base != NULL) {
        base->max_order = max_order;
        base->excess = calloc(n, sizeof *base->excess);
        base->divergence = calloc(n, sizeof *base->divergence);
    }
    if (base == NULL || base->excess == NULL || base->divergence == NULL) {
        sampled_renyi_free(base);
        return dosi_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++) {
        double k = (double)i + 2;
        base->divergence[i] = curve(k, context);
        base->excess[i] = excess_at(k, base->divergence[i]);
    }
    *out = base;
    return DOSI_OK;
}

void sampled_renyi_free(sampled_renyi *base)
{
    if (base == NULL)
        return;
    free(base->excess);
    free(base->divergence);
    free(base);
}

/* The binomial weights C(a,k) (1-p)^(a-k) p^k for k = 2, 3, ... */
typedef struct weights {
    scaled at_k;
    double k;
    double order;
    ball odds; /* p/(1-p) */
} weights;

static weights weights_start(ball rate, double order)
{
    ball keep = ball_sub(ball_of(1), rate);
    /* log( a(a-1)/2 p^2 (1-p)^(a-2) ) */
    ball pairs = ball_scale2(ball_mul(ball_of(order), ball_of(order - 1)), -1);
    ball log_weight = ball_add(ball_log(pairs), ball_scale2(ball_log(rate), 1));
    log_weight =
        ball_add(log_weight, ball_mul_d(ball_log1p(ball_neg(rate)), order - 2));
    return (weights){scaled_exp(log_weight), 2, order, ball_div(rate, keep)};
}

static void weights_next(weights *w)
{
    /* C(a,k+1)/C(a,k) = (a-k)/(k+1) */
    ball ratio = ball_div_d(ball_mul_d(w->odds, w->order - w->k), w->k + 1);
    w->at_k = scaled_mul(w->at_k, scaled_of(ratio));
    w->k++;
}

/* The bound if p = 0, p = 1 or the divergence is infinite; false if the sum is
 * needed. */
static bool trivial_rate(ball *out, ball rate, ball divergence)
{
    *out = ball_is_zero(rate) ? ball_of(0) : divergence;
    return ball_is_zero(rate) || ball_is_zero(ball_sub_d(rate, 1)) ||
           isinf(divergence.hi);
}

static ball finish(scaled sum, double order)
{
    ball d = ball_div_d(scaled_log1p(sum), order - 1);
    return ball_clamp(d, 0, HUGE_VAL);
}

ball sampled_renyi_at(const sampled_renyi *base, ball rate, double order)
{
    ball out;
    size_t n = (size_t)order - 1;
    if (trivial_rate(&out, rate, base->divergence[n - 1]))
        return out;
    scaled sum = {ball_of(0), 0};
    weights w = weights_start(rate, order);
    for (size_t i = 0; i < n; i++, weights_next(&w))
        sum = scaled_add(sum, scaled_mul(w.at_k, base->excess[i]));
    return finish(sum, order);
}

dosi_status sampled_renyi_once(ball *out, ball rate, double order,
    renyi_curve curve, const void *context, dosi_error *err)
{
    dosi_status status = check_order(order, err);
    if (status != DOSI_OK)
        return status;
    if (trivial_rate(out, rate, curve(order, context)))
        return DOSI_OK;
    scaled sum = {ball_of(0), 0};
    weights w = weights_start(rate, order);
    for (; w.k <= order; weights_next(&w)) {
        scaled term = excess_at(w.k, curve(w.k, context));
        sum = scaled_add(sum, scaled_mul(w.at_k, term));
    }
    *out = finish(sum, order);
    return DOSI_OK;
}

/* ---- Fixed-size sampling ------------------------------------------------ */

#define REPLACE_MAX_TERMS 0x1p25

/* The values e at orders first .. last, computed on demand. */
typedef struct memo {
    const sampled_renyi *base;
    ball rate;
    double first;
    ball *value;
    bool *known;
    double n_terms; /* summed so far */
} memo;

static ball memo_at(memo *m, double order)
{
    size_t i = (size_t)(order - m->first);
    if (!m->known[i]) {
        m->value[i] = sampled_renyi_at(m->base, m->rate, order);
        m->known[i] = true;
        m->n_terms += order;
    }
    return m->value[i];
}

/* The smaller of the two candidates at i. */
static ball replace_candidate(memo *m, double order, double i)
{
    /* o = a (i-1)/(i-a) and o/(o-1) = a (i-1)/(i (a-1)); both products are
     * whole numbers below 2^53, so the ceiling is exact */
    double product = order * (i - 1), gap = i - order;
    double partner = floor(product / gap);
    while (partner * gap < product)
        partner++;
    while ((partner - 1) * gap >= product)
        partner--;
    ball at_i = memo_at(m, i), at_o = memo_at(m, partner);
    ball factor = ball_div(ball_of(i), ball_of(i - 1));
    ball other = ball_div(ball_of(product), ball_of(i * (order - 1)));
    return ball_min(ball_add(ball_mul(factor, at_o), at_i),
        ball_add(ball_mul(other, at_i), at_o));
}

static dosi_status too_many(double order, dosi_error *err)
{
    return dosi_fail(err, DOSI_EUNABLE,
        "the search over partner orders takes too many terms at alpha = %g",
        order);
}

/*
 * The minimum over i. e grows with the order and both factors are >= 1, so a
 * candidate is at least e(max(i, o)): once that exceeds the best candidate,
 * none further from the middle i = o, near 2 a, is smaller.
 */
static dosi_status replace_search(
    ball *out, memo *m, double order, double last, dosi_error *err)
{
    long middle = (long)(order + sqrt(order * order - order));
    long top = (long)(8 * order) + 40;
    ball best = replace_candidate(m, order, (double)(middle + 1));
    for (long i = middle + 2; i <= top; i++) {
        if (m->n_terms > REPLACE_MAX_TERMS)
            return too_many(order, err);
        if (ball_less(best, memo_at(m, (double)i)))
            break;
        best = ball_min(best, replace_candidate(m, order, (double)i));
    }
    for (long i = middle; i > (long)order; i--) {
        double gap = (double)i - order;
        double partner = floor(order * ((double)i - 1) / gap);
        if (m->n_terms > REPLACE_MAX_TERMS)
            return too_many(order, err);
        if (ball_less(best, memo_at(m, fmin(partner, last))))
            break;
        if (partner >= last)
            return too_many(order, err);
        best = ball_min(best, replace_candidate(m, order, (double)i));
    }
    *out = best;
    return DOSI_OK;
}

dosi_status sampled_renyi_replace(ball *out, ball rate, double order,
    renyi_curve curve, const void *context, dosi_error *err)
{
    /* i = a + 1 pairs with o = a^2, where e is too large to be the minimum */
    double last = fmax(8 * order + 40, fmin(order * order, 64 * order) + 1);
    sampled_renyi *base = NULL;
    dosi_status status = sampled_renyi_new(&base, last, curve, context, err);
    if (base == NULL)
        return status;
    size_t n = (size_t)(last - order) + 1;
    memo m = {
        base, rate, order, calloc(n, sizeof(ball)), calloc(n, sizeof(bool)), 0};
    if (m.value == NULL || m.known == NULL)
        status = dosi_fail_memory(err);
    else
        status = replace_search(out, &m, order, last, err);
    free(m.value);
    free(m.known);
    sampled_renyi_free(base);
    return status;
}
