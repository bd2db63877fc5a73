/*
 * T rounds of Gaussian noise on fixed-size samples, C_p(G_mu) composed T times
 * (T001-T10): their loss law, and the type I error P[L > eps] of the optimal
 * test at slope -e^eps of the trade-off function; and the exponential moments
 * of one round. Derivation: docs/theory/tradeoff.md, sections 5 and 8.
 */
#ifndef DOSI_LITERATURE_FIXED_SIZE_ROUNDS_H
#define DOSI_LITERATURE_FIXED_SIZE_ROUNDS_H

#include "base/error.h"
#include "loss/loss_law.h"

/* 0 < rate < 1, mu > 0, count a whole number >= 1. */
typedef struct fixed_rounds {
    ball rate;
    ball mu;
    double count;
} fixed_rounds;

/* The loss law of one round, with its count. */
loss_law fixed_rounds_loss(const fixed_rounds *r);

/*
 * Encloses log P[L > eps], P the law of the data without the record.
 *
 * requires  eps > 0
 * width     near 1e-12 from some thirty rounds on; wide for few rounds, where
 *           the integral converges slowly
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status fixed_rounds_log_alpha(
    dosi_interval *out, const fixed_rounds *r, double eps, dosi_error *err);

/*
 * Encloses log E e^(order L) >= 0 of one round, which is (order - 1) D_order.
 *
 * requires  order > 1
 * width     near 1e-16 relative; wide for large mu and orders near 1, and
 *           where rate mu is tiny: 1e-8 at 1e-10
 * fails     DOSI_ENOMEM
 * source    T001-X5
 */
DOSI_CHECK dosi_status fixed_rounds_log_moment(
    ball *out, const fixed_rounds *r, double order, dosi_error *err);

#endif
