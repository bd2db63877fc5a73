/*
 * Laws on pieces: their moments against the closed one-step profiles, one
 * step against those profiles, many steps against values at 40 digits and
 * against lists.
 */
#include "profile/profile.h"
#include "contour/engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* after the three above */
#include <cmocka.h>

#include "special/gauss_legendre.h"
#include "list/list.h"
#include "contour/part/part.h"

static loss_law pair_of(
    loss_noise noise, loss_map map, double parameter, ball rate, double count)
{
    return (loss_law){.noise = noise,
        .map = map,
        .parameter = ball_of(parameter),
        .rate = rate,
        .count = count};
}

/* ---- Closed profiles --------------------------------------------------- */

typedef struct one_step {
    privacy_profile base, sampled;
} one_step;

static void closed_profile(one_step *out, const loss_law *pair)
{
    if (pair->noise == LOSS_GAUSSIAN)
        out->base = profile_gaussian(pair->parameter, ATTAINED_BY_MECHANISM);
    else if (pair->noise == LOSS_LAPLACE)
        out->base = profile_laplace(pair->parameter);
    else
        out->base = profile_exponential(pair->parameter);
    if (pair->map == LOSS_WITHOUT_REPLACEMENT)
        out->sampled =
            profile_without_replacement(&out->base, &out->base, pair->rate);
    else
        out->sampled = profile_poisson(
            &out->base, pair->rate, pair->map == LOSS_BASE_FIRST);
}

/* The integral of e^{t eps} delta(eps) from a to b, in doubles. */
static double profile_panel(
    const privacy_profile *profile, double t, double a, double b)
{
    double half = (b - a) / 2, mid = (a + b) / 2, sum = 0;
    for (int i = 0; i < 2 * GAUSS_HALF; i++) {
        const double *row = gauss_table[i % GAUSS_HALF];
        double x = mid + (i < GAUSS_HALF ? half : -half) * row[0];
        dosi_interval d = profile_log_delta(profile, ball_of(x));
        double log_delta = (d.lo + d.hi) / 2;
        if (log_delta > -HUGE_VAL)
            sum += half * row[2] * exp(t * x + log_delta);
    }
    return sum;
}

static double profile_piece(
    const privacy_profile *profile, double t, double a, double b)
{
    double sum = 0;
    for (int i = 0; i < 16; i++)
        sum += profile_panel(
            profile, t, a + (b - a) * i / 16, a + (b - a) * (i + 1) / 16);
    return sum;
}

/* M(t) = t (t+1) times the integral of e^{t eps} delta(eps) over all reals;
 * below the least loss delta = 1 - e^eps. */
static double profile_moment(const loss_law *pair, double t)
{
    one_step one;
    closed_profile(&one, pair);
    double a = ball_mid(pair->parameter), q = ball_mid(pair->rate);
    double high = log1p(q * expm1(a)), low = log1p(q * expm1(-a));
    if (pair->map == LOSS_BASE_FIRST) {
        double swap = high;
        high = -low;
        low = -swap;
    }
    if (pair->noise == LOSS_GAUSSIAN)
        high = log1p(q * expm1(a * ((t + 1) * a + 8)));
    if (pair->map == LOSS_WITHOUT_REPLACEMENT)
        low = -high;
    double sum = exp(t * low) / t - exp((t + 1) * low) / (t + 1);
    /* a kink at 0, and that of the sampled profile at log(1 - q) */
    sum += profile_piece(&one.sampled, t, low, 0);
    sum += profile_piece(&one.sampled, t, 0, high / 4);
    sum += profile_piece(&one.sampled, t, high / 4, high);
    return t * (t + 1) * sum;
}

static const struct {
    loss_noise noise;
    loss_map map;
    double parameter, rate;
} laws[] = {
    {LOSS_GAUSSIAN, LOSS_WITHOUT_REPLACEMENT, 1, 0.01},
    {LOSS_GAUSSIAN, LOSS_WITHOUT_REPLACEMENT, 0.3, 0.6},
    {LOSS_LAPLACE, LOSS_MIXTURE_FIRST, 2, 0.05},
    {LOSS_LAPLACE, LOSS_BASE_FIRST, 2, 0.05},
    {LOSS_LAPLACE, LOSS_WITHOUT_REPLACEMENT, 2, 0.05},
    {LOSS_LAPLACE, LOSS_WITHOUT_REPLACEMENT, 0.2, 0.7},
    {LOSS_EXPONENTIAL, LOSS_MIXTURE_FIRST, 1.5, 0.2},
    {LOSS_EXPONENTIAL, LOSS_BASE_FIRST, 1.5, 0.2},
    {LOSS_EXPONENTIAL, LOSS_WITHOUT_REPLACEMENT, 1.5, 0.2},
};
#define N_LAWS (sizeof laws / sizeof *laws)

static void test_moments_accountant(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LAWS; i++)
        for (double t = 0.5; t < 9; t *= 2) {
            loss_law pair = pair_of(laws[i].noise, laws[i].map,
                laws[i].parameter, ball_of(laws[i].rate), 1);
            contour_part part;
            cumulant_guess r;
            bool found = false;
            part_request w = {
                .t = t, .reach = t, .outer = 3, .digits = 44, .multiple = 1};
            assert_true(contour_part_init(&part, &pair));
            assert_true(part.type->guess_cumulant(&r, &part, t));
            assert_int_equal(part.type->tilt(&found, &part, &w, NULL), 0);
            assert_true(found);
            double mine = exp(ball_mid(part.cumulant));
            double exact = profile_moment(&pair, t);
            if (!(fabs(mine - exact) < 2e-7 * exact))
                fail_msg("law %zu, t = %g: %.12g for %.12g", i, t, mine, exact);
            assert_true(part.cumulant.rad < 1e-16);
            contour_part_free(&part);
        }
}

/* ---- Questions --------------------------------------------------------- */

static dosi_interval ask(
    const loss_law *pair, double epsilon, double delta, double width)
{
    contour_engine *s = NULL;
    work_limits limits = {.width = width, .max_bytes = WORK_BYTES};
    dosi_interval out = {0, 0};
    assert_int_equal(engine_new(&s, pair, 1, &limits, NULL), DOSI_OK);
    assert_non_null(s);
    ball d = ball_of(delta);
    dosi_status status = delta > 0
                             ? engine_epsilon(&out, s, d, ball_log(d), NULL)
                             : engine_log_delta(&out, s, epsilon, NULL);
    assert_int_equal(status, DOSI_OK);
    engine_free(s);
    return out;
}

/* One step is damped by smoothing: wide, but it holds the closed value. */
static void test_one_step(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LAWS; i++) {
        loss_law pair = pair_of(laws[i].noise, laws[i].map, laws[i].parameter,
            ball_of(laws[i].rate), 1);
        one_step one;
        closed_profile(&one, &pair);
        const double at[] = {laws[i].rate / 20, laws[i].rate / 8};
        for (size_t j = 0; j < 2; j++) {
            dosi_interval mine = ask(&pair, at[j], 0, 1e-3);
            dosi_interval exact =
                profile_log_delta(&one.sampled, ball_of(at[j]));
            if (!(mine.lo <= exact.hi && exact.lo <= mine.hi &&
                    mine.hi - mine.lo < (i == 0 ? 0.5 : 0.02)))
                fail_msg("law %zu at %g: [%.12g, %.12g] for %.12g", i, at[j],
                    mine.lo, mine.hi, exact.lo);
        }
    }
}

/* mpmath at 40 digits: the contour integral by a trapezoid rule on composite
 * 32-point Gauss-Legendre nodes, two steps agreeing in all digits given. */
static const struct {
    loss_noise noise;
    loss_map map;
    double parameter, batch, population, count, epsilon, delta;
} many[] = {
    {LOSS_GAUSSIAN, LOSS_WITHOUT_REPLACEMENT, 1, 600, 60000, 1000, 2.2,
        9.923201951992802816507e-6},
    {LOSS_LAPLACE, LOSS_MIXTURE_FIRST, 2, 0.001, 1, 100000, 2.5,
        1.708365665753003115451e-5},
    {LOSS_LAPLACE, LOSS_BASE_FIRST, 2, 0.001, 1, 100000, 2.5,
        1.399038859003271534355e-5},
    {LOSS_LAPLACE, LOSS_WITHOUT_REPLACEMENT, 1, 0.05, 1, 500, 5,
        5.760872252985688272718e-5},
    {LOSS_EXPONENTIAL, LOSS_MIXTURE_FIRST, 1, 0.05, 1, 2000, 4,
        3.560850724595913294986e-3},
    {LOSS_EXPONENTIAL, LOSS_BASE_FIRST, 1, 0.05, 1, 2000, 4,
        2.758913659298647853281e-3},
    {LOSS_EXPONENTIAL, LOSS_WITHOUT_REPLACEMENT, 1, 0.05, 1, 500, 2,
        3.015881546070932416646e-3},
};

static void test_many_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        ball rate =
            ball_div(ball_of(many[i].batch), ball_of(many[i].population));
        loss_law pair = pair_of(
            many[i].noise, many[i].map, many[i].parameter, rate, many[i].count);
        dosi_interval d = ask(&pair, many[i].epsilon, 0, 1e-9);
        double exact = log(many[i].delta);
        if (!(d.lo <= exact + 4e-15 && exact - 4e-15 <= d.hi))
            fail_msg(
                "plan %zu: [%.17g, %.17g] for %.17g", i, d.lo, d.hi, exact);
        assert_true(d.hi - d.lo < 1e-11);
        dosi_interval e = ask(&pair, 0, many[i].delta, 1e-9);
        assert_true(e.lo <= many[i].epsilon * (1 + 4e-15));
        assert_true(many[i].epsilon * (1 - 4e-15) <= e.hi);
        assert_true(e.hi - e.lo < 1e-11 * e.hi);
    }
}

/* Another route that shares only the description: lists. */
static void test_against_lists(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LAWS; i++) {
        loss_law pair = pair_of(laws[i].noise, laws[i].map, laws[i].parameter,
            ball_of(laws[i].rate), 60);
        work_limits limits = {.width = 1e-4, .max_bytes = WORK_BYTES};
        dosi_interval theirs, mine = ask(&pair, 0, 1e-4, 1e-6);
        assert_int_equal(list_epsilon(&theirs, &pair, 1,
                             ball_log(ball_of(1e-4)), &limits, NULL),
            DOSI_OK);
        if (!(mine.lo <= theirs.hi && theirs.lo <= mine.hi &&
                mine.hi - mine.lo <= 1e-4 * mine.hi &&
                theirs.hi - theirs.lo < 0.01 * theirs.hi))
            fail_msg("law %zu: [%.12g, %.12g], lists [%.12g, %.12g]", i,
                mine.lo, mine.hi, theirs.lo, theirs.hi);
    }
}

/* An earlier program with another grid gave [2.198857, 2.199011]. */
static void test_batches(void **state)
{
    (void)state;
    ball rate = ball_div(ball_of(600), ball_of(60000));
    loss_law pair =
        pair_of(LOSS_GAUSSIAN, LOSS_WITHOUT_REPLACEMENT, 1, rate, 1000);
    dosi_interval e = ask(&pair, 0, 1e-5, 1e-9);
    assert_true(2.198857 < e.lo && e.hi < 2.199011);
    assert_true(e.hi - e.lo < 1e-11);
}

/* Beyond the greatest loss delta is 0. */
static void test_largest(void **state)
{
    (void)state;
    double a = 0.5, q = 0.1;
    const double most[] = {
        log1p(q * expm1(a)), -log1p(q * expm1(-a)), log1p(q * expm1(a))};
    const loss_map maps[] = {
        LOSS_MIXTURE_FIRST, LOSS_BASE_FIRST, LOSS_WITHOUT_REPLACEMENT};
    for (int i = 0; i < 3; i++) {
        loss_law pair = pair_of(LOSS_LAPLACE, maps[i], a, ball_of(q), 3);
        dosi_interval d = ask(&pair, 3 * most[i] * (1 + 1e-9), 0, 1e-2);
        assert_true(d.hi == -HUGE_VAL);
        d = ask(&pair, 2 * most[i], 0, 1e-2);
        assert_true(d.hi > -HUGE_VAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments_accountant),
        cmocka_unit_test(test_one_step),
        cmocka_unit_test(test_many_steps),
        cmocka_unit_test(test_against_lists),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
