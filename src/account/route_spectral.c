/*
 * The spectral route: the plan's own law by a contour integral of its moment
 * function, as far as every part has one.
 */
#include "account.h"

#include <stdlib.h>

#include "lower/losses.h"
#include "repr/spectral.h"

#define MAX_PARTS 2000

/* What a law of this route refers to. */
typedef struct spectral_view {
    losses all;
    spectral *plan;
} spectral_view;

static void view_free(void *object)
{
    spectral_view *v = object;
    spectral_free(v->plan);
    losses_free(&v->all);
    free(v);
}

/* A law that is known exactly, but not composed so. */
static void explain(const law *self, double width)
{
    if (!(width <= work_width(self->pool->limits)))
        law_explain(self, "a contour's nodes or digits do not suffice for a "
                          "narrower interval");
}

static dosi_interval value_at(const law *self, spectral *s, double eps)
{
    dosi_interval v = iv_unknown();
    dosi_status status = spectral_log_delta(&v, s, eps, NULL);
    if (!law_asked(self, status))
        v = iv_unknown();
    explain(self, v.lo == v.hi ? 0 : v.hi - v.lo);
    return v;
}

static dosi_interval spectral_law_log_delta(const law *self, ball eps)
{
    const spectral_view *v = self->context;
    dosi_interval e = ball_interval(eps);
    dosi_interval most = value_at(self, v->plan, e.lo);
    if (e.lo == e.hi)
        return most;
    return (dosi_interval){value_at(self, v->plan, e.hi).lo, most.hi};
}

static dosi_interval spectral_law_epsilon(
    const law *self, ball delta, ball log_delta)
{
    const spectral_view *v = self->context;
    dosi_interval e = {0, HUGE_VAL};
    dosi_status status =
        spectral_epsilon(&e, v->plan, delta, log_delta, NULL);
    if (!law_asked(self, status))
        e = (dosi_interval){0, HUGE_VAL};
    explain(self, e.lo == e.hi ? 0 : 1 - e.lo / e.hi);
    return e;
}

/* delta falls in epsilon: at the lower end it is greatest. */
static bool spectral_law_is_within(
    const law *self, ball eps, ball delta, ball log_delta)
{
    const spectral_view *v = self->context;
    bool within = false;
    dosi_status status = spectral_is_within(
        &within, v->plan, ball_lower(eps), delta, log_delta, NULL);
    return law_asked(self, status) && within;
}

static dosi_interval spectral_law_tradeoff(const law *self, double alpha)
{
    const spectral_view *v = self->context;
    dosi_interval beta = {0, 1};
    dosi_status status = spectral_tradeoff(&beta, v->plan, alpha, NULL);
    return law_asked(self, status) ? beta : (dosi_interval){0, 1};
}

static dosi_interval spectral_law_floor(const law *self)
{
    const spectral_view *v = self->context;
    return spectral_log_floor(v->plan);
}

static const law_type spectral_type = {.theorem = "S000-7.tight",
    .log_delta = spectral_law_log_delta,
    .epsilon = spectral_law_epsilon,
    .is_within = spectral_law_is_within,
    .tradeoff = spectral_law_tradeoff,
    .log_floor = spectral_law_floor,
    .is_slow = true};

static const law *spectral_law(const account_view *view)
{
    const dosi_plan *normal = view->normal;
    law_pool *pool = view->c.pool;
    spectral_view *v = calloc(1, sizeof *v);
    if (v == NULL || !law_defer(pool, v, view_free)) {
        pool->no_memory = pool->no_memory || v == NULL;
        return NULL;
    }
    if (part_count(normal) > MAX_PARTS)
        return law_decline(
            pool, "a contour over so many different parts takes seconds");
    if (!losses_of(&v->all, normal, &view->c))
        return NULL;
    dosi_status status = spectral_new(
        &v->plan, v->all.items, v->all.n, pool->limits, NULL);
    if (status != DOSI_OK || v->plan == NULL) {
        pool->no_memory = pool->no_memory || status == DOSI_ENOMEM;
        return law_decline(pool, "a part has no moment function");
    }
    law made = {
        .type = &spectral_type, .flag = v->all.flag, .context = v};
    return law_keep(pool, made);
}

static void spectral_laws(account_laws *out, const account_view *view)
{
    const law *own = spectral_law(view);
    account_add_exact(out, own);
    if (own == NULL)
        account_add_group(out, spectral_law, view);
    account_add_pairs(out, own, spectral_law, view);
}

const account_route route_spectral = {"spectral", spectral_laws};
