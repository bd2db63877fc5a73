/*
 * Every question about random finite plans, by every route, against their
 * enumeration in Arb. Both ends of an answer must lie on their sides of the
 * truth, with no tolerance, and be near to each other.
 */
#include "support/questions.h"

#include "support/arb_truth.h"

static const char *const routes[] = {NULL, "closed", "finite", "lists",
    "contour", "zcdp", "approx", "renyi"};
#define N_ROUTES (sizeof routes / sizeof *routes)

/* ---- Checks -------------------------------------------------------------- */

static void truth_of(truth *out, const question *q, finite_pair *x)
{
    switch (q->kind) {
    case ASK_DELTA:
        truth_delta(out->lower, x, q->at);
        break;
    case ASK_TRADEOFF:
        truth_beta(out->lower, x, q->at);
        break;
    case ASK_RENYI:
        arb_set_d(out->upper, q->at);
        truth_renyi(out->lower, x, out->upper);
        break;
    case ASK_ZCDP:
        truth_zcdp(out, x, q->at);
        return;
    case ASK_GDP:
        truth_gdp(out, x, q->at);
        return;
    case ASK_EPSILON: /* by check_epsilon */
    case ASK_KINDS:
        break;
    }
    arb_set(out->upper, out->lower);
}

static void say_missed(const question *q, const char *route,
    dosi_interval x, const arb_t t)
{
    char words[ASKED_BYTES];
    char *number = arb_get_str(t, 20, ARB_STR_NO_RADIUS);
    question_print(words, sizeof words, q, route);
    report("%s: [%.17g, %.17g], truth %s", words, x.lo, x.hi, number);
    flint_free(number);
}

/* Whether x, or its logarithm, is on the right side; t is infinite where the
 * truth is. */
static bool below(double x, const arb_t t)
{
    arb_t b;
    arb_init(b);
    arb_set_d(b, x);
    bool found = !arb_gt(b, t);
    arb_clear(b);
    return found;
}

static bool above(double x, const arb_t t)
{
    arb_t b;
    arb_init(b);
    arb_set_d(b, x);
    bool found = !arb_lt(b, t);
    arb_clear(b);
    return found;
}

static void check_value(const question *q, const char *route,
    const dosi_answer *a, const truth *t)
{
    if (!below(a->value.lo, t->upper) || !above(a->value.hi, t->lower))
        say_missed(q, route, a->value, t->lower);
    arb_t l;
    arb_init(l);
    arb_log(l, t->lower, bits);
    if (q->kind == ASK_DELTA && !arb_contains_zero(t->lower) &&
        (!below(a->log_value.lo, l) || !above(a->log_value.hi, l)))
        say_missed(q, route, a->log_value, l);
    arb_clear(l);
}

/* delta at the upper end is within what was asked for, and just below the
 * lower end it is not. */
static void check_epsilon(const question *q, const char *route,
    const dosi_answer *a, finite_pair *x)
{
    arb_t d, at;
    arb_init(d);
    arb_init(at);
    arb_set_d(at, q->at);
    arb_exp(at, at, bits);
    if (a->value.hi < 1e4) {
        truth_delta(d, x, a->value.hi);
        if (arb_gt(d, at))
            say_missed(q, route, a->value, d);
    }
    if (a->value.lo > 0) {
        truth_delta(d, x, nextafter(fmin(a->value.lo, 1e4), 0));
        if (arb_lt(d, at))
            say_missed(q, route, a->value, d);
    }
    arb_clear(d);
    arb_clear(at);
}

/* What is enumerated is known narrowly unless it was stopped; divergences of
 * samples are not, and those of zCDP and GDP are for other tests. */
static void check_width(const question *q, const dosi_answer *a)
{
    double width = a->value.hi - a->value.lo;
    double rounding = q->kind == ASK_TRADEOFF ? 1e-9 : 1e-14;
    if (q->kind == ASK_RENYI || q->kind == ASK_ZCDP || q->kind == ASK_GDP ||
        a->value.lo == HUGE_VAL || width <= 1e-6 * a->value.hi + rounding ||
        (a->reason != NULL && strcmp(a->reason, DOSI_STOPPED) == 0))
        return;
    char words[ASKED_BYTES];
    question_print(words, sizeof words, q, NULL);
    report("%s: [%.17g, %.17g] is wide: %s", words, a->value.lo, a->value.hi,
        a->reason != NULL ? a->reason : "no reason");
}

static void check_question(const question *q, finite_pair *x, bool is_usual)
{
    truth t;
    arb_init(t.lower);
    arb_init(t.upper);
    truth_of(&t, q, x);
    for (size_t i = 0; i < N_ROUTES; i++) {
        dosi_answer a;
        /* a search for mu asks for hundreds of divergences by some routes */
        if (q->kind == ASK_GDP && i > 2 && prop_below(&rng, 8) != 0)
            continue;
        if (!ask(&a, q, routes[i]))
            continue;
        if (q->kind == ASK_EPSILON)
            check_epsilon(q, routes[i], &a, x);
        else
            check_value(q, routes[i], &a, &t);
        if (routes[i] == NULL && is_usual)
            check_width(q, &a);
    }
    arb_clear(t.lower);
    arb_clear(t.upper);
}

/* ---- Risk ---------------------------------------------------------------- */

static void check_interval(const question *q, const char *what, double at,
    dosi_interval x, const arb_t t)
{
    if (x.lo >= 0 && x.hi <= 1 && below(x.lo, t) && above(x.hi, t))
        return;
    char *number = arb_get_str(t, 20, ARB_STR_NO_RADIUS);
    report("risk '%s' --prior %.17g: %s: [%.17g, %.17g], truth %s", q->text,
        at, what, x.lo, x.hi, number);
    flint_free(number);
}

/* At each rate of false positives: the greatest one of true positives, and
 * the probability that the record is there after a positive test. */
static void check_tests(const question *q, const dosi_risk *r,
    const finite_tests *tests, const arb_t prior)
{
    arb_t fpr, tpr, odds;
    arb_init(fpr);
    arb_init(tpr);
    arb_init(odds);
    for (int i = 0; i < DOSI_RISK_RATES; i++) {
        arb_set_d(fpr, r->false_positive[i]);
        arb_one(tpr);
        finite_beta(tpr, tests, fpr, bits);
        arb_sub_ui(tpr, tpr, 1, bits);
        arb_neg(tpr, tpr);
        check_interval(q, "true_positive", r->prior, r->true_positive[i], tpr);
        arb_mul(tpr, tpr, prior, bits);
        arb_sub_ui(odds, prior, 1, bits);
        arb_mul(odds, odds, fpr, bits);
        arb_sub(odds, tpr, odds, bits);
        arb_div(odds, tpr, odds, bits);
        check_interval(q, "posterior", r->prior, r->posterior[i], odds);
    }
    arb_clear(fpr);
    arb_clear(tpr);
    arb_clear(odds);
}

static void check_risk(const question *q, finite_pair *x)
{
    static const double ends[] = {0x1p-1074, 1e-300, 0.5, 1 - 0x1p-53};
    dosi_risk r;
    dosi_error err = {0};
    looks l;
    dosi_options options = question_options(q, NULL, &l);
    double at = prop_below(&rng, 4) ? prop_uniform(&rng, 0, 1)
                                    : ends[prop_below(&rng, 4)];
    question_watch(q, NULL, "risk ");
    if (dosi_risk_of_plan(&r, q->plan, at, &options, &err) != DOSI_OK) {
        report("risk '%s' --prior %.17g: %s", q->text, at, err.message);
        return;
    }
    arb_t t, prior;
    arb_init(t);
    arb_init(prior);
    finite_tests tests;
    truth_delta(t, x, 0);
    check_interval(q, "advantage", at, r.advantage.value, t);
    arb_add_ui(t, t, 1, bits);
    arb_mul_2exp_si(t, t, -1);
    check_interval(q, "accuracy", at, r.accuracy, t);
    if (!x->own_add) { /* else there are two laws with the record */
        arb_set_d(prior, at);
        truth_accuracy(t, &x->law[0], prior);
        check_interval(q, "prior_accuracy", at, r.prior_accuracy, t);
        finite_tests_init(&tests, &x->law[0], bits);
        check_tests(q, &r, &tests, prior);
        finite_tests_clear(&tests);
    }
    arb_clear(t);
    arb_clear(prior);
}

/* ---- Loss laws ----------------------------------------------------------- */

/* From above the law's delta is nowhere below the truth, from below it is
 * nowhere above; and so is beta the other way around. */
static void check_law(const question *q, finite_pair *x)
{
    arb_t t;
    arb_init(t);
    for (int side = 0; side < 2; side++) {
        const dosi_plan *law = NULL;
        dosi_error err = {0};
        looks l;
        dosi_options options = question_options(q, NULL, &l);
        double tail = prop_scaled(&rng, -60, -2);
        question_watch(q, NULL, "loss ");
        dosi_status status = dosi_loss_of_plan(&law, q->plan, (dosi_side)side,
            2 + (size_t)prop_below(&rng, 200), tail, &options, &err);
        if (status == DOSI_EUNSUPPORTED || status == DOSI_EUNABLE)
            continue;
        if (status != DOSI_OK) {
            report("loss '%s': %s", q->text, err.message);
            continue;
        }
        question of_law = *q;
        dosi_answer a;
        of_law.plan = law;
        of_law.kind = prop_below(&rng, 2) ? ASK_DELTA : ASK_TRADEOFF;
        of_law.at = random_argument(of_law.kind, &rng);
        if (of_law.kind == ASK_DELTA)
            of_law.at = fmin(of_law.at, 1e4);
        if (ask(&a, &of_law, NULL)) {
            if (of_law.kind == ASK_DELTA)
                truth_delta(t, x, of_law.at);
            else
                truth_beta(t, x, of_law.at);
            bool upper = (side == 0) == (of_law.kind == ASK_DELTA);
            if (upper ? !above(a.value.hi, t) : !below(a.value.lo, t))
                say_missed(&of_law, side == 0 ? "(of loss --side upper)"
                                              : "(of loss --side lower)",
                    a.value, t);
        }
        dosi_plan_free(law);
    }
    arb_clear(t);
}

/* ---- The runs ------------------------------------------------------------ */

static void one_plan(void)
{
    char text[PLAN_BYTES];
    finite_pair x;
    bool extreme = prop_below(&rng, 3) == 0;
    bits = extreme ? 2400 : 256;
    make_plan(text, &x, extreme);
    question q = {.text = text, .plan = plan_of(text), .max_looks = 100};
    for (int i = 0; i < 3; i++) {
        q.kind = (ask_kind)prop_below(&rng, ASK_KINDS);
        q.at = random_argument(q.kind, &rng);
        if (q.kind == ASK_DELTA)
            q.at = fmin(q.at, 1e4);
        check_question(&q, &x, !extreme);
    }
    if (prop_below(&rng, 3) == 0)
        check_risk(&q, &x);
    if (!extreme && prop_below(&rng, 3) == 0)
        check_law(&q, &x);
    dosi_plan_free(q.plan);
    pair_clear(&x);
}

static void test_finite(void **state)
{
    (void)state;
    for (long i = prop_count(40); i > 0; i--)
        one_plan();
    nothing_failed();
}

int main(void)
{
    rng = prop_start("prop_finite");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
