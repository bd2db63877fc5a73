/*
 * Strips around the nodes of a class, up to whose edges integrands are known.
 * Internal to the files that bound them.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_STRIP_H
#define DOSI_REPR_SPECTRAL_JUMPS_STRIP_H

#include "spectral_jumps_line.h"

#define JUMP_SAFE 1e-6 /* more than a few operations on logarithms err by */

/* Cells left of the nodes, where records are added: their length in x, and
 * where they end. */
#define JUMP_LEFT_CELL 0.5
#define JUMP_LEFT_END 30

/* Height eta of an edge: eta0 where the ratio r is at most r0, eta0 r0/r
 * beyond. It falls with x, and its slope is at most mu eta. */
typedef struct jump_strip {
    double p, outer;
    double eta0, r0;
    double turned; /* by how much lines are turned already, in y */
} jump_strip;

/* log(e^(2 pi eta/h) - 1), which a rule divides by. */
double jump_log_period(const jump_line *line, double eta);

/* Where the rule is used at u = 0, up to a height in y. */
jump_strip jump_upright(const jump_line *line, double p, double most);

/* >= log of what is beyond the range of the nodes, within the strip. */
double jump_strip_rest(const jump_law *own, const jump_strip *s);

/* >= log of what the rule errs by on lines that are turned so far, S or W being
 * at most e^log_m. */
double jump_strip_rule(
    const jump_law *own, const jump_strip *s, double log_m);

#endif
