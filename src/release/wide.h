/*
 * Enclosures in unsigned fixed point of 1088 bits: lo <= exact <= hi.
 * Comparisons that balls leave undecided are decided here
 * (docs/theory/release_choices.md, section 2). Values of 2^63 and more
 * saturate: a lower end of 2^63 stays a lower bound, an upper end of 2^63 is no
 * bound.
 */
#ifndef DOSI_RELEASE_WIDE_H
#define DOSI_RELEASE_WIDE_H

#include <stddef.h>
#include <stdint.h>

#include "int128.h"

#define WIDE_LIMBS 17 /* limb 16 is the integer part, 0 .. 15 the fraction */

/* sum limb[i] 2^(64 (i - 16)) */
struct wide {
    uint64_t limb[WIDE_LIMBS];
};

struct wide_range {
    struct wide lo, hi;
};

/* exp(-y). width  2^-1022 for an exact y */
struct wide_range wide_exp_neg(const struct wide_range *y);

/* numerator 2^shift / denominator. requires  denominator > 0,
 * |shift| <= 2^20. width  2^-1024 */
struct wide_range wide_ratio(
    uint128 numerator, int shift, uint128 denominator);

/* whole + 0.w1w2...wn...: n digits of base 2^64 are known, the first one
 * first; hi = lo + 2^(-64 n). requires  n <= 16 */
struct wide_range wide_words(const uint64_t *words, size_t n, uint64_t whole);

struct wide_range wide_mul(
    const struct wide_range *a, const struct wide_range *b);
struct wide_range wide_add(
    const struct wide_range *a, const struct wide_range *b);
struct wide_range wide_shift(const struct wide_range *a, int bits); /* 2^bits */

/* -1, 0 or 1 as a is less than, equal to or greater than b. */
int wide_compare(const struct wide *a, const struct wide *b);

#endif
