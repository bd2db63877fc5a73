/*
 * A contour with its bounds: everything of contour.c that does not depend on
 * epsilon, so that one contour serves all the epsilons near the one it was
 * chosen for. Internal to the contour files.
 */
#ifndef DOSI_TESTS_REFERENCE_REFERENCE_CONTOUR_BUILD_H
#define DOSI_TESTS_REFERENCE_REFERENCE_CONTOUR_BUILD_H

#include "reference_contour.h"
#include "num/trig.h"

/* The tilted law of one step on inner nodes. */
typedef struct node {
    ball loss;  /* Z = +-l, l = log(1 - q + q e^y) */
    ball ratio; /* r = q e^y / (1 - q + q e^y) */
    ball log_weight;
    ball weight; /* h phi(xi) (1+v)^p e^-shift */
    disc turn;   /* e^{i D Z} */
    disc phase;  /* weight e^{i n D Z}, advanced n by n */
} node;

typedef struct reference_contour {
    const reference_contour_pair *pair;
    reference_contour_choice choice;
    ball p;              /* exponent of (1+v) on the real contour */
    ball shift;          /* logarithm of the common scale of the weights */
    ball moment;         /* M(t) e^-shift, enclosed */
    ball error;          /* of every sum over the nodes: quadrature and range */
    ball k_cumulant;     /* k K(t) */
    ball log_truncation; /* of the part left out, over e^{k K(t) - t eps} */
    ball log_alias[2];   /* right and left, but for e^{-u eps} */
    size_t n_nodes;
    node *nodes;
    disc *powers; /* chi(n D)^k, n = 1..N */
} reference_contour;

/*
 * Builds a chosen contour; *found is false, and nothing is held, when its
 * bounds came out useless.
 *
 * owns   what c points to, released with contour_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status reference_contour_build(reference_contour *c,
    bool *found, const reference_contour_pair *pair,
    const reference_contour_choice *choice, dosi_error *err);

void reference_contour_free(reference_contour *c);

#endif
