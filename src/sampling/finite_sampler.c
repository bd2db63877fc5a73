/*
 * Tables of samples and their probabilities: enumerated for the named samplers,
 * or given by the caller. A sample is a vector of multiplicities of the n - 1
 * shared records, of v and of v'. Outcomes with exactly equal probabilities
 * under both neighbours are marked, as rounding would hide the equality.
 * Derivation: docs/theory/couplings.md, section 7.
 */
#include "finite_sampler.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "couplings.h"
#include "special/binomial.h"
#include "num/exact_sum.h"
#include "finite_sampler_impl.h"

void sampler_table_free(sampler_table *t)
{
    if (t == NULL)
        return;
    free(t->counts);
    free(t->distance);
    free(t->equal);
    free(t->p);
    free(t->q);
    free(t->shared);
    free(t->first);
    free(t->second);
    free(t);
}

/* ---- Enumeration ------------------------------------------------------- */

/* Records 0 .. n-2 are shared, n-1 is v, n is v'. Both cannot occur. */
static bool is_possible(const sampler *s, const int *counts, int size)
{
    if (counts[s->n - 1] > 0 && counts[s->n] > 0)
        return false;
    if (counts[s->n] > 0 && !s->is_substitute)
        return false;
    return s->kind == SAMPLER_POISSON || size == s->m;
}

/* gamma^size (1 - gamma)^(records - size), 1/C(records, m), or
 * m!/records^m / prod counts!; 0 if there are fewer records. */
static ball probability(
    const sampler *s, int records, const int *counts, int size)
{
    if (s->kind == SAMPLER_POISSON) {
        ball p = ball_of(1), q = ball_sub(ball_of(1), s->gamma);
        for (int i = 0; i < records; i++)
            p = ball_mul(p, i < size ? s->gamma : q);
        return size <= records ? p : ball_of(0);
    }
    ball p = ball_of(1);
    if (s->kind == SAMPLER_WITHOUT) {
        for (int i = 0; i < s->m; i++)
            p = ball_div_d(ball_mul_d(p, i + 1), records - i);
        return p;
    }
    for (int i = 0; i < s->m; i++)
        p = ball_div_d(ball_mul_d(p, i + 1), records);
    for (int i = 0; i <= s->n; i++)
        for (int j = 2; j <= counts[i]; j++)
            p = ball_div_d(p, j);
    return p;
}

static void append(sampler_table *t, const int *counts, int size)
{
    const sampler *s = &t->s;
    int others = s->is_substitute ? s->n : s->n - 1;
    size_t i = t->n++;
    memcpy(t->counts + i * t->width, counts, t->width * sizeof *counts);
    t->p[i] =
        counts[s->n] > 0 ? ball_of(0) : probability(s, s->n, counts, size);
    t->q[i] = counts[s->n - 1] > 0 ? ball_of(0)
                                   : probability(s, others, counts, size);
}

/* Appends all possible vectors, counting in mixed radix; false if there are too
 * many. */
static bool enumerate(sampler_table *t)
{
    const sampler *s = &t->s;
    int most = s->kind == SAMPLER_WITH ? s->m : 1;
    int last = s->kind == SAMPLER_POISSON ? s->n : s->m;
    int counts[SAMPLER_MAX_OUTCOMES + 2] = {0};
    int size = 0;
    for (long left = 1L << 22; left > 0; left--) {
        if (is_possible(s, counts, size)) {
            if (t->n == SAMPLER_MAX_OUTCOMES)
                return false;
            append(t, counts, size);
        }
        size_t i = 0;
        /* a digit at its limit, or a full sample, carries */
        while (i < t->width && (counts[i] == most || size >= last)) {
            size -= counts[i];
            counts[i++] = 0;
        }
        if (i == t->width)
            return true;
        counts[i]++;
        size++;
    }
    return false;
}

/* ---- The maximal coupling ---------------------------------------------- */

/* Whether the outcome certainly has equal probabilities under both. */
static bool outcome_is_equal(const sampler_table *t, size_t i)
{
    if (t->equal != NULL)
        return t->equal[i];
    const int *c = t->counts + i * t->width;
    return t->s.is_substitute && c[t->s.n - 1] == 0 && c[t->s.n] == 0;
}

static void decompose(sampler_table *t)
{
    ball one = ball_of(1), zero = ball_of(0), eta = zero;
    bool is_disjoint = true;
    for (size_t i = 0; i < t->n; i++) {
        bool is_equal = outcome_is_equal(t, i);
        const ball *p = t->p + i, *q = t->q + i;
        t->first[i] = is_equal ? zero : coupling_divergence(p, q, 1, one);
        t->second[i] = is_equal ? zero : coupling_divergence(q, p, 1, one);
        t->shared[i] = is_equal ? *p : ball_min(*p, *q);
        if (ball_is_zero(*p) || ball_is_zero(*q))
            t->shared[i] = zero;
        is_disjoint = is_disjoint && ball_is_zero(t->shared[i]);
        eta = ball_add(eta, t->first[i]);
    }
    t->eta = is_disjoint ? one : eta;
    if (t->s.kind == SAMPLER_POISSON && t->equal == NULL)
        t->eta = t->s.gamma;
    if (ball_is_zero(t->eta))
        return; /* both laws are equal: there are no other parts */
    ball rest = ball_sub(one, t->eta);
    for (size_t i = 0; i < t->n; i++) {
        t->first[i] = ball_div(t->first[i], t->eta);
        t->second[i] = ball_div(t->second[i], t->eta);
        if (!ball_is_zero(t->shared[i]))
            t->shared[i] = ball_div(t->shared[i], rest);
    }
}

/* The table without its rows; NULL if memory is missing. */
static sampler_table *table_of(const sampler *s)
{
    const size_t most = SAMPLER_MAX_OUTCOMES;
    sampler_table *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->s = *s;
    t->width = (size_t)s->n + 1;
    t->counts = calloc(most * t->width, sizeof *t->counts);
    t->p = calloc(most, sizeof *t->p);
    t->q = calloc(most, sizeof *t->q);
    t->shared = calloc(most, sizeof *t->shared);
    t->first = calloc(most, sizeof *t->first);
    t->second = calloc(most, sizeof *t->second);
    if (t->counts != NULL && t->p != NULL && t->q != NULL &&
        t->shared != NULL && t->first != NULL && t->second != NULL)
        return t;
    sampler_table_free(t);
    return NULL;
}

dosi_status sampler_table_new(
    sampler_table **out, const sampler *s, dosi_error *err)
{
    *out = NULL;
    int fewest = s->is_substitute ? s->n : s->n - 1;
    if ((s->kind == SAMPLER_WITHOUT && fewest < s->m) ||
        (s->kind == SAMPLER_WITH && fewest < 1))
        return dosi_fail(err, DOSI_EDOMAIN,
            "needs %d records in both neighbours to draw from, got %d",
            s->kind == SAMPLER_WITHOUT ? s->m : 1, fewest);
    if (s->n > SAMPLER_MAX_OUTCOMES)
        return dosi_fail(err, DOSI_EUNABLE,
            "a sampler of %d records has too many outcomes", s->n);
    sampler_table *t = table_of(s);
    if (t == NULL)
        return dosi_fail_memory(err);
    if (!enumerate(t)) {
        sampler_table_free(t);
        return dosi_fail(err, DOSI_EUNABLE,
            "the sampler has more than %d outcomes", SAMPLER_MAX_OUTCOMES);
    }
    decompose(t);
    *out = t;
    return DOSI_OK;
}

/* ---- Given tables ------------------------------------------------------ */

static ball sum_of(const double *w, size_t n)
{
    exact_sum sum = {0};
    for (size_t i = 0; i < n; i++)
        exact_sum_add(&sum, w[i]);
    return exact_sum_ball(&sum, 0);
}

/* Whether the two lists have the same exact sum. */
static bool sums_are_equal(const double *a, const double *b, size_t n)
{
    exact_sum sum = {0};
    for (size_t i = 0; i < n; i++) {
        exact_sum_add(&sum, a[i]);
        exact_sum_add(&sum, -b[i]);
    }
    return sum.n == 0;
}

dosi_status sampler_table_given(sampler_table **out, const double *first,
    const double *second, const double *distance, size_t n, dosi_error *err)
{
    sampler none = {.kind = SAMPLER_WITHOUT};
    *out = NULL;
    sampler_table *t = table_of(&none);
    if (t != NULL) {
        t->distance = malloc(n * n * sizeof *t->distance);
        t->equal = malloc(n * sizeof *t->equal);
    }
    if (t == NULL || t->distance == NULL || t->equal == NULL) {
        sampler_table_free(t);
        return dosi_fail_memory(err);
    }
    memcpy(t->distance, distance, n * n * sizeof *distance);
    ball sum_p = sum_of(first, n), sum_q = sum_of(second, n);
    bool is_even = sums_are_equal(first, second, n);
    t->n = n;
    for (size_t i = 0; i < n; i++) {
        t->p[i] = ball_div(ball_of(first[i]), sum_p);
        t->q[i] = ball_div(ball_of(second[i]), sum_q);
        t->equal[i] = is_even && first[i] == second[i];
    }
    decompose(t);
    *out = t;
    return DOSI_OK;
}

ball sampler_table_eta(const sampler_table *t)
{
    return t->eta;
}
