/*
 * A class in the making: internal to spectral_jumps_class.c, which fills its
 * contour, and spectral_jumps_outside.c, which bounds what that leaves out.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_BUILD_H
#define DOSI_REPR_SPECTRAL_JUMPS_BUILD_H

#include "spectral_contour.h"
#include "spectral_jumps_moved.h"
#include "spectral_jumps_steer.h"

/* Of one part: S = B + V with the bulk B below a cut of its own, whose losses
 * turn slowly, and V from there on. All are over e^scale, near S(t) + W(t). */
typedef struct class_part {
    double count;
    jump_law below, bulk, under, jump; /* S, B, V, W */
    jump_line whole; /* without cuts: for left aliases, and how all that is
                        below them decays */
    spectral_part nodes; /* of B, as a holder of nodes, of count 1; centred */
    ball log_sum;        /* of B at t, on the nodes */
    double scale;
    disc share; /* of B at t in e^scale */
    jump_moved moved_v, moved_w;
    ball drift; /* what V and W are centred by, less the mean of B */
} class_part;

typedef struct jump_builder {
    const jump_choice *choice;
    const jump_class *k;
    class_part parts[JUMP_PARTS];
    size_t n;
} jump_builder;

/* Sets what the contour leaves out, and its aliases. */
void jump_bound_outside(spectral_contour *c, const jump_builder *b);

#endif
