/*
 * Readers of two finite laws given point by point, the parameters "nu" and
 * "nup", and of the distances between their points, the parameter "dist".
 */
#ifndef DOSI_FORMULARY_LAW_ARGS_H
#define DOSI_FORMULARY_LAW_ARGS_H

#include "formula.h"
#include "sampling/transport.h"

/* Points with values in [0, 1], "0:0.5|1:0.5". */
typedef struct points {
    double *x;
    double *value;
    size_t n;
} points;

/* Released with points_free also after a failure. */
dosi_status points_read(
    points *out, const formula_args *args, const char *name, dosi_error *err);
void points_free(points *p);

#define LAW_DISTANCES                                                          \
    "dist=line (if omitted), or row by row d|d|..., or POINT:POINT:d|..."

/* The masses as a transport problem without costs, and the distances. */
typedef struct law_pair {
    transport t;
    double *distance; /* [i * t.n_to + j]; +inf for unconnected points */
    ball *masses;
} law_pair;

/*
 * Reads nu, nup and dist: "line" (also "abs" and "|x-y|") is the distance of
 * the points as numbers; "2|9|1|8" has the distances from the points of nu,
 * one after the other, to all of nup; "0:2:2|0:9:9" names the points, and
 * omitted pairs are infinitely far. Points without mass are dropped. Laws
 * are divided by their sum, which is 1 to within 1e-9.
 *
 * owns   what is in *out, released with law_pair_free also after a failure
 * fails  DOSI_EINVAL, DOSI_EDOMAIN, DOSI_ENOMEM; DOSI_EUNABLE above
 *        TRANSPORT_MAX_COSTS
 */
dosi_status law_pair_read(
    law_pair *out, const formula_args *args, dosi_error *err);
void law_pair_free(law_pair *x);

#endif
