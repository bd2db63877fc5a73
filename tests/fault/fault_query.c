/*
 * A query from its texts to its answer while the n-th allocation fails, for
 * n = 1, 2, ... until all goes through: every failure is DOSI_ENOMEM, leaves
 * nothing behind and releases nothing.
 *
 * Linked with --wrap for malloc, calloc, realloc and free.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/release.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static long countdown = -1; /* the allocation that fails; -1: none */
static long n_live;         /* allocated and not released */

static int fails(void)
{
    return countdown > 0 && --countdown == 0;
}

void *__wrap_malloc(size_t n)
{
    void *p = fails() ? NULL : __real_malloc(n);
    n_live += p != NULL;
    return p;
}

void *__wrap_calloc(size_t n, size_t size)
{
    void *p = fails() ? NULL : __real_calloc(n, size);
    n_live += p != NULL;
    return p;
}

void *__wrap_realloc(void *old, size_t n)
{
    void *p = fails() ? NULL : __real_realloc(old, n);
    n_live += p != NULL && old == NULL;
    return p;
}

void __wrap_free(void *p)
{
    n_live -= p != NULL;
    __real_free(p);
}

#define MOST 24

/* Plans, so that few questions are asked: none of the first. */
static const struct query_case {
    const char *statistics[MOST], *settings[MOST];
} cases[] = {
    {{"count", "users", "sum x:0..9.5", "sum y:0..10", "mean x:0..9.5",
         "variance x:0..9.5", "histogram s,x", "median y:0..10",
         "quantile y:0..10:1/4", "mode s", "count-bad"},
        {"categories s:a,\"b,c\"", "bins x:0..10:2.5", "user u",
            "max-rows 2", "order o", "user-bounds y:0..30", "where x >= 0",
            "where s != 'q'", "missing y:3", "type o:int64", "level 0.9",
            "plan group(2, discrete_laplace(3)) + discrete_laplace(3) + "
            "laplace(3) + laplace(3) + group(2, discrete_laplace(3)) + "
            "laplace(3) + group(2, discrete_laplace(3)) + laplace(3) + "
            "laplace(3) + group(2, discrete_laplace(3)) + exponential(0.1) + "
            "exponential(0.1) + exponential(0.1) + discrete_laplace(30)"}},
    {{"count", "sum x:0..9.5"},
        {"by s", "categories s:a,b", "epsilon 1", "weight count:2"}},
    {{"histogram t"},
        {"unknown-cells t", "user u", "order o", "max-cells t:2",
            "max-per-cell 1", "delta 1e-6",
            "plan (discrete_laplace(3) + approx(0, 1e-7)) * 2"}},
    {{"count"}, {"epsilon 1", "delta 1e-6", "noise gaussian"}},
};

static size_t length_of(const char *const *texts)
{
    size_t n = 0;
    while (n < MOST && texts[n] != NULL)
        n++;
    return n;
}

static const char data[] = "u,o,x,y,s,t\n"
                           "1,1,2,3,a,north\n"
                           "1,2,5.5,,\"b,c\",south\n"
                           "2,1,9,9,a,\n"
                           ",,,,,\n";

/* Another part of the table, with a person of the first and others. */
static const char more[] = "u,o,x,y,s,t\n"
                           "1,0,1,2,\"b,c\",a town with a longer name\n"
                           "somebody with a longer id,1,2,3,a,north\n"
                           "3,1,2,3,a,north";

/* Whether it went through. */
static bool use(const struct query_case *c)
{
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL, *part = NULL;
    dosi_release *release = NULL;
    dosi_error err = {.message = ""};
    char text[20000];
    size_t length = 0;
    options.settings = c->settings;
    options.n_settings = length_of(c->settings);
    dosi_status status = dosi_table_query_new(
        &query, c->statistics, length_of(c->statistics), &options, &err);
    assert_true((status == DOSI_OK) == (query != NULL));
    if (status == DOSI_OK)
        status = dosi_table_query_read_csv(query, data, strlen(data), &err);
    if (status == DOSI_OK)
        status = dosi_table_query_part(&part, query, &err);
    if (status == DOSI_OK)
        status = dosi_table_query_read_csv(part, more, strlen(more), &err);
    if (status == DOSI_OK)
        status = dosi_table_query_merge(query, part, &err);
    dosi_table_query_free(part);
    if (status == DOSI_OK)
        status = dosi_table_query_finish(&release, query, &err);
    assert_true((status == DOSI_OK) == (release != NULL));
    if (status == DOSI_OK)
        status = dosi_release_print(
            text, sizeof text, &length, release, DOSI_RELEASE_JSON, &err);
    if (status == DOSI_OK)
        status = dosi_table_query_print(
            text, sizeof text, &length, query, DOSI_RELEASE_TEXT, &err);
    dosi_release_free(release);
    dosi_table_query_free(query);
    if (status != DOSI_OK && status != DOSI_ENOMEM)
        fail_msg("%s", err.message);
    return status == DOSI_OK;
}

static void test_query(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool through = false;
        assert_true(use(&cases[i])); /* as it is, first */
        for (long at = 1; !through; at++) {
            long before = n_live;
            countdown = at;
            through = use(&cases[i]);
            countdown = -1;
            assert_int_equal(n_live, before);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_query)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
