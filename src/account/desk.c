#include "desk.h"

#include <string.h>

#include "base/error.h"
#include "lower/losses.h"

/* By default no route that is slow tells more of a trade-off curve. */
#define TRADEOFF_WIDTH 1e-5

/* An error of a test, unless a width is asked for, is known well enough. */
#define TRADEOFF_GAP 1e-9

/* Whether every step has finitely many losses, or a lattice of them. */
static bool is_discrete(const dosi_plan *normal, bool lattices)
{
    bool found = true;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n && found; i++) {
        const dosi_plan *node = part_at(normal, i).node;
        dosi_kind kind = dosi_plan_kind(node);
        found = dosi_plan_child_count(node) > 0
                    ? is_discrete(dosi_plan_child(node, 0), lattices)
                    : kind == DOSI_RANDOMIZED_RESPONSE || kind == DOSI_PURE ||
                          kind == DOSI_APPROX || kind == DOSI_PMF ||
                          (lattices && (kind == DOSI_LOSS ||
                                           kind == DOSI_DISCRETE_LAPLACE ||
                                           kind == DOSI_DISCRETE_GAUSSIAN));
    }
    return found;
}

/* ---- Asking one law ---------------------------------------------------- */

typedef struct reply {
    dosi_interval value;
    dosi_interval log_value;
} reply;

static reply ask(const law *asked, const account_question *q)
{
    reply r = {iv_unknown(), iv_unknown()};
    ball at = ball_of(q->argument);
    switch (q->kind) {
    case ACCOUNT_EPSILON:
        r.value = law_epsilon(asked, q->delta, q->log_delta);
        break;
    case ACCOUNT_DELTA:
        r.value = law_delta(asked, at);
        r.log_value = law_log_delta(asked, at);
        break;
    case ACCOUNT_TRADEOFF:
        r.value = law_tradeoff(asked, q->argument);
        r.value.hi = fmin(r.value.hi, 1);
        break;
    case ACCOUNT_RENYI:
    case ACCOUNT_ZCDP:
        break;
    }
    return r;
}

static bool is_narrow(
    const standing *s, const account_question *q, const desk *d)
{
    double gap = s->other.value - s->guarantee.value;
    if (q->kind != ACCOUNT_TRADEOFF || d->width > 0)
        return standing_width(s, q) <= d->limits.width;
    /* of what is missed, or of what is found if that is less */
    double scale = fmin(s->other.value, 1 - s->guarantee.value);
    return gap <= fmax(TRADEOFF_GAP, d->limits.width * scale);
}

/* A pair that is known is asked no more. And its curve has beta >= alpha
 * where the guarantee has, and not beyond 1/2; where it is not asked, the
 * answer is wider. */
static bool is_spared(
    const standing *s, const account_question *q, const desk *d, int half)
{
    if (half != 0 && (d->skips_pairs || s->pairs[half < 0]))
        return true;
    if (q->kind != ACCOUNT_TRADEOFF || half == 0)
        return false;
    return half > 0 ? q->argument > 0.5
                    : s->guarantee.value >= q->argument;
}

static void consider(standing *s, const account_question *q,
    const account_laws *laws, size_t i, const char *route, const desk *d,
    account_curve *curve)
{
    const law *from = laws->items[i].law;
    int half = laws->items[i].half;
    if (is_spared(s, q, d, half))
        return;
    curve->order = 0;
    reply r = ask(from, q);
    bool below = standing_guards_below(q);
    standing_end hi = {r.value.hi, r.log_value.hi, route,
        laws->items[i].theorem, from->flag, 0};
    standing_end lo = hi;
    lo.value = r.value.lo;
    lo.log_value = r.log_value.lo;
    if (q->kind != ACCOUNT_DELTA)
        hi.log_value = lo.log_value = 0;
    if (q->kind == ACCOUNT_EPSILON || q->kind == ACCOUNT_DELTA)
        hi.order = curve->order;
    standing own = {
        .guarantee = below ? lo : hi, .other = below ? hi : lo};
    if (laws->items[i].above)
        standing_guarantee(s, q, &own.guarantee);
    if (laws->items[i].below)
        standing_other(s, q, &own.other);
    /* what is slow composes the law itself, as does what enumerates finite
     * ones */
    bool is_own = from->type->is_slow ||
                  (d->is_finite && strcmp(route, route_finite.name) == 0);
    if (!d->has_pairs || !is_narrow(&own, q, d))
        return;
    if (laws->items[i].above &&
        (is_own || strcmp(route, route_closed.name) == 0))
        s->is_exhausted = true;
    if (half != 0 && is_own)
        s->pairs[half < 0] = true;
}

/* ---- One direction ----------------------------------------------------- */

/* Makes the laws of a route, once. */
static void desk_lower(desk_direction *d, size_t index)
{
    desk_route *made = &d->routes[index];
    if (made->made)
        return;
    d->pool.reason = NULL;
    account_route_at(index)->route->laws(&made->laws, &d->view);
    made->reason = d->pool.reason;
    made->made = !d->pool.no_memory;
}

static dosi_status stand(standing *s, const account_question *q, desk *all,
    int direction, size_t index, dosi_error *err)
{
    desk_direction *d = &all->directions[direction];
    const account_route_row *row = account_route_at(index);
    const desk_route *made = &d->routes[index];
    law_pool *pool = &d->pool;
    desk_lower(d, index);
    pool->reason = made->reason;
    for (size_t j = 0; j < made->laws.n && !pool->no_memory; j++)
        consider(
            s, q, &made->laws, j, row->route->name, all, &d->curve);
    if (pool->no_memory)
        return dosi_fail_memory(err);
    if (pool->reason != NULL && (row->is_tight || s->reason == NULL))
        s->reason = pool->reason;
    if (standing_contradicts(s, q))
        return dosi_fail(err, DOSI_EUNABLE,
            "routes %s and %s contradict each other; please report this plan",
            s->guarantee.route, s->other.route);
    return DOSI_OK;
}

/* Curves add; there is nothing to choose from. */
static dosi_status stand_renyi(standing *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err)
{
    lower_renyi r;
    law_pool *pool = view->c.pool;
    if (only != NULL && strcmp(only, "renyi") != 0) {
        s->reason = "only the renyi route answers this question";
        return DOSI_OK;
    }
    pool->reason = NULL;
    bool found =
        total_renyi(&r, ball_of(q->argument), view->normal, &view->c);
    s->reason = pool->reason;
    if (pool->no_memory)
        return dosi_fail_memory(err);
    if (!found)
        return DOSI_OK;
    if (ball_is_positive(r.leak))
        r.upper = r.lower = ball_of(HUGE_VAL);
    s->guarantee = (standing_end){fmax(ball_upper(r.upper), 0), 0, "renyi",
        account_renyi_theorem(view->normal, false), LAW_EXACT, 0};
    s->other = s->guarantee;
    s->other.value = fmax(ball_lower(r.lower), 0);
    return DOSI_OK;
}

static dosi_status stand_zcdp(standing *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err)
{
    if (only != NULL && strcmp(only, "zcdp") != 0) {
        s->reason = "only the zcdp route answers this question";
        return DOSI_OK;
    }
    account_line line;
    view->c.pool->reason = NULL;
    dosi_status status = account_least_rho(&line, view, q->argument, err);
    if (status != DOSI_OK)
        return status;
    s->reason = view->c.pool->reason;
    standing_end end = {line.rho.hi, 0, "zcdp", line.theorem, LAW_EXACT, 0};
    if (line.rho.hi < HUGE_VAL || line.rho.lo == HUGE_VAL)
        s->guarantee = end;
    end.value = line.rho.lo;
    if (line.rho.lo > 0 || line.rho.hi == 0)
        s->other = end;
    return DOSI_OK;
}

/* ---- All directions ---------------------------------------------------- */

standing desk_worst(const inquiry *w)
{
    return w->n == 2 ? standing_worse(&w->found[0], &w->found[1], w->q)
                     : w->found[0];
}

static bool is_by_curve(const account_question *q)
{
    return q->kind == ACCOUNT_RENYI || q->kind == ACCOUNT_ZCDP;
}

/* Adding is left out where it cannot be worse. */
static int count_directions(const desk *d, const account_question *q)
{
    bool by_curve =
        is_by_curve(q) || (d->only != NULL && strcmp(d->only, "renyi") == 0);
    return by_curve && part_plan_removal_is_worse(d->normal)
               ? 1
               : d->n_directions;
}

void desk_open(desk *d, const dosi_plan *normal, const dosi_options *opt)
{
    d->normal = normal;
    d->only = opt->route;
    d->width = opt->width;
    d->settled_by = d->best = DESK_MAX_ROUTES;
    d->is_curve = false;
    d->limits = (work_limits){WORK_WIDTH,
        opt->max_bytes > 0 ? opt->max_bytes : WORK_BYTES, opt->stop,
        opt->stop_context, false, false, false};
    d->n_directions =
        part_plan_has_directions(normal, opt->neighbours) ? 2 : 1;
    d->has_pairs = losses_have_pairs(normal);
    d->skips_pairs = false;
    d->is_finite = is_discrete(normal, false);
    for (int i = 0; i < d->n_directions; i++) {
        desk_direction *one = &d->directions[i];
        law_pool_init(&one->pool);
        one->pool.limits = &d->limits;
        one->curve = (account_curve){0};
        memset(one->routes, 0, sizeof one->routes);
        one->view = (account_view){normal,
            {.neighbours = opt->neighbours,
                .add = i == 1,
                .max_terms = opt->max_terms,
                .pool = &one->pool},
            &one->curve};
    }
}

void desk_close(desk *d)
{
    for (int i = 0; i < d->n_directions; i++)
        law_pool_free(&d->directions[i].pool);
}

/* Asks one route where it can still matter. */
static dosi_status ask_route(
    inquiry *w, desk *d, size_t index, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (int i = 0; i < w->n && status == DOSI_OK; i++) {
        standing all = desk_worst(w);
        if (w->n == 1 || !standing_is_settled(&w->found[i], &all, w->q))
            status =
                stand(&w->found[i], w->q, d, w->first + i, index, err);
    }
    return status;
}

bool desk_is_narrow(const inquiry *w, const desk *d)
{
    standing all = desk_worst(w);
    return is_narrow(&all, w->q, d);
}

static bool is_wanted(const desk *d, size_t index)
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
    if (discrete && route == &route_spectral)
        return i + 1;
    return discrete && route == &route_finite ? i - 1 : i;
}

/* Of many questions about a plan that no route settles, the later ones go to
 * the slow route that bounded the first one best. */
static void remember_best(desk *d, const inquiry *w)
{
    standing all = desk_worst(w);
    if (!d->is_curve || d->best < DESK_MAX_ROUTES ||
        (w->q->kind == ACCOUNT_TRADEOFF && !(w->q->argument > 0)))
        return;
    for (size_t i = 0; i < dosi_route_count(); i++)
        if (strcmp(all.guarantee.route,
                account_route_at(i)->route->name) == 0 &&
            !account_route_at(i)->is_quick)
            d->best = i;
}

static bool is_hopeless(const desk *d, size_t index)
{
    return d->is_curve && d->best < DESK_MAX_ROUTES && index != d->best &&
           !account_route_at(index)->is_quick;
}

/* The quickest route that settled a question is likely to settle this one. */
static dosi_status ask_routes(inquiry *w, desk *d, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    size_t n = dosi_route_count(), last = d->settled_by;
    bool discrete = is_discrete(d->normal, true);
    for (size_t k = last < n ? 0 : 1; k <= n && status == DOSI_OK; k++) {
        size_t i = k == 0 ? last : nth_route(k - 1, discrete);
        if (desk_is_narrow(w, d) || desk_worst(w).is_exhausted)
            break;
        bool is_bounded =
            strcmp(desk_worst(w).guarantee.route, "none") != 0;
        if ((k > 0 && i == last) || !is_wanted(d, i) ||
            (is_bounded && is_hopeless(d, i)))
            continue;
        if (work_stopped(&d->limits))
            d->limits.stop = NULL; /* what is left is quick */
        if (!d->limits.stopped || account_route_at(i)->is_quick)
            status = ask_route(w, d, i, err);
        if (status == DOSI_OK && i < d->settled_by &&
            (desk_is_narrow(w, d) || desk_worst(w).is_exhausted))
            d->settled_by = i;
    }
    if (status == DOSI_OK && !desk_is_narrow(w, d))
        remember_best(d, w);
    return status;
}

static dosi_status ask_curves(inquiry *w, desk *d, dosi_error *err)
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

static dosi_status ask_all(inquiry *w, desk *d, dosi_error *err)
{
    double width =
        w->q->kind == ACCOUNT_TRADEOFF ? TRADEOFF_WIDTH : WORK_WIDTH;
    d->limits.width = d->width > 0 ? d->width : width;
    d->limits.is_short = d->limits.is_long = false;
    for (int i = 0; i < w->n; i++)
        w->found[i] = standing_start(w->q);
    return is_by_curve(w->q) ? ask_curves(w, d, err)
                             : ask_routes(w, d, err);
}

dosi_status desk_ask(
    inquiry *out, desk *d, const account_question *q, dosi_error *err)
{
    *out = (inquiry){.q = q, .n = count_directions(d, q)};
    return ask_all(out, d, err);
}

dosi_status desk_ask_direction(inquiry *out, desk *d, int direction,
    const account_question *q, dosi_error *err)
{
    *out = (inquiry){.q = q, .first = direction, .n = 1};
    return ask_all(out, d, err);
}

/* ---- Getting there ----------------------------------------------------- */

dosi_status desk_use(desk_work work, void *context,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err)
{
    dosi_options opt;
    dosi_status status = account_options(&opt, options, err);
    if (status != DOSI_OK)
        return status;
    if (dosi_plan_has_hole(plan))
        return dosi_fail(err, DOSI_EINVAL,
            "the plan holds a hole \"?\"; only calibration fills it");
    opt.neighbours = account_relation(plan, opt.neighbours);
    const dosi_plan *normal = NULL;
    status = dosi_plan_normal(&normal, plan, err);
    if (status == DOSI_OK)
        status = account_refuse(normal, opt.neighbours, err);
    if (status == DOSI_OK) {
        desk d;
        desk_open(&d, normal, &opt);
        status = work(&d, context, err);
        desk_close(&d);
    }
    dosi_plan_free(normal);
    return status;
}
