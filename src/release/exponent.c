/*
 * exp(-c d) as an integer weight, as a ball and in fixed point of any width,
 * and the coin of that probability, which tries them in this order. Derivation:
 * docs/theory/release_choices.md, sections 2 and 3.
 */
#include "exponent.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/error.h"
#include "quick_exp.h"

/* ---- exp(-c d) --------------------------------------------------------- */

/* Converts with one rounding and no branch; the conversion from an unsigned
 * number may have one. */
static double double_of(uint64_t x)
{
    return (double)(int64_t)(x >> 32) * 0x1p32 +
           (double)(int64_t)(x & UINT32_MAX);
}

static ball ball_of_whole(uint64_t x)
{
    ball high = ball_of((double)(int64_t)(x >> 32) * 0x1p32);
    return ball_add_d(high, (double)(int64_t)(x & UINT32_MAX));
}

struct exponent exponent_of(double epsilon, uint64_t denominator)
{
    int e = 0;
    double fraction = frexp(epsilon, &e);
    return (struct exponent){
        .mantissa = (uint64_t)ldexp(fraction, DBL_MANT_DIG),
        .shift = e - DBL_MANT_DIG,
        .denominator = denominator,
        .c = epsilon / double_of(denominator),
    };
}

/* min(y, 44) for y >= 0, by the order of bits; compilers turn a
 * comparison of doubles into a branch. */
static double at_most_44(double y)
{
    const double most = 44;
    uint64_t bits, limit;
    memcpy(&bits, &y, sizeof bits);
    memcpy(&limit, &most, sizeof limit);
    bits ^= (bits ^ limit) & (0 - (uint64_t)(bits > limit));
    memcpy(&y, &bits, sizeof y);
    return y;
}

uint64_t exponent_weight(const struct exponent *e, uint64_t d)
{
    double y = at_most_44(e->c * double_of(d));
    return (uint64_t)(int64_t)(quick_exp_neg(y) * 0x1p62);
}

ball exponent_ball(const struct exponent *e, uint64_t d)
{
    if (!(e->c * double_of(d) <= 700)) /* exp(-699) < 2^-1000 */
        return (ball){0, 0, 0x1p-1000};
    ball y = ball_mul(ball_of_whole(e->mantissa), ball_of_whole(d));
    y = ball_div(ball_scale2(y, e->shift), ball_of_whole(e->denominator));
    return ball_exp(ball_neg(y));
}

void exponent_limbs(uint64_t *lo, uint64_t *hi, const struct exponent *e,
    uint64_t d, size_t n, uint64_t *work)
{
    uint64_t *y = work + LIMBS_EXP_WORK(n);
    uint128 numerator = (uint128)e->mantissa * d;
    if (!limbs_ratio(y, numerator, e->shift, e->denominator, n, false)) {
        limbs_set(lo, 0, n); /* exp(-2^64) is below any unit there is */
        limbs_set(hi, 0, n);
        hi[0] = 1;
        return;
    }
    limbs_exp_neg(lo, hi, y, n, work);
    if (numerator == 0 || limbs_is_zero(lo, n))
        return;
    /* c d < y + unit, and exp(-y - unit) >= exp(-y) - unit */
    uint64_t *unit = y;
    limbs_set(unit, 0, n);
    unit[0] = 1;
    (void)limbs_sub(lo, lo, unit, n);
}

/* ---- Uniform numbers --------------------------------------------------- */

dosi_status uniform_start(struct uniform *u, uint64_t first, dosi_error *err)
{
    *u = (struct uniform){calloc(1, sizeof *u->word), 1};
    if (u->word == NULL) {
        u->n = 0;
        return dosi_fail_memory(err);
    }
    u->word[0] = first;
    return DOSI_OK;
}

dosi_status uniform_extend(
    struct uniform *u, size_t n, struct words *w, dosi_error *err)
{
    if (n <= u->n)
        return DOSI_OK;
    uint64_t *word = calloc(n, sizeof *word);
    if (word == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        word[i] = i < u->n ? u->word[i] : words_next(w);
    uniform_free(u);
    *u = (struct uniform){word, n};
    return DOSI_OK;
}

ball uniform_ball(const struct uniform *u)
{
    ball high = ball_scale2(ball_of_whole(u->word[0]), -64);
    ball low = ball_scale2(ball_of_whole(u->word[1]), -128);
    return ball_widen(ball_add(high, low), 0x1p-128);
}

void uniform_limbs(
    uint64_t *lo, uint64_t *hi, const struct uniform *u, size_t n)
{
    limbs_set(lo, 0, n);
    for (size_t i = 0; i < n - 1; i++)
        lo[n - 2 - i] = u->word[i];
    memcpy(hi, lo, n * sizeof *hi);
    (void)limbs_step(hi, n); /* at most 1 */
}

void uniform_free(struct uniform *u)
{
    if (u->word != NULL)
        sodium_memzero(u->word, u->n * sizeof *u->word);
    free(u->word);
    *u = (struct uniform){0};
}

/* ---- Coins ------------------------------------------------------------- */

enum side {
    SIDE_BELOW = 0,
    SIDE_ABOVE = 1,
    SIDE_OPEN = 2,
};

/* Without a branch on which side it is. */
static enum side side_by_weight(
    const struct exponent *e, uint64_t d, uint64_t word)
{
    int128 weight = (int128)exponent_weight(e, d);
    int128 error = weight_error(weight, 1);
    int128 v = (int128)(word >> (64 - WEIGHT_BITS)); /* V < (v + 1) 2^-62 */
    unsigned is_below = v + 1 <= weight - error;
    unsigned is_above = v >= weight + error;
    return (enum side)(SIDE_OPEN - 2 * is_below - is_above);
}

static enum side side_by_ball(
    const struct exponent *e, uint64_t d, const struct uniform *v)
{
    ball p = exponent_ball(e, d), x = uniform_ball(v);
    if (ball_less(x, p))
        return SIDE_BELOW;
    return ball_less(p, x) ? SIDE_ABOVE : SIDE_OPEN;
}

/* From n - 1 words. fails  DOSI_ENOMEM */
static dosi_status side_by_limbs(enum side *side, const struct exponent *e,
    uint64_t d, const struct uniform *v, size_t n, dosi_error *err)
{
    uint64_t *work = malloc((EXPONENT_WORK(n) + 4 * n) * sizeof *work);
    if (work == NULL)
        return dosi_fail_memory(err);
    uint64_t *p_lo = work, *p_hi = work + n;
    uint64_t *v_lo = work + 2 * n, *v_hi = work + 3 * n;
    exponent_limbs(p_lo, p_hi, e, d, n, work + 4 * n);
    uniform_limbs(v_lo, v_hi, v, n);
    if (limbs_compare(v_hi, p_lo, n) <= 0) /* V < v_hi <= exp(-c d) */
        *side = SIDE_BELOW;
    else if (limbs_compare(v_lo, p_hi, n) >= 0)
        *side = SIDE_ABOVE;
    sodium_memzero(v_lo, 2 * n * sizeof *v_lo);
    free(work);
    return DOSI_OK;
}

/* After the first word: balls, then more and more limbs. */
static dosi_status side_open(enum side *side, const struct exponent *e,
    uint64_t d, struct uniform *v, enum tier first, struct words *w,
    dosi_error *err)
{
    dosi_status status = uniform_extend(v, 2, w, err);
    if (status == DOSI_OK && first <= TIER_BALLS)
        *side = side_by_ball(e, d, v);
    for (size_t n = TIER_FIRST_LIMBS;
         status == DOSI_OK && *side == SIDE_OPEN && !w->failed; n *= 2) {
        status = uniform_extend(v, n - 1, w, err);
        if (status == DOSI_OK)
            status = side_by_limbs(side, e, d, v, n, err);
    }
    return status;
}

dosi_status exponent_coin(bool *out, const struct exponent *e, uint64_t d,
    enum tier first, struct words *w, dosi_error *err)
{
    uint64_t word = words_next(w);
    enum side side = side_by_weight(e, d, word);
    dosi_status status = DOSI_OK;
    if (side == SIDE_OPEN || first != TIER_WEIGHTS) {
        struct uniform v;
        side = SIDE_OPEN;
        status = uniform_start(&v, word, err);
        if (status == DOSI_OK)
            status = side_open(&side, e, d, &v, first, w, err);
        uniform_free(&v);
    }
    *out = side == SIDE_BELOW;
    return status;
}
