/*
 * Samplers of few records as tables: every sample that one of two neighbours
 * can yield, with its probability under both. x has n records, among them v;
 * the neighbour has v' in its place (S), or lacks v (R). The general bound for
 * such tables combines maximal coupling, optimal transport and advanced joint
 * convexity. Derivation: docs/theory/couplings.md, section 7.
 */
#ifndef DOSI_SAMPLING_FINITE_SAMPLER_H
#define DOSI_SAMPLING_FINITE_SAMPLER_H

#include <stddef.h>

#include "dosimeter.h"
#include "num/ball.h"

typedef enum sampler_kind {
    SAMPLER_POISSON, /* every record with probability gamma */
    SAMPLER_WITHOUT, /* m records, all sets equally likely */
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
 * fails  DOSI_EDOMAIN if a neighbour has too few records to draw from,
 *        DOSI_EUNABLE above SAMPLER_MAX_OUTCOMES, DOSI_ENOMEM
 */
dosi_status sampler_table_new(
    sampler_table **out, const sampler *s, dosi_error *err);
void sampler_table_free(sampler_table *t);

/*
 * A sampler given as a table: n outcomes with their weights under both
 * neighbours, each list divided by its exact sum, and the number of steps
 * between any two outcomes, n x n, +inf if they are not connected. The
 * functions below then ignore their metric and use these steps.
 *
 * requires  1 <= n <= SAMPLER_MAX_OUTCOMES; weights >= 0 and finite, with
 *           positive sums; all arrays are copied
 * owns      *out, released with sampler_table_free
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status sampler_table_given(sampler_table **out,
    const double *first, const double *second, const double *distance,
    size_t n, dosi_error *err);

/* The total variation of the two samplings. */
ball sampler_table_eta(const sampler_table *t);

/* Steps between samples: R, or S, which is +inf between different sizes. */
typedef enum sampler_metric {
    SAMPLER_METRIC_R,
    SAMPLER_METRIC_S
} sampler_metric;

/* The parts of the maximal coupling: the shared one, that of x alone, that of
 * the neighbour alone; and (1 - beta) SHARED + beta SECOND. */
typedef enum sampler_part {
    SAMPLER_SHARED,
    SAMPLER_FIRST,
    SAMPLER_SECOND,
    SAMPLER_MIXED
} sampler_part;

/*
 * Whether SAMPLER_FIRST and the other part are distance-compatible
 * [T004-COMPAT].
 *
 * requires  beta in (0, 1), used by SAMPLER_MIXED only
 * fails     as transport_compatible, DOSI_ENOMEM
 */
dosi_status sampler_compatible(bool *out, const sampler_table *t,
    sampler_part other, sampler_metric metric, ball beta, dosi_error *err);

/* delta_1 .. delta_n, in [0, 1]; the cost of more than n steps is 1. */
typedef struct sampler_deltas {
    const double *delta;
    size_t n;
} sampler_deltas;

/*
 * Encloses the minimum, over couplings of SAMPLER_FIRST with the other part, of
 * the mean of delta_distance [T004-5c].
 *
 * fails  as transport_least, DOSI_ENOMEM
 */
dosi_status sampler_cost(dosi_interval *out, const sampler_table *t,
    sampler_part other, sampler_metric metric, sampler_deltas deltas,
    dosi_error *err);

/*
 * Encloses eta ((1 - beta) T(first, shared) + beta T(first, second)), where T
 * is sampler_cost and beta = (1 + eta (alpha - 1))/alpha. Its upper end bounds
 * the hockey-stick divergence of order 1 + eta (alpha - 1) [T004-E3.pipeline].
 *
 * requires  alpha >= 1
 * fails     as sampler_cost
 */
dosi_status sampler_bound(dosi_interval *out, const sampler_table *t,
    sampler_metric metric, ball alpha, sampler_deltas deltas, dosi_error *err);

#endif
