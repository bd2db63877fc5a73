/*
 * Roots as balls by one interval Newton step from a good guess. If f' keeps
 * its sign on X and  N = x0 - f(x0) / f'(X)  lies in X, then f has exactly
 * one root in X, and N contains it.
 */
#ifndef DOSI_NUM_NEWTON_H
#define DOSI_NUM_NEWTON_H

#include "ball.h"

/* f, or its derivative, enclosed over the ball x; parameters in context. */
typedef ball (*newton_map)(ball x, const void *context);

/*
 * Encloses the root near guess; unknown if it cannot be certified, because of a
 * poor guess or parameters too wide for the step.
 *
 * slope_guess is an estimate of f' there, which affects the cost only; the
 * search ends at a radius of relative_radius times the root. Parameters inside
 * context may be balls: then every root they allow is enclosed.
 *
 * cost      at most 4 evaluations of f and 8 of its derivative
 */
ball newton_root(newton_map f, newton_map slope, const void *context,
    double guess, double slope_guess, double relative_radius);

/* Encloses the root of an increasing f that is known to lie in [lo, hi]: by
 * newton_root from a guess, and if that fails by signs (bracket.h). */
ball newton_root_in(newton_map f, newton_map slope, const void *context,
    double lo, double hi, double relative_radius);

#endif
