/*
 * Every question about random finite plans, by every route, against their
 * enumeration in Arb. Both ends of an answer must lie on their sides of the
 * truth, with no tolerance.
 */
#include "questions.h"

#include "finite_plans.h"

static const char *const routes[] = {NULL, "closed", "finite", "grid",
    "spectral", "zcdp", "approx", "renyi"};
#define N_ROUTES (sizeof routes / sizeof *routes)

/* ---- Truths -------------------------------------------------------------- */

/* Ends of the truth as balls; upper may be infinite. */
typedef struct truth {
    arb_t lower, upper;
} truth;

static void truth_delta(arb_t out, finite_pair *x, double eps)
{
    arb_t e;
    arb_init(e);
    arb_set_d(e, eps);
    arb_zero(out);
    for (int i = 0; i < 2; i++)
        finite_delta(out, &x->law[i], e, bits);
    arb_clear(e);
}

static void truth_beta(arb_t out, finite_pair *x, double alpha)
{
    arb_t a;
    arb_init(a);
    arb_set_d(a, alpha);
    arb_one(out);
    for (int i = 0; i < 2; i++) {
        finite_tests tests;
        finite_tests_init(&tests, &x->law[i], bits);
        finite_beta(out, &tests, a, bits);
        finite_tests_clear(&tests);
    }
    arb_clear(a);
}

static bool leaks(finite_pair *x)
{
    return finite_leaks(&x->law[0]) || finite_leaks(&x->law[1]);
}

static void truth_renyi(arb_t out, finite_pair *x, const arb_t order)
{
    arb_zero(out);
    if (leaks(x)) {
        arb_pos_inf(out);
        return;
    }
    for (int i = 0; i < 2; i++)
        finite_renyi(out, &x->law[i], order, bits);
}

/*
 * sup over orders a > 1 of (D_a - xi)/a. D rises, so between two orders of a
 * grid it is at most (D of the greater - xi) / (the smaller one), and beyond
 * the last one D of all orders is at most that of order 2^200 and a bit.
 */
static void truth_zcdp(truth *out, finite_pair *x, double at)
{
    arb_t order, before, d, t, xi;
    arb_init(order);
    arb_init(before);
    arb_init(d);
    arb_init(t);
    arb_init(xi);
    arb_set_d(xi, at);
    arb_one(before);
    arb_zero(out->lower);
    arb_zero(out->upper);
    for (int j = -12; j <= 12 && !leaks(x); j++) {
        arb_set_d(order, j == -12 ? 1 : 1 + exp2(j == 12 ? 200 : j));
        truth_renyi(d, x, order);
        arb_sub(d, d, xi, bits);
        arb_div(t, d, order, bits);
        arb_max(out->lower, out->lower, t, bits);
        if (j == 12) /* the greatest loss is at most D + 1/2^100 */
            arb_add_error_2exp_si(d, -100);
        arb_div(t, d, before, bits);
        arb_max(out->upper, out->upper, t, bits);
        arb_set(before, order);
    }
    if (leaks(x)) {
        arb_pos_inf(out->lower);
        arb_pos_inf(out->upper);
    }
    arb_clear(order);
    arb_clear(before);
    arb_clear(d);
    arb_clear(t);
    arb_clear(xi);
}

/*
 * The greatest isf(alpha) + isf(beta) of tests whose errors are not below
 * the floor. The curve is a polygon and Gaussian ones are convex: corners
 * are enough, and the two points in which the floor cuts it.
 */
static void truth_mu_of(arb_t out, const finite_tests *t, double floor)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_set_d(a, floor);
    for (slong k = 0; k <= t->n; k++)
        if (!arb_is_zero(t->alpha + k) && !arb_is_zero(t->beta + k) &&
            arb_gt(t->alpha + k, a) && arb_gt(t->beta + k, a))
            finite_mu_of(out, t->alpha + k, t->beta + k);
    if (floor > 0) {
        arb_one(b);
        finite_beta(b, t, a, bits);
        arb_max(b, b, a, bits);
        finite_mu_of(out, a, b);
    }
    arb_clear(a);
    arb_clear(b);
}

static void truth_gdp(arb_t out, finite_pair *x, double floor)
{
    arb_zero(out);
    for (int i = 0; i < 4; i++) { /* each law, and its mirror image */
        finite_law y;
        finite_tests tests;
        finite_copy(&y, &x->law[i / 2]);
        if (i % 2 == 1)
            finite_exchange(&y);
        if (floor == 0 && finite_leaks(&y))
            arb_pos_inf(out);
        finite_tests_init(&tests, &y, bits);
        truth_mu_of(out, &tests, floor);
        finite_tests_clear(&tests);
        finite_clear(&y);
    }
}

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
        truth_gdp(out->lower, x, q->at);
        break;
    case ASK_EPSILON: /* by check_epsilon */
    case ASK_KINDS:
        break;
    }
    arb_set(out->upper, out->lower);
}

/* ---- Checks -------------------------------------------------------------- */

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

static void check_question(const question *q, finite_pair *x)
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

/* Right guesses of who takes the record to be there with this probability:
 * sum of max(prior p, (1 - prior) q), p being the law with the record. */
static void truth_accuracy(arb_t out, const finite_law *x, const arb_t prior)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_zero(out);
    for (slong i = 0; i < x->n; i++) {
        arb_sub(a, x->p + i, x->q + i, bits);
        arb_mul(a, a, prior, bits);
        arb_add(a, a, x->q + i, bits); /* prior p + (1 - prior) q */
        arb_mul(b, prior, x->p + i, bits);
        arb_sub(a, a, b, bits);
        arb_max(a, a, b, bits);
        arb_add(out, out, a, bits);
    }
    arb_clear(a);
    arb_clear(b);
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
        check_question(&q, &x);
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
