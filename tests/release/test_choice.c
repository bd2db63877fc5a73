/*
 * Choices: their laws from where the first word moves them to another
 * candidate (exact to 2^-63), against reference values of oracle_105 and
 * against Arb; permute-and-flip on its coins one by one and by chi-square;
 * and the public calls, with entropy that fails.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/types.h>

#include <cmocka.h>
#include <arb_hypgeom.h>

#include "dosimeter/release.h"
#include "release/choice.h"
#include "release/int128.h"
#include "support/digits_of_arb.h"
#include "support/fail_alloc.h"
#include "support/tape.h"

/* ---- The law from one word --------------------------------------------- */

struct request {
    const int64_t *distances;
    size_t n;
    double epsilon;
    int64_t sensitivity;
    bool is_monotone;
};

static size_t choice_at(const struct request *q, uint64_t word)
{
    struct words w;
    uint64_t words[40];
    struct tape tape = {words, 40, 0};
    for (size_t i = 0; i < 40; i++) /* with zeros some are never decided */
        words[i] = i == 0 ? word : 0x9e3779b97f4a7c15;
    size_t chosen = q->n;
    dosi_error err;
    tape_of_list(&w, &tape);
    assert_int_equal(choice_draw(&chosen, q->distances, q->n, q->epsilon,
                         q->sensitivity, q->is_monotone, false, &w, &err),
        DOSI_OK);
    assert_false(w.failed);
    assert_true(chosen < q->n);
    return chosen;
}

/* The number of first words, the others being fixed, that choose below i. */
static uint128 words_below(const struct request *q, size_t i)
{
    uint128 low = 0, high = (uint128)1 << 64; /* words below low are below */
    if (i == 0)
        return 0;
    while (low < high) {
        uint128 middle = (low + high) / 2;
        if (choice_at(q, (uint64_t)middle) < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double probability(const struct request *q, size_t i)
{
    return ldexp((double)(words_below(q, i + 1) - words_below(q, i)), -64);
}

static void check_law(const struct request *q)
{
    arb_t sum, part, c;
    arb_init(sum);
    arb_init(part);
    arb_init(c);
    arb_set_d(c, q->epsilon);
    arb_div_si(c, c, -q->sensitivity, 400);
    if (!q->is_monotone)
        arb_mul_2exp_si(c, c, -1);
    for (size_t i = 0; i < q->n; i++) {
        arb_mul_si(part, c, q->distances[i], 400);
        arb_exp(part, part, 400);
        arb_add(sum, sum, part, 400);
    }
    uint128 last = 0;
    for (size_t i = 0; i < q->n; i++) {
        uint128 next = words_below(q, i + 1);
        arb_mul_si(part, c, q->distances[i], 400);
        arb_exp(part, part, 400);
        arb_div(part, part, sum, 400);
        double exact = arf_get_d(arb_midref(part), ARF_RND_NEAR);
        double found = ldexp((double)(next - last), -64);
        assert_true(fabs(found - exact) <= 0x1p-52 * exact + 0x1p-63);
        last = next;
    }
    assert_true(last == (uint128)1 << 64);
    arb_clear(sum);
    arb_clear(part);
    arb_clear(c);
}

static void test_reference(void **state)
{
    static const int64_t a[] = {0, 1, 2, 5}, b[] = {4, 0, 9, 1, 0};
    const struct request one = {a, 4, 1, 1, false}, two = {b, 5, 2, 3, false};
    (void)state;
    /* R105-expmech.p */
    assert_true(fabs(probability(&one, 2) - 0.1788866121098266118605) < 1e-16);
    assert_true(fabs(probability(&two, 2) - 0.01643183385397378555) < 1e-17);
    assert_true(fabs(probability(&two, 4) - 0.3300422055896755851015) < 1e-16);
}

/* R105-quantile.p: median of 1 1 2 3 5 8 13 21 over 0, 4, ..., 24 */
static void test_quantile(void **state)
{
    static const int64_t data[] = {1, 1, 2, 3, 5, 8, 13, 21};
    int64_t distances[7], best = 1000;
    (void)state;
    for (int i = 0; i < 7; i++) {
        int64_t below = 0, above = 0;
        for (int j = 0; j < 8; j++) {
            below += data[j] < 4 * i;
            above += data[j] > 4 * i;
        }
        int64_t score = below - above; /* (b - a) below - a above, 1/2 */
        distances[i] = score < 0 ? -score : score;
        best = distances[i] < best ? distances[i] : best;
    }
    for (int i = 0; i < 7; i++)
        distances[i] -= best;
    const struct request q = {distances, 7, 0.5, 1, false};
    assert_true(fabs(probability(&q, 3) - 0.1438615544941305578916) < 1e-16);
}

static void test_laws(void **state)
{
    static const int64_t ties[] = {0, 0, 0}, one[] = {7 - 7},
        far[] = {INT64_MAX, 0, INT64_MAX, 3}, steps[] = {5, 3, 2, 1, 0, 1, 40};
    const struct request requests[] = {
        {ties, 3, 1, 1, false},
        {ties, 3, 0, 1, true},
        {one, 1, 2, 1, false},
        {far, 4, 0.5, 1, false},
        {far, 4, 0x1p-60, 7, true},      /* all distances count */
        {far, 4, 5e-324, INT64_MAX, false}, /* none does */
        {far, 4, 1e308, 1, true},
        {far, 4, 1, INT64_MAX, true},
        {steps, 7, 1, 1, false},
        {steps, 7, 1, 1, true},
        {steps, 7, 3, 7, false},
        {steps, 7, 0.1, 1, false},
        {steps, 7, 1e-9, 1, false},
        {steps, 7, 100, 1, false},
        {steps, 7, 1e300, 1, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        check_law(&requests[i]);
}

/* 2^20 candidates: prefixes at some places against sums in long double. */
static void test_many(void **state)
{
    enum { N = 1 << 20 };
    int64_t *distances = malloc(N * sizeof *distances);
    (void)state;
    assert_non_null(distances);
    for (size_t i = 0; i < N; i++)
        distances[i] = (int64_t)((i * 2654435761u) % 4001);
    distances[N / 3] = 0;
    const struct request q = {distances, N, 0.01, 1, false};
    long double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += expl(-0.01L / 2 * (long double)distances[i]);
    static const size_t places[] = {0, 1, N / 3, N - 1};
    for (size_t i = 0; i < 4; i++) {
        /* the word of a prefix chooses a candidate next to it */
        long double prefix = 0;
        for (size_t j = 0; j < places[i]; j++)
            prefix += expl(-0.01L / 2 * (long double)distances[j]);
        long double weight =
            expl(-0.01L / 2 * (long double)distances[places[i]]);
        uint64_t word =
            (uint64_t)((prefix + weight / 2) / sum * 0x1p64L);
        assert_int_equal(choice_at(&q, word), places[i]);
    }
    free(distances);
}

/* ---- Permute and flip -------------------------------------------------- */

/* Heads for word 0, tails for the last word, but for distance 0; the next
 * word chooses among heads. All sets of coins, all choices. */
static void test_flip_enumerated(void **state)
{
    static const int64_t distances[] = {3, 0, 1, 8, 2};
    (void)state;
    for (unsigned coins = 0; coins < 32; coins++) {
        unsigned heads = coins | 2, n_heads = 0;
        uint64_t words[6];
        for (unsigned i = 0; i < 5; i++) {
            words[i] = coins >> i & 1 ? 0 : UINT64_MAX - 1;
            n_heads += heads >> i & 1;
        }
        /* the word just below 1 of distance 0 leaves the coin open for
         * integers: keep away from it */
        words[1] = coins & 2 ? 0 : UINT64_MAX / 2;
        for (unsigned k = 0, seen = 0; k < 5; k++) {
            if (!(heads >> k & 1))
                continue;
            words[5] = (uint64_t)((((uint128)seen << 64) +
                                      ((uint128)1 << 63)) /
                                  n_heads);
            struct words w;
            struct tape tape = {words, 6, 0};
            size_t chosen = 9;
            dosi_error err;
            tape_of_list(&w, &tape);
            assert_int_equal(choice_draw(&chosen, distances, 5, 1, 1, false,
                                 true, &w, &err),
                DOSI_OK);
            assert_int_equal(chosen, k);
            assert_int_equal(tape.used, 6); /* all coins are flipped */
            seen++;
        }
    }
}

/* P[i]: sets of heads with i, divided by their size. */
static void exact_flip(double *p, const int64_t *d, size_t n, double c)
{
    for (size_t i = 0; i < n; i++)
        p[i] = 0;
    for (unsigned set = 1; set < 1u << n; set++) {
        double mass = 1;
        int size = 0;
        for (size_t i = 0; i < n; i++) {
            double q = exp(-c * (double)d[i]);
            mass *= set >> i & 1 ? q : 1 - q;
            size += (int)(set >> i & 1);
        }
        for (size_t i = 0; i < n; i++)
            if (set >> i & 1)
                p[i] += mass / size;
    }
}

/* P[chi-square with n degrees of freedom > x] */
static double chi_square_tail(double x, int n)
{
    arb_t s, z;
    arb_init(s);
    arb_init(z);
    arb_set_d(s, n / 2.0);
    arb_set_d(z, x / 2);
    arb_hypgeom_gamma_upper(z, s, z, 1, 100);
    double p = arf_get_d(arb_midref(z), ARF_RND_NEAR);
    arb_clear(s);
    arb_clear(z);
    return p;
}

static void check_drawn(const size_t *counts, const double *p, size_t n,
    size_t n_draws)
{
    double x = 0;
    int cells = 0;
    for (size_t i = 0; i < n; i++) {
        double expected = p[i] * (double)n_draws;
        if (expected < 5)
            continue;
        x += ((double)counts[i] - expected) * ((double)counts[i] - expected) /
             expected;
        cells++;
    }
    assert_true(chi_square_tail(x, cells - 1) > 1e-9);
}

static void test_flip_drawn(void **state)
{
    enum { DRAWS = 200000 };
    static const int64_t a[] = {0, 0, 30}, b[] = {4, 0, 9, 1, 0};
    struct words w;
    double p[5], pb[5];
    size_t counts[5] = {0}, flips[5] = {0};
    dosi_error err;
    (void)state;
    exact_flip(p, a, 3, 0.1 / 2);
    exact_flip(pb, b, 5, 2.0 / 6);
    /* R105-pf.p */
    assert_true(fabs(p[1] - 0.4628116399752616982743) < 1e-15);
    assert_true(fabs(pb[3] - 0.2204447559275784040764) < 1e-15);
    assert_true(fabs(pb[4] - 0.3476833461063415122779) < 1e-15);
    tape_of_key(&w, 105);
    for (int i = 0; i < DRAWS; i++) {
        size_t chosen;
        assert_int_equal(
            choice_draw(&chosen, b, 5, 2, 3, false, true, &w, &err), DOSI_OK);
        counts[chosen]++;
        assert_int_equal(
            choice_draw(&chosen, a, 3, 0.1, 1, false, true, &w, &err),
            DOSI_OK);
        flips[chosen]++;
    }
    check_drawn(counts, pb, 5, DRAWS);
    check_drawn(flips, p, 3, DRAWS);
}

/* ---- Public calls ------------------------------------------------------ */

static bool system_fails;
ssize_t __wrap_getrandom(void *buffer, size_t n, unsigned flags);

/* A system that gives the same bytes in every run: keys of one tape. */
ssize_t __wrap_getrandom(void *buffer, size_t n, unsigned flags)
{
    static uint64_t calls;
    struct words w;
    (void)flags;
    if (system_fails) {
        errno = ENOSYS;
        return -1;
    }
    tape_of_key(&w, 1000 + calls++);
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)buffer)[i] = (unsigned char)words_next(&w);
    return (ssize_t)n;
}

static const dosi_plan *leaf_of(dosi_kind kind, double a, double b, size_t n)
{
    const double parameters[] = {a, b};
    const dosi_plan *leaf = NULL;
    dosi_error err;
    assert_int_equal(
        dosi_plan_new(&leaf, kind, parameters, n, NULL, 0, &err), DOSI_OK);
    return leaf;
}

static void test_public_choice(void **state)
{
    enum { DRAWS = 20000 };
    /* distances beyond 2^63: all but the best have no chance */
    static const int64_t scores[] = {INT64_MIN, 3, INT64_MAX, 0};
    static const int64_t near[] = {-4, 0, -9, -1, 0};
    const dosi_plan *leaf = leaf_of(DOSI_EXPONENTIAL, 2, 0, 1);
    const dosi_plan *pure = leaf_of(DOSI_PURE, 2, 0, 1);
    dosi_release_options options = DOSI_RELEASE_OPTIONS_INIT;
    const dosi_plan *charge = NULL;
    size_t counts[5] = {0}, chosen = 9;
    double p[5], sum = 0;
    dosi_error err;
    (void)state;
    assert_int_equal(dosi_release_choice(&chosen, &charge, scores, 4, leaf, 1,
                         0, NULL, &err),
        DOSI_OK);
    assert_int_equal(chosen, 2);
    assert_true(dosi_plan_equal(charge, leaf));
    dosi_plan_free(charge);
    for (int i = 0; i < DRAWS; i++) {
        assert_int_equal(dosi_release_choice(&chosen, &charge, near, 5, leaf,
                             3, 0, &options, &err),
            DOSI_OK);
        counts[chosen]++;
        dosi_plan_free(charge);
    }
    for (int i = 0; i < 5; i++)
        sum += p[i] = exp((double)near[i] / 3);
    for (int i = 0; i < 5; i++)
        p[i] /= sum;
    check_drawn(counts, p, 5, DRAWS);
    options.permute_and_flip = 1;
    assert_int_equal(dosi_release_choice(&chosen, &charge, near, 5, pure, 3, 1,
                         &options, &err),
        DOSI_OK);
    assert_true(dosi_plan_equal(charge, pure));
    dosi_plan_free(charge);
    dosi_plan_free(leaf);
    dosi_plan_free(pure);
}

/* Everything that is refused, and the n-th of what may fail. */
static void test_public_refusals(void **state)
{
    static const int64_t scores[] = {1, 2};
    const dosi_plan *leaf = leaf_of(DOSI_EXPONENTIAL, 2, 0, 1);
    const dosi_plan *other = leaf_of(DOSI_LAPLACE, 2, 0, 1);
    const dosi_plan *hole = NULL, *charge = NULL;
    dosi_release_options flip = DOSI_RELEASE_OPTIONS_INIT;
    dosi_release_options cells = DOSI_RELEASE_OPTIONS_INIT;
    dosi_release_options size = DOSI_RELEASE_OPTIONS_INIT;
    dosi_release_options timing = DOSI_RELEASE_OPTIONS_INIT;
    dosi_error err;
    size_t chosen;
    (void)state;
    flip.permute_and_flip = 1;
    cells.max_cells = 1;
    size.size = 1000;
    timing.timing = (dosi_timing)7;
    assert_int_equal(dosi_plan_parse(&hole, "exponential(?)", 14, &err),
        DOSI_OK);
    const struct {
        size_t n;
        const dosi_plan *leaf;
        int64_t sensitivity;
        const dosi_release_options *options;
        dosi_status status;
    } cases[] = {
        {0, leaf, 1, NULL, DOSI_EINVAL},
        {2, NULL, 1, NULL, DOSI_EINVAL},
        {2, hole, 1, NULL, DOSI_EINVAL},
        {2, leaf, 0, NULL, DOSI_EINVAL},
        {2, leaf, -1, NULL, DOSI_EINVAL},
        {2, leaf, 1, &cells, DOSI_EINVAL},
        {2, leaf, 1, &size, DOSI_EINVAL},
        {2, leaf, 1, &timing, DOSI_EINVAL},
        {2, other, 1, NULL, DOSI_EUNSUPPORTED},
        {2, leaf, 1, &flip, DOSI_EUNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        chosen = 7;
        charge = leaf;
        assert_int_equal(
            dosi_release_choice(&chosen, &charge, scores, cases[i].n,
                cases[i].leaf, cases[i].sensitivity, 0, cases[i].options,
                &err),
            cases[i].status);
        assert_int_equal(chosen, 0);
        assert_null(charge);
    }
    system_fails = true;
    chosen = 7;
    charge = leaf;
    assert_int_equal(dosi_release_choice(&chosen, &charge, scores, 2, leaf, 1,
                         0, NULL, &err),
        DOSI_EENTROPY);
    assert_int_equal(chosen, 0);
    assert_null(charge);
    system_fails = false;
    dosi_plan_free(leaf);
    dosi_plan_free(other);
    dosi_plan_free(hole);
}

static void test_response(void **state)
{
    enum { DRAWS = 20000 };
    const dosi_plan *leaf = leaf_of(DOSI_RANDOMIZED_RESPONSE, 1, 4, 2);
    const dosi_plan *two = leaf_of(DOSI_RANDOMIZED_RESPONSE, 0, 2, 2);
    const dosi_plan *large =
        leaf_of(DOSI_RANDOMIZED_RESPONSE, 30, 0x1p53, 2);
    const dosi_plan *other = leaf_of(DOSI_LAPLACE, 2, 0, 1);
    size_t counts[4] = {0}, halves[2] = {0}, answer = 9;
    dosi_error err;
    (void)state;
    for (int i = 0; i < DRAWS; i++) {
        assert_int_equal(dosi_release_response(&answer, 2, leaf, &err),
            DOSI_OK);
        counts[answer]++;
        assert_int_equal(dosi_release_response(&answer, 1, two, &err),
            DOSI_OK);
        halves[answer]++;
        assert_int_equal(dosi_release_response(&answer, 77, large, &err),
            DOSI_OK);
        assert_true(answer < (size_t)1 << 53);
    }
    double keep = exp(1) / (exp(1) + 3); /* R105-rr.keep */
    const double p[] = {(1 - keep) / 3, (1 - keep) / 3, keep, (1 - keep) / 3};
    const double half[] = {0.5, 0.5};
    check_drawn(counts, p, 4, DRAWS);
    check_drawn(halves, half, 2, DRAWS);
    /* a truth beyond the categories is the last one */
    size_t last = 0;
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(dosi_release_response(&answer, 99, leaf, &err),
            DOSI_OK);
        last += answer == 3;
    }
    assert_true(fabs((double)last - 2000 * keep) <
        6.1 * sqrt(2000 * keep * (1 - keep)));
    answer = 9;
    assert_int_equal(
        dosi_release_response(&answer, 1, other, &err), DOSI_EUNSUPPORTED);
    assert_int_equal(answer, 0);
    assert_int_equal(dosi_release_response(&answer, 1, NULL, &err),
        DOSI_EINVAL);
    system_fails = true;
    answer = 9;
    assert_int_equal(
        dosi_release_response(&answer, 1, leaf, &err), DOSI_EENTROPY);
    assert_int_equal(answer, 0);
    system_fails = false;
    dosi_plan_free(leaf);
    dosi_plan_free(two);
    dosi_plan_free(large);
    dosi_plan_free(other);
}

static void test_sample(void **state)
{
    uint8_t member[100];
    dosi_error err;
    static const double bad[] = {-0.1, 1.1, NAN, INFINITY};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        memset(member, 1, sizeof member);
        assert_int_equal(
            dosi_sample_poisson(member, 100, bad[i], &err), DOSI_EINVAL);
        for (size_t j = 0; j < 100; j++)
            assert_int_equal(member[j], 0);
    }
    assert_int_equal(dosi_sample_poisson(member, 100, 1, &err), DOSI_OK);
    for (size_t j = 0; j < 100; j++)
        assert_int_equal(member[j], 1);
    system_fails = true;
    assert_int_equal(
        dosi_sample_poisson(member, 100, 1, &err), DOSI_EENTROPY);
    for (size_t j = 0; j < 100; j++)
        assert_int_equal(member[j], 0);
    system_fails = false;
    assert_int_equal(dosi_sample_poisson(NULL, 0, 0.5, &err), DOSI_OK);
    assert_int_equal(dosi_sample_poisson(member, 100, 0, &err), DOSI_OK);
    for (size_t j = 0; j < 100; j++)
        assert_int_equal(member[j], 0);
}

/* ---- Memory that ends -------------------------------------------------- */

/* The n-th allocation fails, n = 1, 2, ..., until none does. */
static void test_memory(void **state)
{
    static const int64_t scores[] = {3, 1, 2};
    const dosi_plan *pure = leaf_of(DOSI_PURE, 2, 0, 1);
    const dosi_plan *rr = leaf_of(DOSI_RANDOMIZED_RESPONSE, 1, 4, 2);
    const dosi_plan *laplace = leaf_of(DOSI_DISCRETE_LAPLACE, 1, 0, 1);
    dosi_error err;
    (void)state;
    for (int call = 0; call < 4; call++) {
        dosi_status status = DOSI_ENOMEM;
        for (long n = 1; status != DOSI_OK; n++) {
            dosi_release_options options = DOSI_RELEASE_OPTIONS_INIT;
            const dosi_plan *charge = NULL;
            size_t chosen = 9;
            int64_t out[] = {9, 9, 9};
            options.permute_and_flip = call == 1;
            options.max_cells = call == 3 ? 2 : 0;
            fail_countdown = n;
            if (call == 2)
                status = dosi_release_response(&chosen, 1, rr, &err);
            else if (call == 3)
                status = dosi_release_values(
                    out, &charge, scores, 3, laplace, 2, &options, &err);
            else
                status = dosi_release_choice(&chosen, &charge, scores, 3,
                    pure, 1, 0, &options, &err);
            fail_countdown = -1;
            assert_true(status == DOSI_OK || status == DOSI_ENOMEM);
            assert_true(n < 40);
            if (status != DOSI_OK) {
                assert_null(charge);
                assert_int_equal(call == 3 ? 0 : chosen, 0);
                assert_true(call != 3 || (out[0] | out[1] | out[2]) == 0);
            }
            dosi_plan_free(charge);
        }
    }
    dosi_plan_free(pure);
    dosi_plan_free(rr);
    dosi_plan_free(laplace);
}

/* All four kinds of released values without entropy: zeros, no charge. */
static void test_values_without_entropy(void **state)
{
    static const dosi_kind kinds[] = {DOSI_GAUSSIAN, DOSI_LAPLACE,
        DOSI_DISCRETE_GAUSSIAN, DOSI_DISCRETE_LAPLACE};
    const int64_t values[] = {1, 2, 3};
    dosi_error err;
    (void)state;
    system_fails = true;
    for (size_t i = 0; i < 4; i++) {
        const dosi_plan *leaf = leaf_of(kinds[i], 2, 0, 1), *charge = leaf;
        int64_t out[] = {7, 7, 7};
        assert_int_equal(dosi_release_values(out, &charge, values, 3, leaf, 2,
                             NULL, &err),
            DOSI_EENTROPY);
        assert_null(charge);
        for (size_t j = 0; j < 3; j++)
            assert_int_equal(out[j], 0);
        dosi_plan_free(leaf);
    }
    system_fails = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_quantile),
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_flip_enumerated),
        cmocka_unit_test(test_flip_drawn),
        cmocka_unit_test(test_public_choice),
        cmocka_unit_test(test_public_refusals),
        cmocka_unit_test(test_response),
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_values_without_entropy),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
