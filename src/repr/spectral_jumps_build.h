/*
 * A class in the making: internal to spectral_jumps_class.c, which makes its
 * nodes, spectral_jumps_fill.c, which fills its contour, and
 * spectral_jumps_outside.c, which bounds what that leaves out.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_BUILD_H
#define DOSI_REPR_SPECTRAL_JUMPS_BUILD_H

#include "spectral_contour.h"
#include "spectral_jumps_quick.h"
#include "spectral_jumps_moved.h"
#include "spectral_jumps_steer.h"

/* Turns at the nodes of a row: e^(ix) at multiples of x. */
typedef struct jump_turns {
    disc start, leap; /* at the row's first node; from there to the next's */
    jump_row table;
} jump_turns;

/* Of one part: S = B + V with the bulk B below a cut of its own, whose losses
 * turn slowly, and V from there on. All are over e^scale, near S(t) + W(t). */
typedef struct class_part {
    double count;
    jump_law below, bulk, under, jump; /* S, B, V, W */
    bool has_left; /* B has a cut to the left as well: what is below that */
    jump_law left; /* is on the moved line with V */
    jump_line whole; /* without cuts: for left aliases, and how all that is
                        below them decays */
    spectral_part nodes; /* of B, as a holder of nodes, of count 1; centred */
    ball log_sum;        /* of B at t, on the nodes */
    double scale;
    disc share; /* of B at t in e^scale */
    jump_moved moved_v, moved_w;
    phase_rows rows;  /* of the nodes of B */
    jump_turns turns; /* by what V and W are centred by, less the mean of B */
} class_part;

typedef struct jump_builder {
    const jump_choice *choice;
    const jump_class *k;
    class_part parts[JUMP_PARTS];
    size_t n;
} jump_builder;

/* Of multiples of the angle. */
void jump_turns_make(jump_turns *t, ball angle);

/* All terms; false when it was stopped. */
bool jump_fill(spectral_contour *c, jump_builder *b, work_limits *limits);

/* Sets what the contour leaves out, and its aliases. */
void jump_bound_outside(spectral_contour *c, const jump_builder *b);

#endif
