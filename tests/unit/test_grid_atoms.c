/*
 * The grid with laws of atoms: off the points, cut off, beside laws that
 * leave no point at loss 0, and where the greatest losses decide.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "grid_losses.h"
#include "repr/discrete_gaussian.h"
#include "repr/grid.h"
#include "repr/spectral.h"

static work_limits limits_of(double width)
{
    return (work_limits){.width = width, .max_bytes = WORK_BYTES};
}

/* Known delta 0.94571977, by residues; other parts leave no point at 0. */
static void shifted_lattices(void **state)
{
    (void)state;
    atoms *response = NULL;
    assert_int_equal(atoms_leaky_response(&response, ball_of(2.375),
                         ball_of(0), NULL),
        DOSI_OK);
    loss parts[2] = {
        loss_of(LOSS_LAPLACE, 1, LOSS_REMOVE, 9.0 / 4096, 2),
        loss_of_atoms(response, 3)};
    parts[0].parameter = ball_div(ball_of(1), ball_of(0.98));
    work_limits limits = limits_of(1e-6);
    dosi_interval v = {0, 0}, w = {0, 0};
    assert_int_equal(
        grid_log_delta(&v, parts, 2, 0.5, &limits, NULL), DOSI_OK);
    assert_true(v.lo <= log(0.94571977 + 5e-9) &&
                v.hi >= log(0.94571977 - 5e-9));
    assert_true(v.hi - v.lo <= 1e-6);
    spectral *s = NULL;
    assert_int_equal(spectral_new(&s, parts, 2, &limits, NULL), DOSI_OK);
    assert_int_equal(spectral_log_delta(&w, s, 0.5, NULL), DOSI_OK);
    assert_true(w.hi - w.lo <= 1e-6 && v.lo <= w.hi && w.lo <= v.hi);
    spectral_free(s);
    atoms_free(response);
}

/* delta down to far below 1/8, the probability that every run has its
 * greatest loss: that test, and the sum of these losses, are the two ends
 * then. They hold what delta says there. */
static void greatest_losses_decide(void **state)
{
    (void)state;
    loss parts[1] = {loss_of(LOSS_LAPLACE, 0.5, LOSS_PLAIN, 1, 3)};
    work_limits limits = limits_of(1e-6);
    for (int i = 2; i <= 60; i++) {
        ball log_delta = ball_of(-0.7 * i);
        dosi_interval v = {0, 0}, at = {0, 0}, far = {0, 0};
        assert_int_equal(
            grid_epsilon(&v, parts, 1, log_delta, &limits, NULL), DOSI_OK);
        assert_true(v.hi - v.lo <= 1e-6 * v.hi);
        assert_true(v.hi <= 1.5);
        /* delta there, by the grid itself */
        assert_int_equal(
            grid_log_delta(&at, parts, 1, v.hi, &limits, NULL), DOSI_OK);
        assert_int_equal(
            grid_log_delta(&far, parts, 1, v.lo, &limits, NULL), DOSI_OK);
        assert_true(at.lo <= -0.7 * i && far.hi >= -0.7 * i);
    }
}

/* Discrete Gaussian noise, and its law after Poisson sampling. */
static atoms *lattice_law(double sigma, double rate, bool add)
{
    double reach = DISCRETE_GAUSSIAN_FULL_REACH;
    size_t n = discrete_gaussian_window(sigma, 1, reach);
    ball at[2 * 512];
    assert_true(n > 0 && n <= 512);
    ball tail = discrete_gaussian_atoms(at, at + n, n, sigma, 1, reach);
    atoms *base = NULL, *out = NULL;
    assert_int_equal(
        atoms_from_losses(&base, at, at + n, n, tail, tail, NULL), DOSI_OK);
    assert_int_equal(atoms_poisson(&out, base, ball_of(rate),
                         add ? ATOMS_ADD : ATOMS_REMOVE, NULL),
        DOSI_OK);
    atoms_free(base);
    return out;
}

static dosi_interval spectral_epsilon_of(
    const loss *parts, size_t n, ball log_delta)
{
    work_limits limits = limits_of(1e-6);
    spectral *s = NULL;
    dosi_interval v = {0, HUGE_VAL};
    assert_int_equal(spectral_new(&s, parts, n, &limits, NULL), DOSI_OK);
    assert_int_equal(
        spectral_epsilon(&v, s, ball_exp(log_delta), log_delta, NULL),
        DOSI_OK);
    spectral_free(s);
    return v;
}

static void fixed_size_beside_a_lattice(void **state)
{
    (void)state;
    atoms *lattice = lattice_law(4.0000000000000027, 1, false);
    loss parts[2] = {loss_of_atoms(lattice, 3),
        loss_of(LOSS_LAPLACE, 1, LOSS_FIXED, 1.0 / 4096, 1)};
    parts[1].parameter =
        ball_div(ball_of(1), ball_of(0.41726623464233603));
    ball log_delta = ball_of(-32.8656);
    work_limits limits = limits_of(1e-6);
    dosi_interval v = {0, HUGE_VAL};
    assert_int_equal(
        grid_epsilon(&v, parts, 2, log_delta, &limits, NULL), DOSI_OK);
    assert_true(v.lo <= 3.274938 && 3.2749377 <= v.hi);
    assert_true(v.hi - v.lo <= 1e-6 * v.hi);
    dosi_interval w = spectral_epsilon_of(parts, 2, log_delta);
    assert_true(v.lo <= w.hi && w.lo <= v.hi && w.hi - w.lo <= 1e-6 * w.hi);
    atoms_free(lattice);
}

/* A law of atoms without a lattice, composed by enumeration: both ends of the
 * grid, and of the trade-off, which random rounding gives. */
static void atoms_off_the_points(void **state)
{
    (void)state;
    static const double p[] = {0.4, 0.25, 0.17, 0.11, 0.07};
    static const double q[] = {0.06, 0.13, 0.19, 0.27, 0.35};
    atoms *one = NULL, *total = NULL;
    assert_int_equal(atoms_from_pair(&one, p, q, 5, NULL), DOSI_OK);
    assert_int_equal(atoms_power(&total, one, 7, 0, NULL), DOSI_OK);
    loss part = loss_of_atoms(one, 7);
    work_limits limits = limits_of(1e-6);
    for (double eps = -3; eps < 13; eps += 0.73) {
        dosi_interval v = {0, 0};
        dosi_interval want = atoms_log_delta(total, ball_of(eps));
        assert_int_equal(
            grid_log_delta(&v, &part, 1, eps, &limits, NULL), DOSI_OK);
        assert_true(v.lo <= want.hi && want.lo <= v.hi);
        assert_true(v.hi - v.lo <= 1e-6);
    }
    /* there P is the one that is not to be rejected */
    atoms *back = NULL;
    assert_int_equal(atoms_reverse(&back, total, NULL), DOSI_OK);
    for (double alpha = 1e-7; alpha < 0.3; alpha *= 7) {
        dosi_interval v = {0, 0}, want = atoms_tradeoff(back, alpha);
        assert_int_equal(
            grid_tradeoff(&v, &part, 1, alpha, &limits, NULL), DOSI_OK);
        assert_true(v.lo <= want.hi && want.lo <= v.hi);
        assert_true(v.hi - v.lo <= 1e-6);
    }
    atoms_free(back);
    atoms_free(total);
    atoms_free(one);
}

/* Cut off on both sides, and off the points: the two laws lie on the two
 * sides of the profile, the one from below as a test of every threshold. */
static void cut_atoms_enclose_the_profile(void **state)
{
    (void)state;
    for (int add = 0; add < 2; add++)
        for (int cut = 0; cut < 3; cut++) {
            atoms *one = lattice_law(1.5, 0.2, add == 1);
            loss part = loss_of_atoms(one, 1);
            loss_cells c;
            loss_cells_init(&c, &part);
            double h = cut == 2 ? 0.11 : 0.017;
            grid_points points = {.h = ball_of(h),
                .offset = ball_of(0.003),
                .slack = 1e-20,
                .left = cut == 0 ? -30 : -0.15,
                .right = cut == 0 ? 30 : 0.12,
                .most = 8192,
                .with_q = true};
            assert_true(grid_law_is_loose(&c, &points));
            grid_law g;
            assert_int_equal(
                grid_law_build(&g, &c, &points, NULL, NULL), DOSI_OK);
            for (double eps = -1.2; eps < 3; eps += 0.0137) {
                double gain = g.lo_inf;
                dosi_interval d =
                    ball_interval(atoms_delta(one, ball_of(eps)));
                assert_true(
                    lattice_delta(&g, g.up, g.up_inf, h, eps) >=
                    d.lo - 1e-13);
                for (size_t i = g.n; i-- > 0;) {
                    double at =
                        0.003 + h * ((double)g.first + (double)i);
                    gain += g.lo[i] - exp(eps - at) * g.lo_q[i];
                    assert_true(gain <= d.hi + 1e-13);
                }
            }
            grid_law_free(&g);
            atoms_free(one);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifted_lattices),
        cmocka_unit_test(fixed_size_beside_a_lattice),
        cmocka_unit_test(greatest_losses_decide),
        cmocka_unit_test(atoms_off_the_points),
        cmocka_unit_test(cut_atoms_enclose_the_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
