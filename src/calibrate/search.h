/*
 * The search for the last safe number of an axis: between one that meets
 * every target and one that does not, until they follow each other.
 */
#ifndef DOSI_CALIBRATE_SEARCH_H
#define DOSI_CALIBRATE_SEARCH_H

#include "axis.h"
#include "target.h"

/* A number that was tried. */
typedef struct search_point {
    bool known;
    int64_t at;
    double log;     /* of the number, greater on the unsafe side */
    double score;   /* the largest of the targets' */
    size_t binding; /* whose score that is */
    bool refused;   /* the plan takes no such number */
    dosi_answer answer; /* to the binding target */
} search_point;

typedef struct search {
    axis axis;
    const dosi_plan *plan;
    const dosi_target *targets;
    size_t n_targets;
    dosi_options options;
    double tolerance; /* of the logarithm; 0: to the last digit */
    search_point good, bad; /* nearest to each other */
    search_point best_bad;  /* of the least score */
    search_point last[2];   /* the latest with finite scores, newest first */
    size_t n_asked;
} search;

/*
 * Asks about a number: all targets, or up to one that it misses.
 *
 * fails  DOSI_EUNABLE when it was stopped, and as questions do
 */
DOSI_CHECK dosi_status search_ask(
    search_point *out, search *s, int64_t at, dosi_error *err);

/*
 * A number near the last safe one, by answers that are not as narrow as they
 * could be: where to start, and nothing else.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status search_guess(
    double *out, const search *s, dosi_error *err);

/*
 * Searches from a number on. Afterwards good is not known when no number of
 * the axis meets the targets, and bad is not when all do.
 */
DOSI_CHECK dosi_status search_run(search *s, double start, dosi_error *err);

#endif
