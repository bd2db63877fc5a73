/*
 * The n-th allocation of a training run fails, for n = 1, 2, ... until it
 * succeeds: every failure is DOSI_ENOMEM, leaks nothing, and a model is whole
 * or not there. From settings over CSV, people and steps to a model file that
 * is read back and predicts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/json.h"
#include "support/fail_alloc.h"
#include "support/training_runs.h"

/* Everybody in one step: the accountant answers such plans at once. */
static const char *const by_rows[] = {"model mlp:3,2", "label y",
    "categories y:a,\"b,c\"", "feature u:0..4", "categories w:p,q",
    "missing u:1", "user id", "max-rows 2", "order day", "examples 8",
    "batch 8", "steps 1", "clip 1", "learning-rate 1", "noise 1",
    "delta 1e-5", NULL};
static const char *const subsets[] = {"model linear", "label u:0..4",
    "categories w:p,q", "user id", "unit user", "sampler without_replacement",
    "examples auto", "batch 2", "steps 1", "clip 1", "learning-rate 1",
    "noise 1", "delta 1e-5", NULL};
static const char csv[] = "id,day,u,w,y\nA,1,2,p,a\nB,,,q,\"b,c\"\n\n";

static dosi_status train(
    dosi_model **model, const char *const *settings, dosi_error *err)
{
    dosi_training *t = run_new(settings, err);
    *model = NULL;
    if (t == NULL)
        return err->status;
    dosi_status status = run_start(t, csv, err);
    if (status == DOSI_OK)
        status = dosi_training_step(t, 2, err);
    if (status == DOSI_OK)
        status = dosi_training_model(model, t, err);
    dosi_training_free(t);
    return status;
}

static dosi_status print_and_read(
    dosi_model **copy, const dosi_model *model, dosi_error *err)
{
    static char text[20000];
    dosi_json_model *parts = NULL;
    size_t length;
    *copy = NULL;
    dosi_status status =
        dosi_model_print(text, sizeof text, &length, model, err);
    if (status == DOSI_OK)
        status = dosi_json_read_model(&parts, text, length, err);
    if (status == DOSI_OK)
        status = dosi_model_new(copy, (const char *const *)parts->settings,
            parts->n_settings, parts->parameters, parts->n_parameters, err);
    dosi_json_model_free(parts);
    return status;
}

static dosi_status predict(const dosi_model *model, dosi_error *err)
{
    dosi_model_rows *rows = NULL;
    double out[16];
    size_t n;
    dosi_status status = dosi_model_rows_new(&rows, model, 1, NULL, 0, err);
    if (status == DOSI_OK)
        status = dosi_model_rows_read_csv(rows, csv, strlen(csv), err);
    if (status == DOSI_OK)
        status = dosi_model_rows_end(&n, rows, err);
    if (status == DOSI_OK)
        status = dosi_model_rows_predict(out, NULL, model, rows, err);
    dosi_model_rows_free(rows);
    return status;
}

static void test_allocations(void **state)
{
    (void)state;
    static const char *const *const runs[] = {by_rows, subsets};
    for (size_t i = 0; i < 2; i++) {
        dosi_status status = DOSI_ENOMEM;
        long n = 0;
        while (status != DOSI_OK) {
            dosi_model *model = NULL, *copy = NULL;
            dosi_error err = {.status = DOSI_OK};
            fail_countdown = ++n;
            status = train(&model, runs[i], &err);
            if (status == DOSI_OK)
                status = print_and_read(&copy, model, &err);
            if (status == DOSI_OK)
                status = predict(copy, &err);
            bool had_failed = fail_countdown == 0;
            fail_countdown = -1;
            if (status != DOSI_OK && status != DOSI_ENOMEM)
                print_error("%ld: %s\n", n, err.message);
            assert_true(status == DOSI_OK || status == DOSI_ENOMEM);
            /* The accountant goes on without memory for a wider answer. */
            assert_true(status == DOSI_OK || had_failed);
            if (status == DOSI_OK && had_failed)
                status = DOSI_ENOMEM; /* go on with the next one */
            dosi_model_free(copy);
            dosi_model_free(model);
        }
        assert_true(n > 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
