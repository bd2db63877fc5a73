/*
 * Releases of neighbouring tables from their texts to their answers, and
 * training steps with and without a record: for sets S of answers
 *
 *     P(S) <= e^epsilon P'(S) + delta
 *
 * with the epsilon and delta that the answer itself states. P(S) and P'(S)
 * are bounded from the runs by exact binomial bounds; a bound is wrong with
 * probability ALPHA. Control: with a part of epsilon and delta some set must
 * break the inequality, or the test could not have found anything.
 * Words come from fixed tapes. DOSI_EFFORT=50 runs each table 10^5 times.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/release.h"
#include "support/random.h"
#include "support/binomial_bounds.h"
#include "support/noise_truth.h"

#define RUNS 2000
#define ALPHA 1e-11 /* 16 bounds a case: below 1e-9 in all */
#define MOST_TEXTS 12
#define MOST_AXES 2
#define THRESHOLDS 4

/* ---- Sets of answers ----------------------------------------------------- */

/*
 * A set is {score >= t}: the score is what the answer has gained in the
 * direction in which the neighbour is less likely to go. For several numbers
 * it is the smallest gain, so a set asks all of them to move.
 */
static const double thresholds[THRESHOLDS] = {-1, 0, 1, 2}; /* in units */

/* How often each set was hit: of the table [a] in the direction [d], in which
 * table d is more likely to go. */
struct hits {
    long n;
    long in_set[2][2][THRESHOLDS];
};

static void hits_add(struct hits *h, int table, int direction, double score)
{
    for (int i = 0; i < THRESHOLDS; i++)
        h->in_set[table][direction][i] += score >= thresholds[i];
}

/* The number of sets that break the inequality for certain; *found is the
 * largest epsilon that is certain at this delta. */
static int violations(
    double *found, const struct hits *h, double epsilon, double delta)
{
    int n = 0;
    *found = -HUGE_VAL;
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < THRESHOLDS; i++) {
            double p = binomial_lower(h->in_set[d][d][i], h->n, ALPHA);
            double q = binomial_upper(h->in_set[1 - d][d][i], h->n, ALPHA);
            n += p > exp(epsilon) * q + delta;
            if (p > delta)
                *found = fmax(*found, log((p - delta) / q));
        }
    return n;
}

static void check(const char *name, const struct hits *h, double epsilon,
    double delta, double control)
{
    double found, ignored;
    int n = violations(&found, h, epsilon, delta);
    int n_control =
        violations(&ignored, h, epsilon * control, delta * control);
    print_message("%-28s epsilon %.4f delta %g: certain %7.4f, %d violations; "
                  "control with %g of both: %d\n",
        name, epsilon, delta, found, n, control, n_control);
    assert_int_equal(n, 0);
    assert_true(n_control > 0);
}

/* ---- Tables -------------------------------------------------------------- */

/* A row of the answer, and how it goes from table 1 to table 0. */
struct axis {
    const char *name, *cell; /* cell may be NULL */
    const char *is;          /* not NULL: the set is this value */
    double sign;             /* 1: table 0 has more of it */
    double truth[2];         /* without noise, of each table */
};

struct neighbours {
    const char *name;
    const char *statistics[MOST_TEXTS], *settings[MOST_TEXTS];
    const char *tables[2];
    struct axis axes[MOST_AXES];
    double unit;    /* of thresholds */
    double control; /* the part of the budget that must be found too small */
};

#define CELLS_20 "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t"

static const struct neighbours cases[] = {
    {"count, add_remove", {"count"}, {"epsilon 2"},
        {"x\n1\n1\n1\n1\n", "x\n1\n1\n1\n"},
        {{"count", NULL, NULL, 1, {4, 3}}}, 1, 0.5},
    {"count, replace", {"count"},
        {"epsilon 2", "neighbours replace", "where x = 'a'"},
        {"x\na\na\n", "x\na\nb\n"},
        {{"count", NULL, NULL, 1, {2, 1}}}, 1, 0.5},
    {"count of two rows a person", {"count"},
        {"epsilon 2", "user u", "max-rows 2"},
        {"u\na\na\na\nb\n", "u\nb\n"},
        {{"count", NULL, NULL, 1, {3, 1}}}, 1, 0.5},
    {"histogram, add_remove", {"histogram s"},
        {"epsilon 2", "categories s:a,b"}, {"s\na\na\nb\n", "s\na\nb\n"},
        {{"histogram.s", "a", NULL, 1, {2, 1}}}, 1, 0.5},
    {"histogram, replace", {"histogram s"},
        {"epsilon 2", "categories s:a,b", "neighbours replace"},
        {"s\na\na\nb\n", "s\na\nb\nb\n"},
        {{"histogram.s", "a", NULL, 1, {2, 1}},
            {"histogram.s", "b", NULL, -1, {1, 2}}},
        1, 0.5},
    {"sum, add_remove", {"sum x:0..10"}, {"epsilon 2"},
        {"x\n10\n3\n", "x\n3\n"},
        {{"sum.x", NULL, NULL, 1, {13, 3}}}, 5, 0.5},
    {"sum, replace", {"sum x:-5..10"}, {"epsilon 2", "neighbours replace"},
        {"x\n99\n3\n", "x\n-99\n3\n"},
        {{"sum.x", NULL, NULL, 1, {13, -2}}}, 5, 0.5},
    {"sum of a person's total", {"sum x:0..10"},
        {"epsilon 2", "user u", "user-bounds x:0..20"},
        {"u,x\na,10\na,10\na,10\nb,1\n", "u,x\nb,1\n"},
        {{"sum.x", NULL, NULL, 1, {21, 1}}}, 10, 0.5},
    {"mean: count and sum", {"mean x:0..10"}, {"epsilon 2"},
        {"x\n10\n", "x\n"},
        {{"mean.x.count", NULL, NULL, 1, {1, 0}},
            {"mean.x.sum", NULL, NULL, 1, {5, 0}}},
        1, 0.5},
    {"mode", {"mode s"}, {"epsilon 3", "categories s:" CELLS_20},
        {"s\na\n", "s\n"}, {{"mode.s", NULL, "a", 1, {0, 0}}}, 1, 0.5},
    /* unlike scores that rise, these cost half of epsilon at most */
    {"median", {"median x:0..19"}, {"epsilon 6"}, {"x\n0\n", "x\n"},
        {{"median.x", NULL, "0", 1, {0, 0}}}, 1, 0.25},
    {"unknown cells", {"histogram t"},
        {"unknown-cells t", "delta 0.1",
            "plan discrete_laplace(1) + approx(0, 0.1)"},
        {"t\na\n", "t\n"}, {{"histogram.t", "a", NULL, 1, {1, 0}}}, 2, 0.5},
    {"unknown cells, in both", {"histogram t"},
        {"unknown-cells t", "delta 1e-6", "epsilon 2"},
        {"t\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\n",
            "t\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\na\n"},
        {{"histogram.t", "a", NULL, 1, {20, 19}}}, 1, 0.5},
    {"count, Gaussian", {"count"},
        {"epsilon 1", "delta 0.2", "noise gaussian"},
        {"x\n1\n1\n1\n", "x\n1\n1\n"},
        {{"count", NULL, NULL, 1, {3, 2}}}, 1, 0.5},
    {"sum, Gaussian, replace", {"sum x:-5..10"},
        {"epsilon 1", "delta 0.2", "noise gaussian", "neighbours replace"},
        {"x\n10\n", "x\n-5\n"},
        {{"sum.x", NULL, NULL, 1, {10, -5}}}, 15, 0.5},
};
#define CASES (sizeof cases / sizeof cases[0])

static size_t length_of(const char *const *texts)
{
    size_t n = 0;
    while (n < MOST_TEXTS && texts[n] != NULL)
        n++;
    return n;
}

static dosi_release *run(const struct neighbours *c, int table)
{
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL;
    dosi_release *release = NULL;
    dosi_error err = {.message = ""};
    options.settings = c->settings;
    options.n_settings = length_of(c->settings);
    dosi_status status = dosi_table_query_new(
        &query, c->statistics, length_of(c->statistics), &options, &err);
    if (status == DOSI_OK)
        status = dosi_table_query_read_csv(
            query, c->tables[table], strlen(c->tables[table]), &err);
    if (status == DOSI_OK)
        status = dosi_table_query_finish(&release, query, &err);
    if (status != DOSI_OK)
        fail_msg("%s: %s", c->name, err.message);
    dosi_table_query_free(query);
    return release;
}

/* The value of a row; -inf if it is not there. */
static const char *value_of(const dosi_release *release, const struct axis *a)
{
    for (size_t i = 0; i < dosi_release_row_count(release); i++) {
        dosi_release_row row = dosi_release_row_at(release, i);
        if (strcmp(row.name, a->name) == 0 &&
            (a->cell == NULL || strcmp(row.cell, a->cell) == 0))
            return row.value;
    }
    return "-inf";
}

/* The gain in the direction in which table d goes, in units. */
static double score_of(
    const dosi_release *release, const struct neighbours *c, int direction)
{
    double score = HUGE_VAL;
    for (const struct axis *a = c->axes;
         a < c->axes + MOST_AXES && a->name != NULL; a++) {
        const char *value = value_of(release, a);
        double sign = direction == 0 ? a->sign : -a->sign, gain;
        if (a->is != NULL)
            gain = strcmp(value, a->is) == 0 ? sign : -sign;
        else
            gain = sign * (strtod(value, NULL) - a->truth[direction]);
        score = fmin(score, gain / c->unit);
    }
    return score;
}

static void test_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        const struct neighbours *c = &cases[i];
        struct hits h = {.n = prop_count(RUNS)};
        dosi_release_cost cost = {.delta = 0};
        for (long k = 0; k < h.n; k++)
            for (int table = 0; table < 2; table++) {
                dosi_release *release = run(c, table);
                cost = dosi_release_cost_of(release);
                for (int d = 0; d < 2; d++)
                    hits_add(&h, table, d, score_of(release, c, d));
                dosi_release_free(release);
            }
        check(c->name, &h, cost.epsilon.hi, cost.delta, c->control);
    }
}

/* ---- Training ------------------------------------------------------------ */

/*
 * One parameter that moves: the gradient of the bias is beyond the clip, so
 * the record has z = -4095 = -trunc(4096 (1 - 2^-40)) in every step, whatever
 * the parameters are while they stay below 1/2. So each step of a long run is
 * a run of one step. It moves the parameter by -Y unit, Y = b z + round(s G)
 * with a coin b of probability q and s = sigma 4096.
 */
#define CLIP 1e-7
#define Z (-4095)
#define SCALE 4096.0
#define LAW_EDGES 61

static dosi_training *training_new(
    const char *examples, long steps, const char *csv)
{
    char n_steps[40];
    const char *const settings[] = {"model linear", "label y:0..1",
        "feature u:0..1", examples, "batch 1", n_steps, "clip 1e-7",
        "grid-bits 12", "learning-rate 1", "noise 1", "delta 0.01"};
    dosi_training_options options = DOSI_TRAINING_OPTIONS_INIT;
    dosi_training *t = NULL;
    dosi_error err = {.message = ""};
    (void)snprintf(n_steps, sizeof n_steps, "steps %ld", steps);
    options.settings = settings;
    options.n_settings = sizeof settings / sizeof settings[0];
    if (dosi_training_new(&t, &options, &err) != DOSI_OK ||
        dosi_training_read_csv(t, csv, strlen(csv), &err) != DOSI_OK ||
        dosi_training_start(t, &err) != DOSI_OK)
        fail_msg("%s", err.message);
    return t;
}

/* Bins of Y, half a deviation of the noise wide, around z / 2. */
static int64_t law_edge(int i)
{
    return (int64_t)(SCALE / 8) * (i - LAW_EDGES / 2) + Z / 2;
}

/* P[Y < edge] = (1 - q) P[K < edge] + q P[K < edge - z] */
static double law_below(int64_t edge, double q, int has_record)
{
    double below = 0;
    arb_t x;
    arb_init(x);
    for (int b = 0; b < 2; b++) {
        double share = has_record ? (b ? q : 1 - q) : 1 - b;
        truth_tail(x, DOSI_NOISE_ROUND_GAUSSIAN, SCALE,
            1 - (edge - (b ? Z : 0)));
        below += share * truth_double(x);
    }
    arb_clear(x);
    return below;
}

/* Chi-square of n steps against the law; bins that expect few are joined. */
static void check_law(const long *counts, long n, double q, int has_record)
{
    double chi = 0, expected = 0, before = 0;
    long observed = 0;
    int freedom = -1;
    for (int i = 0; i <= LAW_EDGES; i++) {
        double below =
            i < LAW_EDGES ? law_below(law_edge(i), q, has_record) : 1;
        expected += (below - before) * (double)n;
        observed += counts[i];
        before = below;
        if (expected < 20 && i < LAW_EDGES)
            continue;
        double off = (double)observed - expected;
        chi += off * off / fmax(expected, 1);
        expected = 0;
        observed = 0;
        freedom++;
    }
    double p = truth_chi_square_p(chi, freedom);
    print_message("training, q %g, %s: chi-square %.1f of %d, p = %.3g\n", q,
        has_record ? "with the record" : "without it", chi, freedom, p);
    assert_true(freedom > 10 && p > 1e-9);
}

static void run_steps(
    struct hits *h, const char *examples, double q, int table)
{
    static const char *const csv[] = {"u,y\n0,1\n", "u,y\n"};
    long counts[LAW_EDGES + 1] = {0};
    dosi_training_report report;
    dosi_training *t = training_new(examples, h->n, csv[table]);
    dosi_training_state(&report, t);
    double unit = ldexp(CLIP, -12);
    for (long i = 0; i < h->n; i++) {
        double before = report.parameters[1];
        assert_int_equal(dosi_training_step(t, 1, NULL), DOSI_OK);
        double y = (before - report.parameters[1]) / unit;
        long k = lround(y);
        int bin = 0;
        assert_true(fabs(report.parameters[1]) < 0.5);
        assert_true(fabs(y - (double)k) < 1e-3);
        while (bin < LAW_EDGES && law_edge(bin) <= k)
            bin++;
        counts[bin]++;
        /* the record makes Y smaller */
        hits_add(h, table, 0, (double)(Z - k) / SCALE);
        hits_add(h, table, 1, (double)k / SCALE);
    }
    dosi_training_free(t);
    check_law(counts, h->n, q, table == 0);
}

static void test_training(void **state)
{
    static const struct {
        const char *name, *examples;
        double q;
    } runs[] = {
        {"training, q 1", "examples 1", 1},
        {"training, q 1/2", "examples 2", 0.5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct hits h = {.n = prop_count(10 * RUNS)};
        dosi_training_report report;
        dosi_training *t = training_new(runs[i].examples, 1, "u,y\n");
        dosi_training_state(&report, t);
        double epsilon = report.epsilon.hi, delta = report.delta;
        dosi_training_free(t);
        for (int table = 0; table < 2; table++)
            run_steps(&h, runs[i].examples, runs[i].q, table);
        check(runs[i].name, &h, epsilon, delta, 0.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
