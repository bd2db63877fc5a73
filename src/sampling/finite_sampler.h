/*
 * Samplers of few records as tables: every sample that one of two
 * neighbours can give, with its probability under both. x has n records of
 * which v is one; the neighbour has v' in its place (S), or lacks v (R).
 * On them the general method: maximal coupling, optimal transport, advanced
 * joint convexity. Derivation: docs/theory/couplings.md, section 7.
 */
#ifndef DOSI_SAMPLING_FINITE_SAMPLER_H
#define DOSI_SAMPLING_FINITE_SAMPLER_H

#include <stddef.h>

#include "dosimeter.h"
#include "num/ball.h"

typedef enum sampler_kind {
    SAMPLER_POISSON, /* every record with probability gamma */
    SAMPLER_WITHOUT, /* m records, each set alike */
    SAMPLER_WITH     /* m draws */
} sampler_kind;

typedef struct sampler {
    sampler_kind kind;
    int n;              /* records of x, at least 1 */
    int m;              /* draws */
    ball gamma;         /* rate, in (0, 1] */
    bool is_substitute; /* the neighbour: S, else R */
} sampler;

typedef struct sampler_table sampler_table;

#define SAMPLER_MAX_OUTCOMES 768

/*
 * owns   *out, released with sampler_table_free
 * fails  DOSI_EDOMAIN when a neighbour has too few records to draw from,
 *        DOSI_EUNABLE above SAMPLER_MAX_OUTCOMES, DOSI_ENOMEM
 */
dosi_status sampler_table_new(
    sampler_table **out, const sampler *s, dosi_error *err);
void sampler_table_free(sampler_table *t);

/*
 * Any sampler: n outcomes with their weights under both neighbours, each
 * list divided by its exact sum > 0, and the steps between any two outcomes,
 * n x n, +inf where there is no way. Copies all of it; the metric of the
 * functions below is then the table's own.
 *
 * requires  1 <= n <= SAMPLER_MAX_OUTCOMES; weights >= 0 and finite
 * owns      *out, released with sampler_table_free
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status sampler_table_given(sampler_table **out,
    const double *first, const double *second, const double *distance,
    size_t n, dosi_error *err);

/* The total variation of the two samplings. */
ball sampler_table_eta(const sampler_table *t);

/* Steps between samples: R or S, the latter +inf between sizes. */
typedef enum sampler_metric {
    SAMPLER_METRIC_R,
    SAMPLER_METRIC_S
} sampler_metric;

/* The parts of the maximal coupling: what both share, what x has alone, what
 * its neighbour has alone; and (1 - beta) of the first with beta of the
 * last. */
typedef enum sampler_part {
    SAMPLER_SHARED,
    SAMPLER_FIRST,
    SAMPLER_SECOND,
    SAMPLER_MIXED
} sampler_part;

/* Whether SAMPLER_FIRST and the other part are distance-compatible
 * [T004-COMPAT]; beta in (0, 1) is that of SAMPLER_MIXED. */
dosi_status sampler_compatible(bool *out, const sampler_table *t,
    sampler_part other, sampler_metric metric, ball beta, dosi_error *err);

/* delta_1 .. delta_n, in [0, 1]; longer ways cost 1. */
typedef struct sampler_deltas {
    const double *delta;
    size_t n;
} sampler_deltas;

/*
 * min over couplings of SAMPLER_FIRST with the other part of the mean of
 * delta_distance [T004-5c].
 */
dosi_status sampler_cost(dosi_interval *out, const sampler_table *t,
    sampler_part other, sampler_metric metric, sampler_deltas deltas,
    dosi_error *err);

/*
 * eta ((1 - beta) T(first, shared) + beta T(first, second)) with T the cost
 * above, beta = (1 + eta (alpha - 1))/alpha: an upper bound at the order
 * 1 + eta (alpha - 1) [T004-E3.pipeline].
 *
 * requires  alpha >= 1
 */
dosi_status sampler_bound(dosi_interval *out, const sampler_table *t,
    sampler_metric metric, ball alpha, sampler_deltas deltas, dosi_error *err);

#endif
