/*
 * A privacy loss distribution by description: one ordered pair (P, Q) as noise,
 * the map that a sampler applies to it, and how often it runs. All tight routes
 * read this description: the contour as cumulant and nodes, the list of
 * outcomes as masses of cells. L = log dP/dQ, Z is L under P. Derivation:
 * docs/theory/loss.md.
 */
#ifndef DOSI_LOSS_LOSS_LAW_H
#define DOSI_LOSS_LOSS_LAW_H

#include <stdbool.h>

#include "finite/finite_law.h"
#include "attained.h"
#include "num/ball.h"

typedef enum loss_noise {
    LOSS_GAUSSIAN,    /* parameter mu: Z ~ N(mu^2/2, mu^2) */
    LOSS_LAPLACE,     /* parameter a = 1/scale */
    LOSS_EXPONENTIAL, /* parameter epsilon: the bounded-range density law */
    /* atoms, and masses at +inf and -inf; any sampler is already applied: map
     * is LOSS_PLAIN */
    LOSS_FINITE
} loss_noise;

typedef enum loss_map {
    LOSS_PLAIN,
    LOSS_MIXTURE_FIRST, /* ((1-q) Q + q P, Q): mixture against base */
    LOSS_BASE_FIRST, /* (Q, (1-q) Q + q P): base against mixture; the base noise
                 is symmetric */
    LOSS_WITHOUT_REPLACEMENT, /* a fixed-size sample under replace, q =
                   batch/population (docs/theory/loss.md) */
    /* Gaussian noise only: removed records against added ones, sum Bin(i;
     * removed, q) N(i mu) against sum Bin(j; added, q) N(-j mu)
     * (docs/theory/loss.md); (1, 1) is Poisson sampling under replace. With
     * draws > 0 one record under sampling with replacement: the weights are
     * Bin(i; draws, q) up to removed, or up to added, and the remaining mass of
     * P lies at +inf */
    LOSS_GROUP,
    LOSS_WITH_REPLACEMENT /* a sample with replacement under replace: the
                  mixture over k = 1..removed of LOSS_WITHOUT_REPLACEMENT with
                  the parameter k times as large (docs/theory/sampling.md,
                  section 8) */
} loss_map;

typedef struct loss_law {
    loss_noise noise;
    loss_map map;
    attainment flag;          /* what attains the profile of one run */
    attainment composed;      /* and of its composition with any other law */
    ball parameter;           /* > 0 */
    const finite_law *finite; /* atoms of LOSS_FINITE, borrowed */
    /* number of these atoms that count: the mass of those above is taken to be
     * at +inf, or nowhere; 0: all */
    size_t kept;
    ball rate; /* q of the map, in (0, 1) */
    /* records of LOSS_GROUP; removed: draws told apart by
     * LOSS_WITH_REPLACEMENT */
    unsigned removed, added;
    double draws, population; /* of samples with replacement, else 0 */
    double count;             /* number of runs, an integer >= 1 */
} loss_law;

#endif
