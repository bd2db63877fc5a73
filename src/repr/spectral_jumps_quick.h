/*
 * Rows of discs in doubles of any size, for terms of which a dozen digits are
 * enough: |z - (re + i im)| <= rad. A product of midpoints errs by at most
 * sqrt(5) units of its size, a sum by one; radii are rounded up.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_QUICK_H
#define DOSI_REPR_SPECTRAL_JUMPS_QUICK_H

#include "spectral_part.h"

#define JUMP_ROW PHASE_ROW

typedef struct jump_row {
    double re[JUMP_ROW], im[JUMP_ROW], rad[JUMP_ROW];
} jump_row;

/* A = 1 + v, known by v or, once it was small, by itself, within rad; and D,
 * by which another power exceeds it. */
typedef struct jump_powers_row {
    double re[JUMP_ROW], im[JUMP_ROW]; /* A */
    double less_re[JUMP_ROW], less_im[JUMP_ROW], rad[JUMP_ROW];
    double was_small[JUMP_ROW]; /* or 0 */
    jump_row more; /* D */
} jump_powers_row;

/* z times turns that err by so much, of size 1. */
void jump_row_turn(jump_row *z, const jump_row *turn);

/* A = (1 + z)^n and D = (1 + z + w)^n - (1 + z)^n for a whole n >= 1. */
void jump_row_power(jump_powers_row *out, const jump_row *z,
    const jump_row *w, double n);

/* A A' and (A + D) (A' + D') - A A'. */
void jump_row_join(jump_powers_row *p, const jump_powers_row *other);

/* chi - 1 at u, u + step, ... from the sums over a part's nodes. */
void spectral_nodes_less_one(jump_row *out, const spectral_part *self,
    phase_rows *rows, double u);

/* (1 + z)^count of the first n of a row, |1 + z| being at most 1 in truth. */
void jump_row_discs(disc *out, const jump_row *z, double count, size_t n);

/* A as discs. */
void jump_row_whole(jump_row *out, const jump_powers_row *p);

#endif
