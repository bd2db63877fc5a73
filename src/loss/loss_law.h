/*
 * A loss law by description: one ordered pair (P, Q) as noise, a map laid
 * over it by a sampler, and how often it runs. The tight routes read the
 * same description: the spectral one as cumulant and nodes, the list route as
 * masses of cells. L = log dP/dQ, Z is L under P.
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
    LOSS_FINITE       /* atoms, with what they have at +inf and -inf; any
                         sampler is already applied: map is LOSS_PLAIN */
} loss_noise;

typedef enum loss_map {
    LOSS_PLAIN,
    LOSS_MIXTURE_FIRST, /* ((1-q) Q + q P, Q): mixture against base */
    LOSS_BASE_FIRST, /* (Q, (1-q) Q + q P): base against mixture; the base noise
                 is symmetric */
    LOSS_WITHOUT_REPLACEMENT, /* a fixed-size sample under replace, q =
                   batch/population (docs/theory/loss.md) */
    LOSS_GROUP, /* Gaussian noise only: removed records against added ones,
                   sum Bin(i; removed, q) N(i mu) against
                   sum Bin(j; added, q) N(-j mu) (docs/theory/loss.md);
                   (1, 1) is Poisson sampling under replace. With draws > 0
                   one record under sampling with replacement: the weights
                   are Bin(i; draws, q) up to removed, resp. added, and what
                   is left of P lies at +inf */
    LOSS_WITH_REPLACEMENT /* a sample with replacement under replace: the
                  mixture over k = 1..removed of LOSS_WITHOUT_REPLACEMENT with
                  the parameter k times as large (docs/theory/sampling.md,
                  section 8) */
} loss_map;

typedef struct loss_law {
    loss_noise noise;
    loss_map map;
    attainment flag;     /* of one run by itself */
    attainment composed; /* of it composed with anything */
    ball parameter;      /* > 0 */
    const finite_law *finite; /* of LOSS_FINITE, borrowed */
    size_t kept;         /* of these, how many count: the mass of those above is
                            taken to be at +inf, or nowhere; 0: all */
    ball rate;           /* q of the map, in (0, 1) */
    unsigned removed,
        added; /* of LOSS_GROUP; removed: of LOSS_WITH_REPLACEMENT */
    double draws, population; /* of samples with replacement, else 0 */
    double count;             /* how often it runs, a whole number >= 1 */
} loss_law;

#endif
