/*
 * Choosing cuts, tilts and steps for spectral_jumps.c. Nothing here is
 * certified: every choice gives valid bounds.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_STEER_H
#define DOSI_REPR_SPECTRAL_JUMPS_STEER_H

#include "spectral_jumps_line.h"
#include "spectral_jumps_plain.h"

/* From here on a record that was sampled stands out. */
#define JUMP_FAR_MU 2.9

/* Between two cuts; or all that is below the lowest cut, whose low and high
 * are the same. */
typedef struct jump_class {
    bool is_bulk;
    double low[JUMP_PARTS], high[JUMP_PARTS]; /* cuts, in taus */
    double alpha[JUMP_PARTS]; /* turns of the decay bound */
    double multiple; /* of u at which that of the bulk is taken */
    bool is_moved;   /* that of the bulk is by moved lines */
    double t, step, n_outer;
    double right, left; /* Chernoff shifts for the aliases; left ones are known
                           but for a bound where that is more than t */
    double left_from[JUMP_PARTS]; /* then, where records are added: what is left
                                     of it counts by its mass, in taus */
    double saddle, log_spread; /* of its law there */
    double log_size; /* roughly log of what it adds to delta */
    double excess;   /* nats of its terms above delta: digits that are lost */
} jump_class;

typedef struct jump_choice {
    double epsilon, log_delta;
    double log_goal; /* of what is left out */
    double unit; /* epsilon, or the loss deviates by as much */
    size_t n_parts; /* that are sampled */
    jump_part parts[JUMP_PARTS];
    jump_plain plain; /* what is not */
    double from[JUMP_PARTS]; /* the first nodes, in taus */
    double top[JUMP_PARTS];  /* the highest cuts */
    bool ends[JUMP_PARTS];   /* nothing matters above it by its mass alone */
    double left[JUMP_PARTS]; /* places, in taus, left of which what lies above
                                counts by its mass, where records are added */
    double top_shift; /* a > 1 of what lies above others and yet below epsilon,
                         or 0 */
    size_t n;
    jump_class classes[JUMP_CLASSES]; /* from the top down */
    double bulk_shift; /* Chernoff's exponent for what is below all cuts */
    bool is_far;       /* all that was sampled is in one class */
    double cost;       /* pairs of nodes, roughly */
} jump_choice;

/* Whether records are added in some part. */
bool jump_has_added(const jump_choice *c);

/* What is left out is that many nats below delta, or as many as are useful
 * where that is 0. False where there is none, or without memory. The second
 * takes classes alone, and nothing below all cuts on one contour; the third
 * without steps and nodes. */
bool jump_choose(jump_choice *out, const spectral_parts *parts,
    double epsilon, double log_delta, double nats, bool *no_memory);
bool jump_choose_classes(jump_choice *out, const spectral_parts *parts,
    double epsilon, double log_delta, double nats, bool *no_memory);

bool jump_choose_roughly(jump_choice *out, const spectral_parts *parts,
    double epsilon, double log_delta, double nats, bool *no_memory);

/* ---- Roughly: spectral_jumps_estimate.c --------------------------------- */

/* Where delta is e^log_delta, from a guess on. */
double jump_estimate_epsilon(const spectral_parts *parts, double epsilon,
    double log_delta, bool *no_memory);

/* log delta, but for single jumps. */
double jump_estimate_log_delta(
    const spectral_parts *parts, double epsilon, bool *no_memory);

#endif
