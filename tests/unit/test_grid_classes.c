/*
 * Classes of jumps on a lattice. One class against all ways to choose the runs
 * that go beyond its cut, in long doubles: its masses, what lies outside its
 * window, and that a rare jump keeps its digits. The top against the same
 * sums. Answers against enumeration, and against Arb
 * (tests/reference/atoms_truth.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "grid_losses.h"
#include "num/fft.h"
#include "repr/discrete_gaussian.h"
#include "repr/grid.h"
#include "repr/grid_class.h"
#include "repr/grid_sums.h"
#include "repr/grid_top.h"

/* ---- Plain convolutions ------------------------------------------------ */

#define LONG 4096

typedef struct sequence {
    size_t n;
    long double at[LONG];
} sequence;

static void times(sequence *x, const sequence *y)
{
    static sequence z;
    z.n = x->n + y->n - 1;
    assert_true(z.n <= LONG);
    for (size_t i = 0; i < z.n; i++)
        z.at[i] = 0;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            z.at[i + j] += x->at[i] * y->at[j];
    *x = z;
}

/* x += a y. */
static void add(sequence *x, long double a, const sequence *y)
{
    for (size_t i = x->n; i < y->n; i++)
        x->at[i] = 0;
    x->n = x->n > y->n ? x->n : y->n;
    for (size_t i = 0; i < y->n; i++)
        x->at[i] += a * y->at[i];
}

static long double choose(int n, int k)
{
    long double c = 1;
    for (int i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return c;
}

/* What some number of runs has beyond the cut, as sequences that begin at
 * count times the law's first index. */
static void law_with(sequence *out, const grid_law *g, const double *mass,
    const grid_cut *cut, int beyond)
{
    static sequence s, w;
    s.n = w.n = g->n;
    for (size_t i = 0; i < g->n; i++) {
        int64_t index = g->first + (int64_t)i;
        s.at[i] = index <= cut->a ? mass[i] : 0;
        w.at[i] = index > cut->a && index <= cut->b ? mass[i] : 0;
    }
    out->n = 1;
    out->at[0] = 1;
    for (int i = 0; i < (int)g->count; i++)
        times(out, i < beyond ? &w : &s);
    for (size_t i = 0; i < out->n; i++)
        out->at[i] *= choose((int)g->count, beyond);
}

/* The class: all numbers of runs beyond the cuts but none at all. */
static void class_of(sequence *out, const grid_law *laws,
    const double *const *masses, const grid_cut *cuts, size_t n)
{
    static sequence x, y;
    out->n = 0;
    int most = n > 1 ? (int)laws[1].count : 0;
    for (int i = 0; i <= (int)laws[0].count; i++)
        for (int j = 0; j <= most; j++) {
            if (i + j == 0)
                continue;
            law_with(&x, &laws[0], masses[0], &cuts[0], i);
            if (n > 1) {
                law_with(&y, &laws[1], masses[1], &cuts[1], j);
                times(&x, &y);
            }
            add(out, 1, &x);
        }
}

/* ---- Laws -------------------------------------------------------------- */

#define POINTS 40

typedef struct made {
    double up[2][POINTS], lo[2][POINTS], q[2][POINTS];
    grid_law laws[2];
    grid_cut cuts[2];
} made;

static double share(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return 0.25 + 0.75 * (double)(*seed >> 8) * 0x1p-24;
}

/* Two laws whose masses fall by rates, the first beyond its cut as fast as is
 * said. */
static void make_laws(made *m, double rare, bool with_q)
{
    unsigned seed = 7;
    static const double count[2] = {5, 3};
    static const int64_t first[2] = {-4, -9};
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < POINTS; i++) {
            double v = share(&seed) * exp(-0.3 * i);
            if (first[j] + i > 6)
                v *= rare;
            m->up[j][i] = v * (1 + 1e-4);
            m->lo[j][i] = v;
            m->q[j][i] = v * (1 + 2e-4 * share(&seed));
        }
        m->laws[j] = (grid_law){.count = count[j],
            .first = first[j],
            .n = POINTS - 5 * (size_t)j,
            .up = m->up[j],
            .lo = m->lo[j],
            .lo_q = with_q ? m->q[j] : NULL,
            .offset = ball_of(0)};
        m->cuts[j] = (grid_cut){6, 24};
    }
}

/* ---- One class --------------------------------------------------------- */

/* The tilted mass at an index, in the unit of the side. */
static long double unit_mass(
    const grid_total *t, const grid_side *side, long double mass, double index)
{
    return mass * expl((long double)t->tilt * index -
                       (long double)ball_mid(side->log_scale));
}

/* The l2 distance of what is wrapped into the window from what there is, and
 * what lies outside on either side. */
static void compare(const grid_total *t, const grid_side *side,
    const sequence *exact, double first)
{
    long double *want = calloc(t->n, sizeof *want);
    long double below = 0, above = 0, off = 0, all = 0;
    assert_non_null(want);
    for (size_t i = 0; i < exact->n; i++) {
        double index = first + (double)i;
        long double v = unit_mass(t, side, exact->at[i], index);
        want[(size_t)(uint64_t)(int64_t)index & (t->n - 1)] += v;
        all += v;
        if (index < (double)t->first)
            below += v;
        if (index >= (double)t->first + (double)t->n)
            above += v;
    }
    for (size_t i = 0; i < t->n; i++)
        off += (side->y[i] - want[i]) * (side->y[i] - want[i]);
    free(want);
    assert_true(all > 0.1L && all < 100);
    if (!(sqrtl(off) <= side->error * (1 + 1e-9L)))
        fail_msg("off by %Lg, allowed %g", sqrtl(off), side->error);
    assert_true(side->error < 1e-12 * (double)all);
    assert_true(below <= side->tail_lo && above <= side->tail_hi);
    /* by Chernoff, at an order that is not the best */
    assert_true(side->tail_lo <= 1e4 * (double)below);
    assert_true(side->tail_hi <= 1e4 * (double)above);
}

static void check_class(
    const made *m, size_t n_laws, const grid_working *w, bool with_q)
{
    static sequence exact;
    grid_total t;
    assert_int_equal(grid_class_make(&t, m->laws, m->cuts, n_laws,
                         ball_of(0.01), w, NULL, NULL),
        DOSI_OK);
    double first = 0;
    for (size_t i = 0; i < n_laws; i++)
        first += m->laws[i].count * (double)m->laws[i].first;
    const double *up[2] = {m->up[0], m->up[1]};
    const double *lo[2] = {m->lo[0], m->lo[1]};
    const double *q[2] = {m->q[0], m->q[1]};
    class_of(&exact, m->laws, up, m->cuts, n_laws);
    compare(&t, &t.up, &exact, first);
    class_of(&exact, m->laws, lo, m->cuts, n_laws);
    compare(&t, &t.lo, &exact, first);
    assert_true(t.up.inf == 0 && t.lo.inf == 0);
    assert_true((t.lo_q.y != NULL) == with_q);
    if (with_q) {
        class_of(&exact, m->laws, q, m->cuts, n_laws);
        compare(&t, &t.lo_q, &exact, first);
    }
    grid_total_free(&t);
}

static void classes_are_convolutions(void **state)
{
    (void)state;
    static made m;
    static const double rares[] = {1, 1e-3, 1e-40, 1e-220};
    for (int i = 0; i < 4; i++)
        for (size_t n_laws = 1; n_laws <= 2; n_laws++) {
            make_laws(&m, rares[i], i % 2 == 0);
            /* all of it, and a window that is too short on both sides */
            grid_working all = {0.05, -60, 512, 0.1, 0.1};
            grid_working some = {0.05, 4, 16, 0.3, 0.2};
            check_class(&m, n_laws, &all, i % 2 == 0);
            check_class(&m, n_laws, &some, i % 2 == 0);
        }
}

/* Where all is in the window there is nothing outside. */
static void ends_of_classes(void **state)
{
    (void)state;
    static made m;
    make_laws(&m, 1e-3, false);
    grid_total t;
    /* one run is beyond 6: from 5 (-4) + 11 to 5 * 24 */
    grid_working w = {0.05, -9, 256, 0.1, 0.1};
    assert_int_equal(
        grid_class_make(&t, m.laws, m.cuts, 1, ball_of(0.01), &w, NULL, NULL),
        DOSI_OK);
    assert_true(t.up.tail_lo == 0 && t.up.tail_hi == 0);
    grid_total_free(&t);
    w.first = -8;
    w.n = 128;
    assert_int_equal(
        grid_class_make(&t, m.laws, m.cuts, 1, ball_of(0.01), &w, NULL, NULL),
        DOSI_OK);
    assert_true(t.up.tail_lo > 0 && t.up.tail_hi > 0);
    grid_total_free(&t);
}

/* The error is what section 11 says: spectra of s and w err together by
 * g N sqrt n, and what depends on them by K times as much, and by D. */
static void error_of_a_class(void **state)
{
    (void)state;
    static made m;
    for (int i = 0; i < 2; i++) {
        make_laws(&m, i == 0 ? 1e-30 : 0.7, false);
        m.laws[0].count = 1000;
        grid_working w = {0.05, -60, 512, 0.1, 0.1};
        grid_total t;
        assert_int_equal(grid_class_make(&t, m.laws, m.cuts, 1, ball_of(0.01),
                             &w, NULL, NULL),
            DOSI_OK);
        double all = 0, square = 0, beyond = 0, sum = 0;
        for (int j = 0; j < 29; j++) {
            double v = m.up[0][j] * exp(0.05 * (j - 4));
            all += v;
            beyond += j - 4 > 6 ? v : 0;
        }
        for (int j = 0; j < 11; j++) {
            double v = m.up[0][j] * exp(0.05 * (j - 4)) / all;
            square += v * v;
        }
        for (size_t j = 0; j < t.n; j++)
            sum += t.up.y[j] * t.up.y[j];
        /* D, but for what lies between powers of two */
        double steep = fmin(1000.0 / 4, all / beyond / 4);
        double g = fft_relative_error(512);
        assert_true(t.up.error >= 1000 * g * sqrt(square) * steep);
        assert_true(t.up.error >= g * sqrt(sum));
        assert_true(t.up.error >= 4.2 * 1000 * 0x1p-53 * sqrt(sum));
        assert_true(t.up.error <= 1e-10 * steep);
        grid_total_free(&t);
    }
}

/* ---- The top ----------------------------------------------------------- */

static double top_exactly(const sequence *p, const sequence *q, double first,
    double h, double epsilon, bool tested)
{
    long double sum = 0;
    for (size_t i = 0; i < p->n; i++) {
        long double z = (first + (double)i) * (long double)h;
        long double x = q->at[i] * expl(epsilon - z);
        if (tested || z > epsilon)
            sum += p->at[i] - x;
    }
    return (double)sum;
}

/* From above at least what it is, from below at most; next to it where the
 * jumps beyond the cut exceed epsilon; and the test that rejects all of them,
 * where Q's masses are apart. */
static void tops(void **state)
{
    (void)state;
    static made m;
    static sequence up, lo, q;
    const double h = 0.11;
    for (int with_q = 0; with_q < 2; with_q++)
        for (size_t n = 1; n <= 2; n++) {
            make_laws(&m, 1e-20, with_q == 1);
            m.cuts[0] = m.cuts[1] = (grid_cut){12, 1000};
            const double *ups[2] = {m.up[0], m.up[1]};
            const double *los[2] = {m.lo[0], m.lo[1]};
            const double *qs[2] = {m.q[0], m.q[1]};
            class_of(&up, m.laws, ups, m.cuts, n);
            class_of(&lo, m.laws, los, m.cuts, n);
            class_of(&q, m.laws, with_q == 1 ? qs : los, m.cuts, n);
            grid_top top;
            double first = n == 1 ? -20 : -47;
            assert_true(grid_top_make(&top, m.laws, m.cuts, n, ball_of(h), 9));
            for (double eps = -4.05; eps < 5; eps += 0.37) {
                double slope;
                double most = grid_top_end(&top, eps, true, &slope);
                double least = grid_top_end(&top, eps, false, &slope);
                double above = log(top_exactly(&up, &up, first, h, eps, false));
                double below = top_exactly(&lo, &q, first, h, eps, true);
                assert_true(most >= above - 1e-13 * fabs(above));
                assert_true(below > 0 ? least <= log(below) + 1e-13 * 60
                                      : least == -HUGE_VAL);
                if (eps < -3.5) {
                    assert_true(most - above <= 1e-4);
                    assert_true(log(below) - least <= 1e-8);
                }
            }
        }
}

/* A law that is off by its slack. */
static void slack_of_tops(void **state)
{
    (void)state;
    static made m;
    double slope;
    make_laws(&m, 1e-20, false);
    m.cuts[0] = (grid_cut){12, 1000};
    grid_top top, moved;
    assert_true(grid_top_make(&top, m.laws, m.cuts, 1, ball_of(0.11), 9));
    m.laws[0].slack = 0.01; /* five runs */
    assert_true(grid_top_make(&moved, m.laws, m.cuts, 1, ball_of(0.11), 9));
    for (int up = 0; up < 2; up++) {
        double want =
            grid_top_end(&top, up == 1 ? -0.55 : -0.45, up == 1, &slope);
        double got = grid_top_end(&moved, -0.5, up == 1, &slope);
        assert_true(fabs(got - want) <= 1e-12 * fabs(want));
        assert_true(up == 1 ? got >= want : got <= want);
    }
}

/* ---- Answers ----------------------------------------------------------- */

static atoms *noise(double sigma, double rate)
{
    double reach = DISCRETE_GAUSSIAN_FULL_REACH;
    size_t n = discrete_gaussian_window(sigma, 1, reach);
    ball at[2 * 1024];
    assert_true(n > 0 && n <= 1024);
    ball tail = discrete_gaussian_atoms(at, at + n, n, sigma, 1, reach);
    atoms *base = NULL, *out = NULL;
    assert_int_equal(
        atoms_from_losses(&base, at, at + n, n, tail, tail, NULL), DOSI_OK);
    assert_int_equal(
        atoms_poisson(&out, base, ball_of(rate), ATOMS_REMOVE, NULL), DOSI_OK);
    atoms_free(base);
    return out;
}

/* Plans whose tail is heavy: at these deltas one jump of one run decides.
 * delta at epsilon lies between the ends, by Arb. */
typedef struct truth {
    double sigma, rate, count, epsilon, lo, hi, width;
} truth;

static const truth truths[] = {
    {2.25, 0.00373, 1740, 2.0294087, 9.9999433040293906e-61,
        1.0000069599913929e-60, 1e-6},
    {1.01, 0.000112, 1053, 0.0777015, 1.0000025749896605e-12,
        1.0000039602663456e-12, 1.1e-6},
};

static int stop_at_once(void *context)
{
    int *left = context;
    return (*left)-- <= 0;
}

static void known_plans(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        const truth *t = &truths[i];
        atoms *a = noise(t->sigma, t->rate);
        loss part = loss_of_atoms(a, t->count);
        work_limits limits = {.width = 1e-6, .max_bytes = WORK_BYTES};
        dosi_interval v = {1, 0}, w = {1, 0};
        assert_int_equal(
            grid_epsilon(&v, &part, 1, ball_log(ball_of(t->hi)), &limits, NULL),
            DOSI_OK);
        assert_int_equal(
            grid_epsilon(&w, &part, 1, ball_log(ball_of(t->lo)), &limits, NULL),
            DOSI_OK);
        if (!(v.lo <= t->epsilon && t->epsilon <= w.hi))
            fail_msg("[%.12g, %.12g] misses %.12g", v.lo, w.hi, t->epsilon);
        if (!(v.hi - v.lo <= t->width * v.hi))
            fail_msg("[%.12g, %.12g] is too wide", v.lo, v.hi);
        /* little memory, and a stop: wider, never wrong */
        work_limits little = {.width = 1e-6, .max_bytes = 4u << 20};
        int left = 40;
        work_limits stopped = {.width = 1e-6,
            .max_bytes = WORK_BYTES,
            .stop = stop_at_once,
            .stop_context = &left};
        ball log_delta = ball_log(ball_of(t->lo));
        if (grid_epsilon(&v, &part, 1, log_delta, &little, NULL) == DOSI_OK)
            assert_true(v.lo <= w.hi && w.lo <= v.hi);
        if (grid_epsilon(&v, &part, 1, log_delta, &stopped, NULL) == DOSI_OK)
            assert_true(v.lo <= w.hi && w.lo <= v.hi);
        atoms_free(a);
    }
}

/* Two runs of sampled noise, by all pairs of outcomes: the grid from either
 * question. */
static void two_runs_by_enumeration(void **state)
{
    (void)state;
    atoms *one = noise(2.4, 0.0005), *two = NULL;
    assert_int_equal(atoms_power(&two, one, 2, 0, NULL), DOSI_OK);
    loss part = loss_of_atoms(one, 2);
    for (int i = 0; i < 6; i++) {
        double epsilon = 0.02 + 0.31 * i;
        work_limits limits = {.width = 1e-6, .max_bytes = WORK_BYTES};
        dosi_interval want = atoms_log_delta(two, ball_of(epsilon));
        dosi_interval v = {0, 0}, e = {0, 0};
        assert_int_equal(
            grid_log_delta(&v, &part, 1, epsilon, &limits, NULL), DOSI_OK);
        assert_true(v.lo <= want.hi && want.lo <= v.hi);
        assert_true(v.hi - v.lo <= 1e-5);
        assert_int_equal(
            grid_epsilon(&e, &part, 1, ball_of_interval(want), &limits, NULL),
            DOSI_OK);
        assert_true(e.lo <= epsilon && epsilon <= e.hi);
        if (!(e.hi - e.lo <= 1.1e-6 * e.hi))
            fail_msg("[%.12g, %.12g] is too wide at %g, delta e^%.9g", e.lo,
                e.hi, epsilon, want.lo);
    }
    atoms_free(two);
    atoms_free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_convolutions),
        cmocka_unit_test(ends_of_classes),
        cmocka_unit_test(error_of_a_class),
        cmocka_unit_test(tops),
        cmocka_unit_test(slack_of_tops),
        cmocka_unit_test(known_plans),
        cmocka_unit_test(two_runs_by_enumeration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
