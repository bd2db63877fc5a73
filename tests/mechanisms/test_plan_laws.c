/*
 * Plans as lists of loss laws: what is merged, which law a sampler gives in
 * each direction, what a flag says, the splits of groups, and refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mechanisms/plan_laws.h"
#include "list/list.h"

typedef struct plan_losses {
    const dosi_plan *normal;
    profile_pool pool;
    mechanism_context c;
    plan_laws all;
    bool found;
} plan_losses;

static void lower(plan_losses *p, const char *text, bool add,
    dosi_neighbours neighbours, double split)
{
    const dosi_plan *plan = NULL;
    assert_int_equal(dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    assert_int_equal(dosi_plan_normal(&p->normal, plan, NULL), DOSI_OK);
    dosi_plan_free(plan);
    profile_pool_init(&p->pool);
    p->c = (mechanism_context){.neighbours = neighbours,
        .add = add,
        .max_terms = 1 << 20,
        .pool = &p->pool,
        .split = split};
    p->found = plan_laws_of(&p->all, p->normal, &p->c);
}

static void release(plan_losses *p)
{
    plan_laws_free(&p->all);
    profile_pool_free(&p->pool);
    dosi_plan_free(p->normal);
}

static void assert_near(ball x, double y)
{
    assert_true(fabs(ball_mid(x) - y) < 1e-15);
}

static void gaussians_are_merged(void **state)
{
    (void)state;
    plan_losses p;
    lower(&p, "gaussian(2) * 3 + laplace(4) * 2 + gdp(0.5)", false,
        DOSI_ADD_REMOVE, 0);
    assert_true(p.found);
    assert_int_equal(p.all.n, 2);
    assert_int_equal(p.all.items[0].noise, LOSS_LAPLACE);
    assert_true(p.all.items[0].count == 2);
    assert_near(p.all.items[0].parameter, 0.25);
    assert_int_equal(p.all.items[1].noise, LOSS_GAUSSIAN);
    assert_true(p.all.items[1].count == 1);
    assert_near(p.all.items[1].parameter, 1); /* 3/4 + 1/4 */
    assert_int_equal(p.all.flag, ATTAINED_BY_CLASS);
    release(&p);
}

static void samplers_have_two_directions(void **state)
{
    (void)state;
    for (int add = 0; add <= 1; add++) {
        plan_losses p;
        lower(&p,
            "poisson(0.1, gaussian(2)) * 7 + poisson(0.2, laplace(1)) + "
            "poisson(0.5, poisson(0.5, gaussian(1))) + poisson(0.3, rr(1))",
            add == 1, DOSI_ADD_REMOVE, 0);
        assert_true(p.found);
        assert_int_equal(p.all.n, 4);
        assert_int_equal(p.all.flag, ATTAINED_BY_MECHANISM);
        assert_int_equal(plan_laws_splits(p.normal, DOSI_ADD_REMOVE), 2);
        int n_quarter = 0;
        for (size_t i = 0; i < 4; i++) {
            const loss_law *l = &p.all.items[i];
            if (l->noise == LOSS_FINITE)
                continue;
            assert_int_equal(
                l->map, add ? LOSS_BASE_FIRST : LOSS_MIXTURE_FIRST);
            n_quarter += ball_mid(l->rate) == 0.25;
        }
        assert_int_equal(n_quarter, 1); /* rates multiply */
        release(&p);
    }
}

/* A single record in a group's formulae is the plain law. */
static void splits_of_groups(void **state)
{
    (void)state;
    plan_losses p;
    lower(&p, "group(3, poisson(0.1, gaussian(2)) * 5 + laplace(2))", false,
        DOSI_ADD_REMOVE, 1);
    assert_true(p.found);
    assert_int_equal(plan_laws_splits(p.normal, DOSI_ADD_REMOVE), 4);
    for (size_t i = 0; i < p.all.n; i++) {
        const loss_law *l = &p.all.items[i];
        if (l->noise == LOSS_LAPLACE) {
            assert_near(l->parameter, 1.5);
            continue;
        }
        assert_int_equal(l->map, LOSS_GROUP);
        assert_true(l->removed == 2 && l->added == 1);
        assert_near(l->parameter, 0.5);
    }
    release(&p);
    lower(&p,
        "group(3, poisson(0.1, gaussian(2))) + poisson(0.1, "
        "gaussian(2))",
        false, DOSI_ADD_REMOVE, 0);
    assert_int_equal(plan_laws_splits(p.normal, DOSI_ADD_REMOVE), 0);
    release(&p);
    lower(&p, "poisson(0.1, gaussian(2))", false, DOSI_REPLACE, 0);
    assert_true(p.found && p.all.items[0].map == LOSS_GROUP);
    assert_true(p.all.items[0].removed == 1 && p.all.items[0].added == 1);
    assert_int_equal(plan_laws_splits(p.normal, DOSI_REPLACE), 1);
    release(&p);
}

/* Hits of one record: a mixture under replace, a pair under add_remove; what
 * one draw gives is a fixed-size or a Poisson sample. */
static void draws_with_replacement(void **state)
{
    (void)state;
    static const struct {
        const char *plan;
        dosi_neighbours neighbours;
        loss_map map;
        attainment flag;
    } cases[] = {
        {"with_replacement(9, 99, gaussian(2))", DOSI_REPLACE,
            LOSS_WITH_REPLACEMENT, ATTAINED_BY_NONE},
        {"with_replacement(9, 99, laplace(2))", DOSI_REPLACE,
            LOSS_WITH_REPLACEMENT, ATTAINED_BY_NONE},
        {"with_replacement(9, 99, laplace(2))", DOSI_ADD_REMOVE, LOSS_PLAIN,
            ATTAINED_BY_NONE}, /* in cells */
        {"with_replacement(1, 99, laplace(2))", DOSI_ADD_REMOVE,
            LOSS_MIXTURE_FIRST, ATTAINED_BY_MECHANISM},
        {"with_replacement(9, 99, gaussian(2))", DOSI_ADD_REMOVE, LOSS_GROUP,
            ATTAINED_BY_MECHANISM},
        {"with_replacement(1, 99, gaussian(2))", DOSI_REPLACE,
            LOSS_WITHOUT_REPLACEMENT, ATTAINED_BY_NONE},
        {"with_replacement(1, 99, gaussian(2))", DOSI_ADD_REMOVE,
            LOSS_MIXTURE_FIRST, ATTAINED_BY_MECHANISM},
        {"with_replacement(9, 99, rr(1))", DOSI_REPLACE, LOSS_PLAIN,
            ATTAINED_BY_NONE},
        {"poisson(0.1, laplace(1))", DOSI_REPLACE, LOSS_PLAIN,
            ATTAINED_BY_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plan_losses p;
        lower(&p, cases[i].plan, false, cases[i].neighbours, 0);
        assert_true(p.found);
        assert_int_equal(p.all.items[0].map, cases[i].map);
        assert_int_equal(p.all.flag, cases[i].flag);
        release(&p);
    }
    plan_losses p;
    lower(&p, "group(2, with_replacement(9, 99, gaussian(2)))", false,
        DOSI_REPLACE, 0);
    assert_false(p.found);
    release(&p);
    lower(&p, "with_replacement(1e9, 99, gaussian(2))", false, DOSI_REPLACE, 0);
    assert_false(p.found);
    release(&p);
}

static void flags_of_compositions(void **state)
{
    (void)state;
    static const struct {
        const char *plan;
        dosi_neighbours neighbours;
        attainment flag;
    } cases[] = {
        {"exponential(1)", DOSI_ADD_REMOVE, ATTAINED_BY_CLASS},
        {"exponential(1) * 2", DOSI_ADD_REMOVE, ATTAINED_BY_NONE},
        {"exponential(1) + rr(1)", DOSI_ADD_REMOVE, ATTAINED_BY_NONE},
        {"without_replacement(1, 9, gaussian(1))", DOSI_REPLACE,
            ATTAINED_BY_MECHANISM},
        {"without_replacement(1, 9, pure(1))", DOSI_REPLACE, ATTAINED_BY_CLASS},
        {"without_replacement(1, 9, gaussian(1)) * 2", DOSI_REPLACE,
            ATTAINED_BY_NONE},
        {"approx(1, 0.001) * 3", DOSI_ADD_REMOVE, ATTAINED_BY_CLASS},
        {"group(2, approx(1, 0.001))", DOSI_ADD_REMOVE, ATTAINED_BY_NONE},
        {"discrete_gaussian(2) * 3 + discrete_laplace(2)", DOSI_ADD_REMOVE,
            ATTAINED_BY_MECHANISM},
        {"pmf([1,2,3],[3,2,1])", DOSI_ADD_REMOVE, ATTAINED_BY_MECHANISM},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plan_losses p;
        lower(&p, cases[i].plan, false, cases[i].neighbours, 0);
        assert_true(p.found);
        assert_int_equal(p.all.flag, cases[i].flag);
        release(&p);
    }
}

static void boxes_are_declined(void **state)
{
    (void)state;
    static const char *const plans[] = {"zcdp(0.1)", "renyi(2, 0.1)",
        "zcdp(0.1) + renyi(2, 0.1)", "gaussian(1) + group(2, renyi(2, 0.1))",
        "poisson(0.1, laplace(1) + gaussian(1))",
        "group(65, poisson(0.1, gaussian(1)))",
        "group(2, poisson(0.1, laplace(1)))"};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        plan_losses p;
        lower(&p, plans[i], false, DOSI_ADD_REMOVE, 0);
        assert_false(p.found);
        assert_non_null(p.pool.reason);
        release(&p);
    }
}

/* More laws than a pool holds. */
static void many_parts(void **state)
{
    (void)state;
    char text[4096] = "rr(0.01)";
    for (int i = 2; i <= 150; i++) {
        char one[32];
        (void)snprintf(one, sizeof one, " + rr(%g)", 0.01 * i);
        strcat(text, one);
    }
    plan_losses p;
    lower(&p, text, false, DOSI_ADD_REMOVE, 0);
    assert_true(p.found);
    assert_int_equal(p.all.n, 150);
    release(&p);
}

/* The sum of a group's laws: removing two at once is worse than one. */
static void groups_are_worse(void **state)
{
    (void)state;
    double before = -HUGE_VAL;
    for (int k = 1; k <= 3; k++) {
        char text[64];
        (void)snprintf(
            text, sizeof text, "group(%d, poisson(0.1, gaussian(1))) * 20", k);
        plan_losses p;
        lower(&p, text, false, DOSI_ADD_REMOVE, 0);
        assert_true(p.found);
        work_limits limits = {.width = 1e-2, .max_bytes = WORK_BYTES};
        dosi_interval v;
        assert_int_equal(
            list_log_delta(&v, p.all.items, p.all.n, 1, &limits, NULL),
            DOSI_OK);
        assert_true(v.lo > before);
        before = v.hi;
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussians_are_merged),
        cmocka_unit_test(samplers_have_two_directions),
        cmocka_unit_test(splits_of_groups),
        cmocka_unit_test(draws_with_replacement),
        cmocka_unit_test(flags_of_compositions),
        cmocka_unit_test(boxes_are_declined),
        cmocka_unit_test(many_parts),
        cmocka_unit_test(groups_are_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
