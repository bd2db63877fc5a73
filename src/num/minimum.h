/*
 * Minima of unimodal functions in plain doubles, without a guarantee.
 */
#ifndef DOSI_NUM_MINIMUM_H
#define DOSI_NUM_MINIMUM_H

/* Any double; NaN counts as +inf. */
typedef double (*minimum_function)(double x, const void *context);

typedef struct minimum_range {
    double low, high;
    double tolerance; /* of x */
    double first;     /* step away from the start; 0: the whole range */
} minimum_range;

typedef struct minimum_point {
    double x, value;
} minimum_point;

/*
 * Finds the minimum of f: from x on in steps that double until the minimum is
 * between two of them, then by Brent's method. If f is +inf to the right the
 * search goes to the left.
 *
 * requires  low <= x <= high
 */
minimum_point minimum_near(
    minimum_function f, const void *context, minimum_range range, double x);

#endif
