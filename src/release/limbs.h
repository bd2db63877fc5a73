/*
 * Unsigned fixed point of any width, every result rounded down or up as the
 * caller requires. A number is n limbs, the last one its integer part:
 *
 *     value = sum_i limb[i] 2^(64 (i - (n - 1))),   unit = 2^(-64 (n - 1)).
 *
 * docs/theory/release_choices.md, section 2. Results may be arguments, unless
 * stated otherwise. Functions that return bool tell whether the result is below
 * 2^64; if it is not, r is unspecified.
 */
#ifndef DOSI_RELEASE_LIMBS_H
#define DOSI_RELEASE_LIMBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "int128.h"

void limbs_set(uint64_t *r, uint64_t whole, size_t n); /* r = whole */
int limbs_compare(const uint64_t *a, const uint64_t *b, size_t n);
bool limbs_is_zero(const uint64_t *a, size_t n);

/* The carry, the borrow of r = a + b, r = a - b. */
uint64_t limbs_add(
    uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
uint64_t limbs_sub(
    uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);

/* r = r + unit; false on overflow. */
bool limbs_step(uint64_t *r, size_t n);

/* r = a b. requires  work of 2 n limbs, apart from a and b */
bool limbs_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n,
    bool is_upper, uint64_t *work);

/* r = a / divisor. requires  divisor > 0 */
bool limbs_div(uint64_t *r, const uint64_t *a, uint64_t divisor, size_t n,
    bool is_upper);

/* r = a 2^bits. requires  r apart from a, |bits| <= 2^20 */
bool limbs_shift(
    uint64_t *r, const uint64_t *a, int bits, size_t n, bool is_upper);

/* r = numerator 2^shift / denominator.
 * requires  denominator > 0, |shift| <= 2^20 */
bool limbs_ratio(uint64_t *r, uint128 numerator, int shift,
    uint128 denominator, size_t n, bool is_upper);

#define LIMBS_EXP_WORK(n) (6 * ((n) + 1))

/*
 * lo <= exp(-y) <= hi for the exact number y of n limbs.
 *
 * requires  work of LIMBS_EXP_WORK(n) limbs; lo and hi apart from y
 * width     hi - lo <= 2 units
 * cost      8 n + 80 products of n + 1 limbs
 */
void limbs_exp_neg(uint64_t *lo, uint64_t *hi, const uint64_t *y, size_t n,
    uint64_t *work);

#endif
