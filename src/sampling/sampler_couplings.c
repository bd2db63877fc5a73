/*
 * Couplings of two samplings as transport problems between the parts that they
 * do not share, with costs by the number of steps between two samples.
 * Derivation: docs/theory/couplings.md, section 7.
 */
#include "finite_sampler_impl.h"

#include <stdlib.h>

#include "base/error.h"
#include "couplings.h"
#include "transport.h"

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

/* False if memory is missing; released with edges_free in any case. */
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
    /* lower and upper ends are combined separately: a ball around the interval
     * would widen them */
    ball low =
        ball_add(ball_mul_d(rest, shared.lo), ball_mul_d(beta, second.lo));
    ball high =
        ball_add(ball_mul_d(rest, shared.hi), ball_mul_d(beta, second.hi));
    *out = iv_make(fmax(0, ball_lower(ball_mul(t->eta, low))),
        ball_upper(ball_mul(t->eta, high)));
    return DOSI_OK;
}
