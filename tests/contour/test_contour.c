/*
 * Contours chosen by hand, so poorly that aliases, truncation or smoothing make
 * up most of the interval: against closed profiles by Arb. Each bound must
 * cover what it bounds, and the best of many cases must be close to it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <arb.h>
#include <arb_hypgeom.h>
#include <cmocka.h>

#include "support/random.h"
#include "contour/core/contour.h"

static const slong precision = 256;
static prop_random source;

/* ---- Closed profiles --------------------------------------------------- */

/* Phi(x) */
static void normal_cdf(arb_t out, const arb_t x)
{
    arb_t root;
    arb_init(root);
    arb_sqrt_ui(root, 2, precision);
    arb_div(out, x, root, precision);
    arb_neg(out, out);
    arb_hypgeom_erfc(out, out, precision);
    arb_mul_2exp_si(out, out, -1);
    arb_clear(root);
}

/* Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu) at x = epsilon - loss */
static double gaussian_delta(double mu, double epsilon, double at_loss)
{
    arb_t x, m, a, b;
    arb_init(x);
    arb_init(m);
    arb_init(a);
    arb_init(b);
    arb_set_d(x, epsilon);
    arb_set_d(a, at_loss);
    arb_sub(x, x, a, precision);
    arb_set_d(m, mu);
    arb_div(a, x, m, precision);
    arb_neg(a, a);
    arb_mul_2exp_si(m, m, -1);
    arb_sub(b, a, m, precision);
    arb_add(a, a, m, precision);
    normal_cdf(a, a);
    normal_cdf(b, b);
    arb_exp(x, x, precision);
    arb_submul(a, b, x, precision);
    double v = arf_get_d(arb_midref(a), ARF_RND_NEAR);
    arb_clear(x);
    arb_clear(m);
    arb_clear(a);
    arb_clear(b);
    return v;
}

/* k runs of the pair with losses +-e and mass d at +inf: masses of P. */
typedef struct lattice_law {
    int n;
    double loss[16], mass[16];
} lattice_law;

static lattice_law lattice_law_of(double e, double d, int k)
{
    lattice_law l = {.n = k + 1};
    for (int i = 0; i <= k; i++) {
        double up = 1 / (1 + exp(-e)), binomial = 1;
        for (int j = 0; j < i; j++)
            binomial = binomial * (k - j) / (j + 1);
        l.loss[i] = e * (2 * i - k);
        l.mass[i] = binomial * pow((1 - d) * up, i) *
                    pow((1 - d) * (1 - up), k - i);
    }
    return l;
}

/* delta of its finite part, with one more Gaussian of deviation s. */
static double smoothed_upper(const lattice_law *l, double epsilon, double s)
{
    double sum = 0;
    for (int i = 0; i < l->n; i++)
        sum += l->mass[i] * gaussian_delta(s, epsilon, l->loss[i]);
    return sum;
}

/* P[S > eps + V] - e^eps Q[S > eps + V], V of deviation s */
static double smoothed_lower(const lattice_law *l, double epsilon, double s)
{
    double sum = 0;
    for (int i = 0; i < l->n; i++)
        sum += l->mass[i] * -expm1(epsilon - l->loss[i]) *
               erfc((epsilon - l->loss[i]) / (s * sqrt(2))) / 2;
    return sum;
}

static double ladder_delta(const lattice_law *l, double epsilon)
{
    double sum = 0;
    for (int i = 0; i < l->n; i++)
        if (l->loss[i] > epsilon)
            sum += l->mass[i] * -expm1(epsilon - l->loss[i]);
    return sum;
}

/* ---- Contours by hand -------------------------------------------------- */

typedef struct hand {
    contour_part part;
    part_request want;
    contour contour;
} hand;

/* The interval of delta itself. */
static dosi_interval read_choice(
    hand *h, const loss_law *pair, contour_choice choice, double epsilon)
{
    cumulant_guess rough;
    bool found = false;
    assert_true(contour_part_init(&h->part, pair));
    assert_true(h->part.type->guess_cumulant(&rough, &h->part, choice.t));
    h->want = (part_request){.t = choice.t, .reach = choice.alias_right,
        .outer = choice.step * choice.n_outer * (1 + 0x1p-40),
        .digits = 45, .multiple = 1};
    contour_parts parts = {1, &h->part, NULL};
    assert_int_equal(contour_build(&h->contour, &found, &parts,
                         &h->want, &choice, NULL, NULL),
        DOSI_OK);
    assert_true(found);
    dosi_interval log_delta = contour_read(&h->contour, epsilon);
    contour_free(&h->contour);
    contour_part_free(&h->part);
    return (dosi_interval){exp(log_delta.lo), exp(log_delta.hi)};
}

/* A step of 24 bits, so that its multiples are exact. */
static double step_of(double x)
{
    return (double)(float)x;
}

static loss_law gaussian_law(double mu)
{
    return (loss_law){
        .noise = LOSS_GAUSSIAN, .parameter = ball_of(mu), .count = 1};
}

static void check_holds(dosi_interval i, double truth)
{
    if (!(i.lo <= truth * (1 + 1e-14) && i.hi >= truth * (1 - 1e-14)))
        print_error("[%.17g, %.17g] misses %.17g\n", i.lo, i.hi, truth);
    assert_true(i.lo <= truth * (1 + 1e-14));
    assert_true(i.hi >= truth * (1 - 1e-14));
}

/* ---- Aliases ----------------------------------------------------------- */

/* The sum is delta with its aliases, the lower end takes the bound away. */
static void aliases_are_covered(void **state)
{
    (void)state;
    double tightest = HUGE_VAL;
    for (int i = 0; i < 400; i++) {
        double mu = prop_uniform(&source, 0.3, 2);
        double epsilon = prop_uniform(&source, -1, 4);
        double t = exp(prop_uniform(&source, log(0.2), log(6)));
        double period = prop_uniform(&source, 1, 12);
        contour_choice c = {.epsilon = epsilon, .t = t,
            .step = step_of(6.283185307 / period),
            .alias_right = t * exp(prop_uniform(&source, -3, 1.5))};
        c.n_outer = ceil(10 / mu / c.step) + 2;
        hand h;
        loss_law pair = gaussian_law(mu);
        dosi_interval got = read_choice(&h, &pair, c, epsilon);
        double truth = gaussian_delta(mu, epsilon, 0);
        check_holds(got, truth);
        if (got.lo > 0 && got.hi > truth * (1 + 1e-9))
            tightest =
                fmin(tightest, (got.hi - got.lo) / (got.hi - truth));
    }
    assert_true(tightest < 1.5);
}

/* ---- Truncation -------------------------------------------------------- */

/* At the epsilon where all terms have nearly the same sign. */
static void truncation_is_covered(void **state)
{
    (void)state;
    double tightest = HUGE_VAL;
    for (int i = 0; i < 300; i++) {
        double mu = prop_uniform(&source, 0.3, 2);
        double t = exp(prop_uniform(&source, log(0.02), log(6)));
        double epsilon = mu * mu * (t + 0.5) -
                         prop_uniform(&source, 0, 1.2) * (1 / t + 1 / (1 + t));
        double period = 30 * (mu + mu * mu * (1 + t)) + 45 / t;
        contour_choice c = {.epsilon = epsilon, .t = t,
            .step = step_of(6.283185307 / period), .alias_right = 3 / mu};
        double outer = prop_uniform(&source, 0.05, 2.5) / mu;
        c.n_outer = ceil(outer / c.step) + 1;
        hand h;
        loss_law pair = gaussian_law(mu);
        dosi_interval got = read_choice(&h, &pair, c, epsilon);
        double truth = gaussian_delta(mu, epsilon, 0);
        check_holds(got, truth);
        double middle = (got.lo + got.hi) / 2;
        if (got.lo > 0 && fabs(middle - truth) > 1e-9 * truth)
            tightest = fmin(tightest,
                (got.hi - got.lo) / 2 / fabs(middle - truth));
    }
    assert_true(tightest < 1.3);
}

/* ---- Blurs ------------------------------------------------------------- */

static finite_law *leaky(double e, double d)
{
    finite_law *two;
    assert_int_equal(
        finite_leaky_response(&two, ball_of(e), ball_of(d), NULL), DOSI_OK);
    return two;
}

/* Good contours: the ends are the two smoothed values themselves. */
static void smoothed_ends_are_exact(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        double e = 0.5 + i * 0.01, d = i % 2 ? 0.1 : 0;
        finite_law *two = leaky(e, d);
        loss_law pair = {.noise = LOSS_FINITE, .finite = two, .count = 6};
        lattice_law l = lattice_law_of(e, d, 6);
        double s = exp(prop_uniform(&source, log(0.02), log(0.3)));
        double t = prop_uniform(&source, 0.4, 1.2);
        double epsilon = prop_uniform(&source, -1, 2.5);
        contour_choice c = {.epsilon = epsilon, .t = t, .smoothing_sigma = s,
            .step = step_of(6.283185307 / (40 / t + 12 + 30 * s)),
            .alias_right = 5};
        c.n_outer = ceil(10.5 / s / c.step);
        hand h;
        dosi_interval got = read_choice(&h, &pair, c, epsilon);
        double upper = smoothed_upper(&l, epsilon, s);
        double lower = smoothed_lower(&l, epsilon, s);
        assert_true(got.hi >= upper * (1 - 1e-13));
        assert_true(got.hi <= upper * (1 + 1e-9));
        if (lower > 1e-3 * upper) {
            assert_true(got.lo <= lower * (1 + 1e-13));
            assert_true(got.lo >= lower - 1e-9 * upper);
        }
        check_holds(got, ladder_delta(&l, epsilon));
        finite_free(two);
    }
}

/* Coarse steps and few terms: still on the right side of them. */
static void smoothing_covers_aliasing_and_truncation(void **state)
{
    (void)state;
    double tightest = HUGE_VAL;
    finite_law *two = leaky(0.6, 0.05);
    loss_law pair = {.noise = LOSS_FINITE, .finite = two, .count = 4};
    lattice_law l = lattice_law_of(0.6, 0.05, 4);
    for (int i = 0; i < 600; i++) {
        double s = exp(prop_uniform(&source, log(0.05), log(1)));
        double t = prop_uniform(&source, 0.3, 4);
        double epsilon = prop_uniform(&source, -1, 2);
        bool coarse = i % 2;
        double period = coarse ? prop_uniform(&source, 2, 12)
                               : 45 / t + 20 + 30 * s;
        double far = coarse ? 10.5 : prop_uniform(&source, 0.8, 3.5);
        contour_choice c = {.epsilon = epsilon, .t = t, .smoothing_sigma = s,
            .step = step_of(6.283185307 / period),
            .alias_right = prop_uniform(&source, 0.5, 6)};
        c.n_outer = ceil(far / s / c.step);
        hand h;
        dosi_interval got = read_choice(&h, &pair, c, epsilon);
        double upper = smoothed_upper(&l, epsilon, s);
        double lower = smoothed_lower(&l, epsilon, s);
        assert_true(got.hi >= upper * (1 - 1e-13));
        assert_true(got.lo <= fmax(lower, 0) + 1e-13 * upper);
        check_holds(got, ladder_delta(&l, epsilon));
        if (got.lo > 0 && coarse && got.hi < 1 && got.hi > 1.001 * upper)
            tightest =
                fmin(tightest, (got.hi - got.lo) / (got.hi - lower));
    }
    assert_true(tightest < 3);
    finite_free(two);
}

/* Losses so small that the terms left out hardly turn: the sums with and
 * without them differ by no more than was allowed for, and by nearly that. */
static void smoothing_covers_early_truncation(void **state)
{
    (void)state;
    double tightest = HUGE_VAL;
    finite_law *two = leaky(1e-4, 0);
    loss_law pair = {.noise = LOSS_FINITE, .finite = two, .count = 1};
    for (int i = 0; i < 200; i++) {
        double s = exp(prop_uniform(&source, log(0.01), log(0.3)));
        double t = prop_uniform(&source, 0.2, 1.5);
        contour_choice c = {.t = t, .smoothing_sigma = s, .alias_right = 4,
            .step = step_of(6.283185307 / (40 / t + 30 * s))};
        hand h[2];
        double upper[2], lower[2];
        for (int j = 0; j < 2; j++) {
            double outer = j == 0 ? prop_uniform(&source, 0.1, 2.5) : 12;
            c.n_outer = ceil(outer / s / c.step);
            dosi_interval got = read_choice(&h[j], &pair, c, 0);
            upper[j] = got.hi - h[j].contour.truncation_upper;
            lower[j] = got.lo + h[j].contour.truncation_lower;
        }
        double gap = fabs(upper[0] - upper[1]);
        double cut = h[0].contour.truncation_upper;
        assert_true(gap <= cut * (1 + 1e-5) + 1e-12);
        tightest = fmin(tightest, cut / gap);
        if (lower[0] > h[0].contour.truncation_lower * (1 + 1e-9))
            assert_true(fabs(lower[0] - lower[1]) <=
                        h[0].contour.truncation_lower * (1 + 1e-5) + 1e-12);
    }
    assert_true(tightest < 1.5);
    finite_free(two);
}

/* ---- Spoilt choices ---------------------------------------------------- */

/* Many sampled steps: what was chosen well is made worse one way at a time,
 * and must contain what the good choice gave. */
static void spoilt_choices_contain_the_good_one(void **state)
{
    (void)state;
    static const struct {
        double rate, mu, count;
        bool add;
        double epsilon;
    } cases[] = {{0.01, 1, 1000, false, 1}, {0.01, 1, 1000, true, 1},
        {0.1, 0.5, 40, false, 0.5}, {0.3, 1 / 3.0, 100, true, 2},
        {0.02, 1.5, 300, false, 3}};
    double widest = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        loss_law pair = {.noise = LOSS_GAUSSIAN,
            .map = cases[i].add ? LOSS_BASE_FIRST : LOSS_MIXTURE_FIRST,
            .parameter = ball_of(cases[i].mu),
            .rate = ball_of(cases[i].rate),
            .count = cases[i].count};
        contour_part part;
        part_request want;
        contour_choice best;
        contour_effort effort = {.width = 1e-12, .max_cost = 1e8};
        assert_true(contour_part_init(&part, &pair));
        contour_parts parts = {1, &part, NULL};
        assert_true(
            contour_saddle_at_epsilon(&best, &parts, cases[i].epsilon));
        assert_true(contour_choose(&best, &want, &parts, &effort));
        dosi_interval good = {0, 0};
        for (int spoil = 0; spoil < 60; spoil++) {
            contour_choice c = best;
            part_request w = want;
            double f = 1 + spoil % 20 * 0.15;
            if (spoil < 20) { /* aliases */
                c.step = step_of(c.step * f);
                c.n_outer = ceil(c.n_outer / f);
            } else if (spoil < 40) { /* truncation */
                c.n_outer = ceil(c.n_outer / f);
            } else { /* quadrature */
                w.digits = fmax(45 - spoil % 20 * 2.5, 15);
            }
            bool found = false;
            contour line;
            assert_int_equal(contour_build(&line, &found,
                                 &parts, &w, &c, NULL, NULL),
                DOSI_OK);
            if (!found)
                continue;
            dosi_interval got =
                contour_read(&line, cases[i].epsilon);
            contour_free(&line);
            if (spoil == 0)
                good = got;
            assert_true(good.hi - good.lo < 1e-9);
            assert_true(got.lo <= good.hi && got.hi >= good.lo);
            if (got.hi - got.lo < 1)
                widest = fmax(widest, got.hi - got.lo);
        }
        contour_part_free(&part);
    }
    assert_true(widest > 1e-3); /* the bounds were put to work */
}

/* One contour read at many other epsilons. */
static void one_contour_serves_its_neighbours(void **state)
{
    (void)state;
    loss_law pair = gaussian_law(0.8);
    for (int i = 0; i < 100; i++) {
        double at = 1, epsilon = at + prop_uniform(&source, -1.5, 3);
        contour_choice c = {.epsilon = at, .t = 1.5,
            .step = step_of(0.15), .n_outer = 100, .alias_right = 3};
        hand h;
        dosi_interval got = read_choice(&h, &pair, c, epsilon);
        check_holds(got, gaussian_delta(0.8, epsilon, 0));
        assert_true(got.hi - got.lo <= 1e-8 * got.hi);
    }
}

/* Sizes at which squares of squares overflow, or nothing is left. */
static void absurd_sizes_stay_honest(void **state)
{
    (void)state;
    for (int e = -150; e <= 150; e += 15) {
        double t = pow(10, e), mu = 1 / t;
        if (e < 0)
            mu = 1;
        contour_choice c = {.epsilon = mu, .t = t, .step = step_of(1e30),
            .n_outer = 60, .alias_right = t};
        c.step = e >= 0 ? ldexp(1, (int)(e * 3.3) - 3) : 0.125;
        hand h;
        loss_law pair = gaussian_law(mu);
        dosi_interval got = read_choice(&h, &pair, c, mu);
        double truth = gaussian_delta(mu, mu, 0);
        assert_true(got.lo <= truth * (1 + 1e-12));
        assert_true(got.hi >= truth * (1 - 1e-12));
    }
}

int main(void)
{
    source = prop_start("test_contour");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliases_are_covered),
        cmocka_unit_test(truncation_is_covered),
        cmocka_unit_test(smoothed_ends_are_exact),
        cmocka_unit_test(smoothing_covers_aliasing_and_truncation),
        cmocka_unit_test(smoothing_covers_early_truncation),
        cmocka_unit_test(spoilt_choices_contain_the_good_one),
        cmocka_unit_test(one_contour_serves_its_neighbours),
        cmocka_unit_test(absurd_sizes_stay_honest),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
