/*
 * Discrete Gaussian noise, sampled or beside Laplace noise, against Arb:
 * every row of tests/oracles/discrete_truth.csv (tests/reference/discrete_truth.c)
 * has an epsilon and ends of its delta. Both tight routes hold it, and what
 * they say together is narrow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/loss_laws.h"
#include "num/ends.h"
#include "noise/discrete_gaussian.h"
#include "list/list.h"
#include "contour/engine/engine.h"

#define MOST_ATOMS 1024

static finite_law *noise(double sigma)
{
    double reach = DISCRETE_GAUSSIAN_FULL_REACH;
    size_t n = discrete_gaussian_window(sigma, 1, reach);
    ball at[2 * MOST_ATOMS];
    assert_true(n > 0 && n <= MOST_ATOMS);
    ball tail = discrete_gaussian_atoms(at, at + n, n, sigma, 1, reach);
    finite_law *out = NULL;
    assert_int_equal(
        finite_from_losses(&out, at, at + n, n, tail, tail, NULL), DOSI_OK);
    return out;
}

static finite_law *sampled(double sigma, double rate, bool add)
{
    finite_law *base = noise(sigma), *out = NULL;
    assert_int_equal(finite_poisson(&out, base, ball_of(rate),
                         add ? FINITE_BASE_FIRST : FINITE_MIXTURE_FIRST, NULL),
        DOSI_OK);
    finite_free(base);
    return out;
}

/* Asks both for epsilon at all deltas between the ends. */
static void check(const char *row, const loss_law *parts, size_t n,
    dosi_interval delta, double epsilon)
{
    work_limits limits = {.width = 1e-6, .max_bytes = WORK_BYTES};
    ball at = ball_of_interval(delta);
    ball log_at = ball_hull(
        ball_log(ball_of(delta.lo)), ball_log(ball_of(delta.hi)));
    dosi_interval v = {0, HUGE_VAL}, w = {0, HUGE_VAL};
    dosi_status status = list_epsilon(&v, parts, n, log_at, &limits, NULL);
    assert_int_equal(status, DOSI_OK);
    contour_engine *s = NULL;
    assert_int_equal(engine_new(&s, parts, n, &limits, NULL), DOSI_OK);
    assert_int_equal(engine_epsilon(&w, s, at, log_at, NULL), DOSI_OK);
    engine_free(s);
    if (!(v.lo <= epsilon && epsilon <= v.hi))
        fail_msg("list: [%.12g, %.12g] misses: %s", v.lo, v.hi, row);
    if (!(w.lo <= epsilon && epsilon <= w.hi))
        fail_msg("contour: [%.12g, %.12g] misses: %s", w.lo, w.hi, row);
    dosi_interval both = iv_meet(v, w);
    double width = delta.lo >= 1e-15 ? 1e-6 : 1e-3;
    if (!(both.hi - both.lo <= width * both.hi))
        fail_msg("[%.12g, %.12g] and [%.12g, %.12g] are too wide: %s", v.lo,
            v.hi, w.lo, w.hi, row);
}

static void check_row(const char *row)
{
    dosi_interval delta;
    char kind[16], way;
    double a[5];
    if (sscanf(row, "%lf,%lf,mixed,%lf,%lf,%lf,%lf,%lf", &delta.lo,
            &delta.hi, a, a + 1, a + 2, a + 3, a + 4) == 7) {
        finite_law *one = noise(a[0]);
        loss_law parts[2] = {loss_of_atoms(one, a[1]),
            loss_of(LOSS_LAPLACE, 1, LOSS_PLAIN, 1, a[3])};
        parts[1].parameter = ball_of(1 / a[2]); /* as the row was made */
        check(row, parts, 2, delta, a[4]);
        finite_free(one);
        return;
    }
    assert_int_equal(sscanf(row, "%lf,%lf,%15[a-z],%lf,%lf,%lf,%c,%lf",
                         &delta.lo, &delta.hi, kind, a, a + 1, a + 2, &way,
                         a + 3),
        8);
    finite_law *one = sampled(a[0], a[1], way == 'a');
    loss_law part = loss_of_atoms(one, a[2]);
    check(row, &part, 1, delta, a[3]);
    finite_free(one);
}

static void rows_hold(void **state)
{
    (void)state;
    char row[512];
    int n = 0;
    FILE *f = fopen(DOSI_TEST_DATA "/oracles/discrete_truth.csv", "r");
    assert_non_null(f);
    while (fgets(row, sizeof row, f) != NULL) {
        if (row[0] == '#')
            continue;
        row[strcspn(row, "\n")] = '\0';
        check_row(row);
        n++;
    }
    fclose(f);
    assert_true(n >= 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
