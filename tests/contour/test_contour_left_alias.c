/*
 * Straight contours whose left aliases are known, since no loss is below a
 * bound: against contours of a longer period, also where the period is so
 * short, or epsilon so large, that what is not known makes up most of the
 * interval.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/random.h"
#include "contour/core/contour.h"

static prop_random source;

#define PARTS 2

/* Rare samples, of one record or of three that are removed. */
typedef struct plan {
    loss_law laws[PARTS];
    contour_part items[PARTS];
    part_request wants[PARTS];
    contour_parts parts;
    contour_choice choice;
} plan;

static bool open_plan(plan *p, int i)
{
    size_t n = i % 3 == 2 ? 2 : 1;
    p->parts = (contour_parts){n, p->items, NULL};
    for (size_t j = 0; j < n; j++) {
        double count = floor(exp(prop_uniform(&source, 0, log(300))));
        bool is_group = (i + (int)j) % 4 == 3;
        p->laws[j] = (loss_law){.noise = LOSS_GAUSSIAN,
            .map = is_group ? LOSS_GROUP : LOSS_MIXTURE_FIRST,
            .removed = is_group ? 3 : 0,
            .parameter = ball_of(prop_uniform(&source, 0.5, 2)),
            .rate = ball_of(fmin(prop_uniform(&source, 0.1, 2) / count, 0.3)),
            .count = count + 8};
        assert_true(contour_part_init(&p->items[j], &p->laws[j]));
    }
    contour_effort effort = {.width = 1e-6, .max_cost = 1e8};
    double epsilon = prop_uniform(&source, 0.2, 5);
    return contour_saddle_at_epsilon(&p->choice, &p->parts, epsilon) &&
           contour_choose(&p->choice, p->wants, &p->parts, &effort) &&
           p->choice.left_alias_exact && !(p->choice.smoothing_sigma > 0);
}

static void close_plan(plan *p)
{
    for (size_t j = 0; j < p->parts.n; j++)
        contour_part_free(&p->items[j]);
}

/* With a period that is so many times as long. */
static bool build(
    contour *out, plan *p, double longer, bool left_alias_exact)
{
    contour_choice c = p->choice;
    part_request wants[PARTS];
    bool found = false;
    c.left_alias_exact = left_alias_exact;
    c.step /= longer;
    c.n_outer = ceil(c.n_outer * longer);
    c.first_shifted = ceil(c.first_shifted * longer);
    for (size_t j = 0; j < p->parts.n; j++) {
        wants[j] = p->wants[j];
        wants[j].step = c.step;
        wants[j].outer = c.n_outer * c.step * (1 + 0x1p-40);
        if (wants[j].shifted_from > 0)
            wants[j].shifted_from = c.first_shifted * c.step;
    }
    assert_int_equal(contour_build(
                         out, &found, &p->parts, wants, &c, NULL, NULL),
        DOSI_OK);
    return found;
}

static void low_ones_agree_with_others(void **state)
{
    (void)state;
    static const double at[] = {0.6, 1, 1.1, 1.6, 2.4};
    int n_decided = 0, n_narrow = 0, n_rest = 0;
    for (int i = 0; i < 120; i++) {
        static plan p;
        contour own, longer, shorter;
        double less = prop_uniform(&source, 0.15, 0.7);
        if (open_plan(&p, i) && build(&longer, &p, 8, false)) {
            assert_true(build(&own, &p, 1, true));
            bool is_short = build(&shorter, &p, less, true);
            for (size_t j = 0; j < sizeof at / sizeof *at; j++) {
                double eps = at[j] * p.choice.epsilon;
                dosi_interval truth = contour_read(&longer, eps);
                dosi_interval low = contour_read(&own, eps);
                assert_true(low.lo <= truth.hi && truth.lo <= low.hi);
                n_narrow += at[j] == 1 && low.hi - low.lo < 1e-8;
                n_decided += at[j] == 1;
                if (!is_short)
                    continue;
                low = contour_read(&shorter, eps);
                assert_true(low.lo <= truth.hi && truth.lo <= low.hi);
                double rest = eps - 6.2831853 / shorter.choice.step -
                              p.choice.smallest_loss;
                n_rest += rest > 0 && low.lo > truth.hi - 2;
            }
            contour_free(&own);
            contour_free(&longer);
            if (is_short)
                contour_free(&shorter);
        }
        close_plan(&p);
    }
    assert_true(n_decided > 60 && n_narrow > 0.8 * n_decided && n_rest > 0);
}

/* Losses are bounded from below only where a record can but be missing. */
static void others_are_not_low(void **state)
{
    (void)state;
    loss_law add = {.noise = LOSS_GAUSSIAN,
        .map = LOSS_BASE_FIRST,
        .count = 1,
        .parameter = ball_of(1),
        .rate = ball_of(0.01)};
    loss_law plain = add, both = add;
    plain.map = LOSS_PLAIN;
    both.map = LOSS_GROUP;
    both.removed = both.added = 1;
    const loss_law *laws[] = {&add, &plain, &both};
    for (int i = 0; i < 3; i++) {
        contour_part part;
        assert_true(contour_part_init(&part, laws[i]));
        assert_true(part.type->smallest_loss == NULL ||
                    ball_mid(part.type->smallest_loss(laws[i])) == -HUGE_VAL);
        contour_part_free(&part);
    }
}

int main(void)
{
    source = prop_start("test_contour_left_alias");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_ones_agree_with_others),
        cmocka_unit_test(others_are_not_low),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
