/*
 * Chi-divergences of single mechanisms: with X = p/q the likelihood ratio of
 * the worst neighbours and s > 0 real,
 *
 *     xi(s)^s = E_q |X - 1|^s,
 *
 * computed from the law itself, as a sum or an integral of terms >= 0, so
 * that no digits are lost at any order. For even whole s it is the forward
 * difference B(s) of the moments m(i) = E_q X^i. All results are logarithms,
 * since the values reach e^(10^8). Derivation:
 * docs/theory/without_replacement.md, section 2.
 */
#ifndef DOSI_RENYI_CHI_DIVERGENCE_H
#define DOSI_RENYI_CHI_DIVERGENCE_H

#include <stddef.h>

#include "num/ball.h"
#include "num/scaled.h"

typedef enum chi_kind {
    CHI_GAUSSIAN, /* parameter: mu = distance / sigma */
    CHI_LAPLACE,  /* parameter: distance / scale */
    CHI_RESPONSE  /* parameter: epsilon; randomised response */
} chi_kind;

/* A mechanism of which one pair of laws attains the divergences of all
 * orders. */
typedef struct chi_law {
    chi_kind kind;
    ball parameter;    /* > 0, or 0 for equal laws */
    double categories; /* of randomised response, >= 2 */
} chi_law;

chi_law chi_gaussian(ball mu);
chi_law chi_laplace(ball a);
chi_law chi_response(ball eps, double categories);

/* ---- Moments ----------------------------------------------------------- */

/* log m(order) = (order - 1) D_order >= 0, for order >= 1. */
ball chi_log_moment(const chi_law *law, ball order);

/* D_order for 1 <= order <= inf; 1 is Kullback-Leibler. */
ball chi_divergence(const chi_law *law, ball order);

/* The largest loss; +inf for the Gaussian. */
ball chi_pure(const chi_law *law);

/* ---- Chi-divergences, s > 0 -------------------------------------------- */

/*
 * log xi(s)^s; -inf for equal laws.
 *
 * width  near 1e-24 relative in xi(s)^s; Laplace with a parameter above 6:
 *        1e-17
 * cost   Gaussian: some 200 nodes; others: a series
 */
ball chi_log_xi(const chi_law *law, ball s);

/*
 * log E_r |(p - q)/r|^s for the unit normals with means p, q and r; -inf for
 * p = q.
 *
 * requires  s >= 1
 * source    D002-11
 */
ball chi_log_ternary(ball p, ball q, ball r, ball s);

/* ---- Forward differences ----------------------------------------------- */

/*
 * E_q (X - 1)^order = sum_i (-1)^(order-i) C(order,i) m(i), order whole.
 *
 * source  Q002-3.3
 */
ball chi_difference(const chi_law *law, double order);

/*
 * E_q (X - 1)^order as the signed sum, from log m(0) .. log m(order), for
 * mechanisms of which only the moments are known.
 *
 * width  the radius is that of the largest term; the ball may contain 0
 */
scaled chi_signed_sum(const ball *log_moments, size_t order);

/* ---- Gaussian quadrature (chi_divergence_gaussian.c) ------------------- */

/*
 * E (R - 1)_+^s and E (1 - R)_+^s for R = e^(mu (Z - z0)), Z normal.
 *
 * requires  mu > 0, s > 0
 * width     near 1e-24 relative; unknown if that takes 2^18 nodes
 */
void chi_normal_sides(scaled *above, scaled *below, ball mu, ball z0, ball s);

#endif
