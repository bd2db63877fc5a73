/*
 * Is a point under the curve? The comparison of V with exp(-y(x)) by balls
 * and by fixed point, for a piece and a position of which an enclosure is
 * known. docs/theory/release.md, 3.3.
 */
#ifndef DOSI_RELEASE_EXP_COMPARE_H
#define DOSI_RELEASE_EXP_COMPARE_H

#include "proposal.h"

/* A point of a piece. */
struct place {
    bool is_tail;
    uint32_t v;              /* of a brick */
    int block;               /* of the tail */
    uint64_t cell;           /* discrete: the integer; rounded: the cell
                                where the column or the block begins */
    uint64_t length;         /* rounded: of the column or block, in cells */
    struct wide_range part;  /* rounded: position = cell + length * part */
};

/* 1: V < exp(-y); -1: V >= exp(-y); 0: not known. */
int compare_ball(
    const struct bricks *b, const struct place *at, const struct digits *v);
int compare_wide(
    const struct bricks *b, const struct place *at, const struct digits *v);

#endif
