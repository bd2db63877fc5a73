/*
 * Loss laws for the tests of the grid.
 */
#ifndef DOSI_TESTS_GRID_LOSSES_H
#define DOSI_TESTS_GRID_LOSSES_H

#include "repr/grid_law.h"

static inline loss loss_of(
    loss_noise noise, double parameter, loss_map map, double rate, double k)
{
    return (loss){.noise = noise,
        .map = map,
        .parameter = ball_of(parameter),
        .rate = ball_of(rate),
        .count = k};
}

static inline loss loss_of_atoms(const atoms *a, double k)
{
    return (loss){.noise = LOSS_FINITE,
        .parameter = ball_of(1),
        .finite = a,
        .rate = ball_of(1),
        .count = k};
}

/* sum of masses (1 - e^(eps - loss))_+, plainly. */
static inline double lattice_delta(
    const grid_law *g, const double *mass, double inf, double h, double eps)
{
    double sum = inf;
    for (size_t i = 0; i < g->n; i++) {
        double at = g->offset.hi + h * ((double)g->first + (double)i);
        if (at > eps)
            sum -= mass[i] * expm1(eps - at);
    }
    return sum;
}

#endif
