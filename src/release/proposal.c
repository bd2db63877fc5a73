/*
 * One proposal of the sampler for any number of known bits: sign, piece,
 * position and acceptance, with a further word of entropy whenever the known
 * bits do not decide. Derivation: docs/theory/release.md, sections 3.2 and 3.3.
 */
#include "proposal.h"

#include "exp_compare.h"
#include "limbs.h"

/* A fair coin does not show heads more often than this in a row. */
#define MAX_TAIL_BLOCKS 1024

/* Balls resolve no more than these bits of V. */
#define BALL_BITS 128

/* ---- Digits ------------------------------------------------------------ */

void digits_append(struct digits *d, uint64_t word)
{
    int limb = WIDE_LIMBS - 2 - d->n_bits / 64;
    d->lo.limb[limb] |= word << (64 - WORD_BITS - d->n_bits % 64);
    d->n_bits += WORD_BITS;
}

/* 2^-n_bits is 2^(64 - n_bits % 64) units of limb 15 - n_bits / 64. */
struct wide digits_above(const struct wide *a, uint64_t count, int n_bits)
{
    int limb = WIDE_LIMBS - 2 - n_bits / 64;
    uint128 units = (uint128)count << (64 - n_bits % 64);
    struct wide r = *a, step = {{0}};
    if (limb >= 0)
        step.limb[limb] = (uint64_t)units;
    step.limb[limb + 1] = (uint64_t)(units >> 64);
    (void)limbs_add(r.limb, r.limb, step.limb, WIDE_LIMBS);
    return r;
}

/* False if there is no room for one word more. */
static bool take_word(struct digits *d, struct words *w)
{
    if (d->n_bits >= DIGITS_MAX)
        return false;
    digits_append(d, words_next(w));
    return true;
}

/* The integer part of a * factor; *rest is its fraction. */
static uint128 scale_up(
    struct wide *rest, const struct wide *a, uint64_t factor)
{
    uint128 carry = 0;
    for (int i = 0; i < WIDE_LIMBS - 1; i++) {
        carry += (uint128)a->limb[i] * factor;
        rest->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
    rest->limb[WIDE_LIMBS - 1] = 0;
    return carry + (uint128)a->limb[WIDE_LIMBS - 1] * factor;
}

/* ---- Piece and position ------------------------------------------------ */

/* count U = J + F: F is in [f->lo, f->hi). True if all F that are possible
 * belong to one J, that is if the end of F is at most 1. */
static bool split_unit(uint64_t *j, struct wide_range *f,
    const struct digits *u, uint64_t count)
{
    *j = (uint64_t)scale_up(&f->lo, &u->lo, count);
    f->hi = digits_above(&f->lo, count, u->n_bits);
    uint64_t whole = f->hi.limb[WIDE_LIMBS - 1];
    return whole == 0 ||
        (whole == 1 && limbs_is_zero(f->hi.limb, WIDE_LIMBS - 1));
}

/* True if floor((start + length F) 2^-shift) is *out for all F in [lo, hi). */
static bool floor_of(uint64_t *out, uint128 start, uint64_t length, int shift,
    const struct wide_range *f)
{
    struct wide rest;
    uint128 first = (start + scale_up(&rest, &f->lo, length)) >> shift;
    uint128 last = start + scale_up(&rest, &f->hi, length);
    if (limbs_is_zero(rest.limb, WIDE_LIMBS))
        last--; /* the end itself is not reached */
    *out = (uint64_t)first;
    return first == last >> shift;
}

/* The magnitude of the value at a place: the integer of a discrete law, or
 * floor(s x + 1/2) = floor((M z + 2^(S - 1)) 2^-S), S = e + cell_bits. */
static bool find_magnitude(
    uint64_t *out, const struct bricks *b, const struct place *at)
{
    if (!b->is_rounded)
        return floor_of(out, at->cell, at->length, 0, &at->part);
    int shift = b->exponent + b->shape.cell_bits;
    uint128 start = (uint128)b->mantissa * at->cell;
    return floor_of(out, start + ((uint128)1 << (shift - 1)),
        b->mantissa * at->length, shift, &at->part);
}

/* Heads of fair coins before the first tail; -1 if there are too many. */
static int tail_block(struct words *w)
{
    for (int n = 0; n <= MAX_TAIL_BLOCKS; n += WORD_BITS) {
        uint64_t word = words_next(w);
        if (word != 0)
            return n + __builtin_ctzll(word);
    }
    w->failed = true;
    return -1;
}

/* Cell and length of a brick's column, or of a block of the tail. Returns
 * false for a tail that is rejected, or has failed. */
static bool find_cell(struct place *at, struct digits *v, uint32_t piece,
    const struct bricks *b, struct words *w)
{
    const struct bricks_shape *s = &b->shape;
    at->is_tail = (piece & PIECE_IS_TAIL) != 0;
    at->v = piece_v(piece);
    at->block = 0;
    at->cell = piece_column(piece) * s->width;
    at->length = s->width;
    if (!at->is_tail)
        return true;
    if (v->n_bits == 0)
        (void)take_word(v, w);
    if (v->lo.limb[WIDE_LIMBS - 2] >> (64 - WORD_BITS) > b->tail_limit)
        return false;
    at->block = tail_block(w);
    if (at->block < 0)
        return false;
    at->cell += (uint64_t)at->block * s->tail_length;
    at->length = s->tail_length;
    return true;
}

/* ---- The decision ------------------------------------------------------ */

/* V < exp(-y), with a word more of U and V before each trial. */
static enum verdict decide_height(struct proposal *p, struct place *at,
    const struct bricks *b, struct words *w)
{
    for (;;) {
        uint64_t j;
        if (b->is_rounded && !take_word(&p->u, w))
            return VERDICT_UNABLE;
        if (!take_word(&p->v, w))
            return VERDICT_UNABLE;
        (void)split_unit(&j, &at->part, &p->u, 2 * (uint64_t)b->n_pieces);
        struct place point = *at;
        if (!b->is_rounded) /* the integer is known */
            point.length = 0;
        int is_under = p->v.n_bits <= BALL_BITS
            ? compare_ball(b, &point, &p->v)
            : compare_wide(b, &point, &p->v);
        if (is_under != 0)
            return is_under > 0 ? VERDICT_ACCEPTED : VERDICT_REJECTED;
    }
}

enum verdict proposal_decide(int64_t *out, struct proposal *p,
    const struct bricks *b, struct words *w)
{
    const uint64_t count = 2 * (uint64_t)b->n_pieces;
    struct place at;
    uint64_t j, magnitude;
    while (!split_unit(&j, &at.part, &p->u, count))
        if (!take_word(&p->u, w))
            return VERDICT_UNABLE;
    uint32_t piece = b->piece[j >> 1];
    if (!find_cell(&at, &p->v, piece, b, w))
        return VERDICT_REJECTED;
    while (!find_magnitude(&magnitude, b, &at)) {
        if (!take_word(&p->u, w))
            return VERDICT_UNABLE;
        (void)split_unit(&j, &at.part, &p->u, count);
    }
    if ((j & 1) != 0 && magnitude == 0 && !b->is_rounded)
        return VERDICT_REJECTED; /* a discrete law has one zero only */
    *out = (j & 1) != 0 ? -(int64_t)magnitude : (int64_t)magnitude;
    if ((piece & (PIECE_IS_BOUNDARY | PIECE_IS_TAIL)) == 0)
        return VERDICT_ACCEPTED;
    if (!b->is_rounded)
        at.cell = magnitude;
    return decide_height(p, &at, b, w);
}
