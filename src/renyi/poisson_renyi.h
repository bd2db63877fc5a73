/*
 * Rényi privacy of a mechanism run on a Poisson sample, for add/remove
 * neighbours, and on a sample of fixed size, for replacement. Derivation:
 * docs/theory/sampling.md, section 2.
 */
#ifndef DOSI_RENYI_POISSON_RENYI_H
#define DOSI_RENYI_POISSON_RENYI_H

#include <stddef.h>

#include "dosimeter.h"
#include "num/ball.h"

/* The Rényi curve of the base at a whole order >= 2; +inf allowed. */
typedef ball (*renyi_curve)(double order, const void *context);

/* order rho; context is a const ball *, the rho. */
ball renyi_curve_gaussian(double order, const void *rho);

/* min(eps, order eps^2/2) of a pure eps-DP base; context is the eps. */
ball renyi_curve_pure(double order, const void *eps);

#define SAMPLED_RENYI_MAX_ORDER ((double)(1 << 22))

/*
 * The terms of the base at orders 2 .. max_order, computed once.
 *
 * owns   *out, released with wr_table_free
 * fails  DOSI_EUNABLE above SAMPLED_RENYI_MAX_ORDER, DOSI_ENOMEM
 */
struct wr_table;

dosi_status sampled_renyi_new(struct wr_table **out, double max_order,
    renyi_curve curve, const void *context, dosi_error *err);

/**
 * The sharp bound at a whole order a,
 *
 *     log( sum_k C(a,k) (1-p)^(a-k) p^k exp((k-1) eps(k)) ) / (a - 1),
 *
 * an equality when one pair attains every eps(k) (Gaussian).
 *
 * requires  2 <= order <= max_order, whole; 0 <= rate <= 1
 * width     1e-24 order/1000, relative
 * cost      one pass over 2 .. order
 * source    T000-34
 */
ball sampled_renyi_at(const struct wr_table *table, ball rate, double order);

/*
 * The bound of sampled_renyi_at for one order.
 *
 * requires  order >= 2, whole; 0 <= rate <= 1
 * fails     DOSI_EUNABLE above SAMPLED_RENYI_MAX_ORDER, DOSI_ENOMEM
 */
dosi_status sampled_renyi_once(ball *out, ball rate, double order,
    renyi_curve curve, const void *context, dosi_error *err);

/**
 * The bound for fixed-size sampling; both the curve of the base and the result
 * refer to replacement. For whole i in (order, 8 order + 40] and
 * o = order (i-1) / (i - order) the minimum of
 *
 *     i/(i-1) e(ceil o) + e(i)   and   o/(o-1) e(i) + e(ceil o),
 *
 * e being sampled_renyi_at.
 *
 * requires  order >= 2, whole
 * fails     DOSI_EUNABLE if that takes more than 2^25 terms, DOSI_ENOMEM
 * source    S000-6.7.replace
 */
dosi_status sampled_renyi_replace(ball *out, ball rate, double order,
    renyi_curve curve, const void *context, dosi_error *err);

#endif
