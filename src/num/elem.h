/*
 * The exponential and the logarithm on intervals of doubles, by the C library,
 * if a few units in the last place do not matter. If rounding would be
 * amplified, use balls (num/ball.h), which trust no library.
 *
 * One allowance holds for all: the library's exp, expm1, log, log1p, pow, sin,
 * cos, sinh, cosh and tanh return one of the ELEM_ULPS doubles next to the
 * exact value on either side. The property test prop_elem measures it against
 * Arb; glibc stays below 2.
 *
 * Both enclose f(x) for all x of the interval in the domain of f; values known
 * exactly, such as exp(0), are not widened. An infinite end stands for the
 * limit, e.g. log 0 = -inf. If f is not defined on all of the interval the
 * answer is unknown, [-inf, inf].
 */
#ifndef DOSI_NUM_ELEM_H
#define DOSI_NUM_ELEM_H

#include "interval.h"

#define ELEM_ULPS 4

/* Enclose e^x, and log x; [-inf, inf] if log is not defined on all of x.
 *
 * width  at most 2 ELEM_ULPS steps at a point */
dosi_interval iv_exp(dosi_interval x);
dosi_interval iv_log(dosi_interval x); /* x >= 0 */

#endif
