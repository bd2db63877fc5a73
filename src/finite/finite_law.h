/*
 * Finite loss laws: a pair (P, Q) on finitely many outcomes, kept as the losses
 * L = log(P/Q) with the logarithms of their P-masses, the P-mass where Q = 0
 * (loss +inf) and the Q-mass where P = 0 (loss -inf). Every query of the pair
 * is a sum over atoms; suffix sums make the privacy profile cost O(log n).
 * Derivation: docs/theory/finite.md.
 *
 * An atom is a group of outcomes whose losses lie in one ball: losses whose
 * order is uncertain are merged into one ball that covers them, so that atoms
 * are strictly ordered and near-ties never break an enclosure.
 *
 * A law is immutable. Functions returning dosi_status give the caller *out,
 * freed with finite_free, and NULL there after failure (DOSI_ENOMEM,
 * DOSI_EINVAL for input that is no law, DOSI_EUNABLE beyond max_terms; 0 means
 * 2^20).
 */
#ifndef DOSI_FINITE_FINITE_LAW_H
#define DOSI_FINITE_FINITE_LAW_H

#include "base/error.h"
#include "num/scaled.h"

#define FINITE_MAX_TERMS ((size_t)1 << 20)

typedef struct finite_law finite_law;

/* ---- Making ------------------------------------------------------------ */

/* The pair of two lists of n non-negative doubles, each divided by its exact
 * sum, which must be positive. */
dosi_status finite_from_pair(finite_law **out, const double *p, const double *q,
    size_t n, dosi_error *err);

/* A law from losses with the logarithms of their P-masses; the Q-masses follow.
 * The balls must enclose a law: with p_inf the masses of P sum to 1, those of Q
 * with q_inf. */
dosi_status finite_from_losses(finite_law **out, const ball *loss,
    const ball *log_mass, size_t n, ball p_inf, ball q_inf, dosi_error *err);

/*
 * A law from losses, +inf among them, with their masses under P, all exact.
 * Their sum and that of mass e^-loss must be at most 1 up to rounding, as
 * dosimeter.h says of a loss law.
 */
dosi_status finite_from_points(finite_law **out, const double *loss,
    const double *mass, size_t n, dosi_error *err);

/* The dominating pair of all (eps0, delta0)-DP mechanisms [KOV15]: losses
 * +-eps0 and +inf. */
dosi_status finite_leaky_response(
    finite_law **out, ball eps0, ball delta0, dosi_error *err);

/* Randomized response over an integer number categories >= 2 of values. */
dosi_status finite_randomized_response(
    finite_law **out, ball epsilon, double categories, dosi_error *err);

void finite_free(finite_law *law); /* accepts NULL */

/* ---- Operations -------------------------------------------------------- */

/*
 * Independent (and adaptive) composition: losses add.
 *
 * cost      O(|a| |b|) terms, and their sorting
 */
dosi_status finite_convolve(finite_law **out, const finite_law *a,
    const finite_law *b, size_t max_terms, dosi_error *err);

/* Replaces *law by its composition with a leaky response; NULL is the empty
 * composition. */
dosi_status finite_add_response(
    finite_law **law, ball epsilon, ball delta, dosi_error *err);

/*
 * The k-fold composition of a law with itself, by multinomial masses or by
 * squaring.
 *
 * requires  k an integer in [0, 2^53]
 */
dosi_status finite_power(finite_law **out, const finite_law *law, double k,
    size_t max_terms, dosi_error *err);

/* A lower bound of the number of atoms of that composition; 0 if it would
 * exceed max_terms. */
size_t finite_power_min_atoms(const finite_law *law, double k,
    size_t max_terms);

/* The law of the reversed pair (Q, P). */
dosi_status finite_reverse(
    finite_law **out, const finite_law *law, dosi_error *err);

typedef enum finite_direction {
    /* ((1-rate) Q + rate P, Q): P is the data with the record */
    FINITE_MIXTURE_FIRST,
    FINITE_BASE_FIRST /* (P, (1-rate) P + rate Q): P is the data without it */
} finite_direction;

/* Poisson sampling of one record with the given rate in [0, 1]; law is that of
 * the base in the given direction. */
dosi_status finite_poisson(finite_law **out, const finite_law *law, ball rate,
    finite_direction direction, dosi_error *err);

/* ---- Reading ----------------------------------------------------------- */

/* The number of finite losses, after merging; loss i < n, increasing in i; its
 * P-mass, whose ball may hold 0, and the log of that mass. */
size_t finite_count(const finite_law *law);
ball finite_loss(const finite_law *law, size_t i);
scaled finite_mass(const finite_law *law, size_t i);
ball finite_log_mass(const finite_law *law, size_t i);

/* P[L = +inf] and Q[L = -inf]. */
ball finite_p_inf(const finite_law *law);
ball finite_q_inf(const finite_law *law);

/*
 * The P-mass of the finite losses from the i-th on, and the least i for which
 * that mass is certainly at most exp(log_mass).
 *
 * cost      O(1), and O(log n)
 */
ball finite_mass_from(const finite_law *law, size_t i);
size_t finite_tail_start(const finite_law *law, double log_mass);

/* ---- Queries ----------------------------------------------------------- */

/*
 * Encloses delta(eps) = sup_E P(E) - e^eps Q(E) at any real eps, and its
 * logarithm (-inf if delta is 0), in one direction; for the other see
 * finite_reverse.
 *
 * cost      O(log n)
 */
ball finite_delta(const finite_law *law, ball eps);
dosi_interval finite_log_delta(const finite_law *law, ball eps);

/* Encloses the smallest eps >= 0 with delta(eps) <= delta; inf if there is
 * none. delta is given with its logarithm, which serves if delta underflows. */
dosi_interval finite_epsilon(const finite_law *law, ball delta, ball log_delta);

/*
 * delta, log delta and epsilon of the composition of two laws, without listing
 * its atoms: delta(eps) = E_P1[delta_2(eps - L_1)].
 *
 * cost      O(|a| log |b|) for one value of the profile, |a| <= |b|
 */
ball finite_product_delta(const finite_law *a, const finite_law *b, ball eps);
dosi_interval finite_product_log_delta(
    const finite_law *a, const finite_law *b, ball eps);
dosi_interval finite_product_epsilon(
    const finite_law *a, const finite_law *b, ball delta, ball log_delta);

/* Encloses P[L > eps] and Q[L > eps]; wide if the order of eps and a loss is
 * uncertain. */
ball finite_tail_p(const finite_law *law, ball eps);
ball finite_tail_q(const finite_law *law, ball eps);

/* Kullback-Leibler divergence E_P[L], +inf with mass at +inf; and total
 * variation, delta(0). */
ball finite_kl(const finite_law *law);
ball finite_tv(const finite_law *law);

/* The greatest loss of P; and the pure-DP level of the pair, the greatest
 * |loss| of both directions. */
ball finite_max_loss(const finite_law *law);
ball finite_pure_epsilon(const finite_law *law);

/*
 * Renyi divergence D_order(P || Q), 0 <= order <= inf; order 1 is finite_kl.
 *
 * cost      O(n)
 */
ball finite_renyi(const finite_law *law, ball order);

/* The trade-off function: the smallest Q[accept P] of a test with P[reject P]
 * <= alpha, exact and piecewise linear. The safe end is the lower one. */
dosi_interval finite_tradeoff(const finite_law *law, double alpha);

#endif
