/*
 * Coins, whole numbers, samples and subsets: their laws by enumeration or at
 * every boundary between outcomes, in exact arithmetic.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <sodium.h>

#include "release/coins.h"
#include "release/int128.h"
#include "support/digits_of_arb.h"
#include "support/tape.h"

#define MOST_WORDS 20
#define LEAST DBL_TRUE_MIN
#define N_TAPE 50 /* words for a sample */

static const double rates[] = {0, 1, 0.5, 0.1, 0.9, 1.0 / 1000, 256.0 / 1437,
    1e-9, 0x1p-64, 0x1p-65, 0x1.8p-65, 0x1.8p-64, 0x1p-8, 0x1.01p-1,
    1 - 0x1p-53, 0x1.fffffffffffffp-3, 1e-100, DBL_MIN, 3 * LEAST, LEAST};

#define N_RATES (sizeof rates / sizeof rates[0])

static uint64_t state_of_test = 12345;

static uint64_t random_word(void)
{
    uint64_t z = state_of_test += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* ---- coin -------------------------------------------------------------- */

/* Words that all count: the exact answer is whether they are below rate. */
static void check_coin(double rate, const uint64_t *words)
{
    struct words w;
    struct tape tape = {words, MOST_WORDS, 0};
    arb_t v, q;
    arb_init(v);
    arb_init(q);
    tape_of_list(&w, &tape);
    bool found = coin(rate, &w);
    arb_of_words(v, words, MOST_WORDS);
    arb_set_d(q, rate);
    assert_int_equal(found, arb_lt(v, q));
    assert_false(w.failed);
    /* what follows the words that were used cannot matter */
    size_t used = tape.used;
    for (int fill = 0; fill <= 1; fill++) {
        uint64_t other[MOST_WORDS];
        memset(other, fill ? 0xff : 0, sizeof other);
        memcpy(other, words, used * sizeof *words);
        arb_of_words(v, other, MOST_WORDS);
        assert_int_equal(found, arb_lt(v, q));
    }
    arb_clear(v);
    arb_clear(q);
}

static void test_coin(void **state)
{
    uint64_t words[MOST_WORDS], edge[MOST_WORDS];
    arb_t q;
    (void)state;
    arb_init(q);
    for (size_t i = 0; i < N_RATES; i++) {
        arb_set_d(q, rates[i]);
        words_of_arb(edge, MOST_WORDS, q);
        for (size_t n = 1; n <= MOST_WORDS; n++)
            for (int by = -1; by <= 1; by++)
                for (int fill = 0; fill <= 1; fill++) {
                    memset(words, fill ? 0xff : 0, sizeof words);
                    memcpy(words, edge, n * sizeof *words);
                    if (by != 0)
                        words_step(words, n, by);
                    check_coin(rates[i], words);
                }
        for (int j = 0; j < 50; j++) {
            for (size_t n = 0; n < MOST_WORDS; n++)
                words[n] = random_word();
            check_coin(rates[i], words);
        }
    }
    arb_clear(q);
}

/* ---- uniform_below ----------------------------------------------------- */

/* The answer to one word, or -1 if it is rejected. */
static int128 answer_to(uint64_t word, uint64_t n)
{
    struct words w;
    const uint64_t words[] = {word, UINT64_MAX}; /* the second is accepted */
    struct tape tape = {words, 2, 0};
    tape_of_list(&w, &tape);
    uint64_t answer = uniform_below(n, &w);
    return tape.used == 1 ? (int128)answer : -1;
}

/* The words of outcome k are a run from ceil(k 2^64/n), the first of which
 * may be rejected; all runs must have floor(2^64/n) accepted words. */
static void check_outcome(uint64_t k, uint64_t n)
{
    const uint128 one = (uint128)1 << 64;
    uint128 first = (((uint128)k << 64) + (n - 1)) / n;
    uint128 end = k + 1 == n ? one : (((uint128)(k + 1) << 64) + (n - 1)) / n;
    int128 at_first = answer_to((uint64_t)first, n);
    assert_true(at_first == (int128)k || at_first == -1);
    uint128 accepted = end - first - (at_first == -1);
    assert_true(accepted == one / n);
    if (end - first > 1) {
        assert_true(answer_to((uint64_t)first + 1, n) == (int128)k);
        assert_true(answer_to((uint64_t)(end - 1), n) == (int128)k);
        uint128 middle = first + 1 + random_word() % (end - first - 1);
        assert_true(answer_to((uint64_t)middle, n) == (int128)k);
    }
}

static void test_uniform_below(void **state)
{
    static const uint64_t sizes[] = {1, 2, 3, 5, 6, 7, 10, 255, 256, 1000,
        4294967295, 4294967297, (uint64_t)1 << 63, ((uint64_t)1 << 63) + 1,
        UINT64_MAX, UINT64_MAX - 1, 6148914691236517206};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t n = sizes[i];
        for (uint64_t k = 0; k < n && k < 1100; k++)
            check_outcome(k, n);
        for (int j = 0; j < 1000; j++)
            check_outcome(random_word() % n, n);
        check_outcome(n - 1, n);
    }
}

/* A tape that ends must not be asked for ever. */
static void test_no_words(void **state)
{
    struct words w;
    struct tape tape = {NULL, 0, 0};
    dosi_error err;
    uint8_t member[5];
    size_t subset[3];
    (void)state;
    tape_of_list(&w, &tape);
    assert_true(uniform_below(3, &w) < 3);
    poisson_sample(member, 5, 0.3, &w);
    assert_int_equal(uniform_subset(subset, 3, 9, &w, &err), DOSI_OK);
    assert_int_equal(words_check(&w, &err), DOSI_EENTROPY);
}

/* ---- poisson_sample ---------------------------------------------------- */

/* Bytes of one word are decided by eight digits, then by words of their own
 * that follow at once, as the tape gives one word at a time. */
static void check_poisson(double rate, const uint64_t *words, size_t n_words,
    size_t n)
{
    struct words w;
    struct tape tape = {words, n_words, 0};
    uint8_t member[256];
    arb_t v, byte, q;
    arb_init(v);
    arb_init(byte);
    arb_init(q);
    arb_set_d(q, rate);
    tape_of_list(&w, &tape);
    memset(member, 7, sizeof member);
    poisson_sample(member, n, rate, &w);
    assert_false(w.failed);
    size_t used = 0;
    for (size_t i = 0; i < n && rate < 1; i += 8) {
        uint64_t word = words[used++];
        for (size_t j = i; j < i + 8 && j < n; j++) {
            uint64_t digit = word >> (8 * (j - i)) & 255;
            /* V = (byte + later words)/256: as many words as may count */
            arb_of_words(v, words + used, n_words - used);
            arb_add_ui(v, v, digit, DIGITS_PRECISION);
            arb_mul_2exp_si(v, v, -8);
            assert_int_equal(member[j], arb_lt(v, q));
            /* how many words it used: until the digits differ */
            arb_mul_2exp_si(byte, q, 8);
            arb_sub_ui(byte, byte, digit, DIGITS_PRECISION);
            arb_t one;
            arb_init(one);
            arb_one(one);
            while (arb_is_positive(byte) && arb_lt(byte, one)) {
                uint64_t expected;
                words_of_arb(&expected, 1, byte);
                uint64_t next = words[used++];
                if (next != expected)
                    break;
                arb_mul_2exp_si(byte, byte, 64);
                arb_floor(v, byte, DIGITS_PRECISION);
                arb_sub(byte, byte, v, DIGITS_PRECISION);
            }
            arb_clear(one);
        }
    }
    for (size_t i = n; i < sizeof member; i++)
        assert_int_equal(member[i], 7);
    if (rate < 1)
        assert_int_equal(tape.used, used);
    else
        for (size_t i = 0; i < n; i++)
            assert_int_equal(member[i], 1);
    arb_clear(v);
    arb_clear(byte);
    arb_clear(q);
}

static void test_poisson(void **state)
{
    uint64_t words[N_TAPE], edge[MOST_WORDS];
    arb_t q;
    (void)state;
    arb_init(q);
    for (size_t i = 0; i < N_RATES; i++) {
        arb_set_d(q, rates[i]);
        arb_mul_2exp_si(q, q, 8);
        arb_t whole;
        arb_init(whole);
        arb_floor(whole, q, DIGITS_PRECISION);
        uint64_t first = (uint64_t)arf_get_d(arb_midref(whole), ARF_RND_DOWN);
        arb_sub(q, q, whole, DIGITS_PRECISION);
        arb_clear(whole);
        words_of_arb(edge, MOST_WORDS, q); /* digits after the first eight */
        for (uint64_t byte = 0; byte < 256; byte++)
            for (size_t n = 1; n <= (byte == first ? MOST_WORDS : 1); n++)
                for (int by = -1; by <= 1; by++) {
                    /* this byte behind others that are decided by their own
                     * eight digits, then words next to those of the rate */
                    size_t lane = byte % 8;
                    for (size_t j = 0; j < N_TAPE; j++)
                        words[j] = random_word();
                    words[0] = first < 255 ? UINT64_MAX : 0;
                    words[0] &= ~((uint64_t)255 << (8 * lane));
                    words[0] |= byte << (8 * lane);
                    memcpy(words + 1, edge, n * sizeof *words);
                    if (by != 0)
                        words_step(words + 1, n, by);
                    check_poisson(rates[i], words, N_TAPE, 1 + lane);
                }
        for (size_t n = 0; n <= 64; n++) {
            for (size_t j = 0; j < N_TAPE; j++)
                words[j] = random_word();
            check_poisson(rates[i], words, N_TAPE, n);
        }
    }
    arb_clear(q);
}

/* Long samples on one stream: rate and neighbours' independence, within six
 * deviations (2e-9). */
static void test_poisson_long(void **state)
{
    enum { N = 1000003 };
    static const double long_rates[] = {0.5, 0.1, 1.0 / 256, 256.0 / 1437,
        1.0 / 1000};
    struct words w;
    uint8_t *member = malloc(N);
    (void)state;
    assert_non_null(member);
    for (size_t i = 0; i < sizeof long_rates / sizeof *long_rates; i++) {
        double q = long_rates[i], ones = 0, pairs = 0;
        tape_of_key(&w, 77 + i);
        poisson_sample(member, N, q, &w);
        for (size_t j = 0; j < N; j++) {
            assert_true(member[j] <= 1);
            ones += member[j];
            pairs += j > 0 ? member[j] * member[j - 1] : 0;
        }
        assert_true(fabs(ones - N * q) < 6.1 * sqrt(N * q * (1 - q)));
        double p = q * q;
        assert_true(fabs(pairs - N * p) <
            6.1 * sqrt(N * (p * (1 - p) + 2 * q * p * (1 - q))));
        assert_true(ones > 0);
    }
    free(member);
}

/* ---- uniform_subset ---------------------------------------------------- */

/* Every sequence of whole numbers that Floyd's algorithm may draw, each as
 * likely as any other: every subset must occur m! times. */
static void check_subsets(size_t m, size_t n)
{
    size_t counts[256] = {0}, choices[8] = {0}, total = 0, factorial = 1;
    for (size_t i = 2; i <= m; i++)
        factorial *= i;
    for (;;) {
        struct words w;
        uint64_t words[8];
        size_t subset[8], mask = 0;
        dosi_error err;
        for (size_t i = 0; i < m; i++) /* in the middle of the outcome */
            words[i] = (uint64_t)((((uint128)choices[i] << 64) +
                                      ((uint128)1 << 63)) /
                                  (n - m + i + 1));
        struct tape tape = {words, m, 0};
        tape_of_list(&w, &tape);
        assert_int_equal(uniform_subset(subset, m, n, &w, &err), DOSI_OK);
        assert_int_equal(tape.used, m);
        assert_false(w.failed);
        for (size_t i = 0; i < m; i++) {
            assert_true(subset[i] < n);
            assert_true(i == 0 || subset[i] > subset[i - 1]);
            mask |= (size_t)1 << subset[i];
        }
        counts[mask]++;
        total++;
        size_t i = 0;
        while (i < m && ++choices[i] == n - m + i + 1)
            choices[i++] = 0;
        if (i == m)
            break;
    }
    size_t n_subsets = 0;
    for (size_t i = 0; i < 256; i++)
        if (counts[i] != 0) {
            assert_int_equal(counts[i], factorial);
            n_subsets++;
        }
    assert_int_equal(n_subsets * factorial, total);
}

static void test_subsets(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 7; n++)
        for (size_t m = 0; m <= n; m++)
            check_subsets(m, n);
}

static void test_subset_long(void **state)
{
    enum { N = 100000, M = 60000 };
    struct words w;
    dosi_error err;
    size_t *subset = malloc(M * sizeof *subset);
    (void)state;
    assert_non_null(subset);
    tape_of_key(&w, 5);
    assert_int_equal(uniform_subset(subset, M, N, &w, &err), DOSI_OK);
    double low = 0;
    for (size_t i = 0; i < M; i++) {
        assert_true(subset[i] < N && (i == 0 || subset[i] > subset[i - 1]));
        low += subset[i] < N / 2;
    }
    /* hypergeometric: deviation below sqrt(M) / 2 */
    assert_true(fabs(low - M / 2.0) < 6.1 * sqrt(M) / 2);
    free(subset);
}

/* ---- keyed_coin -------------------------------------------------------- */

static void test_keyed_coin(void **state)
{
    unsigned char key[32], hash[64];
    (void)state;
    assert_true(sodium_init() >= 0);
    for (size_t i = 0; i < 32; i++)
        key[i] = (unsigned char)(3 * i + 1);
    arb_t v, q;
    arb_init(v);
    arb_init(q);
    for (size_t i = 0; i < N_RATES; i++)
        for (int id = 0; id < 300; id++) {
            char text[16];
            size_t length =
                (size_t)snprintf(text, sizeof text, "user%d", id);
            uint64_t words[8] = {0};
            crypto_generichash(hash, sizeof hash,
                (const unsigned char *)text, length, key, 32);
            for (size_t j = 0; j < 64; j++)
                words[j / 8] = words[j / 8] << 8 | hash[j];
            arb_of_words(v, words, 8);
            arb_set_d(q, rates[i]);
            bool found = keyed_coin(key, text, length, rates[i]);
            assert_int_equal(found, arb_lt(v, q));
        }
    arb_clear(v);
    arb_clear(q);
}

/* From Python: [i for i in range(64) if int.from_bytes(hashlib.blake2b(
 * b"user%d" % i, key=bytes(range(32))).digest(), "big") < 2**512 // 4] */
static void test_keyed_coin_known(void **state)
{
    static const int expected[] = {1, 3, 4, 7, 9, 14, 16, 17, 20, 28, 30,
        31, 35, 36, 44, 45, 49, 53, 61, 63};
    unsigned char key[32];
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < 32; i++)
        key[i] = (unsigned char)i;
    for (int id = 0; id < 64; id++) {
        char text[16];
        size_t length = (size_t)snprintf(text, sizeof text, "user%d", id);
        if (keyed_coin(key, text, length, 0.25))
            assert_int_equal(expected[n++], id);
    }
    assert_int_equal(n, sizeof expected / sizeof expected[0]);
    assert_true(keyed_coin(key, "", 0, 1));
    assert_false(keyed_coin(key, "", 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coin),
        cmocka_unit_test(test_uniform_below),
        cmocka_unit_test(test_no_words),
        cmocka_unit_test(test_poisson),
        cmocka_unit_test(test_poisson_long),
        cmocka_unit_test(test_subsets),
        cmocka_unit_test(test_subset_long),
        cmocka_unit_test(test_keyed_coin),
        cmocka_unit_test(test_keyed_coin_known),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
