/*
 * Training runs: what is refused before data, records that never change a
 * status, the same sums from chunks and arrays, who counts among users, the
 * plan that is charged, and the law of a step with rate 1.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"
#include "release/train/train_run.h"
#include "support/training_runs.h"

/* ---- Bad usage ---------------------------------------------------------- */

/* Settings of a run that is good, with one replaced, removed (the name alone)
 * or added. */
static const char *const good[] = {"model softmax", "label y",
    "categories y:a,b,c", "bounds 0..4", "examples 8", "batch 4", "steps 3",
    "clip 1", "learning-rate 1", "noise 1", "delta 1e-5", NULL};

static dosi_training *changed(const char *change, dosi_error *err)
{
    const char *settings[RUN_MOST_SETTINGS];
    size_t n = 0, length = strcspn(change, " ");
    bool done = *change == '\0';
    for (size_t i = 0; good[i] != NULL; i++) {
        bool is_same = strncmp(good[i], change, length) == 0 &&
                       good[i][length] == ' ' && !done;
        if (!is_same)
            settings[n++] = good[i];
        else if (change[length] == ' ')
            settings[n++] = change;
        done = done || is_same;
    }
    if (!done)
        settings[n++] = change;
    settings[n] = NULL;
    return run_new(settings, err);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *change;
        dosi_status status;
        const char *says;
    } cases[] = {
        {"model", DOSI_EINVAL, "missing model"},
        {"model tree", DOSI_EINVAL, "model needs"},
        {"model mlp:", DOSI_EINVAL, "model needs"},
        {"model mlp:0", DOSI_EINVAL, "model needs"},
        {"model mlp:3,4,5", DOSI_EINVAL, "model needs"},
        {"model linear", DOSI_EINVAL, "needs bounds, as C:LO..HI"},
        {"model logistic", DOSI_EINVAL, "two categories, got 3"},
        {"label", DOSI_EINVAL, "missing label"},
        {"label y:0..1", DOSI_EINVAL, "either bounds or categories"},
        {"label y:1..0", DOSI_EINVAL, "label needs"},
        {"categories", DOSI_EINVAL, "missing categories"},
        {"categories y:a", DOSI_EINVAL, "missing categories"},
        {"categories y:a,a", DOSI_EINVAL, "equal names"},
        {"categories y:a,,b", DOSI_EINVAL, "empty or equal names"},
        {"categories y:a,\"b", DOSI_EINVAL, "categories needs"},
        {"bounds", DOSI_EINVAL, "missing bounds"},
        {"bounds 4..0", DOSI_EINVAL, "LO < HI"},
        {"bounds 0..nan", DOSI_EINVAL, "bounds needs"},
        {"bounds 0..1e999", DOSI_EINVAL, "bounds needs"},
        {"feature y:0..1", DOSI_EINVAL, "is no feature"},
        {"examples", DOSI_EINVAL, "missing examples"},
        {"examples auto", DOSI_EUNSUPPORTED, "number of rows"},
        {"examples 3", DOSI_EINVAL, "exceeds the 3 examples"},
        {"examples 0", DOSI_EINVAL, "examples needs"},
        {"examples 8.5", DOSI_EINVAL, "examples needs"},
        {"batch", DOSI_EINVAL, "missing batch"},
        {"steps", DOSI_EINVAL, "missing steps or epochs"},
        {"epochs 3", DOSI_EINVAL, "either steps or epochs"},
        {"clip", DOSI_EINVAL, "missing clip"},
        {"clip 0", DOSI_EINVAL, "clip needs"},
        {"clip -1", DOSI_EINVAL, "clip needs"},
        {"learning-rate", DOSI_EINVAL, "missing learning-rate"},
        {"noise", DOSI_EINVAL, "missing epsilon"},
        {"noise 0", DOSI_EINVAL, "noise needs"},
        {"noise 1e-10", DOSI_EINVAL, "scale"},
        {"epsilon 1", DOSI_EINVAL, "either noise or epsilon"},
        {"delta", DOSI_EINVAL, "missing delta"},
        {"delta 1", DOSI_EINVAL, "delta needs"},
        {"delta 0", DOSI_EINVAL, "delta needs"},
        {"sampler shuffle", DOSI_EINVAL, "sampler needs"},
        {"neighbours replace", DOSI_EUNSUPPORTED, "add_remove"},
        {"neighbours zero_out", DOSI_EUNSUPPORTED, "not implemented"},
        {"max-rows 2", DOSI_EINVAL, "need user"},
        {"unit user", DOSI_EINVAL, "need user"},
        {"user id", DOSI_EINVAL, "max-rows, or unit user"},
        {"no-header", DOSI_EINVAL, "columns N"},
        {"delimiter ;;", DOSI_EINVAL, "one character"},
        {"decimal ,", DOSI_EINVAL, "the same byte"},
        {"decimal ;", DOSI_EINVAL, "\".\" or \",\""},
        {"model ", DOSI_EINVAL, "mlp:H"},
        {"unit people", DOSI_EINVAL, "row or user"},
        {"resume", DOSI_EINVAL, "need checkpoint"},
        {"momentum 1", DOSI_EINVAL, "below 1"},
        {"grid-bits 31", DOSI_EINVAL, "12 to 30"},
        {"label2 x", DOSI_EINVAL, "no setting"},
        {"missing x:nan", DOSI_EINVAL, "missing needs"},
    };
    dosi_error err;
    dosi_training *t = changed("", &err);
    assert_non_null(t);
    dosi_training_free(t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        err.message[0] = '\0';
        t = changed(cases[i].change, &err);
        if (t != NULL || err.status != cases[i].status ||
            strstr(err.message, cases[i].says) == NULL)
            print_error("%s: %d %s\n", cases[i].change, (int)err.status,
                err.message);
        assert_null(t);
        assert_int_equal(err.status, cases[i].status);
        assert_non_null(strstr(err.message, cases[i].says));
    }
}

static void test_header(void **state)
{
    (void)state;
    static const struct {
        const char *header, *says;
    } cases[] = {
        {"", "there is no header"},
        {"a,b\n", "there is no column \"y\""},
        {"y\n", "besides the label"},
        {"a,y,y\n", "two columns \"y\""},
        {"a,\"y\n", "not a line of CSV"},
    };
    dosi_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dosi_training *t = changed("", &err);
        assert_int_equal(
            run_start(t, cases[i].header, &err), DOSI_EINVAL);
        assert_non_null(strstr(err.message, cases[i].says));
        assert_int_equal(dosi_training_step(t, 1, &err), DOSI_EINVAL);
        dosi_training_free(t);
    }
}

/* ---- Records ------------------------------------------------------------ */

#define MAX_PARAMETERS 64

/* Parameters after all steps, on a CSV text handed over in chunks. */
static size_t train_csv(double *out, const char *const *settings,
    const char *csv, size_t n, size_t chunk)
{
    dosi_training_report report;
    dosi_error err;
    dosi_training *t = run_new(settings, &err);
    if (t == NULL)
        print_error("%s\n", err.message);
    assert_non_null(t);
    for (size_t at = 0; at < n; at += chunk)
        assert_int_equal(dosi_training_read_csv(t, csv + at,
                             n - at < chunk ? n - at : chunk, &err),
            DOSI_OK);
    dosi_status status = dosi_training_start(t, &err);
    if (status != DOSI_OK)
        print_error("%s\n", err.message);
    assert_int_equal(status, DOSI_OK);
    assert_int_equal(dosi_training_step(t, 1000, &err), DOSI_OK);
    dosi_training_state(&report, t);
    assert_int_equal(report.n_used, report.n_steps);
    assert_true(report.n_parameters <= MAX_PARAMETERS);
    memcpy(out, report.parameters, report.n_parameters * sizeof *out);
    dosi_training_free(t);
    return report.n_parameters;
}

static void assert_same(const char *const *settings, const char *a,
    const char *b)
{
    double x[MAX_PARAMETERS], y[MAX_PARAMETERS];
    size_t n = train_csv(x, settings, a, strlen(a), 1000);
    assert_int_equal(train_csv(y, settings, b, strlen(b), 1000), n);
    assert_memory_equal(x, y, n * sizeof *x);
}

/* All in every sample, so that the sums alone tell runs apart. */
static const char *const everybody[] = {"model softmax", "label y",
    "categories y:a,\"b,c\",d", "feature u:0..4", "feature v:-1..1",
    "categories w:p,q", "missing v:0.5", "examples 8", "batch 8", "steps 3",
    "clip 1", "learning-rate 1", "noise 1", "delta 1e-5", NULL};

static void test_records(void **state)
{
    (void)state;
    const char *plain = "u,v,w,y,other\n"
                        "1,0.5,p,a,7\n"
                        "2,0.25,q,d,x\n"
                        "4,-1,q,\"b,c\",\n";
    /* quotes, CR, blanks, exponents, order of columns and rows, values
     * beyond bounds */
    assert_same(everybody, plain,
        "\xef\xbb\xbfy,u,v,w\r\n"
        "d,\" 2.0 \",25e-2,\"q\"\r\n"
        "\"b,c\",1e30,-7,q\r\n"
        "\"a\",1,+.5,p");
    /* lines that are no row, and records that count for nothing */
    assert_same(everybody, plain,
        "u,v,w,y,other\n\n"
        "1,0.5,p,a,7\n"
        "\"1,0.5,p,a,7\n"
        "1,0.5,p,a\n"
        "1,0.5,p,a,7,8\n"
        "\"1\"x,0.5,p,a,7\n"
        "\"1\"x0.5,p,a,7\n"
        ",0.5,p,a,7\n"
        "nan,0.5,p,a,7\n"
        "inf,0.5,p,a,7\n"
        "0x10,0.5,p,a,7\n"
        "1 000,0.5,p,a,7\n"
        "1,0.5,p,A,7\n"
        "1,0.5,p,,7\n"
        "2,0.25,q,d,x\n"
        "4,-1,q,\"b,c\",\n"
        ",,,,\n");
    /* a declared value stands for a missing one */
    assert_same(everybody, plain,
        "u,v,w,y,other\n1,,p,a,7\n2,0.25,q,d,x\n4,-1,q,\"b,c\",\n");
    /* a value in no category has no input */
    double x[MAX_PARAMETERS], y[MAX_PARAMETERS];
    const char *none = "u,v,w,y\n1,0,r,a\n";
    size_t n = train_csv(x, everybody, none, strlen(none), 1);
    const char *p = "u,v,w,y\n1,0,p,a\n";
    train_csv(y, everybody, p, strlen(p), 1);
    assert_true(memcmp(x, y, n * sizeof *x) != 0);
    assert_same(everybody, none, "u,v,w,y\n1,0,,a\n");
}

static void test_chunks(void **state)
{
    (void)state;
    const char *csv = "u,v,w,y\n1,0.5,p,a\r\n\"2\",0.25,q,d\n\n4,-1,q,"
                      "\"b,c\"\n3,,p,a";
    double whole[MAX_PARAMETERS], parts[MAX_PARAMETERS];
    size_t n = train_csv(whole, everybody, csv, strlen(csv), 10000);
    for (size_t chunk = 1; chunk < 40; chunk++) {
        train_csv(parts, everybody, csv, strlen(csv), chunk);
        assert_memory_equal(whole, parts, n * sizeof *whole);
    }
    /* a line beyond a million bytes is no row, however it arrives */
    size_t size = 1100000 + 100;
    char *longer = malloc(size);
    assert_non_null(longer);
    int head = snprintf(longer, size, "u,v,w,y\n1,0.5,p,a\n\"2\",0.25,q,d\n"
                                      "4,-1,q,\"b,c\"\n3,,p,a\n");
    memset(longer + head, '1', 1100000);
    memcpy(longer + head + 1100000, ",0,p,a\n", 7);
    train_csv(parts, everybody, longer, (size_t)head + 1100007, 4096);
    assert_memory_equal(whole, parts, n * sizeof *whole);
    free(longer);
}

static void test_other_files(void **state)
{
    (void)state;
    const char *const foreign[] = {"model softmax", "label 3",
        "categories 3:a,d", "bounds 0..4", "examples 8", "batch 8", "steps 3",
        "clip 1", "learning-rate 1", "noise 1", "delta 1e-5", "delimiter ;",
        "decimal ,", "no-header", "columns 3", NULL};
    double x[MAX_PARAMETERS], y[MAX_PARAMETERS];
    const char *csv = "1,5;0;a\n2;3,25;d\n1.5;0;a\n1;2\n";
    size_t n = train_csv(x, foreign, csv, strlen(csv), 3);
    const double rows[] = {1.5, 0, 2, 3.25};
    const double labels[] = {0, 1};
    const char *const arrays[] = {"model softmax", "label y",
        "categories y:a,d", "bounds 0..4", "examples 8", "batch 8", "steps 3",
        "clip 1", "learning-rate 1", "noise 1", "delta 1e-5", NULL};
    dosi_training_report report;
    dosi_error err;
    dosi_training *t = run_new(arrays, &err);
    assert_int_equal(
        dosi_training_add_rows(t, rows, 2, labels, NULL, 1, &err), DOSI_OK);
    assert_int_equal(
        dosi_training_add_rows(t, rows, 3, labels, NULL, 1, &err),
        DOSI_EINVAL);
    assert_int_equal(dosi_training_add_rows(
                         t, rows + 2, 2, labels + 1, NULL, 1, &err),
        DOSI_OK);
    const double nothing[] = {NAN, 1, 1, HUGE_VAL, 1, 1, 1, 1};
    const double bad[] = {0, 0, 2, 0.5};
    assert_int_equal(
        dosi_training_add_rows(t, nothing, 2, bad, NULL, 4, &err), DOSI_OK);
    assert_int_equal(dosi_training_start(t, &err), DOSI_OK);
    assert_int_equal(dosi_training_step(t, 3, &err), DOSI_OK);
    dosi_training_state(&report, t);
    memcpy(y, report.parameters, n * sizeof *y);
    dosi_training_free(t);
    assert_memory_equal(x, y, n * sizeof *x);
}

/* ---- People ------------------------------------------------------------- */

static const char *const two_rows[] = {"model logistic", "label y",
    "categories y:a,b", "feature u:0..4", "user id", "max-rows 2",
    "order day,hour", "examples 8", "batch 8", "steps 2", "clip 1",
    "learning-rate 1", "noise 1", "delta 1e-5", NULL};
static const char *const file_order[] = {"model logistic", "label y",
    "categories y:a,b", "feature u:0..4", "user id", "max-rows 2",
    "file-order", "examples 8", "batch 8", "steps 2", "clip 1",
    "learning-rate 1", "noise 1", "delta 1e-5", NULL};
static const char *const whole_user[] = {"model logistic", "label y",
    "categories y:a,b", "feature u:0..4", "user id", "unit user",
    "examples 8", "batch 8", "steps 2", "clip 1", "learning-rate 1",
    "noise 1", "delta 1e-5", NULL};

static void test_people(void **state)
{
    (void)state;
    /* the two least by (day, hour), missing last; a record that counts for
     * nothing takes a place; no id, no row */
    assert_same(two_rows,
        "id,day,hour,u,y\n"
        "anna,2,1,1,a\nanna,1,2,2,b\nanna,1,1,3,a\nanna,,1,4,a\n"
        ",0,0,4,b\n"
        "ben,1,1,x,a\nben,2,1,2,b\nben,3,1,3,b\n",
        "id,day,hour,u,y\n"
        "ben,2,1,2,b\nanna,1,1,3,a\nanna,1,2,2,b\n");
    /* equal keys: by values, whatever the order of the file */
    assert_same(two_rows,
        "id,day,hour,u,y\nc,1,1,3,a\nc,1,1,1,b\nc,1,1,2,b\n",
        "id,day,hour,u,y\nc,1,1,2,b\nc,1,1,3,a\nc,1,1,1,b\n");
    assert_same(two_rows,
        "id,day,hour,u,y\nc,1,1,3,a\nc,1,1,1,b\nc,1,1,2,b\n",
        "id,day,hour,u,y\nc,1,1,1,b\nc,1,1,2,b\n");
    assert_same(file_order,
        "id,u,y\nc,3,a\nd,1,a\nc,1,b\nc,2,b\n",
        "id,u,y\nd,1,a\nc,3,a\nc,1,b\n");
    /* a person is one record: ten equal rows are clipped as one */
    assert_same(whole_user,
        "id,u,y\nc,3,a\nc,3,a\nc,3,a\nc,3,a\nc,3,a\nc,3,a\nd,1,b\n",
        "id,u,y\nd,1,b\nc,3,a\nc,3,a\nc,3,a\nc,3,a\n");
}

/* Fuzzed tables: taking a person away never moves the sum by more than that
 * person may, and nobody else's part changes. With rate 1 and one step the
 * parameters, at first 0, are the sum. */
static void one_sum(int64_t *out, size_t *n, const char *const *settings,
    const char *csv)
{
    double x[MAX_PARAMETERS];
    *n = train_csv(x, settings, csv, strlen(csv), 1000);
    for (size_t j = 0; j < *n; j++)
        out[j] = (int64_t)(x[j] * 0x1p27);
}

static void test_distance(void **state)
{
    (void)state;
    static const char *const by_rows[] = {"model softmax", "label y",
        "categories y:a,b,c", "feature u:0..4", "user id", "max-rows 2",
        "order day", "examples 8", "batch 8", "steps 1", "clip 1",
        "learning-rate 1", "noise 1", "delta 1e-5", NULL};
    static const char *const by_user[] = {"model softmax", "label y",
        "categories y:a,b,c", "feature u:0..4", "user id", "unit user",
        "examples 8", "batch 8", "steps 1", "clip 1", "learning-rate 1",
        "noise 1", "delta 1e-5", NULL};
    prop_random r = {21};
    for (long i = 0; i < prop_count(100); i++) {
        char with[2000] = "id,day,u,y\n", without[2000] = "id,day,u,y\n";
        for (int k = prop_below(&r, 20); k >= 0; k--) {
            char line[64];
            int person = prop_below(&r, 4);
            snprintf(line, sizeof line, "%c,%d,%s%d,%c\n",
                "ABCD"[person], prop_below(&r, 3),
                prop_below(&r, 6) == 0 ? "x" : "", prop_below(&r, 6),
                "abcd"[prop_below(&r, 4)]);
            strcat(with, line);
            if (person != 0)
                strcat(without, line);
        }
        for (int unit = 0; unit < 2; unit++) {
            int64_t a[MAX_PARAMETERS], b[MAX_PARAMETERS];
            size_t n;
            double squares = 0;
            one_sum(a, &n, unit ? by_user : by_rows, with);
            one_sum(b, &n, unit ? by_user : by_rows, without);
            for (size_t j = 0; j < n; j++)
                squares += (double)(a[j] - b[j]) * (double)(a[j] - b[j]);
            double most = unit ? 0x1p24 : 0x1p25;
            assert_true(squares <= most * most);
        }
    }
}

/* ---- The plan ----------------------------------------------------------- */

static void assert_plan(const char *const *settings, const char *csv,
    const char *plan, double noise)
{
    char text[256];
    size_t length;
    dosi_training_report report;
    dosi_answer answer;
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_error err;
    dosi_training *t = run_new(settings, &err);
    assert_non_null(t);
    if (csv != NULL)
        assert_int_equal(run_start(t, csv, &err), DOSI_OK);
    dosi_training_state(&report, t);
    assert_non_null(report.plan);
    assert_int_equal(dosi_plan_print(text, sizeof text, &length, report.plan,
                         DOSI_FORM_TEXT, &err),
        DOSI_OK);
    assert_string_equal(text, plan);
    assert_true(report.noise_multiplier == noise);
    options.neighbours = report.neighbours;
    assert_int_equal(dosi_epsilon_at_delta(
                         &answer, report.plan, report.delta, &options, &err),
        DOSI_OK);
    assert_true(answer.value.lo == report.epsilon.lo &&
                answer.value.hi == report.epsilon.hi);
    assert_string_equal(report.assumptions[0], "INSECURE TEST NOISE");
    dosi_training_free(t);
}

static void test_plan(void **state)
{
    (void)state;
    assert_plan(good, NULL, "poisson(0.5, gaussian(1)) * 3", 1);
    assert_plan(two_rows, NULL, "group(2, poisson(1, gaussian(1)) * 2)", 1);
    assert_plan(whole_user, NULL, "poisson(1, gaussian(1)) * 2", 1);
    const char *const subset[] = {"model logistic", "label y",
        "categories y:a,b", "feature u:0..4", "sampler without_replacement",
        "examples 5", "batch 2", "epochs 1.5", "clip 1", "learning-rate 1",
        "noise 3", "delta 1e-5", NULL};
    const char *const counted[] = {"model logistic", "label y",
        "categories y:a,b", "feature u:0..4", "sampler without_replacement",
        "examples auto", "batch 2", "steps 4", "clip 1", "learning-rate 1",
        "noise 3", "delta 1e-5", NULL};
    /* bad lines count as lines */
    assert_plan(subset, "u,y\n1,a\n\n\"\n2,b\n3,a\n",
        "without_replacement(2, 5, gaussian(1.5)) * 4", 3);
    assert_plan(counted, "u,y\n1,a\n\n\"\n2,b\n3,a\n",
        "without_replacement(2, 5, gaussian(1.5)) * 4", 3);
    dosi_error err;
    dosi_training *t = run_new(subset, &err);
    assert_int_equal(run_start(t, "u,y\n1,a\n", &err), DOSI_EINVAL);
    assert_non_null(strstr(err.message, "there are 1 lines, but examples says 5"));
    dosi_training_free(t);
}

/* Calibrated noise is what dosi_calibrate finds. */
static void test_calibrated(void **state)
{
    (void)state;
    const char *const settings[] = {"model logistic", "label y",
        "categories y:a,b", "feature u:0..4", "examples 455", "batch 256",
        "steps 150", "clip 1", "learning-rate 1", "epsilon 3", "delta 1e-5",
        NULL};
    dosi_training_report report;
    dosi_error err;
    dosi_training *t = run_new(settings, &err);
    assert_non_null(t);
    dosi_training_state(&report, t);
    assert_true(fabs(report.sigma - 9.6546553) < 1e-6); /* 105, 6.4 */
    assert_true(report.epsilon.hi <= 3 && report.epsilon.hi > 2.9999);
    dosi_training_free(t);
}

/* ---- The law ------------------------------------------------------------ */

/*
 * One parameter that moves, rate 1: the gradient of the bias is beyond the
 * clip, so that z = -4095 in every step (trunc(4096 (1 - 2^-40))), and each
 * step moves the parameter by -(z + K) / 4096, K = round(4 G). The steps, told
 * apart exactly, against the law of K by erfc.
 */
static void test_law(void **state)
{
    (void)state;
    enum { STEPS = 20000, REACH = 20 };
    static const char *const settings[] = {"model linear", "label y:0..1",
        "feature u:0..1", "examples 1", "batch 1", "steps 20000", "clip 1e-6",
        "grid-bits 12", "learning-rate 1", "noise 0.0009765625",
        "delta 1e-5", NULL};
    long counts[2 * REACH + 1] = {0};
    dosi_training_report report;
    dosi_error err;
    dosi_training *t = run_new(settings, &err);
    assert_non_null(t);
    assert_int_equal(run_start(t, "u,y\n0,1\n", &err), DOSI_OK);
    dosi_training_state(&report, t);
    double unit = ldexp(1e-6, -12);
    for (int i = 0; i < STEPS; i++) {
        run_key = (uint64_t)i + 100;
        /* The residual stays beyond the clip while |theta| < 1/2. */
        double before = report.parameters[1];
        assert_int_equal(dosi_training_step(t, 1, &err), DOSI_OK);
        double y = (before - report.parameters[1]) / unit;
        long k = lround(y);
        assert_true(fabs(y - (double)k) < 1e-3);
        long noise = k + 4095;
        assert_true(labs(noise) <= REACH + 10);
        if (labs(noise) <= REACH)
            counts[noise + REACH]++;
    }
    dosi_training_free(t);
    run_key = 7;
    double chi = 0;
    int cells = 0;
    for (int k = -REACH; k <= REACH; k++) {
        double a = (k - 0.5) / 4, b = (k + 0.5) / 4;
        double p = (erfc(a / sqrt(2)) - erfc(b / sqrt(2))) / 2;
        if (p * STEPS < 10)
            continue;
        double d = (double)counts[k + REACH] - p * STEPS;
        chi += d * d / (p * STEPS);
        cells++;
    }
    /* chi-square of about 25 cells: beyond 105 with probability 1e-11 */
    assert_true(cells >= 20 && cells <= 30);
    assert_true(chi < 105);
    assert_true(chi > 4); /* below with probability 1e-6 */
}

/* The noise on the sum has deviation noise x clip with both samplers, and what
 * counts for nothing adds nothing: 650 parameters after one step. */
static void test_deviation(void **state)
{
    (void)state;
    static const char *const samplers[] = {
        "sampler poisson", "sampler without_replacement"};
    for (int i = 0; i < 2; i++) {
        char csv[4000] = "";
        const char *settings[] = {"model softmax", "label y",
            "categories y:0,1,2,3,4,5,6,7,8,9", "bounds 0..1", "examples 8",
            "batch 4", "steps 1", "clip 2", "learning-rate 1", "noise 3",
            "delta 1e-5", samplers[i], NULL};
        for (int j = 0; j < 64; j++)
            snprintf(csv + strlen(csv), 20, "p%d,", j);
        strcat(csv, "y\n\n\n\n\n\n\n\n\n");
        dosi_training_report report;
        dosi_error err;
        double squares = 0;
        dosi_training *t = run_new(settings, &err);
        assert_non_null(t);
        assert_int_equal(run_start(t, csv, &err), DOSI_OK);
        assert_int_equal(dosi_training_step(t, 1, &err), DOSI_OK);
        dosi_training_state(&report, t);
        assert_int_equal(report.n_parameters, 650);
        for (size_t j = 0; j < 650; j++) {
            double noise = report.parameters[j] * 4; /* the sum's, by L */
            squares += noise * noise / 650;
        }
        /* 650 squares: within 5 deviations, sqrt(2/650) each */
        assert_true(fabs(squares / 36 - 1) < 5 * sqrt(2.0 / 650));
        dosi_training_free(t);
    }
}

/* The optimisers by their formulas, with powers of the C library. */
static void test_update(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        struct train_settings s = {.clip = 0.5,
            .grid_bits = 20,
            .batch = 7,
            .learning_rate = 0.3,
            .momentum = k == 1 ? 0.8 : 0,
            .weight_decay = k == 2 ? 0.1 : 0,
            .beta1 = 0.9,
            .beta2 = 0.99,
            .optimizer = k == 3 ? TRAIN_ADAM : TRAIN_SGD,
            .schedule = (enum train_schedule)(k >= 4 ? k - 3 : 0)};
        double theta[2] = {0.25, -1}, u[2] = {0}, w[2] = {0};
        double wanted[2] = {0.25, -1}, m[2] = {0}, q[2] = {0};
        struct train_state st = {.n_parameters = 2,
            .parameters = theta, .first = u, .second = w};
        for (int t = 1; t <= 4; t++) {
            int64_t y[2] = {1000000 * t, -12345678};
            st.used = t;
            train_update(&st, y, &s, 5);
            double rate = k == 4   ? 0.3 * (5 - t + 1) / 5
                          : k == 5 ? 0.3 / sqrt(t)
                                   : 0.3;
            for (int j = 0; j < 2; j++) {
                double v = 0.5 / 1048576 * (double)y[j] / 7, move = v;
                if (k == 3) {
                    m[j] = 0.9 * m[j] + 0.1 * v;
                    q[j] = 0.99 * q[j] + 0.01 * v * v;
                    move = m[j] / (1 - pow(0.9, t)) /
                           (sqrt(q[j] / (1 - pow(0.99, t))) + 1e-8);
                } else {
                    m[j] = s.momentum * m[j] + v;
                    move = m[j];
                }
                wanted[j] -= rate * move + rate * s.weight_decay * wanted[j];
                assert_true(fabs(theta[j] - wanted[j]) < 1e-13);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_calibrated),
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_deviation),
        cmocka_unit_test(test_update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
