/*
 * Rows of balls: several balls of num/ball.h at once, for machines with wide
 * registers. Each holds
 *
 *     |x - (hi + lo)| <= rad,
 *
 * and a radius that is not a finite number means unknown, as ball_row_get
 * returns it. Error bounds: docs/theory/num.md, section 7.
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

/* A row of one ball. */
ball_row ball_row_of(ball x);

/*
 * Replace a by the sum, or the product.
 *
 * requires  finite balls
 */
void ball_row_add(ball_row *a, const ball_row *b);
void ball_row_mul(ball_row *a, const ball_row *b);

/* Replaces x by e^x: known for x <= 700 and radii up to 1/2, and at most
 * 2^-1008 below -700. */
void ball_row_exp(ball_row *x);

/* Replaces x by log(1 + x): known for 1 + x within [2^-900, 2^900] and radii up
 * to 2^-9 of that; relative accuracy near 0. */
void ball_row_log1p(ball_row *x);

#endif
