/*
 * Taylor jets: the first coefficients of a function about a point as balls,
 *
 *     f(x + t) = c[0] + c[1] t + c[2] t^2 + ...,
 *
 * with the arithmetic that makes the jet of a formula from those of its parts.
 * Over a ball x every coefficient is enclosed at all of its points, so that the
 * last one bounds the remainder of a shorter series (Lagrange). The certified
 * quadrature below rests on that alone; no bound is derived by hand.
 */
#ifndef DOSI_SPECIAL_JET_H
#define DOSI_SPECIAL_JET_H

#include <stddef.h>

#include "num/ball.h"

/* Odd, so that the remainder has an even power. */
#define JET_TERMS 21

typedef struct jet {
    ball c[JET_TERMS];
} jet;

/*
 * The jet of a formula from those of its parts; each coefficient encloses that
 * of the result for all points of the arguments.
 *
 * cost      O(JET_TERMS) balls for line, add, sub and scale, else
 *           O(JET_TERMS^2)
 */
jet jet_line(ball value, ball slope); /* value + slope t */
jet jet_add(const jet *a, const jet *b);
jet jet_sub(const jet *a, const jet *b);
jet jet_add_ball(const jet *a, ball b);
jet jet_scale(const jet *a, ball factor);
jet jet_mul(const jet *a, const jet *b);
jet jet_exp(const jet *a);
jet jet_expm1(const jet *a); /* relative accuracy of c[0] near 0 */
jet jet_log1p(const jet *a); /* relative accuracy of c[0] near 0 */

/* Coefficient k >= 1 of F(a) from those of F'(a) below k. */
ball jet_chain(const jet *slope, const jet *a, int k);

/* F(a) from its value at a and the jet of F'(a). */
jet jet_primitive(ball value, const jet *slope, const jet *a);

/* The jet of an integrand at x; parameters in context. */
typedef jet (*jet_map)(ball x, const void *context);

typedef struct jet_quadrature {
    jet_map f;
    const void *context;
    double tolerance;  /* of a panel's remainder, relative to the sum */
    size_t max_panels; /* the integral is unknown if more are needed */
    double step;       /* first half width to try; > 0 */
} jet_quadrature;

/*
 * Encloses the integral of f over [from, to], with panels fitted on the way.
 * With the coefficients c of order k at the middle of a panel of half width h
 * and those over the whole panel in the ball C,
 *
 *     int = sum_{k even < n} 2 c_k h^(k+1)/(k+1) + 2 C_n h^(n+1)/(n+1),
 *
 * n = JET_TERMS - 1. present is the size of the sum that the caller adds the
 * result to: parts that are small relative to it need fewer digits.
 *
 * requires  from <= to, f >= 0 up to rounding; f analytic on the hull of both
 *           balls
 * cost      two evaluations of f for each panel, at most max_panels panels
 */
ball jet_integral(const jet_quadrature *q, ball from, ball to, double present);

#endif
