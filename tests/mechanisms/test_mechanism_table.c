/*
 * Every kind has a table of its mechanism that agrees with its row: facts come
 * with the functions that they speak of, samplers have a child, and a leaf all
 * of whose bounds are 0 loses nothing by its own Renyi curve, too, which is
 * what the normal form takes from the row alone.
 */
#include "mechanisms/mechanism.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "plan/kinds.h"

/* A leaf with every bound at 0 and the other numbers at 2. */
static const dosi_plan *leaf_without_loss(dosi_kind kind, const kind_row *row)
{
    double parameters[DOSI_MAX_PARAMETERS];
    const dosi_plan *leaf = NULL;
    for (size_t i = 0; i < row->n_parameters; i++)
        parameters[i] = row->parameters[i].bound == BOUND_NONE ? 2 : 0;
    assert_int_equal(dosi_plan_new(&leaf, kind, parameters, row->n_parameters,
                         NULL, 0, NULL),
        DOSI_OK);
    return leaf;
}

static void connectives_alone_have_no_table(void **state)
{
    (void)state;
    const dosi_plan *leaf = NULL, *twice = NULL, *sum = NULL;
    assert_int_equal(dosi_plan_gaussian(&leaf, 1, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_repeat(&twice, leaf, 2, NULL), DOSI_OK);
    const dosi_plan *parts[] = {leaf, twice};
    assert_int_equal(dosi_plan_compose(&sum, parts, 2, NULL), DOSI_OK);
    assert_non_null(mechanism_of_node(leaf));
    assert_null(mechanism_of_node(twice));
    assert_null(mechanism_of_node(sum));
    dosi_plan_free(sum);
    dosi_plan_free(twice);
    dosi_plan_free(leaf);
}

static void facts_have_their_functions(void **state)
{
    (void)state;
    for (int i = 0; i < DOSI_KIND_COUNT; i++) {
        const kind_row *row = dosi_kind_row((dosi_kind)i);
        const mechanism_type *type = mechanism_of_kind((dosi_kind)i);
        assert_int_equal(type == NULL, row->role == KIND_CONNECTIVE);
        if (type == NULL)
            continue;
        bool is_sampler = row->role == KIND_SAMPLER;
        assert_int_equal(row->n_children == 1, is_sampler);
        assert_true(type->loss != NULL || type->profile != NULL ||
                    type->product != NULL);
        assert_true(type->renyi != NULL);
        assert_true(type->curve != CURVE_OF_PAIR || type->guarantee != NULL);
        assert_true(type->curve != CURVE_LINE || type->zcdp != NULL);
        assert_true(!type->is_gaussian || type->product != NULL);
        assert_true(!type->is_converted || row->role == KIND_GUARANTEE);
        assert_true(!type->draws_once || is_sampler);
        assert_true(type->renyi_source == NULL || is_sampler);
        assert_true(row->role != KIND_GUARANTEE || type->assumption != NULL);
    }
}

static void columns_fit_their_rows(void **state)
{
    (void)state;
    for (int i = 0; i < DOSI_KIND_COUNT; i++) {
        const kind_row *row = dosi_kind_row((dosi_kind)i);
        bool is_bounded = false;
        for (size_t j = 0; j < row->n_parameters; j++) {
            const kind_parameter *one = &row->parameters[j];
            is_bounded = is_bounded || one->bound != BOUND_NONE;
            assert_true(one->at_most == 0 || one->at_most > j);
            assert_true(one->at_most < row->n_parameters || one->at_most == 0);
            assert_true(one->bound != BOUND_LEAK ||
                        one->range == RANGE_PROBABILITY);
            assert_true(one->bound == BOUND_NONE ||
                        one->safer == DOSI_SAFER_SMALLER);
        }
        assert_true(!is_bounded || row->n_children == 0);
        assert_true(row->role != KIND_GUARANTEE || is_bounded);
        for (size_t j = 0; j < 2 && row->event.fields[j].name != NULL; j++)
            assert_true(row->event.fields[j].parameter < row->n_parameters);
        assert_true(row->event.class_name == NULL ||
                    (row->event.child != NULL) == (row->n_children > 0));
    }
}

static void bounds_of_nothing_lose_nothing(void **state)
{
    (void)state;
    size_t n_checked = 0;
    for (int i = 0; i < DOSI_KIND_COUNT; i++) {
        const kind_row *row = dosi_kind_row((dosi_kind)i);
        bool is_bounded = false;
        for (size_t j = 0; j < row->n_parameters; j++)
            is_bounded = is_bounded || row->parameters[j].bound != BOUND_NONE;
        if (!is_bounded)
            continue;
        const dosi_plan *leaf = leaf_without_loss((dosi_kind)i, row);
        profile_pool pool;
        profile_pool_init(&pool);
        part p = {leaf, 1, 1};
        mechanism_context c = {.pool = &pool, .max_terms = 1000};
        mechanism_renyi_bound r = {.leak = ball_of(0)};
        assert_true(mechanism_of(&p)->renyi(&r, ball_of(1.5), &p, &c));
        assert_true(ball_upper(r.upper) <= 1e-25);
        assert_true(ball_is_zero(r.leak));
        profile_pool_free(&pool);
        dosi_plan_free(leaf);
        n_checked++;
    }
    assert_true(n_checked > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connectives_alone_have_no_table),
        cmocka_unit_test(facts_have_their_functions),
        cmocka_unit_test(columns_fit_their_rows),
        cmocka_unit_test(bounds_of_nothing_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
