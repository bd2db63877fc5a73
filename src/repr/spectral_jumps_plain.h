/*
 * Gaussian noise beside what is sampled: all such parts are one, Z ~ N(v/2, v)
 * with v = sum k mu^2. It has no cuts, and multiplies all moments by
 *
 *     M(z) = e^(z (z+1) v/2),    |M(t + iu)| = M(t) e^(-v u^2/2).
 *
 * Derivation: docs/theory/spectral.md, section 9. Internal to the files of
 * spectral_jumps.c.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_PLAIN_H
#define DOSI_REPR_SPECTRAL_JUMPS_PLAIN_H

#include "spectral_steer.h"

typedef struct jump_plain {
    ball variance; /* 0 where there is none */
    double rough;  /* the same, to steer by */
} jump_plain;

/* Whether a part is such noise. */
bool jump_is_plain(const spectral_part *part);

jump_plain jump_plain_of(const spectral_parts *parts);

/* log M at a real x; and what losses are centred by at a tilt. */
ball jump_plain_cumulant(const jump_plain *p, ball x);
ball jump_plain_mean(const jump_plain *p, double t);

/* >= log M(x). */
double jump_plain_log_upper(const jump_plain *p, double x);

/* log |M(t + iu)/M(t)|, which falls in u. */
ball jump_plain_log_fall(const jump_plain *p, double u);

/* ---- To steer by ------------------------------------------------------- */

double jump_plain_rough(const jump_plain *p, double x);
double jump_plain_slope(const jump_plain *p, double x);
double jump_plain_rough_fall(const jump_plain *p, double u);

#endif
