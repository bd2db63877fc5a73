/*
 * The envelope of the exact sampler: a half line under exp(-y(x)) is covered
 * by pieces of one area, so that a uniform piece and a uniform point in it,
 * accepted under the curve, have exactly the law. docs/theory/release.md,
 * section 3.
 *
 * Positions are counted in cells. A cell of a discrete law is an integer k,
 * x = k / scale; a cell of a rounded law is 2^-cell_bits, a sixteenth, of x.
 * Gaussian laws have y = x^2 / 2, Laplace laws y = x. With the height
 * u = 2^-height_bits:
 *
 *     column c < n_columns   cells [c width, (c + 1) width), divided into
 *                            bricks of height u, v = 0, 1, ...
 *     tail block b >= 0      cells [X + b t, X + (b + 1) t) of height
 *                            H 2^-b,  X = n_columns width, t = tail_length,
 *                            H = u width / (2 t)
 *
 * A piece is a brick, or the whole tail: each has the area u width.
 */
#ifndef DOSI_RELEASE_BRICKS_H
#define DOSI_RELEASE_BRICKS_H

#include <stdbool.h>

#include "dosimeter/release.h"
#include "num/ball.h"

/* Bits of a word. Tests enumerate all strings of shorter words; then
 * words_next gives numbers below 2^WORD_BITS. requires  a divisor of 64 */
#ifndef WORD_BITS
#define WORD_BITS 64
#endif
#define WORD_MAX (UINT64_MAX >> (64 - WORD_BITS))

/* A piece in 4 bytes: its column, its v, and whether V is needed. */
#define PIECE_IS_BOUNDARY 1U /* the curve passes through it */
#define PIECE_IS_TAIL 2U
#define PIECE_MAX_HEIGHT_BITS 13

static inline uint32_t piece_pack(uint32_t column, uint32_t v, uint32_t flags)
{
    return column << 16 | v << 2 | flags;
}

static inline uint32_t piece_column(uint32_t piece)
{
    return piece >> 16;
}

static inline uint32_t piece_v(uint32_t piece)
{
    return piece >> 2 & 0x3fff;
}

struct bricks_shape {
    int height_bits;
    int cell_bits;  /* of rounded laws */
    uint64_t width; /* of a column in cells; 1 for rounded laws */
    uint32_t n_columns;
    uint64_t tail_length;
};

struct bricks {
    double scale;      /* = mantissa 2^-exponent, exactly; exponent >= 0 */
    uint64_t mantissa;
    int exponent;
    bool is_gaussian, is_rounded;
    struct bricks_shape shape;
    uint32_t n_pieces; /* N */
    uint32_t *piece;   /* in an order that spreads columns over the table */
    uint64_t tail_limit; /* a first word of V above it rejects the tail */
    double exponent_factor; /* y = factor z^2 or factor z, z in cells */
    double height_scale;    /* 1/u */
    double band;            /* allowance of the comparison in doubles */
    double ball_band;       /* more than the radius, for tests */
};

/*
 * Makes the envelope and certifies with balls
 *
 *     h_c u >= exp(-y) at the first cell of column c,
 *     H >= exp(-y(X)),    y(X + t) - y(X) >= log 2.
 *
 * The shape is that of the law and scale, or the given one; columns and
 * tail_length grow until the conditions hold.
 *
 * requires  scale within [2^-6, 2^50], discrete laws 2^40
 * owns      b->piece, released with bricks_free
 * fails     DOSI_ENOMEM; DOSI_EUNABLE for a shape that is given only
 */
dosi_status bricks_make(struct bricks *b, dosi_noise_law law, double scale,
    const struct bricks_shape *shape, dosi_error *err);
void bricks_free(struct bricks *b);

/* x at z cells from 0. */
ball bricks_x(const struct bricks *b, ball z);

/* exp(-y) at z cells from 0. */
ball bricks_curve(const struct bricks *b, ball z);

#endif
