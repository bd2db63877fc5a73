/*
 * The bound as a function of u has one valley where the curve is that of a
 * law; bounds that take each other's place leave kinks, and a curve may end
 * at a cliff.
 */
#include "steer_order.h"

#include <math.h>

#include "num/minimum.h"

#define TOLERANCE 1e-9 /* in u; flat valleys end before */

double steer_bound(const steer_problem *p, double u, double log_cumulant)
{
    double t = exp2(u), log_order = log1p(t), at = p->argument;
    double cumulant = exp(log_cumulant), gain = log(t) - log_order;
    double value = p->for_epsilon
                       ? (cumulant - at - log_order) / t + gain
                       : cumulant + t * (gain - at) - log_order;
    return isnan(value) ? HUGE_VAL : value;
}

static double greatest(const steer_problem *p)
{
    return fmax(log2(p->most - 1), p->lowest + 1);
}

static double asked_bound(double u, const void *context)
{
    const steer_problem *p = context;
    return steer_bound(p, u, p->log_cumulant(u, p->context));
}

steer_result steer_order(const steer_problem *p, double start, double first)
{
    double high = greatest(p);
    bool is_near = isfinite(start) && p->most > 2;
    double u = is_near ? fmin(fmax(start, p->lowest), high)
                       : p->lowest + 0.38 * (high - p->lowest);
    minimum_range range = {
        p->lowest, high, TOLERANCE, is_near ? first : 0};
    minimum_point found = minimum_near(asked_bound, p, range, u);
    return (steer_result){fmin(1 + exp2(found.x), p->most), found.value};
}
