/*
 * The minimum of one objective of the moments accountant over a range of
 * lambda where K is convex. Internal to moments.c.
 */
#ifndef DOSI_REPR_MOMENTS_SEARCH_H
#define DOSI_REPR_MOMENTS_SEARCH_H

#include "moments.h"

typedef struct moments_search {
    const moments_sum *sum;
    bool asks_epsilon;
    ball given; /* log(1/delta), or epsilon */
    double low;
    double high;
    bool is_open; /* lambda runs on above high */
    size_t n_evaluations;
} moments_search;

typedef struct moments_probe {
    double lambda;
    ball k;
    ball value; /* of the objective */
} moments_probe;

moments_probe moments_probe_at(moments_search *s, double lambda);

/* value(a) - value(b) for steering; infinite values count as large. */
double moments_difference(const moments_probe *a, const moments_probe *b);

/* The minimum over [low, high], or [low, inf) for an open search. */
moments_optimum moments_minimum(moments_search *s, double start);

#endif
