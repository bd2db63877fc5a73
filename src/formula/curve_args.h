/*
 * Parameters that are lists of pairs, "x:y|x:y", and curves by family,
 * "gauss:0.5": read from text, refused with the condition that failed.
 */
#ifndef DOSI_FORMULA_CURVE_ARGS_H
#define DOSI_FORMULA_CURVE_ARGS_H

#include "formula.h"
#include "repr/tradeoff_curve.h"

#define CURVE_MAX_PAIRS 4096

/* *out is released with free, also after a failure (NULL). */
dosi_status pairs_read(curve_vertex **out, size_t *n, const formula_args *args,
    const char *name, dosi_error *err);

/* Pairs that are vertices: first coordinates increasing from 0 to 1. */
dosi_status vertices_read(curve_vertex **out, size_t *n,
    const formula_args *args, const char *name, dosi_error *err);

/* Also refuses what is no trade-off function. */
dosi_status tradeoff_read(curve_vertex **out, size_t *n,
    const formula_args *args, const char *name, dosi_error *err);

/* gauss, pure or laplace with a parameter >= 0. */
dosi_status curve_read(
    curve *out, const formula_args *args, const char *name, dosi_error *err);

/* 1 or 0; DOSI_EUNABLE for an open verdict. */
dosi_status verdict_give(dosi_interval *out, verdict v, dosi_error *err);

#endif
