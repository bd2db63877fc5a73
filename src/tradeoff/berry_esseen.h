/*
 * The central limit theorem of composition: the trade-off function of n
 * mechanisms is close to a Gaussian one, within a Berry-Esseen band computed
 * from the moments of their losses. Derivation: docs/theory/tradeoff.md,
 * section 6.
 */
#ifndef DOSI_TRADEOFF_BERRY_ESSEEN_H
#define DOSI_TRADEOFF_BERRY_ESSEEN_H

#include "fixed_size_gaussian.h"

/* ---- Moments of the loss of single curves under P ----------------------- */

typedef struct loss_moments {
    ball mean;     /* kl = -E L */
    ball square;   /* k2 = E L^2 */
    ball variance; /* k2 - kl^2 */
    ball cube;     /* k3 = E |L|^3 */
    ball central;  /* k3bar = E |L + kl|^3 */
} loss_moments;

/* The moments of named curves; all parameters are >= 0. */
loss_moments moments_of_gauss(ball mu);
loss_moments moments_of_pure(ball eps);
loss_moments moments_of_laplace(ball mu);
loss_moments moments_of_sampled_pure(ball rate, ball eps);

/* The moments of C_p(G_mu) that the band uses: cube is 0. `printed` omits the
 * atom at 0, as the source does. */
loss_moments moments_of_sampled_gauss(ball rate, ball mu, bool printed);

/* Adds the moments of count such curves. square and cube are added as well,
 * although they are not moments of the sum. */
void moments_add(loss_moments *sum, const loss_moments *one, double count);

/* ---- The band (T001-T5) ------------------------------------------------- */

/* G_mu(a + gamma) - gamma <= f(a) <= G_mu(a - gamma) + gamma for
 * gamma <= a <= 1 - gamma; the left side for every a. */
typedef struct clt_band {
    ball mu;    /* 2 sum kl / sqrt(sum variance) */
    ball gamma; /* 0.56 sum k3bar / (sum variance)^(3/2) */
} clt_band;

/* The band of n >= 1 mechanisms with the moments m each; a sum of
 * moments_add counts as one. */
clt_band clt_band_of(const loss_moments *m, ball n);

/*
 * The lower curve of the band, max(0, G_mu(a + gamma) - gamma), G = 0 beyond 1.
 *
 * requires  0 <= alpha <= 1
 * source    T001-T5
 */
ball clt_lower(const clt_band *b, double alpha);

/*
 * The upper curve of the band, G_mu(a - gamma) + gamma.
 *
 * requires  gamma <= alpha <= 1 - gamma
 * source    T001-T5
 */
ball clt_upper(const clt_band *b, double alpha);

/*
 * The profile of the lower curve at eps >= 0: 1 if gamma >= Phi(-mu/2);
 * otherwise, with u = Phi(-eps/mu - mu/2), delta_mu(eps) + gamma (1 + e^eps) if
 * u >= gamma and the floor 1 - G_mu(gamma) + gamma else; and that floor.
 */
ball clt_delta_upper(const clt_band *b, ball eps);
ball clt_delta_floor(const clt_band *b);

/*
 * A lower bound of the profile, max(0, delta_mu(eps) - gamma (1 + e^eps)).
 *
 * requires  gamma < 1/4, eps >= 0
 */
ball clt_delta_lower(const clt_band *b, ball eps);

/* ---- Limits of sampled compositions (T001-T11) -------------------------- */

/*
 * int (|f'| - 1)_+^2 of a named curve; of a Gaussian one its logarithm, which
 * does not overflow.
 *
 * requires  parameters >= 0, mu > 0
 * source    T001-T11
 */
ball limit_log_chi_gauss(ball mu);
ball limit_chi_pure(ball eps);
ball limit_chi_laplace(ball mu);

/*
 * Encloses the mu > 0 with limit_log_chi_gauss(mu) = log_chi.
 *
 * source    T001-C4
 */
dosi_interval limit_chi_gauss_inverse(ball log_chi);

#endif
