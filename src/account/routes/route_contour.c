/*
 * The contour route: the plan's own law by a contour integral of its moment
 * function, if every part has one.
 */
#include "route.h"

#include <stdlib.h>

#include "mechanisms/plan_laws.h"
#include "contour/engine/engine.h"

#define MAX_PARTS 2000

/* The context of a law: the loss laws and the engine of each split. */
typedef struct contour_view {
    size_t n;
    plan_laws all[PLAN_LAWS_MAX_SPLITS]; /* one a split */
    contour_engine *plans[PLAN_LAWS_MAX_SPLITS];
} contour_view;

static void view_free(void *object)
{
    contour_view *v = object;
    for (size_t i = 0; i < v->n; i++) {
        engine_free(v->plans[i]);
        plan_laws_free(&v->all[i]);
    }
    free(v);
}

/* Gives the reason why the answer of an exact law is wide. */
static void explain(const privacy_profile *self, double width)
{
    if (!(width <= work_width(self->pool->limits)))
        profile_explain(self,
            "a contour's nodes or digits do not suffice for a "
            "narrower interval");
}

/* Whether the delta of a split is certainly no more than that. */
static bool is_within(const privacy_profile *self, contour_engine *plan,
    double epsilon, ball delta, ball log_delta)
{
    bool within = false;
    dosi_status status =
        engine_is_within(&within, plan, epsilon, delta, log_delta, NULL);
    return profile_asked(self, status) && within;
}

/* The worst split; those that are certainly no worse are not asked. */
static dosi_interval value_at(const privacy_profile *self, double eps)
{
    const contour_view *v = self->context;
    dosi_interval worst = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval one = iv_unknown();
        ball most = ball_of(worst.hi);
        if (i > 0 && worst.hi < 0 &&
            is_within(self, v->plans[i], eps, ball_exp(most), most))
            continue;
        dosi_status status = engine_log_delta(&one, v->plans[i], eps, NULL);
        if (!profile_asked(self, status))
            one = iv_unknown();
        worst = iv_max(worst, one);
    }
    explain(self, worst.lo == worst.hi ? 0 : worst.hi - worst.lo);
    return worst;
}

static dosi_interval contour_law_log_delta(
    const privacy_profile *self, ball eps)
{
    dosi_interval e = ball_interval(eps);
    dosi_interval most = value_at(self, e.lo);
    if (e.lo == e.hi)
        return most;
    return (dosi_interval){value_at(self, e.hi).lo, most.hi};
}

static dosi_interval contour_law_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    const contour_view *v = self->context;
    dosi_interval worst = {0, 0};
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval one = {0, HUGE_VAL};
        if (i > 0 && worst.hi < HUGE_VAL &&
            is_within(self, v->plans[i], worst.hi, delta, log_delta))
            continue;
        dosi_status status =
            engine_epsilon(&one, v->plans[i], delta, log_delta, NULL);
        if (!profile_asked(self, status))
            one = (dosi_interval){0, HUGE_VAL};
        worst = iv_max(worst, one);
    }
    explain(self, worst.lo == worst.hi ? 0 : 1 - worst.lo / worst.hi);
    return worst;
}

/* delta falls in epsilon: at the lower end it is greatest. */
static bool contour_law_is_within(
    const privacy_profile *self, ball eps, ball delta, ball log_delta)
{
    const contour_view *v = self->context;
    for (size_t i = 0; i < v->n; i++)
        if (!is_within(self, v->plans[i], ball_lower(eps), delta, log_delta))
            return false;
    return true;
}

static dosi_interval contour_law_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    const contour_view *v = self->context;
    dosi_interval worst = {1, 1};
    tradeoff_known known = {enough, NAN};
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval beta = {0, 1};
        dosi_status status =
            engine_tradeoff(&beta, &known, v->plans[i], alpha, NULL);
        if (!profile_asked(self, status))
            beta = (dosi_interval){0, 1};
        worst = iv_min(worst, beta);
        if (worst.lo > 0) /* more does not move the minimum */
            known.threshold = fmin(worst.lo, known.threshold);
    }
    return worst;
}

static dosi_interval contour_law_floor(const privacy_profile *self)
{
    const contour_view *v = self->context;
    dosi_interval worst = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < v->n; i++)
        worst = iv_max(worst, engine_log_floor(v->plans[i]));
    return worst;
}

/* Makes the engines anew from the laws, which costs little: an engine keeps its
 * last contour, and where its laws are truncated. */
static void contour_law_forget(const privacy_profile *self)
{
    contour_view *v = self->own;
    for (size_t i = 0; i < v->n; i++) {
        contour_engine *fresh = NULL;
        dosi_status status = engine_new(
            &fresh, v->all[i].items, v->all[i].n, self->pool->limits, NULL);
        if (!profile_asked(self, status) || fresh == NULL)
            continue;
        engine_free(v->plans[i]);
        v->plans[i] = fresh;
    }
}

static const profile_type contour_type = {.theorem = "S000-7.tight",
    .log_delta = contour_law_log_delta,
    .epsilon = contour_law_epsilon,
    .is_within = contour_law_is_within,
    .tradeoff = contour_law_tradeoff,
    .log_floor = contour_law_floor,
    .forget = contour_law_forget,
    .is_slow = true};

static const privacy_profile *contour_law(const account_view *view)
{
    profile_pool *pool = view->c.pool;
    contour_view *v = calloc(1, sizeof *v);
    if (v == NULL || !profile_defer(pool, v, view_free)) {
        pool->no_memory = pool->no_memory || v == NULL;
        return NULL;
    }
    if (part_count(view->normal) > MAX_PARTS)
        return profile_decline(
            pool, "a contour over this many different parts takes seconds");
    if (!plan_laws_of_splits(v->all, &v->n, view->normal, &view->c))
        return NULL;
    for (size_t i = 0; i < v->n; i++) {
        const plan_laws *all = &v->all[i];
        dosi_status status =
            engine_new(&v->plans[i], all->items, all->n, pool->limits, NULL);
        if (status == DOSI_OK && v->plans[i] != NULL)
            continue;
        pool->no_memory = pool->no_memory || status == DOSI_ENOMEM;
        return profile_decline(
            pool, "a part has no moment generating function");
    }
    privacy_profile made = {
        .type = &contour_type, .flag = v->all[0].flag, .context = v, .own = v};
    return profile_keep(pool, made);
}

static void contour_laws(account_laws *out, const account_view *view)
{
    const privacy_profile *own = contour_law(view);
    account_add_exact(out, own);
    if (own == NULL)
        account_add_group(out, contour_law, view);
    account_add_pairs(out, own, contour_law, view);
}

const account_route route_contour = {"contour", contour_laws};
