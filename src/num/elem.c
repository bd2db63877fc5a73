/*
 * Interval functions: monotone ones are evaluated at the ends, and what the
 * C library returns is moved ELEM_ULPS steps outward, but never past a value
 * that the function cannot pass.
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

/* ---- Exponential and logarithm ----------------------------------------- */

static dosi_interval exp_at(double x)
{
    if (x == 0)
        return iv_point(1);
    if (isinf(x)) /* the limits */
        return iv_point(x > 0 ? HUGE_VAL : 0);
    return x > 0 ? elem_at(exp, x, 1, HUGE_VAL) : elem_at(exp, x, 0, 1);
}

static dosi_interval expm1_at(double x)
{
    if (x == 0 || x == HUGE_VAL)
        return iv_point(x);
    if (x == -HUGE_VAL)
        return iv_point(-1);
    if (fabs(x) < 0x1p-54) /* x <= e^x - 1 <= x + x^2 */
        return (dosi_interval){x, round_up(x)};
    return x > 0 ? elem_at(expm1, x, x, HUGE_VAL) /* e^x - 1 >= x */
                 : elem_at(expm1, x, fmax(x, -1), 0);
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

static dosi_interval log1p_at(double x)
{
    if (x == 0 || x == HUGE_VAL)
        return iv_point(x);
    if (x == -1)
        return iv_point(-HUGE_VAL);
    if (fabs(x) < 0x1p-54) /* x - x^2 <= log(1 + x) <= x */
        return (dosi_interval){round_down(x), x};
    return x > 0 ? elem_at(log1p, x, 0, x) /* log(1 + x) <= x */
                 : elem_at(log1p, x, -HUGE_VAL, x);
}

/* ---- Hyperbolic functions ---------------------------------------------- */

static dosi_interval sinh_at(double x)
{
    if (x == 0 || isinf(x))
        return iv_point(x);
    return x > 0 ? elem_at(sinh, x, x, HUGE_VAL) /* sinh x >= x >= 0 */
                 : elem_at(sinh, x, -HUGE_VAL, x);
}

static dosi_interval cosh_at(double x)
{
    if (x == 0 || isinf(x))
        return iv_point(x == 0 ? 1 : HUGE_VAL);
    return elem_at(cosh, x, 1, HUGE_VAL);
}

static dosi_interval tanh_at(double x)
{
    if (x == 0)
        return iv_point(0);
    if (isinf(x))
        return iv_point(x > 0 ? 1 : -1);
    return x > 0 ? elem_at(tanh, x, 0, fmin(x, 1)) /* tanh x <= x */
                 : elem_at(tanh, x, fmax(x, -1), 0);
}

/* ---- Functions of an interval ------------------------------------------ */

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

dosi_interval iv_expm1(dosi_interval x)
{
    return elem_increasing(expm1_at, x);
}

dosi_interval iv_log(dosi_interval x)
{
    return x.lo >= 0 ? elem_increasing(log_at, x) : iv_unknown();
}

dosi_interval iv_log1p(dosi_interval x)
{
    return x.lo >= -1 ? elem_increasing(log1p_at, x) : iv_unknown();
}

dosi_interval iv_sinh(dosi_interval x)
{
    return elem_increasing(sinh_at, x);
}

dosi_interval iv_cosh(dosi_interval x)
{
    double least = x.lo > 0 ? x.lo : x.hi < 0 ? -x.hi : 0;
    double most = fmax(fabs(x.lo), fabs(x.hi));
    return elem_increasing(cosh_at, (dosi_interval){least, most});
}

dosi_interval iv_tanh(dosi_interval x)
{
    return elem_increasing(tanh_at, x);
}

/* sqrt is correctly rounded: one step, none when the square is exact. */
static dosi_interval sqrt_at(double x)
{
    double s = sqrt(x);
    if (s == 0 || isinf(s))
        return iv_point(s);
    if (x < 0x1p-900)
        return (dosi_interval){round_down(s), round_up(s)};
    double rest = fma(s, s, -x); /* exact, barring underflow */
    return (dosi_interval){
        rest > 0 ? round_down(s) : s, rest < 0 ? round_up(s) : s};
}

dosi_interval iv_sqrt(dosi_interval x)
{
    if (x.hi < 0)
        return iv_unknown();
    return elem_increasing(sqrt_at, (dosi_interval){fmax(x.lo, 0), x.hi});
}

/* ---- Sine and cosine --------------------------------------------------- */

static double minus_sin(double x)
{
    return -sin(x);
}

/* -1, 0, +1: the sign of f(x), 0 when ELEM_ULPS leave it open. */
static int elem_sign(double (*f)(double), double x)
{
    dosi_interval y = elem_at(f, x, -1, 1);
    return y.lo > 0 ? 1 : y.hi < 0 ? -1 : 0;
}

/*
 * A function with |f| <= 1 and extrema +-1 where its slope is 0, which is at
 * every distance pi and nowhere else. An interval of at most 3 holds at most
 * one: it does when the slope changes its sign. An end whose slope cannot be
 * told from 0 lies within 2^-30 of an extremum with its own sign, which is
 * taken in; any other is at least pi - 2^-30 > 3 away.
 */
static dosi_interval elem_wave(
    double (*f)(double), double (*slope)(double), dosi_interval x)
{
    if (!(x.lo >= -0x1p20 && x.hi <= 0x1p20 && x.hi - x.lo <= 3))
        return (dosi_interval){-1, 1};
    dosi_interval y = elem_at(f, x.lo, -1, 1);
    if (x.lo == x.hi)
        return y;
    dosi_interval z = elem_at(f, x.hi, -1, 1);
    int slope_lo = elem_sign(slope, x.lo), slope_hi = elem_sign(slope, x.hi);
    dosi_interval range = iv_hull(y, z);
    if (slope_lo == 0)
        range = iv_hull(range, iv_point(y.lo > 0 ? 1 : -1));
    if (slope_hi == 0)
        range = iv_hull(range, iv_point(z.lo > 0 ? 1 : -1));
    if (slope_lo * slope_hi < 0)
        range = iv_hull(range, iv_point(slope_lo)); /* up, then down: +1 */
    return range;
}

dosi_interval iv_sin(dosi_interval x)
{
    if (x.lo == 0 && x.hi == 0)
        return iv_point(0);
    return elem_wave(sin, cos, x);
}

dosi_interval iv_cos(dosi_interval x)
{
    if (x.lo == 0 && x.hi == 0)
        return iv_point(1);
    return elem_wave(cos, minus_sin, x);
}

/* ---- Compound functions ------------------------------------------------ */

static dosi_interval pow_at(double x, double y)
{
    double z = pow(x, y);
    if (x == 1 || y == 0)
        return iv_point(1);
    if (x == 0 || isinf(x) || isinf(y))
        return iv_point(z); /* the limits 0 and inf */
    /* x^y is on the same side of 1 as when y is 1, or as its inverse */
    return (x > 1) == (y > 0)
               ? (dosi_interval){fmax(elem_below(z), 1), elem_above(z)}
               : (dosi_interval){
                     fmax(elem_below(z), 0), fmin(elem_above(z), 1)};
}

dosi_interval iv_pow(dosi_interval x, dosi_interval y)
{
    if (!(x.lo >= 0))
        return iv_unknown();
    /* monotone in x and in y: the extremes are at corners */
    dosi_interval range = pow_at(x.lo, y.lo);
    if (y.lo != y.hi)
        range = iv_hull(range, pow_at(x.lo, y.hi));
    if (x.lo != x.hi) {
        range = iv_hull(range, pow_at(x.hi, y.lo));
        range = iv_hull(range, pow_at(x.hi, y.hi));
    }
    return range;
}

/* The two forms of log(1 - e^x) lose little on their side of -log 2. */
static dosi_interval log1mexp_at(double x)
{
    dosi_interval point = iv_point(x);
    if (x > -0x1p-54) { /* log(-x) + x <= log(1 - e^x) <= log(-x) */
        dosi_interval y = iv_log(iv_neg(point));
        return (dosi_interval){round_down(y.lo), y.hi};
    }
    return x > -0.69314718 ? iv_log(iv_neg(iv_expm1(point)))
                           : iv_log1p(iv_neg(iv_exp(point)));
}

dosi_interval iv_log1mexp(dosi_interval x)
{
    if (!(x.hi <= 0))
        return iv_unknown();
    /* decreasing: the lower end is at x.hi */
    dosi_interval low = log1mexp_at(x.hi);
    return x.lo == x.hi ? low : (dosi_interval){low.lo, log1mexp_at(x.lo).hi};
}
