/*
 * The caller's floating-point environment: over five hundred questions of
 * every kind are asked in the default environment and again in each of the
 * others (four rounding modes, with and without flushing of subnormal
 * numbers, all exceptions trapped). The results are equal bit for bit, and
 * the environment, its exception flags included, is afterwards the caller's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "dosimeter.h"
#include "dosimeter/json.h"

/* ---- Environments ------------------------------------------------------ */

typedef struct environment {
    const char *name;
    int rounding;
    bool flushes; /* FTZ and DAZ, as -ffast-math sets them */
    bool traps;   /* every exception */
} environment;

static const environment environments[] = {
    {"nearest", FE_TONEAREST, false, false},
#ifdef __x86_64__
    {"nearest, flushing", FE_TONEAREST, true, false},
    {"nearest, trapping", FE_TONEAREST, false, true},
    {"upward, flushing", FE_UPWARD, true, false},
    {"downward, flushing", FE_DOWNWARD, true, false},
    {"towards zero, flushing", FE_TOWARDZERO, true, false},
#endif
    {"upward", FE_UPWARD, false, false},
    {"downward", FE_DOWNWARD, false, false},
    {"towards zero", FE_TOWARDZERO, false, false},
};
static const size_t n_environments =
    sizeof environments / sizeof *environments;

/* What is in the registers: modes, masks and flags. */
typedef struct registers {
    int rounding, flags;
    unsigned mxcsr;
    unsigned short x87;
} registers;

static registers registers_read(void)
{
    registers r = {fegetround(), fetestexcept(FE_ALL_EXCEPT), 0, 0};
#ifdef __x86_64__
    __asm__ volatile("stmxcsr %0" : "=m"(r.mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(r.x87));
#endif
    return r;
}

static bool registers_equal(registers a, registers b)
{
    return a.rounding == b.rounding && a.flags == b.flags &&
           a.mxcsr == b.mxcsr && a.x87 == b.x87;
}

static void environment_enter(const environment *e)
{
    (void)fesetenv(FE_DFL_ENV);
    (void)fesetround(e->rounding);
#ifdef __x86_64__
    registers r = registers_read();
    r.mxcsr |= e->flushes ? 0x8040 : 0;
    r.mxcsr &= e->traps ? ~0x1f80U : ~0U;
    r.x87 = (unsigned short)(r.x87 & (e->traps ? ~0x3f : ~0));
    __asm__ volatile("fldcw %0" : : "m"(r.x87));
    __asm__ volatile("ldmxcsr %0" : : "m"(r.mxcsr));
#endif
}

static void environment_leave(void)
{
    (void)fesetenv(FE_DFL_ENV);
}

/* ---- What was answered, as bytes --------------------------------------- */

#define MAX_BYTES 65536

typedef struct record {
    size_t n;
    char bytes[MAX_BYTES];
} record;

static void add_bytes(record *r, const void *bytes, size_t n)
{
    if (r->n + n > MAX_BYTES)
        abort();
    memcpy(r->bytes + r->n, bytes, n);
    r->n += n;
}

static void add_text(record *r, const char *text)
{
    if (text != NULL)
        add_bytes(r, text, strlen(text));
    add_bytes(r, "\n", 1);
}

static void add_interval(record *r, dosi_interval x)
{
    add_bytes(r, &x.lo, sizeof x.lo);
    add_bytes(r, &x.hi, sizeof x.hi);
}

static void add_status(record *r, dosi_status status, const dosi_error *err)
{
    add_bytes(r, &status, sizeof status);
    if (status != DOSI_OK) {
        add_text(r, err->message);
        add_bytes(r, &err->offset, sizeof err->offset);
    }
}

static void add_answer(record *r, const dosi_answer *a)
{
    add_interval(r, a->value);
    add_interval(r, a->log_value);
    add_bytes(r, &a->order, sizeof a->order);
    add_text(r, a->route);
    add_text(r, a->theorem);
    add_text(r, a->reason);
}

static void add_plan(record *r, const dosi_plan *plan)
{
    static char text[MAX_BYTES];
    dosi_error err;
    for (int form = 0; form < 3; form++) {
        size_t length;
        dosi_status status = dosi_plan_print(
            text, sizeof text, &length, plan, (dosi_form)form, &err);
        add_status(r, status, &err);
        add_text(r, text);
    }
    uint64_t hash = dosi_plan_hash(plan);
    add_bytes(r, &hash, sizeof hash);
}

static const dosi_plan *read_plan(record *r, const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    add_status(r, dosi_plan_parse(&plan, text, strlen(text), &err), &err);
    return plan;
}

/* ---- Questions of plans ------------------------------------------------ */

static const char *const plans[] = {
    "gaussian(1)",
    "gaussian(50) * 10000",
    "gaussian(0.001)",
    "laplace(2)",
    "pure(0.1) * 100",
    "pure(0.1) * 20 + pure(0.23) * 20",
    "rr(0.5) * 10 + rr(1, 5)",
    "poisson(256/60000, gaussian(1.1)) * 14063",
    "poisson(0.01, gaussian(1.1)) * 100 + gaussian(30)",
    "poisson(0.5, pure(5.8e-178)) * 10",
    "poisson(0.3, laplace(2)) * 4",
    "approx(0.1, 1e-9) * 5 + pure(5e-324)",
    "zcdp(0.01) * 3",
    "renyi(2, 1)",
    "gdp(0.5) + pure(0.1)",
    "pmf([0.5, 0.25, 0.25], [0.25, 0.25, 0.5]) * 4",
    "pmf([1, 5e-324], [5e-324, 1])",
    "loss([0.3, -0.2, inf], [0.5, 0.49, 0.001]) * 3",
    "discrete_laplace(4) * 3",
    "discrete_gaussian(3) * 2",
    "exponential(0.3) * 5",
    "laplace(3) * 2 + gaussian(4)",
    "without_replacement(100, 1000, gaussian(2)) * 3",
    "with_replacement(3, 1000, gaussian(2))",
    "group(3, gaussian(5) + rr(0.2))",
    "poisson(1e-300, gaussian(1)) * 3",
};
#define N_PLANS (sizeof plans / sizeof *plans)

typedef dosi_status (*question)(dosi_answer *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err);

static const struct {
    question ask;
    double at;
} questions[] = {{dosi_epsilon_at_delta, 1e-5},
    {dosi_epsilon_at_delta, 5e-324}, {dosi_epsilon_at_log_delta, -2000},
    {dosi_delta_at_epsilon, 0},
    {dosi_delta_at_epsilon, 5e-324}, {dosi_delta_at_epsilon, 0.7},
    {dosi_tradeoff_at_alpha, 0.05}, {dosi_tradeoff_at_alpha, 1e-310},
    {dosi_renyi_at_order, 3.5}, {dosi_zcdp_at_xi, 0}, {dosi_gdp_at_floor, 0},
    {dosi_gdp_at_floor, 0.01}};
#define N_QUESTIONS (sizeof questions / sizeof *questions)

/* Limits which end every question at the same place, after some milliseconds. The
 * library asks stop in the default environment. */
#define MAX_ASKED 15

static int stop(void *context)
{
    if (fegetround() != FE_TONEAREST)
        abort();
    return ++*(int *)context > MAX_ASKED;
}

static dosi_options limits(int *n_asked)
{
    dosi_options options = DOSI_OPTIONS_INIT;
    *n_asked = 0;
    options.neighbours = DOSI_NATURAL;
    options.max_bytes = 1 << 21;
    options.stop = stop;
    options.stop_context = n_asked;
    return options;
}

static void ask_plan(record *r, size_t i)
{
    const dosi_plan *plan = read_plan(r, plans[i / N_QUESTIONS]);
    int n_asked;
    dosi_options options = limits(&n_asked);
    dosi_answer a;
    dosi_error err;
    dosi_status status = questions[i % N_QUESTIONS].ask(
        &a, plan, questions[i % N_QUESTIONS].at, &options, &err);
    add_status(r, status, &err);
    add_answer(r, &a);
    dosi_plan_free(plan);
}

/* Everything else that can be asked of a plan. */
static void ask_more(record *r, size_t i)
{
    const dosi_plan *plan = read_plan(r, plans[i]), *normal = NULL;
    dosi_gdp_limit limit;
    int n_asked;
    dosi_options options = limits(&n_asked);
    dosi_risk risk;
    dosi_error err;
    add_plan(r, plan);
    add_status(r, dosi_plan_normal(&normal, plan, &err), &err);
    add_plan(r, normal);
    int is_equal = dosi_plan_equal(plan, normal);
    add_bytes(r, &is_equal, sizeof is_equal);
    add_status(r, dosi_gdp_limit_approx(&limit, plan, &options, &err), &err);
    add_bytes(r, &limit.mu_approx, sizeof limit.mu_approx);
    add_interval(r, limit.mu);
    add_interval(r, limit.gamma);
    add_status(r, dosi_risk_of_plan(&risk, plan, 0.01, &options, &err),
        &err);
    add_interval(r, risk.accuracy);
    add_interval(r, risk.prior_accuracy);
    for (int k = 0; k < DOSI_RISK_RATES; k++) {
        add_interval(r, risk.true_positive[k]);
        add_interval(r, risk.posterior[k]);
    }
    dosi_plan_free(normal);
    dosi_plan_free(plan);
}

static const size_t routed[] = {0, 4, 7, 8, 10, 15, 18};
#define N_ROUTED (sizeof routed / sizeof *routed)
#define N_ROUTES 7

static void ask_route(record *r, size_t i)
{
    const dosi_plan *plan = read_plan(r, plans[routed[i / N_ROUTES]]);
    int n_asked;
    dosi_options options = limits(&n_asked);
    dosi_answer a;
    dosi_error err;
    options.route = dosi_route_at(i % N_ROUTES).name;
    add_status(
        r, dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), &err);
    add_answer(r, &a);
    dosi_plan_free(plan);
}

static const size_t curves[] = {0, 4, 7, 15};
#define N_CURVES (sizeof curves / sizeof *curves)

static void ask_curve(record *r, size_t i)
{
    const dosi_plan *plan = read_plan(r, plans[curves[i]]), *law = NULL;
    double alphas[7];
    dosi_answer a[7];
    dosi_error err;
    dosi_tradeoff_alphas(alphas, 7);
    add_bytes(r, alphas, sizeof alphas);
    add_status(r, dosi_tradeoff_curve(a, plan, alphas, 7, NULL, &err), &err);
    for (int k = 0; k < 7; k++)
        add_answer(r, &a[k]);
    add_status(r, dosi_delta_curve(a, plan, alphas, 7, NULL, &err), &err);
    for (int k = 0; k < 7; k++)
        add_answer(r, &a[k]);
    add_status(r, dosi_loss_of_plan(&law, plan, DOSI_SIDE_UPPER, 40, 1e-9,
                      NULL, &err), &err);
    add_plan(r, law);
    dosi_plan_free(law);
    dosi_plan_free(plan);
}

/* ---- Plans that are built ---------------------------------------------- */

static void ask_accountant(record *r, size_t i)
{
    const dosi_plan *base = NULL, *sampled = NULL, *runs = NULL, *all = NULL;
    const dosi_plan *one = NULL, *pmf = NULL, *law = NULL;
    const double p[] = {0.1, 0.2, 0.7}, q[] = {0.3, 0.3, 0.4};
    const double losses[] = {0.25, -0.25}, masses[] = {0.5, 0.4};
    const dosi_loss_list list = {losses, masses, 2};
    const double scale = 0.7;
    dosi_accountant *accountant = NULL;
    dosi_answer a;
    dosi_error err;
    add_status(r, dosi_plan_gaussian(&base, 1.3, &err), &err);
    add_status(r, dosi_plan_poisson(&sampled, 0.03, base, &err), &err);
    add_status(r, dosi_plan_repeat(&runs, sampled, 50, &err), &err);
    add_status(r, dosi_plan_pmf(&pmf, p, q, 3, &err), &err);
    add_status(r, dosi_plan_loss(&law, &list, NULL, &err), &err);
    add_status(r, dosi_plan_new(&one, DOSI_LAPLACE, &scale, 1, NULL, 0, &err),
        &err);
    const dosi_plan *const parts[] = {runs, pmf, law, one};
    add_status(r, dosi_plan_compose(&all, parts, 2 + i, &err), &err);
    add_plan(r, all);
    add_status(r, dosi_accountant_new(&accountant, NULL, &err), &err);
    add_status(r, dosi_accountant_add(accountant, all, 2, &err), &err);
    add_status(r, dosi_accountant_add(accountant, base, 1, &err), &err);
    dosi_plan_free(all);
    add_status(r, dosi_accountant_plan(&all, accountant, &err), &err);
    add_plan(r, all);
    add_status(r, dosi_accountant_epsilon_at_delta(&a, accountant, 1e-5,
                      &err), &err);
    add_answer(r, &a);
    add_status(r, dosi_accountant_epsilon_at_log_delta(&a, accountant, -40,
                      &err), &err);
    add_answer(r, &a);
    add_status(r, dosi_accountant_delta_at_epsilon(&a, accountant, 5e-324,
                      &err), &err);
    add_answer(r, &a);
    add_status(r, dosi_accountant_renyi_at_order(&a, accountant, 2, &err),
        &err);
    add_answer(r, &a);
    add_status(r, dosi_accountant_zcdp_at_xi(&a, accountant, 0.1, &err),
        &err);
    add_answer(r, &a);
    dosi_accountant_free(accountant);
    const dosi_plan *const made[] = {base, sampled, runs, pmf, law, one, all};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++)
        dosi_plan_free(made[k]);
}

static const char *const samplers[] = {
    ("{\"first\":[0.5,0.5,0],\"second\":[0.5,0,0.5],"
     "\"samples\":[[],[\"a\"],[\"b\"]]}"),
    ("{\"first\":[0.7,[3,10]],\"second\":[0.6,0.4],"
     "\"distance\":[[0,1],[1,0]]}"),
};

static void ask_sampler(record *r, size_t i)
{
    const dosi_plan *plan = read_plan(r, "gaussian(2)");
    dosi_sampler *sampler = NULL;
    dosi_sampler_answer a = {.theorem = ""};
    dosi_error err;
    const double first[] = {0.9, 0.1}, second[] = {0.8, 0.2},
                 distance[] = {0, 2, 2, 0};
    dosi_status status =
        i < 2 ? dosi_json_read_sampler(&sampler, samplers[i],
                    strlen(samplers[i]), DOSI_ADD_REMOVE, &err)
              : dosi_sampler_new(&sampler, first, second, distance, 2, &err);
    add_status(r, status, &err);
    status = dosi_sampler_delta_at_epsilon(
        &a, sampler, plan, 0.3, NULL, &err);
    add_status(r, status, &err);
    add_interval(r, a.eta);
    add_interval(r, a.base_epsilon);
    add_interval(r, a.delta);
    add_interval(r, a.coupling);
    dosi_sampler_free(sampler);
    dosi_plan_free(plan);
}

static const struct {
    const char *plan;
    dosi_target target;
} holes[] = {
    {"gaussian(?)", {DOSI_TARGET_EPSILON, 1, 1e-6}},
    {"poisson(0.004, gaussian(?)) * 200", {DOSI_TARGET_EPSILON, 1, 1e-6}},
    {"poisson(?, gaussian(1)) * 200", {DOSI_TARGET_DELTA, 1e-6, 1}},
    {"laplace(?) * 3", {DOSI_TARGET_RENYI, 0.5, 4}},
    {"gaussian(3) * ?", {DOSI_TARGET_ZCDP, 0.8, 0}},
    {"pure(?) * 10", {DOSI_TARGET_ADVANTAGE, 0.2, 0}},
};
#define N_HOLES (sizeof holes / sizeof *holes)

static void ask_hole(record *r, size_t i)
{
    const dosi_plan *plan = read_plan(r, holes[i].plan), *filled = NULL;
    dosi_calibration c;
    dosi_error err;
    dosi_status status =
        dosi_calibrate(&c, plan, &holes[i].target, 1, NULL, &err);
    add_status(r, status, &err);
    add_bytes(r, &c.value, sizeof c.value);
    add_bytes(r, &c.beyond, sizeof c.beyond);
    add_bytes(r, &c.rounded, sizeof c.rounded);
    add_answer(r, &c.answer);
    add_answer(r, &c.beyond_answer);
    add_status(r, dosi_plan_fill(&filled, plan, c.value, &err), &err);
    add_plan(r, filled);
    dosi_plan_free(filled);
    dosi_plan_free(plan);
}

/* ---- Texts ------------------------------------------------------------- */

static const char *const json[] = {
    "{\"query\":\"epsilon\",\"plan\":\"gaussian(1.1)\",\"delta\":1e-5}",
    "{\"query\":\"epsilon\",\"plan\":\"rr(0.3)*7\",\"log_delta\":-9.3}",
    "{\"query\":\"delta\",\"plan\":\"laplace(0.7)\",\"epsilon\":0.1}",
    "{\"query\":\"tradeoff\",\"plan\":\"gdp(0.3)\",\"alpha\":0.01}",
    "{\"query\":\"renyi\",\"plan\":\"laplace(2)\",\"order\":8.1,\"id\":0.1}",
    "{\"query\":\"zcdp\",\"plan\":\"pure(0.3)\",\"xi\":0}",
    "{\"query\":\"gdp\",\"plan\":\"laplace(1.7)\",\"floor\":0.001}",
    "{\"query\":\"risk\",\"plan\":\"gaussian(2.3)\",\"prior\":0.3}",
    ("{\"query\":\"calibrate\",\"plan\":\"gaussian(?)\","
     "\"targets\":[{\"epsilon\":1.1,\"delta\":1e-6}]}"),
    "{\"query\":\"delta\",\"plan\":\"pure(4.9e-324)\",\"epsilon\":4.9e-324}",
    "{\"query\":\"delta\",\"plan\":\"pure(0.1\",\"epsilon\":0.3}",
    "{\"query\":\"epsilon\",\"plan\":\"pure(0.1)\",\"delta\":1.7}",
};
#define N_JSON (sizeof json / sizeof *json)

static void ask_json(record *r, size_t i)
{
    char *text = NULL;
    dosi_error err;
    add_status(
        r, dosi_json_answer(&text, json[i], strlen(json[i]), NULL, &err),
        &err);
    add_text(r, text);
    dosi_json_free(text);
}

static const char *const trees[] = {
    "{\"kind\":\"gaussian\",\"sigma\":0.1}",
    ("{\"kind\":\"repeat\",\"of\":{\"kind\":\"pure\",\"epsilon\":4.9e-324},"
     "\"count\":3}"),
    "{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":1.7}",
};

/* A claim about the tree. */
static void ask_claim(record *r, size_t i)
{
    dosi_json_claims *claims = NULL;
    char text[256];
    dosi_error err;
    (void)snprintf(text, sizeof text,
        "[{\"plan\":%s,\"epsilon\":0.3,\"delta\":4.9e-324}]", trees[i]);
    dosi_status status = dosi_json_read_claims(
        &claims, text, strlen(text), DOSI_NATURAL, &err);
    add_status(r, status, &err);
    if (status != DOSI_OK)
        return;
    const dosi_target *target = &claims->claims[0].target;
    add_bytes(r, &target->value, sizeof target->value);
    add_bytes(r, &target->at, sizeof target->at);
    add_plan(r, claims->claims[0].plan);
    dosi_json_claims_free(claims);
}

static void ask_tree(record *r, size_t i)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    dosi_status status =
        dosi_json_read_plan(&plan, trees[i], strlen(trees[i]), &err);
    add_status(r, status, &err);
    if (plan != NULL)
        add_plan(r, plan);
    dosi_plan_free(plan);
    ask_claim(r, i);
}

static const double numbers[] = {0.1, 1.0 / 3, 5e-324, 2.2250738585072014e-308,
    4.4e-310, 1e23, 9007199254740993e3, 1.7976931348623157e308, -0.3,
    123456.789, 1e-5, 0.99999999999999989};
#define N_NUMBERS (sizeof numbers / sizeof *numbers)

static void ask_number(record *r, size_t i)
{
    char text[DOSI_NUMBER_BYTES];
    for (int n = 1; n <= 17; n++) {
        (void)dosi_print_lower(text, numbers[i], n);
        add_text(r, text);
        (void)dosi_print_upper(text, numbers[i], n);
        add_text(r, text);
    }
    (void)dosi_print_exact(text, numbers[i]);
    add_text(r, text);
}

/* ---- Formulae ---------------------------------------------------------- */

#define N_FORMULAE 80

static char formulae[N_FORMULAE][1024];

/* Lines "id,params,value" from one end of a file to the other. */
static void read_formulae(size_t first, const char *name, int every)
{
    char path[512], line[4096];
    (void)snprintf(path, sizeof path, "%s/oracles/%s", DOSI_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = 0;
    for (int i = 0; n < N_FORMULAE / 5 &&
                    fgets(line, sizeof line, file) != NULL; i++)
        if (i % every == 1 && strlen(line) < sizeof *formulae)
            memcpy(formulae[first + n++], line, strlen(line) + 1);
    (void)fclose(file);
    assert_int_equal(n, N_FORMULAE / 5);
}

static void ask_formula(record *r, size_t i)
{
    char line[sizeof *formulae];
    memcpy(line, formulae[i], sizeof line);
    char *params = strchr(line, ','), *value = strrchr(line, ',');
    *params = *value = '\0';
    dosi_interval x;
    dosi_error err;
    add_status(r, dosi_formula_eval(&x, line, params + 1, &err), &err);
    add_interval(r, x);
}

/* ---- All of them ------------------------------------------------------- */

static const struct {
    const char *name;
    void (*ask)(record *r, size_t i);
    size_t n;
} groups[] = {
    {"number", ask_number, N_NUMBERS},
    {"tree", ask_tree, sizeof trees / sizeof *trees},
    {"json", ask_json, N_JSON},
    {"formula", ask_formula, N_FORMULAE},
    {"question", ask_plan, N_PLANS * N_QUESTIONS},
    {"more", ask_more, N_PLANS},
    {"route", ask_route, N_ROUTED * N_ROUTES},
    {"curve", ask_curve, N_CURVES},
    {"accountant", ask_accountant, 3},
    {"sampler", ask_sampler, 3},
    {"hole", ask_hole, N_HOLES},
};

static void check(const char *name, void (*ask)(record *r, size_t i),
    size_t i)
{
    static record expected, found;
    expected.n = 0;
    environment_leave();
    ask(&expected, i);
    for (size_t k = 0; k < n_environments; k++) {
        found.n = 0;
        environment_enter(&environments[k]);
        registers before = registers_read();
        ask(&found, i);
        registers after = registers_read();
        environment_leave();
        if (found.n != expected.n ||
            memcmp(found.bytes, expected.bytes, found.n) != 0)
            fail_msg("%s %zu differs in the environment %s", name, i,
                environments[k].name);
        if (!registers_equal(before, after))
            fail_msg("%s %zu leaves another environment than %s", name, i,
                environments[k].name);
    }
}

static void test_all(void **state)
{
    (void)state;
    size_t n = 0;
    read_formulae(0, "oracle_000.csv", 43);
    read_formulae(16, "oracle_001.csv", 37);
    read_formulae(32, "oracle_002.csv", 58);
    read_formulae(48, "oracle_003.csv", 81);
    read_formulae(64, "oracle_004.csv", 51);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (size_t i = 0; i < groups[g].n; i++, n++)
            check(groups[g].name, groups[g].ask, i);
    print_message("%zu questions in %zu environments\n", n, n_environments);
    assert_true(n >= 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
