/*
 * Gaussian parts by their profile beside parts of other kinds: the table of a
 * profile against the closed one of a single run; sums over finite parts and
 * integrals over Laplace noise of that; long lists of sums of atoms; many runs
 * against contours of the whole plan, and against lattices of all parts; little
 * memory and stops.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "grid_losses.h"
#include "num/gauss_legendre.h"
#include "repr/grid.h"
#include "repr/profile_table.h"
#include "repr/rare_atoms.h"
#include "repr/sampled_gaussian.h"
#include "repr/spectral.h"

/* delta of one run at any real x, record removed or added. */
static ball closed_delta(const loss *part, double x)
{
    bool removed = part->map == LOSS_REMOVE;
    sampled_side side = removed == (x >= 0) ? SAMPLED_MIXTURE_FIRST
                                            : SAMPLED_BASE_FIRST;
    ball d = sampled_gaussian_delta(
        side, part->rate, part->parameter, ball_of(fabs(x)));
    if (x >= 0)
        return d;
    d = ball_mul(ball_exp(ball_of(x)), d);
    return ball_sub(d, ball_expm1(ball_of(x)));
}

static void assert_holds(double lo, double hi, ball truth, double width)
{
    if (!(lo <= ball_upper(truth) && hi >= ball_lower(truth)))
        fail_msg("[%.17g, %.17g] misses %.17g", lo, hi, ball_mid(truth));
    if (!(hi - lo <= width * hi))
        fail_msg("[%.17g, %.17g] is wider than %g", lo, hi, width);
}

/* ---- The table --------------------------------------------------------- */

/* From here on a table is to know its profile: -30 is where it ends. */
#define SMALLEST 1e-11

/* What the best test at x rejects of Q, times e^x: between the slopes of short
 * chords on either side. */
static void check_paid(
    const profile_table *t, const loss *part, size_t interval, double x)
{
    double d = 1e-4 * fabs(x) + 1e-9;
    dosi_interval paid = profile_table_paid(t, interval, x);
    ball at = closed_delta(part, x);
    ball left = ball_sub(closed_delta(part, x - d), at);
    ball right = ball_sub(at, closed_delta(part, x + d));
    assert_true(paid.lo >= 0 && paid.lo <= paid.hi);
    assert_true(paid.lo <= ball_upper(left) / -expm1(-d) * (1 + 1e-9));
    if (interval + 1 < profile_table_intervals(t))
        assert_true(paid.hi >= ball_lower(right) / expm1(d) * (1 - 1e-9));
    else
        assert_true(paid.hi == 0);
}

/* At points all over, far beyond its ends as well. */
static void check_table(
    const profile_table *t, const loss *part, double width)
{
    size_t interval = 0;
    double last = profile_table_last(t);
    for (int i = -300; i <= 330; i++) {
        double s = i / 300.0, x = last * s * s * s;
        interval = profile_table_find(t, interval, x);
        profile_value v = profile_table_at(t, interval, x);
        assert_holds(v.lo, v.hi, closed_delta(part, x),
            v.hi > SMALLEST ? width : 1);
        assert_true(v.hi <= 1 && v.lo >= 0);
        check_paid(t, part, interval, x);
    }
}

/* Into three where it is not known to a part of a hundred; false where all
 * is. */
static bool split_wide(profile_table *t)
{
    unsigned parts[2000] = {0};
    bool added, any = false;
    size_t interval = 0;
    for (int i = -600; i <= 600; i++) {
        double s = i / 600.0, x = profile_table_last(t) * s * s * s;
        interval = profile_table_find(t, interval, x);
        profile_value v = profile_table_at(t, interval, x);
        assert_true(interval < 2000);
        if (v.hi > SMALLEST && v.hi - v.lo > 1e-2 * v.hi) {
            parts[interval] = 3;
            any = true;
        }
    }
    assert_int_equal(
        profile_table_split(t, parts, &added, NULL), DOSI_OK);
    assert_true(added || !any);
    return any;
}

static void tables_enclose_profiles(void **state)
{
    (void)state;
    const loss runs[] = {loss_of(LOSS_GAUSSIAN, 1, LOSS_REMOVE, 0.1, 1),
        loss_of(LOSS_GAUSSIAN, 0.5, LOSS_REMOVE, 0.001, 1),
        loss_of(LOSS_GAUSSIAN, 1, LOSS_ADD, 0.1, 1),
        loss_of(LOSS_GAUSSIAN, 8, LOSS_REMOVE, 0.5, 1)}; /* long intervals */
    for (int i = 0; i < 4; i++) {
        profile_table *t = NULL;
        assert_true(profile_table_takes(&runs[i]));
        assert_int_equal(
            profile_table_new(&t, &runs[i], 1, -30, NULL, NULL), DOSI_OK);
        assert_non_null(t);
        check_table(t, &runs[i], 1);
        for (int j = 0; j < 12 && split_wide(t); j++)
            check_table(t, &runs[i], 1);
        check_table(t, &runs[i], 2e-2);
        profile_table_free(t);
    }
}

/* ---- One run beside others --------------------------------------------- */

static ball sum_over_atoms(const atoms *all, const loss *run, double eps)
{
    ball sum = atoms_p_inf(all);
    for (size_t i = 0; i < atoms_count(all); i++) {
        double x = ball_mid(ball_sub(ball_of(eps), atoms_loss(all, i)));
        sum = ball_add(sum, ball_mul(ball_exp(atoms_log_mass(all, i)),
                                closed_delta(run, x)));
    }
    return ball_widen(sum, 1e-14 * ball_mid(sum)); /* of x */
}

static void check_delta(
    const loss *parts, size_t n, double eps, ball truth, double width)
{
    dosi_interval v = {0, 0};
    assert_int_equal(
        grid_log_delta(&v, parts, n, eps, NULL, NULL), DOSI_OK);
    ball log_d = ball_log(truth);
    if (!(v.lo <= ball_upper(log_d) && v.hi >= ball_lower(log_d)))
        fail_msg("eps %g: [%.17g, %.17g] misses %.17g", eps, v.lo, v.hi,
            ball_mid(log_d));
    if (!(v.hi - v.lo <= width))
        fail_msg("eps %g: [%.17g, %.17g]", eps, v.lo, v.hi);
    /* and back */
    assert_int_equal(
        grid_epsilon(&v, parts, n, log_d, NULL, NULL), DOSI_OK);
    assert_holds(v.lo, v.hi, ball_widen(ball_of(eps), 1e-13), width);
}

static void finite_parts_are_summed(void **state)
{
    (void)state;
    atoms *rr = NULL, *leaky = NULL, *two = NULL, *three = NULL, *all = NULL;
    assert_int_equal(atoms_leaky_response(
                         &rr, ball_of(0.3), ball_of(0), NULL), DOSI_OK);
    assert_int_equal(atoms_leaky_response(
                         &leaky, ball_of(0.11), ball_of(1e-14), NULL),
        DOSI_OK);
    assert_int_equal(atoms_power(&three, rr, 3, 0, NULL), DOSI_OK);
    assert_int_equal(atoms_power(&two, leaky, 2, 0, NULL), DOSI_OK);
    assert_int_equal(atoms_convolve(&all, three, two, 0, NULL), DOSI_OK);
    for (int i = 0; i < 2; i++) {
        loss parts[3] = {loss_of_atoms(rr, 3),
            loss_of(LOSS_GAUSSIAN, 1.2, i ? LOSS_ADD : LOSS_REMOVE, 1e-3, 1),
            loss_of_atoms(leaky, 2)};
        const double eps[] = {0.02, 0.4, 1.0, 1.12, 1.2, 1.9};
        for (int j = 0; j < (i ? 3 : 6); j++)
            check_delta(parts, 3, eps[j],
                sum_over_atoms(all, &parts[1], eps[j]), 1e-6);
    }
    atoms_free(all);
    atoms_free(two);
    atoms_free(three);
    atoms_free(leaky);
    atoms_free(rr);
}

/* Over the density e^((l - a)/2)/4 on (-a, a), in panels that end where the
 * profile bends; and over the atoms. */
static ball integral_over_laplace(double a, const loss *run, double eps)
{
    double sum = 0.5 * ball_mid(closed_delta(run, eps - a)) +
                 0.5 * exp(-a) * ball_mid(closed_delta(run, eps + a));
    double from = -a;
    for (int k = 0; k <= 600; k++) {
        /* finer toward epsilon, where the record is hardly sampled */
        double s = (k - 300) / 300.0, to = eps + 3 * a * s * s * s;
        to = fmin(k == 600 ? a : to, a);
        if (!(to > from))
            continue;
        double mid = (from + to) / 2, half = (to - from) / 2;
        for (int i = 0; i < 2 * GAUSS_HALF; i++) {
            const double *g = gauss_table[i / 2];
            double l = mid + (i % 2 ? -half : half) * g[0];
            sum += half * g[2] * exp((l - a) / 2) / 4 *
                   ball_mid(closed_delta(run, eps - l));
        }
        from = to;
    }
    return ball_widen(ball_of(sum), 1e-10 * sum);
}

static void laplace_noise_is_integrated(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        loss parts[2] = {loss_of(LOSS_LAPLACE, 0.8, LOSS_PLAIN, 1, 1),
            loss_of(LOSS_GAUSSIAN, 1.2, i ? LOSS_ADD : LOSS_REMOVE, 0.01, 1)};
        const double eps[] = {0.1, 0.9, 0.79, 1.5};
        for (int j = 0; j < (i ? 1 : 4); j++)
            check_delta(parts, 2, eps[j],
                integral_over_laplace(0.8, &parts[1], eps[j]), 2e-6);
    }
}

/* Many sums of atoms, of which those that matter are listed. */
static void long_lists_are_summed(void **state)
{
    (void)state;
    const double runs = 3000, eps = 0.12;
    atoms *rr = NULL, *sampled = NULL;
    rare_atoms all;
    assert_int_equal(atoms_randomized_response(
                         &rr, ball_of(0.0883), 11, NULL), DOSI_OK);
    assert_int_equal(atoms_poisson(&sampled, rr, ball_of(0.000363),
                         ATOMS_REMOVE, NULL), DOSI_OK);
    assert_int_equal(
        rare_atoms_power(&all, sampled, runs, 1e-50, 1 << 21, NULL, NULL),
        DOSI_OK);
    assert_true(all.n > 1 << 16);
    loss parts[2] = {loss_of_atoms(sampled, runs),
        loss_of(LOSS_GAUSSIAN, 1 / 1.68, LOSS_REMOVE, 1e-3, 1)};
    ball sum = ball_of(all.inf[0]);
    for (size_t i = 0; i < all.n; i++)
        if (all.list[i].hi > 1e-45)
            sum = ball_add(sum, ball_mul_d(closed_delta(&parts[1],
                                    eps - all.list[i].at), all.list[i].hi));
        else
            sum = ball_widen(sum, all.list[i].hi);
    check_delta(
        parts, 2, eps, ball_widen(sum, 1e-9 * ball_mid(sum)), 3e-5);
    rare_atoms_free(&all);
    atoms_free(sampled);
    atoms_free(rr);
}

/* ---- Many runs --------------------------------------------------------- */

static dosi_interval epsilon_of(
    const loss *parts, size_t n, double delta, work_limits *limits)
{
    dosi_interval v = {1, 0};
    assert_int_equal(grid_epsilon(&v, parts, n, ball_log(ball_of(delta)),
                         limits, NULL), DOSI_OK);
    return v;
}

/* Against a contour of the whole plan, which is known to that width. */
static void check_by_contour(
    const loss *parts, size_t n, double delta, double width)
{
    spectral *whole = NULL;
    dosi_interval known;
    assert_int_equal(spectral_new(&whole, parts, n, NULL, NULL), DOSI_OK);
    assert_int_equal(spectral_epsilon(&known, whole, ball_of(delta),
                         ball_log(ball_of(delta)), NULL), DOSI_OK);
    spectral_free(whole);
    assert_true(known.hi - known.lo <= width * known.hi);
    dosi_interval v = epsilon_of(parts, n, delta, NULL);
    assert_holds(v.lo, v.hi, ball_of_interval(known), 1e-6);
}

/* Often sampled, so that one contour knows the whole plan. */
static void contours_agree(void **state)
{
    (void)state;
    atoms *rr = NULL;
    assert_int_equal(atoms_leaky_response(
                         &rr, ball_of(0.3), ball_of(0), NULL), DOSI_OK);
    const double deltas[] = {1e-3, 1e-8, 1e-30};
    for (int i = 0; i < 6; i++) {
        loss_map map = i % 2 ? LOSS_ADD : LOSS_REMOVE;
        loss parts[3] = {loss_of(LOSS_GAUSSIAN, 0.5, map, 0.05, 1000),
            loss_of(LOSS_LAPLACE, 0.2, i < 3 ? LOSS_PLAIN : map, 0.2, 7),
            loss_of_atoms(rr, 2)};
        check_by_contour(parts, 3, deltas[i % 3], 1e-9);
    }
    atoms_free(rr);
}

/* Responses on lattices that do not fit each other, too many for a list: the
 * best tests of the Gaussian parts reject. */
static void responses_off_the_lattice(void **state)
{
    (void)state;
    static const double epsilons[] = {1, 0.0137, 0.3};
    static const double runs[] = {7000, 7000, 20};
    atoms *own[3], *sampled;
    loss parts[4] = {[3] = loss_of(LOSS_GAUSSIAN, 1, LOSS_REMOVE, 1e-4, 50)};
    for (int i = 0; i < 3; i++)
        assert_int_equal(atoms_leaky_response(&own[i], ball_of(epsilons[i]),
                             ball_of(0), NULL), DOSI_OK);
    assert_int_equal(atoms_poisson(&sampled, own[0], ball_of(0.01),
                         ATOMS_REMOVE, NULL), DOSI_OK);
    for (int i = 0; i < 3; i++)
        parts[i] = loss_of_atoms(i == 0 ? sampled : own[i], runs[i]);
    check_by_contour(parts, 4, 1e-6, 1e-9);
    atoms_free(sampled);
    for (int i = 0; i < 3; i++)
        atoms_free(own[i]);
}

/* Coarse lattices, on which the units of both masses are e^700 apart. */
static void far_apart_units(void **state)
{
    (void)state;
    static const double p[] = {1e-4, 0.9646, 2e-4, 0.0199, 0.0152};
    static const double q[] = {0.0252, 0.0767, 0.0105, 0.2436, 0.644};
    atoms *own = NULL;
    assert_int_equal(atoms_from_pair(&own, p, q, 5, NULL), DOSI_OK);
    for (double k = 2000; k < 4000; k += 900) {
        loss parts[2] = {loss_of_atoms(own, k),
            loss_of(LOSS_GAUSSIAN, 2, LOSS_REMOVE, 6e-4, 4)};
        check_by_contour(parts, 2, 1e-6, 1e-6);
    }
    atoms_free(own);
}

typedef struct rare_plan {
    double mu, rate, runs; /* of samples, record removed */
    double laplace, times; /* 1/scale */
    double response, repeated;
    double delta;
    dosi_interval by_lattice; /* of all parts, at their finest */
} rare_plan;

static const rare_plan rare_plans[] = {
    {1 / 1.4, 0.000334, 13300, 1 / 1.02, 2, 0, 0, 1e-8,
        {2.101501, 2.1015939}},
    {1 / 0.734, 3.4e-5, 1420, 0, 0, 0.0545, 5, 1e-6,
        {0.279667, 0.279726}},
    {1 / 0.854, 0.000139, 37, 0, 0, 0.798, 5, 1e-10, {4.06382, 4.06728}},
    {1 / 1.47, 3.42e-5, 96200, 1 / 1.82, 2, 0, 0, 1e-6,
        {1.12271, 1.1231}},
    {1 / 1.25, 7.42e-5, 24, 0, 0, 0.0111, 1, 1e-10,
        {0.0158426, 0.0158432}},
};

static dosi_interval epsilon_of_rare(const rare_plan *p, work_limits *limits)
{
    atoms *response = NULL;
    loss parts[3] = {loss_of(
        LOSS_GAUSSIAN, p->mu, LOSS_REMOVE, p->rate, p->runs)};
    size_t n = 1;
    if (p->times > 0)
        parts[n++] =
            loss_of(LOSS_LAPLACE, p->laplace, LOSS_PLAIN, 1, p->times);
    if (p->repeated > 0) {
        assert_int_equal(atoms_leaky_response(&response,
                             ball_of(p->response), ball_of(0), NULL),
            DOSI_OK);
        parts[n++] = loss_of_atoms(response, p->repeated);
    }
    dosi_interval v = epsilon_of(parts, n, p->delta, limits);
    atoms_free(response);
    return v;
}

static void lattices_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rare_plans / sizeof *rare_plans; i++) {
        const rare_plan *p = &rare_plans[i];
        dosi_interval v = epsilon_of_rare(p, NULL);
        if (!(v.lo >= p->by_lattice.lo && v.hi <= p->by_lattice.hi))
            fail_msg("[%.17g, %.17g], plan %zu", v.lo, v.hi, i);
        assert_true(v.hi - v.lo <= 1e-6 * v.hi);
    }
}

/* ---- Limits ------------------------------------------------------------ */

static int stop_soon(void *context)
{
    int *left = context;
    return --*left < 0;
}

static void limits_widen(void **state)
{
    (void)state;
    const rare_plan *p = &rare_plans[0];
    dosi_interval known = epsilon_of_rare(p, NULL);
    work_limits small = {.width = WORK_WIDTH, .max_bytes = 1 << 20};
    dosi_interval v = epsilon_of_rare(p, &small);
    assert_true(v.lo <= known.hi && v.hi >= known.lo && v.hi < 3);
    for (int left = 0; left < 4000; left = 2 * left + 1) {
        int countdown = left;
        work_limits stopped = {.width = WORK_WIDTH, .max_bytes = WORK_BYTES,
            .stop = stop_soon, .stop_context = &countdown};
        loss parts[2] = {
            loss_of(LOSS_GAUSSIAN, p->mu, LOSS_REMOVE, p->rate, p->runs),
            loss_of(LOSS_LAPLACE, p->laplace, LOSS_PLAIN, 1, p->times)};
        v = (dosi_interval){0, HUGE_VAL};
        dosi_status status = grid_epsilon(&v, parts, 2,
            ball_log(ball_of(p->delta)), &stopped, NULL);
        assert_true(status == DOSI_OK || status == DOSI_EUNABLE);
        if (status == DOSI_OK)
            assert_true(v.lo <= known.hi && v.hi >= known.lo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_enclose_profiles),
        cmocka_unit_test(finite_parts_are_summed),
        cmocka_unit_test(laplace_noise_is_integrated),
        cmocka_unit_test(long_lists_are_summed),
        cmocka_unit_test(contours_agree),
        cmocka_unit_test(responses_off_the_lattice),
        cmocka_unit_test(far_apart_units),
        cmocka_unit_test(lattices_agree),
        cmocka_unit_test(limits_widen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
