/*
 * T rounds of Gaussian noise on samples of fixed size, C_p(G_mu) composed T
 * times (T001-T10): their law, and the type I error P[L > eps] of the best
 * test at a slope of -e^eps. Derivation: docs/theory/tradeoff.md, section 8.
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

/* Their law. */
loss_law fixed_rounds_loss(const fixed_rounds *r);

/*
 * log P[L > eps] for eps > 0, P the law of the data without the record.
 * Always a valid enclosure, and wide where too few rounds make the integral
 * converge slowly.
 *
 * width  near 1e-12 from some thirty rounds on
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status fixed_rounds_log_alpha(
    dosi_interval *out, const fixed_rounds *r, double eps, dosi_error *err);

#endif
