/*
 * Readers of parameters that are lists of pairs, "x:y|x:y", or curves by name,
 * "gauss:0.5". They fail with the condition that is not met.
 */
#ifndef DOSI_FORMULARY_CURVE_ARGS_H
#define DOSI_FORMULARY_CURVE_ARGS_H

#include "formula.h"
#include "literature/tradeoff_compare.h"

#define CURVE_MAX_PAIRS 4096

/* *out is released with free, also after a failure (NULL). */
dosi_status pairs_read(curve_vertex **out, size_t *n, const formula_args *args,
    const char *name, dosi_error *err);

/*
 * Pairs that are vertices: first coordinates increasing from 0 to 1.
 *
 * fails  DOSI_EINVAL, DOSI_EDOMAIN, DOSI_ENOMEM
 */
dosi_status vertices_read(curve_vertex **out, size_t *n,
    const formula_args *args, const char *name, dosi_error *err);

/*
 * Vertices of a trade-off function; fails if they are not.
 *
 * fails  DOSI_EINVAL, DOSI_EDOMAIN, DOSI_ENOMEM
 */
dosi_status tradeoff_read(curve_vertex **out, size_t *n,
    const formula_args *args, const char *name, dosi_error *err);

#define CURVE_NAMES "gauss:MU, pure:EPS, ed:EPS:DELTA, laplace:MU or Id"

/* A curve by name, n bytes of text; G is gauss and approx is ed. C in front
 * of a name, with the rate as first number, is a sample: Cgauss:P:MU. name
 * is that of the parameter, for messages. */
dosi_status curve_parse(curve *out, const char *text, size_t n,
    const char *name, dosi_error *err);
dosi_status curve_read(
    curve *out, const formula_args *args, const char *name, dosi_error *err);

/*
 * Stores 1 for yes and 0 for no.
 *
 * fails  DOSI_EUNABLE for an open verdict
 */
dosi_status verdict_give(dosi_interval *out, verdict v, dosi_error *err);

#endif
