/*
 * Positive numbers of any size: a ball times a power of two. Sums of terms like
 * C(n,k) p^k exp(k(k-1) r) do not overflow, and no term needs a logarithm.
 */
#ifndef DOSI_NUM_SCALED_H
#define DOSI_NUM_SCALED_H

#include "ball.h"

/* m 2^e. Products and sums keep m within 2^+-300. */
typedef struct scaled {
    ball m;
    int64_t e;
} scaled;

/*
 * Each encloses the result for all points of its arguments.
 *
 * width     relative, of sum, product and quotient that of balls; of
 *           scaled_exp at an exact x at most (1 + |x|) 2^-99
 */
scaled scaled_of(ball x);
scaled scaled_exp(ball x);   /* |x| < 2^60; +inf stays +inf */
scaled scaled_expm1(ball x); /* x >= 0 */
scaled scaled_mul(scaled a, scaled b);
scaled scaled_mul_ball(scaled a, ball b);
scaled scaled_div(scaled a, scaled b); /* b certainly > 0 */
scaled scaled_add(scaled a, scaled b);
ball scaled_ball(scaled a); /* unknown above the range of doubles */
ball scaled_log(scaled a);
ball scaled_log1p(scaled a); /* log(1 + a), a >= 0; relative accuracy */

#endif
