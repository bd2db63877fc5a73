/*
 * Draws of noise on fixed tapes: chi-square tests against Arb's laws that fail
 * below p = 1e-9. DOSI_EFFORT=10 draws 10^7 a law.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/random.h"
#include "release/noise.h"
#include "support/noise_cases.h"
#include "support/noise_truth.h"
#include "support/tape.h"

#define LEAST_P 1e-9

/* Draws n values in parts; what is counted of one is the caller's. */
static void draw_many(const dosi_noise *noise, uint64_t key, long n,
    void (*count)(int64_t k, void *context), void *context)
{
    static struct words w;
    static int64_t values[1 << 12];
    tape_of_key(&w, key);
    for (long done = 0; done < n; done += (long)(sizeof values / 8)) {
        size_t part = (size_t)(n - done) < sizeof values / 8
            ? (size_t)(n - done)
            : sizeof values / 8;
        assert_int_equal(noise_draw(values, part, noise, &w, NULL), DOSI_OK);
        for (size_t i = 0; i < part; i++)
            count(values[i], context);
    }
    assert_int_equal(words_check(&w, NULL), DOSI_OK);
}

/* ---- The law, in cells ------------------------------------------------- */

#define MOST_EDGES 256

struct histogram {
    int64_t edge[MOST_EDGES]; /* bin i is edge[i] <= k < edge[i + 1] */
    int n_edges;
    long observed[MOST_EDGES + 1]; /* below, between, above the edges */
    long low_bits[16];
};

static void count_value(int64_t k, void *context)
{
    struct histogram *h = context;
    int low = 0, high = h->n_edges; /* edges below low are <= k */
    while (low < high) {
        int middle = (low + high) / 2;
        if (h->edge[middle] <= k)
            low = middle + 1;
        else
            high = middle;
    }
    h->observed[low]++;
    h->low_bits[k & 15]++;
}

/* Edges a twentieth of the scale apart, or one apart, out to 4.5 scales. */
static void choose_edges(struct histogram *h, double scale)
{
    for (int i = -90; i <= 90; i++) {
        int64_t edge = (int64_t)floor(scale * i / 20) + (i > 0);
        if (h->n_edges == 0 || edge > h->edge[h->n_edges - 1])
            h->edge[h->n_edges++] = edge;
    }
}

/* Bins with an expectation below 20 are added to their neighbour. */
static double law_p(const struct histogram *h, const struct law_case *c, long n)
{
    double expected = 0, chi = 0;
    long observed = 0;
    int freedom = -1;
    arb_t x;
    arb_init(x);
    for (int i = 0; i <= h->n_edges; i++) {
        if (i == 0) {
            truth_tail(x, c->law, c->scale, 1 - h->edge[0]);
        } else if (i == h->n_edges) {
            truth_tail(x, c->law, c->scale, h->edge[i - 1]);
        } else {
            truth_between(
                x, c->law, c->scale, h->edge[i - 1], h->edge[i]);
        }
        expected += truth_double(x) * (double)n;
        observed += h->observed[i];
        if (expected < 20 && i < h->n_edges)
            continue;
        double off = (double)observed - expected;
        chi += off * off / (expected > 1 ? expected : 1);
        freedom++;
        expected = 0;
        observed = 0;
    }
    arb_clear(x);
    return truth_chi_square_p(chi, freedom);
}

static void check_law(const struct law_case *c, dosi_timing timing, long n)
{
    struct histogram h = {.n_edges = 0};
    dosi_noise *noise;
    assert_int_equal(
        dosi_noise_new(&noise, c->law, c->scale, timing, NULL), DOSI_OK);
    choose_edges(&h, c->scale);
    draw_many(noise, 1000 + (uint64_t)timing, n, count_value, &h);
    double p = law_p(&h, c, n);
    print_message("law %d scale %g timing %d: p = %.3g\n", (int)c->law,
        c->scale, (int)timing, p);
    assert_true(p > LEAST_P);
    if (c->scale > 200) { /* the low bits are uniform within exp(-200) */
        double chi = 0;
        for (int i = 0; i < 16; i++) {
            double off = (double)h.low_bits[i] - (double)n / 16;
            chi += off * off * 16 / (double)n;
        }
        assert_true(truth_chi_square_p(chi, 15) > LEAST_P);
    }
    dosi_noise_free(noise);
}

static void test_laws(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        check_law(&cases[i], DOSI_TIMING_FAST, prop_count(1000000));
        check_law(&cases[i], DOSI_TIMING_CONSTANT, prop_count(200000));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
