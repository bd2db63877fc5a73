/*
 * Asking one route about one direction of a plan: its laws, or the plan's
 * Renyi curve. docs/theory/account.md, "Routes".
 */
#include "ask_route.h"

#include <string.h>

#include "base/error.h"
#include "ask_law.h"
#include "mechanisms/plan_laws.h"

static bool is_tight(const char *name)
{
    for (size_t i = 0; i < dosi_route_count(); i++)
        if (strcmp(name, account_route_at(i)->route->name) == 0)
            return account_route_at(i)->is_tight;
    return false;
}

/* Whether some law bounds the plan from above. Reasons why laws of parts were
 * not made do not matter then. */
static bool bounds_above(const account_laws *laws)
{
    for (size_t i = 0; i < laws->n; i++)
        if (laws->items[i].above)
            return true;
    return false;
}

/* Whether the reason of a route, or its absence, explains the width of the
 * bounds. The tight route that gave the guarantee comes first, then any other
 * tight one. Laws of single parts do not explain the width of the whole. */
static bool explains_width(const best_bounds *s, const account_route_row *row,
    bool of_parts, const char *reason)
{
    const char *holder = s->guarantee.route;
    if (row->is_tight && !of_parts && strcmp(holder, row->route->name) == 0)
        return true;
    if (reason == NULL || is_tight(holder))
        return false;
    return s->reason == NULL || (row->is_tight && !of_parts);
}

dosi_status ask_route(question_state *w, prepared_plan *all, int i,
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
    prepared_make_laws(d, index);
    pool->reason = NULL;
    for (size_t j = 0; j < made->laws.n && !pool->no_memory; j++)
        if (made->laws.items[j].is_part == of_parts)
            ask_law(s, &c, &made->laws, j);
    if (pool->no_memory)
        return dosi_fail_memory(err);
    const char *reason =
        bounds_above(&made->laws) ? pool->reason : made->reason;
    if (explains_width(s, row, of_parts, reason))
        s->reason = reason;
    if (bounds_contradicts(s, q))
        return dosi_fail(err, DOSI_EUNABLE,
            "routes %s and %s contradict each other; please report this plan",
            s->guarantee.route, s->other.route);
    return DOSI_OK;
}

/* Renyi curves at larger orders run out of digits. */
#define MAX_ACCURATE_ORDER 0x1p500

/* Divergences rise with the order, up to the greatest loss: those at smaller
 * orders bound from below, a pure guarantee bounds from above. */
static void renyi_at_large_orders(
    double *least, double *most, const account_view *view)
{
    static const double orders[] = {0x1p30, 0x1p100, MAX_ACCURATE_ORDER};
    ball eps, delta;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        *least = fmax(*least,
            total_renyi_least(ball_of(orders[i]), view->normal, &view->c));
    if (total_guarantee(&eps, &delta, view->normal, &view->c) &&
        ball_is_zero(delta))
        *most = fmin(*most, ball_upper(eps)); /* not for a NaN */
}

dosi_status ask_renyi(best_bounds *s, const account_question *q,
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
    if (q->argument > MAX_ACCURATE_ORDER)
        renyi_at_large_orders(&least.value, &end.value, view);
    found = found || end.value < HUGE_VAL;
    if (found || least.value == HUGE_VAL)
        s->guarantee = end;
    if (found || least.value > 0)
        s->other = least;
    return DOSI_OK;
}

dosi_status ask_zcdp(best_bounds *s, const account_question *q,
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
