/*
 * A sample is a vector of multiplicities of the n - 1 shared records, of v
 * and of v'. Samples without v and v' have the same probability under two
 * substitutes, which is noted, as rounding would hide it.
 */
#include "finite_sampler.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "couplings.h"
#include "num/binomial.h"
#include "num/exact_sum.h"
#include "transport.h"

struct sampler_table {
    sampler s;
    size_t n;     /* outcomes */
    size_t width; /* of an outcome: n + 1 records */
    int *counts;  /* n x width */
    double *distance; /* n x n of a given table, else NULL */
    bool *equal;      /* of a given table: alike under both */
    ball *p;
    ball *q;
    ball *shared; /* normalised parts of the maximal coupling */
    ball *first;
    ball *second;
    ball eta;
};

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

/* All vectors in the order of an odometer; false when there are too many. */
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

/* Whether the outcome is exactly as likely under both. */
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
        return; /* both alike: there are no parts */
    ball rest = ball_sub(one, t->eta);
    for (size_t i = 0; i < t->n; i++) {
        t->first[i] = ball_div(t->first[i], t->eta);
        t->second[i] = ball_div(t->second[i], t->eta);
        if (!ball_is_zero(t->shared[i]))
            t->shared[i] = ball_div(t->shared[i], rest);
    }
}

/* The table without its rows; NULL when memory ran out. */
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

/* ---- Couplings --------------------------------------------------------- */

static double distance_of(
    const sampler_table *t, size_t i, size_t j, sampler_metric metric)
{
    if (t->distance != NULL)
        return t->distance[i * t->n + j];
    const int *a = t->counts + i * t->width, *b = t->counts + j * t->width;
    int apart = 0, gap = 0;
    for (size_t k = 0; k < t->width; k++) {
        apart += abs(a[k] - b[k]);
        gap += a[k] - b[k];
    }
    if (metric == SAMPLER_METRIC_R)
        return apart;
    return gap == 0 ? apart / 2.0 : HUGE_VAL;
}

/* The two supports with their distances; released with edges_free. */
typedef struct edges {
    ball *from;
    ball *to;
    size_t *from_at;
    size_t *to_at;
    size_t n_from;
    size_t n_to;
    double *distance;
    ball *cost;
} edges;

static void edges_free(edges *e)
{
    free(e->from);
    free(e->to);
    free(e->from_at);
    free(e->to_at);
    free(e->distance);
    free(e->cost);
}

static ball mass_of(
    const sampler_table *t, sampler_part part, ball beta, size_t i)
{
    switch (part) {
    case SAMPLER_SHARED:
        return t->shared[i];
    case SAMPLER_FIRST:
        return t->first[i];
    case SAMPLER_SECOND:
        return t->second[i];
    case SAMPLER_MIXED:
        break;
    }
    return ball_add(ball_mul(ball_sub(ball_of(1), beta), t->shared[i]),
        ball_mul(beta, t->second[i]));
}

/* False when memory ran out; released with edges_free in any case. */
static bool edges_new(edges *e, const sampler_table *t, sampler_part other,
    sampler_metric metric, ball beta)
{
    *e = (edges){.from = calloc(t->n + 1, sizeof(ball)),
        .to = calloc(t->n + 1, sizeof(ball)),
        .from_at = calloc(t->n + 1, sizeof(size_t)),
        .to_at = calloc(t->n + 1, sizeof(size_t)),
        .distance = calloc(t->n * t->n + 1, sizeof(double)),
        .cost = calloc(t->n * t->n + 1, sizeof(ball))};
    if (e->from == NULL || e->to == NULL || e->from_at == NULL ||
        e->to_at == NULL || e->distance == NULL || e->cost == NULL)
        return false;
    for (size_t i = 0; i < t->n; i++) {
        ball a = t->first[i], b = mass_of(t, other, beta, i);
        if (!ball_is_zero(a)) {
            e->from_at[e->n_from] = i;
            e->from[e->n_from++] = a;
        }
        if (!ball_is_zero(b)) {
            e->to_at[e->n_to] = i;
            e->to[e->n_to++] = b;
        }
    }
    for (size_t i = 0; i < e->n_from; i++)
        for (size_t j = 0; j < e->n_to; j++)
            e->distance[i * e->n_to + j] =
                distance_of(t, e->from_at[i], e->to_at[j], metric);
    return true;
}

static transport edges_transport(const edges *e)
{
    return (transport){e->from, e->n_from, e->to, e->n_to, e->cost};
}

dosi_status sampler_compatible(bool *out, const sampler_table *t,
    sampler_part other, sampler_metric metric, ball beta, dosi_error *err)
{
    edges e;
    *out = false;
    bool is_made = edges_new(&e, t, other, metric, beta);
    dosi_status status = DOSI_OK;
    if (is_made) {
        transport x = edges_transport(&e);
        status = transport_compatible(out, &x, e.distance, err);
    }
    edges_free(&e);
    return is_made ? status : dosi_fail_memory(err);
}

static ball delta_of(sampler_deltas deltas, double distance)
{
    if (distance == 0)
        return ball_of(0);
    return ball_of(
        distance <= (double)deltas.n ? deltas.delta[(size_t)distance - 1] : 1);
}

dosi_status sampler_cost(dosi_interval *out, const sampler_table *t,
    sampler_part other, sampler_metric metric, sampler_deltas deltas,
    dosi_error *err)
{
    edges e;
    *out = iv_unknown();
    bool is_made = edges_new(&e, t, other, metric, ball_of(1));
    dosi_status status = DOSI_OK;
    if (is_made) {
        for (size_t i = 0; i < e.n_from * e.n_to; i++)
            e.cost[i] = delta_of(deltas, e.distance[i]);
        transport x = edges_transport(&e);
        status = transport_least(out, &x, err);
    }
    edges_free(&e);
    return is_made ? status : dosi_fail_memory(err);
}

dosi_status sampler_bound(dosi_interval *out, const sampler_table *t,
    sampler_metric metric, ball alpha, sampler_deltas deltas, dosi_error *err)
{
    dosi_interval shared = {0, 0}, second = {0, 0};
    ball beta = coupling_beta(t->eta, alpha);
    ball rest = ball_mul(
        ball_sub(ball_of(1), t->eta), ball_div(ball_sub_d(alpha, 1), alpha));
    *out = iv_unknown();
    dosi_status status =
        sampler_cost(&second, t, SAMPLER_SECOND, metric, deltas, err);
    if (status == DOSI_OK && !ball_is_zero(rest))
        status = sampler_cost(&shared, t, SAMPLER_SHARED, metric, deltas, err);
    if (status != DOSI_OK)
        return status;
    /* ends apart: a ball would not keep them */
    ball low =
        ball_add(ball_mul_d(rest, shared.lo), ball_mul_d(beta, second.lo));
    ball high =
        ball_add(ball_mul_d(rest, shared.hi), ball_mul_d(beta, second.hi));
    *out = iv_make(fmax(0, ball_lower(ball_mul(t->eta, low))),
        ball_upper(ball_mul(t->eta, high)));
    return DOSI_OK;
}
