/*
 * Choice of a candidate with probability proportional to exp(-c d_i): prefix
 * sums of integer weights are compared with one uniform number, and undecided
 * comparisons are passed to candidates_fine.c. Derivation:
 * docs/theory/release_choices.md, section 4.
 */
#include "candidates.h"

#include <stdlib.h>

#include <sodium.h>

#include "base/error.h"
#include "coins.h"

/* ---- Integer weights --------------------------------------------------- */

/* Fills weight, *sum and the number of all copies. */
static void fill_weights(uint64_t *weight, int128 *sum, int128 *n_copies,
    const struct candidates *x)
{
    *sum = 0;
    *n_copies = 0;
    for (size_t i = 0; i < x->n; i++) {
        uint64_t copies = candidates_copies(x, i);
        weight[i] = exponent_weight(&x->e, x->distances[i]);
        *sum += (int128)weight[i] * copies;
        *n_copies += copies;
    }
}

/*
 * Every prefix and the sum itself are known within the error E of the sum.
 * With floor(u sum / 2^64) = low, the product U sum is in [low, high), high =
 * low + sum 2^-64 + 2, and U times the exact sum in [low - E, high + E). An
 * exact prefix is at most that if its approximation is at most low - 2 E,
 * and only if it is at most high + 2 E.
 */
static struct prefix_count count_weights(const uint64_t *weight, int128 sum,
    int128 error, const struct candidates *x, uint64_t word)
{
    uint64_t sum_low = (uint64_t)sum, sum_high = (uint64_t)(sum >> 64);
    int128 low = (int128)((uint128)word * sum_high +
                          ((uint128)word * sum_low >> 64));
    int128 high = low + sum_high + 2;
    int128 certain = low - 2 * error, possible = high + 2 * error;
    struct prefix_count count = {0, 0};
    int128 prefix = 0;

    for (size_t i = 0; i + 1 < x->n; i++) { /* all of them, always */
        prefix += (int128)weight[i] * candidates_copies(x, i);
        count.certain += prefix <= certain;
        count.possible += prefix <= possible;
    }
    return count;
}

static dosi_status count_first(struct prefix_count *count,
    const struct candidates *x, uint64_t word, dosi_error *err)
{
    uint64_t *weight =
        x->n <= SIZE_MAX / sizeof *weight ? malloc(x->n * sizeof *weight)
                                          : NULL;
    if (weight == NULL)
        return dosi_fail_memory(err);
    int128 sum = 0, n_copies = 0;
    fill_weights(weight, &sum, &n_copies, x);
    *count = count_weights(weight, sum, weight_error(sum, n_copies), x, word);
    free(weight);
    return DOSI_OK;
}

/* ---- Choosing ---------------------------------------------------------- */

static bool is_open(struct prefix_count count)
{
    return count.certain != count.possible;
}

dosi_status candidates_choose(size_t *out, const struct candidates *x,
    enum tier first, struct words *w, dosi_error *err)
{
    uint64_t word = words_next(w);
    struct uniform u;
    struct prefix_count count = {0, x->n};
    dosi_status status = uniform_start(&u, word, err);

    *out = 0;
    if (status == DOSI_OK)
        status = count_first(&count, x, word, err);
    if (first != TIER_WEIGHTS)
        count = (struct prefix_count){0, x->n};
    if (status == DOSI_OK && is_open(count)) {
        status = uniform_extend(&u, 2, w, err);
        if (status == DOSI_OK && first <= TIER_BALLS)
            count = candidates_count_balls(x, &u);
    }
    for (size_t n = TIER_FIRST_LIMBS;
         status == DOSI_OK && is_open(count) && !w->failed; n *= 2) {
        status = uniform_extend(&u, n - 1, w, err);
        if (status == DOSI_OK)
            status = candidates_count_limbs(&count, x, &u, n, err);
    }
    if (status == DOSI_OK)
        *out = count.certain;
    uniform_free(&u);
    return status;
}

/* ---- Permute and flip -------------------------------------------------- */

/*
 * The first candidate with heads, in a uniformly random order that is
 * independent of the coins, is a uniform one of all candidates with heads. So
 * the order need not be drawn. One with a distance of 0 has heads.
 */
dosi_status candidates_flip(size_t *out, const struct candidates *x,
    struct words *w, dosi_error *err)
{
    bool *heads = malloc(x->n * sizeof *heads);
    dosi_status status = DOSI_OK;
    uint64_t n_heads = 0;

    *out = 0;
    if (heads == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; status == DOSI_OK && i < x->n; i++) {
        status = exponent_coin(
            &heads[i], &x->e, x->distances[i], TIER_WEIGHTS, w, err);
        n_heads += heads[i];
    }
    if (status == DOSI_OK && n_heads > 0) {
        uint64_t chosen = uniform_below(n_heads, w), seen = 0;
        size_t index = 0;
        for (size_t i = 0; i < x->n; i++) { /* all of them, always */
            seen += heads[i];
            index += seen <= chosen;
        }
        *out = index;
    }
    sodium_memzero(heads, x->n * sizeof *heads);
    free(heads);
    return status;
}
