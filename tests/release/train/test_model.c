/*
 * Model files: written, read back by cJSON and asked again, every number is
 * the same; bytes that are no model are refused without a crash; predictions
 * from arrays and from CSV agree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/json.h"
#include "support/random.h"
#include "support/training_runs.h"

static dosi_model *trained(const char *const *settings, const char *csv)
{
    dosi_error err;
    dosi_model *model = NULL;
    dosi_training *t = run_new(settings, &err);
    if (t == NULL)
        print_error("%s\n", err.message);
    assert_non_null(t);
    assert_int_equal(run_start(t, csv, &err), DOSI_OK);
    assert_int_equal(dosi_training_step(t, 100, &err), DOSI_OK);
    assert_int_equal(dosi_training_model(&model, t, &err), DOSI_OK);
    dosi_training_free(t);
    return model;
}

static char *printed(const dosi_model *model)
{
    size_t length, again;
    assert_int_equal(
        dosi_model_print(NULL, 0, &length, model, NULL), DOSI_OK);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(
        dosi_model_print(text, length + 1, &again, model, NULL), DOSI_OK);
    assert_int_equal(length, again);
    assert_int_equal(strlen(text), length);
    return text;
}

static dosi_status read_back(
    dosi_model **out, const char *text, size_t n, dosi_error *err)
{
    dosi_json_model *parts = NULL;
    *out = NULL;
    dosi_status status = dosi_json_read_model(&parts, text, n, err);
    if (status == DOSI_OK)
        status = dosi_model_new(out, (const char *const *)parts->settings,
            parts->n_settings, parts->parameters, parts->n_parameters, err);
    dosi_json_model_free(parts);
    return status;
}

static const char *const classes[] = {"model mlp:3", "label \"la:bel\"",
    "categories \"la:bel\":a,\"b,c\",\"d\"\"e\"", "feature u:-0.1..4",
    "feature v:1e-300..1e300", "categories w:p,\"q\"", "missing v:0.1",
    "examples 8", "batch 4", "steps 5", "clip 1", "learning-rate 1",
    "noise 1", "delta 1e-5", NULL};
static const char classes_csv[] =
    "u,v,w,la:bel\n1,2,p,a\n3,4,q,\"b,c\"\n0,,r,\"d\"\"e\"\n";
static const char *const number[] = {"model linear", "label y:-5..20",
    "bounds 0..1", "examples 8", "batch 4", "steps 5", "clip 1",
    "learning-rate 1", "noise 1", "delta 1e-5", NULL};
static const char number_csv[] = "a,b,y\n0,1,3\n1,0,7\n0.5,0.5,12\n";

static void assert_round_trip(
    const char *const *settings, const char *csv, const double *rows,
    size_t n_features, size_t n_rows)
{
    dosi_error err;
    dosi_model *model = trained(settings, csv), *copy;
    double first[64], second[64];
    char *text = printed(model);
    assert_non_null(strstr(text, "\"plan\":\"poisson(0.5, gaussian(1)) * 5\""));
    assert_non_null(strstr(text, "INSECURE TEST NOISE"));
    assert_int_equal(read_back(&copy, text, strlen(text), &err), DOSI_OK);
    assert_int_equal(dosi_model_feature_count(copy), n_features);
    assert_string_equal(dosi_model_label(copy), dosi_model_label(model));
    for (size_t i = 0; i < n_features; i++)
        assert_string_equal(
            dosi_model_feature(copy, i), dosi_model_feature(model, i));
    size_t n = dosi_model_output_count(model);
    assert_int_equal(dosi_model_output_count(copy), n);
    assert_int_equal(dosi_model_predict(
                         first, model, rows, n_features, n_rows, &err),
        DOSI_OK);
    assert_int_equal(dosi_model_predict(
                         second, copy, rows, n_features, n_rows, &err),
        DOSI_OK);
    assert_memory_equal(first, second, n * n_rows * sizeof *first);
    assert_true(isfinite(first[0]));
    char *again = printed(copy);
    assert_non_null(strstr(again, strstr(text, "\"layers\"")));
    free(text);
    free(again);
    dosi_model_free(copy);
    dosi_model_free(model);
}

static void test_round_trip(void **state)
{
    (void)state;
    const double rows[] = {1, 2, 0, 3, NAN, 1, -7, 1e308, NAN, 2, 2, 5};
    assert_round_trip(classes, classes_csv, rows, 3, 4);
    assert_round_trip(number, number_csv, rows, 2, 2);
}

/* Probabilities add up; a missing feature without a value gives NaN; the file
 * gives the same numbers as the arrays, in the order of its lines. */
static void test_predictions(void **state)
{
    (void)state;
    dosi_error err;
    dosi_model *model = trained(classes, classes_csv);
    const double rows[] = {1, 2, 0, 3, NAN, 1, NAN, 1, 1};
    double p[9], q[15], labels[5];
    const char csv[] = "x,w,v,la:bel,u\n"
                       "0,p,2,\"b,c\",1\n"
                       "broken\n"
                       "0,q,,zzz,3\n"
                       "0,q,1,a,\n"
                       "\n";
    dosi_model_rows *file = NULL;
    size_t n_rows;
    assert_int_equal(
        dosi_model_predict(p, model, rows, 3, 3, &err), DOSI_OK);
    assert_true(fabs(p[0] + p[1] + p[2] - 1) < 1e-15);
    assert_true(isnan(p[6]) && isnan(p[8]));
    assert_int_equal(
        dosi_model_predict(p, model, rows, 2, 3, &err), DOSI_EINVAL);
    assert_int_equal(
        dosi_model_rows_new(&file, model, 0, NULL, 0, &err), DOSI_OK);
    for (size_t i = 0; csv[i] != '\0'; i++)
        assert_int_equal(
            dosi_model_rows_read_csv(file, csv + i, 1, &err), DOSI_OK);
    assert_int_equal(dosi_model_rows_end(&n_rows, file, &err), DOSI_OK);
    assert_int_equal(n_rows, 5);
    assert_int_equal(
        dosi_model_rows_predict(q, NULL, model, file, &err), DOSI_OK);
    assert_memory_equal(p, q, 3 * sizeof *p);
    assert_true(isnan(q[3]));
    assert_memory_equal(p + 3, q + 6, 3 * sizeof *p);
    assert_true(isnan(q[9]) && isnan(q[12]));
    dosi_model_rows_free(file);
    assert_int_equal(
        dosi_model_rows_new(&file, model, 1, NULL, 0, &err), DOSI_OK);
    assert_int_equal(dosi_model_rows_read_csv(file, csv, strlen(csv), &err),
        DOSI_OK);
    assert_int_equal(dosi_model_rows_end(&n_rows, file, &err), DOSI_OK);
    assert_int_equal(
        dosi_model_rows_predict(q, labels, model, file, &err), DOSI_OK);
    assert_true(labels[0] == 1 && isnan(labels[1]) && isnan(labels[2]));
    dosi_model_rows_free(file);
    dosi_model_free(model);
    /* a number is predicted in its own unit */
    const char *const settings[] = {
        "model linear", "label y:-5..20", "feature a:0..2"};
    const double theta[] = {0.5, 0.125};
    assert_int_equal(
        dosi_model_new(&model, settings, 3, theta, 2, &err), DOSI_OK);
    assert_int_equal(
        dosi_model_predict(p, model, rows, 1, 1, &err), DOSI_OK);
    assert_true(p[0] == -5 + 25 * (0.5 * 0.5 + 0.125));
    dosi_model_free(model);
    assert_int_equal(
        dosi_model_new(&model, settings, 3, theta, 1, &err), DOSI_EINVAL);
    assert_null(model);
}

/* Foreign bytes: cut, changed, exchanged. */
static void test_foreign(void **state)
{
    (void)state;
    prop_random r = {41};
    dosi_error err;
    dosi_model *model = trained(classes, classes_csv), *copy;
    char *text = printed(model);
    size_t n = strlen(text);
    long n_read = 0, times = prop_count(3000);
    for (long i = 0; i < times; i++) {
        char *bad = malloc(n + 1);
        size_t kept = prop_below(&r, 4) ? n : (size_t)prop_below(&r, (int)n);
        assert_non_null(bad);
        memcpy(bad, text, n + 1);
        for (int k = prop_below(&r, 4); k >= 0; k--) {
            size_t at = (size_t)prop_below(&r, (int)n);
            bad[at] = prop_below(&r, 2)
                          ? "0123456789.-,[]{}\"x"[prop_below(&r, 19)]
                          : (char)prop_bits(&r);
        }
        dosi_status status = read_back(&copy, bad, kept, &err);
        assert_true(status == DOSI_OK || status == DOSI_ESYNTAX ||
                    status == DOSI_EINVAL);
        n_read += status == DOSI_OK;
        dosi_model_free(copy);
        free(bad);
    }
    assert_true(n_read > times / 100 && n_read < times);
    free(text);
    dosi_model_free(model);
    static const char *const others[] = {"", "{}", "[]", "null",
        "{\"format\":\"dosimeter model 2\"}",
        "{\"format\":\"dosimeter model 1\",\"model\":\"mlp:1000000,1000000\","
        "\"label\":\"y\",\"classes\":[\"a\",\"b\"],\"features\":[{\"name\":"
        "\"u\",\"lower\":0,\"upper\":1}],\"layers\":[]}"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        dosi_status status =
            read_back(&copy, others[i], strlen(others[i]), &err);
        assert_true(status == DOSI_EINVAL || status == DOSI_ESYNTAX);
        assert_null(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_predictions),
        cmocka_unit_test(test_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
