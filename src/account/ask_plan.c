/*
 * The planner: routes are asked cheapest first, in two passes and both
 * directions, with a bounded number of operations each, until the worse
 * direction is as narrow as the question asks. docs/theory/account.md,
 * "Routes".
 */
#include "prepared_plan.h"

#include <string.h>

#include "ask_law.h"
#include "ask_route.h"
#include "mechanisms/plan_laws.h"

/* The default width of a trade-off curve: no slow route makes it narrower. */
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

/* The directions to ask: only removal if Renyi curves decide and adding a
 * record cannot be worse. */
static int count_directions(const prepared_plan *d, const account_question *q)
{
    bool by_curve =
        is_by_curve(q) ||
        (d->only != NULL && strcmp(d->only, route_renyi.name) == 0);
    return by_curve && part_plan_removal_is_worse(d->normal) ? 1
                                                             : d->n_directions;
}

/* Asks one route about the directions that may still be the worse one. */
static dosi_status ask_directions(question_state *w, prepared_plan *d,
    size_t index, bool of_parts, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (int i = 0; i < w->n && status == DOSI_OK; i++) {
        best_bounds all = prepared_worst(w);
        if (w->n == 2 && bounds_is_settled(&w->found[i], &all, w->q))
            continue;
        prepared_make_laws(
            &d->directions[w->first + i], index); /* before its share */
        double pause = work_share(
            &d->limits, i + 1 < w->n ? FIRST_DIRECTION_SHARE : 1);
        status = ask_route(w, d, i, index, of_parts, err);
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

static bool is_skipped_on_curve(const prepared_plan *d, size_t index)
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

/* Asks the laws of single parts, which are mostly far below the plan, if the
 * tight routes have left a gap; of slow routes only if their laws are made. */
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
            status = ask_directions(w, d, i, true, err);
    return status;
}

/* Whether no route can improve the bounds, or none needs to. */
static bool is_known(const question_state *w, const prepared_plan *d)
{
    return prepared_is_narrow(w, d) || prepared_worst(w).is_exhausted;
}

/* Passes grow in proportion for plans of more parts than these. */
#define PARTS_PER_PASS 4

/* The share of the remaining operations for one pass if many questions follow,
 * unless a question was settled by more; and the operations that a pass has in
 * any case. */
#define CURVE_PASS_SHARE 0.125
#define MIN_PASS_OPERATIONS (10 * WORK_PER_CHECK)

/* Sets the operations after which a pass ends, in proportion to the budget of
 * the question. If the options name a route, its pass has no end. */
static void set_pause(prepared_plan *d, double operations)
{
    double share = fmax(d->limits.budget / WORK_OPERATIONS, 1) *
                   fmax((double)part_count(d->normal) / PARTS_PER_PASS, 1);
    double most = operations * share;
    if (d->is_search ? d->n_ahead > 1 : d->n_ahead * CURVE_PASS_SHARE > 1)
        most = fmin(most,
            fmax(d->is_search ? d->question_end - d->limits.spent
                              : CURVE_PASS_SHARE * work_left(&d->limits),
                2 * d->max_cost_narrow + MIN_PASS_OPERATIONS));
    d->limits.pause =
        most < HUGE_VAL && d->only == NULL ? d->limits.spent + most : 0;
}

/* The quickest route that settled a question is likely to settle this one. */
static dosi_status ask_each(
    question_state *w, prepared_plan *d, int pass, dosi_error *err)
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
            !(account_route_at(i)->pass_operations[pass] > 0) ||
            (is_bounded && is_skipped_on_curve(d, i)))
            continue;
        if (is_stopped(d) && work_stopped(&d->limits))
            break; /* the reserve is spent as well */
        set_pause(d, account_route_at(i)->pass_operations[pass]);
        if (!is_stopped(d) || account_route_at(i)->is_last_resort)
            status = ask_directions(w, d, i, false, err);
        d->limits.pause = 0;
        if (status == DOSI_OK && i < d->settled_by && is_known(w, d))
            d->settled_by = i;
    }
    return status;
}

/* Asks all routes, then those that have a second pass, then single parts. */
static dosi_status ask_routes(
    question_state *w, prepared_plan *d, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (int pass = 0; pass < 2 && status == DOSI_OK; pass++)
        status = ask_each(w, d, pass, err);
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
                     ? ask_renyi(&w->found[i], w->q, view, d->only, err)
                     : ask_zcdp(&w->found[i], w->q, view, d->only, err);
    }
    return status;
}

void prepared_expect(prepared_plan *d, double n)
{
    d->n_ahead = n;
    d->reuses =
        n * CURVE_PASS_SHARE > 1 && part_count(d->normal) > PARTS_PER_PASS;
    d->is_search = false;
}

void prepared_expect_search(prepared_plan *d, double n, double share)
{
    prepared_expect(d, n);
    d->is_search = !d->reuses;
    d->share = share;
}

/* The share of the requested width at which kept contours are read. */
#define REUSE_WIDTH_SHARE (1.0 / 32)

/* Whether this question and those that follow read contours that exist: if the
 * costliest question so far, repeated, would exceed the remaining work. */
static bool is_to_reuse(prepared_plan *d)
{
    d->reuses = d->reuses ||
                d->max_cost * d->n_ahead > work_left(&d->limits);
    return d->reuses;
}

static dosi_status ask_all(question_state *w, prepared_plan *d, dosi_error *err)
{
    double width = w->q->kind == ACCOUNT_TRADEOFF ? TRADEOFF_WIDTH : WORK_WIDTH;
    double before = d->limits.spent;
    d->limits.width = d->width > 0 ? d->width : width;
    d->limits.reuse = is_to_reuse(d) ? REUSE_WIDTH_SHARE * d->limits.width : 0;
    d->limits.memory_bound = d->limits.time_bound = false;
    d->question_end = before + d->share * work_left(&d->limits);
    for (int i = 0; i < w->n; i++)
        w->found[i] = bounds_start(w->q);
    dosi_status status =
        is_by_curve(w->q) ? ask_curves(w, d, err) : ask_routes(w, d, err);
    (void)is_stopped(d); /* by the last route, maybe */
    double cost = d->limits.spent - before;
    d->max_cost = fmax(d->max_cost, cost);
    if (status == DOSI_OK && !is_by_curve(w->q)) {
        if (prepared_is_narrow(w, d))
            d->max_cost_narrow = fmax(d->max_cost_narrow, cost);
        else
            d->share = 1 / d->n_ahead;
    }
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
