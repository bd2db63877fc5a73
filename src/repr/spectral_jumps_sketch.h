/*
 * A choice in the making: internal to the files that steer spectral_jumps.c.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_SKETCH_H
#define DOSI_REPR_SPECTRAL_JUMPS_SKETCH_H

#include "spectral_jumps_steer.h"

#define JUMP_ROOM 3    /* nats above delta that a class may start from */

/* Of the class of all that was sampled: the loss of its lower cut, at most, and
 * its share of epsilon. */
#define JUMP_FAR_LOSS 4
#define JUMP_FAR_SHARE 0.25

/* The lines of all parts, and the class at hand. */
typedef struct jump_sketch {
    jump_choice *out;
    double nats; /* below delta that are aimed at, or 0 */
    jump_line whole[JUMP_PARTS];
    jump_law below[JUMP_PARTS], between[JUMP_PARTS]; /* a node a tau */
    bool is_far;   /* what was sampled stands out, in some part */
    bool is_whole; /* all that is below the cuts, and nothing between */
    bool no_memory;
} jump_sketch;

/* Parts, their taus and lines, for an epsilon and a delta; false where there
 * are none, or without memory. */
bool jump_sketch_lay(jump_sketch *s, const spectral_parts *parts);
void jump_sketch_free(jump_sketch *s);

/* Whether a record that was sampled stands out: its jump is one of a few. */
bool jump_is_far(const jump_choice *c, const jump_part *p);

/* The lowest cuts above which nothing that matters ends below epsilon, or
 * nothing matters; false where there are none. */
bool jump_sketch_top(jump_sketch *s);

/* F(t) = log D(t) - t eps - log t - log(1 + t), convex, and its slope. */
double jump_sketch_height(const jump_sketch *s, double t, double *slope);

/* Near the least of F, from *t on; its value. */
double jump_sketch_lowest(const jump_sketch *s, double *t);

/* log of sqrt(2 pi) times the deviation at a saddle. */
double jump_sketch_log_spread(const jump_sketch *s, double tilt);

/* log of Chernoff's bound for what is below all cuts. */
double jump_sketch_log_bulk(const jump_sketch *s, double v);

/* Tilt, step and nodes from the saddle; no nodes where Chernoff's bound is
 * enough. False when there would be too many. */
bool jump_sketch_step(jump_sketch *s, jump_class *k);

/* A step of 24 bits for a period. */
double jump_sketch_short(double period);

/* How long a period has to be, so that right aliases, or what is not known of
 * left ones, do not matter; k->right or k->left receives the shift that says
 * so, from a first one on. */
double jump_right_period(const jump_sketch *s, jump_class *k, double first);
double jump_left_period(const jump_sketch *s, jump_class *k);

/* The same where nothing is known of left aliases; and where records are added,
 * with places for what is far below: spectral_jumps_left.c. */
double jump_plain_left_period(const jump_sketch *s, jump_class *k);
double jump_known_left_period(
    const jump_sketch *s, const jump_line *whole, jump_class *k);

/* log E_Q[w^(1-a)] on nodes a tau, but for what sums over cells add to it that
 * are so many to a tau. */
double jump_sketch_moment(const jump_line *line, double a, double per);

/* Of all losses, roughly. */
double jump_sketch_variance(const jump_choice *c);

/* log of 1 - s_c, z taus left of its cut: half a whole number. */
double jump_sketch_mark(double z);

/* ---- Decay: spectral_jumps_turned.c -------------------------------------- */

/* W, or S with what its cut grows by, on a line that is turned by alpha: |.|
 * at u is about the sum of e^(a - ub). */
typedef struct jump_turned {
    size_t n;
    double *a, *b;
} jump_turned;

/* False without memory; what is all 0 may be laid and freed. */
bool jump_turned_lay(
    jump_turned *out, const jump_law *own, double t, double alpha);
double jump_turned_log(const jump_turned *own, double u);
void jump_turned_free(jump_turned *own);

/* ---- All that is below the cuts: spectral_jumps_bulk.c ------------------ */

/* A contour for it, with the cuts k->high and a tilt to begin with; false when
 * it would be long, or lose too many digits. */
bool jump_sketch_whole(jump_sketch *s, jump_class *k, double tilt);

#endif
