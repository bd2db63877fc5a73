/*
 * Calibration of random plans to random targets. A number is drawn, the
 * target is what it attains, the number is taken away: what is found must
 * meet the target, the next double or integer on the unsafe side must not,
 * and the number that was drawn must not be less safe than what is found.
 * All of it is asked anew, and both answers must be those of the
 * calibration. DOSI_EFFORT=10 makes it 1,000 problems.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "dosimeter.h"
#include "support/random.h"

#define TEXT 256

static prop_random rng;

/* ---- Problems ---------------------------------------------------------- */

/* A plan with one %s where the number goes. */
typedef struct problem {
    char form[TEXT];
    double drawn;
    double unsafe; /* where the unsafe side leads */
    bool is_whole;
    dosi_options options;
} problem;

static double rate(void)
{
    return prop_scaled(&rng, -12, -3);
}

static int steps(void)
{
    return 1 << (6 + prop_below(&rng, 8)); /* fewer take longer */
}

static void sampled(problem *p)
{
    switch (prop_below(&rng, 4)) {
    case 0:
        snprintf(p->form, TEXT, "poisson(%.17g, gaussian(%%s)) * %d", rate(),
            steps());
        p->drawn = prop_scaled(&rng, -1, 4);
        break;
    case 1:
        snprintf(p->form, TEXT, "poisson(%%s, gaussian(%.17g)) * %d",
            prop_scaled(&rng, 0, 3), steps());
        p->drawn = rate();
        p->unsafe = 1;
        break;
    case 2:
        snprintf(p->form, TEXT, "poisson(%.17g, gaussian(%.17g)) * %%s",
            rate(), prop_scaled(&rng, 0, 3));
        p->drawn = floor(prop_scaled(&rng, 8, 16));
        p->unsafe = HUGE_VAL;
        p->is_whole = true;
        break;
    default:
        snprintf(p->form, TEXT, "poisson(%.17g, laplace(%%s)) * %d",
            prop_scaled(&rng, -6, -2), 8 * steps());
        p->drawn = prop_scaled(&rng, -1, 2);
        break;
    }
}

static void single(problem *p)
{
    static const char *const noises[] = {"gaussian(%s)", "laplace(%s)",
        "discrete_laplace(%s)", "gaussian(%s) * 7", "gaussian(%s) + gdp(0.1)",
        "group(3, gaussian(%s))", "discrete_laplace(%s) * 3"};
    static const char *const losses[] = {"pure(%s)", "pure(%s) * 9",
        "rr(%s, 4)", "exponential(%s)", "gdp(%s)", "zcdp(%s)",
        "approx(%s, 1e-10) * 3", "zcdp(0.01, %s)", "renyi(20, %s)",
        "rr(%s) * 30", "zcdp(0.001) + zcdp(%s)"};
    static const double ends[] = {0x1p-1074, 1e-310, 0x1p-1022, 1e-300, 1e-100,
        0x1p-60, 1e9, 1e100, 1e300};
    bool noise = prop_below(&rng, 2);
    size_t n = noise ? sizeof noises / sizeof *noises
                     : sizeof losses / sizeof *losses;
    int which = prop_below(&rng, (int)n);
    snprintf(p->form, TEXT, "%s", noise ? noises[which] : losses[which]);
    p->drawn = noise ? prop_scaled(&rng, -2, 8) : prop_scaled(&rng, -8, 2);
    if (prop_below(&rng, 8) == 0)
        p->drawn = ends[prop_below(&rng, (int)(sizeof ends / sizeof *ends))];
    p->unsafe = noise ? 0 : HUGE_VAL;
}

static void whole(problem *p)
{
    p->is_whole = true;
    p->unsafe = HUGE_VAL;
    p->drawn = 1 + prop_below(&rng, 1000);
    switch (prop_below(&rng, 4)) {
    case 0:
        snprintf(p->form, TEXT, "gaussian(%.17g) * %%s",
            prop_scaled(&rng, 2, 8));
        break;
    case 1:
        snprintf(p->form, TEXT, "pure(%.17g) * %%s",
            prop_scaled(&rng, -10, -3));
        break;
    case 2:
        snprintf(p->form, TEXT, "group(%%s, laplace(%.17g))",
            prop_scaled(&rng, 4, 12));
        break;
    default:
        snprintf(p->form, TEXT, "rr(%.17g, %%s)", prop_scaled(&rng, -1, 3));
        p->drawn += 1;
        p->unsafe = 2;
        break;
    }
}

/* ---- Asking ------------------------------------------------------------ */

static bool is_narrow(dosi_interval x)
{
    return x.hi - x.lo <= 1e-6 * x.hi;
}

static const dosi_plan *plan_with(const problem *p, const char *number)
{
    char text[2 * TEXT];
    const char *at = strstr(p->form, "%s");
    const dosi_plan *plan = NULL;
    dosi_error err;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - p->form), p->form,
        number, at + 2);
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

static dosi_interval answer(const problem *p, const dosi_target *t, double x)
{
    char number[DOSI_NUMBER_BYTES];
    dosi_print_exact(number, x);
    const dosi_plan *plan = plan_with(p, number);
    dosi_answer a = {.value = {0, 0}};
    dosi_error err;
    dosi_status status = DOSI_OK;
    switch (t->kind) {
    case DOSI_TARGET_EPSILON:
        status = dosi_epsilon_at_delta(&a, plan, t->at, &p->options, &err);
        break;
    case DOSI_TARGET_EPSILON_LOG:
        status = dosi_epsilon_at_log_delta(&a, plan, t->at, &p->options, &err);
        break;
    case DOSI_TARGET_DELTA:
        status = dosi_delta_at_epsilon(&a, plan, t->at, &p->options, &err);
        break;
    case DOSI_TARGET_TRADEOFF:
        status = dosi_tradeoff_at_alpha(&a, plan, t->at, &p->options, &err);
        break;
    case DOSI_TARGET_RENYI:
        status = dosi_renyi_at_order(&a, plan, t->at, &p->options, &err);
        break;
    case DOSI_TARGET_ZCDP:
        status = dosi_zcdp_at_xi(&a, plan, t->at, &p->options, &err);
        break;
    case DOSI_TARGET_GDP:
        status = dosi_gdp_at_floor(&a, plan, t->at, &p->options, &err);
        break;
    case DOSI_TARGET_ADVANTAGE:
        status = dosi_delta_at_epsilon(&a, plan, 0, &p->options, &err);
        break;
    }
    if (status != DOSI_OK)
        fail_msg("%s with %s: %s", p->form, number, err.message);
    dosi_plan_free(plan);
    return a.value;
}

/* The safe end with x, as greater is worse. */
static double attained(const problem *p, const dosi_target *t, double x)
{
    dosi_interval a = answer(p, t, x);
    return t->kind == DOSI_TARGET_TRADEOFF ? -a.lo : a.hi;
}

static dosi_target random_question(void)
{
    double delta = prop_scaled(&rng, -40, -8);
    switch (prop_below(&rng, 14)) {
    case 12:
        return (dosi_target){DOSI_TARGET_GDP, 0,
            prop_below(&rng, 2) ? 0 : prop_uniform(&rng, 1e-6, 0.1)};
    case 13:
        return (dosi_target){
            DOSI_TARGET_TRADEOFF, 0, prop_below(&rng, 2) ? 0 : 1};
    case 0:
        return (dosi_target){DOSI_TARGET_DELTA, 0, prop_scaled(&rng, -3, 1)};
    case 1:
        return (dosi_target){
            DOSI_TARGET_TRADEOFF, 0, prop_uniform(&rng, 0.01, 0.4)};
    case 2:
        return (dosi_target){
            DOSI_TARGET_RENYI, 0, prop_uniform(&rng, 1.5, 16)};
    case 3:
        return (dosi_target){DOSI_TARGET_ZCDP, 0, 0};
    case 4:
        return (dosi_target){DOSI_TARGET_ADVANTAGE, 0, 0};
    case 5:
        return (dosi_target){DOSI_TARGET_EPSILON_LOG, 0, log(delta)};
    default:
        return (dosi_target){DOSI_TARGET_EPSILON, 0, delta};
    }
}

/* ---- One problem ------------------------------------------------------- */

/* Asked directly, both numbers have the answers that the calibration says,
 * and by these the first one meets the target, the other one does not. */
static void check_answers(const problem *p, const dosi_target *t,
    const dosi_calibration *c)
{
    bool least = t->kind == DOSI_TARGET_TRADEOFF;
    dosi_interval a = c->answer.value, b = c->beyond_answer.value;
    dosi_interval x = answer(p, t, c->value), y = answer(p, t, c->beyond);
    if (a.lo != x.lo || a.hi != x.hi || b.lo != y.lo || b.hi != y.hi)
        fail_msg("%s: target %d at %.17g: [%.17g, %.17g] with %.17g, asked "
                 "anew [%.17g, %.17g]; beyond it [%.17g, %.17g], asked anew "
                 "[%.17g, %.17g]",
            p->form, (int)t->kind, t->at, a.lo, a.hi, c->value, x.lo, x.hi,
            b.lo, b.hi, y.lo, y.hi);
    if (!(least ? a.lo >= t->value : a.hi <= t->value))
        fail_msg("%s: [%.17g, %.17g] with %.17g does not meet %.17g", p->form,
            a.lo, a.hi, c->value, t->value);
    if (c->reason == NULL && (least ? b.lo >= t->value : b.hi <= t->value))
        fail_msg("%s: [%.17g, %.17g] with %.17g meets %.17g, too", p->form,
            b.lo, b.hi, c->beyond, t->value);
}

static void check(const problem *p, const dosi_target *t,
    const dosi_calibration *c)
{
    double worst = t->kind == DOSI_TARGET_TRADEOFF ? -t->value : t->value;
    bool up = p->unsafe > p->drawn;
    double next = !p->is_whole ? nextafter(c->value, p->unsafe)
                  : up         ? c->value + 1
                               : c->value - 1;
    if (!(attained(p, t, c->value) <= worst))
        fail_msg("%s: %.17g overshoots %.17g", p->form, c->value, worst);
    if (!(attained(p, t, c->rounded) <= worst) ||
        (up ? c->rounded > c->value : c->rounded < c->value))
        fail_msg("%s: %.17g rounds to %.17g", p->form, c->value, c->rounded);
    /* the number drawn meets the target, so the one found costs no more; but
     * the ends of wide intervals waver */
    double gain = (c->value - p->drawn) / p->drawn;
    if (is_narrow(c->beyond_answer.value) && (up ? gain < -1e-5 : gain > 1e-5))
        fail_msg("%s: %.17g, but %.17g is safe, target %d at %.17g", p->form,
            c->value, p->drawn, (int)t->kind, t->at);
    if (c->reason != NULL) {
        assert_true(c->beyond == c->value);
        return;
    }
    if (c->beyond != next || !(attained(p, t, next) > worst))
        fail_msg("%s: %.17g is safe, and %.17g is", p->form, c->value, next);
}

static bool solve_one(void)
{
    problem p = {.unsafe = 0, .options = DOSI_OPTIONS_INIT};
    dosi_target target = random_question();
    dosi_calibration c;
    dosi_error err;
    switch (prop_below(&rng, 3)) {
    case 0:
        sampled(&p);
        break;
    case 1:
        single(&p);
        if (prop_below(&rng, 3) == 0)
            p.options.neighbours = DOSI_REPLACE;
        break;
    default:
        whole(&p);
        break;
    }
    dosi_interval at_drawn = answer(&p, &target, p.drawn);
    double worst =
        target.kind == DOSI_TARGET_TRADEOFF ? at_drawn.lo : at_drawn.hi;
    if (!(worst >= 0 && worst < HUGE_VAL) ||
        (worst >= 1 && (target.kind == DOSI_TARGET_DELTA ||
                           target.kind == DOSI_TARGET_TRADEOFF ||
                           target.kind == DOSI_TARGET_ADVANTAGE)))
        return false; /* no bound, hence no target */
    if (strncmp(p.form, "poisson", 7) == 0 && !is_narrow(at_drawn))
        return false; /* it would take long */
    target.value = worst;
    const dosi_plan *plan = plan_with(&p, "?");
    if (dosi_calibrate(&c, plan, &target, 1, &p.options, &err) != DOSI_OK)
        fail_msg("%s: %s", p.form, err.message);
    dosi_plan_free(plan);
    check_answers(&p, &target, &c);
    check(&p, &target, &c);
    return true;
}

static void last_safe_number(void **state)
{
    (void)state;
    rng = prop_start("prop_calibrate");
    long wanted = prop_count(100), n = 0;
    for (long i = 0; n < wanted && i < 10 * wanted; i++)
        n += solve_one();
    printf("%ld problems\n", n);
    assert_true(n == wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_safe_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
