/*
 * Curves: points that are bounded by others contain the truth, as narrowly as
 * convexity says; and what a curve says of a point agrees with the question
 * alone, whether the point was asked, read from what others built, or bounded
 * by them after the work was spent.
 */
#include "support/questions.h"

#include <math.h>
#include <stdlib.h>

#include "account/curve_between.h"

static prop_random rng;

/* ---- Between two points -------------------------------------------------- */

/* 1 - e^(e - l) up to the loss l: a line in e^e, which chords and their
 * extensions meet. */
static double linear(double e, double l)
{
    return -expm1(e - l);
}

static void chords_meet_lines(void **state)
{
    (void)state;
    for (long i = prop_count(2000); i > 0; i--) {
        double l = prop_uniform(&rng, 0.1, 30), at[3];
        at[0] = prop_uniform(&rng, 0, 0.9 * l);
        at[1] = prop_uniform(&rng, at[0], l);
        at[2] = prop_uniform(&rng, at[1], l);
        if (!(at[0] < at[1] && at[1] < at[2] && at[2] < l))
            continue;
        double d[3], more = 1 + 1e-14, less = 1 - 1e-14;
        for (int j = 0; j < 3; j++)
            d[j] = linear(at[j], l);
        double chord = exp(curve_log_chord(at[0], log(more * d[0]), at[2],
            log(more * d[2]), at[1]));
        assert_true(chord >= less * d[1]);
        assert_true(chord <= d[1] + 1e-12);
        double right =
            curve_line(at[0], more * d[0], at[1], less * d[1], at[2]);
        double left =
            curve_line(at[2], more * d[2], at[1], less * d[1], at[0]);
        assert_true(right <= more * d[2] && left <= more * d[0]);
        /* an extension magnifies what is known of its points */
        double factor = (1 + exp(at[2] - at[1])) /
                        -expm1(at[0] - at[1]);
        assert_true(right >= d[2] - 1e-12 * factor);
        factor = 2 / -expm1(at[1] - at[2]);
        assert_true(left >= d[0] - 1e-12 * factor);
    }
}

/* Of Gaussian noise, which is strictly convex: on the right side of it, and as
 * near as the square of the distance. */
static void chords_enclose_a_profile(void **state)
{
    (void)state;
    const dosi_plan *plan = plan_of("gaussian(1)");
    for (long i = prop_count(300); i > 0; i--) {
        double h = exp(prop_uniform(&rng, log(1e-3), log(0.5)));
        double e = prop_uniform(&rng, 2 * h, 6);
        dosi_answer a[5];
        dosi_error err;
        for (int j = 0; j < 5; j++)
            assert_int_equal(dosi_delta_at_epsilon(&a[j], plan,
                                 e + (j - 2) * h, NULL, &err), DOSI_OK);
        dosi_interval truth = a[2].value;
        double chord = exp(curve_log_chord(e - h, a[1].log_value.hi, e + h,
            a[3].log_value.hi, e));
        double right = curve_line(
            e - 2 * h, a[0].value.hi, e - h, a[1].value.lo, e);
        double left = curve_line(
            e + 2 * h, a[4].value.hi, e + h, a[3].value.lo, e);
        assert_true(chord >= truth.lo * (1 - 1e-14));
        assert_true(fmax(left, right) <= truth.hi);
        double open = 60 * h * h;
        assert_true(chord <= truth.hi * (1 + open) + 1e-13);
        assert_true(fmax(left, right) >= truth.lo * (1 - open) - 1e-13);
    }
    dosi_plan_free(plan);
}

/* No mass, points that coincide, and losses of any size. */
static void chords_have_corners(void **state)
{
    (void)state;
    assert_true(curve_log_chord(0, -HUGE_VAL, 2, -HUGE_VAL, 1) == -HUGE_VAL);
    assert_true(curve_log_chord(0, 0, 2, 0, 1) == 0);
    double half = curve_log_chord(0, 0, 1e6, -HUGE_VAL, 5e5);
    assert_true(half <= 0 && half >= -1e-12);
    double tail = curve_log_chord(0, -HUGE_VAL, 1e5, -1, 5e4);
    assert_true(tail >= -5e4 - 1.001 && tail <= -5e4 - 0.999);
    assert_true(curve_line(1, 0.5, 1, 0.4, 2) == 0);
    assert_true(curve_line(0, 0, 1, 0, 2) == 0);
    assert_true(curve_line(0, 1, 1, 0.1, 1e6) == 0);
}

/* ---- Curves against questions -------------------------------------------- */

typedef dosi_status (*asking_curve)(dosi_answer *out, const dosi_plan *plan,
    const double *at, size_t n, const dosi_options *options, dosi_error *err);
typedef dosi_status (*asking)(dosi_answer *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err);

#define N_POINTS 24

static void points_of(double *at, bool is_test)
{
    if (is_test) {
        dosi_tradeoff_alphas(at, N_POINTS);
    } else {
        double most = exp(prop_uniform(&rng, log(0.1), log(30)));
        for (int i = 0; i < N_POINTS; i++)
            at[i] = most * i / (N_POINTS - 1);
    }
    for (int i = N_POINTS - 1; i > 0; i--) { /* in any order */
        int j = prop_below(&rng, i + 1);
        double swapped = at[i];
        at[i] = at[j];
        at[j] = swapped;
    }
}

/* Every point agrees with the question alone at some of them. */
static void check_curve(const question *q, double most)
{
    bool is_test = q->kind == ASK_TRADEOFF;
    asking_curve curve = is_test ? dosi_tradeoff_curve : dosi_delta_curve;
    asking ask_one = is_test ? dosi_tradeoff_at_alpha : dosi_delta_at_epsilon;
    double at[N_POINTS], spent = 0;
    dosi_answer points[N_POINTS], one;
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = q->neighbours;
    options.max_operations = most;
    options.operations = &spent;
    points_of(at, is_test);
    dosi_status status =
        curve(points, q->plan, at, N_POINTS, &options, &err);
    if (status == DOSI_EUNSUPPORTED)
        return;
    if (status != DOSI_OK) {
        report("curve of '%s': %s", q->text, err.message);
        return;
    }
    for (int i = 0; i < 4; i++) {
        int j = prop_below(&rng, N_POINTS);
        dosi_interval v = points[j].value;
        options.operations = NULL;
        options.max_operations = 3e8;
        if (ask_one(&one, q->plan, at[j], &options, &err) != DOSI_OK)
            report("'%s' at %.17g: %s", q->text, at[j], err.message);
        else if (!(v.lo <= one.value.hi && one.value.lo <= v.hi))
            report("'%s' at %.17g with %g operations: [%.17g, %.17g] on the "
                   "curve, [%.17g, %.17g] alone",
                q->text, at[j], most, v.lo, v.hi, one.value.lo,
                one.value.hi);
    }
}

static void curves_agree_with_questions(void **state)
{
    (void)state;
    for (long i = prop_count(12); i > 0; i--) {
        char text[PLAN_BYTES];
        question q = {.text = text,
            .neighbours = prop_below(&rng, 3) ? DOSI_ADD_REMOVE
                                              : DOSI_REPLACE,
            .kind = prop_below(&rng, 2) ? ASK_TRADEOFF : ASK_DELTA};
        plan_source s = {.rng = &rng, .worse = PLAN_AS_IT_IS};
        plan_random(text, &s, q.neighbours);
        q.plan = plan_of(text);
        check_curve(&q, exp(prop_uniform(&rng, log(3e5), log(2e8))));
        dosi_plan_free(q.plan);
    }
    nothing_failed();
}

/* ---- Work ---------------------------------------------------------------- */

static const char everyday[] =
    "poisson(0.01, gaussian(1.2)) * 1000 + laplace(7) + laplace(11) + "
    "gaussian(9) + rr(0.2) + rr(0.1, 5) + discrete_gaussian(12) + "
    "discrete_laplace(15) + laplace(19) + laplace(23) + rr(0.15) + rr(0.12)";

/* Points that are read from what others have built are as narrow, and the work
 * that would do for a few is enough for all. */
static void curves_are_narrow(void **state)
{
    (void)state;
    static double at[200];
    static dosi_answer points[200];
    const dosi_plan *plan = plan_of(everyday);
    for (int is_test = 0; is_test < 2; is_test++) {
        double spent = 0;
        dosi_error err;
        dosi_options options = DOSI_OPTIONS_INIT;
        options.operations = &spent;
        dosi_tradeoff_alphas(at, 200);
        for (int i = 0; i < 200 && !is_test; i++)
            at[i] = i / 50.0;
        assert_int_equal(
            (is_test ? dosi_tradeoff_curve : dosi_delta_curve)(
                points, plan, at, 200, &options, &err), DOSI_OK);
        assert_true(spent < 1e9);
        for (int i = 0; i < 200; i++) {
            dosi_interval v = points[i].value;
            if (!(v.hi - v.lo <= 1e-5 * v.hi + 1e-12))
                report("point %g: [%.17g, %.17g] %s %s", at[i], v.lo, v.hi,
                    points[i].route, points[i].reason);
        }
    }
    dosi_plan_free(plan);
    nothing_failed();
}

/* What is left when the work is spent is bounded by its neighbours. */
static void spent_curves_are_filled(void **state)
{
    (void)state;
    static double at[200];
    static dosi_answer points[200];
    int n_open = 0;
    const dosi_plan *plan = plan_of("laplace(200) * 74 + laplace(190) * 9");
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.max_operations = 8e8;
    for (int i = 0; i < 200; i++)
        at[i] = i / 1000.0;
    assert_int_equal(
        dosi_delta_curve(points, plan, at, 200, &options, &err), DOSI_OK);
    for (int i = 0; i < 200; i++) {
        dosi_interval v = points[i].value;
        bool is_spent = points[i].reason != NULL &&
                        strcmp(points[i].reason, DOSI_SPENT) == 0;
        n_open += is_spent;
        if (!(v.hi - v.lo <= 0.5 * v.hi))
            report("point %g: [%.17g, %.17g] %s %s", at[i], v.lo, v.hi,
                points[i].route, points[i].reason);
        assert_string_not_equal(points[i].route, "none");
    }
    assert_true(n_open > 20);
    dosi_plan_free(plan);
    nothing_failed();
}

int main(void)
{
    rng = prop_start("prop_curve");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chords_meet_lines),
        cmocka_unit_test(chords_enclose_a_profile),
        cmocka_unit_test(chords_have_corners),
        cmocka_unit_test(curves_agree_with_questions),
        cmocka_unit_test(curves_are_narrow),
        cmocka_unit_test(spent_curves_are_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
