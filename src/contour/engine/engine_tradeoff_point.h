/*
 * What a trade-off curve is the maximum of, at one epsilon, from either side:
 *
 *     g = 1 - delta(eps) - alpha e^eps = e^eps (1 - alpha - delta_(Q,P)(-eps)).
 *
 * The first form has digits where delta is small, the second where g is.
 * Derivation: docs/theory/account.md, "Trade-off curves".
 */
#ifndef DOSI_CONTOUR_ENGINE_ENGINE_TRADEOFF_POINT_H
#define DOSI_CONTOUR_ENGINE_ENGINE_TRADEOFF_POINT_H

#include "engine_impl.h"

#define HEIGHT_NOISE 1e-13 /* relative, where contours are good */

/* A plan and an alpha, and what was learnt of how well g can be known. */
typedef struct height_quest {
    contour_engine *ahead; /* (P, Q) */
    contour_engine *back;  /* (Q, P), or NULL */
    double alpha;
    double spread; /* of losses, roughly */
    double noise;  /* of g, relative: no contour is sought below it */
    double least;  /* of g somewhere, so far */
    int n_poor;    /* contours that were of little use */
} height_quest;

typedef struct height {
    double epsilon;
    bool is_known; /* roughly at least */
    bool is_back;  /* log_delta is of (Q, P) at -epsilon, else of (P, Q) */
    dosi_interval log_delta;
} height;

/* Encloses log delta of either pair at epsilon, by contours that are there if
 * they will do. fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status height_at(
    height *out, height_quest *q, double epsilon, dosi_error *err);

/* e^-c g, and e^(eps - c), of which g is a concave function. */
ball height_scaled(const height *h, double alpha, double c);
ball height_place(const height *h, double c);

#endif
