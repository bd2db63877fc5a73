/*
 * The envelope of the sampler: heights against Arb, the numbers of 105's
 * table, and that columns and tail cover the graph at every scale.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/finite_pair.h"
#include "release_laws/envelope.h"

static bool is_gaussian(dosi_noise_law law)
{
    return law == DOSI_NOISE_ROUND_GAUSSIAN ||
           law == DOSI_NOISE_DISCRETE_GAUSSIAN;
}

/* y = exp(-y(x)), x = length/scale. */
static void exact_graph(arb_t y, const envelope *e, const arb_t length)
{
    arb_t s;
    arb_init(s);
    arb_set_d(s, e->scale);
    arb_div(y, length, s, PAIR_BITS);
    if (is_gaussian(e->law)) {
        arb_mul(y, y, y, PAIR_BITS);
        arb_mul_2exp_si(y, y, -1);
    }
    arb_neg(y, y);
    arb_exp(y, y, PAIR_BITS);
    arb_clear(s);
}

/* n * ratio */
static void exact_multiple(arb_t y, int64_t n, envelope_ratio ratio)
{
    arb_set_si(y, n);
    arb_mul_si(y, y, ratio.over, PAIR_BITS);
    arb_div_si(y, y, ratio.under, PAIR_BITS);
}

/* h u >= exp(-y(c w)) > (h - 1) u, which is the ceiling; at c = 0 equality. */
static void assert_heights(const envelope *e)
{
    arb_t graph, high;
    arb_init(graph);
    arb_init(high);
    int64_t sum = 1, n = 0, height = 0;
    for (int64_t c = 0; c < e->columns; c++) {
        exact_multiple(high, c, e->width);
        exact_graph(graph, e, high);
        assert_int_equal(envelope_height(&height, e, c, NULL), DOSI_OK);
        exact_multiple(high, height, e->brick);
        assert_true(arb_ge(high, graph) || c == 0);
        exact_multiple(high, height - 1, e->brick);
        assert_true(arb_lt(high, graph));
        sum += height;
    }
    assert_int_equal(envelope_pieces(&n, e, NULL), DOSI_OK);
    assert_int_equal(n, sum);
    arb_clear(graph);
    arb_clear(high);
}

/* Block b of the tail, of height H 2^-b with 2 H t = u w, is above the graph
 * at its left end, for the first blocks. */
static void assert_tail(const envelope *e)
{
    arb_t graph, high, x;
    arb_init(graph);
    arb_init(high);
    arb_init(x);
    for (int64_t b = 0; b < 64; b++) {
        exact_multiple(x, e->columns, e->width);
        exact_multiple(high, b, e->tail);
        arb_add(x, x, high, PAIR_BITS);
        exact_graph(graph, e, x);
        exact_multiple(high, 1, e->brick);
        exact_multiple(x, 1, e->width);
        arb_mul(high, high, x, PAIR_BITS);
        exact_multiple(x, 1, e->tail);
        arb_div(high, high, x, PAIR_BITS);
        arb_mul_2exp_si(high, high, -1 - b);
        assert_true(arb_ge(high, graph));
    }
    assert_true(envelope_tail_is_high(e) && envelope_tail_is_long(e));
    arb_clear(graph);
    arb_clear(high);
    arb_clear(x);
}

static int64_t pieces_of(dosi_noise_law law, double scale, double *proposals)
{
    envelope e = envelope_of(law, scale);
    int64_t n = 0;
    assert_int_equal(envelope_pieces(&n, &e, NULL), DOSI_OK);
    *proposals = ball_mid(envelope_proposals(&e, n));
    assert_true(envelope_tail_is_high(&e) && envelope_tail_is_long(&e));
    return n;
}

static void test_rounded(void **state)
{
    (void)state;
    double proposals = 0;
    assert_int_equal(pieces_of(DOSI_NOISE_ROUND_GAUSSIAN, 5, &proposals), 5377);
    assert_true(fabs(proposals - 1.0474) < 5e-5);
    assert_int_equal(pieces_of(DOSI_NOISE_ROUND_LAPLACE, 5, &proposals), 4677);
    assert_true(fabs(proposals - 1.1418) < 5e-5);
    envelope e = envelope_of(DOSI_NOISE_ROUND_GAUSSIAN, 1);
    assert_heights(&e);
    assert_tail(&e);
    e = envelope_of(DOSI_NOISE_ROUND_LAPLACE, 1);
    assert_heights(&e);
    assert_tail(&e);
}

static const double some_scales[] = {0x1p-6, 0.1, 0.3, 1, 1.1, 2.5, 3.999, 4,
    15.999, 16, 16.001, 31.99, 33.3, 1000, 12345.678, 0x1p30, 0x1.8p39, 0x1p40};

static int64_t bricks_at(double scale)
{
    return envelope_of(DOSI_NOISE_DISCRETE_LAPLACE, scale).brick.under;
}

static void test_discrete(void **state)
{
    (void)state;
    assert_int_equal(bricks_at(nextafter(4, 0)), 4096);
    assert_int_equal(bricks_at(4), 1024);
    assert_int_equal(bricks_at(nextafter(16, 0)), 1024);
    assert_int_equal(bricks_at(16), 256);
    for (size_t i = 0; i < sizeof some_scales / sizeof *some_scales; i++) {
        envelope e =
            envelope_of(DOSI_NOISE_DISCRETE_GAUSSIAN, some_scales[i]);
        assert_heights(&e);
        assert_tail(&e);
        e = envelope_of(DOSI_NOISE_DISCRETE_LAPLACE, some_scales[i]);
        assert_heights(&e);
        assert_tail(&e);
    }
}

/* The ranges of N and of proposals over all scales. */
static void test_ranges(void **state)
{
    (void)state;
    for (double s = 0x1p-6; s <= 0x1p40; s *= 1.09) {
        double p = 0;
        int64_t n = pieces_of(DOSI_NOISE_DISCRETE_GAUSSIAN, s, &p);
        assert_true(n >= 4097 && n <= 22600 && p > 1 && p < 2.01);
        if (s >= 16)
            assert_true(n >= 5370 && n <= 10600 && p < 1.06);
        n = pieces_of(DOSI_NOISE_DISCRETE_LAPLACE, s, &p);
        assert_true(n >= 4097 && n <= 18600 && p > 1 && p < 2.01);
    }
}

/* H = 1/6144 for the rounded Laplace law: X >= log 6144 = 8.723, t >= log 2. */
static void test_tail_conditions(void **state)
{
    (void)state;
    envelope e = envelope_of(DOSI_NOISE_ROUND_LAPLACE, 1);
    e.columns = 139; /* X = 8.6875 */
    assert_false(envelope_tail_is_high(&e));
    e.columns = 140;
    assert_true(envelope_tail_is_high(&e));
    e.tail = (envelope_ratio){693, 1000};
    assert_false(envelope_tail_is_long(&e));
    e.tail = (envelope_ratio){694, 1000};
    assert_true(envelope_tail_is_long(&e));
    /* X t + t^2/2 >= log 2 at X = 9 from t = 0.0767 on */
    e = envelope_of(DOSI_NOISE_ROUND_GAUSSIAN, 1);
    e.tail = (envelope_ratio){76, 1000};
    assert_false(envelope_tail_is_long(&e));
    e.tail = (envelope_ratio){77, 1000};
    assert_true(envelope_tail_is_long(&e));
}

static void test_limits(void **state)
{
    (void)state;
    envelope e = envelope_of(DOSI_NOISE_ROUND_GAUSSIAN, 1);
    int64_t n = 0;
    e.columns = ENVELOPE_MAX_COLUMNS + 1;
    assert_int_equal(envelope_pieces(&n, &e, NULL), DOSI_EUNABLE);
    e.columns = 3;
    e.brick = (envelope_ratio){1, INT64_MAX};
    assert_int_equal(envelope_pieces(&n, &e, NULL), DOSI_EUNABLE);
    e.brick = (envelope_ratio){3, 10}; /* ceil(10/3), ceil(0.998.../0.3) */
    assert_int_equal(envelope_pieces(&n, &e, NULL), DOSI_OK);
    assert_int_equal(n, 4 + 4 + 4 + 1);
    e = envelope_of(DOSI_NOISE_DISCRETE_GAUSSIAN, 0x1p-6);
    e.columns = 100; /* exp(-y) is far below the least double */
    assert_int_equal(envelope_pieces(&n, &e, NULL), DOSI_OK);
    assert_int_equal(n, 4096 + 99 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounded),
        cmocka_unit_test(test_discrete),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_tail_conditions),
        cmocka_unit_test(test_limits),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
