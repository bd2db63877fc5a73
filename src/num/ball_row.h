/*
 * Rows of balls: the same as num/ball.h, several at once for machines with
 * wide registers. Each holds
 *
 *     |x - (hi + lo)| <= rad,
 *
 * where a radius that is no finite number says that nothing is known: so
 * ball_row_get has it. Error bounds: docs/theory/num.md, section 7.
 */
#ifndef DOSI_NUM_BALL_ROW_H
#define DOSI_NUM_BALL_ROW_H

#include "ball.h"

#define BALL_ROW 8

typedef struct ball_row {
    double hi[BALL_ROW], lo[BALL_ROW], rad[BALL_ROW];
} ball_row;

static inline void ball_row_put(ball_row *x, int i, ball one)
{
    x->hi[i] = one.hi;
    x->lo[i] = one.lo;
    x->rad[i] = one.rad;
}

static inline ball ball_row_get(const ball_row *x, int i)
{
    return ball_from((dd){x->hi[i], x->lo[i]}, x->rad[i]);
}

/* One ball in all places. */
ball_row ball_row_of(ball x);

/* Sums and products, of finite balls; in place of the first. */
void ball_row_add(ball_row *a, const ball_row *b);
void ball_row_mul(ball_row *a, const ball_row *b);

/* e^x, known for x <= 700 and radii up to 1/2, 0 but for 2^-1008 below -700; in
 * place. */
void ball_row_exp(ball_row *x);

/* log(1 + x), known for 1 + x within [2^-900, 2^900] and radii up to 2^-9 of
 * that; relative accuracy near 0; in place. */
void ball_row_log1p(ball_row *x);

#endif
