/*
 * Plans of tests/reference/contour_plan.h with an engine of the contour
 * route.
 */
#ifndef DOSI_TESTS_SUPPORT_CONTOUR_PLANS_H
#define DOSI_TESTS_SUPPORT_CONTOUR_PLANS_H

#include <cmocka.h>

#include "reference/contour_plan.h"
#include "contour/engine/engine.h"

typedef struct plan {
    size_t n;
    loss_law laws[PLAN_PARTS];
    finite_law *finite[PLAN_PARTS];
    contour_engine *engine;
} plan;

static inline loss_law law_of(const plan_part *p, finite_law **finite)
{
    loss_law l = {.parameter = ball_of(p->value[0]), .count = p->count};
    *finite = NULL;
    switch (p->kind) {
    case 'g':
        l.noise = LOSS_GAUSSIAN;
        break;
    case 'r':
    case 'a':
        l.noise = LOSS_GAUSSIAN;
        l.map = p->kind == 'r' ? LOSS_MIXTURE_FIRST : LOSS_BASE_FIRST;
        l.rate = ball_of(p->value[0]);
        l.parameter = ball_of(p->value[1]);
        break;
    case 'l':
        l.noise = LOSS_LAPLACE;
        break;
    case 'e':
        l.noise = LOSS_EXPONENTIAL;
        break;
    case 'f':
        assert_int_equal(finite_leaky_response(finite, ball_of(p->value[0]),
                             ball_of(p->value[1]), NULL),
            DOSI_OK);
        break;
    default:
        assert_int_equal(
            finite_from_pair(finite, p->value, p->value + 3, 3, NULL), DOSI_OK);
        break;
    }
    if (*finite != NULL) {
        l.noise = LOSS_FINITE;
        l.finite = *finite;
    }
    return l;
}

static inline void plan_open(plan *p, const plan_text *text)
{
    p->n = (size_t)text->n;
    for (int i = 0; i < text->n; i++)
        p->laws[i] = law_of(&text->part[i], &p->finite[i]);
    assert_int_equal(
        engine_new(&p->engine, p->laws, p->n, NULL, NULL), DOSI_OK);
    assert_non_null(p->engine);
}

static inline void plan_close(plan *p)
{
    engine_free(p->engine);
    for (size_t i = 0; i < p->n; i++)
        finite_free(p->finite[i]);
}

static inline dosi_interval log_delta_of(plan *p, double epsilon)
{
    dosi_interval out;
    assert_int_equal(
        engine_log_delta(&out, p->engine, epsilon, NULL), DOSI_OK);
    assert_true(out.lo <= out.hi && out.hi <= 0);
    return out;
}

#endif
