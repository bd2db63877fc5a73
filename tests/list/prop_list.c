/*
 * The list engine against all that is known of loss laws in other ways: the
 * truths of tests/oracles, contours, and closed forms of trade-offs. Every
 * interval must hold what is known, and be as narrow as its kind is today.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "list/list.h"
#include "list/list_ends.h"
#include "support/random.h"
#include "noise/discrete_gaussian.h"
#include "noise/gaussian.h"
#include "profile/profile.h"
#include "loss/loss_with_replacement.h"
#include "contour/engine/engine.h"
#include "support/loss_laws.h"
#include "support/group_truths.h"
#include "support/contour_plans.h"

static prop_random source;
static dosi_error err;

/* Half of the work of a question: much of it goes to the last digits. */
static work_limits limited(void)
{
    work_limits limits = work_default(1e-4);
    limits.budget /= 2;
    return limits;
}

static void answered(dosi_status status)
{
    if (status != DOSI_OK)
        fail_msg("%s", err.message);
}

/* ---- Widths ------------------------------------------------------------ */

/* What a kind of question is promised: relative widths of delta and epsilon,
 * and how many there were. */
typedef struct kind_row {
    const char *name;
    double width;
    long n, n_wide;
    double widest;
} kind_row;

static const loss_law *asked_parts; /* of the question, for messages */
static size_t n_asked_parts;

static void print_parts(void)
{
    for (size_t i = 0; i < n_asked_parts; i++) {
        const loss_law *p = &asked_parts[i];
        print_message("  noise %d, map %d, parameter %.17g, rate %.17g, "
                      "%u/%u, %g runs\n",
            (int)p->noise, (int)p->map, ball_mid(p->parameter),
            ball_mid(p->rate), p->removed, p->added, p->count);
    }
}

static void note(kind_row *kind, double width, const char *what, double at)
{
    kind->n++;
    kind->widest = fmax(kind->widest, width);
    if (width <= kind->width)
        return;
    kind->n_wide++;
    print_message(
        "%s: width %.3g of %s at %.10g\n", kind->name, width, what, at);
    print_parts();
}

static void assert_narrow(const kind_row *kinds, size_t n)
{
    long n_wide = 0;

    for (size_t i = 0; i < n; i++) {
        print_message("%s: %ld, widest %.2g\n", kinds[i].name, kinds[i].n,
            kinds[i].widest);
        assert_true(kinds[i].n > 0);
        n_wide += kinds[i].n_wide;
    }
    assert_int_equal(n_wide, 0);
}

/* ---- Truths ------------------------------------------------------------ */

/* A known point of a profile. */
typedef struct truth {
    double epsilon;
    dosi_interval log_delta;
} truth;

/* delta as digits, of which the last may be wrong; with a mass at +inf. */
static truth truth_of(double epsilon, const char *digits, ball p_inf)
{
    ball delta = ball_of(strtod(digits, NULL));
    delta = ball_widen(delta, 0x1p-52 * ball_mid(delta));
    return (truth){epsilon, ball_interval(ball_log(ball_add(delta, p_inf)))};
}

static long n_told, n_asked; /* of bounds that hold */
static long n_rows, n_stopped;

/* Whether delta is within a bound: never one that is smaller. */
static void check_within(const loss_law *parts, size_t n, truth t)
{
    static const double off[] = {-0.1, 0.3};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        double bound = (off[i] < 0 ? t.log_delta.lo : t.log_delta.hi) + off[i];
        bool within = false;
        work_limits limits = limited();
        if (bound >= 0)
            continue;
        answered(list_is_within(
            &within, parts, n, t.epsilon, ball_of(bound), &limits, &err));
        if (within && off[i] < 0)
            fail_msg("at %.10g: within exp(%.17g) of exp(%.17g)", t.epsilon,
                bound, t.log_delta.lo);
        n_told += within;
        n_asked += off[i] > 0;
    }
}

/* log delta at epsilon, and epsilon back from delta. */
static void check_truth(
    kind_row *kind, const loss_law *parts, size_t n, truth t, bool is_inverted)
{
    dosi_interval got, back;
    work_limits limits = limited();
    asked_parts = parts;
    n_asked_parts = n;
    dosi_status status =
        list_log_delta(&got, parts, n, t.epsilon, &limits, &err);
    n_rows++;
    if (status == DOSI_EUNABLE && limits.stopped) {
        n_stopped++; /* many different steps: too much work */
        return;
    }
    answered(status);
    if (!(got.lo <= t.log_delta.hi && t.log_delta.lo <= got.hi))
        fail_msg("%s at %.10g: [%.17g, %.17g] for [%.17g, %.17g]", kind->name,
            t.epsilon, got.lo, got.hi, t.log_delta.lo, t.log_delta.hi);
    note(kind, got.hi - got.lo, "log delta", t.epsilon);
    ball log_delta = ball_of_interval(t.log_delta);
    limits = limited();
    answered(list_epsilon(&back, parts, n, log_delta, &limits, &err));
    double want = fmax(t.epsilon, 0);
    if (!(back.lo <= want && want <= back.hi))
        fail_msg("%s: [%.17g, %.17g] for epsilon %.17g", kind->name, back.lo,
            back.hi, want);
    if (is_inverted)
        note(kind, (back.hi - back.lo) / want, "epsilon", want);
    check_within(parts, n, t);
}

static bool is_row(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    return line[0] != '#' && line[0] != '\0';
}

/* 1 in so many rows is asked, at an effort of 1. */
static bool is_asked(long row, long of)
{
    return row % of < prop_count(1);
}

/* Steps that contours answer, atoms, and one step. */
static void contour_truths(void **state)
{
    (void)state;
    /* the last one: of a delta below 1e-15, which contours answer */
    static kind_row kinds[] = {{"atomic", 1e-3, 0, 0, 0},
        {"step", 1e-3, 0, 0, 0}, {"smooth", 0.3, 0, 0, 0},
        {"smooth", 20, 0, 0, 0}};
    FILE *f = fopen(DOSI_TEST_DATA "/oracles/contour_truth.csv", "r");
    assert_non_null(f);
    char line[1024];
    for (long row = 0; fgets(line, sizeof line, f) != NULL; row++) {
        char name[16], digits[64];
        double epsilon;
        int at;
        if (!is_row(line) || !is_asked(row, 32))
            continue;
        assert_int_equal(
            sscanf(line, "%15[^,],%lf,%63[^,],%n", name, &epsilon, digits, &at),
            3);
        plan_text text;
        plan p;
        assert_true(plan_read(&text, line + at));
        plan_open(&p, &text);
        for (size_t i = 0; i < 3; i++)
            if (strcmp(kinds[i].name, name) == 0 &&
                strtod(digits, NULL) > 1e-250) {
                dosi_interval inf = list_log_floor(p.laws, p.n);
                ball p_inf = inf.hi == -HUGE_VAL
                                 ? ball_of(0)
                                 : ball_exp(ball_of_interval(inf));
                truth t = truth_of(epsilon, digits, p_inf);
                double share = log(strtod(digits, NULL)) - t.log_delta.hi;
                bool is_far = i == 2 && t.log_delta.hi < log(1e-15);
                check_truth(&kinds[is_far ? 3 : i], p.laws, p.n, t,
                    epsilon > 0.01 && share > -10);
            }
        plan_close(&p);
    }
    assert_int_equal(fclose(f), 0);
    assert_narrow(kinds, 4);
}

/* Few steps at small rates, with Gaussian noise beside them. */
static void jump_truths(void **state)
{
    (void)state;
    static kind_row kinds[] = {{"jumps", 0.02, 0, 0, 0}};
    FILE *f = fopen(DOSI_TEST_DATA "/oracles/heavy_tail_truth.csv", "r");
    assert_non_null(f);
    char line[256];
    for (long row = 0; fgets(line, sizeof line, f) != NULL; row++) {
        double epsilon, q, mu, count, plain;
        char digits[64];
        if (!is_row(line) || !is_asked(row, 6))
            continue;
        assert_int_equal(sscanf(line, "%lf,%63[^,],%lf,%lf,%lf,%lf", &epsilon,
                             digits, &q, &mu, &count, &plain),
            6);
        loss_law parts[2] = {
            loss_of(LOSS_GAUSSIAN, mu, LOSS_MIXTURE_FIRST, q, count),
            loss_of(LOSS_GAUSSIAN, plain, LOSS_PLAIN, 1, 1)};
        if (strtod(digits, NULL) > 1e-250)
            check_truth(&kinds[0], parts, plain > 0 ? 2 : 1,
                truth_of(epsilon, digits, ball_of(0)), true);
    }
    assert_int_equal(fclose(f), 0);
    assert_narrow(kinds, 1);
}

static kind_row splits[] = {{"splits", 1e-3, 0, 0, 0}};

static void ask_split(const loss_law *pair, double epsilon, const char *digits)
{
    check_truth(
        &splits[0], pair, 1, truth_of(epsilon, digits, ball_of(0)), true);
}

static void split_truths(void **state)
{
    (void)state;
    static const char *const files[] = {
        "/oracles/group_truth.csv", "/oracles/group_heavy_tail_truth.csv"};
    char path[512];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s%s", DOSI_TEST_DATA, files[i]);
        assert_true(split_truths_each(path, ask_split) >= 5);
    }
    assert_narrow(splits, 1);
    assert_true(10 * n_told >= 9 * n_asked);
    assert_true(20 * n_stopped <= n_rows);
}

/* ---- Contours ---------------------------------------------------------- */

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

static loss_law random_loss(finite_law **finite)
{
    loss_law l = loss_of((loss_noise)prop_below(&source, 3),
        log_uniform(0.1, 1.5), LOSS_PLAIN, 1, floor(log_uniform(1, 40)));
    switch (prop_below(&source, 7)) {
    case 0:
        break;
    case 1:
    case 2:
        l.noise = LOSS_GAUSSIAN;
        l.map = prop_below(&source, 2) ? LOSS_MIXTURE_FIRST : LOSS_BASE_FIRST;
        l.rate = ball_of(log_uniform(1e-4, 0.3));
        l.count = floor(log_uniform(1, 2000));
        break;
    case 3:
        l.map = prop_below(&source, 2) ? LOSS_WITHOUT_REPLACEMENT
                                       : LOSS_MIXTURE_FIRST;
        l.rate = ball_of(log_uniform(1e-3, 0.3));
        break;
    case 4:
        l.noise = LOSS_GAUSSIAN;
        l.map = LOSS_GROUP;
        l.rate = ball_of(log_uniform(1e-3, 0.2));
        l.removed = (unsigned)prop_below(&source, 3);
        l.added = 1 + (unsigned)prop_below(&source, 2);
        break;
    default:
        assert_int_equal(
            finite_leaky_response(finite, ball_of(log_uniform(0.05, 1)),
                ball_of(prop_below(&source, 2) ? 0 : log_uniform(1e-20, 1e-9)),
                NULL),
            DOSI_OK);
        l = loss_of_atoms(*finite, l.count);
        break;
    }
    return l;
}

static kind_row random_kinds[] = {{"log delta", 0.01, 0, 0, 0},
    {"epsilon", 1e-3, 0, 0, 0}, {"trade-off", 1e-3, 0, 0, 0}};

/* Never disjoint from what contours say. */
static void assert_meet(const char *what, dosi_interval a, dosi_interval b)
{
    if (!(a.lo <= b.hi && b.lo <= a.hi && a.lo <= a.hi))
        fail_msg("%s: lists [%.17g, %.17g], contours [%.17g, %.17g]", what,
            a.lo, a.hi, b.lo, b.hi);
}

static void against_contours(void **state)
{
    (void)state;
    long n_unable = 0, n_plans = prop_count(24);
    for (long i = 0; i < n_plans; i++) {
        finite_law *finite[3] = {NULL, NULL, NULL};
        loss_law parts[3];
        size_t n = 1 + (size_t)prop_below(&source, 3);
        for (size_t j = 0; j < n; j++)
            parts[j] = random_loss(&finite[j]);
        double delta = log_uniform(1e-12, 1e-2);
        ball log_delta = ball_log(ball_of(delta));
        asked_parts = parts;
        n_asked_parts = n;
        contour_engine *s = NULL;
        dosi_interval mine, theirs;
        assert_int_equal(engine_new(&s, parts, n, NULL, NULL), DOSI_OK);
        work_limits limits = limited();
        answered(list_epsilon(&mine, parts, n, log_delta, &limits, &err));
        if (s != NULL) {
            assert_int_equal(
                engine_epsilon(&theirs, s, ball_of(delta), log_delta, NULL),
                DOSI_OK);
            assert_meet("epsilon", mine, theirs);
        }
        if (mine.hi > 0 && mine.hi < HUGE_VAL) {
            note(&random_kinds[1], (mine.hi - mine.lo) / mine.hi, "epsilon",
                mine.hi);
            double at = mine.lo;
            limits = limited();
            dosi_status status =
                list_log_delta(&mine, parts, n, at, &limits, &err);
            /* next to the greatest loss delta falls without bound, and no
             * outcome may be above epsilon */
            assert_true(status == DOSI_OK || status == DOSI_EUNABLE);
            n_unable += status != DOSI_OK;
            if (status != DOSI_OK)
                mine = (dosi_interval){-HUGE_VAL, 0};
            else if (at < 0.9 * list_epsilon_by_ends(parts, n, log_delta).hi)
                note(&random_kinds[0], mine.hi - mine.lo, "log delta", at);
            if (s != NULL) {
                assert_int_equal(
                    engine_log_delta(&theirs, s, at, NULL), DOSI_OK);
                assert_meet("log delta", mine, theirs);
            }
        }
        double alpha = prop_uniform(&source, 0.001, 0.999);
        limits = limited();
        answered(list_tradeoff(&mine, parts, n, alpha, &limits, &err));
        note(&random_kinds[2], mine.hi - mine.lo, "beta", alpha);
        if (s != NULL) {
            tradeoff_known none = {1, NAN};
            assert_int_equal(
                engine_tradeoff(&theirs, &none, s, alpha, NULL), DOSI_OK);
            assert_meet("trade-off", mine, theirs);
        }
        engine_free(s);
        for (size_t j = 0; j < n; j++)
            finite_free(finite[j]);
    }
    assert_narrow(random_kinds, 3);
    assert_true(12 * n_unable <= n_plans);
}

/* ---- Trade-offs in closed form ----------------------------------------- */

static void tradeoffs_are_exact(void **state)
{
    (void)state;
    static const double alphas[] = {
        1e-9, 1e-4, 0.01, 0.2, 0.5, 0.8, 0.99, 1 - 1e-6};
    static const double mus[] = {0.05, 0.5, 1, 3};
    for (size_t i = 0; i < sizeof mus / sizeof *mus; i++)
        for (size_t j = 0; j < sizeof alphas / sizeof *alphas; j++)
            for (double count = 1; count <= 9; count += 8) {
                /* count runs of mu/sqrt(count) are one of mu */
                loss_law gauss = loss_of(
                    LOSS_GAUSSIAN, mus[i] / sqrt(count), LOSS_PLAIN, 1, count);
                dosi_interval got, want = ball_interval(gauss_tradeoff(
                                       ball_of(mus[i]), ball_of(alphas[j])));
                answered(list_tradeoff(&got, &gauss, 1, alphas[j], NULL, &err));
                assert_true(got.lo <= want.hi && want.lo <= got.hi);
                assert_true(got.hi - got.lo <= 2e-6);
                if (count > 1)
                    continue;
                loss_law one = loss_of(LOSS_LAPLACE, mus[i], LOSS_PLAIN, 1, 1);
                privacy_profile known = profile_laplace(ball_of(mus[i]));
                want = profile_tradeoff(&known, alphas[j], 1);
                answered(list_tradeoff(&got, &one, 1, alphas[j], NULL, &err));
                assert_true(got.lo <= want.hi && want.lo <= got.hi);
                assert_true(got.hi - got.lo <= 2e-6);
            }
}

int main(void)
{
    source = prop_start("prop_list");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contour_truths),
        cmocka_unit_test(jump_truths),
        cmocka_unit_test(split_truths),
        cmocka_unit_test(against_contours),
        cmocka_unit_test(tradeoffs_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
