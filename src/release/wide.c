/*
 * Enclosures of exp(-y) and of products in fixed point of 1088 bits, over the
 * functions of limbs.h. Derivation: docs/theory/release_choices.md, section 2.
 */
#include "wide.h"

#include "limbs.h"

#define TOP ((uint64_t)1 << 63)

/* The end as it is, or 2^63 if it is not below that. */
static void end_saturate(struct wide *end, bool is_small)
{
    if (!is_small || end->limb[WIDE_LIMBS - 1] >= TOP)
        limbs_set(end->limb, TOP, WIDE_LIMBS);
}

struct wide_range wide_exp_neg(const struct wide_range *y)
{
    uint64_t work[LIMBS_EXP_WORK(WIDE_LIMBS)];
    struct wide_range r = {0};
    struct wide other;

    /* exp(-y) falls: its lower end belongs to the upper end of y. An upper
     * end of 2^63 is no bound, but the lower end 0 is right for any y. */
    limbs_exp_neg(r.lo.limb, r.hi.limb, y->hi.limb, WIDE_LIMBS, work);
    if (wide_compare(&y->lo, &y->hi) != 0)
        limbs_exp_neg(other.limb, r.hi.limb, y->lo.limb, WIDE_LIMBS, work);
    return r;
}

struct wide_range wide_ratio(uint128 numerator, int shift, uint128 denominator)
{
    struct wide_range r = {0};
    bool is_small = limbs_ratio(
        r.lo.limb, numerator, shift, denominator, WIDE_LIMBS, false);
    end_saturate(&r.lo, is_small);
    is_small = limbs_ratio(
        r.hi.limb, numerator, shift, denominator, WIDE_LIMBS, true);
    end_saturate(&r.hi, is_small);
    return r;
}

struct wide_range wide_words(const uint64_t *words, size_t n, uint64_t whole)
{
    struct wide_range r = {0};
    struct wide unit;
    limbs_set(r.lo.limb, whole, WIDE_LIMBS);
    limbs_set(unit.limb, 0, WIDE_LIMBS);
    for (size_t i = 0; i < n; i++)
        r.lo.limb[WIDE_LIMBS - 2 - i] = words[i];
    unit.limb[WIDE_LIMBS - 1 - n] = 1;
    bool is_small =
        limbs_add(r.hi.limb, r.lo.limb, unit.limb, WIDE_LIMBS) == 0;
    end_saturate(&r.lo, true);
    end_saturate(&r.hi, is_small);
    return r;
}

struct wide_range wide_mul(
    const struct wide_range *a, const struct wide_range *b)
{
    uint64_t work[2 * WIDE_LIMBS];
    struct wide_range r = {0};
    bool is_small = limbs_mul(
        r.lo.limb, a->lo.limb, b->lo.limb, WIDE_LIMBS, false, work);
    end_saturate(&r.lo, is_small);
    is_small =
        limbs_mul(r.hi.limb, a->hi.limb, b->hi.limb, WIDE_LIMBS, true, work);
    /* an unknown upper end stays unknown when multiplied */
    end_saturate(&r.hi, is_small && a->hi.limb[WIDE_LIMBS - 1] < TOP &&
                            b->hi.limb[WIDE_LIMBS - 1] < TOP);
    return r;
}

struct wide_range wide_add(
    const struct wide_range *a, const struct wide_range *b)
{
    struct wide_range r = {0};
    bool is_small =
        limbs_add(r.lo.limb, a->lo.limb, b->lo.limb, WIDE_LIMBS) == 0;
    end_saturate(&r.lo, is_small);
    is_small = limbs_add(r.hi.limb, a->hi.limb, b->hi.limb, WIDE_LIMBS) == 0;
    end_saturate(&r.hi, is_small);
    return r;
}

struct wide_range wide_shift(const struct wide_range *a, int bits)
{
    struct wide_range r = {0};
    bool is_small =
        limbs_shift(r.lo.limb, a->lo.limb, bits, WIDE_LIMBS, false);
    end_saturate(&r.lo, is_small);
    is_small = limbs_shift(r.hi.limb, a->hi.limb, bits, WIDE_LIMBS, true);
    end_saturate(&r.hi, is_small && a->hi.limb[WIDE_LIMBS - 1] < TOP);
    return r;
}

int wide_compare(const struct wide *a, const struct wide *b)
{
    return limbs_compare(a->limb, b->limb, WIDE_LIMBS);
}
