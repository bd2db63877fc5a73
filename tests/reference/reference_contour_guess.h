/*
 * Choosing the contour for a composed Poisson-sampled Gaussian, in plain
 * doubles. Nothing here is certified and nothing needs to be: every choice
 * gives valid bounds in contour.c, a poor one only costs width or time.
 */
#ifndef DOSI_TESTS_REFERENCE_REFERENCE_CONTOUR_GUESS_H
#define DOSI_TESTS_REFERENCE_REFERENCE_CONTOUR_GUESS_H

#include <stdbool.h>

/* One ordered pair: count steps of rate q and mu = sensitivity / sigma. */
typedef struct reference_contour_shape {
    double mu;
    double rate;
    double count;
    bool add; /* base against mixture; else mixture against base */
    double epsilon;
} reference_contour_shape;

typedef struct reference_contour_choice {
    double t;           /* the contour is Re z = t > 0 */
    double step;        /* D, between outer nodes */
    double n_outer;     /* N, outer nodes beyond the real one */
    double alias_right; /* Chernoff shifts for the two alias sums */
    double alias_left;
    double alpha;        /* rotation of the truncation bound */
    double h;            /* inner step, a short dyadic number */
    double first, last;  /* inner nodes are i h, first <= i <= last */
    double strip;        /* beta of the inner quadrature bound */
    double strip_alpha;  /* beta of the truncation bound's quadrature */
    double log_estimate; /* saddle-point guess at log delta */
} reference_contour_choice;

/*
 * Chooses for a wanted relative error tolerance (say 2^-56). Returns false
 * when the contour would need more than 4e6 pairs of outer and inner nodes
 * (about half a second), or when no saddle was found.
 */
bool reference_contour_steer(reference_contour_choice *out,
    const reference_contour_shape *shape, double tolerance);

/* The saddle-point guess at log delta alone, for starting an inversion. */
double reference_contour_guess(const reference_contour_shape *shape);

#endif
