/*
 * Bent contours against Arb: the moments at their nodes and between them must
 * lie within what is claimed, the bounds off the contour must hold and not be
 * void, and delta must be right to ten digits where a rare jump decides.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exact_moment.h"
#include "prop/random.h"
#include "repr/spectral.h"
#include "repr/spectral_bent_path.h"

static prop_random source;

static loss random_jumps(void)
{
    double mu = exp(prop_uniform(&source, log(0.5), log(2.2)));
    double q = exp(prop_uniform(&source, log(1e-4), log(0.2)));
    return (loss){.noise = LOSS_GAUSSIAN, .map = LOSS_REMOVE,
        .parameter = ball_of(mu), .rate = ball_of(q),
        .count = floor(exp(prop_uniform(&source, 0, log(30))))};
}

/* A part with room for looks. */
static void open_part(spectral_part *part, const loss *pair)
{
    assert_true(spectral_part_init(part, pair));
    part->sketch.budget = 1e9;
}

/* |m - M(z)| over the radius. */
static double miss(disc m, double rad, const loss *pair, double re, double im)
{
    acb_t exact, e;
    arb_t x;
    acb_init(exact);
    acb_init(e);
    arb_init(x);
    exact_moment(exact, pair, re, im);
    acb_set_d_d(e, m.re.hi, m.im.hi);
    acb_sub(exact, exact, e, precision);
    acb_set_d_d(e, m.re.lo, m.im.lo);
    acb_sub(exact, exact, e, precision);
    acb_abs(x, exact, precision);
    /* the reference cancels, too, and knows what it errs by */
    arf_t least;
    arf_init(least);
    arb_get_lbound_arf(least, x, precision);
    double gap = fmax(arf_get_d(least, ARF_RND_NEAR), 0);
    arf_clear(least);
    acb_clear(exact);
    acb_clear(e);
    arb_clear(x);
    return gap / rad;
}

static double exact_log_size(const loss *pair, double re, double im)
{
    acb_t m;
    arb_t x;
    acb_init(m);
    arb_init(x);
    exact_moment(m, pair, re, im);
    acb_abs(x, m, precision);
    arb_log(x, x, precision);
    double found = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    acb_clear(m);
    arb_clear(x);
    return found;
}

/* A contour of few nodes whose z are doubles. */
static bent_choice short_choice(double t, double digits)
{
    return (bent_choice){.epsilon = 1, .t = t, .c2 = 0x1p-6, .step = 0.25,
        .strip = t / 2, .n_outer = 40, .digits = digits};
}

/* The worst miss of M at the nodes of one line whose rule has so many digits
 * and keeps so many, and the widest radius; no miss where there are no
 * nodes. */
static double worst_node(double *widest, const loss *pair, double t,
    double digits, double kept)
{
    bent_choice c = short_choice(t, digits);
    bent_steps steps = {0.25, 0x1p-10, 0, 0, 2};
    spectral_part part;
    bent_line l;
    bool no_memory = false;
    open_part(&part, pair);
    assert_true(bent_line_init(&l, &part, 12, t, digits, &no_memory));
    for (double u = 0; u < 10; u += 0.5) {
        bent_box box = bent_path_box(&c, 0, u, u + 0.5);
        bent_line_keep(&l, &box, kept);
    }
    bool found = bent_line_start(&l, &c, &steps, &no_memory);
    assert_false(no_memory);
    double worst = 0;
    *widest = found ? 0 : HUGE_VAL;
    for (double n = 0; found && n <= 40; n++) {
        double u = n / 4, re = t + 0x1p-10 * n * n;
        bent_box box = bent_path_box(&c, 0, u, u);
        disc m = bent_line_next(&l, n);
        double rad = m.rad + bent_line_alias(&l, &box) +
                     bent_line_beyond(&l, &box);
        if (n < 3 || (long)n % 13 == 0) {
            worst = fmax(worst, miss(m, rad, pair, re, u));
            *widest = fmax(*widest, rad);
        }
    }
    bent_line_free(&l);
    spectral_part_free(&part);
    return worst;
}

static double random_tilt(void)
{
    return ldexp(floor(prop_uniform(&source, 16, 90)), -5);
}

/* With rules far better than double-doubles, rounding is what errs. */
static void moments_are_had(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < 8; i++) {
        loss pair = random_jumps();
        double t = random_tilt(), widest;
        double r = worst_node(&widest, &pair, t, 85, 90);
        double most = exact_log_size(&pair, t + 1.6, 0);
        assert_true(r <= 1);
        assert_true(widest <= 1e-23 * exp(fmax(most, 0)));
        worst = fmax(worst, r);
    }
    assert_true(worst > 1e-9);
}

/* Few digits: the rule, or what is left out, is what errs. */
static void rules_are_charged(void **state)
{
    (void)state;
    double worst[2] = {0, 0};
    for (int i = 0; i < 32; i++) {
        loss pair = random_jumps();
        bool left_out = i % 2;
        double t = random_tilt(), widest;
        double digits = left_out ? 40 : prop_uniform(&source, -5, 2);
        double kept = left_out ? prop_uniform(&source, 3, 12) : 60;
        double r = worst_node(&widest, &pair, t, digits, kept);
        assert_true(r <= 1);
        worst[left_out] = fmax(worst[left_out], r);
    }
    assert_true(worst[0] > 1e-5 && worst[1] > 1e-3);
}

/* Bounds over a box hold in it, and at its corner are nearly attained. */
static void bounds_hold(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        loss pair = random_jumps();
        spectral_part part;
        bent_line l;
        open_part(&part, &pair);
        double low = prop_uniform(&source, 0.2, 3), found[2];
        double high = low * prop_uniform(&source, 1, 1.5);
        double from = prop_uniform(&source, 0, 1);
        from *= prop_uniform(&source, 0, 20);
        bool no_memory;
        assert_true(bent_line_init(&l, &part, 25, 5, 30, &no_memory));
        bent_box box = {low, high, from, HUGE_VAL};
        bent_line_bound(found, &l, &box);
        for (int j = 0; j < 4; j++) {
            double im = from + prop_uniform(&source, 0, j * 4.0);
            double end = j % 2 ? high : low;
            double size = exact_log_size(&pair, end, im);
            assert_true(size <= found[j % 2] + 1e-9);
        }
        bent_box corner = {low, low, 0, 0};
        bent_line_bound(found, &l, &corner);
        double size = exact_log_size(&pair, low, 0);
        assert_true(size <= found[0] && found[0] <= 1.2 * size + 0.2);
        bent_line_free(&l);
        spectral_part_free(&part);
    }
}

/* Differences of p(n) = z_n - t are those of its table. */
static void differences_are_right(void **state)
{
    (void)state;
    bent_steps s = {0.5, 0.25, 0.125, 2, 4};
    for (int part = 0; part < 2; part++) {
        double p[5];
        for (int n = 0; n < 5; n++)
            p[n] = part == 0 ? s.d2 * n * n + s.d4 * pow(n, 4)
                             : s.d1 * n + s.d3 * pow(n, 3);
        for (int j = 1; j <= 4; j++) {
            ball re, im;
            for (int n = 0; n + j < 5; n++)
                p[n] = p[n + 1] - p[n];
            bent_difference(&re, &im, &s, j);
            assert_true(ball_mid(part == 0 ? re : im) == p[0]);
        }
    }
}

/* log delta by a contour whose steps are longer than chosen, or that ends
 * early, or whose rule has few digits; and its error over delta. */
static dosi_interval poorly(double *error, const loss *pair, double epsilon,
    double log_delta, double longer, double shorter, double digits)
{
    spectral_part part;
    bent_line item;
    spectral_parts parts = {1, &part};
    bent_lines lines = {0, &item};
    spectral_bent b = {.n = 0};
    bool no_memory = false;
    open_part(&part, pair);
    assert_true(bent_path_choose(
        &b.choice, &lines, &parts, epsilon, log_delta, &no_memory));
    if (digits < b.choice.digits) {
        double size = 2 * b.choice.t + 2 * b.choice.step * b.choice.n_outer;
        bent_line_free(&item);
        double most = b.choice.t + b.choice.strip;
        assert_true(bent_line_init(
            &item, &part, size, most, digits, &no_memory));
    }
    b.choice.step *= longer;
    b.choice.n_outer = floor(b.choice.n_outer / longer * shorter);
    dosi_interval found = {-HUGE_VAL, 0};
    if (bent_path_build(&b, &lines, &parts, HUGE_VAL, NULL, &no_memory))
        found = spectral_bent_read(&b, epsilon);
    assert_false(no_memory);
    *error = b.error * exp(ball_mid(b.log_scale) - log_delta);
    free(b.terms);
    bent_line_free(&item);
    spectral_part_free(&part);
    return found;
}

/* Errors of the outer rule, and of what is cut off, when they are all there
 * is: within the bound, and not far below it. */
static void contours_are_charged(void **state)
{
    (void)state;
    loss pair = {.noise = LOSS_GAUSSIAN, .map = LOSS_REMOVE,
        .parameter = ball_of(2), .rate = ball_of(0.01), .count = 2};
    double epsilon = 5.724, best, least = 0, error;
    int n_told = 0;
    double log_delta = log(9.9999554450566875641977831e-8);
    dosi_interval fine =
        poorly(&best, &pair, epsilon, log_delta, 1, 1, 99);
    assert_true(fine.hi - fine.lo < 1e-10);
    for (int i = 0; i < 18; i++) {
        double longer = i % 3 == 0 ? prop_uniform(&source, 2, 5) : 1;
        double shorter = i % 3 == 1 ? prop_uniform(&source, 0.3, 0.7) : 1;
        double digits = i % 3 == 2 ? prop_uniform(&source, 12, 24) : 99;
        dosi_interval f = poorly(
            &error, &pair, epsilon, log_delta, longer, shorter, digits);
        assert_true(f.lo <= fine.hi && fine.lo <= f.hi);
        n_told += i % 3 == 2 && f.hi - f.lo < 1;
        if (i % 3 < 2 && f.lo > -HUGE_VAL && f.hi < 0) {
            double off = fabs((f.lo + f.hi) / 2 - (fine.lo + fine.hi) / 2);
            least = fmax(least, off / error);
        }
    }
    assert_true(least > 1e-6 && n_told > 0);
}

/* ---- Truths ------------------------------------------------------------ */

static bool holds(dosi_interval log_delta, const char *digits)
{
    arb_t x, end;
    arb_init(x);
    arb_init(end);
    assert_int_equal(arb_set_str(x, digits, precision), 0);
    arb_log(x, x, precision);
    arb_set_d(end, log_delta.lo);
    bool right = arb_le(end, x);
    arb_set_d(end, log_delta.hi);
    right = right && arb_ge(end, x);
    arb_clear(x);
    arb_clear(end);
    return right;
}

/* Through the engine: delta at epsilon, and epsilon back from delta. */
static void ask(const loss *pair, double epsilon, const char *digits)
{
    spectral *s = NULL;
    dosi_interval log_delta, back;
    double delta = strtod(digits, NULL);
    assert_int_equal(spectral_new(&s, pair, 1, NULL, NULL), DOSI_OK);
    assert_int_equal(
        spectral_log_delta(&log_delta, s, epsilon, NULL), DOSI_OK);
    assert_true(holds(log_delta, digits));
    assert_true(log_delta.hi - log_delta.lo <= 1e-9);
    /* the double nearest to delta moves epsilon by some 1e-15 */
    ball d = ball_widen(ball_of(delta), 0x1p-53 * delta);
    assert_int_equal(
        spectral_epsilon(&back, s, d, ball_log(d), NULL), DOSI_OK);
    assert_true(back.lo <= epsilon && epsilon <= back.hi);
    assert_true(back.hi - back.lo <= 1e-9 * epsilon);
    spectral_free(s);
}

static void truths_are_enclosed(void **state)
{
    (void)state;
    FILE *f = fopen(DOSI_TEST_DATA "/oracles/jump_truth.csv", "r");
    assert_non_null(f);
    char line[256], digits[64];
    int n = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        double epsilon, q, mu, count;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%lf,%63[^,],%lf,%lf,%lf", &epsilon,
                             digits, &q, &mu, &count),
            5);
        loss pair = {.noise = LOSS_GAUSSIAN, .map = LOSS_REMOVE,
            .parameter = ball_of(mu), .rate = ball_of(q), .count = count};
        print_message("%s", line);
        ask(&pair, epsilon, digits);
        n++;
    }
    assert_int_equal(fclose(f), 0);
    assert_true(n >= 12);
}

int main(void)
{
    source = prop_start("test_spectral_bent");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_had),
        cmocka_unit_test(rules_are_charged),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(differences_are_right),
        cmocka_unit_test(contours_are_charged),
        cmocka_unit_test(truths_are_enclosed),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
