/*
 * The concave objective whose maximum over epsilon is a trade-off curve:
 *
 *     g = 1 - delta(eps) - alpha e^eps = e^eps (1 - alpha - delta_(Q,P)(-eps)).
 *
 * The first form has digits where delta is small, the second where g is.
 * Derivation: docs/theory/account.md, "Trade-off curves".
 */
#ifndef DOSI_CONTOUR_ENGINE_ENGINE_TRADEOFF_POINT_H
#define DOSI_CONTOUR_ENGINE_ENGINE_TRADEOFF_POINT_H

#include "engine_impl.h"

/* The relative width of g below which no further contour is tried. */
#define MIN_OBJECTIVE_WIDTH 1e-13

/* The search for the maximum at one alpha, and how narrowly g can be known. */
typedef struct tradeoff_search {
    contour_engine *forward; /* (P, Q) */
    contour_engine *reversed; /* (Q, P), or NULL */
    double alpha;
    double spread;    /* about the standard deviation of the losses */
    double min_width; /* no contour is built for a relative width of g below */
    double least;     /* the greatest certain lower end of g so far */
    int n_poor;       /* contours with g wider than 1e-7 */
} tradeoff_search;

/* log delta of one of the two pairs, from which g follows. */
typedef struct objective {
    double epsilon;
    bool is_known;    /* g is known to 10 % at least */
    bool is_reversed; /* log_delta is of (Q, P) at -epsilon, else of (P, Q) */
    dosi_interval log_delta;
} objective;

/*
 * Encloses log delta of either pair at epsilon: by kept contours if they are
 * narrow enough, else by new ones.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status objective_at(
    objective *out, tradeoff_search *q, double epsilon, dosi_error *err);

/* Enclose e^-c g and the scaled argument e^(eps - c), of which g is a concave
 * function. */
ball objective_scaled(const objective *h, double alpha, double c);
ball objective_scaled_x(const objective *h, double c);

#endif
