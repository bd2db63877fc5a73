/*
 * The search for the last safe number of an axis. It brackets it between a
 * number that meets every target and one that does not, until these are
 * neighbours on the axis.
 */
#ifndef DOSI_CALIBRATE_SEARCH_H
#define DOSI_CALIBRATE_SEARCH_H

#include "axis.h"
#include "target.h"

/* A number for which the targets were asked. */
typedef struct search_point {
    bool known;
    int64_t at;
    double log;     /* of the number, greater on the unsafe side */
    double score;   /* the greatest of the targets' scores */
    size_t binding; /* the target with that score */
    bool refused;   /* the plan takes no such number */
    dosi_answer answer; /* to the binding target */
} search_point;

typedef struct search {
    axis axis;
    const dosi_plan *plan;
    const dosi_target *targets;
    size_t n_targets;
    dosi_options options;
    double tolerance; /* of the logarithm of the number; 0: its last digit */
    search_point good, bad; /* the bracket: meets the targets, does not */
    search_point best_bad;  /* the point of least score that does not */
    search_point last[2];   /* the latest with finite scores, newest first */
    double slope; /* of scores over logarithms, as a guess says; 0: none */
    size_t n_asked;
} search;

/*
 * Asks the targets for a number, up to one that it misses.
 *
 * cost   one question for each target
 * fails  DOSI_EUNABLE when it was stopped, and as questions do
 */
DOSI_CHECK dosi_status search_ask(
    search_point *out, search *s, int64_t at, dosi_error *err);

/*
 * A number near the last safe one, and the slope there, by wide answers. It is
 * where the search starts, and certifies nothing.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status search_guess(
    double *out, search *s, dosi_error *err);

/*
 * Searches from a number. Afterwards good is not known if no number of the
 * axis meets the targets, and bad is not known if all do.
 *
 * fails  as search_ask
 */
DOSI_CHECK dosi_status search_run(search *s, double start, dosi_error *err);

#endif
