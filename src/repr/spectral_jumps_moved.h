/*
 * W of a class on a moved line: see spectral_jumps_moved.c.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_MOVED_H
#define DOSI_REPR_SPECTRAL_JUMPS_MOVED_H

#include "spectral_far.h"
#include "spectral_jumps_line.h"

/* Nodes of a tau, for the rule to be good. */
#define JUMP_MOVED_PER 4

/* Taus are at most this in y, so that the line may be moved twice as far. */
#define JUMP_MOVED_TAU 0.7

/* The farther edge of the rule, in taus. */
#define JUMP_MOVED_EDGE 4

typedef struct jump_moved {
    spectral_far far; /* its error is that of W over e^scale, at all u */
    double least;     /* for spectral_far_sums */
} jump_moved;

/* W(t + iu) e^{-iu log(1-q)} / e^scale at multiples of step, and what is below
 * another cut with it, unless left is NULL; nodes so many nats below the
 * greatest are left out. False without memory. out is all 0 before;
 * far.storage is to be freed. */
bool jump_moved_make(jump_moved *out, const jump_law *own,
    const jump_law *left, double t, double step, double scale, double depth);

#endif
