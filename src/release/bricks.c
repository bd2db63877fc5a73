/*
 * The envelope of the exact sampler as a table of pieces: heights of columns
 * and boundary bricks by balls, and the conditions (B) of the tail. Derivation:
 * docs/theory/release.md, section 3.
 */
#include "bricks.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

#define MAX_COLUMNS 32767

/* ---- The curve --------------------------------------------------------- */

ball bricks_x(const struct bricks *b, ball z)
{
    return b->is_rounded ? ball_scale2(z, -b->shape.cell_bits)
                         : ball_div_d(z, b->scale);
}

static ball bricks_y(const struct bricks *b, ball z)
{
    ball x = bricks_x(b, z);
    return b->is_gaussian ? ball_scale2(ball_sqr(x), -1) : x;
}

ball bricks_curve(const struct bricks *b, ball z)
{
    return ball_exp(ball_neg(bricks_y(b, z)));
}

/* exp(-y) / u at an integer number of cells. */
static ball bricks_height(const struct bricks *b, uint64_t cells)
{
    ball curve = bricks_curve(b, ball_of_int((int64_t)cells));
    return ball_scale2(curve, b->shape.height_bits);
}

/* ---- The shape --------------------------------------------------------- */

/* Columns are narrow against the scale, so that few bricks lie across the
 * curve, and reach so far that the tail is accepted once in 2^45 draws. Laplace
 * laws have many columns of one brick, hence lower ones. */
static struct bricks_shape choose_shape(const struct bricks *b)
{
    double s = b->scale;
    if (b->is_rounded)
        return (struct bricks_shape){
            b->is_gaussian ? 8 : 9, 4, 1, b->is_gaussian ? 144 : 512,
            b->is_gaussian ? 2 : 12};
    double width = s < 16 ? 1 : floor(s / 16);
    double reach = (b->is_gaussian ? 9 : 32) * s;
    double tail = b->is_gaussian ? s / 8 : 3 * s / 4;
    int bits = s >= 16 ? (b->is_gaussian ? 8 : 9) : s >= 4 ? 10 : 12;
    return (struct bricks_shape){bits, 0, (uint64_t)width,
        (uint32_t)ceil(reach / width), (uint64_t)ceil(tail)};
}

/* y(X + t) - y(X) >= log 2: then exp(-y) halves from block to block, for y is
 * convex. */
static bool tail_halves(const struct bricks *b)
{
    uint64_t far = b->shape.n_columns * b->shape.width;
    ball rise = ball_sub(
        bricks_y(b, ball_of_int((int64_t)(far + b->shape.tail_length))),
        bricks_y(b, ball_of_int((int64_t)far)));
    return ball_less_equal(ball_ln2(), rise);
}

/* H >= exp(-y(X)), that is width / 2 >= t exp(-y(X)) / u. */
static bool tail_covers(const struct bricks *b)
{
    const struct bricks_shape *s = &b->shape;
    ball height = bricks_height(b, s->n_columns * s->width);
    return ball_less_equal(
        ball_mul(ball_of_int((int64_t)s->tail_length), height),
        ball_scale2(ball_of_int((int64_t)s->width), -1));
}

static dosi_status settle_shape(struct bricks *b, dosi_error *err)
{
    struct bricks_shape *s = &b->shape;
    while (!tail_halves(b) || !tail_covers(b)) {
        if (s->n_columns == MAX_COLUMNS)
            return dosi_fail(err, DOSI_EUNABLE,
                "noise: no envelope of this shape covers the law");
        if (tail_halves(b))
            s->n_columns++;
        else
            s->tail_length++;
    }
    return DOSI_OK;
}

/* ---- The pieces -------------------------------------------------------- */

/* Bricks of column c: h_c >= exp(-y(c width)) / u, the first one exactly. */
static uint32_t column_height(const struct bricks *b, uint32_t c)
{
    if (c == 0)
        return 1U << b->shape.height_bits;
    return (uint32_t)ceil(ball_upper(bricks_height(b, c * b->shape.width)));
}

/* Bricks of column c that lie under the curve as a whole: (v + 1) u <=
 * exp(-y) at the end of the column, which is the last integer of a discrete
 * law and the first point of the next column of a rounded one. */
static uint32_t column_interior(const struct bricks *b, uint32_t c)
{
    uint64_t next = (uint64_t)(c + 1) * b->shape.width;
    uint64_t end = b->is_rounded ? next : next - 1;
    if (end == 0)
        return 1U << b->shape.height_bits;
    double lower = floor(ball_lower(bricks_height(b, end)));
    return lower > 0 ? (uint32_t)lower : 0;
}

/* A step that has no divisor in common with n and is near 0.618 n: the
 * multiples modulo n of consecutive numbers are spread evenly. */
static uint32_t spreading_step(uint32_t n)
{
    uint32_t step = (uint32_t)(0.6180339887498949 * n);
    for (;; step++) {
        uint32_t a = n, d = step;
        while (d != 0) {
            uint32_t rest = a % d;
            a = d;
            d = rest;
        }
        if (a == 1)
            return step;
    }
}

/* Piece 0 stays at place 0, so that words of zeros are accepted. */
static void fill_pieces(struct bricks *b)
{
    uint32_t n = b->n_pieces, place = 0, step = n > 1 ? spreading_step(n) : 0;
    for (uint32_t c = 0; c < b->shape.n_columns; c++) {
        uint32_t height = column_height(b, c);
        uint32_t interior = column_interior(b, c);
        for (uint32_t v = 0; v < height; v++) {
            b->piece[place] =
                piece_pack(c, v, v < interior ? 0 : PIECE_IS_BOUNDARY);
            place = (place + step) % n;
        }
    }
    b->piece[place] = piece_pack(b->shape.n_columns, 0, PIECE_IS_TAIL);
}

/* The tail is accepted only if V' H 2^-b < exp(-y), and exp(-y) <=
 * exp(-y(X)) 2^-b, so V' < exp(-y(X)) / H = 2 t exp(-y(X)) / (u width). */
static uint64_t tail_word_limit(const struct bricks *b)
{
    const struct bricks_shape *s = &b->shape;
    ball least = ball_div(
        ball_mul(ball_of_int(2 * (int64_t)s->tail_length),
            bricks_height(b, s->n_columns * s->width)),
        ball_of_int((int64_t)s->width));
    double limit = ldexp(ball_upper(least), WORD_BITS);
    /* a double at or above 2^WORD_BITS does not fit; every word is below */
    return limit < ldexp(1, WORD_BITS) ? (uint64_t)limit : WORD_MAX;
}

/*
 * Allowance of tier 0 in units of u: docs/theory/release.md, 3.3. Rounding
 * costs less than 2^-47; the cells are known within 2 N 2^-WORD_BITS, and
 * exp(-y) falls by at most 0.61 in x, Laplace laws by 1.
 */
static double quick_band(const struct bricks *b)
{
    double position = b->is_rounded
        ? ldexp(2.0 * b->n_pieces, -WORD_BITS - b->shape.cell_bits)
        : 0;
    return b->height_scale * (0x1p-47 + position);
}

static uint32_t count_pieces(const struct bricks *b)
{
    uint32_t n = 1; /* the tail */
    for (uint32_t c = 0; c < b->shape.n_columns; c++)
        n += column_height(b, c);
    return n;
}

static void set_scale(struct bricks *b, double scale)
{
    int exponent = 0;
    double mantissa = scale;
    while (mantissa != floor(mantissa)) {
        mantissa *= 2;
        exponent++;
    }
    b->scale = scale;
    b->mantissa = (uint64_t)mantissa;
    b->exponent = exponent;
}

dosi_status bricks_make(struct bricks *b, dosi_noise_law law, double scale,
    const struct bricks_shape *shape, dosi_error *err)
{
    *b = (struct bricks){0};
    b->is_gaussian = law == DOSI_NOISE_ROUND_GAUSSIAN ||
        law == DOSI_NOISE_DISCRETE_GAUSSIAN;
    b->is_rounded =
        law == DOSI_NOISE_ROUND_GAUSSIAN || law == DOSI_NOISE_ROUND_LAPLACE;
    set_scale(b, scale);
    b->shape = shape != NULL ? *shape : choose_shape(b);
    dosi_status status = settle_shape(b, err);
    if (status != DOSI_OK)
        return status;
    b->n_pieces = count_pieces(b);
    b->piece = malloc(b->n_pieces * sizeof b->piece[0]);
    if (b->piece == NULL)
        return dosi_fail_memory(err);
    fill_pieces(b);
    double cell = b->is_rounded ? ldexp(1, -b->shape.cell_bits) : 1 / scale;
    b->exponent_factor = b->is_gaussian ? cell * cell / 2 : cell;
    b->height_scale = ldexp(1, b->shape.height_bits);
    b->tail_limit = tail_word_limit(b);
    b->band = quick_band(b);
    return DOSI_OK;
}

void bricks_free(struct bricks *b)
{
    free(b->piece);
    *b = (struct bricks){0};
}
