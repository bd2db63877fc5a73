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

#define STEP 0.5
#define REACH 8.0
#define MAX_POINTS 4096.0

/* log E (1 + x)^s by its largest terms, for values beyond the range. */
static double log_power_mean(
    double rate, double mu, double s, double low, double high)
{
    double most = -HUGE_VAL, sum = 0;
    int n = (int)((2 * REACH) / STEP);
    for (int i = 0; i <= n; i++) { /* counts, because low may swallow STEP */
        double y = low + (high - low) * i / n;
        double ratio = mu * y - mu * mu / 2;
        double log_mix = ratio > 30 ? ratio + log(rate + (1 - rate) *
                                                             exp(-ratio))
                                    : log1p(rate * expm1(ratio));
        double term = s * log_mix - y * y / 2;
        if (term > most) {
            sum = sum * exp(most - term) + 1;
            most = term;
        } else {
            sum += exp(term - most);
        }
    }
    return most + log(sum * STEP * 0.3989422804014327);
}

double sampled_gaussian_renyi_approx(
    sampled_side side, double rate, double mu, double order)
{
    bool mixture = side == SAMPLED_MIXTURE_FIRST;
    double s = mixture ? order : 1 - order;
    double top = mixture ? mu * order : 0; /* a second bump */
    double t = order - 1, value;
    if (mixture && mu * mu * order * t / 2 > LARGE) {
        double k = log_power_mean(rate, mu, s, top - REACH, top + REACH);
        /* the first bump is at most 1 */
        value = fmax(k, 0) + log1p(exp(-fabs(k)));
        return value / t;
    }
    double sum = 0, range = top + 2 * REACH;
    int n = (int)fmin(ceil(range / STEP), MAX_POINTS);
    for (int i = 0; i <= n; i++) {
        double y = -REACH + range * i / n;
        double x = rate * expm1(mu * y - mu * mu / 2);
        sum += excess_power(x, s) * exp(-y * y / 2);
    }
    value = log1p(sum * range / n * 0.3989422804014327);
    return value / t;
}
