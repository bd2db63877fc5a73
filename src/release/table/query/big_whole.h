/*
 * Whole numbers of 512 bits, for what is printed: sums of 128 bits in the
 * decimal places of their grid, quotients, and roots. Everything here comes
 * after the noise.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_BIG_WHOLE_H
#define DOSI_RELEASE_TABLE_QUERY_BIG_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "release/int128.h"

#define BIG_LIMBS 8

struct big {
    uint64_t limb[BIG_LIMBS]; /* the least one first */
};

struct big big_of(uint128 x);
struct big big_add(struct big a, struct big b);
struct big big_sub(struct big a, struct big b); /* requires  a >= b */
struct big big_mul(struct big a, uint64_t b);   /* requires  it fits */
struct big big_mul_wide(uint128 a, uint128 b);
int big_compare(const struct big *a, const struct big *b); /* -1, 0, 1 */

/* a 10^n. requires  it fits */
struct big big_shift(struct big a, int n);

/* floor(a / b); *has_rest is set unless b divides a.
 * requires  0 < b < 2^127 */
struct big big_divide(struct big a, uint128 b, bool *has_rest);

/* floor(sqrt(a)); *has_rest is set unless a is a square. */
struct big big_root(struct big a, bool *has_rest);

/* a / 10^places, with the sign, without trailing zeros after the point
 * where trims says so. */
void big_print(dosi_buffer *b, const struct big *a, int places, bool negative,
    bool trims);

#endif
