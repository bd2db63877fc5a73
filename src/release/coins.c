/*
 * Exact coins, uniform whole numbers, Poisson samples and subsets from random
 * words. Derivation: docs/theory/release_choices.md, section 1.
 */
#include "coins.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/error.h"
#include "digits.h"
#include "int128.h"

/* ---- Coins ------------------------------------------------------------- */

/* V < rate for a uniform V whose first `from` digits are those of rate: the
 * first differing digit decides. When all digits of rate are used up and
 * equal, V >= rate. */
static bool coin_after(struct digits rate, int from, struct words *w)
{
    for (; from < rate.n; from += 64) {
        uint64_t word = words_next(w), digit = digits_word(rate, from);
        if (word != digit)
            return word < digit;
    }
    return false;
}

bool coin(double rate, struct words *w)
{
    return rate >= 1 || coin_after(digits_of(rate), 0, w);
}

/* ---- Whole numbers ----------------------------------------------------- */

/* The numbers x with floor(x n / 2^64) = k are floor(2^64/n) or one more;
 * those whose x n mod 2^64 is at least 2^64 mod n are as many for every k
 * [Lem19]. */
uint64_t uniform_below(uint64_t n, struct words *w)
{
    uint128 product = (uint128)words_next(w) * n;
    if ((uint64_t)product < n) {
        uint64_t rejected = (0 - n) % n; /* 2^64 mod n */
        while ((uint64_t)product < rejected && !w->failed)
            product = (uint128)words_next(w) * n;
    }
    return (uint64_t)(product >> 64);
}

/* ---- Poisson samples --------------------------------------------------- */

#define EIGHT_BYTES 8

/*
 * member[i] = 1 if byte i of the words is below the digit, 2 if it is equal,
 * else 0; 2s are settled afterwards, one word and more each. A word holds
 * eight bytes, the lowest one first.
 */
static void compare_bytes(
    uint8_t *member, const uint64_t *words, size_t n_words, uint8_t digit)
{
    for (size_t i = 0; i < n_words; i++)
        for (unsigned j = 0; j < EIGHT_BYTES; j++) {
            uint8_t byte = (uint8_t)(words[i] >> (8 * j));
            member[EIGHT_BYTES * i + j] =
                (uint8_t)((byte < digit) | (byte == digit) << 1);
        }
}

static void settle_equal(
    uint8_t *member, size_t n, struct digits rate, struct words *w)
{
    for (size_t i = 0; i < n; i += EIGHT_BYTES) {
        size_t length = n - i < EIGHT_BYTES ? n - i : EIGHT_BYTES;
        uint64_t eight = 0;
        memcpy(&eight, member + i, length);
        if ((eight & 0x0202020202020202) == 0)
            continue;
        for (size_t j = i; j < i + length; j++)
            if (member[j] == 2)
                member[j] = coin_after(rate, 8, w);
    }
}

void poisson_sample(uint8_t *member, size_t n, double rate, struct words *w)
{
    if (rate >= 1) {
        memset(member, 1, n);
        return;
    }
    struct digits digits = digits_of(rate);
    uint8_t digit = (uint8_t)(digits_word(digits, 0) >> 56);
    for (size_t i = 0; i < n;) {
        if (w->next == w->end)
            w->refill(w);
        size_t n_words = w->end - w->next;
        uint8_t last[EIGHT_BYTES];
        size_t length = n - i;
        if (length < EIGHT_BYTES) {
            compare_bytes(last, w->block + w->next, 1, digit);
            memcpy(member + i, last, length);
            sodium_memzero(last, sizeof last);
            n_words = 1;
        } else {
            if (n_words > length / EIGHT_BYTES)
                n_words = length / EIGHT_BYTES;
            length = EIGHT_BYTES * n_words;
            compare_bytes(member + i, w->block + w->next, n_words, digit);
        }
        memset(w->block + w->next, 0, n_words * sizeof *w->block);
        w->next += n_words;
        settle_equal(member + i, length, digits, w);
        i += length;
    }
}

/* ---- Subsets ----------------------------------------------------------- */

/* A set of numbers below n: open addressing, members stored plus one. */
struct number_set {
    size_t *slot;
    size_t mask;
};

/* False if x was there. */
static bool set_insert(struct number_set *set, size_t x)
{
    size_t i = (size_t)(((uint64_t)x * 0x9e3779b97f4a7c15) >> 20) & set->mask;
    for (; set->slot[i] != 0; i = (i + 1) & set->mask)
        if (set->slot[i] == x + 1)
            return false;
    set->slot[i] = x + 1;
    return true;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* After the step for j the set is a uniform subset of 0 .. j of its size
 * [BF87]. */
dosi_status uniform_subset(size_t *members, size_t m, size_t n,
    struct words *w, dosi_error *err)
{
    size_t n_slots = 16;
    while (n_slots < 2 * m && n_slots <= SIZE_MAX / 4)
        n_slots *= 2;
    struct number_set set = {calloc(n_slots, sizeof(size_t)), n_slots - 1};
    if (set.slot == NULL)
        return dosi_fail_memory(err);
    size_t count = 0;
    for (size_t j = n - m; j < n; j++) {
        size_t x = (size_t)uniform_below((uint64_t)j + 1, w);
        if (!set_insert(&set, x)) {
            x = j; /* new: all before it are below j */
            (void)set_insert(&set, x);
        }
        members[count++] = x;
    }
    if (m > 1)
        qsort(members, m, sizeof *members, compare_sizes);
    sodium_memzero(set.slot, n_slots * sizeof(size_t));
    free(set.slot);
    return DOSI_OK;
}
