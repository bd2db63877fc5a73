/*
 * The contour route against values that share no code with it: the plans of
 * tests/oracles/contour_truth.csv, made by tests/reference/contour_truth.c.
 * Intervals must hold the truth and be narrow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <arb.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/contour_plans.h"

static const slong precision = 200;

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

static long n_decided, n_asked;

/* Whether delta is within a bound: never within a smaller one. */
static bool is_right(plan *p, double epsilon, const arb_t delta)
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
        assert_int_equal(engine_is_within(&within, p->engine, epsilon,
                             ball_of_arb(bound), ball_of_arb(log_bound),
                             NULL),
            DOSI_OK);
        if (factors[i] > 1) {
            n_asked++;
            n_decided += within;
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
    assert_int_equal(engine_epsilon(&back, p.engine, ball_of_arb(delta),
                         ball_of_arb(log_delta), NULL),
        DOSI_OK);
    right = right && is_right(&p, epsilon, delta);
    plan_close(&p);
    double expected = fmax(epsilon, 0), width = back.hi - back.lo;
    right = right && back.lo <= expected && expected <= back.hi;
    /* what is left of delta must not drown in the mass at +inf */
    double share = log(strtod(digits, NULL)) - got.hi;
    bool is_decided = epsilon > 0.01 && share > -10;
    bool narrow = got.hi - got.lo <= kind->delta_width &&
                  (width <= kind->epsilon_width * expected || !is_decided ||
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
    FILE *f = fopen(DOSI_TEST_DATA "/oracles/contour_truth.csv", "r");
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
    print_message(
        "%ld plans, %ld missed, %ld wide; %ld of %ld bounds n_terms\n",
        n, n_missed, n_wide, n_decided, n_asked);
    assert_true(10 * n_decided >= 9 * n_asked);
    assert_true(n >= 200);
    assert_int_equal(n_missed, 0);
    assert_int_equal(n_wide, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truths),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
