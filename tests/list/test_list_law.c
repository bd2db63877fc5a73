/*
 * Lists of outcomes against exact sums by Arb: what is composed lies on its
 * side of the exact product for every arrangement of knots, and so do the
 * values that are read without composing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "list/list_profile.h"
#include "support/random.h"
#include "support/exact_list.h"

static prop_random source;

static const double none = 0; /* is negligible */

/* What may be lost of masses, or at +inf, near the least that lists keep, as
 * they are stored. */
#define TOO_SMALL 1e-297

/* ---- Random lists ------------------------------------------------------ */

#define MOST_OUTCOMES 48

typedef enum shape {
    PLAIN,    /* losses in [-3, 3], masses alike */
    RARE,     /* masses down to 1e-285, or to 2^-1720 */
    TINY,     /* losses of about 1e-300 */
    LARGE,    /* losses up to 1e5 */
    DYADIC,   /* sums of losses coincide */
    N_SHAPES
} shape;

static double random_loss(shape kind)
{
    if (kind == DYADIC)
        return (double)(prop_below(&source, 17) - 8) / 8;
    double most = kind == TINY ? 4e-300 : kind == LARGE ? 1e5 : 3;
    return prop_uniform(&source, -most, most);
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t sort_losses(double *at, size_t n)
{
    size_t kept = 0;
    qsort(at, n, sizeof *at, rising);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || at[i] > at[kept - 1])
            at[kept++] = at[i];
    return kept;
}

/* Of every second round of shapes masses are stored with a common factor. */
static int scale_of_round(int i)
{
    return i / N_SHAPES % 2 != 0 ? LIST_SCALE : 0;
}

static list_law random_list(shape kind, size_t n, int scale)
{
    list_law x;
    double at[MOST_OUTCOMES];
    assert_int_equal(list_law_new(&x, n, NULL), DOSI_OK);
    for (size_t i = 0; i < n; i++)
        at[i] = random_loss(kind);
    n = sort_losses(at, n);
    bool falls = kind == RARE && scale > 0; /* below the least double */
    for (size_t i = 0; i < n; i++) {
        double low = log(kind == RARE && !falls ? 1e-285 : 1e-6);
        double mass = exp(prop_uniform(&source, low, 0)) / (double)(n + 1);
        list_put(&x, at[i], mass, LIST_BELOW);
    }
    assert_int_equal(x.n, n);
    if (prop_below(&source, 3) == 0)
        x.at_infinity = exp(prop_uniform(&source, log(1e-20), log(0.1)));
    list_take_out(&x, scale);
    for (size_t i = 0; falls && i < n; i++)
        x.mass[i] = ldexp(x.mass[i], -1700 * (int)i / (int)n);
    return x;
}

/* ---- Composition ------------------------------------------------------- */

#define MOST_KNOTS (MOST_OUTCOMES * MOST_OUTCOMES + 8)

static double knots_at[MOST_KNOTS];

/* A knot at every sum of losses. */
static list_knots knots_at_sums(const list_law *a, const list_law *b)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            knots_at[n++] = a->loss[i] + b->loss[j];
    knots_at[n++] = HUGE_VAL;
    n = sort_losses(knots_at, n) - 1;
    if (n == 1)
        knots_at[n++] = knots_at[0] + 1;
    return (list_knots){n, knots_at};
}

/* n even knots, which leave a share of the sums out at either end. */
static list_knots even_knots(
    const list_law *a, const list_law *b, size_t n, double out)
{
    double lo = a->loss[0] + b->loss[0];
    double hi = a->loss[a->n - 1] + b->loss[b->n - 1], cut = out * (hi - lo);
    for (size_t i = 0; i < n; i++)
        knots_at[i] = lo + cut + (hi - lo - 2 * cut) * (double)i /
                                     (double)(n - 1);
    return (list_knots){sort_losses(knots_at, n), knots_at};
}

/* The composed list is on its side of the product at epsilon, and within the
 * gap of what the product is with its losses moved by slack. */
static void check_at(const list_law *out, exact_pair product, list_side side,
    double epsilon, double gap, double relative)
{
    arb_t got, want, moved, off;
    arb_init(got);
    arb_init(want);
    arb_init(moved);
    arb_init(off);
    bool up = side == LIST_ABOVE;
    double slack = up ? out->slack : -out->slack;
    exact_h(want, product, epsilon, 0);
    exact_h(moved, product, epsilon, 2 * slack);
    exact_h(got, (exact_pair){out, NULL}, epsilon, slack);
    bool right = up ? !arb_lt(got, want) : !arb_gt(got, want);
    /* off <= gap + relative moved */
    arb_sub(off, got, moved, EXACT_BITS);
    if (!up)
        arb_neg(off, off);
    exact_less(off, moved, relative);
    exact_less_stored(off, gap, gap == TOO_SMALL ? out->scale : 0);
    if (!right || arb_is_positive(off))
        fail_msg("%s at %.17g: %.17g for %.17g, gap %g and %g",
            up ? "above" : "below", epsilon, exact_double(got),
            exact_double(moved), gap, relative);
    arb_clear(off);
    arb_clear(moved);
    arb_clear(got);
    arb_clear(want);
}

static void check_composed(const list_law *a, const list_law *b,
    list_knots knots, double negligible, double gap, double relative)
{
    exact_pair product = {a, b};
    double lo = a->loss[0] + b->loss[0];
    double hi = a->loss[a->n - 1] + b->loss[b->n - 1];
    for (int side = LIST_BELOW; side <= LIST_ABOVE; side++) {
        list_law out;
        assert_int_equal(list_compose(&out, a, b, knots, (list_side)side,
                             ldexp(negligible, a->scale), NULL, NULL),
            DOSI_OK);
        for (size_t i = 1; i < out.n; i++)
            assert_true(out.loss[i] > out.loss[i - 1]);
        /* all of it, then among the losses, then nothing */
        check_at(&out, product, (list_side)side, lo - 800, gap, relative);
        for (int i = 0; i <= 8; i++)
            check_at(&out, product, (list_side)side,
                lo + (hi - lo) * (double)i / 8, gap, relative);
        for (int i = 0; i < 4; i++) {
            size_t j = (size_t)prop_below(&source, (int)knots.n);
            check_at(&out, product, (list_side)side, knots.at[j], gap,
                relative);
        }
        list_law_free(&out);
    }
}

/* With a knot at every sum nothing but rounding is lost. */
static void products_at_knots(void **state)
{
    (void)state;
    for (int i = 0; i < 30; i++) {
        shape kind = (shape)(i % N_SHAPES);
        int scale = scale_of_round(i);
        list_law a =
            random_list(kind, 1 + (size_t)prop_below(&source, 24), scale);
        list_law b =
            random_list(kind, 1 + (size_t)prop_below(&source, 24), scale);
        check_composed(&a, &b, knots_at_sums(&a, &b), none, TOO_SMALL, 1e-12);
        check_composed(&a, &a, knots_at_sums(&a, &a), none, TOO_SMALL, 1e-12);
        list_law_free(&a);
        list_law_free(&b);
    }
}

/* Between even knots a cell of length h moves what has mass m by m h/4 at the
 * most, and what lies outside goes to the safe end. */
static void products_between_knots(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        shape kind = (shape)(i % N_SHAPES);
        int scale = scale_of_round(i);
        list_law a =
            random_list(kind, 2 + (size_t)prop_below(&source, 30), scale);
        list_law b =
            random_list(kind, 2 + (size_t)prop_below(&source, 30), scale);
        size_t n = i % 4 == 0 ? 2 : 2 + (size_t)prop_below(&source, 200);
        double out = i % 3 == 0 ? 0.2 : i % 3 == 1 ? -0.1 : 0;
        list_knots knots = even_knots(&a, &b, n, out);
        double h = knots.n > 1 ? knots.at[1] - knots.at[0] : 0;
        double gap = out > 0 ? 2 : fmin(h / 4 * (1 + h), 1) + 1e-12;
        if (knots.n >= 2)
            check_composed(&a, &b, knots, none, gap, 1e-9);
        list_law_free(&a);
        list_law_free(&b);
    }
}

/* The greatest products of many, with sums of every length in one cell. */
static void long_sums(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        list_law a = random_list(PLAIN, MOST_OUTCOMES, 0);
        list_law b = random_list(PLAIN, MOST_OUTCOMES, 0);
        for (size_t j = 0; i % 2 == 0 && j < b.n; j++) /* all short */
            b.loss[j] *= 1e-4, a.loss[j] *= 1e-4;
        list_knots knots = even_knots(&a, &b, i < 4 ? 2 : 3, -0.01);
        check_composed(&a, &b, knots, none, 2, 0);
        check_composed(&a, &a, even_knots(&a, &a, 2, -0.01), none, 2, 0);
        list_law_free(&a);
        list_law_free(&b);
    }
}

/* ---- Rounding ---------------------------------------------------------- */

/* Sums of many products: whoever does not charge rounding errs to the wrong
 * side in half of the cases. All sums are at a knot, and far below it. */
static void masses_of_many_terms(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        int scale = i % 2 ? LIST_SCALE : 0;
        list_law a = random_list(DYADIC, MOST_OUTCOMES, scale);
        list_law b = random_list(DYADIC, MOST_OUTCOMES, scale);
        check_composed(&a, &b, knots_at_sums(&a, &b), none, TOO_SMALL, 1e-12);
        list_law_free(&a);
        list_law_free(&b);
    }
}

/* A loss that is rounded is within the slack. */
static void losses_are_rounded_within_slack(void **state)
{
    (void)state;
    double la[2] = {-1e5, 1.0 / 3}, lb[2] = {1e-17, 1e5 / 7};
    double ma[2] = {0.25, 0.5}, mb[2] = {0.5, 0.25};
    list_law a = {2, la, ma, none, 1e-6, 0}, b = {2, lb, mb, none, 2e-6, 0};
    list_knots knots = knots_at_sums(&a, &b);
    for (int side = LIST_BELOW; side <= LIST_ABOVE; side++) {
        list_law out;
        assert_int_equal(list_compose(&out, &a, &b, knots, (list_side)side,
                             none, NULL, NULL),
            DOSI_OK);
        /* both slacks, and rounding of losses of 1e5 */
        assert_true(out.slack >= 3e-6 + 1e5 * 0x1p-52);
        assert_true(out.slack <= 3e-6 + 1e5 * 0x1p-46);
        list_law_free(&out);
    }
}

/* ---- Corners ----------------------------------------------------------- */

static void composed_of_nothing(void **state)
{
    (void)state;
    double zero = 0, half = 0.5, at[2] = {-1, 1};
    const list_law empty = {0, &zero, &half, 0, 0, 0};
    const list_law lost = {0, &zero, &half, 1, 0, 0};
    const list_law one = {1, &zero, &half, 0.25, 0, 0};
    list_knots knots = {2, at};
    static const double inf[3] = {0, 1, 0.75};
    const list_law *with[3] = {&empty, &lost, &one};
    for (int i = 0; i < 3; i++)
        for (int side = LIST_BELOW; side <= LIST_ABOVE; side++) {
            list_law out;
            assert_int_equal(list_compose(&out, with[i],
                                 i == 2 ? &lost : with[i], knots,
                                 (list_side)side, none, NULL, NULL),
                DOSI_OK);
            assert_int_equal(out.n, 0);
            double got = out.at_infinity;
            assert_true(fabs(got - inf[i]) <= 1e-14);
            assert_true(side == LIST_ABOVE ? got >= inf[i] : got <= inf[i]);
            list_law_free(&out);
        }
}

/* Of one outcome and one at +inf on both sides: 1 - (1/2)^2 is at +inf. */
static void infinities_are_joined(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        list_law a = random_list(PLAIN, 5, 0), b = random_list(PLAIN, 7, 0);
        a.at_infinity = prop_uniform(&source, 0, 0.5);
        b.at_infinity = prop_uniform(&source, 0, 0.5);
        check_composed(&a, &b, knots_at_sums(&a, &b), none, TOO_SMALL, 1e-12);
        arb_t inf;
        arb_init(inf);
        exact_infinity(inf, (exact_pair){&a, &b});
        list_law out;
        assert_int_equal(list_compose(&out, &a, &b, knots_at_sums(&a, &b),
                             LIST_ABOVE, none, NULL, NULL),
            DOSI_OK);
        assert_true(exact_is_above(out.at_infinity, inf));
        list_law_free(&out);
        assert_int_equal(list_compose(&out, &a, &b, knots_at_sums(&a, &b),
                             LIST_BELOW, none, NULL, NULL),
            DOSI_OK);
        assert_true(exact_is_below(out.at_infinity, inf));
        list_law_free(&out);
        arb_clear(inf);
        list_law_free(&a);
        list_law_free(&b);
    }
}

/* Products that are left out count at +inf from above, and are no more than
 * twice what is negligible together (for equal lists, four times). */
static void negligible_products(void **state)
{
    (void)state;
    int n_less = 0;
    for (int i = 0; i < 12; i++) {
        int scale = i % 4 < 2 ? LIST_SCALE : 0;
        list_law a = random_list(i % 2 ? PLAIN : RARE, MOST_OUTCOMES, scale);
        list_law b = random_list(i % 2 ? PLAIN : RARE, MOST_OUTCOMES, scale);
        a.at_infinity = b.at_infinity = none;
        double least = i % 2 ? 1e-4 : 1e-30;
        double negligible =
            exp(prop_uniform(&source, log(least), log(1e-2)));
        check_composed(&a, &b, knots_at_sums(&a, &b), negligible,
            2 * negligible, 1e-12);
        check_composed(&a, &a, knots_at_sums(&a, &a), negligible,
            4 * negligible, 1e-12);
        list_law all, some;
        list_knots knots = knots_at_sums(&a, &b);
        assert_int_equal(list_compose(&all, &a, &b, knots, LIST_BELOW,
                             none, NULL, NULL),
            DOSI_OK);
        assert_int_equal(list_compose(&some, &a, &b, knots, LIST_BELOW,
                             ldexp(negligible, scale), NULL, NULL),
            DOSI_OK);
        n_less += some.n < all.n;
        list_law_free(&all);
        list_law_free(&some);
        list_law_free(&a);
        list_law_free(&b);
    }
    assert_true(n_less >= 6); /* it saves work */
}

/* Equal losses are one outcome; what is too small, or unknown, is at +inf
 * from above. */
static void outcomes_are_put(void **state)
{
    (void)state;
    for (int side = LIST_BELOW; side <= LIST_ABOVE; side++) {
        list_law x;
        bool up = side == LIST_ABOVE;
        assert_int_equal(list_law_new(&x, 4, NULL), DOSI_OK);
        double tiny = LIST_MIN_MASS / 2;
        list_put(&x, 1, 0.1, (list_side)side);
        list_put(&x, 1, 0.2, (list_side)side);
        assert_int_equal(x.n, 1);
        double sum = x.mass[0];
        assert_true(up ? sum >= 0.1 + 0.2 : sum <= 0.1 + 0.2);
        assert_true(sum != 0.1 + 0.2);
        list_put(&x, 2, tiny, (list_side)side);
        list_put(&x, 2, none, (list_side)side);
        assert_int_equal(x.n, 1);
        assert_true(up ? x.at_infinity >= tiny && x.at_infinity < 2 * tiny
                       : x.at_infinity == 0);
        list_put(&x, 3, NAN, (list_side)side);
        assert_int_equal(x.n, 1);
        assert_true(x.at_infinity == (up ? HUGE_VAL : 0));
        list_law_free(&x);
    }
}

static int stop_at_once(void *context)
{
    (void)context;
    return 1;
}

static void work_is_stopped(void **state)
{
    (void)state;
    list_law a;
    assert_int_equal(list_law_new(&a, 200, NULL), DOSI_OK);
    for (int i = 0; i < 200; i++)
        list_put(&a, i, 0.001, LIST_BELOW);
    work_limits stopped = work_default(1e-6), spent = work_default(1e-6);
    work_limits paused = work_default(1e-6), free_ = work_default(1e-6);
    stopped.stop = stop_at_once;
    spent.budget = 100;
    paused.pause = 100;
    work_limits *rows[] = {&stopped, &spent, &paused, &free_};
    for (int i = 0; i < 4; i++) {
        list_law out;
        dosi_error err;
        dosi_status status = list_compose(&out, &a, &a,
            even_knots(&a, &a, 9, 0), LIST_ABOVE, none, rows[i], &err);
        assert_int_equal(status, i < 3 ? DOSI_EUNABLE : DOSI_OK);
        list_law_free(&out);
    }
    /* half of 200 x 200, each paid for */
    assert_true(free_.spent >= 4 * 199 * 200 / 2);
    list_law_free(&a);
}

/* ---- Profiles ---------------------------------------------------------- */

/* The end is on its side of the exact sum with the losses moved by slack, and
 * no further than with twice the slack. */
static void check_delta_end(
    const list_profile *f, exact_pair x, double slack, double epsilon)
{
    arb_t near, far;
    arb_init(near);
    arb_init(far);
    bool up = f->side == LIST_ABOVE;
    double most = 0x1p-48 * (fabs(epsilon) + 2e5) + slack;
    exact_h(near, x, epsilon, up ? slack : -slack);
    exact_h(far, x, epsilon, up ? slack + most : -slack - most);
    double end = list_delta_end(f, epsilon);
    arb_t got;
    arb_init(got);
    double log_end = list_log_delta_end(f, epsilon);
    arb_log(got, near, EXACT_BITS);
    if (!(up ? log_end == 0 || exact_is_above(log_end, got)
             : log_end == -HUGE_VAL || exact_is_below(log_end, got)))
        fail_msg("%s at %.17g: log %.17g for %.17g", up ? "above" : "below",
            epsilon, log_end, exact_double(got));
    arb_log(got, far, EXACT_BITS);
    double gap = (log_end - exact_double(got)) * (up ? 1 : -1);
    if (exact_double(got) > log(TOO_SMALL) + 30 - 0.693 * f->of->scale &&
        !(gap <= 1e-10))
        fail_msg("at %.17g: log %.17g for %.17g", epsilon, log_end,
            exact_double(got));
    arb_set_d(got, end);
    bool right = up ? !arb_lt(got, near) || end == 1 : !arb_gt(got, near);
    arb_sub(got, got, far, EXACT_BITS);
    if (!up)
        arb_neg(got, got);
    exact_less(got, far, 1e-11);
    exact_less(got, NULL, TOO_SMALL);
    if (!right || arb_is_positive(got))
        fail_msg("%s at %.17g: %.17g for %.17g", up ? "above" : "below",
            epsilon, end, exact_double(near));
    arb_clear(got);
    arb_clear(near);
    arb_clear(far);
}

static void check_q(
    const list_profile *f, exact_pair x, double slack, double epsilon)
{
    arb_t q;
    arb_init(q);
    dosi_interval got = list_q_above(f, epsilon);
    for (int i = -1; i <= 1; i++) {
        exact_q(q, x, epsilon, i * slack);
        if (!(exact_is_above(got.hi, q) && exact_is_below(got.lo, q)))
            fail_msg("Q above %.17g: [%.17g, %.17g] for %.17g", epsilon,
                got.lo, got.hi, exact_double(q));
    }
    assert_true(got.lo >= 0);
    arb_clear(q);
}

static void profiles_are_exact(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        shape kind = (shape)(i % N_SHAPES);
        int scale = scale_of_round(i);
        list_law a =
            random_list(kind, 1 + (size_t)prop_below(&source, 40), scale);
        list_law b =
            random_list(kind, 1 + (size_t)prop_below(&source, 20), scale);
        a.slack = i % 2 ? 0 : kind == TINY ? 1e-301 : 1e-9;
        b.slack = i % 4 ? 0 : 3 * a.slack;
        bool alone = i % 3 == 0;
        exact_pair x = {&a, alone ? NULL : &b};
        double slack = a.slack + (alone ? 0 : b.slack);
        for (int side = LIST_BELOW; side <= LIST_ABOVE; side++) {
            list_profile f;
            assert_int_equal(list_profile_new(&f, &a, alone ? NULL : &b,
                                 (list_side)side, NULL),
                DOSI_OK);
            for (int j = 0; j < 12; j++) {
                double at = a.loss[prop_below(&source, (int)a.n)];
                if (!alone)
                    at += b.loss[prop_below(&source, (int)b.n)];
                if (j % 2)
                    at += prop_uniform(&source, -1, 1) *
                          (kind == TINY ? 1e-300 : 1);
                check_delta_end(&f, x, slack, at);
                if (fabs(at) < 500)
                    check_q(&f, x, slack, at);
            }
            check_delta_end(&f, x, slack, -900);
            check_delta_end(&f, x, slack, 4e5); /* the mass at +inf alone */
            list_profile_free(&f);
        }
        list_law_free(&a);
        list_law_free(&b);
    }
}

/* Where e^-h underflows masses of Q are bounded nevertheless. */
static void masses_of_q_underflow(void **state)
{
    (void)state;
    double at[2] = {60, 80}, mass[2] = {0.25, 0.5};
    const list_law x = {2, at, mass, 0, 0, 0};
    list_profile f;
    assert_int_equal(
        list_profile_new(&f, &x, NULL, LIST_ABOVE, NULL), DOSI_OK);
    for (double epsilon = -700; epsilon < 80; epsilon += 20)
        check_q(&f, (exact_pair){&x, NULL}, 0, epsilon);
    list_profile_free(&f);
}

int main(void)
{
    source = prop_start("test_list_law");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_at_knots),
        cmocka_unit_test(products_between_knots),
        cmocka_unit_test(long_sums),
        cmocka_unit_test(masses_of_many_terms),
        cmocka_unit_test(losses_are_rounded_within_slack),
        cmocka_unit_test(composed_of_nothing),
        cmocka_unit_test(infinities_are_joined),
        cmocka_unit_test(negligible_products),
        cmocka_unit_test(outcomes_are_put),
        cmocka_unit_test(work_is_stopped),
        cmocka_unit_test(profiles_are_exact),
        cmocka_unit_test(masses_of_q_underflow),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
