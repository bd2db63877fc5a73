/*
 * Roots of monotone functions with certified ends: a guess in doubles, then a
 * bracket closed by signs that are certain.
 */
#ifndef DOSI_NUM_BRACKET_H
#define DOSI_NUM_BRACKET_H

#include "ball.h"

/* The sign of an increasing function at x: -1 certainly negative, +1 certainly
 * positive, 0 uncertain. */
typedef int (*bracket_sign)(double x, const void *context);

/* The sign of a ball: -1, 0, +1. */
static inline int bracket_sign_of(ball value)
{
    return ball_is_positive(value) ? 1 : ball_is_negative(value) ? -1 : 0;
}

/*
 * Encloses the root of an increasing function known to lie in [lo, hi]. Each
 * end of the result is an end of [lo, hi] or a point with a certain sign.
 *
 * requires  lo <= hi; guess may be any number or NaN: it affects the cost only
 * cost      about three evaluations with a guess one unit off
 */
dosi_interval bracket_root(bracket_sign sign, const void *context, double lo,
    double hi, double guess);

/* An increasing function, enclosed over the ball x. */
typedef ball (*bracket_map)(ball x, const void *context);

/* Encloses the root of f, known to lie in [lo, hi]: guessed by the midpoints of
 * its balls, closed by their signs. */
dosi_interval bracket_root_of(
    bracket_map f, const void *context, double lo, double hi);

/* A guess at that root, without a guarantee. */
double bracket_guess(bracket_map f, const void *context, double lo, double hi);

/* A guess at the root in [lo, hi] of an increasing function of doubles, by
 * secant steps safeguarded by bisection; no guarantee. */
double bracket_approx(double (*f)(double x, const void *context),
    const void *context, double lo, double hi);

/* A guess at the root in [a, b] if the values at its ends are known (0:
 * unknown); no guarantee. */
double bracket_approx_from(double (*f)(double x, const void *context),
    const void *context, double a, double fa, double b, double fb);

#endif
