/*
 * Draws with replacement under add_remove: over Laplace noise against Arb, by
 * the definition of the pair; the counting lemma against all mechanisms on
 * samples of three that random tests make; and what the accountant says of
 * one run, whose lower end must be attained.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <arb.h>
#include <cmocka.h>

#include "dosimeter.h"
#include "support/enclose.h"
#include "support/random.h"
#include "finite/finite_law.h"
#include "sampling/with_replacement_laplace.h"

#define PRECISION 600

static prop_random source;

/* ---- The pair by its definition ---------------------------------------- */

/* w_k = C(m,k) (n-1)^(m-k) / n^m */
static void weight(arb_t out, unsigned long m, unsigned long n,
    unsigned long k)
{
    fmpz_t a, b;
    fmpz_init(a);
    fmpz_init(b);
    fmpz_bin_uiui(a, m, k);
    fmpz_ui_pow_ui(b, n - 1, m - k);
    fmpz_mul(a, a, b);
    fmpz_ui_pow_ui(b, n, m);
    arb_fmpz_div_fmpz(out, a, b, PRECISION);
    fmpz_clear(a);
    fmpz_clear(b);
}

typedef struct pair {
    unsigned long m, n;
    double theta;
} pair;

/* sum_k w_k f(c - k theta), f the density over that of 0 at c, or the upper
 * tail. */
static void mixed(arb_t out, const pair *p, const arb_t c, bool tail)
{
    arb_t w, x, y, own;
    arb_init(w);
    arb_init(x);
    arb_init(y);
    arb_init(own);
    arb_abs(own, c);
    arb_zero(out);
    for (unsigned long k = 0; k <= p->m; k++) {
        weight(w, p->m, p->n, k);
        arb_set_d(x, p->theta);
        arb_mul_ui(x, x, k, PRECISION);
        arb_sub(x, c, x, PRECISION);
        arb_abs(y, x);
        bool inside = tail && arb_is_negative(x);
        arb_neg(y, y);
        if (!tail)
            arb_add(y, y, own, PRECISION);
        arb_exp(y, y, PRECISION);
        if (tail)
            arb_mul_2exp_si(y, y, -1);
        if (inside)
            arb_sub_ui(y, y, 1, PRECISION);
        if (inside)
            arb_neg(y, y);
        arb_addmul(out, w, y, PRECISION);
    }
    arb_clear(w);
    arb_clear(x);
    arb_clear(y);
    arb_clear(own);
}

/* Where the likelihood ratio is e^level, by bisection on (0, m theta). */
static void threshold(arb_t c, const pair *p, double level)
{
    arb_t lo, hi, s, goal;
    arb_init(lo);
    arb_init(hi);
    arb_init(s);
    arb_init(goal);
    arb_set_d(hi, p->theta);
    arb_mul_ui(hi, hi, p->m, PRECISION);
    arb_set_d(goal, level);
    arb_exp(goal, goal, PRECISION);
    for (int i = 0; i < 400; i++) {
        arb_add(c, lo, hi, PRECISION);
        arb_mul_2exp_si(c, c, -1);
        arb_get_mid_arb(c, c);
        mixed(s, p, c, false);
        arb_set(arb_lt(s, goal) ? lo : hi, c);
    }
    arb_clear(lo);
    arb_clear(hi);
    arb_clear(s);
    arb_clear(goal);
}

static void exact_delta(
    arb_t out, const pair *p, double eps, bool base_first)
{
    arb_t c, above, own, lift;
    arb_init(c);
    arb_init(above);
    arb_init(own);
    arb_init(lift);
    threshold(c, p, base_first ? -eps : eps);
    mixed(above, p, c, true);
    arb_neg(own, c);
    arb_exp(own, own, PRECISION);
    arb_mul_2exp_si(own, own, -1);
    arb_set_d(lift, eps);
    arb_exp(lift, lift, PRECISION);
    if (base_first) { /* the event before c */
        arb_sub_ui(above, above, 1, PRECISION);
        arb_sub_ui(own, own, 1, PRECISION);
        arb_mul(above, above, lift, PRECISION);
        arb_sub(out, above, own, PRECISION);
    } else {
        arb_mul(own, own, lift, PRECISION);
        arb_sub(out, above, own, PRECISION);
    }
    arb_clear(c);
    arb_clear(above);
    arb_clear(own);
    arb_clear(lift);
}

/* log of the ratio at either end. */
static double greatest_loss(const pair *p, bool base_first)
{
    double step = expm1(base_first ? -p->theta : p->theta);
    return fabs((double)p->m * log1p(step / (double)p->n));
}

static scaled found_delta(const pair *p, ball eps, bool base_first)
{
    return with_replacement_laplace_delta(
        base_first ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST, (double)p->n,
        (double)p->m, ball_of(p->theta), eps, NULL);
}

static void pairs_are_exact(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    for (int i = 0; i < 60; i++) {
        pair p = {1 + (unsigned long)prop_below(&source, 30),
            (unsigned long)exp(prop_uniform(&source, log(2), log(1e6))),
            exp(prop_uniform(&source, log(0.01), log(20)))};
        bool base_first = i % 2;
        double eps = greatest_loss(&p, base_first) *
                     prop_uniform(&source, 0, i % 5 == 0 ? 0.01 : 0.99);
        exact_delta(exact, &p, eps, base_first);
        ball found = scaled_ball(found_delta(&p, ball_of(eps), base_first));
        double inputs[] = {
            (double)p.m, (double)p.n, p.theta, eps, base_first};
        assert_int_equal(
            enclose_fails("delta", found, exact, 1e-13, inputs, 5), 0);
    }
    arb_clear(exact);
}

/* Beyond the greatest loss nothing is left; next to it, and at the corners of
 * the profile, it is enclosed. */
static void corners_are_enclosed(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    for (int i = 0; i < 24; i++) {
        pair p = {1 + (unsigned long)prop_below(&source, 6), 3,
            prop_uniform(&source, 0.1, 3)};
        bool base_first = i % 2;
        double most = greatest_loss(&p, base_first);
        ball beyond = ball_of(most * (1 + 1e-12));
        assert_true(ball_is_zero(found_delta(&p, beyond, base_first).m));
        double eps = most * (1 - ldexp(1, -10 - i));
        exact_delta(exact, &p, eps, base_first);
        ball found = scaled_ball(found_delta(&p, ball_of(eps), base_first));
        double inputs[] = {(double)p.m, p.theta, eps, base_first};
        assert_int_equal(
            enclose_fails("delta", found, exact, 1e-3, inputs, 4), 0);
        /* the threshold is at the end of a cell */
        if (base_first)
            continue;
        arb_set_d(exact, p.theta * floor(prop_uniform(&source, 1, 3)));
        mixed(exact, &p, exact, false);
        arb_log(exact, exact, PRECISION);
        ball corner = ball_widen(
            ball_of(arf_get_d(arb_midref(exact), ARF_RND_NEAR)), 1e-15);
        found = scaled_ball(found_delta(&p, corner, false));
        assert_true(found.rad <= 1e-13);
    }
    arb_clear(exact);
}

/* Many hits: none of the sums begins where it is greatest. With n hits on
 * average, delta at 0 is the total variation, next to 1 for strong noise. */
static void large_batches_are_answered(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        sampled_side side =
            first ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST;
        ball much = scaled_ball(with_replacement_laplace_delta(
            side, 1e4, 1e6, ball_of(0.5), ball_of(0), NULL));
        assert_true(ball_lower(much) > 1 - 1e-4 && ball_upper(much) <= 1);
        ball few = scaled_ball(with_replacement_laplace_delta(
            side, 1e9, 1e6, ball_of(0.5), ball_of(0), NULL));
        double eta = 1e-3, one = -expm1(-0.25); /* delta of one hit */
        assert_true(fabs(ball_mid(few) / (eta * one) - 1) < 1e-3);
    }
}

/* ---- The pair in cells ------------------------------------------------- */

static finite_law *cells_of(
    const pair *p, bool base_first, unsigned hits, bool above)
{
    size_t room = WITH_REPLACEMENT_OUTCOMES(hits);
    ball *at = malloc(2 * room * sizeof *at);
    assert_non_null(at);
    size_t n = with_replacement_laplace_cells(at, at + room,
        base_first ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST,
        (double)p->n, (double)p->m, ball_of(p->theta), hits, above);
    assert_true(n > 0 && n <= room);
    finite_law *law = NULL;
    assert_int_equal(finite_from_losses(
                         &law, at, at + room, n, ball_of(0), ball_of(0), NULL),
        DOSI_OK);
    free(at);
    return law;
}

/* Both hold all of P and Q, have the profile of the pair between them, and
 * are near each other. */
static void cells_lie_on_both_sides(void **state)
{
    (void)state;
    double widest = 0;
    for (int i = 0; i < 60; i++) {
        pair p = {2 + (unsigned long)prop_below(&source, 9),
            (unsigned long)exp(prop_uniform(&source, log(2), log(1e5))),
            exp(prop_uniform(&source, log(0.01), log(i % 3 ? 3 : 200)))};
        bool base_first = i % 2, all = i % 4 < 2;
        unsigned hits = all ? (unsigned)p.m
                            : 1 + (unsigned)prop_below(&source, (int)p.m);
        finite_law *above = cells_of(&p, base_first, hits, true);
        finite_law *below = cells_of(&p, base_first, hits, false);
        assert_true(fabs(ball_mid(finite_mass_from(above, 0)) - 1) < 1e-20);
        assert_true(fabs(ball_mid(finite_mass_from(below, 0)) - 1) < 1e-20);
        double most = greatest_loss(&p, base_first);
        double other = greatest_loss(&p, !base_first);
        for (int j = 0; j < 12; j++) {
            ball eps = ball_of(prop_uniform(&source, 0, 0.98) * most);
            ball back = ball_of(prop_uniform(&source, 0, 0.98) * other);
            ball exact = scaled_ball(found_delta(&p, eps, base_first));
            ball hi = finite_delta(above, eps), lo = finite_delta(below, eps);
            assert_true(ball_upper(hi) >= ball_lower(exact));
            assert_true(ball_lower(lo) <= ball_upper(exact));
            if (all && p.theta < 3 && ball_mid(eps) < 0.3 * most)
                widest = fmax(widest, ball_mid(hi) / ball_mid(lo) - 1);
            /* delta(-e) = 1 - e^-e (1 - delta'(e)) */
            exact = scaled_ball(found_delta(&p, back, !base_first));
            exact = ball_sub(ball_of(1), ball_mul(ball_exp(ball_neg(back)),
                                             ball_sub(ball_of(1), exact)));
            hi = finite_delta(above, ball_neg(back));
            lo = finite_delta(below, ball_neg(back));
            assert_true(ball_upper(hi) >= ball_lower(exact));
            assert_true(ball_lower(lo) <= ball_upper(exact));
        }
        finite_free(above);
        finite_free(below);
    }
    assert_true(widest > 0 && widest < 1e-4);
}

/* ---- The counting lemma ------------------------------------------------ */

#define DRAWS 3
#define RECORDS 3 /* record 0 is the one that is removed */
#define SAMPLES 27

/* The greatest Q-probability p becomes for noise moved by k steps. */
static double moved(double p, double k)
{
    double c = p <= 0.5 ? -log(2 * p) : log(2 * (1 - p)); /* sf(c) = p */
    double z = c - k;
    return z >= 0 ? exp(-z) / 2 : 1 - exp(z) / 2;
}

static int distance(int a, int b)
{
    int n[RECORDS] = {0}, far = 0;
    for (int i = 0; i < DRAWS; i++, a /= RECORDS, b /= RECORDS) {
        n[a % RECORDS]++;
        n[b % RECORDS]--;
    }
    for (int i = 0; i < RECORDS; i++)
        far += n[i] > 0 ? n[i] : 0;
    return far;
}

static bool holds_removed(int a)
{
    for (int i = 0; i < DRAWS; i++, a /= RECORDS)
        if (a % RECORDS == 0)
            return true;
    return false;
}

/* Tests p with p(a) <= moved(p(b), theta d(a, b)) for all samples: the least
 * of what random ones are moved to. */
static void random_test(double *p, double theta)
{
    double raw[SAMPLES];
    for (int a = 0; a < SAMPLES; a++)
        raw[a] = prop_uniform(&source, 1e-3, 1 - 1e-3) *
                 (prop_below(&source, 4) == 0 ? 1 : 0.01);
    for (int a = 0; a < SAMPLES; a++) {
        p[a] = raw[a];
        for (int b = 0; b < SAMPLES; b++)
            p[a] = fmin(p[a], moved(raw[b], theta * distance(a, b)));
    }
}

static void no_test_exceeds_the_pair(void **state)
{
    (void)state;
    double closest = 0;
    for (int i = 0; i < 4000; i++) {
        double p[SAMPLES], with = 0, without = 0;
        double theta = prop_uniform(&source, 0.2, 2);
        double eps = prop_uniform(&source, 0, 1) * theta / 2;
        if (i % 4 == 0) { /* a count */
            double base = prop_uniform(&source, 0.01, 0.6);
            for (int a = 0; a < SAMPLES; a++) {
                int hits = 0;
                for (int j = 0, s = a; j < DRAWS; j++, s /= RECORDS)
                    hits += s % RECORDS == 0;
                p[a] = moved(base, theta * hits);
            }
        } else {
            random_test(p, theta);
        }
        for (int a = 0; a < SAMPLES; a++) {
            with += p[a] / SAMPLES;
            without += holds_removed(a) ? 0 : p[a] / 8;
        }
        pair q = {DRAWS, RECORDS, theta};
        double removal = ball_mid(
            scaled_ball(found_delta(&q, ball_of(eps), false)));
        double addition =
            ball_mid(scaled_ball(found_delta(&q, ball_of(eps), true)));
        double lift = exp(eps);
        assert_true(with - lift * without <= removal + 1e-12);
        assert_true(without - lift * with <= addition + 1e-12);
        assert_true((1 - without) - lift * (1 - with) <= addition + 1e-12);
        assert_true((1 - with) - lift * (1 - without) <= removal + 1e-12);
        if (removal > 1e-3)
            closest = fmax(closest, (with - lift * without) / removal);
    }
    assert_true(closest > 0.99);
}

/* ---- The accountant ---------------------------------------------------- */

static dosi_answer ask(
    const char *text, double argument, bool for_epsilon)
{
    const dosi_plan *plan = NULL;
    dosi_answer out;
    dosi_error err;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_status status =
        for_epsilon
            ? dosi_epsilon_at_delta(&out, plan, argument, NULL, &err)
            : dosi_delta_at_epsilon(&out, plan, argument, NULL, &err);
    if (status != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
    return out;
}

static void laplace_is_exact(void **state)
{
    (void)state;
    const char text[] = "with_replacement(256, 60000, laplace(1))";
    pair p = {256, 60000, 1};
    arb_t exact;
    arb_init(exact);
    exact_delta(exact, &p, 0.001, false);
    double truth = arf_get_d(arb_midref(exact), ARF_RND_NEAR);
    arb_clear(exact);
    dosi_answer a = ask(text, 0.001, false);
    assert_true(a.value.lo <= truth && truth <= a.value.hi);
    assert_true(a.value.hi - a.value.lo <= 1e-14 * truth);
    dosi_answer back = ask(text, truth, true);
    assert_true(back.value.lo <= 0.001 + 1e-15);
    assert_true(back.value.hi >= 0.001 - 1e-15);
    assert_true(back.value.hi - back.value.lo <= 1e-14);
}

/* Densities of three draws out of three. */
static double mixture_density(double y, double theta)
{
    static const double w[] = {8 / 27.0, 12 / 27.0, 6 / 27.0, 1 / 27.0};
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += w[k] * exp(-fabs(y - k * theta)) / 2;
    return sum;
}

/* Two runs by sums over small squares, in either order. */
static void two_runs_compose(void **state)
{
    (void)state;
    enum { SIDE = 1600 };
    static double p[SIDE], q[SIDE];
    const double theta = 0.5, step = 0.02;
    for (int i = 0; i < SIDE; i++) {
        double y = (i - SIDE / 2 + 0.5) * step;
        p[i] = mixture_density(y, theta) * step;
        q[i] = exp(-fabs(y)) / 2 * step;
    }
    static const double epsilons[] = {0.1, 0.4, 0.9};
    for (size_t e = 0; e < 3; e++) {
        double lift = exp(epsilons[e]), delta[2] = {0, 0};
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                double a = p[i] * p[j], b = q[i] * q[j];
                delta[0] += fmax(a - lift * b, 0);
                delta[1] += fmax(b - lift * a, 0);
            }
        double truth = fmax(delta[0], delta[1]);
        dosi_answer a = ask(
            "with_replacement(3, 3, laplace(2))*2", epsilons[e], false);
        assert_true(a.value.lo <= truth * (1 + 2e-4));
        assert_true(a.value.hi >= truth * (1 - 2e-4));
        assert_true(a.value.hi - a.value.lo <= 1e-4 * truth);
    }
}

/* An answer to whether the record is there loses log(1 + eta (e - 1)), eta the
 * probability of a hit; delta at eps is eta times that of the base. */
static void membership_is_attained(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "with_replacement(256, 60000, rr(1))",
        "with_replacement(256, 60000, pure(1))",
        "with_replacement(256, 60000, discrete_laplace(1))"};
    double eta = -expm1(256 * log1p(-1 / 60000.0));
    double eps = 0.5, there = log1p(eta * expm1(eps));
    double truth = eta * (exp(1) - exp(eps)) / (exp(1) + 1);
    for (size_t i = 0; i < 3; i++) {
        dosi_answer a = ask(texts[i], there, false);
        assert_true(a.value.lo >= truth * (1 - 1e-9));
        assert_true(a.value.lo <= a.value.hi);
        assert_true(a.value.lo >= 0.98 * a.value.hi);
        dosi_answer e = ask(texts[i], truth, true);
        assert_true(e.value.lo >= there * (1 - 1e-9));
        assert_true(e.value.lo <= e.value.hi);
    }
}

int main(void)
{
    source = prop_start("test_with_replacement");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_exact),
        cmocka_unit_test(corners_are_enclosed),
        cmocka_unit_test(large_batches_are_answered),
        cmocka_unit_test(cells_lie_on_both_sides),
        cmocka_unit_test(no_test_exceeds_the_pair),
        cmocka_unit_test(laplace_is_exact),
        cmocka_unit_test(two_runs_compose),
        cmocka_unit_test(membership_is_attained),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
