/*
 * Loss laws as tests write them.
 */
#ifndef DOSI_TESTS_SUPPORT_LOSS_LAWS_H
#define DOSI_TESTS_SUPPORT_LOSS_LAWS_H

#include "loss/loss_law.h"

static inline loss_law loss_of(
    loss_noise noise, double parameter, loss_map map, double rate, double k)
{
    return (loss_law){.noise = noise,
        .map = map,
        .parameter = ball_of(parameter),
        .rate = ball_of(rate),
        .count = k};
}

static inline loss_law loss_of_atoms(const finite_law *a, double k)
{
    return (loss_law){.noise = LOSS_FINITE,
        .parameter = ball_of(1),
        .finite = a,
        .rate = ball_of(1),
        .count = k};
}

#endif
