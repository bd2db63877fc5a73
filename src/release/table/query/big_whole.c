/*
 * Whole numbers of 512 bits: sums, products, quotients, square roots and their
 * decimal text, for printing after the noise.
 */
#include "big_whole.h"

#include <string.h>

struct big big_of(uint128 x)
{
    return (struct big){{(uint64_t)x, (uint64_t)(x >> 64)}};
}

struct big big_add(struct big a, struct big b)
{
    uint128 carry = 0;
    for (int i = 0; i < BIG_LIMBS; i++) {
        carry += (uint128)a.limb[i] + b.limb[i];
        a.limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return a;
}

struct big big_sub(struct big a, struct big b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < BIG_LIMBS; i++) {
        uint128 have = a.limb[i], less = (uint128)b.limb[i] + borrow;
        borrow = have < less;
        a.limb[i] = (uint64_t)(have - less);
    }
    return a;
}

struct big big_mul(struct big a, uint64_t b)
{
    uint128 carry = 0;
    for (int i = 0; i < BIG_LIMBS; i++) {
        carry += (uint128)a.limb[i] * b;
        a.limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return a;
}

struct big big_mul_wide(uint128 a, uint128 b)
{
    struct big high = big_mul(big_of(a), (uint64_t)(b >> 64));
    for (int i = BIG_LIMBS - 1; i > 0; i--)
        high.limb[i] = high.limb[i - 1];
    high.limb[0] = 0;
    return big_add(high, big_mul(big_of(a), (uint64_t)b));
}

int big_compare(const struct big *a, const struct big *b)
{
    for (int i = BIG_LIMBS - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

struct big big_shift(struct big a, int n)
{
    for (; n > 0; n--)
        a = big_mul(a, 10);
    return a;
}

struct big big_divide(struct big a, uint128 b, bool *has_rest)
{
    struct big out = {{0}};
    uint128 rest = 0; /* < b < 2^127, so that 2 rest + 1 fits */
    int top = BIG_LIMBS - 1;
    while (top > 0 && a.limb[top] == 0)
        top--;
    for (int i = 64 * top + 63; i >= 0; i--) {
        rest = rest << 1 | (a.limb[i / 64] >> (i % 64) & 1);
        if (rest >= b) {
            rest -= b;
            out.limb[i / 64] |= (uint64_t)1 << (i % 64);
        }
    }
    *has_rest = rest != 0;
    return out;
}

/* a << n. requires  n < 64 */
static struct big shift_left(struct big a, int n)
{
    for (int i = BIG_LIMBS - 1; i > 0 && n > 0; i--)
        a.limb[i] = a.limb[i] << n | a.limb[i - 1] >> (64 - n);
    a.limb[0] <<= n;
    return a;
}

/* Two bits of a and one of the root at a time: rest = a - root^2 of the bits
 * seen so far, and one more is 1 if (2 root + 1) 2^0 fits into the rest. */
struct big big_root(struct big a, bool *has_rest)
{
    struct big root = {{0}}, rest = {{0}};
    for (int i = 64 * BIG_LIMBS - 2; i >= 0; i -= 2) {
        rest = shift_left(rest, 2);
        rest.limb[0] |= a.limb[i / 64] >> (i % 64) & 3;
        struct big step = shift_left(root, 2);
        step.limb[0] |= 1;
        root = shift_left(root, 1);
        if (big_compare(&rest, &step) >= 0) {
            rest = big_sub(rest, step);
            root.limb[0] |= 1;
        }
    }
    struct big zero = {{0}};
    *has_rest = big_compare(&rest, &zero) != 0;
    return root;
}

/* Divides by 10 and returns the digit that is left. */
static char next_digit(struct big *a)
{
    uint128 rest = 0;
    for (int i = BIG_LIMBS - 1; i >= 0; i--) {
        rest = rest << 64 | a->limb[i];
        a->limb[i] = (uint64_t)(rest / 10);
        rest %= 10;
    }
    return (char)('0' + (int)rest);
}

void big_print(dosi_buffer *b, const struct big *a, int places, bool negative,
    bool trims)
{
    char text[256]; /* 2^512 has 155 digits */
    size_t at = sizeof text;
    struct big left = *a;
    struct big zero = {{0}};
    bool is_zero = big_compare(a, &zero) == 0;
    int n = 0;
    for (; n < places || big_compare(&left, &zero) != 0; n++) {
        if (n == places && places > 0 && at < sizeof text)
            text[--at] = '.';
        char digit = next_digit(&left);
        if (trims && n < places && digit == '0' && at == sizeof text)
            continue;
        text[--at] = digit;
    }
    if (n == places) { /* no digit before the point */
        if (at < sizeof text)
            text[--at] = '.';
        text[--at] = '0';
    }
    if (negative && !is_zero)
        text[--at] = '-';
    dosi_buffer_bytes(b, text + at, sizeof text - at);
}
