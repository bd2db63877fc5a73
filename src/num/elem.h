/*
 * Elementary functions on intervals of doubles, over the C library, for the
 * places where a few units in the last place do not matter. Where rounding
 * would be amplified, use balls (num/ball.h), which trust no library.
 *
 * One allowance holds for all: the library's exp, expm1, log, log1p, pow,
 * sin, cos, sinh, cosh and tanh return one of the ELEM_ULPS doubles next to
 * the exact value on either side. The property test prop_elem measures it
 * against Arb; glibc stays below 2. sqrt is correctly rounded.
 *
 * Every function encloses f(x) for all x of the interval in the domain of f;
 * values known exactly, such as exp(0), are not widened. An infinite end
 * stands for the limit, e.g. log 0 = -inf. Where f is not defined on all of
 * the interval the answer is unknown, [-inf, inf], unless said otherwise.
 */
#ifndef DOSI_NUM_ELEM_H
#define DOSI_NUM_ELEM_H

#include "interval.h"

#define ELEM_ULPS 4

dosi_interval iv_exp(dosi_interval x);
dosi_interval iv_expm1(dosi_interval x);
dosi_interval iv_log(dosi_interval x);   /* x >= 0 */
dosi_interval iv_log1p(dosi_interval x); /* x >= -1 */
dosi_interval iv_sinh(dosi_interval x);
dosi_interval iv_cosh(dosi_interval x);
dosi_interval iv_tanh(dosi_interval x);

/* The negative part of x is taken as 0; unknown when nothing else is left. */
dosi_interval iv_sqrt(dosi_interval x);

/* [-1, 1] beyond |x| = 2^20 and for intervals longer than 3. */
dosi_interval iv_sin(dosi_interval x);
dosi_interval iv_cos(dosi_interval x);

/* x^y for x >= 0, with 0^0 = 1. */
dosi_interval iv_pow(dosi_interval x, dosi_interval y);

/*
 * log(1 - exp(x)).
 *
 * requires  x <= 0, else unknown
 * width     at most 8 ELEM_ULPS steps for a point
 */
dosi_interval iv_log1mexp(dosi_interval x);

#endif
