/*
 * A contour with its bounds: everything of the spectral route that does not
 * depend on epsilon, so that one contour serves all the epsilons near the one
 * it was chosen for. Internal to the spectral files.
 */
#ifndef DOSI_REPR_SPECTRAL_CONTOUR_H
#define DOSI_REPR_SPECTRAL_CONTOUR_H

#include "spectral.h"
#include "spectral_bent.h"
#include "spectral_steer.h"

/* Terms of the sum at eps_0, the epsilon the contour was chosen for: the
 * n-th, n = 0..N, is e^{K(z) - K(t) - i u eps_0} times a kernel, z = t + iu,
 * u = n D, and the first is halved. */
typedef struct spectral_terms {
    double *re, *im;
    double *size;  /* of the factors, >= |re|, |im| */
    double error;  /* of all the terms together */
} spectral_terms;

typedef struct spectral_contour {
    spectral_choice choice;
    ball cumulant; /* K(t) of the plan */
    size_t n;      /* terms */
    spectral_terms upper, lower; /* the same but for a blur */
    double *storage;
    disc *fine; /* the terms in double-doubles, else NULL */
    spectral_bent *bent; /* in place of all else, or NULL */
    double cut_upper, cut_lower; /* left out, over e^{K(t) - t eps} */
    ball log_alias[2];           /* right and left, but for e^{-u eps} */
} spectral_contour;

/*
 * Tilts the parts and builds the contour; *found is false, and nothing is
 * held, when its bounds came out useless or it was stopped.
 *
 * owns   what c points to, released with spectral_contour_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status spectral_contour_build(spectral_contour *c,
    bool *found, const spectral_parts *parts, const spectral_want *wants,
    const spectral_choice *choice, work_limits *limits,
    dosi_error *err);

void spectral_contour_free(spectral_contour *c);

/* log delta of the finite part at epsilon; within [-inf, 0]. */
dosi_interval spectral_contour_read(
    const spectral_contour *c, double epsilon);

#endif
