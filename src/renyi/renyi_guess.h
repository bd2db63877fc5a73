/*
 * Rényi curves in plain doubles. They steer the choice of an order, at which a
 * certified curve is then evaluated; nothing here is a bound.
 */
#ifndef DOSI_RENYI_RENYI_GUESS_H
#define DOSI_RENYI_RENYI_GUESS_H

#include "sampling/poisson_gaussian.h"

double renyi_laplace_approx(double order, double eps);
double renyi_rr_approx(double order, double eps, double categories);

/* The curves on a Poisson sample, and log(E X^s - 1) for X = 1 - rate +
 * rate e^(mu Y - mu^2/2), Y normal, s > 1 or s < 0. About 30 nodes for
 * Gaussian noise, 64 for Laplace noise, 2 atoms for responses. */
double sampled_gaussian_renyi_approx(
    sampled_side side, double rate, double mu, double order);
double sampled_log_excess_approx(double rate, double mu, double s);
double sampled_laplace_renyi_approx(
    sampled_side side, double rate, double a, double order);
double sampled_rr_renyi_approx(sampled_side side, double rate, double eps,
    double categories, double order);

#endif
