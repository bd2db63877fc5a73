/*
 * Routes against each other on random plans of every shape, corners among
 * them: what one route guarantees never lies below what another one attains,
 * for every kind of question, under both relations; answers are monotone in
 * the argument of the question and in every parameter of the plan; and
 * epsilon and delta invert each other. Work on one question ends after so
 * many looks at the clock, which keeps the run short and checks that
 * stopping is sound.
 */
#include "support/questions.h"

/* Routes that the library does not know are passed over; expensive ones are
 * asked about one plan in so many. */
static const struct {
    const char *name;
    int one_in;
} routes[] = {{"closed", 1}, {"contour", 3}, {"finite", 3}, {"lists", 12},
    {"zcdp", 1}, {"approx", 1}, {"renyi", 1}};
#define N_ROUTES (sizeof routes / sizeof *routes)

static prop_random rng;
static bool asks_all; /* expensive routes, too, about every plan */

/* What all routes together say, with the names of those that say it. */
typedef struct verdict {
    dosi_answer lower, upper; /* whose ends are the greatest and the least */
    double log_lower, log_upper;
} verdict;

static void take(verdict *v, const dosi_answer *a, ask_kind kind)
{
    if (a->value.lo > v->lower.value.lo)
        v->lower = *a;
    if (a->value.hi < v->upper.value.hi)
        v->upper = *a;
    if (kind == ASK_DELTA) {
        v->log_lower = fmax(v->log_lower, a->log_value.lo);
        v->log_upper = fmin(v->log_upper, a->log_value.hi);
    }
}

/* The greatest lower end is at most the least upper one. */
static verdict compare(const question *q)
{
    dosi_answer nothing = {.value = {0, HUGE_VAL}, .route = "none"};
    verdict v = {nothing, nothing, -HUGE_VAL, HUGE_VAL};
    char words[ASKED_BYTES];
    for (size_t i = 0; i < N_ROUTES; i++) {
        dosi_answer a;
        const char *name = routes[i].name;
        if ((!asks_all && prop_below(&rng, routes[i].one_in) != 0) ||
            !ask(&a, q, name))
            continue;
        a.route = name;
        take(&v, &a, q->kind);
    }
    question_print(words, sizeof words, q, NULL);
    if (v.lower.value.lo > v.upper.value.hi || v.log_lower > v.log_upper)
        report("%s: at least %.17g (%.17g) by %s, at most %.17g (%.17g) by "
               "%s",
            words, v.lower.value.lo, v.log_lower, v.lower.route,
            v.upper.value.hi, v.log_upper, v.upper.route);
    return v;
}

/* ---- The properties ---------------------------------------------------- */

static const char *any_route(void)
{
    int i = prop_below(&rng, (int)N_ROUTES + 2);
    if (i >= (int)N_ROUTES || prop_below(&rng, routes[i].one_in) != 0)
        return "closed";
    return routes[i].name;
}

/* What was asked first loses no more privacy than the other question by any
 * route. */
static void check_more(const question *less, const verdict *v,
    const question *more, const char *why)
{
    dosi_answer a;
    const dosi_answer *least =
        less->kind == ASK_TRADEOFF ? &v->upper : &v->lower;
    if (ask(&a, more, any_route()))
        check_not_better(more, &a, less, least, why);
}

static void check_argument(const question *q, const verdict *v)
{
    question other = *q;
    other.at = worse_argument(q->kind, q->at, &rng);
    check_more(q, v, &other, "not monotone in its argument");
}

/* A worse plan never has a smaller answer. */
static void check_parameters(
    const question *q, const verdict *v, prop_random start, int extreme)
{
    char text[PLAN_BYTES];
    question other = *q;
    plan_source s = {.rng = &start, .extreme_one_in = extreme};
    s.worse = (plan_worse){prop_below(&rng, 2) ? 0.75 : 1,
        prop_below(&rng, 2) ? 1.5 : 1, prop_below(&rng, 2) ? 1.25 : 1,
        prop_below(&rng, 2)};
    plan_random(text, &s, q->neighbours);
    other.text = text;
    other.plan = plan_of(text);
    check_more(q, v, &other, "a worse plan is better");
    dosi_plan_free(other.plan);
}

/* delta at an epsilon that suffices is at most the delta that was asked for,
 * and just below one that does not it is at least that. */
static void check_inverse(const question *q, const verdict *v)
{
    question back = *q;
    dosi_answer a;
    char words[ASKED_BYTES];
    double upper = v->upper.value.hi, lower = v->lower.value.lo;
    if (q->kind != ASK_EPSILON)
        return;
    question_print(words, sizeof words, q, NULL);
    back.kind = ASK_DELTA;
    back.at = upper;
    const char *route = any_route();
    if (upper < HUGE_VAL && ask(&a, &back, route) && a.log_value.lo > q->at)
        report("%s: %.17g by %s suffices, but log delta there is at least "
               "%.17g by %s",
            words, upper, v->upper.route, a.log_value.lo, route);
    back.at = nextafter(fmin(lower, DBL_MAX), 0);
    if (lower > 0 && ask(&a, &back, route) && a.log_value.hi < q->at)
        report("%s: %.17g by %s is needed, but log delta before it is at "
               "most %.17g by %s",
            words, lower, v->lower.route, a.log_value.hi, route);
}

static void one_plan(void)
{
    char text[PLAN_BYTES];
    int extreme = prop_below(&rng, 3) == 0 ? 8 : 0;
    question q = {.text = text,
        .neighbours = prop_below(&rng, 3) ? DOSI_ADD_REMOVE : DOSI_REPLACE,
        .kind = random_kind(&rng)};
    prop_random start = rng;
    plan_source s = {
        .rng = &rng, .extreme_one_in = extreme, .worse = PLAN_AS_IT_IS};
    plan_random(text, &s, q.neighbours);
    q.plan = plan_of(text);
    q.at = random_argument(q.kind, &rng);
    verdict v = compare(&q);
    check_argument(&q, &v);
    check_parameters(&q, &v, start, extreme);
    check_inverse(&q, &v);
    dosi_plan_free(q.plan);
}

static void test_routes(void **state)
{
    (void)state;
    for (long i = prop_count(150); i > 0; i--)
        one_plan();
    nothing_failed();
}

/* Samples so rare that products of their rates fall below the doubles: all
 * routes are asked, and log delta is compared. */
static void one_rare_sample(void)
{
    char text[PLAN_BYTES], leaf[PART_BYTES];
    question q = {.text = text, .kind = ASK_DELTA};
    plan_source s = {.rng = &rng, .worse = PLAN_AS_IT_IS};
    double rate = prop_below(&rng, 3) ? 0x1p-1074 * prop_scaled(&rng, 0, 60)
                                      : prop_scaled(&rng, -1022, -900);
    if (prop_below(&rng, 2))
        snprintf(leaf, sizeof leaf, "gaussian(%.17g)",
            prop_scaled(&rng, -4, 4));
    else
        plan_leaf(leaf, &s);
    snprintf(text, sizeof text, "poisson(%.17g, %s) * %d", rate, leaf,
        prop_below(&rng, 2) ? 1 : 1 + prop_below(&rng, 2000));
    q.plan = plan_of(text);
    q.at = prop_below(&rng, 4) ? prop_scaled(&rng, -12, 3) : 0;
    verdict v = compare(&q);
    check_argument(&q, &v);
    dosi_plan_free(q.plan);
}

static void test_rare_samples(void **state)
{
    (void)state;
    asks_all = true;
    for (long i = prop_count(50); i > 0; i--)
        one_rare_sample();
    asks_all = false;
    nothing_failed();
}

int main(void)
{
    rng = prop_start("prop_routes");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes), cmocka_unit_test(test_rare_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
