/*
 * Mean-concentrated differential privacy, (mu, tau)-mCDP: the loss has mean at
 * most mu and, centred, log moments at most lambda^2 tau^2 / 2 at every real
 * lambda. Conversions to and from the line of zCDP, from a curve of (epsilon,
 * delta) back to zCDP, and the released sign of a noisy bit, the example that
 * shows that mCDP is not closed under post-processing. Derivations:
 * docs/theory/concentrated.md.
 */
#ifndef DOSI_LITERATURE_MCDP_H
#define DOSI_LITERATURE_MCDP_H

#include "zcdp_line.h"

/* ---- mCDP and zCDP ------------------------------------------------------ */

/*
 * (mu - tau^2/2, tau^2/2)-zCDP.
 *
 * source  T003-4.2
 */
cdp_line mcdp_line(ball mu, ball tau);

/*
 * tau of a line as a function of a = max(xi, 0) + 2 rho:
 * sqrt(max(8 a, 4 (e^a - 1))), and the weaker sqrt(8 (e^a - 1)) of the proof in
 * the source; and their logarithms.
 */
ball mcdp_tau(ball a);
ball mcdp_tau_proof(ball a);
ball mcdp_log_tau(ball a); /* for a >= 2 */
ball mcdp_log_tau_proof(ball a);
ball mcdp_exponent(cdp_line line); /* a */

/*
 * The a > 0 from which mcdp_tau is sqrt(4 (e^a - 1)): e^a - 1 = 2 a.
 *
 * source  D003-4.3
 */
ball mcdp_tau_crossover(void);

/* Var[Z] / eps of P = (1/2, 1/2), Q = (e^-eps/2, 1 - e^-eps/2): it grows with
 * eps, so that tau = O(sqrt(xi + 2 rho)) does not hold in general. */
ball mcdp_variance_ratio(ball eps);

/* ---- From a curve eps(delta) = xi + sqrt(rho log(1/delta)) -------------- */

/* xi of the line with slope rho/4: xi - rho/4 + constant rho^(1/4), where
 * the constant is 5, or 1 + 2 sqrt(pi). */
ball curve_xi(ball xi, ball rho, ball constant);
ball curve_constant(void); /* 1 + 2 sqrt(pi) */

/*
 * xi of the line with slope rho/4, the tail being split at the best point;
 * rho > 0.
 *
 * source  D003-B.3
 */
ball curve_xi_best(ball xi, ball rho);

/*
 * log P[Z > xi + t] <= min(0, inf over 0 < l < t of
 * -l^2/rho - log(1 - e^(l-t))).
 *
 * requires  rho > 0, t > 0
 */
ball curve_log_tail(ball rho, ball t);

/* ---- The thresholded bit ------------------------------------------------ */

/*
 * A bit +-1 with noise N(0, sigma^2), of which only [X > t], [X < -t] or
 * neither is released: p and q are the probabilities of the first two,
 * sf((t-1)/sigma) and sf((t+1)/sigma).
 */
typedef struct bit_release {
    ball log_p;
    ball log_q;
    ball loss; /* log(p/q) */
} bit_release;

bit_release bit_release_of(ball sigma, ball t);

/* log E[Z] = log((p - q) log(p/q)). */
ball bit_log_mean(const bit_release *bit);

/* log E[exp(lambda (Z - E Z))] at any real lambda. */
ball bit_log_moment(const bit_release *bit, ball lambda);

/*
 * 2 lambda^2 / sigma^2, the bound of that moment under
 * (2/sigma^2, 2/sigma)-mCDP.
 *
 * source  T003-A.1
 */
ball bit_allowed(ball sigma, ball lambda);

/*
 * Bounds of log p, and of log(p/q) >= 2t/sigma^2 from below, for
 * sigma <= t - 1.
 *
 * source  T003-A.2
 */
ball bit_log_p_lower(ball sigma, ball t);
ball bit_log_p_upper(ball sigma, ball t);
ball bit_loss_lower(ball sigma, ball t);

/*
 * The sigma from which the printed last step of that proof holds at
 * t = 6 sigma^3 + 1: e^(3 sigma) = 2 sqrt(2 pi) (6 sigma^3 + 1).
 *
 * source  X003-A.1
 */
ball bit_sigma_crossover(void);

#endif
