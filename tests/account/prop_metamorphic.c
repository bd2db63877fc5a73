/*
 * Plans that mean the same have answers with a number in common, and equal
 * ones if their normal forms are equal: whatever the order of parts, A * 2
 * and A + A, a group of one, a sample of all, samples of samples. Plans that
 * lose more never have certified ends below those that lose less: less
 * noise, more steps, one part more; and a part that is only stated does not
 * take away from the lower end of the others. For every kind of question.
 */
#include "support/questions.h"

static prop_random rng;

static plan_source source(void)
{
    return (plan_source){.rng = &rng,
        .extreme_one_in = prop_below(&rng, 3) == 0 ? 8 : 0,
        .worse = PLAN_AS_IT_IS};
}

static dosi_neighbours relation(void)
{
    return prop_below(&rng, 3) ? DOSI_ADD_REMOVE : DOSI_REPLACE;
}

/* ---- The same meaning ---------------------------------------------------- */

static bool have_one_normal_form(const dosi_plan *a, const dosi_plan *b)
{
    const dosi_plan *x = NULL, *y = NULL;
    bool same = dosi_plan_normal(&x, a, NULL) == DOSI_OK &&
                dosi_plan_normal(&y, b, NULL) == DOSI_OK &&
                dosi_plan_equal(x, y);
    dosi_plan_free(x);
    dosi_plan_free(y);
    return same;
}

static bool is_same_interval(dosi_interval x, dosi_interval y)
{
    return x.lo == y.lo && x.hi == y.hi;
}

/* All kinds of questions, one of each, of two plans that mean the same.
 * must_merge says that the normal form is to see it. */
static void check_same(const char *first, const char *second,
    dosi_neighbours neighbours, bool must_merge)
{
    question a = {.text = first, .plan = plan_of(first)};
    question b = {.text = second, .plan = plan_of(second)};
    bool same = have_one_normal_form(a.plan, b.plan);
    a.neighbours = b.neighbours = neighbours;
    if (must_merge && !same)
        report("'%s' and '%s' have two normal forms", first, second);
    for (int kind = 0; kind < ASK_KINDS; kind++) {
        dosi_answer x, y;
        a.kind = b.kind = (ask_kind)kind;
        a.at = b.at = random_argument(a.kind, &rng);
        bool knows_x = ask(&x, &a, NULL), knows_y = ask(&y, &b, NULL);
        if (knows_x != knows_y && same)
            report("one of '%s' and '%s' has no answer", first, second);
        if (!knows_x || !knows_y)
            continue;
        check_not_better(&a, &x, &b, &y, "not the same");
        check_not_better(&b, &y, &a, &x, "not the same");
        if (same && !is_same_interval(x.value, y.value)) {
            char words[ASKED_BYTES];
            question_print(words, sizeof words, &b, NULL);
            report("one normal form, two answers: [%.17g, %.17g] for %s, "
                   "[%.17g, %.17g] for '%s'",
                y.value.lo, y.value.hi, words, x.value.lo, x.value.hi, first);
        }
    }
    dosi_plan_free(a.plan);
    dosi_plan_free(b.plan);
}

static void order_of_parts(void)
{
    char a[PART_BYTES], b[PART_BYTES], c[PART_BYTES];
    char first[PLAN_BYTES], second[PLAN_BYTES];
    plan_source s = source();
    dosi_neighbours neighbours = relation();
    plan_part(a, &s, neighbours);
    plan_part(b, &s, neighbours);
    plan_part(c, &s, neighbours);
    snprintf(first, PLAN_BYTES, "%s + (%s + %s) * 2", a, b, c);
    snprintf(second, PLAN_BYTES, "%s * 2 + %s + %s * 2", c, a, b);
    check_same(first, second, neighbours, true);
}

static void twice(void)
{
    char a[PART_BYTES], first[PLAN_BYTES], second[PLAN_BYTES];
    plan_source s = source();
    dosi_neighbours neighbours = relation();
    double count = prop_below(&rng, 2) ? 1 : plan_count(&s);
    plan_part(a, &s, neighbours);
    count = fmin(count, 0x1p52);
    snprintf(first, PLAN_BYTES, "%s * %.0f", a, 2 * count);
    snprintf(second, PLAN_BYTES, "%s * %.0f + %s * %.0f", a, count, a, count);
    check_same(first, second, neighbours, true);
}

static void group_of_one(void)
{
    char first[PLAN_BYTES], second[PLAN_BYTES];
    plan_source s = source();
    dosi_neighbours neighbours = relation();
    plan_random(first, &s, neighbours);
    snprintf(second, PLAN_BYTES, "group(1, %.2280s)", first);
    check_same(first, second, neighbours, true);
}

/* Under replace a sample of all is a group of two, which has a test of its
 * own. */
static void sample_of_all(void)
{
    char a[PART_BYTES], second[PLAN_BYTES];
    plan_source s = source();
    plan_part(a, &s, DOSI_ADD_REMOVE);
    snprintf(second, PLAN_BYTES, "poisson(1, %s)", a);
    check_same(a, second, DOSI_ADD_REMOVE, false);
    snprintf(second, PLAN_BYTES, "poisson(0, %s)", a);
    check_same("pure(0)", second, DOSI_ADD_REMOVE, false);
}

/* Rates of few bits, so that their product is exact. */
static void samples_of_samples(void)
{
    char a[PART_BYTES], first[PLAN_BYTES], second[PLAN_BYTES];
    plan_source s = source();
    double x = ldexp(1 + prop_below(&rng, 1023), -10 - prop_below(&rng, 20));
    double y = ldexp(1 + prop_below(&rng, 1023), -10);
    int count = 1 + prop_below(&rng, 3);
    if (prop_below(&rng, 12) == 0)
        x = 0x1p-1060;
    plan_leaf(a, &s);
    snprintf(first, PLAN_BYTES, "poisson(%.17g, %s) * %d", x * y, a, count);
    snprintf(second, PLAN_BYTES, "poisson(%.17g, poisson(%.17g, %s)) * %d", x,
        y, a, count);
    check_same(first, second, DOSI_ADD_REMOVE, false);
}

/* ---- More or less -------------------------------------------------------- */

/* All kinds of questions, one of each, of a plan that loses no less than the
 * other one. */
static void check_more(const char *more, const char *less,
    dosi_neighbours neighbours, const char *why)
{
    question a = {.text = more, .plan = plan_of(more)};
    question b = {.text = less, .plan = plan_of(less)};
    a.neighbours = b.neighbours = neighbours;
    for (int kind = 0; kind < ASK_KINDS; kind++) {
        dosi_answer x, y;
        a.kind = b.kind = (ask_kind)kind;
        a.at = b.at = random_argument(a.kind, &rng);
        if (ask(&x, &a, NULL) && ask(&y, &b, NULL))
            check_not_better(&a, &x, &b, &y, why);
    }
    dosi_plan_free(a.plan);
    dosi_plan_free(b.plan);
}

static void worse_parameters(void)
{
    char more[PLAN_BYTES], less[PLAN_BYTES];
    plan_source s = source();
    dosi_neighbours neighbours = relation();
    prop_random start = rng;
    plan_random(less, &s, neighbours);
    plan_source t = s;
    t.rng = &start;
    switch (prop_below(&rng, 4)) {
    case 0:
        t.worse.noise = prop_uniform(&rng, 0.01, 1);
        break;
    case 1:
        t.worse.losses = prop_uniform(&rng, 1, 10);
        break;
    case 2:
        t.worse.rate = prop_uniform(&rng, 1, 10);
        break;
    default:
        t.worse.count = 1;
        break;
    }
    plan_random(more, &t, neighbours);
    check_more(more, less, neighbours, "a worse plan is better");
}

static void one_part_more(void)
{
    char a[PLAN_BYTES], b[PART_BYTES], more[PLAN_BYTES];
    plan_source s = source();
    dosi_neighbours neighbours = relation();
    do
        plan_random(a, &s, neighbours);
    while (strlen(a) > PLAN_BYTES - PART_BYTES - 8);
    plan_part(b, &s, neighbours);
    snprintf(more, PLAN_BYTES, "%.1590s + %.690s", a, b);
    check_more(more, a, neighbours, "one part more is better");
}

static void larger_group(void)
{
    char a[PART_BYTES], more[PLAN_BYTES], less[PLAN_BYTES];
    plan_source s = source();
    dosi_neighbours neighbours = relation();
    int size = 1 + prop_below(&rng, 4);
    plan_part(a, &s, neighbours);
    snprintf(less, PLAN_BYTES, "group(%d, %s)", size, a);
    snprintf(more, PLAN_BYTES, "group(%d, %s)", size + 1, a);
    check_more(more, less, neighbours, "a larger group is better");
}

/* A sample loses no more than the whole, under add_remove. */
static void sample_of_some(void)
{
    char a[PART_BYTES], less[PLAN_BYTES];
    plan_source s = source();
    plan_part(a, &s, DOSI_ADD_REMOVE);
    snprintf(less, PLAN_BYTES, "poisson(%.17g, %s)", plan_rate(&s), a);
    check_more(a, less, DOSI_ADD_REMOVE, "a sample is worse");
}

/* ---- Lower ends ---------------------------------------------------------- */

/* Leaving a part out is a lower bound: a stated guarantee beside a plan that
 * is known does not take away from its lower end, but for the width that
 * nobody asked to be narrower. */
static bool is_cut_short(const dosi_answer *answer)
{
    return answer->reason != NULL &&
           (strcmp(answer->reason, DOSI_STOPPED) == 0 ||
               strcmp(answer->reason, DOSI_SPENT) == 0);
}

static void stated_part_beside(void)
{
    static const char *const known[] = {"gaussian(", "laplace(", "rr(",
        "discrete_laplace(", "gdp(", "pure(", "poisson(0.25, gaussian("};
    static const char *const stated[][2] = {{"zcdp(", ""}, {"renyi(4, ", ""},
        {"zcdp(", ", 0.01"}, {"approx(", ", 1e-9"}, {"pure(", ""},
        {"gdp(", ""}, {"zcdp(", ", 0, 1e-9"}, {"exponential(", ""}};
    char a[PART_BYTES], more[PLAN_BYTES];
    int i = prop_below(&rng, (int)(sizeof known / sizeof *known));
    int j = prop_below(&rng, (int)(sizeof stated / sizeof *stated));
    double scale = prop_scaled(&rng, 0, 4), loss = prop_scaled(&rng, -12, -1);
    snprintf(a, sizeof a, "%s%.17g)%s * %d", known[i], scale,
        strchr(known[i], ',') != NULL ? ")" : "", 1 + prop_below(&rng, 50));
    snprintf(more, sizeof more, "%s + %s%.17g%s)", a, stated[j][0], loss,
        stated[j][1]);
    question x = {.text = a, .plan = plan_of(a), .max_looks = 20000};
    question y = {.text = more, .plan = plan_of(more), .max_looks = 20000};
    for (int kind = 0; kind < ASK_KINDS; kind++) {
        dosi_answer alone, beside;
        x.kind = y.kind = (ask_kind)kind;
        x.at = y.at = random_argument(x.kind, &rng);
        if (!ask(&alone, &x, NULL) || !ask(&beside, &y, NULL))
            continue;
        if (is_cut_short(&beside))
            continue; /* the looks were used up on the longer plan */
        dosi_interval l = badness(x.kind, alone.value);
        dosi_interval m = badness(y.kind, beside.value);
        /* an error of a test is known to 1e-9 where no width is asked for */
        double gap = x.kind == ASK_TRADEOFF ? 1e-9 : 0;
        gap += l.hi < HUGE_VAL ? l.hi - l.lo : 0;
        if (!(m.lo >= l.lo - 1e-6 * fabs(l.lo) - gap)) {
            char words[ASKED_BYTES];
            question_print(words, sizeof words, &y, NULL);
            report("a stated part takes away: %s: [%.17g, %.17g], without "
                   "it [%.17g, %.17g]; reason %s",
                words, beside.value.lo, beside.value.hi, alone.value.lo,
                alone.value.hi,
                beside.reason != NULL ? beside.reason : "none");
        }
    }
    dosi_plan_free(x.plan);
    dosi_plan_free(y.plan);
}

/* ---- The runs ------------------------------------------------------------ */

static void test_metamorphic(void **state)
{
    static void (*const relations[])(void) = {order_of_parts, twice,
        group_of_one, sample_of_all, samples_of_samples, worse_parameters,
        one_part_more, larger_group, sample_of_some, stated_part_beside};
    (void)state;
    size_t n = sizeof relations / sizeof *relations;
    for (long i = prop_count(5 * (long)n); i > 0; i--)
        relations[(size_t)i % n]();
    nothing_failed();
}

int main(void)
{
    rng = prop_start("prop_metamorphic");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_metamorphic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
