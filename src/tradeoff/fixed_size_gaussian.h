/*
 * C_p(G_mu), Gaussian noise on a fixed-size sample, by its privacy loss. With
 * x = y + mu/2, y > 0 and Z = log(1 + p (e^(mu y) - 1)), a loss of Z has
 * density phi(x) under P and e^Z phi(x) = p phi(x-mu) + (1-p) phi(x) under
 * Q, a loss of -Z the reverse, and the remaining mass, (1-p) TV, is an atom at
 * 0. All integrands are >= 0 and integrated by special/jet.h. Derivation:
 * docs/theory/tradeoff.md, section 5.
 */
#ifndef DOSI_TRADEOFF_FIXED_SIZE_GAUSSIAN_H
#define DOSI_TRADEOFF_FIXED_SIZE_GAUSSIAN_H

#include "special/jet.h"

/* 0 < rate <= 1, mu > 0. */
typedef struct fixed_sample {
    ball rate;
    ball mu;
} fixed_sample;

/* (1-p) (Phi(mu/2) - Phi(-mu/2)). */
ball fixed_sample_atom(const fixed_sample *s);

/* ---- Moments of the loss under P (T001-L4, corrected) ------------------- */

/*
 * kl = -E L, k2 = E L^2, k3 = E |L|^3, and k3bar = E |L + kl|^3, given kl;
 * `printed` omits the atom at 0, as the source does, which is too small.
 *
 * width  near 1e-18 relative
 * cost   milliseconds; unknown if more than 2^12 panels are needed
 */
ball fixed_sample_mean(const fixed_sample *s);
ball fixed_sample_square(const fixed_sample *s);
ball fixed_sample_cube(const fixed_sample *s);
ball fixed_sample_central(const fixed_sample *s, ball mean, bool printed);

/* ---- Compositions (T001-D5) --------------------------------------------- */

/*
 * delta at eps of two copies, and of one copy composed with mu2-GDP.
 *
 * requires  eps >= 0, mu2 > 0
 * source    T001-D5; docs/theory/tradeoff.md, section 7
 */
ball fixed_sample_pair_delta(const fixed_sample *s, ball eps);
ball fixed_sample_gauss_delta(const fixed_sample *s, ball mu2, ball eps);

/* ---- Shared with the other quadratures ---------------------------------- */

/* The jet of Z in y. */
jet fixed_sample_loss(const fixed_sample *s, ball y);

/* phi(x + t). */
jet jet_normal_pdf(ball x);

/* The Gaussian profile delta_mu at the jet of an epsilon. */
jet jet_gauss_delta(ball mu, const jet *eps);

#endif
