/*
 * Coins that a retried task finds again: docs/theory/release_choices.md,
 * section 6.
 */
#include "coins.h"

#include <string.h>

#include <sodium.h>

#include "digits.h"

#define BLOCK_BYTES 64
#define BLOCK_BITS (8 * BLOCK_BYTES)

_Static_assert(crypto_generichash_blake2b_BYTES_MAX == BLOCK_BYTES,
    "a block is as long as BLAKE2b's longest hash");

static uint64_t word_of(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = word << 8 | bytes[i];
    return word;
}

bool keyed_coin(
    const unsigned char key[32], const void *id, size_t n_bytes, double rate)
{
    static const unsigned char personal
        [crypto_generichash_blake2b_PERSONALBYTES] = {0};
    if (rate >= 1)
        return true;
    struct digits digits = digits_of(rate);
    for (int block = 0; block * BLOCK_BITS < digits.n; block++) {
        unsigned char salt[crypto_generichash_blake2b_SALTBYTES] = {
            (unsigned char)block}; /* below 3: a double has 1074 digits */
        unsigned char hash[BLOCK_BYTES];
        /* cannot fail: all lengths are within the function's limits */
        (void)crypto_generichash_blake2b_salt_personal(hash, sizeof hash, id,
            n_bytes, key, 32, salt, personal);
        for (int i = 0; i < BLOCK_BITS; i += 64) {
            uint64_t word = word_of(&hash[i / 8]);
            uint64_t digit = digits_word(digits, block * BLOCK_BITS + i);
            if (word != digit)
                return word < digit;
        }
    }
    return false;
}
