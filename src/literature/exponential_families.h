/*
 * Rényi divergences of exponential families and of normal laws in several
 * dimensions, and the normal limits of sampled means for a "bad" and a "good"
 * data set. The limits are approximations for large samples, not bounds.
 * Derivation: docs/theory/without_replacement.md, section 6.
 */
#ifndef DOSI_LITERATURE_EXPONENTIAL_FAMILIES_H
#define DOSI_LITERATURE_EXPONENTIAL_FAMILIES_H

#include <stddef.h>

#include "base/error.h"
#include "num/ball.h"

/* ---- One-parameter families -------------------------------------------- */

typedef enum family {
    FAMILY_BERNOULLI,  /* log-odds */
    FAMILY_POISSON,    /* rate > 0 */
    FAMILY_EXPONENTIAL /* rate > 0 */
} family;

/*
 * D_order of the laws with parameters x and y; order 1 is Kullback-Leibler.
 * With A the log-partition and natural parameters eta it is
 *
 *     (A(a eta1 + (1-a) eta2) - a A(eta1) - (1-a) A(eta2))/(a - 1);
 *
 * +inf when the mixed parameter leaves the family (exponential laws).
 *
 * requires  order >= 1
 * source    EF002
 */
ball family_divergence(family f, ball x, ball y, ball order);

/* ---- Families with a smooth log-partition ------------------------------ */

/* min(order smooth distance^2/2, 2 lipschitz distance): P002-33. */
ball family_local_bound(ball order, ball distance, ball lipschitz, ball smooth);

/*
 * The bound with constants that depend on the distance d:
 * min(((order-1) L(far) + L(near)) d^2/2, (B(far) + B(near)) d), R002-34.
 *
 * source  R002-34
 */
ball family_split_bound(ball order, ball distance, ball far_lipschitz,
    ball near_lipschitz, ball far_smooth, ball near_smooth);

/* ---- Normal laws ------------------------------------------------------- */

/*
 * D_order of N(mean1, S1) and N(mean2, S2) in n dimensions, matrices by
 * rows; +inf when order S2 + (1-order) S1 is not positive definite.
 *
 * requires  order > 1, S1 and S2 symmetric
 * fails     DOSI_EDOMAIN if S1 or S2 is not positive definite,
 *           DOSI_EUNABLE if that is undecided, DOSI_ENOMEM
 * source    MVN002
 */
dosi_status family_normal(ball *out, const double *mean1, const double *s1,
    const double *mean2, const double *s2, size_t n, ball order,
    dosi_error *err);

/* D_order of normal laws in one dimension; order >= 1. */
ball family_normal_line(
    ball mean1, ball variance1, ball mean2, ball variance2, ball order);

/* ---- One data set under sampling (approximations) ---------------------- */

/*
 * The order at which the divergence of the bad data set becomes infinite, and
 * the divergences of the bad and the good one.
 *
 * source  E002-21
 */
ball family_bad_pole(ball sigma, ball rate, ball n);
ball family_bad_approx(ball sigma, ball rate, ball n, ball order);
ball family_good_approx(ball sigma, ball rate, ball n, ball order);

/*
 * The mean of a sample of rate n records of x, noise sigma/(rate n), by its
 * normal limit, against that with the last record replaced: S002-3.4.
 *
 * source  S002-3.4
 */
ball family_sample_mean_approx(const double *x, size_t n, double replaced,
    ball sigma, ball rate, ball order);

#endif
