/*
 * Queries in the library: shares of epsilon as exact rationals, what may be
 * called when, and the law of a released count on two neighbours.
 */
#include <gmp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/release.h"
#include "support/random.h"
#include "release/entropy/words.h"

#define MOST 16

struct texts {
    const char *statistics[MOST], *settings[MOST];
    size_t n_statistics, n_settings;
};

static dosi_status make(
    dosi_table_query **out, const struct texts *t, dosi_error *err)
{
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    options.settings = t->settings;
    options.n_settings = t->n_settings;
    return dosi_table_query_new(
        out, t->statistics, t->n_statistics, &options, err);
}

/* ---- Shares ------------------------------------------------------------ */

/* Adds what a plan of pure leaves loses, exactly. */
static void add_loss(mpq_t sum, const dosi_plan *plan, double factor)
{
    mpq_t part, times;
    dosi_kind kind = dosi_plan_kind(plan);
    if (kind == DOSI_COMPOSE) {
        for (size_t i = 0; i < dosi_plan_child_count(plan); i++)
            add_loss(sum, dosi_plan_child(plan, i), factor);
        return;
    }
    if (kind == DOSI_GROUP || kind == DOSI_REPEAT) {
        add_loss(sum, dosi_plan_child(plan, 0),
            factor * dosi_plan_parameter(plan, 0));
        return;
    }
    mpq_init(part);
    mpq_init(times);
    mpq_set_d(part, dosi_plan_parameter(plan, 0));
    mpq_set_d(times, factor);
    if (kind != DOSI_EXPONENTIAL) {
        assert_true(kind == DOSI_LAPLACE || kind == DOSI_DISCRETE_LAPLACE);
        mpq_inv(part, part);
    }
    mpq_mul(part, part, times);
    mpq_add(sum, sum, part);
    mpq_clear(part);
    mpq_clear(times);
}

static void check_shares(const struct texts *t, double epsilon)
{
    dosi_table_query *query = NULL;
    dosi_error err = {0};
    mpq_t sum, most;
    if (make(&query, t, &err) != DOSI_OK)
        fail_msg("%s", err.message);
    mpq_init(sum);
    mpq_init(most);
    add_loss(sum, dosi_table_query_plan(query), 1);
    mpq_set_d(most, epsilon);
    assert_true(mpq_cmp(sum, most) <= 0);
    /* and little of it is left over */
    assert_true(mpq_get_d(sum) >= epsilon * (1 - 1e-14));
    mpq_clear(sum);
    mpq_clear(most);
    dosi_table_query_free(query);
}

static double uniform(prop_random *r)
{
    return (double)(prop_bits(r) >> 11) * 0x1p-53;
}

static void test_shares(void **state)
{
    (void)state;
    prop_random rng = prop_start("test_table_query");
    for (int i = 0; i < 200; i++) {
        char epsilon[64], weights[4][80];
        double e = exp(uniform(&rng) * 8 - 6);
        struct texts t = {
            .statistics = {"count", "sum x:-3..1000", "mean y:0..10",
                "variance z:0..5", "histogram s", "median x:0..100",
                "count-bad"},
            .n_statistics = 7,
            .settings = {epsilon, "categories s:a,b,c", "user id", "order t",
                "max-rows 3", "max-cells 2", "max-per-cell 5", weights[0],
                weights[1], weights[2], weights[3]},
            .n_settings = 11};
        const char *names[] = {"count", "sum.x", "mean.y", "histogram.s"};
        if (i % 4 >= 2)
            t.n_settings = 7; /* without weights: their sum is exact */
        if (i % 2 == 1)
            t.settings[t.n_settings++] = "neighbours replace";
        char number[DOSI_NUMBER_BYTES];
        dosi_print_exact(number, e);
        snprintf(epsilon, sizeof epsilon, "epsilon %s", number);
        for (int j = 0; j < 4; j++) {
            dosi_print_exact(number, exp(uniform(&rng) * 4 - 2));
            snprintf(weights[j], sizeof weights[j], "weight %s:%s", names[j],
                number);
        }
        e = strtod(epsilon + 8, NULL);
        check_shares(&t, e);
    }
}

/* With a delta the certified end is within epsilon, and close to it. */
static void test_delta(void **state)
{
    (void)state;
    static const char *const noises[] = {"noise laplace", "noise gaussian"};
    static const char *const relations[] = {
        "neighbours add_remove", "neighbours replace"};
    for (int i = 0; i < 4; i++) {
        struct texts t = {.statistics = {"count", "histogram s", "sum x:0..9"},
            .n_statistics = 3,
            .settings = {"epsilon 0.7", "delta 1e-7", "unknown-cells s",
                noises[i % 2], relations[i / 2]},
            .n_settings = 5};
        dosi_table_query *query = NULL;
        dosi_answer answer;
        dosi_options options = DOSI_OPTIONS_INIT;
        dosi_error err = {0};
        if (make(&query, &t, &err) != DOSI_OK)
            fail_msg("%s", err.message);
        options.neighbours = i / 2 ? DOSI_REPLACE : DOSI_ADD_REMOVE;
        assert_int_equal(dosi_epsilon_at_delta(&answer,
                             dosi_table_query_plan(query), 1e-7, &options,
                             &err),
            DOSI_OK);
        assert_true(answer.value.hi <= 0.7);
        /* d of a threshold jumps where tau does, so not to the last digit */
        assert_true(answer.value.hi >= 0.7 * (1 - 1e-2));
        dosi_table_query_free(query);
    }
}

/* ---- Stopping ---------------------------------------------------------- */

struct stopper {
    long n_asked, limit; /* says stop from here on */
};

static int is_over(void *context)
{
    struct stopper *s = context;
    return ++s->n_asked > s->limit;
}

static dosi_status make_until(struct stopper *s, dosi_error *err)
{
    struct texts t = {.statistics = {"count", "sum x:0..9", "mean y:0..7"},
        .n_statistics = 3,
        .settings = {"epsilon 0.7", "delta 1e-7", "weight count:0.3"},
        .n_settings = 3};
    dosi_options accounting = DOSI_OPTIONS_INIT;
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL;
    accounting.stop = is_over;
    accounting.stop_context = s;
    accounting.width = 1e-300; /* not read: no duty of the search */
    options.settings = t.settings;
    options.n_settings = t.n_settings;
    options.accounting = &accounting;
    dosi_status status = dosi_table_query_new(
        &query, t.statistics, t.n_statistics, &options, err);
    assert_true((status == DOSI_OK) == (query != NULL));
    if (query != NULL) { /* as without a stop */
        dosi_table_query *plain = NULL;
        assert_int_equal(make(&plain, &t, err), DOSI_OK);
        assert_true(dosi_plan_equal(
            dosi_table_query_plan(query), dosi_table_query_plan(plain)));
        dosi_table_query_free(plain);
    }
    dosi_table_query_free(query);
    return status;
}

/* Wherever the search is stopped, it makes no query, and soon. */
static void test_stop(void **state)
{
    (void)state;
    struct stopper all = {0, 1L << 60};
    dosi_error err = {0};
    assert_int_equal(make_until(&all, &err), DOSI_OK);
    assert_true(all.n_asked > 20);
    for (long at = 0; at < all.n_asked; at += 1 + at / 8) {
        struct stopper s = {0, at};
        assert_int_equal(make_until(&s, &err), DOSI_EUNABLE);
        assert_non_null(strstr(err.message, "was stopped"));
        assert_true(s.n_asked <= at + 100);
    }
    /* options of a caller that knows no accounting */
    const char *count = "count", *epsilon = "epsilon 1";
    dosi_table_options old = {
        offsetof(dosi_table_options, accounting), &epsilon, 1,
        (const dosi_options *)(uintptr_t)8};
    dosi_table_query *query = NULL;
    assert_int_equal(
        dosi_table_query_new(&query, &count, 1, &old, &err), DOSI_OK);
    dosi_table_query_free(query);
}

/* ---- Order of calls ---------------------------------------------------- */

static void test_once(void **state)
{
    (void)state;
    struct texts t = {.statistics = {"count"}, .n_statistics = 1,
        .settings = {"epsilon 1"}, .n_settings = 1};
    dosi_table_query *query = NULL;
    dosi_release *release = NULL, *again = NULL;
    dosi_error err = {0};
    char text[4096];
    size_t length;
    assert_int_equal(make(&query, &t, &err), DOSI_OK);
    assert_int_equal(
        dosi_table_query_read_csv(query, "x\n1\n2", 5, &err), DOSI_OK);
    assert_int_equal(
        dosi_table_query_check(
            text, sizeof text, &length, query, DOSI_RELEASE_TEXT, &err),
        DOSI_EINVAL);
    assert_int_equal(dosi_table_query_finish(&release, query, &err), DOSI_OK);
    assert_int_equal(
        dosi_table_query_finish(&again, query, &err), DOSI_EINVAL);
    assert_null(again);
    assert_int_equal(
        dosi_table_query_read_csv(query, "1\n", 2, &err), DOSI_EINVAL);
    dosi_table_query_free(query); /* the release lives on */
    assert_int_equal(dosi_release_row_count(release), 1);
    dosi_release_row row = dosi_release_row_at(release, 0);
    assert_string_equal(row.name, "count");
    assert_null(row.cell);
    assert_true(atol(row.lower) < atol(row.value));
    assert_true(atol(row.value) < atol(row.upper));
    assert_true(dosi_release_cost_of(release).epsilon.hi == 1);
    assert_true(dosi_release_assumption_count(release) >= 2);
    static const dosi_release_form forms[] = {
        DOSI_RELEASE_TEXT, DOSI_RELEASE_JSON, DOSI_RELEASE_CSV};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(dosi_release_print(text, sizeof text, &length,
                             release, forms[i], &err),
            DOSI_OK);
        assert_int_equal(length, strlen(text));
        assert_non_null(strstr(text, words_warning()));
        assert_non_null(strstr(text, row.value));
    }
    dosi_release_free(release);
}

/* ---- The law ----------------------------------------------------------- */

/* How often a count of n rows comes out as at least one more than 3. */
static int count_large(size_t n, const char *epsilon, int n_runs)
{
    struct texts t = {.statistics = {"count"}, .n_statistics = 1,
        .settings = {epsilon}, .n_settings = 1};
    int n_large = 0;
    for (int i = 0; i < n_runs; i++) {
        dosi_table_query *query = NULL;
        dosi_release *release = NULL;
        dosi_error err = {0};
        assert_int_equal(make(&query, &t, &err), DOSI_OK);
        assert_int_equal(dosi_table_query_read_csv(
                             query, "x\n1\n1\n1\n1\n", 2 + 2 * n,
                             &err),
            DOSI_OK);
        assert_int_equal(
            dosi_table_query_finish(&release, query, &err), DOSI_OK);
        n_large += atol(dosi_release_row_at(release, 0).value) >= 4;
        dosi_release_free(release);
        dosi_table_query_free(query);
    }
    return n_large;
}

/* The ends of p with n_hits of n, each wrong with probability 1e-10, by
 * Hoeffding: |p - n_hits / n| <= sqrt(log(1e10) / (2 n)). */
static double slack(int n)
{
    return sqrt(log(1e10) / (2.0 * n));
}

static void test_neighbours(void **state)
{
    (void)state;
    enum { RUNS = 3000 };
    double p = (double)count_large(4, "epsilon 1", RUNS) / RUNS;
    double q = (double)count_large(3, "epsilon 1", RUNS) / RUNS;
    assert_true(p - slack(RUNS) <= exp(1) * (q + slack(RUNS)));
    /* p = 1/(1 + 1/e), q = 1/(1 + e) */
    assert_true(fabs(p - 0.731058578630) <= slack(RUNS));
    assert_true(fabs(q - 0.268941421370) <= slack(RUNS));
    /* the control: noise for epsilon 1 is not private with 0.3 */
    bool is_private = p - slack(RUNS) <= exp(0.3) * (q + slack(RUNS));
    assert_true(!is_private);
}

static int count_printed(const struct texts *t, const char *csv, int n_runs)
{
    int n_printed = 0;
    for (int i = 0; i < n_runs; i++) {
        dosi_table_query *query = NULL;
        dosi_release *release = NULL;
        dosi_error err = {0};
        if (make(&query, t, &err) != DOSI_OK)
            fail_msg("%s", err.message);
        assert_int_equal(
            dosi_table_query_read_csv(query, csv, strlen(csv), &err), DOSI_OK);
        assert_int_equal(
            dosi_table_query_finish(&release, query, &err), DOSI_OK);
        n_printed += dosi_release_row_count(release) == 1;
        dosi_release_free(release);
        dosi_table_query_free(query);
    }
    return n_printed;
}

/* A cell of one person is printed with probability P[1 + K >= tau]; here
 * tau = 2, and P[K >= 1] = (1/e) / (1 + 1/e). */
static void test_lone_cell(void **state)
{
    (void)state;
    enum { RUNS = 2000 };
    struct texts t = {.statistics = {"histogram t"}, .n_statistics = 1,
        .settings = {"unknown-cells t", "delta 0.5",
            "plan discrete_laplace(1) + approx(0, 0.4)"},
        .n_settings = 3};
    double p = (double)count_printed(&t, "t\na\n", RUNS) / RUNS;
    assert_true(fabs(p - 0.268941421370) <= slack(RUNS));
    /* with at least 3 rows: 2 are never printed, 3 as 1 was */
    t.settings[t.n_settings++] = "min-count 3";
    assert_int_equal(count_printed(&t, "t\na\na\n", 300), 0);
    p = (double)count_printed(&t, "t\na\na\na\n", RUNS) / RUNS;
    assert_true(fabs(p - 0.268941421370) <= slack(RUNS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shares),
        cmocka_unit_test(test_delta), cmocka_unit_test(test_stop),
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_lone_cell)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
