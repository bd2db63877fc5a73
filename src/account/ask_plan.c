/*
 * The planner: routes are asked cheapest first, in two visits and both
 * directions, with a bounded number of operations each, until the worse
 * direction is as narrow as it is wanted. docs/theory/account.md, "Routes".
 */
#include "prepared_plan.h"

#include <string.h>

#include "ask_law.h"
#include "ask_route.h"
#include "mechanisms/plan_laws.h"

/* By default no route that is slow tells more of a trade-off curve. */
#define TRADEOFF_WIDTH 1e-5

best_bounds prepared_worst(const question_state *w)
{
    return w->n == 2 ? bounds_worse(&w->found[0], &w->found[1], w->q)
                     : w->found[0];
}

static bool is_by_curve(const account_question *q)
{
    return q->kind == ACCOUNT_RENYI || q->kind == ACCOUNT_ZCDP;
}

/* Adding is left out where it cannot be worse. */
static int count_directions(const prepared_plan *d, const account_question *q)
{
    bool by_curve =
        is_by_curve(q) ||
        (d->only != NULL && strcmp(d->only, route_renyi.name) == 0);
    return by_curve && part_plan_removal_is_worse(d->normal) ? 1
                                                             : d->n_directions;
}

/* The share of a visit for the first of two directions: mostly it is enough to
 * know that the other one is no worse. */
#define FIRST_SHARE 0.75

/* Asks one route where it can still matter. */
static dosi_status ask_route(question_state *w, prepared_plan *d, size_t index,
    bool of_parts, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (int i = 0; i < w->n && status == DOSI_OK; i++) {
        best_bounds all = prepared_worst(w);
        if (w->n == 2 && bounds_is_settled(&w->found[i], &all, w->q))
            continue;
        prepared_lower(
            &d->directions[w->first + i], index); /* before its share */
        double pause = work_share(&d->limits, i + 1 < w->n ? FIRST_SHARE : 1);
        status = stand(w, d, i, index, of_parts, err);
        work_unshare(&d->limits, pause);
    }
    return status;
}

bool prepared_is_narrow(const question_state *w, const prepared_plan *d)
{
    best_bounds all = prepared_worst(w);
    return ask_is_narrow(&all, w->q, d);
}

static bool is_wanted(const prepared_plan *d, size_t index)
{
    const char *name = account_route_at(index)->route->name;
    return d->only == NULL || strcmp(d->only, name) == 0;
}

/* The i-th route to ask: enumeration, which is exact, comes before the
 * contour where losses are discrete, the contour's worst case. The table has
 * them side by side. */
static size_t nth_route(size_t i, bool discrete)
{
    const account_route *route = account_route_at(i)->route;
    if (discrete && route == &route_contour)
        return i + 1;
    return discrete && route == &route_finite ? i - 1 : i;
}

/* If no route settles the questions of a curve, the later ones go to
 * the slow route that bounded the first one best. */
static void remember_best(prepared_plan *d, const question_state *w)
{
    best_bounds all = prepared_worst(w);
    if (!d->is_curve || d->best < PREPARED_MAX_ROUTES ||
        (w->q->kind == ACCOUNT_TRADEOFF && !(w->q->argument > 0)))
        return;
    for (size_t i = 0; i < dosi_route_count(); i++)
        if (strcmp(all.guarantee.route, account_route_at(i)->route->name) ==
                0 &&
            !account_route_at(i)->is_quick)
            d->best = i;
}

static bool is_hopeless(const prepared_plan *d, size_t index)
{
    return d->is_curve && d->best < PREPARED_MAX_ROUTES && index != d->best &&
           !account_route_at(index)->is_quick;
}

/* Whether the work was stopped, now or before. What is left of it may spend
 * the reserve, once for all questions about the plan. */
static bool is_stopped(prepared_plan *d)
{
    if (d->stop_reason == NULL && work_stopped(&d->limits)) {
        d->stop_reason = d->limits.is_spent ? DOSI_SPENT : DOSI_STOPPED;
        work_resume(&d->limits);
    }
    return d->stop_reason != NULL;
}

/* A part alone is far below the plan, mostly: asked where the tight routes
 * have left a gap, of slow routes if their laws are there. */
static dosi_status ask_parts(
    question_state *w, prepared_plan *d, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    size_t n = dosi_route_count();
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        if (account_route_at(i)->has_parts && is_wanted(d, i) &&
            (account_route_at(i)->is_quick ||
                d->directions[w->first].routes[i].made) &&
            !prepared_is_narrow(w, d))
            status = ask_route(w, d, i, true, err);
    return status;
}

/* Whether no route can add to what is known, or none is needed to. */
static bool is_known(const question_state *w, const prepared_plan *d)
{
    return prepared_is_narrow(w, d) || prepared_worst(w).is_exhausted;
}

/* Plans of more parts have longer visits. */
#define PARTS_OF_A_VISIT 4

/* The share of what is left for one visit when many questions follow, unless a
 * question has shown that more settles it; and the operations that a visit has
 * in any case. */
#define CURVE_SHARE 0.125
#define LEAST_VISIT (10 * WORK_PER_CHECK)

/* A visit ends after its operations; that of the one route there is, does
 * not. Where more is to be spent on the question, more is on the visit. */
static void set_pause(prepared_plan *d, double operations)
{
    double share = fmax(d->limits.budget / WORK_OPERATIONS, 1) *
                   fmax((double)part_count(d->normal) / PARTS_OF_A_VISIT, 1);
    double most = operations * share;
    if (d->n_ahead * CURVE_SHARE > 1)
        most = fmin(most,
            fmax(CURVE_SHARE * work_left(&d->limits),
                2 * d->dearest_narrow + LEAST_VISIT));
    d->limits.pause =
        most < HUGE_VAL && d->only == NULL ? d->limits.spent + most : 0;
}

/* The quickest route that settled a question is likely to settle this one. */
static dosi_status ask_each(
    question_state *w, prepared_plan *d, int visit, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    size_t n = dosi_route_count(), last = d->settled_by;
    bool discrete = prepared_is_discrete(d->normal, true);
    for (size_t k = last < n ? 0 : 1; k <= n && status == DOSI_OK; k++) {
        size_t i = k == 0 ? last : nth_route(k - 1, discrete);
        if (is_known(w, d))
            break;
        bool is_bounded =
            strcmp(prepared_worst(w).guarantee.route, "none") != 0;
        if ((k > 0 && i == last) || !is_wanted(d, i) ||
            !(account_route_at(i)->visits[visit] > 0) ||
            (is_bounded && is_hopeless(d, i)))
            continue;
        if (is_stopped(d) && work_stopped(&d->limits))
            break; /* the reserve is spent as well */
        set_pause(d, account_route_at(i)->visits[visit]);
        if (!is_stopped(d) || account_route_at(i)->is_last_resort)
            status = ask_route(w, d, i, false, err);
        d->limits.pause = 0;
        if (status == DOSI_OK && i < d->settled_by && is_known(w, d))
            d->settled_by = i;
    }
    return status;
}

/* All routes, then those again that have more to say. */
static dosi_status ask_routes(
    question_state *w, prepared_plan *d, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (int visit = 0; visit < 2 && status == DOSI_OK; visit++)
        status = ask_each(w, d, visit, err);
    status = status == DOSI_OK ? ask_parts(w, d, err) : status;
    if (status == DOSI_OK && !prepared_is_narrow(w, d))
        remember_best(d, w);
    return status;
}

static dosi_status ask_curves(
    question_state *w, prepared_plan *d, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (int i = 0; i < w->n && status == DOSI_OK; i++) {
        const account_view *view = &d->directions[w->first + i].view;
        status = w->q->kind == ACCOUNT_RENYI
                     ? stand_renyi(&w->found[i], w->q, view, d->only, err)
                     : stand_zcdp(&w->found[i], w->q, view, d->only, err);
    }
    return status;
}

void prepared_expect(prepared_plan *d, double n)
{
    d->n_ahead = n;
    d->reuses = n * CURVE_SHARE > 1 && part_count(d->normal) > PARTS_OF_A_VISIT;
}

/* The share of the width that is wanted at which kept contours are read. */
#define REUSE_SHARE (1.0 / 32)

/* Whether this question and those that follow are to read what there is. */
static bool is_to_reuse(prepared_plan *d)
{
    d->reuses = d->reuses ||
                d->dearest * d->n_ahead > work_left(&d->limits);
    return d->reuses;
}

static dosi_status ask_all(question_state *w, prepared_plan *d, dosi_error *err)
{
    double width = w->q->kind == ACCOUNT_TRADEOFF ? TRADEOFF_WIDTH : WORK_WIDTH;
    double before = d->limits.spent;
    d->limits.width = d->width > 0 ? d->width : width;
    d->limits.reuse = is_to_reuse(d) ? REUSE_SHARE * d->limits.width : 0;
    d->limits.memory_bound = d->limits.time_bound = false;
    for (int i = 0; i < w->n; i++)
        w->found[i] = bounds_start(w->q);
    dosi_status status =
        is_by_curve(w->q) ? ask_curves(w, d, err) : ask_routes(w, d, err);
    (void)is_stopped(d); /* by the last route, maybe */
    double cost = d->limits.spent - before;
    d->dearest = fmax(d->dearest, cost);
    if (status == DOSI_OK && !is_by_curve(w->q) && is_known(w, d))
        d->dearest_narrow = fmax(d->dearest_narrow, cost);
    d->n_ahead = fmax(d->n_ahead - 1, 1);
    return status;
}

dosi_status prepared_ask(question_state *out, prepared_plan *d,
    const account_question *q, dosi_error *err)
{
    *out = (question_state){.q = q, .n = count_directions(d, q)};
    return ask_all(out, d, err);
}

dosi_status prepared_ask_direction(question_state *out, prepared_plan *d,
    int direction, const account_question *q, dosi_error *err)
{
    *out = (question_state){.q = q, .first = direction, .n = 1};
    return ask_all(out, d, err);
}
