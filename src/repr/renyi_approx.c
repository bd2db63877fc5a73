#include "renyi_approx.h"

#include <math.h>
#include <stdbool.h>

/* Below this the second order of a curve is enough. */
#define SMALL 1e-4
#define LARGE 600.0

double renyi_laplace_approx(double order, double eps)
{
    double t = order - 1, u = t * eps;
    if (order * eps < SMALL)
        return order * eps * eps / 2;
    if (u > LARGE)
        return eps + log(order / (order + t)) / t;
    double sum = order * expm1(u) + t * expm1(-order * eps);
    return log1p(sum / (order + t)) / t;
}

double renyi_rr_approx(double order, double eps, double categories)
{
    double t = order - 1, u = order * eps;
    double log_q = -log(exp(fmin(eps, LARGE)) + categories - 1);
    if (u < SMALL)
        return order * eps * eps * exp(log_q);
    if (u > LARGE)
        return (u + fmin(log_q, -eps)) / t;
    double sum = expm1(u) + expm1(-t * eps) - expm1(eps);
    return log1p(sum * exp(log_q)) / t;
}

/* (1 + x)^s - 1 - s x, with x = rate (ratio - 1) > -1. */
static double excess_power(double x, double s)
{
    if (fabs(x) * (fabs(s) + 1) < SMALL)
        return s * (s - 1) / 2 * x * x;
    return expm1(s * log1p(x)) - s * x;
}

/* Nodes on one side of a bump, and how far they are apart. */
#define NODES 16
#define STEP 0.5
#define DENSITY 0.3989422804014327 /* 1/sqrt(2 pi) */

/* Beyond this mu the two laws hardly overlap. */
#define MAX_MU 16.0
#define MAX_POINTS 4096.0

/* log of the mixture's ratio at y. */
static double log_ratio(double rate, double mu, double y)
{
    double ratio = mu * y - mu * mu / 2;
    return ratio > 30 ? ratio + log(rate + (1 - rate) * exp(-ratio))
                      : log1p(rate * expm1(ratio));
}

/* A bump of (1 + x)^s e^(-y^2/2): y = s mu w(y), w being the share of the
 * second law; from below or above. */
static double bump(double rate, double mu, double s, double y)
{
    for (int i = 0; i < 40; i++) {
        double log_share = log(rate) + mu * y - mu * mu / 2 -
                           log_ratio(rate, mu, y);
        y = s * mu * exp(fmin(log_share, 0));
    }
    return y;
}

/* log E (1 + x)^s around a bump. */
static double log_power_mean(double rate, double mu, double s, double centre)
{
    double most = -HUGE_VAL, sum = 0;
    for (int i = -NODES; i <= NODES; i++) {
        double y = centre + STEP * i;
        double term = s * log_ratio(rate, mu, y) - y * y / 2;
        if (term > most) {
            sum = sum * exp(most - term) + 1;
            most = term;
        } else {
            sum += exp(term - most);
        }
    }
    return most + log(sum * STEP * DENSITY);
}

/* log E (1 + x)^s from what lies below top, without losing a small one. */
static double log_excess_mean(double rate, double mu, double s, double top)
{
    int last = NODES + (int)ceil(top / STEP);
    double sum = 0;
    for (int i = -NODES; i <= last; i++) {
        double y = STEP * i, x = rate * expm1(mu * y - mu * mu / 2);
        sum += excess_power(x, s) * exp(-y * y / 2);
    }
    return log1p(sum * STEP * DENSITY);
}

/* log(e^a + e^b) */
static double log_sum(double a, double b)
{
    return fmax(a, b) + log1p(exp(-fabs(a - b)));
}

/* The same with the mixture first, where e^600 and more may occur. */
static double log_large_mean(double rate, double mu, double s)
{
    double low = bump(rate, mu, s, 0), high = bump(rate, mu, s, mu * s);
    double a = mu < 2 && s * log_ratio(rate, mu, low) < LARGE / 2
                   ? log_excess_mean(rate, mu, s, fmax(low, mu))
                   : HUGE_VAL;
    if (!(a < HUGE_VAL))
        a = log_power_mean(rate, mu, s, low);
    if (!(high - low > NODES * STEP))
        return a;
    return log_sum(a, log_power_mean(rate, mu, s, high));
}

double sampled_gaussian_renyi_approx(
    sampled_side side, double rate, double mu, double order)
{
    bool mixture = side == SAMPLED_MIXTURE_FIRST;
    double t = order - 1, rho = mu * mu / 2;
    if (!(mu < MAX_MU))
        return mixture ? fmax(log_sum(order * log1p(-rate),
                                  order * log(rate) + rho * order * t),
                             0) / t
                       : -log1p(-rate);
    if (!mixture)
        return log_excess_mean(rate, mu, -t, mu) / t;
    if (rho * order * t > LARGE)
        return log_large_mean(rate, mu, order) / t;
    return log_excess_mean(rate, mu, order, mu * order) / t;
}
