/*
 * Exponential and logarithm of intervals: evaluated at the ends; the value of
 * the C library is moved ELEM_ULPS steps outward, but never past a value that
 * the function cannot pass.
 */
#include "elem.h"

static double elem_below(double y)
{
    return isnan(y) ? -HUGE_VAL : round_steps(y, -ELEM_ULPS);
}

static double elem_above(double y)
{
    return isnan(y) ? HUGE_VAL : round_steps(y, ELEM_ULPS);
}

/* Encloses f(x) at one point, where floor <= f(x) <= ceiling is known. */
static dosi_interval elem_at(
    double (*f)(double), double x, double floor, double ceiling)
{
    double y = f(x);
    return (dosi_interval){
        fmax(elem_below(y), floor), fmin(elem_above(y), ceiling)};
}

static dosi_interval exp_at(double x)
{
    if (x == 0)
        return iv_point(1);
    if (isinf(x)) /* the limits */
        return iv_point(x > 0 ? HUGE_VAL : 0);
    return x > 0 ? elem_at(exp, x, 1, HUGE_VAL) : elem_at(exp, x, 0, 1);
}

static dosi_interval log_at(double x)
{
    if (x == 1)
        return iv_point(0);
    if (x == 0)
        return iv_point(-HUGE_VAL);
    if (x == HUGE_VAL)
        return iv_point(x);
    return x > 1 ? elem_at(log, x, 0, HUGE_VAL) : elem_at(log, x, -HUGE_VAL, 0);
}

static dosi_interval elem_increasing(
    dosi_interval (*at)(double), dosi_interval x)
{
    dosi_interval low = at(x.lo);
    return x.lo == x.hi ? low : (dosi_interval){low.lo, at(x.hi).hi};
}

dosi_interval iv_exp(dosi_interval x)
{
    return elem_increasing(exp_at, x);
}

dosi_interval iv_log(dosi_interval x)
{
    return x.lo >= 0 ? elem_increasing(log_at, x) : iv_unknown();
}
