/*
 * The comparison of V with exp(-y(x)) by balls, then in fixed point of 1088
 * bits. Derivation: docs/theory/release.md, section 3.3.
 */
#include "exp_compare.h"

#include <math.h>

/* ---- Balls (tier 1) ---------------------------------------------------- */

/* The first 128 bits of the fraction and the integer part; the ball reaches
 * from lo to hi. */
static ball ball_of_range(const struct wide *lo, const struct wide *hi)
{
    const double weight[4] = {0x1p-32, 0x1p-64, 0x1p-96, 0x1p-128};
    ball sum = ball_of_int((int64_t)lo->limb[WIDE_LIMBS - 1]);
    ball width = ball_of_int(
        (int64_t)(hi->limb[WIDE_LIMBS - 1] - lo->limb[WIDE_LIMBS - 1]));
    for (int i = 0; i < 4; i++) {
        int limb = WIDE_LIMBS - 2 - i / 2, shift = i % 2 == 0 ? 32 : 0;
        double low = (double)(uint32_t)(lo->limb[limb] >> shift);
        double high = (double)(uint32_t)(hi->limb[limb] >> shift);
        sum = ball_add(sum, ball_of(low * weight[i]));
        width = ball_add(width, ball_of((high - low) * weight[i]));
    }
    /* what was cut off of either end is below 2^-128 */
    return ball_widen(sum, (ball_upper(width) + 0x1p-127) * BALL_SLACK);
}

/* V is compared within its brick or block: V' with exp(-y)/u - v, or with
 * exp(-y) 2^b / H. */
int compare_ball(
    const struct bricks *b, const struct place *at, const struct digits *v)
{
    const struct bricks_shape *s = &b->shape;
    ball z = ball_of_int((int64_t)at->cell);
    if (b->is_rounded) {
        ball part = ball_of_range(&at->part.lo, &at->part.hi);
        z = ball_add(z, ball_mul_d(part, (double)at->length));
    }
    ball height = ball_scale2(bricks_curve(b, z), s->height_bits);
    if (at->is_tail) {
        height = ball_div(
            ball_mul(height, ball_of_int((int64_t)s->tail_length)),
            ball_of_int((int64_t)s->width));
        height = ball_scale2(height, at->block + 1);
    } else {
        height = ball_sub_d(height, at->v);
    }
    struct wide v_upper = digits_above(&v->lo, 1, v->n_bits);
    ball excess = ball_widen(
        ball_sub(ball_of_range(&v->lo, &v_upper), height), b->ball_band);
    return ball_is_negative(excess) ? 1 : ball_is_positive(excess) ? -1 : 0;
}

/* ---- Fixed point (tier 2) ---------------------------------------------- */

static struct wide_range wide_whole(uint64_t whole)
{
    struct wide_range r = {{{0}}, {{0}}};
    r.lo.limb[WIDE_LIMBS - 1] = r.hi.limb[WIDE_LIMBS - 1] = whole;
    return r;
}

/* y of an integer k: k^2 / (2 scale^2) or k / scale, scale = M 2^-e. */
static struct wide_range discrete_y(const struct bricks *b, uint64_t k)
{
    uint128 m = b->mantissa;
    if (b->is_gaussian)
        return wide_ratio((uint128)k * k, 2 * b->exponent - 1, m * m);
    return wide_ratio(k, b->exponent, m);
}

/* y of a position in cells of 2^-cell_bits. */
static struct wide_range rounded_y(
    const struct bricks *b, const struct place *at)
{
    struct wide_range cell = wide_whole(at->cell);
    struct wide_range length = wide_whole(at->length);
    struct wide_range z = wide_mul(&length, &at->part);
    z = wide_add(&cell, &z);
    if (!b->is_gaussian)
        return wide_shift(&z, -b->shape.cell_bits);
    z = wide_mul(&z, &z);
    return wide_shift(&z, -1 - 2 * b->shape.cell_bits);
}

/* V itself: (v + V') u, or V' H 2^-b with H = u width / (2 t). */
static struct wide_range height_of(
    const struct bricks *b, const struct place *at, const struct digits *v)
{
    const struct bricks_shape *s = &b->shape;
    struct wide_range r = {v->lo, digits_above(&v->lo, 1, v->n_bits)};
    if (at->is_tail) {
        struct wide_range height = wide_ratio(
            s->width, -s->height_bits - 1 - at->block, s->tail_length);
        return wide_mul(&r, &height);
    }
    struct wide_range whole = wide_whole(at->v);
    r = wide_add(&whole, &r);
    return wide_shift(&r, -s->height_bits);
}

int compare_wide(
    const struct bricks *b, const struct place *at, const struct digits *v)
{
    struct wide_range y =
        b->is_rounded ? rounded_y(b, at) : discrete_y(b, at->cell);
    struct wide_range curve = wide_exp_neg(&y);
    struct wide_range height = height_of(b, at, v);
    /* the upper end of V is not reached */
    if (wide_compare(&height.hi, &curve.lo) <= 0)
        return 1;
    return wide_compare(&height.lo, &curve.hi) >= 0 ? -1 : 0;
}
