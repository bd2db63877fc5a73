/*
 * The grid at known values: the headline enclosures of the literature's
 * plans, exact trade-offs, closed forms of one run; and at its limits: little
 * memory, a stop, mass at +inf, an epsilon of 0, a delta of 0.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "grid_losses.h"
#include "num/fft.h"
#include "repr/grid.h"
#include "repr/grid_ask.h"
#include "repr/grid_lattice.h"

static work_limits limits_of(double width)
{
    return (work_limits){.width = width, .max_bytes = WORK_BYTES};
}

static dosi_interval epsilon_of(
    const loss *parts, size_t n, double delta, double width)
{
    work_limits limits = limits_of(width);
    dosi_interval v = {1, 0};
    assert_int_equal(grid_epsilon(&v, parts, n, ball_log(ball_of(delta)),
                         &limits, NULL),
        DOSI_OK);
    return v;
}

static void assert_holds(dosi_interval v, double truth, double width)
{
    if (!(v.lo <= truth && truth <= v.hi))
        fail_msg("[%.17g, %.17g] misses %.17g", v.lo, v.hi, truth);
    if (!(v.hi - v.lo <= width * v.hi))
        fail_msg("[%.17g, %.17g] is wider than %g", v.lo, v.hi, width);
}

/* Epsilons known to ten digits or more by contour integrals, residues and
 * quadrature elsewhere; the last two inside narrower published enclosures. */
static void headline_epsilons(void **state)
{
    (void)state;
    loss dpsgd = loss_of(LOSS_GAUSSIAN, 1, LOSS_REMOVE, 0.01, 1000);
    assert_holds(epsilon_of(&dpsgd, 1, 1e-5, 1e-3), 1.8282366665, 1e-3);
    assert_holds(epsilon_of(&dpsgd, 1, 1e-5, 2e-5), 1.8282366665, 2e-5);
    loss long_run = loss_of(LOSS_GAUSSIAN, 1, LOSS_REMOVE, 0.01, 10000);
    long_run.parameter = ball_div(ball_of(1), ball_of(1.1));
    assert_holds(epsilon_of(&long_run, 1, 1e-5, 1e-3), 5.192583445, 1e-3);
    assert_holds(epsilon_of(&long_run, 1, 1e-30, 1e-3), 14.69168339, 1e-3);
    loss laplace = loss_of(LOSS_LAPLACE, 0.25, LOSS_PLAIN, 1, 100);
    dosi_interval v = epsilon_of(&laplace, 1, 1e-5, 1e-6);
    assert_true(v.lo <= 12.2224172 && v.hi >= 12.2224103);
    assert_true(v.hi - v.lo <= 1e-6 * v.hi);
    loss batch = loss_of(LOSS_GAUSSIAN, 1, LOSS_FIXED, 0.01, 1000);
    v = epsilon_of(&batch, 1, 1e-5, 1e-4);
    assert_true(v.lo <= 2.199011 && v.hi >= 2.198857);
    assert_true(v.hi - v.lo <= 1e-4 * v.hi);
    loss range = loss_of(LOSS_EXPONENTIAL, 0.3, LOSS_PLAIN, 1, 100);
    v = epsilon_of(&range, 1, 1e-5, 1e-5);
    assert_true(v.lo <= 8.2673079 && v.hi >= 8.2672644);
    assert_true(v.hi - v.lo <= 1e-5 * v.hi);
}

/* One Gaussian as itself, and as parts: 0.6^2 + 4 0.4^2 = 1. */
static void gaussians_are_gaussian(void **state)
{
    (void)state;
    loss one = loss_of(LOSS_GAUSSIAN, 1, LOSS_PLAIN, 1, 1);
    loss parts[2] = {loss_of(LOSS_GAUSSIAN, 0.6, LOSS_PLAIN, 1, 1),
        loss_of(LOSS_GAUSSIAN, 0.4, LOSS_PLAIN, 1, 4)};
    law known = law_gaussian(ball_of(1), LAW_EXACT);
    for (int i = -2; i <= 6; i++) {
        double eps = 0.75 * i;
        dosi_interval want = law_log_delta(&known, ball_of(eps));
        work_limits limits = limits_of(1e-4);
        dosi_interval v;
        assert_int_equal(
            grid_log_delta(&v, &one, 1, eps, &limits, NULL), DOSI_OK);
        assert_true(v.lo <= want.hi && want.lo <= v.hi);
        assert_true(v.hi - v.lo <= 1e-4);
        assert_int_equal(
            grid_log_delta(&v, parts, 2, eps, &limits, NULL), DOSI_OK);
        assert_true(v.hi - v.lo <= 1e-4);
        assert_true(v.lo <= want.hi && want.lo <= v.hi);
    }
}

/* rr(0.5) four times: the exact curve, to rounding. */
static void tradeoffs_are_exact_on_the_lattice(void **state)
{
    (void)state;
    static const double alphas[] = {0.001, 0.01, 0.2, 0.5, 0.9};
    atoms *one = NULL, *four = NULL;
    assert_int_equal(
        atoms_randomized_response(&one, ball_of(0.5), 2, NULL), DOSI_OK);
    assert_int_equal(atoms_power(&four, one, 4, 0, NULL), DOSI_OK);
    loss part = loss_of_atoms(one, 4);
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
        work_limits limits = limits_of(1e-6);
        dosi_interval v, want = atoms_tradeoff(four, alphas[i]);
        assert_int_equal(
            grid_tradeoff(&v, &part, 1, alphas[i], &limits, NULL), DOSI_OK);
        assert_true(v.lo <= want.hi && want.lo <= v.hi);
        assert_true(v.hi - v.lo <= 1e-9);
    }
    atoms_free(four);
    atoms_free(one);
}

static void infinite_losses(void **state)
{
    (void)state;
    /* losses +-1/2, and +inf with probability 1e-6, twenty times */
    atoms *leaky = NULL, *total = NULL;
    assert_int_equal(atoms_leaky_response(
                         &leaky, ball_of(0.5), ball_of(1e-6), NULL),
        DOSI_OK);
    assert_int_equal(atoms_power(&total, leaky, 20, 0, NULL), DOSI_OK);
    loss part = loss_of_atoms(leaky, 20);
    dosi_interval v = epsilon_of(&part, 1, 1e-4, 1e-6);
    ball delta = ball_of(1e-4);
    dosi_interval want = atoms_epsilon(total, delta, ball_log(delta));
    assert_true(v.lo <= want.hi && want.lo <= v.hi);
    assert_true(v.hi - v.lo <= 1e-6 * v.hi);
    /* below 20 1e-6 there is no epsilon */
    v = epsilon_of(&part, 1, 1e-5, 1e-6);
    assert_true(v.lo == HUGE_VAL && v.hi == HUGE_VAL);
    /* beyond ten, +inf is all that is left */
    work_limits limits = limits_of(1e-6);
    assert_int_equal(
        grid_log_delta(&v, &part, 1, 10.5, &limits, NULL), DOSI_OK);
    double truth = log(-expm1(20 * log1p(-1e-6)));
    assert_true(v.lo <= truth + 1e-12 && truth - 1e-12 <= v.hi);
    assert_true(v.hi - v.lo < 1e-12);
    atoms_free(total);
    atoms_free(leaky);
}

static void edges(void **state)
{
    (void)state;
    loss laplace = loss_of(LOSS_LAPLACE, 0.25, LOSS_PLAIN, 1, 4);
    work_limits limits = limits_of(1e-4);
    dosi_interval v;
    assert_int_equal(
        grid_log_delta(&v, &laplace, 1, 1, &limits, NULL), DOSI_OK);
    assert_true(v.hi == -HUGE_VAL); /* no loss exceeds 4/4 */
    /* total variation below delta: epsilon is 0 */
    assert_true(epsilon_of(&laplace, 1, 0.9, 1e-4).hi == 0);
    /* at epsilon 0 of one run delta is 1 - e^(-a/2) */
    laplace.count = 1;
    assert_int_equal(
        grid_log_delta(&v, &laplace, 1, 0, &limits, NULL), DOSI_OK);
    double truth = log(-expm1(-0.125));
    assert_true(v.lo <= truth && truth <= v.hi && v.hi - v.lo <= 1e-4);
    laplace.count = 1e6;
    assert_int_equal(
        grid_log_delta(&v, &laplace, 1, 1, &limits, NULL), DOSI_EUNABLE);
}

/* Less memory is a wider answer, not a wrong one. */
static void memory_widens(void **state)
{
    (void)state;
    loss dpsgd = loss_of(LOSS_GAUSSIAN, 1, LOSS_REMOVE, 0.01, 1000);
    double before = 0;
    for (size_t kib = 4096; kib >= 64; kib /= 8) {
        work_limits limits = {.width = 1e-7, .max_bytes = kib << 10};
        dosi_interval v;
        assert_int_equal(grid_epsilon(&v, &dpsgd, 1,
                             ball_log(ball_of(1e-5)), &limits, NULL),
            DOSI_OK);
        assert_true(v.lo <= 1.8282366665 && 1.8282366665 <= v.hi);
        assert_true(limits.is_short);
        assert_true(v.hi - v.lo > before && v.hi < 8);
        before = v.hi - v.lo;
    }
}

/* Windows that do not hold the total: masses wrap, and are accounted for. */
static void small_windows(void **state)
{
    (void)state;
    atoms *one = NULL, *total = NULL;
    assert_int_equal(
        atoms_randomized_response(&one, ball_of(0.3), 2, NULL), DOSI_OK);
    assert_int_equal(atoms_power(&total, one, 60, 0, NULL), DOSI_OK);
    loss part = loss_of_atoms(one, 60);
    loss_cells c;
    loss_cells_init(&c, &part);
    grid_points points = {.h = ball_of(0.6),
        .offset = ball_of(0.3),
        .slack = 1e-20,
        .left = -1,
        .right = 1,
        .most = 64};
    grid_law g;
    assert_int_equal(grid_law_build(&g, &c, &points, NULL, NULL), DOSI_OK);
    for (int64_t first = -60; first < 0; first += 4)
        for (size_t n = 4; n <= 64; n *= 2)
            for (int tilt = 0; tilt < 3; tilt++) {
                grid_working w = {.tilt = 0.1 + 0.4 * tilt,
                    .first = first,
                    .n = n,
                    .a_lo = 0.2,
                    .a_hi = 0.2};
                grid_total t;
                assert_int_equal(grid_total_make(&t, &g, 1, points.h, &w,
                                     NULL, NULL),
                    DOSI_OK);
                /* two atoms: the tilted masses have l2 norm above 0.7 */
                assert_true(
                    t.up.error >= 60 * 0.7 * fft_relative_error(n));
                for (double eps = -2; eps < 12; eps += 1.7) {
                    dosi_interval v = grid_ask_log_delta(&t, eps);
                    dosi_interval want =
                        atoms_log_delta(total, ball_of(eps));
                    assert_true(v.lo <= want.hi && want.lo <= v.hi);
                    if (first == -60 && n == 64 && tilt == 1 && eps > 4)
                        assert_true(v.hi - v.lo < 1e-8);
                }
                grid_total_free(&t);
            }
    grid_law_free(&g);
    atoms_free(total);
    atoms_free(one);
}

/* One run, cut off in the middle of the density as well: the two laws lie on
 * the two sides of the closed profile at every epsilon. */
static void laws_enclose_the_profile(void **state)
{
    (void)state;
    law bases[3] = {law_gaussian(ball_of(0.9), LAW_EXACT),
        law_laplace(ball_of(0.9)), law_exponential(ball_of(0.9))};
    for (int noise = 0; noise < 3; noise++)
        for (int map = LOSS_PLAIN; map <= LOSS_FIXED; map++)
            for (int cut = 0; cut < 3; cut++) {
                ball q = ball_of(map == LOSS_PLAIN ? 1 : 0.3);
                law known = bases[noise];
                if (map == LOSS_REMOVE || map == LOSS_ADD)
                    known = law_poisson(&bases[noise], q, map == LOSS_ADD);
                if (map == LOSS_FIXED)
                    known = law_without_replacement(
                        &bases[noise], &bases[noise], q);
                loss pair = loss_of(
                    (loss_noise)noise, 0.9, (loss_map)map, q.hi, 1);
                loss_cells c;
                loss_cells_init(&c, &pair);
                double h = cut == 2 ? 0.05 : 0.011;
                grid_points points = {.h = ball_of(h),
                    .offset = ball_of(map == LOSS_FIXED ? 0 : 0.003),
                    .slack = 1e-20,
                    .left = cut == 0 ? -9 : -0.15,
                    .right = cut == 0 ? 9 : 0.12,
                    .most = 4096};
                grid_law g;
                assert_int_equal(
                    grid_law_build(&g, &c, &points, NULL, NULL), DOSI_OK);
                for (double eps = -1.2; eps < 1.2; eps += 0.0137) {
                    dosi_interval d = law_delta(&known, ball_of(eps));
                    assert_true(lattice_delta(&g, g.up, g.up_inf, h, eps) >=
                                d.lo - 1e-13);
                    assert_true(lattice_delta(&g, g.lo, g.lo_inf, h, eps) <=
                                d.hi + 1e-13);
                }
                grid_law_free(&g);
            }
}

/* No point at loss 0: the masses of the cell around it are what the others
 * leave of the whole. Nothing is cut off, so each law has mass 1. */
static void laws_have_mass_one(void **state)
{
    (void)state;
    for (int noise = LOSS_GAUSSIAN; noise <= LOSS_EXPONENTIAL; noise++)
        for (int map = LOSS_PLAIN; map <= LOSS_FIXED; map++)
            for (int part = 0; part < 9; part++) {
                double q = map == LOSS_PLAIN ? 1 : 0.2, h = 0.013;
                loss pair =
                    loss_of((loss_noise)noise, 1.1, (loss_map)map, q, 1);
                loss_cells c;
                loss_cells_init(&c, &pair);
                grid_points points = {.h = ball_of(h),
                    .offset = ball_of(h * part / 9),
                    .slack = 1e-20,
                    .left = -14,
                    .right = 14,
                    .most = 4096};
                grid_law g;
                assert_int_equal(
                    grid_law_build(&g, &c, &points, NULL, NULL), DOSI_OK);
                double up = g.up_inf, lo = g.lo_inf;
                for (size_t i = 0; i < g.n; i++) {
                    up += g.up[i];
                    lo += g.lo[i];
                }
                assert_true(up > 1 - 1e-12 && up < 1 + 1e-9);
                assert_true(lo < 1 + 1e-12 && lo > 1 - 1e-9);
                grid_law_free(&g);
            }
}

/* Little noise: next to all mass is within far less than h, at the least loss
 * or at 0. None of it is lost, and what is far above is not merged with it. */
static void heaps_are_kept(void **state)
{
    (void)state;
    static const struct {
        loss_map map;
        unsigned removed, added;
        double mu;
    } rows[] = {{LOSS_REMOVE, 0, 0, 10}, {LOSS_REMOVE, 0, 0, 20},
        {LOSS_ADD, 0, 0, 10}, {LOSS_SPLIT, 2, 0, 10}, {LOSS_SPLIT, 1, 1, 10},
        {LOSS_SPLIT, 0, 2, 10}, {LOSS_SPLIT, 1, 1, 20}};
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        size_t r = i / 2;
        bool rounds = i % 2;
        loss pair = loss_of(
            LOSS_GAUSSIAN, rows[r].mu, rows[r].map, 0.01, 1);
        pair.removed = rows[r].removed;
        pair.added = rows[r].added;
        loss_cells c;
        loss_cells_init(&c, &pair);
        ball h = ball_of(0.07);
        assert_true(grid_lattice_has_heap(&c, h));
        grid_points points = {.h = h,
            .offset = grid_lattice_offset(&c, h),
            .with_q = rounds,
            .rounds = rounds,
            .slack = 1e-20,
            .left = -600,
            .right = 600,
            .most = 200000};
        grid_law g;
        assert_int_equal(
            grid_law_build(&g, &c, &points, NULL, NULL), DOSI_OK);
        double up = g.up_inf, lo = g.lo_inf, far_up = 0, far_lo = 0, q = 0;
        for (size_t j = 0; j < g.n; j++) {
            double at = ball_mid(points.offset) +
                        ((double)g.first + (double)j) * h.hi;
            up += g.up[j];
            lo += g.lo[j];
            far_up += at > 5 ? g.up[j] : 0;
            far_lo += at > 5 ? g.lo[j] : 0;
            q += rounds ? exp(-at) * g.lo_q[j] : 0;
        }
        assert_true(up > 1 - 1e-12 && up < 1 + 1e-9);
        assert_true(lo < 1 + 1e-12 && lo > 1 - 1e-9);
        assert_true(!rounds || far_lo >= far_up * (1 - 1e-2));
        assert_true(!rounds || (q > 1 - 1e-12 && q < 1 + 1e-9));
        grid_law_free(&g);
    }
}

/* Where a record that was sampled stands out all that is missed is that none
 * was, but for alpha of it: 0.99^100 (1 - alpha). A guess by the tilt is far
 * off. */
static void heaps_have_a_tradeoff(void **state)
{
    (void)state;
    loss pair = loss_of(LOSS_GAUSSIAN, 10, LOSS_REMOVE, 0.01, 100);
    dosi_interval v;
    assert_int_equal(
        grid_tradeoff(&v, &pair, 1, 1e-3, NULL, NULL), DOSI_OK);
    double missed = pow(0.99, 100) * (1 - 1e-3);
    assert_true(v.lo < v.hi && v.hi - v.lo < 1e-5);
    assert_true(v.lo < missed + 1e-6 && v.hi > missed - 1e-6);
}

static int stop_after(void *context)
{
    int *left = context;
    return --*left < 0;
}

/* Stopped at any time: what is said is true. */
static void stops_when_asked(void **state)
{
    (void)state;
    loss dpsgd = loss_of(LOSS_GAUSSIAN, 1, LOSS_REMOVE, 0.01, 1000);
    for (int calls = 0; calls < 6; calls++) {
        int left = calls;
        work_limits limits = {.width = 1e-5,
            .max_bytes = WORK_BYTES,
            .stop = stop_after,
            .stop_context = &left};
        dosi_interval v = {0, HUGE_VAL};
        dosi_status status = grid_epsilon(
            &v, &dpsgd, 1, ball_log(ball_of(1e-5)), &limits, NULL);
        assert_true(status == DOSI_OK || status == DOSI_EUNABLE);
        assert_true(v.lo <= 1.8282366665 && 1.8282366665 <= v.hi);
        assert_true(calls > 0 || status == DOSI_EUNABLE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headline_epsilons),
        cmocka_unit_test(gaussians_are_gaussian),
        cmocka_unit_test(tradeoffs_are_exact_on_the_lattice),
        cmocka_unit_test(infinite_losses),
        cmocka_unit_test(edges),
        cmocka_unit_test(memory_widens),
        cmocka_unit_test(laws_enclose_the_profile),
        cmocka_unit_test(small_windows),
        cmocka_unit_test(laws_have_mass_one),
        cmocka_unit_test(heaps_are_kept),
        cmocka_unit_test(heaps_have_a_tradeoff),
        cmocka_unit_test(stops_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
