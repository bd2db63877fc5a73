/*
 * The tilted loss law of C_p(G_mu) on Gauss-Legendre nodes, for its moments
 * M(t + iu) = E_Q e^((t+iu) L) on a vertical line with more digits than
 * doubles have. Derivation: docs/theory/tradeoff.md, section 8.
 */
#ifndef DOSI_REPR_FIXED_NODES_H
#define DOSI_REPR_FIXED_NODES_H

#include "base/error.h"
#include "fixed_sample.h"
#include "num/trig.h"

typedef struct fixed_nodes {
    size_t n;
    disc *phase;  /* weight e^(iuZ), or e^(-iuZ) in the second half */
    disc *turn;   /* e^(+-i step Z) */
    ball shift;   /* logarithm of the common scale */
    ball atom;    /* in units of e^shift, as all below */
    ball moment;  /* M(t) */
    double error; /* of every sum, |u| <= outer */
} fixed_nodes;

/*
 * Lists the nodes for tilt t > 0 and u = 0, step, 2 step, .. up to outer, such
 * that sums err by about e^-digits of M(t). *found is false, and nothing is
 * held, when that takes too many.
 *
 * owns   what *out points to, released with fixed_nodes_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status fixed_nodes_new(fixed_nodes *out, bool *found,
    const fixed_sample *s, double t, double step, double outer, double digits,
    dosi_error *err);
void fixed_nodes_free(fixed_nodes *nodes);

/* Advances u by step; M(t + iu)/M(t) there. */
disc fixed_nodes_next(fixed_nodes *nodes);

#endif
