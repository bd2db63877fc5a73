/*
 * The law of a draw, word by word, without trusting it: a uniform number is
 * its words, and Arb says on which side of an exact boundary it lies.
 */
#ifndef DOSI_TESTS_SUPPORT_DIGITS_OF_ARB_H
#define DOSI_TESTS_SUPPORT_DIGITS_OF_ARB_H

#include <arb.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_PRECISION 6000

/* x = 0.w1 w2 ... wn in base 2^64 */
static inline void arb_of_words(arb_t x, const uint64_t *words, size_t n)
{
    fmpz_t z, digit;
    fmpz_init(z);
    fmpz_init(digit);
    for (size_t i = 0; i < n; i++) {
        fmpz_mul_2exp(z, z, 64);
        fmpz_set_ui(digit, words[i]);
        fmpz_add(z, z, digit);
    }
    arb_set_fmpz(x, z);
    arb_mul_2exp_si(x, x, -64 * (slong)n);
    fmpz_clear(z);
    fmpz_clear(digit);
}

/* The first n words of x in [0, 1]; 2^64 - 1 for all of 1. */
static inline void words_of_arb(uint64_t *words, size_t n, const arb_t x)
{
    arb_t y;
    fmpz_t z, digit;
    arb_init(y);
    fmpz_init(z);
    fmpz_init(digit);
    arb_mul_2exp_si(y, x, 64 * (slong)n);
    arb_floor(y, y, DIGITS_PRECISION);
    arf_get_fmpz(z, arb_midref(y), ARF_RND_DOWN);
    memset(words, 0xff, n * sizeof *words);
    if (fmpz_bits(z) <= 64 * n)
        for (size_t i = n; i-- > 0; fmpz_fdiv_q_2exp(z, z, 64)) {
            fmpz_fdiv_r_2exp(digit, z, 64);
            words[i] = fmpz_get_ui(digit);
        }
    arb_clear(y);
    fmpz_clear(z);
    fmpz_clear(digit);
}

/* The next or last number of n words, modulo 1. */
static inline void words_step(uint64_t *words, size_t n, int by)
{
    for (size_t i = n; i-- > 0;) {
        uint64_t old = words[i];
        words[i] += by > 0 ? 1 : UINT64_MAX;
        if (by > 0 ? words[i] != 0 : old != 0)
            return;
    }
}

#endif
