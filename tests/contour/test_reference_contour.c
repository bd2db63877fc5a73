/*
 * The contour integral against published values, against a real-space
 * integral by Arb for two steps, and at the edges of its domain.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <arb.h>
#include <arb_hypgeom.h>
#include <cmocka.h>

#include "num/trig.h"
#include "reference/reference_contour.h"

static reference_contour_pair pair_of(
    double sigma, double rate, double count, bool add)
{
    return (reference_contour_pair){
        ball_div(ball_of(1), ball_of(sigma)), rate, count, add};
}

static dosi_interval log_delta_of(reference_contour_pair pair, double epsilon)
{
    dosi_interval out;
    assert_int_equal(
        reference_contour_log_delta(&out, &pair, epsilon, NULL), DOSI_OK);
    assert_true(out.lo <= out.hi && out.hi <= 0);
    return out;
}

/* Spec of composition, 36-digit contour integrals (S000-7.tight_delta_*). */
static void delta_matches_references(void **state)
{
    (void)state;
    static const struct {
        double sigma, rate, count;
        bool base_first;
        double epsilon;
        const char *delta;
    } cases[] = {
        {1, 0.01, 1000, false, 0.5, "0.030568024347068513323"},
        {1, 0.01, 1000, false, 1, "0.0026124205786269241940"},
        {0.8, 0.004, 3750, false, 1, "0.0063908463321317168613"},
        {1, 0.01, 1000, true, 1, "7.9459017357171841791e-4"},
        {2, 0.001, 10000, true, 0.2, "1.0115750486526791405e-6"},
        {0.8, 0.004, 3750, true, 1, "0.0027202819146002238897"},
    };
    arb_t delta, log_delta;
    arb_init(delta);
    arb_init(log_delta);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dosi_interval got =
            log_delta_of(pair_of(cases[i].sigma, cases[i].rate, cases[i].count,
                             cases[i].base_first),
                cases[i].epsilon);
        arb_set_str(delta, cases[i].delta, 128);
        arb_log(log_delta, delta, 128);
        double value = arf_get_d(arb_midref(log_delta), ARF_RND_NEAR);
        assert_true(got.lo <= value + 1e-15 && value - 1e-15 <= got.hi);
        assert_true(got.hi - got.lo <= 1e-13);
    }
    arb_clear(delta);
    arb_clear(log_delta);
}

static void epsilon_matches_references(void **state)
{
    (void)state;
    static const struct {
        double sigma, rate, count;
        bool base_first;
        double delta, epsilon;
    } cases[] = {
        {1, 0.01, 1000, false, 1e-5, 1.8282366665165768731},
        {1, 0.01, 1000, true, 1e-5, 1.4166619480361751323},
        {0.8, 0.004, 3750, false, 1e-5, 2.1834259644225992742},
        {0.8, 0.004, 3750, true, 1e-5, 1.6492276640682124412},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reference_contour_pair pair = pair_of(
            cases[i].sigma, cases[i].rate, cases[i].count, cases[i].base_first);
        dosi_interval got;
        ball log_delta = ball_log(ball_of(cases[i].delta));
        assert_int_equal(
            reference_contour_epsilon(&got, &pair, log_delta, NULL), DOSI_OK);
        double slack = cases[i].epsilon * 0x1p-53; /* of the literal */
        assert_true(got.lo <= cases[i].epsilon + slack);
        assert_true(got.hi >= cases[i].epsilon - slack);
        assert_true(got.hi - got.lo <= 1e-12 * cases[i].epsilon);
    }
}

/* Plans far apart: small noise, a million steps, delta far below. */
static void epsilon_of_hard_plans(void **state)
{
    (void)state;
    static const struct {
        double sigma, rate, count, delta, epsilon, width;
    } cases[] = {
        {1.1, 0.01, 10000, 1e-5, 5.192583445, 1e-9},
        {1.3, 256.0 / 60000, 14062, 1e-5, 1.823545059, 1e-9},
        {1, 0.01, 1000000, 1e-5, 139.0302725, 1e-9},
        {1.1, 0.01, 10000, 1e-30, 14.69168339, 1e-9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reference_contour_pair pair =
            pair_of(cases[i].sigma, cases[i].rate, cases[i].count, false);
        dosi_interval got;
        assert_int_equal(reference_contour_epsilon(&got, &pair,
                             ball_log(ball_of(cases[i].delta)), NULL),
            DOSI_OK);
        /* the reference is cut, not rounded, after its last digit */
        assert_true(got.hi >= cases[i].epsilon);
        assert_true(got.lo <= cases[i].epsilon * (1 + 2e-9));
        assert_true(got.hi - got.lo <= cases[i].width * cases[i].epsilon);
    }
}

/* ---- Two steps in real space ------------------------------------------- */

static const slong precision = 160;

/* P[N > x] */
static void normal_sf(arb_t out, const arb_t x)
{
    arb_t root;
    arb_init(root);
    arb_set_ui(root, 2);
    arb_sqrt(root, root, precision);
    arb_div(out, x, root, precision);
    arb_hypgeom_erfc(out, out, precision);
    arb_mul_2exp_si(out, out, -1);
    arb_clear(root);
}

/* delta of one step, mixture against base, at likelihood ratio x = e^eps:
 * 1 - x below 1 - q, else q P[.] with the Gaussian at 1 + (x - 1)/q. */
static void one_step(arb_t out, const arb_t x, double q, double mu)
{
    arb_t g, e, a, b;
    arb_init(g);
    arb_init(e);
    arb_init(a);
    arb_init(b);
    arb_sub_ui(g, x, 1, precision);
    arb_set_d(a, q);
    arb_div(g, g, a, precision);
    arb_add_ui(g, g, 1, precision);
    if (!arb_is_positive(g)) {
        arb_sub_ui(out, x, 1, precision);
        arb_neg(out, out);
    } else {
        arb_log(e, g, precision);
        arb_set_d(a, mu);
        arb_div(e, e, a, precision);
        arb_mul_2exp_si(a, a, -1);
        arb_sub(b, e, a, precision);
        arb_add(e, e, a, precision);
        normal_sf(b, b);
        normal_sf(e, e);
        arb_mul(e, e, g, precision);
        arb_sub(out, b, e, precision);
        arb_set_d(a, q);
        arb_mul(out, out, a, precision);
    }
    arb_clear(g);
    arb_clear(e);
    arb_clear(a);
    arb_clear(b);
}

/* E over the first step's mixture of the second step's delta, by a plain
 * trapezoid sum with the given number of points a unit. */
static double two_steps(double sigma, double q, double epsilon, int density)
{
    double mu = 1 / sigma; /* exact in the cases below */
    arb_t sum, weight, l, x, t;
    arb_init(sum);
    arb_init(weight);
    arb_init(l);
    arb_init(x);
    arb_init(t);
    for (int i = -14 * density; i <= 15 * density; i++) {
        double xi = (double)i / density; /* density is a power of two */
        arb_set_d(t, mu);
        arb_set_d(x, xi);
        arb_mul(l, t, x, precision); /* e^(mu xi - mu^2/2) */
        arb_sqr(t, t, precision);
        arb_mul_2exp_si(t, t, -1);
        arb_sub(l, l, t, precision);
        arb_expm1(l, l, precision);
        arb_set_d(t, q);
        arb_mul(l, l, t, precision);
        arb_add_ui(l, l, 1, precision); /* 1 + v: both P/Q and weight */
        arb_sqr(x, x, precision);
        arb_mul_2exp_si(x, x, -1);
        arb_neg(x, x);
        arb_exp(weight, x, precision);
        arb_mul(weight, weight, l, precision);
        arb_set_d(x, epsilon);
        arb_exp(x, x, precision);
        arb_div(x, x, l, precision);
        one_step(t, x, q, mu);
        arb_addmul(sum, weight, t, precision);
    }
    arb_div_ui(sum, sum, (ulong)density, precision);
    arb_const_pi(t, precision);
    arb_mul_2exp_si(t, t, 1);
    arb_rsqrt(t, t, precision);
    arb_mul(sum, sum, t, precision);
    arb_log(sum, sum, precision);
    double value = arf_get_d(arb_midref(sum), ARF_RND_NEAR);
    arb_clear(sum);
    arb_clear(weight);
    arb_clear(l);
    arb_clear(x);
    arb_clear(t);
    return value;
}

static void two_steps_match_real_space(void **state)
{
    (void)state;
    static const struct {
        double sigma, rate, epsilon;
    } cases[] = {{2, 0.25, 0.25}, {2, 0.5, 2}, {4, 0.75, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double coarse =
            two_steps(cases[i].sigma, cases[i].rate, cases[i].epsilon, 64);
        double fine =
            two_steps(cases[i].sigma, cases[i].rate, cases[i].epsilon, 128);
        assert_true(fabs(coarse - fine) < 1e-14 * fabs(fine));
        dosi_interval got = log_delta_of(
            pair_of(cases[i].sigma, cases[i].rate, 2, false), cases[i].epsilon);
        assert_true(got.lo <= fine + 1e-14 && fine - 1e-14 <= got.hi);
        assert_true(got.hi - got.lo <= 1e-11);
    }
}

/* Spoilt contours: every bound is made to matter in turn, and each must then
 * be as large as the error it covers. The spoilt interval must contain the
 * good one, and must not be absurdly wide. */
static void spoilt_contours_still_contain(void **state)
{
    (void)state;
    static const struct {
        double sigma, rate, count;
        bool add;
        double epsilon;
    } cases[] = {{1, 0.01, 1000, false, 1}, {1, 0.01, 1000, true, 1},
        {2, 0.1, 10, false, 0.5}, {0.8, 0.004, 3750, false, 1},
        {3, 0.3, 100, true, 2}};
    double widest = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reference_contour_pair pair = pair_of(
            cases[i].sigma, cases[i].rate, cases[i].count, cases[i].add);
        reference_contour_shape shape = {1 / cases[i].sigma, cases[i].rate,
            cases[i].count, cases[i].add, cases[i].epsilon};
        dosi_interval good = log_delta_of(pair, cases[i].epsilon);
        reference_contour_choice best;
        assert_true(reference_contour_steer(&best, &shape, 0x1p-56));
        for (int spoil = 0; spoil < 40; spoil++) {
            reference_contour_choice c = best;
            double f = 1 + (spoil % 10) * 0.35;
            if (spoil < 10) { /* aliases: fewer, wider steps */
                c.step *= f;
                c.n_outer = ceil(c.n_outer / f);
            } else if (spoil < 20) { /* truncation */
                c.n_outer = ceil(c.n_outer / f);
            } else if (spoil < 30) { /* inner step; the range is kept */
                c.h *= 2 + spoil % 10;
                c.first = floor(best.first * best.h / c.h);
                c.last = ceil(best.last * best.h / c.h);
            } else { /* inner range */
                c.first = ceil(best.first / f);
                c.last = floor(best.last / f);
            }
            dosi_interval got;
            assert_int_equal(reference_contour_log_delta_chosen(
                                 &got, &pair, cases[i].epsilon, &c, NULL),
                DOSI_OK);
            assert_true(got.lo <= good.lo + 1e-14);
            assert_true(got.hi >= good.hi - 1e-14);
            if (got.hi - got.lo < 1)
                widest = fmax(widest, got.hi - got.lo);
        }
    }
    assert_true(widest > 1e-3); /* the bounds were put to work */
}

/* ---- Edges ------------------------------------------------------------- */

/* In the add direction no loss exceeds k log(1/(1-q)). */
static void added_record_has_bounded_loss(void **state)
{
    (void)state;
    reference_contour_pair pair = pair_of(1, 0.5, 10, true);
    dosi_interval beyond = log_delta_of(pair, 7);
    assert_true(beyond.hi == -HUGE_VAL);
    dosi_interval within = log_delta_of(pair, 3);
    assert_true(within.lo > -HUGE_VAL);
}

static void extremes_stay_honest(void **state)
{
    (void)state;
    static const double sigmas[] = {1e-3, 0.3, 1e6};
    static const double rates[] = {1e-12, 0.999999};
    static const double counts[] = {1, 1e6, 0x1p53};
    static const double epsilons[] = {0, 700};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 2; j++)
            for (size_t k = 0; k < 3; k++)
                for (size_t l = 0; l < 2; l++)
                    (void)log_delta_of(pair_of(sigmas[i], rates[j], counts[k],
                                           (i + j + k + l) % 2),
                        epsilons[l]);
}

static void falls_with_epsilon_grows_with_count(void **state)
{
    (void)state;
    double last = 0;
    for (int i = 1; i < 12; i++) {
        dosi_interval f = log_delta_of(pair_of(1.2, 0.02, 500, false), 0.3 * i);
        assert_true(f.lo < last);
        last = f.hi;
    }
    last = -HUGE_VAL;
    for (double k = 100; k < 1e6; k *= 4) {
        dosi_interval f = log_delta_of(pair_of(1.2, 0.02, k, false), 1);
        assert_true(f.hi > last);
        last = f.lo;
    }
}

static void sine_and_cosine_match_arb(void **state)
{
    (void)state;
    arb_t x, s, c, r;
    arb_init(x);
    arb_init(s);
    arb_init(c);
    arb_init(r);
    for (int i = -4000; i < 4000; i++) {
        double at = i * 0.0317 * (1 + (i % 7) * 100);
        ball got[2];
        ball_sin_cos(&got[0], &got[1], ball_of(at));
        arb_set_d(x, at);
        arb_sin_cos(s, c, x, 200);
        for (int j = 0; j < 2; j++) {
            arb_set_d(r, got[j].hi);
            arb_set_d(x, got[j].lo);
            arb_add(r, r, x, 200);
            arb_sub(r, r, j == 0 ? s : c, 200);
            mag_t error;
            mag_init(error);
            arb_get_mag(error, r);
            assert_true(mag_get_d(error) <= got[j].rad);
            assert_true(got[j].rad <= 0x1p-96 * (1 + fabs(at)));
            mag_clear(error);
        }
    }
    arb_clear(x);
    arb_clear(s);
    arb_clear(c);
    arb_clear(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_match_arb),
        cmocka_unit_test(delta_matches_references),
        cmocka_unit_test(epsilon_matches_references),
        cmocka_unit_test(epsilon_of_hard_plans),
        cmocka_unit_test(two_steps_match_real_space),
        cmocka_unit_test(spoilt_contours_still_contain),
        cmocka_unit_test(added_record_has_bounded_loss),
        cmocka_unit_test(extremes_stay_honest),
        cmocka_unit_test(falls_with_epsilon_grows_with_count),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
