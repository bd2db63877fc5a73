/*
 * The sum of T000-34 with 1 subtracted term by term: the binomial weights add
 * up to 1, so
 *
 *     exp((a-1) e) - 1 = sum_{k=2}^a C(a,k) (1-p)^(a-k) p^k expm1((k-1) eps(k))
 *
 * and every term is >= 0. The same sum over the moments of a pair of laws is
 * P002-20, whose table is used. docs/theory/sampling.md.
 */
#include "poisson_renyi.h"

#include <stdlib.h>

#include "base/error.h"
#include "without_replacement_renyi.h"

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

dosi_status sampled_renyi_new(wr_table **out, double max_order,
    renyi_curve curve, const void *context, dosi_error *err)
{
    *out = NULL;
    dosi_status status = check_order(max_order, err);
    if (status != DOSI_OK)
        return status;
    wr_base base = wr_base_of_curve(curve, context, ball_of(HUGE_VAL));
    return wr_table_new(out, &base, WR_LOWER, NULL, 0, max_order, err);
}

ball sampled_renyi_at(const wr_table *table, ball rate, double order)
{
    ball d = ball_div_d(wr_table_cumulant(table, rate, order), order - 1);
    return ball_clamp(d, 0, HUGE_VAL);
}

dosi_status sampled_renyi_once(ball *out, ball rate, double order,
    renyi_curve curve, const void *context, dosi_error *err)
{
    dosi_status status = check_order(order, err);
    if (status != DOSI_OK)
        return status;
    *out = ball_is_zero(rate) ? ball_of(0) : curve(order, context);
    if (ball_is_zero(rate) || ball_is_zero(ball_sub_d(rate, 1)) ||
        isinf(out->hi))
        return DOSI_OK;
    wr_table *table = NULL;
    status = sampled_renyi_new(&table, order, curve, context, err);
    if (status == DOSI_OK)
        *out = sampled_renyi_at(table, rate, order);
    wr_table_free(table);
    return status;
}

/* ---- Fixed-size sampling ------------------------------------------------ */

#define REPLACE_MAX_TERMS 0x1p25

/* The values e at orders first .. last, computed on demand. */
typedef struct memo {
    const wr_table *base;
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
    wr_table *base = NULL;
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
    wr_table_free(base);
    return status;
}
