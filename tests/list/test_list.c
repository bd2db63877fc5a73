/*
 * Lists of one run against profiles in closed form, for every kind of loss
 * law and any knots; and the questions: against exact composition, at their
 * corners, when memory fails and when the work is stopped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "list/list.h"
#include "list/list_ends.h"
#include "list/list_run.h"
#include "num/interval.h"
#include "sampling/amplify_profile.h"
#include "loss/loss_with_replacement.h"
#include "contour/engine/engine.h"
#include "support/exact_list.h"
#include "support/fail_alloc.h"
#include "support/loss_laws.h"

/* ---- One run ----------------------------------------------------------- */

/* delta at epsilon by the tails of the law on the side where they are known,
 * which test_loss_tails.c holds against closed forms. */
static ball profile_of(loss_tails *c, double epsilon)
{
    ball s = ball_of(epsilon), d;
    bool up = epsilon >= 0 || !c->has_density;
    if (up) {
        loss_tail t = {ball_of(0), ball_of(0)};
        if (c->has_density)
            t = loss_upper(c, s);
        d = ball_add(ball_sub(t.p, t.xq), c->p_inf);
    } else {
        loss_tail t = {ball_of(0), ball_of(0)};
        if (c->has_density)
            t = loss_lower(c, s);
        d = ball_sub(ball_sub(t.xq, t.p), ball_expm1(s));
    }
    for (size_t i = 0; i < loss_atom_count(c); i++) {
        loss_atom a = loss_atom_at(c, i);
        ball gap = ball_sub(s, a.at);
        if (up ? !ball_is_positive(gap) : !ball_is_negative(gap)) {
            ball term = ball_mul(a.p, ball_expm1(gap));
            d = up ? ball_sub(d, term) : ball_add(d, term);
        }
    }
    return d;
}

/* Even knots from lo to hi, 0 among them where it lies between. */
static list_knots even(double *at, size_t n, double lo, double hi)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        double next = lo + (hi - lo) * (double)i / (double)(n - 1);
        if (k > 0 && at[k - 1] < 0 && next > 0)
            at[k++] = 0;
        at[k++] = next;
    }
    return (list_knots){k, at};
}

/* Both lists enclose the profile, and are near each other. */
static void check_run(const loss_law *pair, list_knots knots, double width)
{
    static const double at[] = {
        0, 1e-9, 0.001, 0.04, 0.1, 0.3, 0.62, 0.8, 1, 1.7, 2.5, 4, 7, 40, 300};
    loss_tails c;
    loss_tails_init(&c, pair);
    list_law side[2];
    assert_int_equal(list_run(side, &c, knots, NULL, NULL), DOSI_OK);
    for (size_t i = 0; i < 2 * sizeof at / sizeof *at; i++) {
        double epsilon = i % 2 ? -at[i / 2] : at[i / 2];
        ball exact = profile_of(&c, epsilon);
        arb_t low, high;
        arb_init(low);
        arb_init(high);
        exact_h(low, (exact_pair){&side[LIST_BELOW], NULL}, epsilon,
            -side[LIST_BELOW].slack);
        exact_h(high, (exact_pair){&side[LIST_ABOVE], NULL}, epsilon,
            side[LIST_ABOVE].slack);
        double lo = exact_double(low), hi = exact_double(high);
        if (!(lo <= ball_upper(exact) && ball_lower(exact) <= hi &&
                hi - lo <= width + 1e-12))
            fail_msg("noise %d map %d, %zu knots, at %g: %.17g <= %.17g <= "
                     "%.17g",
                (int)pair->noise, (int)pair->map, knots.n, epsilon, lo,
                ball_mid(exact), hi);
        arb_clear(low);
        arb_clear(high);
    }
    list_law_free(&side[0]);
    list_law_free(&side[1]);
}

/* A cell of length h moves its mass m by m h/4 at the most. */
static void check_with_all_knots(const loss_law *pair)
{
    double at[600];
    check_run(pair, even(at, 2, -0.1, 0.1), 2);
    check_run(pair, even(at, 2, 0, 0.1), 2);
    check_run(pair, even(at, 9, 0.3, 2), 2);
    check_run(pair, even(at, 9, -2, -0.3), 2);
    check_run(pair, even(at, 9, -20, -2), 2);
    check_run(pair, even(at, 33, -1e-9, 1e-9), 2);
    check_run(pair, even(at, 33, -600, 600), 2);
    check_run(pair, even(at, 201, -20, 20), 0.2 / 4);
    check_run(pair, even(at, 501, -20, 20), 0.08 / 4);
}

static void runs_of_densities(void **state)
{
    (void)state;
    static const double rates[] = {1e-4, 0.02, 0.4};
    for (int noise = LOSS_GAUSSIAN; noise <= LOSS_EXPONENTIAL; noise++) {
        loss_law pair = loss_of((loss_noise)noise, 0.8, LOSS_PLAIN, 1, 1);
        double at[600]; /* of a smooth law the square of the length counts */
        check_run(&pair, even(at, 501, -20, 20), 0.08 * 0.08 / 2);
        check_with_all_knots(&pair);
        for (int map = LOSS_MIXTURE_FIRST; map <= LOSS_WITHOUT_REPLACEMENT;
             map++)
            for (int i = 0; i < 3; i++) {
                pair =
                    loss_of((loss_noise)noise, 0.8, (loss_map)map, rates[i], 1);
                check_with_all_knots(&pair);
            }
        pair.map = LOSS_WITH_REPLACEMENT;
        pair.rate = amplify_rate_with_replacement(1000, 20);
        pair.draws = 20;
        pair.population = 1000;
        pair.removed = loss_with_replacement_terms(20, 1000, -40);
        check_with_all_knots(&pair);
    }
}

static void runs_of_splits(void **state)
{
    (void)state;
    static const unsigned rows[][2] = {
        {1, 0}, {0, 1}, {1, 1}, {3, 0}, {0, 3}, {2, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        loss_law pair = loss_of(LOSS_GAUSSIAN, 0.7, LOSS_GROUP, 0.05, 1);
        pair.removed = rows[i][0];
        pair.added = rows[i][1];
        check_with_all_knots(&pair);
    }
}

static finite_law *finite_of(const double *p, const double *q, size_t n)
{
    finite_law *out = NULL;
    assert_int_equal(finite_from_pair(&out, p, q, n, NULL), DOSI_OK);
    return out;
}

/* Few atoms are taken as they are; many are moved to the knots. Some of P is
 * at +inf, some of Q at -inf. */
static void runs_of_atoms(void **state)
{
    (void)state;
    static const double p[4] = {0.5, 0.3, 0.2, 0}, q[4] = {0.4, 0.3, 0, 0.3};
    finite_law *few = finite_of(p, q, 4);
    loss_law pair = loss_of_atoms(few, 1);
    double at[600];
    check_run(&pair, even(at, 33, -5, 5), 0);
    check_run(&pair, even(at, 2, -5, 5), 0);
    check_run(&pair, even(at, 2, 10, 11), 0);
    finite_free(few);
    double many[2][400];
    for (int i = 0; i < 400; i++) {
        many[0][i] = exp(-0.02 * i);
        many[1][i] = exp(-0.02 * (399 - i));
    }
    finite_law *all = finite_of(many[0], many[1], 400);
    pair = loss_of_atoms(all, 1);
    check_run(&pair, even(at, 33, -9, 9), 0.3);
    check_run(&pair, even(at, 201, -9, 9), 0.03);
    check_run(&pair, even(at, 33, 2, 3), 2);
    check_run(&pair, even(at, 33, -3, -2), 2);
    check_run(&pair, even(at, 500, -9, 9), 0); /* as they are */
    finite_free(all);
}

/* ---- Questions --------------------------------------------------------- */

static dosi_interval log_delta_of(
    const loss_law *parts, size_t n, double epsilon)
{
    dosi_interval v = {NAN, NAN};
    assert_int_equal(
        list_log_delta(&v, parts, n, epsilon, NULL, NULL), DOSI_OK);
    return v;
}

static dosi_interval epsilon_of(const loss_law *parts, size_t n, double delta)
{
    dosi_interval v = {NAN, NAN};
    assert_int_equal(
        list_epsilon(&v, parts, n, ball_log(ball_of(delta)), NULL, NULL),
        DOSI_OK);
    return v;
}

static void assert_holds(dosi_interval got, dosi_interval want, double width)
{
    if (!(got.lo <= want.hi && want.lo <= got.hi &&
            (got.hi == got.lo || got.hi - got.lo <= width)))
        fail_msg("[%.17g, %.17g] for [%.17g, %.17g], width %g", got.lo, got.hi,
            want.lo, want.hi, width);
}

/* Compositions of finite laws, which are enumerated in balls. */
static void finite_laws_are_exact(void **state)
{
    (void)state;
    static const double p[3] = {0.6, 0.3, 0.1}, q[3] = {0.3, 0.3, 0.4};
    static const double counts[] = {1, 2, 3, 7, 20, 100};
    static const double at[] = {-1, 0, 0.2, 1, 3, 8};
    static const double deltas[] = {0.3, 1e-3, 1e-9, 1e-40};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int leaky = 0; leaky < 2; leaky++) {
            finite_law *one = NULL, *all = NULL;
            if (leaky)
                assert_int_equal(finite_leaky_response(
                                     &one, ball_of(0.3), ball_of(1e-12), NULL),
                    DOSI_OK);
            else
                one = finite_of(p, q, 3);
            assert_int_equal(
                finite_power(&all, one, counts[i], 0, NULL), DOSI_OK);
            loss_law pair = loss_of_atoms(one, counts[i]);
            for (size_t j = 0; j < sizeof at / sizeof *at; j++)
                assert_holds(log_delta_of(&pair, 1, at[j]),
                    finite_log_delta(all, ball_of(at[j])), 2e-6);
            for (size_t j = 0; j < sizeof deltas / sizeof *deltas; j++) {
                ball delta = ball_of(deltas[j]);
                dosi_interval want =
                    finite_epsilon(all, delta, ball_log(delta));
                assert_holds(epsilon_of(&pair, 1, deltas[j]), want,
                    2e-6 * want.hi + 1e-13);
            }
            finite_free(one);
            finite_free(all);
        }
}

/* All of P at +inf, a part of it, and none: below the floor no epsilon is
 * enough, and beyond the greatest loss delta is the floor. */
static void floors_and_ends(void **state)
{
    (void)state;
    static const double p[2] = {1, 0}, q[2] = {0, 1};
    finite_law *lost = finite_of(p, q, 2), *leaky = NULL;
    loss_law pair = loss_of_atoms(lost, 3);
    assert_holds(log_delta_of(&pair, 1, 5), iv_point(0), 0);
    assert_true(epsilon_of(&pair, 1, 0.5).hi == HUGE_VAL);
    assert_true(list_log_floor(&pair, 1).lo == 0);
    finite_free(lost);

    assert_int_equal(
        finite_leaky_response(&leaky, ball_of(0.5), ball_of(1e-3), NULL),
        DOSI_OK);
    loss_law parts[2] = {
        loss_of_atoms(leaky, 4), loss_of(LOSS_LAPLACE, 0.25, LOSS_PLAIN, 1, 2)};
    /* 1 - (1 - 1e-3)^4 */
    dosi_interval floor_ = {log(0.003994003999), log(0.003994004001)};
    assert_holds(list_log_floor(parts, 2), floor_, 1e-12);
    assert_holds(log_delta_of(parts, 2, 2.5), floor_, 1e-12);
    assert_true(log_delta_of(parts, 2, 2.49).hi > floor_.lo);
    dosi_interval e = epsilon_of(parts, 2, 0.00399400399);
    assert_true(e.lo > 2.4 && e.hi == HUGE_VAL);
    e = epsilon_of(parts, 2, 0.0039940041);
    assert_true(e.lo > 2.3 && e.hi <= 2.5 * (1 + 1e-12));
    finite_free(leaky);

    /* no mass at +inf: nothing is left beyond the greatest loss */
    loss_law bounded = loss_of(LOSS_LAPLACE, 0.1, LOSS_PLAIN, 1, 67);
    dosi_interval v;
    assert_true(list_is_beyond(&v, &bounded, 1, 6.71));
    assert_true(v.hi == -HUGE_VAL);
    assert_false(list_is_beyond(&v, &bounded, 1, 6.69));
    assert_true(log_delta_of(&bounded, 1, 6.71).hi == -HUGE_VAL);
    /* all at the greatest: (e^a/2)^67... decides near the smallest delta */
    v = list_epsilon_by_ends(&bounded, 1, ball_log(ball_of(1e-40)));
    assert_true(v.lo > 6.6 && v.hi >= 6.7 && v.hi < 6.7 * (1 + 1e-12));
    assert_holds(epsilon_of(&bounded, 1, 1e-40), v, 6.7 * 1e-2);
}

/* Next to the greatest loss, where lists tell nothing from below: the event
 * that every run has it. */
static void next_to_the_greatest_loss(void **state)
{
    (void)state;
    static const double below[] = {1e-12, 1e-9, 1e-6, 1e-3};
    loss_law pair = loss_of(LOSS_LAPLACE, 0.1, LOSS_PLAIN, 1, 67);
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        double epsilon = 6.7 - below[i];
        /* all at the greatest: 2^-67 (1 - e^-below), and 67 runs that are not
         * quite add at most 67 below as much */
        double least = -67 * log(2) + log(-expm1(-below[i]));
        double got = list_log_delta_by_ends(&pair, 1, epsilon);
        assert_true(got <= least + 4e-15 / below[i] && got >= least - 2e-3);
        dosi_interval v = log_delta_of(&pair, 1, epsilon);
        assert_true(v.lo >= got && v.lo <= least + 70 * below[i] + 1e-3);
        assert_true(v.hi >= least - 2e-3);
    }
}

/* What lists are too coarse to tell is not within. */
static void coarse_lists_do_not_tell(void **state)
{
    (void)state;
    loss_law pair = loss_of(LOSS_GAUSSIAN, 1, LOSS_MIXTURE_FIRST, 1e-3, 1000);
    dosi_interval fine = log_delta_of(&pair, 1, 0.5);
    static const double off[] = {-1e-4, -1e-3, -1e-2, 1};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        work_limits limits = work_default(10); /* the first lists do */
        bool within = true;
        double bound = (off[i] < 0 ? fine.lo : fine.hi) + off[i];
        assert_int_equal(list_is_within(&within, &pair, 1, 0.5, ball_of(bound),
                             &limits, NULL),
            DOSI_OK);
        assert_true(within == (off[i] > 0));
    }
}

/* Below it masses are lost; and more runs than can be counted. */
static void refused(void **state)
{
    (void)state;
    loss_law pair = loss_of(LOSS_GAUSSIAN, 0.1, LOSS_PLAIN, 1, 4);
    dosi_interval v;
    dosi_error err;
    assert_int_equal(
        list_epsilon(&v, &pair, 1, ball_of(-1400), NULL, &err), DOSI_EUNABLE);
    assert_int_equal(list_log_delta(&v, &pair, 1, 40, NULL, &err), DOSI_OK);
    assert_true(v.lo == -HUGE_VAL && v.hi < -690 && v.hi > -1500);
    bool within = true;
    assert_int_equal(
        list_is_within(&within, &pair, 1, 40, ball_of(-1400), NULL, &err),
        DOSI_EUNABLE);
    assert_false(within);
    pair.count = 2e9;
    assert_int_equal(
        list_epsilon(&v, &pair, 1, ball_of(-9), NULL, &err), DOSI_EUNABLE);
    assert_int_equal(
        list_tradeoff(&v, &pair, 1, 0.1, NULL, &err), DOSI_EUNABLE);
}

/* The ends of a trade-off, and one with mass at both infinities: a test that
 * rejects where Q is 0 alone. */
static void tradeoff_corners(void **state)
{
    (void)state;
    static const double p[3] = {0.5, 0.5, 0}, q[3] = {0, 0.5, 0.5};
    finite_law *one = finite_of(p, q, 3);
    loss_law pair = loss_of_atoms(one, 1);
    static const struct {
        double alpha, beta;
    } rows[] = {{1e-9, 0.5 - 1e-9}, {0.125, 0.375}, {0.25, 0.25}, {0.5, 0},
        {0.75, 0}, {1, 0}, {0, 0.5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dosi_interval v;
        assert_int_equal(
            list_tradeoff(&v, &pair, 1, rows[i].alpha, NULL, NULL), DOSI_OK);
        assert_true(v.lo <= rows[i].beta + 1e-16);
        assert_true(v.hi >= rows[i].beta - 1e-16);
        if (rows[i].alpha > 0)
            assert_true(v.hi - v.lo <= 1e-11);
    }
    finite_free(one);
}

/* Where the event that Q rejects less often than alpha begins below the range
 * of losses: beta = (1 - 0.7)/0.5 p_0 though p_0 is no normal double. */
static void tradeoff_of_a_rare_loss(void **state)
{
    (void)state;
    static const double p[2] = {1e-310, 1}, q[2] = {0.5, 0.5};
    finite_law *one = finite_of(p, q, 2);
    loss_law pair = loss_of_atoms(one, 1);
    dosi_interval v;
    assert_int_equal(list_tradeoff(&v, &pair, 1, 0.7, NULL, NULL), DOSI_OK);
    assert_true(v.lo <= 0.61e-310 && v.hi >= 0.59e-310 && v.hi <= 1e-13);
    finite_free(one);
}

/* A delta that is known between two numbers: epsilon lies between those of
 * both. */
static void epsilon_at_an_interval(void **state)
{
    (void)state;
    loss_law pair = loss_of(LOSS_LAPLACE, 0.2, LOSS_MIXTURE_FIRST, 0.1, 50);
    dosi_interval wide, ends[2];
    ball log_delta = ball_of_interval((dosi_interval){-13, -11});
    assert_int_equal(
        list_epsilon(&wide, &pair, 1, log_delta, NULL, NULL), DOSI_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(list_epsilon(&ends[i], &pair, 1,
                             ball_of(i ? -11 : -13), NULL, NULL),
            DOSI_OK);
    assert_true(wide.lo <= ends[1].hi && ends[0].lo <= wide.hi);
    assert_true(wide.lo >= ends[1].hi * (1 - 1e-3));
    assert_true(wide.hi <= ends[0].lo * (1 + 1e-3));
}

/* ---- Memory and time --------------------------------------------------- */

static const dosi_interval few_steps = {0.5, 0.6};

static loss_law trained(void)
{
    return loss_of(LOSS_GAUSSIAN, 1, LOSS_MIXTURE_FIRST, 1e-3, 20);
}

typedef dosi_status (*use)(dosi_interval *out, work_limits *limits);

static dosi_status use_epsilon(dosi_interval *out, work_limits *limits)
{
    loss_law parts[2] = {
        trained(), loss_of(LOSS_LAPLACE, 0.2, LOSS_PLAIN, 1, 3)};
    return list_epsilon(out, parts, 2, ball_log(ball_of(1e-6)), limits, NULL);
}

static dosi_status use_log_delta(dosi_interval *out, work_limits *limits)
{
    loss_law pair = trained();
    return list_log_delta(out, &pair, 1, few_steps.lo, limits, NULL);
}

static dosi_status use_tradeoff(dosi_interval *out, work_limits *limits)
{
    loss_law pair = trained();
    return list_tradeoff(out, &pair, 1, 0.1, limits, NULL);
}

static const use uses[] = {use_epsilon, use_log_delta, use_tradeoff};
#define N_USES (sizeof uses / sizeof *uses)

static void memory_fails(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_USES; i++) {
        work_limits limits = work_default(1e-2);
        long before = fail_live;
        dosi_status status = DOSI_ENOMEM;
        for (long n = 1; status != DOSI_OK; n += n < 40 ? 1 : n / 8) {
            dosi_interval v;
            fail_countdown = n;
            status = uses[i](&v, &limits);
            fail_countdown = -1;
            limits.spent = 0;
            assert_true(status == DOSI_OK || status == DOSI_ENOMEM);
            assert_int_equal(fail_live, before);
        }
    }
}

static int stops(void *context)
{
    long *left = context;
    return (*left)-- <= 0;
}

/* Whatever was certain before the stop is certain. */
static void work_is_stopped(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_USES; i++) {
        dosi_interval exact;
        long n_ok = 0, n_unable = 0;
        assert_int_equal(uses[i](&exact, NULL), DOSI_OK);
        for (long n = 0; n < 4000; n += 1 + n / 2) {
            work_limits limits = work_default(1e-9);
            long left = n;
            limits.stop = stops;
            limits.stop_context = &left;
            dosi_interval v;
            dosi_status status = uses[i](&v, &limits);
            assert_true(status == DOSI_OK || status == DOSI_EUNABLE);
            n_ok += status == DOSI_OK;
            n_unable += status == DOSI_EUNABLE;
            if (status == DOSI_OK)
                assert_true(v.lo <= exact.hi && exact.lo <= v.hi);
        }
        assert_true(n_ok > 0 && n_unable > 0);
        for (double budget = 1e5; budget < 1e9; budget *= 10) {
            work_limits limits = work_default(1e-9);
            limits.budget = budget;
            dosi_interval v;
            dosi_status status = uses[i](&v, &limits);
            assert_true(status == DOSI_OK || status == DOSI_EUNABLE);
            assert_true(limits.spent < 3 * budget + 1e7);
            if (status == DOSI_OK)
                assert_true(v.lo <= exact.hi && exact.lo <= v.hi);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_densities),
        cmocka_unit_test(runs_of_splits),
        cmocka_unit_test(runs_of_atoms),
        cmocka_unit_test(finite_laws_are_exact),
        cmocka_unit_test(floors_and_ends),
        cmocka_unit_test(next_to_the_greatest_loss),
        cmocka_unit_test(coarse_lists_do_not_tell),
        cmocka_unit_test(refused),
        cmocka_unit_test(tradeoff_corners),
        cmocka_unit_test(tradeoff_of_a_rare_loss),
        cmocka_unit_test(epsilon_at_an_interval),
        cmocka_unit_test(memory_fails),
        cmocka_unit_test(work_is_stopped),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
