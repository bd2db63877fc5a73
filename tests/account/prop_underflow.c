/*
 * Questions next to underflow: rates down to the least double, tiny losses and
 * deltas, much noise and little. Every route against Arb: one sample by its
 * closed profile, a few samples of two outcomes by enumeration, and what must
 * hold of more of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include <arb.h>
#include <arb_hypgeom.h>

#include "dosimeter.h"
#include "support/random.h"

#define TEXT 256

/* 1 + 2^-1074 times what a product of two such numbers needs. */
#define BITS 4800

static prop_random rng;

/* NULL: all of them, as users ask. */
static const char *const routes[] = {
    NULL, "closed", "finite", "lists", "contour", "renyi", "approx"};

#define N_ROUTES (sizeof routes / sizeof *routes)

/* ---- Numbers ----------------------------------------------------------- */

/* In (0, 1): the least doubles, subnormal and normal numbers of any size. */
static double tiny(void)
{
    switch (prop_below(&rng, 6)) {
    case 0:
        return (1 + prop_below(&rng, 9)) * 0x1p-1074;
    case 1:
        return prop_scaled(&rng, -1074, -1020);
    case 2:
        return prop_scaled(&rng, -1030, -960);
    case 3:
        return prop_scaled(&rng, -980, -300);
    default:
        return prop_scaled(&rng, -40, -1);
    }
}

static double any_epsilon(void)
{
    switch (prop_below(&rng, 4)) {
    case 0:
        return 0;
    case 1:
        return tiny();
    default:
        return prop_scaled(&rng, -12, 7);
    }
}

/* ---- One sample -------------------------------------------------------- */

typedef enum base_kind { GAUSSIAN, LAPLACE, RESPONSE } base_kind;

typedef struct sample {
    base_kind kind;
    double parameter, rate;
} sample;

static void gaussian_sf(arb_t out, const arb_t x)
{
    arb_t root;
    arb_init(root);
    arb_sqrt_ui(root, 2, BITS);
    arb_div(root, x, root, BITS);
    arb_hypgeom_erfc(out, root, BITS);
    arb_mul_2exp_si(out, out, -1);
    arb_clear(root);
}

/* Phi(mu/2 - e/mu) - y Phi(-mu/2 - e/mu), e = log y. */
static void gaussian_profile(arb_t out, double sigma, const arb_t y)
{
    arb_t s, a, b;
    arb_init(s);
    arb_init(a);
    arb_init(b);
    arb_set_d(s, sigma);
    arb_log(a, y, BITS);
    arb_mul(a, a, s, BITS);
    arb_inv(s, s, BITS);
    arb_mul_2exp_si(s, s, -1);
    arb_add(b, a, s, BITS);
    arb_sub(a, a, s, BITS);
    gaussian_sf(out, a);
    gaussian_sf(s, b);
    arb_submul(out, s, y, BITS);
    arb_clear(s);
    arb_clear(a);
    arb_clear(b);
}

/* 1 - sqrt(y e^-a), and (e^a - y)/(1 + e^a); 0 from e^a on. */
static void bounded_profile(arb_t out, const sample *m, const arb_t y)
{
    arb_t top;
    arb_init(top);
    arb_set_d(top, m->parameter);
    if (m->kind == LAPLACE)
        arb_inv(top, top, BITS);
    arb_exp(top, top, BITS);
    if (m->kind == LAPLACE) {
        arb_div(out, y, top, BITS);
        arb_sqrt(out, out, BITS);
        arb_sub_ui(out, out, 1, BITS);
        arb_neg(out, out);
    } else {
        arb_sub(out, top, y, BITS);
        arb_add_ui(top, top, 1, BITS);
        arb_div(out, out, top, BITS);
    }
    if (!arb_is_positive(out))
        arb_zero(out);
    arb_clear(top);
}

/* delta at x = e^eps >= 1 of one sample: removing a record is no better than
 * adding it, rate H(1 + (x - 1)/rate). */
static void sample_delta(arb_t out, const sample *m, double eps)
{
    arb_t y, rate;
    arb_init(y);
    arb_init(rate);
    arb_set_d(rate, m->rate);
    arb_set_d(y, eps);
    arb_expm1(y, y, BITS);
    arb_div(y, y, rate, BITS);
    arb_add_ui(y, y, 1, BITS);
    if (m->kind == GAUSSIAN)
        gaussian_profile(out, m->parameter, y);
    else
        bounded_profile(out, m, y);
    arb_mul(out, out, rate, BITS);
    arb_clear(y);
    arb_clear(rate);
}

static sample any_sample(void)
{
    sample m = {(base_kind)prop_below(&rng, 3), 0, tiny()};
    bool is_far = prop_below(&rng, 3) == 0;
    if (m.kind == RESPONSE)
        m.parameter = is_far ? tiny() : prop_scaled(&rng, -8, 6);
    else /* noise; at 2^-9 the loss is 2^17 */
        m.parameter = is_far ? prop_scaled(&rng, 10, 1000)
                             : prop_scaled(&rng, -6, 6);
    return m;
}

static void print_sample(char *text, const sample *m, double count)
{
    static const char *const names[] = {"gaussian", "laplace", "rr"};
    snprintf(text, TEXT, "poisson(%.17g, %s(%.17g)) * %.0f", m->rate,
        names[m->kind], m->parameter, count);
}

/* ---- Asking ------------------------------------------------------------ */

typedef struct asked {
    const dosi_plan *plan;
    char text[TEXT];
    dosi_options options;
} asked;

static void open_plan(asked *q, const char *text, const char *route)
{
    dosi_error err;
    q->options = (dosi_options)DOSI_OPTIONS_INIT;
    q->options.route = route;
    snprintf(q->text, sizeof q->text, "%s", text);
    if (dosi_plan_parse(&q->plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
}

static const char *route_of(const asked *q)
{
    return q->options.route != NULL ? q->options.route : "any route";
}

/* One route may know nothing; all of them know something. */
static bool has_answer(
    const asked *q, dosi_status status, const dosi_error *err)
{
    if (status == DOSI_OK)
        return true;
    if (q->options.route == NULL || strstr(err->message, "contradict") != NULL)
        fail_msg("%s, %s: %s", q->text, route_of(q), err->message);
    return false;
}

/* Whether an exact number is certainly outside, or the ends are no interval. */
static bool misses(dosi_interval v, const arb_t exact)
{
    arb_t end;
    arb_init(end);
    bool out = !(v.lo <= v.hi);
    if (v.lo > -HUGE_VAL) {
        arb_set_d(end, v.lo);
        out = out || arb_gt(end, exact);
    }
    if (v.hi < HUGE_VAL) {
        arb_set_d(end, v.hi);
        out = out || arb_lt(end, exact);
    }
    arb_clear(end);
    return out;
}

/* delta, and its logarithm, of all that is said of it; from below a smaller
 * number will do. */
static dosi_answer check_delta(
    const asked *q, double eps, const arb_t most, const arb_t least)
{
    dosi_answer a = {.value = {0, 1}, .log_value = {-HUGE_VAL, 0}};
    dosi_error err;
    dosi_status status =
        dosi_delta_at_epsilon(&a, q->plan, eps, &q->options, &err);
    if (!has_answer(q, status, &err))
        return a;
    arb_t log_most, log_least;
    arb_init(log_most);
    arb_init(log_least);
    bool out = misses((dosi_interval){a.value.lo, HUGE_VAL}, most) ||
               misses((dosi_interval){-HUGE_VAL, a.value.hi}, least);
    arb_log(log_most, most, 200);
    arb_log(log_least, least, 200);
    if (arb_is_positive(most))
        out = out ||
              misses((dosi_interval){a.log_value.lo, HUGE_VAL}, log_most);
    else if (arb_is_zero(most)) /* else Arb does not reach so far */
        out = out || a.log_value.lo > -HUGE_VAL;
    if (arb_is_positive(least))
        out = out ||
              misses((dosi_interval){-HUGE_VAL, a.log_value.hi}, log_least);
    out = out || !(a.log_value.lo <= a.log_value.hi);
    if (out)
        fail_msg("%s, %s: delta at %.17g: [%.17g, %.17g], logarithm "
                 "[%.17g, %.17g], misses e^%.17g",
            q->text, route_of(q), eps, a.value.lo, a.value.hi, a.log_value.lo,
            a.log_value.hi, arf_get_d(arb_midref(log_least), ARF_RND_NEAR));
    arb_clear(log_most);
    arb_clear(log_least);
    return a;
}

/* ---- Properties -------------------------------------------------------- */

static void one_sample(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    for (long i = prop_count(30); i > 0; i--) {
        sample m = any_sample();
        double eps = any_epsilon();
        char text[TEXT];
        asked q;
        print_sample(text, &m, 1);
        sample_delta(exact, &m, eps);
        for (size_t r = 0; r < N_ROUTES; r += 1 + prop_bits(&rng) % 6) {
            open_plan(&q, text, routes[r]);
            dosi_answer a = check_delta(&q, eps, exact, exact);
            double width = a.log_value.hi - a.log_value.lo;
            /* closed forms know it, but next to the least double */
            if (r == 0 && arb_is_positive(exact) && m.rate > 1e-300 &&
                a.value.lo > 1e-290 && width > 1e-10)
                fail_msg("%s: delta at %.17g: log [%.17g, %.17g] is wide",
                    text, eps, a.log_value.lo, a.log_value.hi);
            dosi_plan_free(q.plan);
        }
    }
    arb_clear(exact);
}

static void one_epsilon(void **state)
{
    (void)state;
    arb_t exact, target;
    arb_init(exact);
    arb_init(target);
    for (long i = prop_count(30); i > 0; i--) {
        sample m = any_sample();
        double delta = tiny();
        char text[TEXT];
        asked q;
        dosi_error err;
        dosi_answer a;
        print_sample(text, &m, 1);
        open_plan(&q, text, routes[prop_below(&rng, N_ROUTES)]);
        arb_set_d(target, delta);
        dosi_status status =
            dosi_epsilon_at_delta(&a, q.plan, delta, &q.options, &err);
        if (has_answer(&q, status, &err)) {
            bool out = !(a.value.lo <= a.value.hi);
            if (a.value.hi < HUGE_VAL) {
                sample_delta(exact, &m, a.value.hi);
                out = out || arb_gt(exact, target);
            }
            if (a.value.lo > 0) { /* delta is more before it */
                sample_delta(exact, &m, nextafter(a.value.lo, 0));
                out = out || arb_lt(exact, target);
            }
            if (out)
                fail_msg("%s, %s: epsilon at %.17g: [%.17g, %.17g]", text,
                    route_of(&q), delta, a.value.lo, a.value.hi);
        }
        dosi_plan_free(q.plan);
    }
    arb_clear(exact);
    arb_clear(target);
}

/* k samples lose no less than one, and no more than k times what one loses at
 * epsilon 0. */
static void many_samples(void **state)
{
    (void)state;
    arb_t least, most;
    arb_init(least);
    arb_init(most);
    for (long i = prop_count(30); i > 0; i--) {
        static const double counts[] = {2, 3, 10, 1000};
        sample m = any_sample();
        double eps = any_epsilon(), k = counts[prop_below(&rng, 4)];
        char text[TEXT];
        asked q;
        print_sample(text, &m, k);
        sample_delta(least, &m, eps);
        sample_delta(most, &m, 0);
        arb_mul_ui(most, most, (ulong)k, BITS);
        open_plan(&q, text, routes[prop_below(&rng, N_ROUTES)]);
        (void)check_delta(&q, eps, most, least);
        dosi_plan_free(q.plan);
    }
    arb_clear(least);
    arb_clear(most);
}

/* ---- Two outcomes ------------------------------------------------------ */

/* A sample of a response: P and Q of its outcomes, removing a record. */
typedef struct coin {
    arb_t p[2], q[2];
} coin;

static void coin_init(coin *c, const sample *m)
{
    arb_t rate;
    arb_init(rate);
    for (int i = 0; i < 2; i++) {
        arb_init(c->p[i]);
        arb_init(c->q[i]);
        /* 1/(1 + e^-+eps) */
        arb_set_d(c->p[i], i == 0 ? m->parameter : -m->parameter);
        arb_exp(c->p[i], c->p[i], BITS);
        arb_add_ui(c->p[i], c->p[i], 1, BITS);
        arb_inv(c->p[i], c->p[i], BITS);
    }
    arb_set(c->q[0], c->p[1]);
    arb_set(c->q[1], c->p[0]);
    arb_set_d(rate, m->rate);
    for (int i = 0; i < 2; i++) { /* q + rate (p - q) */
        arb_sub(c->p[i], c->p[i], c->q[i], BITS);
        arb_mul(c->p[i], c->p[i], rate, BITS);
        arb_add(c->p[i], c->p[i], c->q[i], BITS);
    }
    arb_clear(rate);
}

static void coin_clear(coin *c)
{
    for (int i = 0; i < 2; i++) {
        arb_clear(c->p[i]);
        arb_clear(c->q[i]);
    }
}

/* sum (P - x Q)+ over all outcomes of n coins, or (Q - x P)+. */
static void coins_delta(
    arb_t out, const coin *coins, unsigned n, double eps, bool add)
{
    arb_t x, p, q;
    arb_init(x);
    arb_init(p);
    arb_init(q);
    arb_set_d(x, eps);
    arb_exp(x, x, BITS);
    arb_zero(out);
    for (unsigned i = 0; i < 1U << n; i++) {
        arb_one(p);
        arb_one(q);
        for (unsigned j = 0; j < n; j++) {
            arb_mul(p, p, coins[j].p[i >> j & 1], BITS);
            arb_mul(q, q, coins[j].q[i >> j & 1], BITS);
        }
        if (add)
            arb_swap(p, q);
        arb_submul(p, q, x, BITS);
        if (arb_is_positive(p))
            arb_add(out, out, p, BITS);
    }
    arb_clear(x);
    arb_clear(p);
    arb_clear(q);
}

#define COINS 5

/* Up to COINS responses, each sampled with its own rate. */
static void responses(void **state)
{
    (void)state;
    arb_t removed, added;
    arb_init(removed);
    arb_init(added);
    for (long i = prop_count(20); i > 0; i--) {
        coin coins[COINS];
        unsigned n = 1 + (unsigned)prop_below(&rng, COINS);
        char text[TEXT * COINS] = "";
        double eps = prop_below(&rng, 3) == 0 ? any_epsilon() : tiny();
        for (unsigned j = 0; j < n; j++) {
            sample m = {RESPONSE, 0, tiny()};
            m.parameter = prop_below(&rng, 2) == 0 ? tiny()
                                                   : prop_scaled(&rng, -6, 5);
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used,
                "%spoisson(%.17g, rr(%.17g))", j > 0 ? " + " : "", m.rate,
                m.parameter);
            coin_init(&coins[j], &m);
        }
        coins_delta(removed, coins, n, eps, false);
        coins_delta(added, coins, n, eps, true);
        if (arb_gt(added, removed))
            arb_swap(added, removed);
        for (size_t r = 0; r < N_ROUTES; r++) {
            asked q;
            open_plan(&q, text, routes[r]);
            (void)check_delta(&q, eps, removed, removed);
            dosi_plan_free(q.plan);
        }
        for (unsigned j = 0; j < n; j++)
            coin_clear(&coins[j]);
    }
    arb_clear(removed);
    arb_clear(added);
}

/* log(sum p^a q^(1-a))/(a - 1) for a whole order. */
static void coin_renyi(arb_t out, const coin *c, ulong order)
{
    arb_t x;
    arb_init(x);
    arb_zero(out);
    for (int i = 0; i < 2; i++) {
        arb_div(x, c->p[i], c->q[i], BITS);
        arb_pow_ui(x, x, order, BITS);
        arb_addmul(out, x, c->q[i], BITS);
    }
    arb_log(out, out, BITS);
    arb_div_ui(out, out, order - 1, BITS);
    arb_clear(x);
}

/* Removing is no better than adding for either. */
static void divergences(void **state)
{
    (void)state;
    arb_t exact, least;
    arb_init(exact);
    arb_init(least);
    for (long i = prop_count(50); i > 0; i--) {
        sample m = {RESPONSE, 0, tiny()};
        m.parameter = prop_below(&rng, 2) == 0 ? tiny()
                                               : prop_scaled(&rng, -6, 6);
        ulong order = 2 + (ulong)prop_below(&rng, 40);
        coin c;
        char text[TEXT];
        asked q;
        dosi_answer a;
        dosi_error err;
        print_sample(text, &m, 1);
        open_plan(&q, text, NULL);
        coin_init(&c, &m);
        coin_renyi(exact, &c, order);
        dosi_status status = dosi_renyi_at_order(
            &a, q.plan, (double)order, &q.options, &err);
        if (has_answer(&q, status, &err) && misses(a.value, exact))
            fail_msg("%s: order %lu: [%.17g, %.17g] misses", text, order,
                a.value.lo, a.value.hi);
        arb_div_ui(least, exact, order, BITS);
        status = dosi_zcdp_at_xi(&a, q.plan, 0, &q.options, &err);
        if (has_answer(&q, status, &err) &&
            misses((dosi_interval){-HUGE_VAL, a.value.hi}, least))
            fail_msg("%s: rho [%.17g, %.17g] is less than order %lu has", text,
                a.value.lo, a.value.hi, order);
        coin_clear(&c);
        dosi_plan_free(q.plan);
    }
    arb_clear(exact);
    arb_clear(least);
}

/* Under replace, at epsilon 0, one sample of Laplace noise has the total
 * variation rate (1 - e^(-1/scale)), its answers being 2 apart. */
static void replaced(void **state)
{
    (void)state;
    arb_t exact, most;
    arb_init(exact);
    arb_init(most);
    for (long i = prop_count(30); i > 0; i--) {
        double scale = prop_scaled(&rng, -2, 4), rate = tiny();
        double k = 1 + prop_below(&rng, 3);
        char text[TEXT];
        snprintf(text, sizeof text, "poisson(%.17g, laplace(%.17g)) * %.0f",
            rate, scale, k);
        arb_set_d(exact, -scale);
        arb_inv(exact, exact, BITS);
        arb_expm1(exact, exact, BITS);
        arb_set_d(most, -rate);
        arb_mul(exact, exact, most, BITS);
        arb_mul_ui(most, exact, (ulong)k, BITS);
        for (size_t r = 0; r < N_ROUTES; r += 1 + prop_bits(&rng) % 6) {
            asked q;
            open_plan(&q, text, routes[r]);
            q.options.neighbours = DOSI_REPLACE;
            dosi_answer a = check_delta(&q, 0, most, exact);
            if (r == 0 && !(a.value.hi <= 1.01 * k * rate + 1e-317))
                fail_msg("%s: [%.17g, %.17g] is wide", text, a.value.lo,
                    a.value.hi);
            dosi_plan_free(q.plan);
        }
    }
    arb_clear(exact);
    arb_clear(most);
}

/* ---- By heart ---------------------------------------------------------- */

static void known_ones(void **state)
{
    (void)state;
    static const struct {
        sample m;
        double eps, count;
        double log_delta; /* of one, 16 digits by mpmath */
    } rows[] = {
        {{GAUSSIAN, 0.1, 1e-320}, 0.001, 1, -3055.476093967214},
        {{GAUSSIAN, 1, 5e-324}, 1, 1000, -277884.8608066718},
        {{RESPONSE, 5.8e-178, 0.5}, 0, 1, -409.4885829965076},
        {{GAUSSIAN, 6.758654500746505e+168, 2.3389819541893974e-136},
            5.87306e-319, 1, -701.9659148628973},
    };
    arb_t exact;
    arb_init(exact);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT];
        asked q;
        print_sample(text, &rows[i].m, rows[i].count);
        open_plan(&q, text, NULL);
        sample_delta(exact, &rows[i].m, rows[i].eps);
        arb_log(exact, exact, 200);
        double log_exact = arf_get_d(arb_midref(exact), ARF_RND_NEAR);
        assert_true(fabs(log_exact - rows[i].log_delta) <
                    1e-14 * fabs(log_exact));
        sample_delta(exact, &rows[i].m, rows[i].eps);
        if (rows[i].count == 1) {
            dosi_answer a = check_delta(&q, rows[i].eps, exact, exact);
            assert_true(a.log_value.hi - a.log_value.lo <=
                        1e-12 * fabs(log_exact));
        } else {
            arb_t most;
            arb_init(most);
            sample_delta(most, &rows[i].m, 0);
            arb_mul_ui(most, most, (ulong)rows[i].count, BITS);
            (void)check_delta(&q, rows[i].eps, most, exact);
            arb_clear(most);
        }
        dosi_plan_free(q.plan);
    }
    arb_clear(exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_ones),
        cmocka_unit_test(one_sample),
        cmocka_unit_test(one_epsilon),
        cmocka_unit_test(many_samples),
        cmocka_unit_test(responses),
        cmocka_unit_test(divergences),
        cmocka_unit_test(replaced),
    };
    rng = prop_start("prop_underflow");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
