/*
 * The spectral route against values that share no code with it: the plans of
 * tests/oracles/spectral_truth.csv (made by tests/reference/spectral_truth.c),
 * the published figures, and the older engine for one sampled Gaussian, in
 * balls throughout. Intervals must hold the truth and be narrow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <arb.h>
#include <cmocka.h>

#include "random.h"
#include "reference/spectral_plan.h"
#include "repr/contour.h"
#include "repr/spectral.h"

static const slong precision = 200;
static prop_random source;

/* ---- Plans ------------------------------------------------------------- */

typedef struct plan {
    size_t n;
    loss laws[PLAN_PARTS];
    atoms *finite[PLAN_PARTS];
    spectral *engine;
} plan;

static loss law_of(const plan_part *p, atoms **finite)
{
    loss l = {.parameter = ball_of(p->value[0]), .count = p->count};
    *finite = NULL;
    switch (p->kind) {
    case 'g':
        l.noise = LOSS_GAUSSIAN;
        break;
    case 'r':
    case 'a':
        l.noise = LOSS_GAUSSIAN;
        l.map = p->kind == 'r' ? LOSS_REMOVE : LOSS_ADD;
        l.rate = ball_of(p->value[0]);
        l.parameter = ball_of(p->value[1]);
        break;
    case 'l':
        l.noise = LOSS_LAPLACE;
        break;
    case 'e':
        l.noise = LOSS_EXPONENTIAL;
        break;
    case 'f':
        assert_int_equal(atoms_leaky_response(finite, ball_of(p->value[0]),
                             ball_of(p->value[1]), NULL),
            DOSI_OK);
        break;
    default:
        assert_int_equal(
            atoms_from_pair(finite, p->value, p->value + 3, 3, NULL),
            DOSI_OK);
        break;
    }
    if (*finite != NULL) {
        l.noise = LOSS_FINITE;
        l.finite = *finite;
    }
    return l;
}

static void plan_open(plan *p, const plan_text *text)
{
    p->n = (size_t)text->n;
    for (int i = 0; i < text->n; i++)
        p->laws[i] = law_of(&text->part[i], &p->finite[i]);
    assert_int_equal(
        spectral_new(&p->engine, p->laws, p->n, NULL, NULL), DOSI_OK);
    assert_non_null(p->engine);
}

static void plan_close(plan *p)
{
    spectral_free(p->engine);
    for (size_t i = 0; i < p->n; i++)
        atoms_free(p->finite[i]);
}

static dosi_interval log_delta_of(plan *p, double epsilon)
{
    dosi_interval out;
    assert_int_equal(
        spectral_log_delta(&out, p->engine, epsilon, NULL), DOSI_OK);
    assert_true(out.lo <= out.hi && out.hi <= 0);
    return out;
}

/* The plan's mass at +inf: 1 - prod (1 - mass)^count. */
static void exact_floor(arb_t out, const plan_text *text)
{
    arb_t keep, a, b;
    arb_init(keep);
    arb_init(a);
    arb_init(b);
    arb_one(keep);
    for (int i = 0; i < text->n; i++) {
        const plan_part *p = &text->part[i];
        if (p->kind == 'f') {
            arb_set_d(a, p->value[1]);
            arb_sub_ui(a, a, 1, precision);
            arb_neg(a, a);
        } else if (p->kind == 'p') {
            arb_zero(a);
            arb_zero(b);
            for (int j = 0; j < 3; j++) {
                arb_t x;
                arb_init(x);
                arb_set_d(x, p->value[j]);
                arb_add(b, b, x, precision);
                if (p->value[3 + j] > 0)
                    arb_add(a, a, x, precision);
                arb_clear(x);
            }
            arb_div(a, a, b, precision);
        } else {
            continue;
        }
        arb_pow_ui(a, a, (ulong)p->count, precision);
        arb_mul(keep, keep, a, precision);
    }
    arb_sub_ui(out, keep, 1, precision);
    arb_neg(out, out);
    if (!arb_is_positive(out))
        arb_zero(out);
    arb_clear(keep);
    arb_clear(a);
    arb_clear(b);
}

/* ---- Against truths ---------------------------------------------------- */

/* lo <= x <= hi, where x is known to 24 digits. */
static bool holds(dosi_interval i, const arb_t x)
{
    arb_t lo, hi;
    arb_init(lo);
    arb_init(hi);
    arb_set_d(lo, i.lo);
    arb_set_d(hi, i.hi);
    bool inside = !arb_gt(lo, x) && !arb_lt(hi, x);
    arb_clear(lo);
    arb_clear(hi);
    return inside;
}

/* An Arb number as a ball. */
static ball ball_of_arb(const arb_t x)
{
    arb_t rest;
    arb_init(rest);
    double hi = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_set_d(rest, hi);
    arb_sub(rest, x, rest, precision);
    double lo = arf_get_d(arb_midref(rest), ARF_RND_NEAR);
    arb_clear(rest);
    return ball_widen(ball_add_d(ball_of(hi), lo), fabs(hi) * 1e-24);
}

/* Widths that are promised, relative in delta and in epsilon. One sampled
 * step by itself has a closed form elsewhere: here it need only be right. */
typedef struct kind_row {
    const char *name;
    double delta_width, epsilon_width;
    long n, n_wide;
} kind_row;

static kind_row kinds[] = {{"atomic", 1e-5, 1e-5, 0, 0},
    {"step", HUGE_VAL, HUGE_VAL, 0, 0}, {"smooth", 1e-9, 1e-9, 0, 0}};

static kind_row *kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

/* The row's delta with the mass at +inf. */
static void exact_delta(
    arb_t out, const char *digits, const plan_text *text)
{
    arb_t part;
    arf_t wobble;
    arb_init(part);
    arf_init(wobble);
    arb_set_str(part, digits, precision);
    arf_set_d(wobble, 1e-24);
    arf_mul(wobble, wobble, arb_midref(part), 53, ARF_RND_UP);
    arb_add_error_arf(part, wobble);
    exact_floor(out, text);
    arb_add(out, out, part, precision);
    arf_clear(wobble);
    arb_clear(part);
}

static long n_told, n_asked;

/* Whether delta is within a bound: never within a smaller one. */
static bool told_right(plan *p, double epsilon, const arb_t delta)
{
    static const double factors[] = {0.5, 0.999, 1 - 1e-6, 1.1, 4, 1e4};
    bool right = true;
    arb_t bound, log_bound;
    arb_init(bound);
    arb_init(log_bound);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        bool within = false;
        arb_set_d(bound, factors[i]);
        arb_mul(bound, bound, delta, precision);
        arb_log(log_bound, bound, precision);
        if (arb_is_nonnegative(log_bound))
            continue;
        assert_int_equal(spectral_is_within(&within, p->engine, epsilon,
                             ball_of_arb(bound), ball_of_arb(log_bound),
                             NULL),
            DOSI_OK);
        if (factors[i] > 1) {
            n_asked++;
            n_told += within;
        } else if (within) {
            print_message("within %g of it\n", factors[i]);
            right = false;
        }
    }
    arb_clear(bound);
    arb_clear(log_bound);
    return right;
}

/* delta at epsilon, and epsilon back from delta; false when one misses. */
static bool row_holds(kind_row *kind, double epsilon, const char *digits,
    const plan_text *text)
{
    arb_t delta, log_delta;
    arb_init(delta);
    arb_init(log_delta);
    exact_delta(delta, digits, text);
    arb_log(log_delta, delta, precision);
    plan p;
    plan_open(&p, text);
    dosi_interval got = log_delta_of(&p, epsilon), back;
    bool right = holds(got, log_delta);
    assert_int_equal(spectral_epsilon(&back, p.engine, ball_of_arb(delta),
                         ball_of_arb(log_delta), NULL),
        DOSI_OK);
    right = right && told_right(&p, epsilon, delta);
    plan_close(&p);
    double expected = fmax(epsilon, 0), width = back.hi - back.lo;
    right = right && back.lo <= expected && expected <= back.hi;
    /* what is left of delta must not drown in the mass at +inf */
    double share = log(strtod(digits, NULL)) - got.hi;
    bool is_told = epsilon > 0.01 && share > -10;
    bool narrow = got.hi - got.lo <= kind->delta_width &&
                  (width <= kind->epsilon_width * expected || !is_told ||
                      kind->epsilon_width == HUGE_VAL);
    kind->n++;
    kind->n_wide += !narrow;
    if (!right || !narrow)
        print_message("%s: [%.17g, %.17g] (%.2g), [%.17g, %.17g] (%.2g)\n",
            right ? "wide" : "misses", got.lo, got.hi, got.hi - got.lo,
            back.lo, back.hi, width / expected);
    if (!right || !narrow)
        print_message("  %s,%.10g,%s\n", kind->name, epsilon, digits);
    arb_clear(delta);
    arb_clear(log_delta);
    return right;
}

static void truths(void **state)
{
    (void)state;
    FILE *f = fopen(DOSI_TEST_DATA "/oracles/spectral_truth.csv", "r");
    assert_non_null(f);
    char line[1024];
    long n = 0, n_missed = 0, n_wide = 0, n_slow = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        char *field[4];
        int n_fields = 0;
        for (char *at = line; line[0] != '#' && at != NULL && n_fields < 4;) {
            field[n_fields++] = at;
            at = strchr(at, ',');
            if (at != NULL && n_fields < 4)
                *at++ = '\0';
        }
        if (line[0] == '#')
            continue;
        plan_text text;
        assert_int_equal(n_fields, 4);
        kind_row *kind = kind_of(field[0]);
        assert_true(kind != NULL && plan_read(&text, field[3]));
        if (kind == &kinds[0] && n_slow++ % 4 >= prop_count(1))
            continue; /* these are slow: all of them from an effort of 4 */
        if (!row_holds(kind, strtod(field[1], NULL), field[2], &text))
            n_missed++;
        n++;
    }
    assert_int_equal(fclose(f), 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        n_wide += kinds[i].n_wide;
    print_message("%ld plans, %ld missed, %ld wide; %ld of %ld bounds told\n",
        n, n_missed, n_wide, n_told, n_asked);
    assert_true(10 * n_told >= 9 * n_asked);
    assert_true(n >= 200);
    assert_int_equal(n_missed, 0);
    assert_int_equal(n_wide, 0);
}

/* ---- Published figures ------------------------------------------------- */

static dosi_interval epsilon_of(const plan_text *text, double delta)
{
    plan p;
    dosi_interval out;
    plan_open(&p, text);
    ball d = ball_of(delta);
    assert_int_equal(
        spectral_epsilon(&out, p.engine, d, ball_log(d), NULL), DOSI_OK);
    plan_close(&p);
    return out;
}

static plan_text one_part(char kind, double a, double b, double count)
{
    return (plan_text){
        1, {{.kind = kind, .value = {a, b}, .count = count}}};
}

static void figures(void **state)
{
    (void)state;
    static const struct {
        double rate, sigma, count, delta, epsilon, digits;
    } cases[] = {
        {0.01, 1, 1000, 1e-5, 1.8282366665, 1e-10},
        {0.01, 1.1, 10000, 1e-5, 5.192583445, 1e-9},
        {256.0 / 60000, 1.3, 14062, 1e-5, 1.823545059, 1e-9},
        {0.01, 1, 1000000, 1e-5, 139.0302725, 1e-7},
        {0.01, 1.1, 10000, 1e-30, 14.69168339, 1e-8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plan_text text =
            one_part('r', cases[i].rate, 1, cases[i].count);
        plan p;
        plan_open(&p, &text);
        spectral_free(p.engine);
        p.laws[0].parameter =
            ball_div(ball_of(1), ball_of(cases[i].sigma));
        assert_int_equal(
            spectral_new(&p.engine, p.laws, 1, NULL, NULL), DOSI_OK);
        ball d = ball_of(cases[i].delta);
        dosi_interval e;
        assert_int_equal(
            spectral_epsilon(&e, p.engine, d, ball_log(d), NULL), DOSI_OK);
        /* the figures are cut after their last digit */
        assert_true(e.lo >= cases[i].epsilon);
        assert_true(e.hi <= cases[i].epsilon + cases[i].digits);
        assert_true(e.hi - e.lo <= 1e-11 * e.hi);
        plan_close(&p);
    }
}

/* ---- Against the other engine ------------------------------------------ */

static void meets(dosi_interval a, dosi_interval b)
{
    if (!(a.lo <= b.hi && b.lo <= a.hi))
        print_error("apart: [%.17g, %.17g], [%.17g, %.17g]\n", a.lo, a.hi,
            b.lo, b.hi);
    assert_true(a.lo <= b.hi && b.lo <= a.hi);
}

static void older_engine(void **state)
{
    (void)state;
    for (long i = 0; i < prop_count(12); i++) {
        double mu = exp(prop_uniform(&source, log(0.1), log(2)));
        double count = floor(exp(prop_uniform(&source, log(30), log(1e7))));
        double q = fmin(prop_uniform(&source, 0.1, 2) / sqrt(count), 0.9);
        bool add = prop_bits(&source) & 1;
        plan_text text = one_part(add ? 'a' : 'r', q, mu, count);
        contour_pair pair = {ball_of(mu), q, count, add};
        double log_delta = prop_uniform(&source, -120, -5);
        dosi_interval a, b;
        ball l = ball_of(log_delta);
        assert_int_equal(contour_epsilon(&a, &pair, l, NULL), DOSI_OK);
        plan p;
        plan_open(&p, &text);
        assert_int_equal(
            spectral_epsilon(&b, p.engine, ball_exp(l), l, NULL), DOSI_OK);
        meets(a, b);
        double epsilon = b.hi < HUGE_VAL ? b.hi * 1.1 : 1;
        assert_int_equal(
            contour_log_delta(&a, &pair, epsilon, NULL), DOSI_OK);
        meets(a, log_delta_of(&p, epsilon));
        plan_close(&p);
    }
}

/* Little noise, epsilon in the hundreds and above, delta down to 1e-300, a
 * billion steps: narrow unless the other direction decides, and as the engine
 * in balls says. */
static void where_others_fail(void **state)
{
    (void)state;
    static const struct {
        double rate, mu, count, delta;
    } cases[] = {{0.01, 5, 1000, 1e-300}, {0.05, 2, 10000, 1e-10},
        {1e-5, 1.25, 1e9, 1e-10}, {0.01, 1, 1e9, 1e-5},
        {0.001, 3, 1e6, 1e-300}, {1e-4, 0.25, 1e9, 1e-30},
        {0.2, 4, 100, 1e-300}, {0.5, 3, 10, 1e-100}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double removed = 0;
        for (int add = 0; add < 2; add++) {
            plan_text text = one_part(add ? 'a' : 'r', cases[i].rate,
                cases[i].mu, cases[i].count);
            ball l = ball_log(ball_of(cases[i].delta));
            dosi_interval a, b = {0, HUGE_VAL};
            plan p;
            plan_open(&p, &text);
            assert_int_equal(
                spectral_epsilon(&a, p.engine, ball_exp(l), l, NULL),
                DOSI_OK);
            assert_true(a.hi - a.lo <= 1e-9 * a.hi || a.hi < removed);
            removed = a.lo;
            contour_pair pair = {ball_of(cases[i].mu), cases[i].rate,
                cases[i].count, add == 1};
            if (i % 3 == 0) /* it takes its time */
                assert_int_equal(
                    contour_epsilon(&b, &pair, l, NULL), DOSI_OK);
            meets(a, b);
            plan_close(&p);
        }
    }
}

/* ---- Edges ------------------------------------------------------------- */

static void extremes_stay_honest(void **state)
{
    (void)state;
    static const double mus[] = {1e-6, 1, 30};
    static const double rates[] = {1e-12, 0.999};
    static const double counts[] = {1, 1e12};
    static const double epsilons[] = {-5, 0, 700};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 2; j++)
            for (size_t k = 0; k < 2; k++) {
                plan_text text = one_part((i + j + k) % 2 ? 'a' : 'r',
                    rates[j], mus[i], counts[k]);
                plan p;
                plan_open(&p, &text);
                double last = 0;
                for (size_t l = 0; l < 3; l++) {
                    dosi_interval d = log_delta_of(&p, epsilons[l]);
                    /* falls, and 1 - e^eps is a lower bound of delta */
                    assert_true(d.lo <= last);
                    last = d.hi;
                    if (epsilons[l] < 0)
                        assert_true(
                            d.hi >= log1p(-exp(epsilons[l])) - 1e-15);
                }
                plan_close(&p);
            }
}

/* One rare jump decides, and no tilt comes near delta: still narrow, and what
 * delta says at both ends agrees. A rate of 1e-9 takes long: from an effort of
 * 4 on. */
static void heavy_tails_are_narrow(void **state)
{
    (void)state;
    static const struct {
        double q, mu, count, delta;
    } rows[] = {{0.01, 0.5, 5, 1e-12}, {1e-3, 0.5, 50, 1e-12},
        {1e-3, 1, 100, 1e-12}, {0.1, 20, 100, 1e-5},
        {1e-9, 1, 1e9, 1e-12}};
    for (size_t i = 0; i < (prop_count(1) < 4 ? 4 : 5); i++) {
        plan_text text = one_part('r', rows[i].q, rows[i].mu, rows[i].count);
        dosi_interval e = epsilon_of(&text, rows[i].delta);
        assert_true(e.lo > 0 && e.hi - e.lo <= 4e-9 * e.hi);
        plan p;
        plan_open(&p, &text);
        double l = log(rows[i].delta);
        assert_true(log_delta_of(&p, e.lo).hi >= l);
        assert_true(log_delta_of(&p, e.hi).lo <= l);
        plan_close(&p);
    }
}

/* Losses below epsilon, mass at +inf that is next to nothing or next to
 * everything, and a plan all of whose finite losses are negative. */
static void bounded_losses_and_leaks(void **state)
{
    (void)state;
    plan_text text = one_part('f', 0.5, 1e-320, 3);
    plan p;
    plan_open(&p, &text);
    dosi_interval d = log_delta_of(&p, 2); /* beyond 1.5: the leak alone */
    assert_true(d.hi >= log(2.9e-320));
    plan_close(&p);

    text = one_part('f', 0.5, 1e-9, 3);
    plan_open(&p, &text);
    d = log_delta_of(&p, 2);
    assert_true(d.lo <= log(3e-9) && d.hi >= log(3e-9 - 4e-18));
    assert_true(d.hi - d.lo < 1e-14);
    dosi_interval e;
    assert_int_equal(spectral_epsilon(&e, p.engine, ball_of(1e-9),
                         ball_log(ball_of(1e-9)), NULL),
        DOSI_OK);
    assert_true(e.lo == HUGE_VAL);
    plan_close(&p);

    /* P = (0.9 where Q = 0, 0.1), Q = (0, 1): loss log 0.1 or +inf */
    text = (plan_text){
        1, {{.kind = 'p', .value = {0.9, 0.1, 0, 0, 1, 0}, .count = 1}}};
    e = epsilon_of(&text, 0.95);
    assert_true(e.lo == 0 && e.hi == 0);
    text.part[0].count = 2;
    e = epsilon_of(&text, 0.95);
    assert_true(e.lo == HUGE_VAL);
}

int main(void)
{
    source = prop_start("prop_spectral");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truths),
        cmocka_unit_test(figures),
        cmocka_unit_test(older_engine),
        cmocka_unit_test(where_others_fail),
        cmocka_unit_test(heavy_tails_are_narrow),
        cmocka_unit_test(extremes_stay_honest),
        cmocka_unit_test(bounded_losses_and_leaks),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
