/*
 * The worse of two directions: both asked together against each asked by
 * itself, for plans where removal is the worse one, where adding is, and
 * where they are nearly alike; a law whose word is all that counts; and
 * groups, whose splits are shared out between the directions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "account/ask_law.h"
#include "contour/engine/engine.h"

/* ---- Both directions and each ------------------------------------------ */

typedef struct asked {
    account_question q;
    dosi_interval each[2], both;
    int n_directions;
} asked;

static dosi_interval ends_of(const best_bounds *s, bool logs)
{
    return logs ? (dosi_interval){s->other.log_value, s->guarantee.log_value}
                : (dosi_interval){s->other.value, s->guarantee.value};
}

/* Each direction on a prepared plan of its own kind of question; the one for both has
 * not been asked anything before. */
static dosi_status ask_both(prepared_plan *d, void *context, dosi_error *err)
{
    asked *a = context;
    question_state w;
    bool logs = a->q.kind == ACCOUNT_DELTA;
    dosi_status status = prepared_ask(&w, d, &a->q, err);
    best_bounds worst = prepared_worst(&w);
    a->both = ends_of(&worst, logs);
    a->n_directions = d->n_directions;
    return status;
}

static dosi_status ask_each(prepared_plan *d, void *context, dosi_error *err)
{
    asked *a = context;
    dosi_status status = DOSI_OK;
    bool logs = a->q.kind == ACCOUNT_DELTA;
    for (int i = 0; i < 2 && status == DOSI_OK; i++) {
        question_state w;
        int direction = i < d->n_directions ? i : 0;
        status = prepared_ask_direction(&w, d, direction, &a->q, err);
        a->each[i] = ends_of(&w.found[0], logs);
    }
    return status;
}

static void ask(asked *a, const char *text, const dosi_options *options)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), &err), DOSI_OK);
    if (prepared_use(ask_both, a, plan, options, &err) != DOSI_OK ||
        prepared_use(ask_each, a, plan, options, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
}

/* Both of them hold the greater of the two values, and are as narrow as was
 * asked for. True when adding is the worse one for certain. */
static bool check(const asked *a, const char *text, double width)
{
    double lo = fmax(a->each[0].lo, a->each[1].lo);
    double hi = fmax(a->each[0].hi, a->each[1].hi);
    double scale = a->q.kind == ACCOUNT_DELTA ? 1 : a->both.hi;
    if (!(a->both.lo <= hi && a->both.hi >= lo &&
            a->both.hi - a->both.lo <= width * scale))
        fail_msg("%s: [%.17g, %.17g], but [%.17g, %.17g] and "
                 "[%.17g, %.17g]",
            text, a->both.lo, a->both.hi, a->each[0].lo, a->each[0].hi,
            a->each[1].lo, a->each[1].hi);
    return a->n_directions == 2 && a->each[1].lo > a->each[0].hi;
}

static const char *const plans[] = {
    /* removal is the worse one, by much or by little */
    "poisson(0.01, gaussian(1.1)) * 100",
    "poisson(0.01, gaussian(1)) * 1000",
    "poisson(0.01, gaussian(2)) * 1000000",
    "poisson(0.9, gaussian(1)) * 2",
    "poisson(0.999, gaussian(3)) * 20",
    "poisson(0.5, gaussian(4)) * 3 + gaussian(1)",
    /* the first direction of a pair is the worse, then the second */
    "pmf(p=[0.9, 0.1], q=[0.5, 0.5]) * 3 + gaussian(2)",
    "pmf(p=[0.5, 0.5], q=[0.9, 0.1]) * 3 + gaussian(2)",
    "pmf(p=[0.98, 0.02], q=[0.9, 0.1]) * 9 + poisson(0.2, gaussian(2)) * 5",
    "pmf(p=[0.9, 0.1], q=[0.98, 0.02]) * 9 + poisson(0.2, gaussian(2)) * 5",
    "pmf(p=[0.99, 0.01], q=[0.9, 0.1]) * 4 + poisson(0.1, gaussian(1)) * 50",
    "pmf(p=[0.9, 0.1], q=[0.99, 0.01]) * 4 + poisson(0.1, gaussian(1)) * 50",
    /* one answer more or less, of both signs: alike */
    "pmf(p=[0.5, 0.3, 0.2], q=[0.2, 0.3, 0.5]) * 8 + gaussian(1.5)",
};

static void the_worse_is_found(void **state)
{
    (void)state;
    static const double deltas[] = {0.3, 0.01, 1e-5, 1e-12};
    int n_adding = 0, n_other = 0;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (size_t j = 0; j < sizeof deltas / sizeof *deltas; j++)
            for (int wide = 0; wide < 2; wide++) {
                dosi_options options = DOSI_OPTIONS_INIT;
                options.width = wide ? 0.01 : 0;
                ball delta = ball_of(deltas[j]);
                asked a = {.q = {.kind = ACCOUNT_EPSILON,
                               .delta = delta,
                               .log_delta = ball_log(delta)}};
                ask(&a, plans[i], &options);
                bool adding = check(&a, plans[i], wide ? 0.01 : 1e-6);
                n_adding += adding;
                n_other += !adding;
                if (!(a.both.hi > 0 && a.both.hi < HUGE_VAL))
                    continue;
                asked back = {.q = {.kind = ACCOUNT_DELTA,
                                  .argument = a.both.hi}};
                ask(&back, plans[i], &options);
                (void)check(&back, plans[i], wide ? 0.02 : 2e-6);
            }
    assert_true(n_adding >= 20 && n_other >= 20);
}

/* ---- A law that says what it is told to -------------------------------- */

typedef struct script {
    dosi_interval value;
    bool is_within;
    int n_asked, n_told;
    double told_at;
} script;

static dosi_interval scripted_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    script *s = (script *)(uintptr_t)self->context;
    (void)delta;
    (void)log_delta;
    s->n_asked++;
    return s->value;
}

static dosi_interval scripted_log_delta(const privacy_profile *self, ball eps)
{
    (void)self;
    (void)eps;
    return (dosi_interval){-HUGE_VAL, 0};
}

static bool scripted_is_within(
    const privacy_profile *self, ball eps, ball delta, ball log_delta)
{
    script *s = (script *)(uintptr_t)self->context;
    (void)delta;
    (void)log_delta;
    s->n_told++;
    s->told_at = ball_mid(eps);
    return s->is_within;
}

static const profile_type scripted = {.theorem = "none",
    .log_delta = scripted_log_delta,
    .epsilon = scripted_epsilon,
    .is_within = scripted_is_within,
    .is_slow = true};

/* What is known of the second direction, once the first is [lo, hi]. */
static best_bounds second(
    script *s, double lo, double hi, bool above, bool has_pairs)
{
    static prepared_plan d; /* too large for a stack */
    d = (prepared_plan){.limits = {.width = 1e-6}, .has_pairs = has_pairs};
    account_question q = {.kind = ACCOUNT_EPSILON,
        .delta = ball_of(1e-5),
        .log_delta = ball_log(ball_of(1e-5))};
    privacy_profile l = {.type = &scripted, .context = s};
    account_laws laws = {0};
    account_add(&laws, &l, above, true, NULL);
    best_bounds first = bounds_start(&q), found = bounds_start(&q);
    first.guarantee.value = hi;
    first.guarantee.route = "a";
    first.other.value = lo;
    account_curve curve = {0};
    static const account_route route = {.name = "b"};
    const account_route_row row = {.route = &route};
    law_question c = {&q, &d, &curve, &row, &first};
    ask_law(&found, &c, &laws, 0);
    return found;
}

static void only_a_certain_bound_is_taken(void **state)
{
    (void)state;
    const double lo = 2, hi = 2 * (1 + 1e-9);
    script yes = {.value = {1, 1.5}, .is_within = true};
    best_bounds s = second(&yes, lo, hi, true, false);
    assert_true(s.guarantee.value == hi && s.other.value == 0);
    assert_true(yes.n_told == 1 && yes.told_at == hi && yes.n_asked == 0);
    assert_string_equal(s.guarantee.route, "b");

    script no = {.value = {3, 3.5}, .is_within = false};
    s = second(&no, lo, hi, true, false);
    assert_true(s.guarantee.value == 3.5 && s.other.value == 3);
    assert_true(no.n_told == 1 && no.n_asked == 1);
}

/* It is told nothing where the first is not narrow or not bounded, where the
 * law does not bound the plan, or where lower ends need its own value. */
static void elsewhere_values_are_asked_for(void **state)
{
    (void)state;
    static const struct {
        double lo, hi;
        bool above, has_pairs;
    } rows[] = {{1, 2, true, false}, {0, HUGE_VAL, true, false},
        {0, 0, true, false}, {2, 2, false, false}, {2, 2, true, true},
        {NAN, NAN, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        script s = {.value = {1, 1.5}, .is_within = true};
        (void)second(&s, rows[i].lo, rows[i].hi, rows[i].above,
            rows[i].has_pairs);
        assert_true(s.n_told == 0 && s.n_asked == 1);
    }
}

/* ---- Groups ------------------------------------------------------------ */

/* log delta of all that one direction answers for: a records removed and b
 * added, b from first to end - 1. */
static dosi_interval worst_split(unsigned first, unsigned end, unsigned size,
    const loss_law *one, double epsilon)
{
    dosi_interval worst = {-HUGE_VAL, -HUGE_VAL};
    for (unsigned b = first; b < end; b++) {
        loss_law pair = *one;
        contour_engine *s = NULL;
        dosi_interval found;
        pair.removed = size - b;
        pair.added = b;
        assert_int_equal(engine_new(&s, &pair, 1, NULL, NULL), DOSI_OK);
        assert_int_equal(
            engine_log_delta(&found, s, epsilon, NULL), DOSI_OK);
        worst = iv_max(worst, found);
        engine_free(s);
    }
    return worst;
}

/* Each direction of a group over samples is the worst of its own half of the
 * splits, by either of the routes that know their laws. */
static void groups_have_all_splits(void **state)
{
    (void)state;
    static const char *const routes[] = {"contour", "lists"};
    static const double widths[] = {1e-5, 5e-4};
    for (unsigned size = 2; size < 6; size++) {
        loss_law one = {.noise = LOSS_GAUSSIAN,
            .map = LOSS_GROUP,
            .parameter = ball_of(0.5),
            .rate = ball_of(0.01),
            .count = 100};
        asked a = {.q = {.kind = ACCOUNT_DELTA, .argument = 0.25}};
        char text[64];
        (void)snprintf(text, sizeof text,
            "group(%u, poisson(0.01, gaussian(2))) * 100", size);
        unsigned half = size / 2 + 1;
        dosi_interval exact[2] = {
            worst_split(0, half, size, &one, 0.25),
            worst_split(half, size + 1, size, &one, 0.25)};
        assert_true(exact[1].hi < exact[0].lo - 0.1);
        for (int i = 0; i < 2; i++) {
            dosi_options opt = DOSI_OPTIONS_INIT;
            opt.route = routes[i];
            ask(&a, text, &opt);
            for (int j = 0; j < 2; j++) {
                assert_true(a.each[j].lo <= exact[j].hi);
                assert_true(a.each[j].hi >= exact[j].lo);
                assert_true(a.each[j].hi - a.each[j].lo < widths[i]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worse_is_found),
        cmocka_unit_test(only_a_certain_bound_is_taken),
        cmocka_unit_test(elsewhere_values_are_asked_for),
        cmocka_unit_test(groups_have_all_splits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
