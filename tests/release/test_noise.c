/* Noise through the public header: bad usage, a system without entropy, words
 * that end or are stuck, half widths, and attacks on samplers in doubles that
 * these draws withstand. */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "release/noise.h"
#include "release/noise_modes.h"
#include "release/proposal.h"
#include "support/noise_truth.h"
#include "support/tape.h"

static const dosi_noise_law laws[] = {DOSI_NOISE_ROUND_GAUSSIAN,
    DOSI_NOISE_ROUND_LAPLACE, DOSI_NOISE_DISCRETE_GAUSSIAN,
    DOSI_NOISE_DISCRETE_LAPLACE};

static dosi_noise *noise_of(
    dosi_noise_law law, double scale, dosi_timing timing)
{
    dosi_noise *noise;
    assert_int_equal(
        dosi_noise_new(&noise, law, scale, timing, NULL), DOSI_OK);
    return noise;
}

/* ---- Bad usage --------------------------------------------------------- */

static void test_usage(void **state)
{
    const double bad[] = {NAN, 0, -1, INFINITY, -INFINITY, 0x1.ffffffp-7, 1e16};
    dosi_error err;
    dosi_noise *noise;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        double most = i < 2 ? 0x1p50 : 0x1p40;
        for (size_t j = 0; j < sizeof bad / sizeof bad[0]; j++) {
            noise = (dosi_noise *)&err;
            assert_int_equal(dosi_noise_new(&noise, laws[i], bad[j],
                                 DOSI_TIMING_CONSTANT, &err),
                DOSI_EINVAL);
            assert_null(noise);
        }
        assert_int_equal(dosi_noise_new(&noise, laws[i], nextafter(most, 1e18),
                             DOSI_TIMING_FAST, &err),
            DOSI_EINVAL);
        dosi_noise_free(noise_of(laws[i], most, DOSI_TIMING_FAST));
        dosi_noise_free(noise_of(laws[i], 0x1p-6, DOSI_TIMING_FAST));
    }
    int no_law = 4, no_timing = 2;
    assert_int_equal(dosi_noise_new(&noise, (dosi_noise_law)no_law, 1,
                         DOSI_TIMING_FAST, &err),
        DOSI_EINVAL);
    assert_int_equal(
        dosi_noise_new(&noise, laws[0], 1, (dosi_timing)no_timing, &err),
        DOSI_EINVAL);
    assert_int_equal(dosi_noise_draw(NULL, 0, NULL, &err), DOSI_EINVAL);
    noise = noise_of(laws[0], 1, DOSI_TIMING_FAST);
    assert_int_equal(dosi_noise_draw(NULL, 1, noise, &err), DOSI_EINVAL);
    assert_int_equal(dosi_noise_draw(NULL, 0, noise, &err), DOSI_OK);
    dosi_noise_free(noise);
    dosi_noise_free(NULL);
}

/* ---- Entropy that fails ------------------------------------------------ */

static int fail_at; /* the n-th read of the system fails */

ssize_t __real_getrandom(void *buffer, size_t n, unsigned flags);
ssize_t __wrap_getrandom(void *buffer, size_t n, unsigned flags);

ssize_t __wrap_getrandom(void *buffer, size_t n, unsigned flags)
{
    if (fail_at > 0 && --fail_at == 0) {
        errno = EIO;
        return -1;
    }
    return __real_getrandom(buffer, n, flags);
}

static void test_no_entropy(void **state)
{
    (void)state;
    for (int timing = 0; timing < 2; timing++) {
        dosi_noise *noise = noise_of(laws[0], 1e9, (dosi_timing)timing);
        for (int n = 1; n <= 3; n++) {
            int64_t out[3][100];
            memset(out, 0x77, sizeof out);
            fail_at = n;
            for (int i = 0; i < 3; i++) {
                dosi_error err;
                dosi_status status = dosi_noise_draw(out[i], 100, noise, &err);
                assert_int_equal(
                    status, i + 1 == n ? DOSI_EENTROPY : DOSI_OK);
                for (int j = 0; i + 1 == n && j < 100; j++)
                    assert_true(out[i][j] == 0);
            }
        }
        dosi_noise_free(noise);
    }
}

/* A word whose piece is the one at a place of the table, in its middle. */
static uint64_t word_at(const struct bricks *b, uint32_t place)
{
    long double step = 0x1p64L / (2 * (long double)b->n_pieces);
    return (uint64_t)((2 * (long double)place + 0.5L) * step);
}

static uint32_t place_of(const struct bricks *b, uint32_t piece)
{
    for (uint32_t i = 0; i < b->n_pieces; i++)
        if (b->piece[i] == piece)
            return i;
    fail();
    return 0;
}

/* A tape that ends, and coins that show heads for ever in the tail. */
static void test_stuck(void **state)
{
    static struct words w;
    uint64_t list[64] = {0};
    int64_t out[8];
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        dosi_noise *noise = noise_of(laws[i], 30, DOSI_TIMING_FAST);
        const struct bricks *b = &noise->bricks;
        struct tape tape = {.words = list, .n = 3};
        tape_of_list(&w, &tape);
        assert_int_equal(noise_draw(out, 8, noise, &w, NULL), DOSI_OK);
        assert_int_equal(words_check(&w, NULL), DOSI_EENTROPY);

        list[0] = word_at(b, place_of(b,
            piece_pack(b->shape.n_columns, 0, PIECE_IS_TAIL)));
        tape.n = 64;
        tape_of_list(&w, &tape);
        size_t n_kept;
        assert_true(noise_propose_fast(&n_kept, out, 1, b, &w));
        assert_int_equal(n_kept, 0);
        assert_true(tape.used < 64);
        assert_int_equal(words_check(&w, NULL), DOSI_EENTROPY);
        list[0] = 0;
        dosi_noise_free(noise);
    }
}

/* V has the first 1024 bits of the curve's height: undecided, so withheld. */
static void test_unable(void **state)
{
    static struct words w;
    enum { PROPOSALS = 5, WORDS = 2 * PROPOSALS + 20 };
    uint64_t list[WORDS] = {0}, digits[17];
    int64_t out[1] = {7};
    dosi_error err;
    dosi_noise *noise = noise_of(
        DOSI_NOISE_DISCRETE_GAUSSIAN, 1, DOSI_TIMING_FAST);
    const struct bricks *b = &noise->bricks;
    arb_t x, digit;
    (void)state;
    arb_init(x);
    arb_init(digit);
    arb_set_d(x, -0.5); /* k = 1 */
    arb_exp(x, x, 4000);
    arb_mul_2exp_si(x, x, b->shape.height_bits);
    for (int i = 0; i < 17; i++) {
        fmpz_t n;
        fmpz_init(n);
        arb_floor(digit, x, 4000);
        assert_true(arb_get_unique_fmpz(n, digit));
        digits[i] = fmpz_get_ui(n);
        arb_sub(x, x, digit, 4000);
        arb_mul_2exp_si(x, x, 64);
        fmpz_clear(n);
    }
    uint64_t u = word_at(b, place_of(b,
        piece_pack(1, (uint32_t)digits[0], PIECE_IS_BOUNDARY)));
    for (int i = 0; i < PROPOSALS; i++) {
        list[i] = u;
        list[PROPOSALS + i] = digits[1];
    }
    memcpy(list + 2 * PROPOSALS, digits + 2, 15 * sizeof digits[0]);
    struct tape tape = {.words = list, .n = WORDS};
    tape_of_list(&w, &tape);
    assert_int_equal(noise_draw(out, 1, noise, &w, &err), DOSI_EUNABLE);
    assert_int_equal(err.status, DOSI_EUNABLE);
    assert_true(out[0] == 0);
    /* one bit of the last word decides */
    list[2 * PROPOSALS + 14] ^= (uint64_t)1 << 40;
    tape_of_list(&w, &tape);
    assert_int_equal(noise_draw(out, 1, noise, &w, &err), DOSI_OK);
    arb_clear(x);
    arb_clear(digit);
    dosi_noise_free(noise);
}

/* ---- No draw twice ----------------------------------------------------- */

static int value_order(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Pairs of draws at a scale of 2^50 have 100 bits: none is met twice in the
 * calls of a parent and its child. */
static void test_no_reuse(void **state)
{
    enum { CALLS = 16, DRAWS = 64 };
    static int64_t all[2][CALLS][DRAWS];
    int pipes[2], status = 1;
    dosi_noise *noise = noise_of(laws[0], 0x1p50, DOSI_TIMING_CONSTANT);
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    int mine = child == 0;
    for (int i = 0; i < CALLS; i++)
        if (dosi_noise_draw(all[mine][i], DRAWS, noise, NULL) != DOSI_OK)
            _exit(1);
    if (child == 0)
        _exit(write(pipes[1], all[1], sizeof all[1]) ==
                    (ssize_t)sizeof all[1]
                ? 0
                : 1);
    for (size_t got = 0; got < sizeof all[1];) {
        ssize_t n = read(pipes[0], (char *)all[1] + got, sizeof all[1] - got);
        assert_true(n > 0);
        got += (size_t)n;
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    qsort(all, sizeof all / 8, 8, value_order);
    const int64_t *values = &all[0][0][0];
    int n_equal = 0; /* chance: 2^21 / 2 pairs, 2^-51 each */
    for (size_t i = 1; i < sizeof all / 8; i++)
        n_equal += values[i] == values[i - 1];
    assert_int_equal(n_equal, 0);
    dosi_noise_free(noise);
}

/* ---- Half widths ------------------------------------------------------- */

/* P[|K| > a] <= beta, and not for a - 1, by Arb. */
static void test_half_width(void **state)
{
    static const double scales[] = {0.3, 1, 10, 150};
    static const double betas[] = {0.3, 0.05, 1e-9};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 12; j++) {
            double scale = scales[j % 4], beta = betas[j / 4];
            dosi_noise *noise = noise_of(laws[i], scale, DOSI_TIMING_FAST);
            int64_t a;
            arb_t tail;
            arb_init(tail);
            assert_int_equal(
                dosi_noise_half_width(&a, noise, beta, NULL), DOSI_OK);
            truth_tail(tail, laws[i], scale, a + 1);
            assert_true(2 * truth_double(tail) <= beta);
            if (a > 0) {
                truth_tail(tail, laws[i], scale, a);
                assert_true(2 * truth_double(tail) > beta);
            }
            arb_clear(tail);
            const double bad[] = {0, 1, -1, NAN};
            for (size_t k = 0; k < 4; k++)
                assert_int_equal(
                    dosi_noise_half_width(&a, noise, bad[k], NULL),
                    DOSI_EINVAL);
            dosi_noise_free(noise);
        }
}

/* ---- Attacks ----------------------------------------------------------- */

#define ATTACK_DRAWS 20000

/* Is z = fl(at + fl(-+log u)) for a multiple u of 2^-53? The u near
 * exp(-|z - at|) are tried. */
static int is_reachable(double z, double at)
{
    double away = fabs(z - at), near = floor(exp(-away) * 0x1p53);
    for (int i = -6; i <= 6; i++) {
        double u = (near + i) * 0x1p-53;
        if (u > 0 && u <= 1 &&
            (at + log(u) == z || at - log(u) == z))
            return 1;
    }
    return 0;
}

/* Laplace noise in doubles tells which of two integers it was added to for
 * more than half of its values [Mir12]; integer noise never does. */
static void test_low_bits(void **state)
{
    static struct words w;
    int64_t counts[2][64] = {{0}};
    int n_told = 0;
    (void)state;
    tape_of_key(&w, 9);
    for (int i = 0; i < ATTACK_DRAWS; i++) {
        double u = ((double)(int64_t)(words_next(&w) >> 11) + 1) * 0x1p-53;
        double z = words_next(&w) & 1 ? log(u) : -log(u);
        n_told += !is_reachable(z, 1);
    }
    assert_true(n_told > ATTACK_DRAWS / 2);
    dosi_noise *noise = noise_of(
        DOSI_NOISE_DISCRETE_LAPLACE, 1, DOSI_TIMING_CONSTANT);
    for (int at = 0; at < 2; at++)
        for (int i = 0; i < 10; i++) {
            static int64_t k[ATTACK_DRAWS];
            assert_int_equal(
                noise_draw(k, ATTACK_DRAWS, noise, &w, NULL), DOSI_OK);
            for (int j = 0; j < ATTACK_DRAWS; j++)
                if (llabs(k[j] + at) < 32)
                    counts[at][k[j] + at + 32]++;
        }
    for (int i = 0; i < 64; i++) {
        double a = (double)counts[0][i], b = (double)counts[1][i];
        if (a > 2000 && b > 2000) /* the ratio is e^+-1, within 10 % */
            assert_true(a < 1.1 * exp(1) * b && b < 1.1 * exp(1) * a);
        if (a > 2000 || b > 2000)
            assert_true(a > 500 && b > 500);
    }
    dosi_noise_free(noise);
}

/* Doubles near 0 have finer steps than doubles near 1: the step of the output
 * tells where it was. Integers have one step. */
static void test_precision(void **state)
{
    static struct words w;
    int n_coarse[2] = {0, 0};
    (void)state;
    tape_of_key(&w, 10);
    for (int i = 0; i < ATTACK_DRAWS; i++) {
        double u = ((double)(int64_t)(words_next(&w) >> 11) + 1) * 0x1p-53;
        double noise = words_next(&w) & 1 ? log(u) : -log(u);
        for (int at = 0; at < 2; at++) {
            double z = ((double)at + noise) * 0x1p53;
            n_coarse[at] += z == floor(z);
        }
    }
    assert_true(n_coarse[0] < 0.8 * ATTACK_DRAWS);
    assert_true(n_coarse[1] > 0.99 * ATTACK_DRAWS);
}

/* ---- The caller's rounding --------------------------------------------- */

/* An envelope made under another rounding mode is the same. */
static void test_environment(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        dosi_noise *a = noise_of(laws[i], 23.7, DOSI_TIMING_FAST);
        fesetround(FE_UPWARD);
        dosi_noise *b = noise_of(laws[i], 23.7, DOSI_TIMING_FAST);
        fesetround(FE_TONEAREST);
        assert_int_equal(a->bricks.n_pieces, b->bricks.n_pieces);
        assert_memory_equal(a->bricks.piece, b->bricks.piece,
            a->bricks.n_pieces * sizeof(uint32_t));
        assert_true(a->bricks.exponent_factor == b->bricks.exponent_factor);
        assert_true(a->bricks.band == b->bricks.band);
        dosi_noise_free(a);
        dosi_noise_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_no_entropy),
        cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_unable),
        cmocka_unit_test(test_no_reuse),
        cmocka_unit_test(test_half_width),
        cmocka_unit_test(test_low_bits),
        cmocka_unit_test(test_precision),
        cmocka_unit_test(test_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
