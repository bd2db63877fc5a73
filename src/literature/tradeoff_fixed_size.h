/*
 * Trade-off functions of a mechanism on a uniform fixed-size sample, for
 * neighbours that replace one record: with rate p = m/n and f_p = p f +
 * (1-p) Id,
 *
 *     C_p(f) = min{f_p, f_p^-1}**,
 *
 * the largest convex minorant. For symmetric f with fixed point x it is f_p
 * up to x, the line of slope -1 up to f_p(x), and f_p^-1 beyond. Its profile
 * is p delta_f(log(1 + (e^eps - 1)/p)) at eps >= 0. Derivation:
 * docs/theory/tradeoff.md, section 3.
 */
#ifndef DOSI_LITERATURE_TRADEOFF_FIXED_SIZE_H
#define DOSI_LITERATURE_TRADEOFF_FIXED_SIZE_H

#include "tradeoff/tradeoff.h"

/*
 * (G_mu)_p at alpha; and its inverse, the t with p G_mu(t) + (1-p)(1-t) =
 * alpha. value is the error, rest 1 minus it.
 *
 * requires  0 <= rate <= 1, mu >= 0
 */
share sampled_mixture(ball rate, ball mu, share alpha);
share sampled_mixture_inverse(ball rate, ball mu, share alpha);

/* C_p(G_mu) at alpha, and for groups of k >= 1. */
share sampled_tradeoff(ball rate, ball mu, share alpha);
share sampled_tradeoff_group(ball rate, ball mu, double k, share alpha);

/* The smallest eps >= 0 at delta: log(1 + p (e^e - 1)), e that of the base at
 * delta/p; 0 if delta >= p delta_mu(0). */
dosi_interval sampled_tradeoff_epsilon(ball rate, ball mu, ball delta);

#endif
