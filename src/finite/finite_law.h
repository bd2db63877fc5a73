/*
 * Finite loss laws: a pair (P, Q) on finitely many outcomes, kept as the
 * losses L = log(P/Q) with the logarithms of their P-masses, the P-mass where
 * Q = 0 (loss +inf) and the Q-mass where P = 0 (loss -inf). Every query of
 * the pair is a sum over atoms; suffix sums make the privacy profile cost
 * O(log n). Derivation: docs/theory/finite.md.
 *
 * An atom is a group of outcomes whose losses lie in one ball: losses that
 * cannot be told apart are merged into one ball that covers them, so atoms
 * are strictly ordered and near-ties never break an enclosure.
 *
 * A law is immutable. Functions returning dosi_status give the caller *out,
 * freed with finite_free, and NULL there after failure (DOSI_ENOMEM,
 * DOSI_EINVAL for input that is no law, DOSI_EUNABLE beyond max_terms; 0
 * means 2^20).
 */
#ifndef DOSI_FINITE_FINITE_LAW_H
#define DOSI_FINITE_FINITE_LAW_H

#include "base/error.h"
#include "num/scaled.h"

#define FINITE_MAX_TERMS ((size_t)1 << 20)

typedef struct finite_law finite_law;

/* ---- Making ------------------------------------------------------------ */

/* Each list of n non-negative doubles is divided by its exact sum > 0. */
dosi_status finite_from_pair(finite_law **out, const double *p, const double *q,
    size_t n, dosi_error *err);

/* Losses with the logarithms of their P-masses; the Q-masses follow. The
 * balls enclose a law: with p_inf the masses of P sum to 1, those of Q with
 * q_inf. */
dosi_status finite_from_losses(finite_law **out, const ball *loss,
    const ball *log_mass, size_t n, ball p_inf, ball q_inf, dosi_error *err);

/*
 * Losses, +inf among them, with their masses under P, all exact; their sums
 * and those of mass e^-loss are at most 1 but for rounding, as dosimeter.h
 * says of a loss law.
 */
dosi_status finite_from_points(finite_law **out, const double *loss,
    const double *mass, size_t n, dosi_error *err);

/* The worst (eps0, delta0)-DP pair (T000-24): losses +-eps0 and +inf. */
dosi_status finite_leaky_response(
    finite_law **out, ball eps0, ball delta0, dosi_error *err);

/* Randomized response over categories >= 2 values. */
dosi_status finite_randomized_response(
    finite_law **out, ball epsilon, double categories, dosi_error *err);

void finite_free(finite_law *law); /* accepts NULL */

/* ---- Operations -------------------------------------------------------- */

/* Independent (and adaptive) composition: losses add (T000-09). */
dosi_status finite_convolve(finite_law **out, const finite_law *a,
    const finite_law *b, size_t max_terms, dosi_error *err);

/* *law becomes its composition with a leaky response; NULL is nothing run. */
dosi_status finite_add_response(
    finite_law **law, ball epsilon, ball delta, dosi_error *err);

/* k-fold composition with itself, by (multi)nomial masses; k an integer in
 * [0, 2^53]. */
dosi_status finite_power(finite_law **out, const finite_law *law, double k,
    size_t max_terms, dosi_error *err);

/* How many atoms that has, at least; 0 where it is declined at once. */
size_t finite_power_least(const finite_law *law, double k, size_t max_terms);

/* The law of (Q, P) (T000-05, T000-06). */
dosi_status finite_reverse(
    finite_law **out, const finite_law *law, dosi_error *err);

typedef enum finite_direction {
    FINITE_MIXTURE_FIRST, /* ((1-rate) Q + rate P, Q): P is the data with the
                             record */
    FINITE_BASE_FIRST /* (P, (1-rate) P + rate Q): P is the data without it */
} finite_direction;

/* Poisson sampling of one record with the given rate in [0, 1]; law is that
 * of the base in the same direction. */
dosi_status finite_poisson(finite_law **out, const finite_law *law, ball rate,
    finite_direction direction, dosi_error *err);

/* ---- Reading ----------------------------------------------------------- */

size_t finite_count(const finite_law *law); /* finite losses, after merging */
ball finite_loss(const finite_law *law, size_t i);     /* increasing in i */
ball finite_log_mass(const finite_law *law, size_t i); /* of P */
scaled finite_mass(
    const finite_law *law, size_t i);     /* of P; its ball may hold 0 */
ball finite_p_inf(const finite_law *law); /* P[L = +inf] */

/* The finite losses from the i-th on: their mass under P, and the least i for
 * which that is certainly at most exp(log_mass). */
ball finite_mass_from(const finite_law *law, size_t i);
size_t finite_first_rare(const finite_law *law, double log_mass);

ball finite_q_inf(const finite_law *law); /* Q[L = -inf] */

/* ---- Queries ----------------------------------------------------------- */

/* delta(eps) = sup_E P(E) - e^eps Q(E), any real eps; and its logarithm
 * (-inf where delta is 0). One direction: see finite_reverse. */
ball finite_delta(const finite_law *law, ball eps);
dosi_interval finite_log_delta(const finite_law *law, ball eps);

/* Smallest eps >= 0 with delta(eps) <= delta; inf where there is none. delta
 * is given with its logarithm, which serves where delta underflows. */
dosi_interval finite_epsilon(const finite_law *law, ball delta, ball log_delta);

/* The same for the composition of two laws, without listing its atoms:
 * delta(eps) = E_P1[delta_2(eps - L_1)]. Cost |a| log |b| a profile value. */
ball finite_product_delta(const finite_law *a, const finite_law *b, ball eps);
dosi_interval finite_product_log_delta(
    const finite_law *a, const finite_law *b, ball eps);
dosi_interval finite_product_epsilon(
    const finite_law *a, const finite_law *b, ball delta, ball log_delta);

/* P[L > eps] and Q[L > eps]; wide when eps cannot be told from a loss. */
ball finite_tail_p(const finite_law *law, ball eps);
ball finite_tail_q(const finite_law *law, ball eps);

/* E_P[L]; +inf with mass at +inf. */
ball finite_kl(const finite_law *law);
ball finite_tv(const finite_law *law);

/* The greatest loss of P, and the pure-DP level of the pair: the greatest
 * |loss| of both directions. */
ball finite_max_loss(const finite_law *law);
ball finite_pure_epsilon(const finite_law *law);

/* Renyi divergence D_order(P || Q), 0 <= order <= inf; order 1 is kl. */
ball finite_renyi(const finite_law *law, ball order);

/* Smallest Q[accept P] of a test with P[reject P] <= alpha; exact piecewise
 * linear. The safe end is the lower one. */
dosi_interval finite_tradeoff(const finite_law *law, double alpha);

#endif
