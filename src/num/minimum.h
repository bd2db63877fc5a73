/*
 * Minima of functions with one valley, in plain doubles. They steer, and
 * certify nothing.
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
 * Where f is least: from x on in steps that double, until the valley is
 * between two of them, then by Brent's method. Where f is +inf on the right
 * it goes to the left.
 *
 * requires  low <= x <= high
 */
minimum_point minimum_near(
    minimum_function f, const void *context, minimum_range range, double x);

#endif
