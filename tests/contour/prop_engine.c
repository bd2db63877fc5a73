/*
 * The contour route against the published figures and the older engine for
 * one sampled Gaussian, in balls throughout, and at its edges. Intervals must
 * hold the truth and be narrow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/random.h"
#include "reference/reference_contour.h"
#include "contour/engine/engine.h"
#include "support/contour_plans.h"

static prop_random source;

/* ---- Published figures ------------------------------------------------- */

static dosi_interval epsilon_of(const plan_text *text, double delta)
{
    plan p;
    dosi_interval out;
    plan_open(&p, text);
    ball d = ball_of(delta);
    assert_int_equal(
        engine_epsilon(&out, p.engine, d, ball_log(d), NULL), DOSI_OK);
    plan_close(&p);
    return out;
}

static plan_text one_part(char kind, double a, double b, double count)
{
    return (plan_text){1, {{.kind = kind, .value = {a, b}, .count = count}}};
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
        plan_text text = one_part('r', cases[i].rate, 1, cases[i].count);
        plan p;
        plan_open(&p, &text);
        engine_free(p.engine);
        p.laws[0].parameter = ball_div(ball_of(1), ball_of(cases[i].sigma));
        assert_int_equal(engine_new(&p.engine, p.laws, 1, NULL, NULL), DOSI_OK);
        ball d = ball_of(cases[i].delta);
        dosi_interval e;
        assert_int_equal(
            engine_epsilon(&e, p.engine, d, ball_log(d), NULL), DOSI_OK);
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
        print_error(
            "apart: [%.17g, %.17g], [%.17g, %.17g]\n", a.lo, a.hi, b.lo, b.hi);
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
        reference_contour_pair pair = {ball_of(mu), q, count, add};
        double log_delta = prop_uniform(&source, -120, -5);
        dosi_interval a, b;
        ball l = ball_of(log_delta);
        assert_int_equal(
            reference_contour_epsilon(&a, &pair, l, NULL), DOSI_OK);
        plan p;
        plan_open(&p, &text);
        assert_int_equal(
            engine_epsilon(&b, p.engine, ball_exp(l), l, NULL), DOSI_OK);
        meets(a, b);
        double epsilon = b.hi < HUGE_VAL ? b.hi * 1.1 : 1;
        assert_int_equal(
            reference_contour_log_delta(&a, &pair, epsilon, NULL), DOSI_OK);
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
        {1e-5, 1.25, 1e9, 1e-10}, {0.01, 1, 1e9, 1e-5}, {0.001, 3, 1e6, 1e-300},
        {1e-4, 0.25, 1e9, 1e-30}, {0.2, 4, 100, 1e-300}, {0.5, 3, 10, 1e-100}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double removed = 0;
        for (int add = 0; add < 2; add++) {
            plan_text text = one_part(
                add ? 'a' : 'r', cases[i].rate, cases[i].mu, cases[i].count);
            ball l = ball_log(ball_of(cases[i].delta));
            dosi_interval a, b = {0, HUGE_VAL};
            plan p;
            plan_open(&p, &text);
            assert_int_equal(
                engine_epsilon(&a, p.engine, ball_exp(l), l, NULL), DOSI_OK);
            assert_true(a.hi - a.lo <= 1e-9 * a.hi || a.hi < removed);
            removed = a.lo;
            reference_contour_pair pair = {
                ball_of(cases[i].mu), cases[i].rate, cases[i].count, add == 1};
            if (i % 3 == 0) /* it takes its time */
                assert_int_equal(
                    reference_contour_epsilon(&b, &pair, l, NULL), DOSI_OK);
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
                plan_text text = one_part(
                    (i + j + k) % 2 ? 'a' : 'r', rates[j], mus[i], counts[k]);
                plan p;
                plan_open(&p, &text);
                double last = 0;
                for (size_t l = 0; l < 3; l++) {
                    dosi_interval d = log_delta_of(&p, epsilons[l]);
                    /* falls, and 1 - e^eps is a lower bound of delta */
                    assert_true(d.lo <= last);
                    last = d.hi;
                    if (epsilons[l] < 0)
                        assert_true(d.hi >= log1p(-exp(epsilons[l])) - 1e-15);
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
        {1e-3, 1, 100, 1e-12}, {0.1, 20, 100, 1e-5}, {1e-9, 1, 1e9, 1e-12}};
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
    assert_int_equal(engine_epsilon(&e, p.engine, ball_of(1e-9),
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
    source = prop_start("prop_engine");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),
        cmocka_unit_test(older_engine),
        cmocka_unit_test(where_others_fail),
        cmocka_unit_test(heavy_tails_are_narrow),
        cmocka_unit_test(extremes_stay_honest),
        cmocka_unit_test(bounded_losses_and_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
