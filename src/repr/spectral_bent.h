/*
 * Bent contours, for plans of Poisson-sampled Gaussian noise, mixture against
 * base, with rare jumps: the contour leaves the real axis upwards and bends
 * to the right, where e^{-z eps} decays, and the line of integration of the
 * noise bends with it. Derivation: docs/theory/spectral.md, section 9.
 * Internal to the spectral files.
 */
#ifndef DOSI_REPR_SPECTRAL_BENT_H
#define DOSI_REPR_SPECTRAL_BENT_H

#include "base/work_limits.h"
#include "spectral_steer.h"

/* z(u) = t + i (u + c3 u^3) + c2 u^2 + c4 u^4 at u = n step, |n| <= n_outer;
 * bounds on the strip |Im u| <= strip. */
typedef struct bent_choice {
    double epsilon;
    double log_delta; /* roughly what it is there */
    double t, c2, c3, c4, step, strip;
    double n_outer;
    double digits; /* -log of what M may err by */
} bent_choice;

#define BENT_DEGREE 4

/* p(n) = z_n - t = i (d1 n + d3 n^3) + d2 n^2 + d4 n^4: what the contour is
 * in the end. */
typedef struct bent_steps {
    double d1, d2, d3, d4;
    int degree; /* 2 or 4 */
} bent_steps;

/* Terms of the sum at eps_0 and what they err by. */
typedef struct spectral_bent {
    bent_choice choice;
    bent_steps steps;
    ball log_scale; /* of terms and error, at eps_0 */
    size_t n;
    disc *terms;
    double error;
} spectral_bent;

/* The j-th difference of p at 0, j = 1..4: re + i im. */
void bent_difference(ball *re, ball *im, const bent_steps *s, int j);

/* Whether every part has such a contour. */
bool spectral_can_bend(const spectral_parts *parts);

/* Roughly where one jump alone gives this delta: not far left of epsilon where
 * a rare jump decides; 0 where it gives less everywhere. */
double spectral_bent_guess(const spectral_parts *parts, double log_delta);

/*
 * For all epsilons from this on, where delta is about e^log_delta, of at most
 * max_cost pairs of nodes. *out is NULL when none was found, or it was
 * stopped.
 *
 * owns   *out, freed with spectral_bent_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status spectral_bent_new(spectral_bent **out,
    const spectral_parts *parts, double epsilon, double log_delta,
    double max_cost, work_limits *limits, dosi_error *err);
void spectral_bent_free(spectral_bent *b); /* accepts NULL */

/* log delta; [-inf, 0] left of the epsilon it was chosen for. */
dosi_interval spectral_bent_read(const spectral_bent *b, double epsilon);

#endif
