/*
 * Rényi curves in plain doubles. They steer the choice of an order, at which
 * a certified curve is then asked; nothing here is a bound.
 */
#ifndef DOSI_REPR_RENYI_APPROX_H
#define DOSI_REPR_RENYI_APPROX_H

#include "sampled_gaussian.h"

double renyi_laplace_approx(double order, double eps);
double renyi_rr_approx(double order, double eps, double categories);

/* Some 60 nodes. */
double sampled_gaussian_renyi_approx(
    sampled_side side, double rate, double mu, double order);

#endif
