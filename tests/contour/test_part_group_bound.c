/*
 * The inequalities under mixtures of shifts, one by one: the polynomials off
 * the real line, the integral over the edges of a strip as it is written in
 * docs/theory/contour.md, section 9, what is left out at the ends, and the
 * rounding of densities. Each bound must hold, and be near what it bounds.
 */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/random.h"
#include "contour/part/part_group.h"

static prop_random source;

static const double pi = 3.14159265358979323846;

static loss_law split_law(unsigned removed, unsigned added, double q, double mu)
{
    return (loss_law){.noise = LOSS_GAUSSIAN,
        .map = LOSS_GROUP,
        .parameter = ball_of(mu),
        .rate = ball_of(q),
        .removed = removed,
        .added = added,
        .count = 1};
}

static loss_law random_law(int i)
{
    static const unsigned splits[][2] = {
        {0, 1}, {1, 1}, {0, 2}, {2, 0}, {1, 2}, {0, 5}, {1, 0}, {0, 3}};
    const unsigned *s = splits[(size_t)i % 8];
    double q = exp(prop_uniform(&source, log(0.02), log(0.9)));
    double mu = exp(prop_uniform(&source, log(0.06), log(1.5)));
    return split_law(s[0], s[1], q, mu);
}

static const group *open_group(contour_part *part, const loss_law *pair)
{
    cumulant_guess rough;
    assert_true(contour_part_init(part, pair));
    assert_true(part->type->guess_cumulant(&rough, part, 1));
    const group *s = group_of(part);
    assert_non_null(s);
    return s;
}

/* The polynomial at e^(y + ia), by its terms. */
static double complex value_at(const shifts *s, double y, double a)
{
    double complex sum = 0;
    for (unsigned i = 0; i <= s->n; i++)
        sum += exp(s->log_term_d[i] + i * y) * cexp(I * a * i);
    return s->n == 0 ? 1 : sum;
}

/* -log of |B(e^(y + ia))|/B(e^y). */
static double shrinking(const shifts *s, double y, double a)
{
    return log(creal(value_at(s, y, 0))) - log(cabs(value_at(s, y, a)));
}

/* ---- Polynomials ------------------------------------------------------- */

/* The greatest cost of a turn right of a point, against polynomials there;
 * one coin at 1/2 attains it. */
static void turns_cost_no_more(void **state)
{
    (void)state;
    double closest = 0;
    for (int i = 0; i < 60; i++) {
        loss_law pair = i % 2 ? split_law(0, 1, 0.5, 0.3) : random_law(i);
        contour_part part;
        const group *s = open_group(&part, &pair);
        double alpha = prop_uniform(&source, 0.1, 0.99) * group_max_height(s);
        double t = prop_uniform(&source, 0.3, 6);
        double lo = prop_uniform(&source, -5, 3);
        double bound = group_shift_cost(s, alpha, t, lo), most = 0;
        for (double x = lo; x < 12; x += 0.125)
            most = fmax(most, t * shrinking(&s->q, -s->mu * x, alpha));
        assert_true(bound >= most * (1 - 1e-9) - 1e-12);
        if (pair.added > 0)
            closest = fmax(closest, most / bound);
        contour_part_free(&part);
    }
    assert_true(closest > 0.98);
}

/* Sums that end before their last term: many draws, of which the first 64 are
 * summed. */
static void long_sums_are_enclosed(void **state)
{
    (void)state;
    int n_decided = 0;
    for (int i = 0; i < 40; i++) {
        double draws = 64 + prop_below(&source, 300);
        double mu = prop_uniform(&source, 0.02, 0.1);
        loss_law pair = split_law(0, 8, 0, mu);
        pair.population = prop_uniform(&source, 2, 40);
        pair.rate = ball_div(ball_of(1), ball_of(pair.population));
        pair.draws = draws;
        contour_part part;
        assert_true(contour_part_init(&part, &pair));
        const group *s = group_of(&part);
        double y = prop_uniform(&source, -1, 2), n = pair.population;
        ball found = shifts_log(&s->q, ball_of(y));
        /* terms relative to the first */
        double term = 1, sum = 1;
        for (double k = 0; k < draws; k++) {
            term *= (draws - k) / (k + 1) / (n - 1) *
                    exp(y - (k + 0.5) * mu * mu);
            sum += term;
        }
        double exact = log(sum) + draws * log1p(-1 / n);
        assert_true(ball_lower(found) <= exact + 1e-12);
        assert_true(ball_upper(found) >= exact - 1e-12);
        n_decided += ball_upper(found) - ball_lower(found) > 1e-9 &&
                  !ball_is_unknown(found);
        contour_part_free(&part);
    }
    assert_true(n_decided > 2);
}

/* Doubles against balls: off, but by no more than is said. */
static void rounding_is_charged(void **state)
{
    (void)state;
    double most = 0;
    for (int i = 0; i < 400; i++) {
        loss_law pair = random_law(i);
        contour_part part;
        const group *s = open_group(&part, &pair);
        double x = prop_uniform(&source, -12, 20);
        double t = prop_uniform(&source, 0, 30);
        group_point p = group_at(s, x);
        ball y = ball_mul_d(pair.parameter, x), at = ball_of(t);
        ball log_p = shifts_log(&s->p, y);
        ball log_q = shifts_log(&s->q, ball_neg(y));
        ball exact = ball_sub(ball_mul(ball_add_d(at, 1), log_p),
            ball_add(ball_mul(at, log_q),
                ball_scale2(ball_sqr(ball_of(x)), -1)));
        double off = ball_magnitude(
            ball_sub_d(exact, group_log_density(&p, t)));
        double said = group_density_error(s, &p, t);
        assert_true(off <= said);
        most = fmax(most, off / said);
        contour_part_free(&part);
    }
    assert_true(most > 1e-5);
}

/* Z is below its largest value everywhere, and near it far out. */
static void losses_end(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) {
        loss_law pair = random_law(i);
        contour_part part;
        const group *s = open_group(&part, &pair);
        ball largest = part.type->largest_loss(&pair);
        group_point p = group_at(s, 60 / s->mu);
        double z = p.log_p - p.log_q;
        assert_true(ball_upper(largest) >= z - 1e-12);
        if (pair.removed == 0)
            assert_true(ball_lower(largest) <= z + 1e-9);
        contour_part_free(&part);
    }
}

/* ---- Strips ------------------------------------------------------------ */

/* The argument of the polynomial at e^(y + ia), continuous in a. */
static double angle_at(const shifts *s, double y, double a)
{
    double many = ceil(s->n * a / 2), sum = 0;
    double complex last = value_at(s, y, 0);
    for (double k = 1; k <= many; k++) {
        double complex next = value_at(s, y, k * a / many);
        sum += carg(next / last);
        last = next;
    }
    return sum;
}

/* The integrand of the bound at x, as it is written. */
static double written(const group *s, const group_rule *r, double x)
{
    group_point p = group_at(s, x);
    double m = p.mean_p + p.mean_q, b = r->strip.b;
    bool is_curved = !r->strip.is_straight;
    double beta =
        is_curved && m > r->strip.max_slope ? b * r->strip.max_slope / m : b;
    double y = -s->mu * x, eta = beta / s->mu;
    double turn = angle_at(&s->p, -y, beta) + angle_at(&s->q, y, beta);
    double cost = shrinking(&s->q, y, r->alpha + beta);
    if (r->alpha > 0)
        cost = (cost + shrinking(&s->q, y, fabs(r->alpha - beta))) / 2;
    double g = group_log_density(&p, r->t) + eta * eta / 2 + r->t * cost;
    double slope = is_curved ? beta : 0;
    return exp(g) * (exp(r->outer * turn) + 1) * sqrt(1 + slope * slope) /
           expm1(2 * pi * eta / r->h);
}

static double integral(
    const group *s, const group_rule *r, double lo, double hi)
{
    double sum = 0, step = 1.0 / 64;
    for (double x = lo + step / 2; x < hi; x += step)
        sum += step * written(s, r, x);
    return sum;
}

static void strips_are_as_written(void **state)
{
    (void)state;
    double closest[2] = {HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < 160; i++) {
        loss_law pair = random_law(i);
        contour_part part;
        const group *s = open_group(&part, &pair);
        double t = prop_uniform(&source, 0.3, 6);
        double pull = s->mu * ((t + 1) * s->p.n + t * s->q.n);
        bool turned = i / 8 % 2;
        group_rule r = {.t = t, .h = prop_uniform(&source, 0.3, 1.5),
            .outer = turned ? 0 : prop_uniform(&source, 0, 3),
            .lo = -13, .hi = pull + 12,
            .strip = {.b = prop_uniform(&source, 0.1, turned ? 0.7 : 2),
                .max_slope = exp(prop_uniform(&source, -2, 2))}};
        if (turned)
            r.alpha = prop_uniform(&source, 0.05, 0.8);
        double exact = log(integral(s, &r, -14, pull + 14));
        double bound = group_log_error(s, &r);
        assert_true(bound >= exact);
        closest[turned] = fmin(closest[turned], bound - exact);
        contour_part_free(&part);
    }
    assert_true(closest[0] < 0.25 && closest[1] < 0.25);
}

/* Relative to the integral, and near it for one record that is nearly
 * always sampled, or, if added, half of the time. */
static void straight_strips_are_as_written(void **state)
{
    (void)state;
    double closest[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < 60; i++) {
        loss_law pair = random_law(i);
        if (i % 3 == 1)
            pair = split_law(1, 0, 0.999, 0.3);
        if (i % 3 == 2)
            pair = split_law(0, 1, 0.5, 0.2);
        contour_part part;
        const group *s = open_group(&part, &pair);
        double t = prop_uniform(&source, 0.3, 6), all = 0;
        double pull = s->mu * ((t + 1) * s->p.n + t * s->q.n);
        group_rule r = {.t = t, .h = prop_uniform(&source, 0.3, 1.5),
            .outer = prop_uniform(&source, 0, 3),
            .strip = {.b = prop_uniform(&source, 0.1, 2.5),
                .is_straight = true}};
        for (double x = -14; x < pull + 14; x += 1.0 / 64) {
            group_point p = group_at(s, x);
            all += exp(group_log_density(&p, t)) / 64;
        }
        double exact = log(integral(s, &r, -14, pull + 14) / all);
        double bound = group_log_error(s, &r);
        assert_true(bound >= exact);
        closest[i % 3] = fmin(closest[i % 3], bound - exact);
        contour_part_free(&part);
    }
    assert_true(closest[0] < 2 && closest[1] < 0.1 && closest[2] < 0.2);
}

/* Where nodes end early, the bound still covers what lies beyond. */
static void ends_are_covered(void **state)
{
    (void)state;
    int n_decided = 0;
    for (int i = 0; i < 60; i++) {
        loss_law pair = random_law(i);
        contour_part part;
        const group *s = open_group(&part, &pair);
        double t = prop_uniform(&source, 0.3, 3);
        double pull = s->mu * ((t + 1) * s->p.n + t * s->q.n);
        double hi = pull - prop_uniform(&source, 0, 3);
        group_rule r = {.t = t, .h = 0.7, .lo = -13, .hi = hi,
            .strip = {.b = prop_uniform(&source, 0.2, 1.5), .max_slope = 1}};
        double bound = group_log_error(s, &r);
        assert_true(bound >= log(integral(s, &r, -14, pull + 14)));
        n_decided += bound < HUGE_VAL;
        contour_part_free(&part);
    }
    assert_true(n_decided > 20);
}

/* ---- Decay ------------------------------------------------------------- */

/* log |chi(u)| by a rule with a short step. */
static double decay_at(const group *s, double t, double u)
{
    double complex sum = 0;
    double all = 0;
    for (double x = -14; x < 14 + s->mu * (t + 1) * s->p.n; x += 1.0 / 32) {
        group_point p = group_at(s, x);
        double g = exp(group_log_density(&p, t));
        sum += g * cexp(I * u * (p.log_p - p.log_q));
        all += g;
    }
    return log(cabs(sum) / all);
}

/* Nodes are missing at one end: the bound of the decay makes up for them. */
static void decays_cover_what_is_missing(void **state)
{
    (void)state;
    int n_decided = 0;
    for (int i = 0; i < 80; i++) {
        loss_law pair = random_law(i);
        contour_part part;
        const group *s = open_group(&part, &pair);
        part_request w = {.t = prop_uniform(&source, 0.3, 2), .outer = 1,
            .digits = 24, .multiple = 1};
        double u = 0.1;
        while (u < 50 && decay_at(s, w.t, u) > -0.7)
            u *= 1.3;
        (void)part.type->guess_decay(&w, &part, w.t, u);
        bool found = false;
        assert_int_equal(part.type->tilt(&found, &part, &w, NULL), DOSI_OK);
        assert_true(found);
        double right = (w.t + 1) * pair.removed * s->mu;
        if (i % 2)
            part.group->last =
                floor((right + prop_uniform(&source, 0.5, 3)) / part.group->h);
        else
            part.group->first =
                ceil(-prop_uniform(&source, 0.5, 3) / part.group->h);
        for (size_t j = 0; j < part.nodes.n; j++) {
            double at = part.at[j] / part.group->h;
            if (!(at > part.group->first - 0.5 && at < part.group->last + 0.5))
                part.storage[j] = 0;
        }
        double bound = part.type->log_decay(&part, u);
        assert_true(bound >= decay_at(s, w.t, u) - 1e-9);
        n_decided += bound < 0;
        contour_part_free(&part);
    }
    assert_true(n_decided > 5);
}

int main(void)
{
    source = prop_start("test_part_group_bound");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_cost_no_more),
        cmocka_unit_test(long_sums_are_enclosed),
        cmocka_unit_test(rounding_is_charged),
        cmocka_unit_test(losses_end),
        cmocka_unit_test(strips_are_as_written),
        cmocka_unit_test(straight_strips_are_as_written),
        cmocka_unit_test(ends_are_covered),
        cmocka_unit_test(decays_cover_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
