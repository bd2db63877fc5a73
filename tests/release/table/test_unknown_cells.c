/*
 * Unknown cells of which an engine returns those with at least c0 rows
 * (R107-6): the threshold and d against exact tails by Arb, and the divergence
 * of the printed cell between all neighbouring counts by exact sums. The
 * control filters without a higher threshold and is not private.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "release/table/query/query_object.h"
#include "support/noise_truth.h"

static const int64_t least_counts[] = {1, 5, 20};

static dosi_table_query *query_of(
    int64_t min_count, int64_t m, const char *noise, const char *neighbours)
{
    char least[32], rows[32];
    const char *statistics[] = {"histogram town"};
    const char *settings[] = {"unknown-cells town", "user id", "order date",
        "max-cells 3", rows, least, "epsilon 1", "delta 1e-6", noise,
        neighbours};
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL;
    dosi_error err = {0};
    snprintf(rows, sizeof rows, "max-per-cell %d", (int)m);
    snprintf(least, sizeof least, "min-count town:%d", (int)min_count);
    options.settings = settings;
    options.n_settings = sizeof settings / sizeof *settings;
    if (dosi_table_query_new(&query, statistics, 1, &options, &err) != DOSI_OK)
        fail_msg("%s", err.message);
    return query;
}

/* P[c + K >= tau] */
static double printed(const struct table_part *part, int64_t c, int64_t tau)
{
    arb_t p;
    arb_init(p);
    truth_tail(p, part->law, part->scale, tau - c);
    double out = truth_double(p);
    arb_clear(p);
    return out;
}

/* ---- The threshold ----------------------------------------------------- */

static void check_threshold(
    int64_t c0, int64_t m, const char *noise, const char *neighbours)
{
    dosi_table_query *query = query_of(c0, m, noise, neighbours);
    const struct table_part *part = &query->statistics[0].parts[0];
    double share = 1e-6 / 2 / (double)part->copies;
    double most = printed(part, c0 - 1 + m, part->tau);
    assert_int_equal(part->copies, strstr(neighbours, "replace") ? 6 : 3);
    assert_int_equal(query->layout.items[part->item].min_count, c0);
    assert_true(most <= part->d && part->d <= most * (1 + 1e-12));
    assert_true(part->d <= share);
    /* and with the threshold below it is more */
    assert_true(printed(part, c0 - 1 + m, part->tau - 1) > share);
    dosi_table_query_free(query);
}

static void test_threshold(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (int64_t m = 1; m <= 4; m += 3) {
            check_threshold(
                least_counts[i], m, "noise laplace", "neighbours add_remove");
            check_threshold(
                least_counts[i], m, "noise gaussian", "neighbours replace");
        }
}

/* The noise and the cost do not depend on c0, and tau rises by c0 - 1. */
static void test_shift(void **state)
{
    (void)state;
    dosi_table_query *all =
        query_of(1, 2, "noise laplace", "neighbours add_remove");
    const struct table_part *a = &all->statistics[0].parts[0];
    for (size_t i = 1; i < 3; i++) {
        dosi_table_query *some = query_of(
            least_counts[i], 2, "noise laplace", "neighbours add_remove");
        const struct table_part *b = &some->statistics[0].parts[0];
        assert_true(a->scale == b->scale && a->d == b->d);
        assert_int_equal(b->tau, a->tau + least_counts[i] - 1);
        assert_true(dosi_plan_equal(all->plan, some->plan));
        dosi_table_query_free(some);
    }
    dosi_table_query_free(all);
}

/* ---- Neighbours -------------------------------------------------------- */

/* P[the cell is printed with v] for a count c. */
static double law_at(
    const struct table_part *part, int64_t c0, int64_t c, int64_t v)
{
    arb_t p;
    if (c < c0)
        return 0;
    arb_init(p);
    truth_between(p, part->law, part->scale, v - c, v - c + 1);
    double out = truth_double(p);
    arb_clear(p);
    return out;
}

/* delta of the outputs for counts c and e at the epsilon of the leaf: the sum
 * of P - e^epsilon Q where that is positive, over values and no output. */
static double divergence(const struct table_part *part, int64_t c0,
    int64_t tau, int64_t c, int64_t e)
{
    double factor = exp((double)(int64_t)part->distance / part->scale);
    double sum = 0;
    int64_t end = tau + (int64_t)(60 * part->scale);
    for (int64_t v = tau; v < end; v++)
        sum += fmax(0, law_at(part, c0, c, v) -
                           factor * law_at(part, c0, e, v) * (1 + 1e-12));
    double none = c < c0 ? 1 : 1 - printed(part, c, tau);
    double other = e < c0 ? 1 : 1 - printed(part, e, tau);
    return sum + fmax(0, none - factor * other);
}

static double worst(const struct table_part *part, int64_t c0, int64_t tau)
{
    int64_t m = (int64_t)part->distance;
    double most = 0;
    for (int64_t c = 0; c <= c0 + 2; c++)
        for (int64_t e = c; e <= c + m; e++) {
            most = fmax(most, divergence(part, c0, tau, c, e));
            most = fmax(most, divergence(part, c0, tau, e, c));
        }
    return most;
}

static void test_neighbours(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        int64_t c0 = least_counts[i];
        dosi_table_query *query =
            query_of(c0, 2, "noise laplace", "neighbours add_remove");
        const struct table_part *part = &query->statistics[0].parts[0];
        double right = worst(part, c0, part->tau);
        assert_true(right <= part->d * (1 + 1e-9));
        assert_true(right >= part->d * (1 - 1e-9)); /* it is attained */
        /* the control: HAVING with the threshold of all cells */
        double wrong = worst(part, c0, part->tau - (c0 - 1));
        assert_true(c0 == 1 ? wrong == right : wrong > 1.2 * part->d);
        dosi_table_query_free(query);
    }
}

/* ---- Refusals ---------------------------------------------------------- */

static void refused(const char *setting, const char *cells, const char *why)
{
    const char *statistics[] = {"histogram town"};
    const char *settings[] = {cells, "user id", "order date", "max-cells 3",
        "max-per-cell 1", setting, "epsilon 1", "delta 1e-6"};
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL;
    dosi_error err = {0};
    options.settings = settings;
    options.n_settings = sizeof settings / sizeof *settings;
    assert_int_equal(dosi_table_query_new(
                         &query, statistics, 1, &options, &err),
        DOSI_EINVAL);
    assert_null(query);
    assert_string_equal(err.message, why);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("min-count 0", "unknown-cells town",
        "min-count: must be a whole number from 1 to 1000000000, got \"0\"");
    refused("min-count other:5", "unknown-cells town",
        "min-count other: no statistic is limited by it");
    refused("min-count 5", "categories town:a,b",
        "min-count: no statistic is limited by it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_shift), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
