/*
 * Contours that are kept for later questions: what they say agrees with an
 * engine that is asked once, is as narrow as was wanted, and takes less work.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/random.h"
#include "contour/engine/engine.h"

#define REUSE 1e-8
#define N_EPSILONS 60

static prop_random source;

static loss_law random_law(int i)
{
    loss_law law = {.noise = i % 4 == 3 ? LOSS_LAPLACE : LOSS_GAUSSIAN,
        .map = i % 3 == 0   ? LOSS_BASE_FIRST
               : i % 3 == 1 ? LOSS_MIXTURE_FIRST
                            : LOSS_PLAIN,
        .parameter = ball_of(prop_uniform(&source, 0.3, 1)),
        .rate = ball_of(prop_uniform(&source, 0.05, 0.3)),
        .count = floor(prop_uniform(&source, 50, 500))};
    if (law.map == LOSS_PLAIN)
        law.parameter =
            ball_of(prop_uniform(&source, 0.3, 1) / sqrt(law.count));
    return law;
}

static dosi_interval once(
    const loss_law *laws, size_t n, double epsilon, work_limits *limits)
{
    contour_engine *s = NULL;
    dosi_interval out;
    assert_int_equal(engine_new(&s, laws, n, limits, NULL), DOSI_OK);
    assert_int_equal(engine_log_delta(&out, s, epsilon, NULL), DOSI_OK);
    engine_free(s);
    return out;
}

static void kept_contours_agree(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        work_limits keeps = work_default(WORK_WIDTH), own = keeps;
        keeps.reuse = REUSE;
        keeps.budget = own.budget = 0;
        loss_law laws[3] = {random_law(i), random_law(i + 1), random_law(2)};
        contour_engine *s = NULL;
        assert_int_equal(engine_new(&s, laws, 3, &keeps, NULL), DOSI_OK);
        int n_wide = 0;
        for (int k = 0; k < N_EPSILONS; k++) {
            double epsilon = prop_uniform(&source, -2, 6);
            dosi_interval kept, fresh = once(laws, 3, epsilon, &own);
            assert_int_equal(
                engine_log_delta(&kept, s, epsilon, NULL), DOSI_OK);
            assert_true(kept.lo <= fresh.hi && fresh.lo <= kept.hi);
            n_wide += kept.hi - kept.lo >
                      1.01 * (fresh.hi - fresh.lo) + REUSE;
        }
        assert_true(n_wide <= 1);
        assert_true(keeps.spent < own.spent);
        engine_free(s);
    }
}

/* Gaussian noise alone has 12 digits everywhere: reading a contour at every
 * epsilon, far from that which it was made for too, it stays right. */
static void kept_contours_are_right(void **state)
{
    (void)state;
    work_limits keeps = work_default(WORK_WIDTH), own = keeps;
    keeps.reuse = REUSE;
    loss_law law = {.noise = LOSS_GAUSSIAN,
        .map = LOSS_MIXTURE_FIRST,
        .parameter = ball_of(0.7),
        .rate = ball_of(0.1),
        .count = 200};
    contour_engine *s = NULL;
    assert_int_equal(engine_new(&s, &law, 1, &keeps, NULL), DOSI_OK);
    for (int k = 0; k < 200; k++) {
        double epsilon = prop_uniform(&source, -3, 12);
        dosi_interval known = engine_read_kept(s, epsilon), kept,
                      fresh = once(&law, 1, epsilon, &own);
        assert_true(known.lo <= fresh.hi && fresh.lo <= known.hi);
        assert_int_equal(engine_log_delta(&kept, s, epsilon, NULL), DOSI_OK);
        assert_true(kept.lo <= fresh.hi && fresh.lo <= kept.hi);
        assert_true(kept.hi - kept.lo <= 1e-6);
    }
    engine_free(s);
}

int main(void)
{
    source = prop_start("test_engine_kept");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_contours_agree),
        cmocka_unit_test(kept_contours_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
