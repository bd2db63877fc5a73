/*
 * A plain port of the discrete Laplace and Gaussian samplers of Canonne, Kamath
 * and Steinke [CKS20], algorithms 1 to 3, with 64- and 128-bit integers: for
 * comparison, and as a control whose time depends on what it draws.
 */
#ifndef DOSI_BENCH_PLAIN_NOISE_H
#define DOSI_BENCH_PLAIN_NOISE_H

#include "release/int128.h"
#include "release/entropy/words.h"

static inline uint64_t below(struct words *w, uint64_t n)
{
    uint128 m = (uint128)words_next(w) * n;
    if ((uint64_t)m < n) {
        uint64_t least = (0 - n) % n;
        while ((uint64_t)m < least)
            m = (uint128)words_next(w) * n;
    }
    return (uint64_t)(m >> 64);
}

static inline uint128 below_wide(struct words *w, uint128 n)
{
    uint128 mask = n - 1;
    for (int i = 1; i < 128; i *= 2)
        mask |= mask >> i;
    for (;;) {
        uint128 r = words_next(w);
        if (mask >> 64 != 0)
            r |= (uint128)words_next(w) << 64;
        r &= mask;
        if (r < n)
            return r;
    }
}

/* True with probability a/b. */
static inline int coin_ratio(struct words *w, uint128 a, uint128 b)
{
    return b >> 64 != 0 ? below_wide(w, b) < a
                        : below(w, (uint64_t)b) < a;
}

/* True with probability exp(-a/b), a <= b. */
static inline int coin_exp_unit(struct words *w, uint128 a, uint128 b)
{
    uint128 k = 1;
    while (coin_ratio(w, a, b * k))
        k++;
    return (int)(k & 1);
}

static inline int coin_exp(struct words *w, uint128 a, uint128 b)
{
    while (a > b) {
        if (!coin_exp_unit(w, 1, 1))
            return 0;
        a -= b;
    }
    return coin_exp_unit(w, a, b);
}

static inline int64_t plain_laplace(struct words *w, uint64_t t)
{
    for (;;) {
        uint64_t u = below(w, t);
        if (!coin_exp_unit(w, u, t))
            continue;
        uint64_t v = 0;
        while (coin_exp_unit(w, 1, 1))
            v++;
        int64_t k = (int64_t)(u + t * v);
        int is_negative = (int)(words_next(w) & 1);
        if (is_negative && k == 0)
            continue;
        return is_negative ? -k : k;
    }
}

/* sigma an integer: accept y with probability exp(-(|y| - sigma^2/t)^2 /
 * (2 sigma^2)), t = sigma + 1. */
static inline int64_t plain_gaussian(struct words *w, uint64_t sigma)
{
    uint64_t t = sigma + 1;
    uint128 square = (uint128)sigma * sigma;
    for (;;) {
        int64_t y = plain_laplace(w, t);
        uint128 size = (uint128)(uint64_t)(y < 0 ? -y : y) * t;
        uint128 off = size > square ? size - square : square - size;
        if (coin_exp(w, off * off, 2 * square * t * t))
            return y;
    }
}

#endif
