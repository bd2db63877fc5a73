/*
 * The planner: routes are asked cheapest first, in two visits and both
 * directions, with a bounded number of operations each, until the worse
 * direction is as narrow as it is wanted. docs/theory/account.md, "Routes".
 */
#include "prepared_plan.h"

#include <string.h>

#include "base/error.h"
#include "ask_law.h"
#include "mechanisms/plan_laws.h"

/* By default no route that is slow tells more of a trade-off curve. */
#define TRADEOFF_WIDTH 1e-5

/* Whether every step has finitely many losses, or a lattice of them. */
static bool is_discrete(const dosi_plan *normal, bool lattices)
{
    bool found = true;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n && found; i++) {
        const dosi_plan *node = part_at(normal, i).node;
        mechanism_support support = mechanism_of_node(node)->support;
        found = dosi_plan_child_count(node) > 0
                    ? is_discrete(dosi_plan_child(node, 0), lattices)
                    : support == SUPPORT_FINITE ||
                          (lattices && support == SUPPORT_LATTICE);
    }
    return found;
}

/* ---- One direction ----------------------------------------------------- */

/* Makes the laws of a route, once: what is kept is not cut short by the end of
 * a visit, which begins after it. */
static void prepared_lower(prepared_direction *d, size_t index)
{
    prepared_route *made = &d->routes[index];
    if (made->made)
        return;
    work_limits *limits = d->pool.limits;
    double pause = limits->pause, spent = limits->spent;
    d->pool.reason = NULL;
    limits->pause = 0;
    account_route_at(index)->route->laws(&made->laws, &d->view);
    if (pause > 0)
        limits->pause = pause + (limits->spent - spent);
    made->reason = d->pool.reason;
    made->made = !d->pool.no_memory;
    d->is_cut = d->is_cut || limits->stopped;
}

static bool is_tight(const char *name)
{
    for (size_t i = 0; i < dosi_route_count(); i++)
        if (strcmp(name, account_route_at(i)->route->name) == 0)
            return account_route_at(i)->is_tight;
    return false;
}

/* Whether the plan itself has a law; what has none on the way to it does not
 * matter then. */
static bool bounds_above(const account_laws *laws)
{
    for (size_t i = 0; i < laws->n; i++)
        if (laws->items[i].above)
            return true;
    return false;
}

/* Whether a route's reason, or that it has none, is why what stands is wide.
 * The tight route that the guarantee is from knows best, then any other tight
 * one. Parts alone are asked last, and do not tell why the whole is wide. */
static bool tells_why(const best_bounds *s, const account_route_row *row,
    bool of_parts, const char *reason)
{
    const char *holder = s->guarantee.route;
    if (row->is_tight && !of_parts && strcmp(holder, row->route->name) == 0)
        return true;
    if (reason == NULL || is_tight(holder))
        return false;
    return s->reason == NULL || (row->is_tight && !of_parts);
}

/* Asks the laws of a route about the i-th direction; those of parts alone,
 * or all others. */
static dosi_status stand(question_state *w, prepared_plan *all, int i,
    size_t index, bool of_parts, dosi_error *err)
{
    best_bounds *s = &w->found[i];
    const account_question *q = w->q;
    prepared_direction *d = &all->directions[w->first + i];
    const account_route_row *row = account_route_at(index);
    law_question c = {
        q, all, &d->curve, row, w->n == 2 ? &w->found[1 - i] : NULL};
    const prepared_route *made = &d->routes[index];
    profile_pool *pool = &d->pool;
    prepared_lower(d, index);
    pool->reason = NULL;
    for (size_t j = 0; j < made->laws.n && !pool->no_memory; j++)
        if (made->laws.items[j].is_part == of_parts)
            ask_law(s, &c, &made->laws, j);
    if (pool->no_memory)
        return dosi_fail_memory(err);
    const char *reason =
        bounds_above(&made->laws) ? pool->reason : made->reason;
    if (tells_why(s, row, of_parts, reason))
        s->reason = reason;
    if (bounds_contradicts(s, q))
        return dosi_fail(err, DOSI_EUNABLE,
            "routes %s and %s contradict each other; please report this plan",
            s->guarantee.route, s->other.route);
    return DOSI_OK;
}

/* Curves at orders this large run out of digits. */
#define FAR_ORDER 0x1p500

/* Divergences rise with the order, up to the greatest loss. */
static void far_renyi(double *least, double *most, const account_view *view)
{
    static const double orders[] = {0x1p30, 0x1p100, FAR_ORDER};
    ball eps, delta;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        *least = fmax(*least,
            total_renyi_least(ball_of(orders[i]), view->normal, &view->c));
    if (total_guarantee(&eps, &delta, view->normal, &view->c) &&
        ball_is_zero(delta))
        *most = fmin(*most, ball_upper(eps)); /* not for a NaN */
}

/* Curves add; there is nothing to choose from. */
static dosi_status stand_renyi(best_bounds *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err)
{
    mechanism_renyi_bound r;
    profile_pool *pool = view->c.pool;
    if (only != NULL && strcmp(only, route_renyi.name) != 0) {
        s->reason = "only the renyi route answers this question";
        return DOSI_OK;
    }
    pool->reason = NULL;
    ball order = ball_of(q->argument);
    bool found = total_renyi(&r, order, view->normal, &view->c);
    s->reason = pool->reason;
    bounds_end end = {HUGE_VAL, 0, "renyi",
        account_renyi_theorem(view->normal, false), ATTAINED_BY_MECHANISM, 0};
    bounds_end least = end;
    least.value = found && ball_is_zero(r.leak)
                      ? fmax(ball_lower(r.lower), 0)
                      : total_renyi_least(order, view->normal, &view->c);
    if (pool->no_memory)
        return dosi_fail_memory(err);
    if (found && ball_is_zero(r.leak))
        end.value = fmax(ball_upper(r.upper), 0);
    if (q->argument > FAR_ORDER)
        far_renyi(&least.value, &end.value, view);
    found = found || end.value < HUGE_VAL;
    if (found || least.value == HUGE_VAL)
        s->guarantee = end;
    if (found || least.value > 0)
        s->other = least;
    return DOSI_OK;
}

static dosi_status stand_zcdp(best_bounds *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err)
{
    if (only != NULL && strcmp(only, route_zcdp.name) != 0) {
        s->reason = "only the zcdp route answers this question";
        return DOSI_OK;
    }
    account_line line;
    view->c.pool->reason = NULL;
    dosi_status status = account_least_rho(&line, view, q->argument, err);
    if (status != DOSI_OK)
        return status;
    s->reason = view->c.pool->reason;
    bounds_end end = {
        line.rho.hi, 0, "zcdp", line.theorem, ATTAINED_BY_MECHANISM, 0};
    if (line.rho.hi < HUGE_VAL || line.rho.lo == HUGE_VAL)
        s->guarantee = end;
    end.value = line.rho.lo;
    if (line.rho.lo > 0 || line.rho.hi == 0)
        s->other = end;
    return DOSI_OK;
}

/* ---- All directions ---------------------------------------------------- */

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

/* Sets what belongs to one question, and is not kept for the next. */
static void prepared_begin(prepared_plan *d, const dosi_options *opt)
{
    d->only = opt->route;
    d->width = opt->width;
    d->settled_by = d->best = PREPARED_MAX_ROUTES;
    d->is_curve = false;
    d->n_ahead = 1;
    d->dearest = d->dearest_narrow = 0;
    d->reuses = false;
    d->stop_reason = NULL;
    d->skips_pairs = false;
    d->guarantee_only = opt->guarantee_only != 0;
    d->limits = (work_limits){.width = WORK_WIDTH,
        .max_bytes = opt->max_bytes > 0 ? opt->max_bytes : WORK_BYTES,
        .stop = opt->stop,
        .stop_context = opt->stop_context,
        .budget = opt->max_operations};
}

void prepared_open(prepared_plan *d, const dosi_plan *normal,
    const dosi_options *opt, finite_store *finite_laws)
{
    prepared_begin(d, opt);
    d->normal = normal;
    d->n_directions = part_plan_has_directions(normal, opt->neighbours) ? 2 : 1;
    d->has_pairs = plan_has_attained_pairs(normal, opt->neighbours);
    d->is_finite = is_discrete(normal, false);
    d->ranges = (adaptive_cache){0};
    for (int i = 0; i < d->n_directions; i++) {
        prepared_direction *one = &d->directions[i];
        profile_pool_init(&one->pool);
        one->pool.limits = &d->limits;
        one->is_cut = false;
        one->curve = (account_curve){0};
        memset(one->routes, 0, sizeof one->routes);
        one->view = (account_view){normal,
            {.neighbours = opt->neighbours,
                .add = i == 1,
                .max_terms = opt->max_terms,
                .pool = &one->pool,
                .ranges = &d->ranges,
                .finite_laws = finite_laws},
            &one->curve};
    }
}

void prepared_resume(prepared_plan *d, const dosi_options *opt)
{
    prepared_begin(d, opt);
    prepared_forget(d);
}

void prepared_forget(prepared_plan *d)
{
    for (int i = 0; i < d->n_directions; i++) {
        prepared_direction *one = &d->directions[i];
        one->curve = (account_curve){0};
        for (size_t j = 0; j < one->pool.n_laws; j++) {
            const privacy_profile *kept = &one->pool.laws[j];
            if (kept->type->forget != NULL)
                kept->type->forget(kept);
        }
    }
}

void prepared_close(prepared_plan *d)
{
    for (int i = 0; i < d->n_directions; i++)
        profile_pool_free(&d->directions[i].pool);
    adaptive_cache_free(&d->ranges);
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
    bool discrete = is_discrete(d->normal, true);
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
