/*
 * The list route: the plan's laws as lists of masses, composed directly. It
 * takes any mixture of laws. If groups over samplers have several splits, each
 * direction answers for half of them.
 */
#include "route.h"

#include <stdlib.h>

#include "mechanisms/plan_laws.h"
#include "list/list.h"


#define MAX_PARTS 500

/* The context of a law: the loss laws of each split. */
typedef struct list_view {
    size_t n;
    plan_laws all[PLAN_LAWS_MAX_SPLITS]; /* one a split */
} list_view;

static void view_free(void *object)
{
    list_view *v = object;
    for (size_t i = 0; i < v->n; i++)
        plan_laws_free(&v->all[i]);
    free(v);
}

/* Gives the reason why the answer of an exact law is wide. */
static void explain(const privacy_profile *self, double width)
{
    const work_limits *limits = self->pool->limits;
    if (width <= work_width(limits))
        return;
    const char *reason = work_reason(limits);
    profile_explain(self, reason != NULL
                              ? reason
                              : "the lists' knots or digits do not suffice for "
                                "a narrower interval");
}

/* Whether the delta of a split is certainly no more than that. */
static bool is_within(const privacy_profile *self, const plan_laws *all,
    double epsilon, ball log_delta)
{
    bool within = false;
    dosi_status status = list_is_within(&within, all->items, all->n, epsilon,
        log_delta, self->pool->limits, NULL);
    return profile_asked(self, status) && within;
}

/* delta falls in epsilon: at the lower end it is greatest. */
static bool list_law_is_within(
    const privacy_profile *self, ball eps, ball delta, ball log_delta)
{
    (void)delta;
    const list_view *v = self->context;
    for (size_t i = 0; i < v->n; i++)
        if (!is_within(self, &v->all[i], ball_lower(eps), log_delta))
            return false;
    return true;
}

/* The worst split at one epsilon; those that are certainly no worse are not
 * asked. */
static dosi_interval value_at(
    const privacy_profile *self, const list_view *v, double eps)
{
    dosi_interval worst = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval one = {-HUGE_VAL, 0};
        const plan_laws *all = &v->all[i];
        if (i > 0 && worst.hi < 0 &&
            is_within(self, all, eps, ball_of(worst.hi)))
            continue;
        double pause = work_share(
            self->pool->limits, 1 / (double)(v->n - i));
        dosi_status status = list_log_delta(
            &one, all->items, all->n, eps, self->pool->limits, NULL);
        work_unshare(self->pool->limits, pause);
        if (!profile_asked(self, status))
            one = (dosi_interval){-HUGE_VAL, 0};
        worst = iv_max(worst, one);
    }
    explain(self, worst.lo == worst.hi ? 0 : worst.hi - worst.lo);
    return worst;
}

static dosi_interval list_law_log_delta(const privacy_profile *self, ball eps)
{
    const list_view *v = self->context;
    dosi_interval e = ball_interval(eps);
    dosi_interval most = value_at(self, v, e.lo);
    if (e.lo == e.hi)
        return most;
    return (dosi_interval){value_at(self, v, e.hi).lo, most.hi};
}

static dosi_interval list_law_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    const list_view *v = self->context;
    dosi_interval worst = {0, 0};
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval one = {0, HUGE_VAL};
        const plan_laws *all = &v->all[i];
        if (i > 0 && worst.hi < HUGE_VAL &&
            is_within(self, all, worst.hi, log_delta))
            continue;
        double pause = work_share(
            self->pool->limits, 1 / (double)(v->n - i));
        dosi_status status = list_epsilon(&one, all->items, all->n,
            log_delta, self->pool->limits, NULL);
        work_unshare(self->pool->limits, pause);
        if (!profile_asked(self, status))
            one = (dosi_interval){0, HUGE_VAL};
        worst = iv_max(worst, one);
    }
    explain(self, worst.lo == worst.hi ? 0 : 1 - worst.lo / worst.hi);
    return worst;
}

static dosi_interval list_law_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    const list_view *v = self->context;
    dosi_interval worst = {1, 1};
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval one = {0, 1};
        const plan_laws *all = &v->all[i];
        double pause = work_share(
            self->pool->limits, 1 / (double)(v->n - i));
        dosi_status status = list_tradeoff(&one, all->items, all->n, alpha,
            self->pool->limits, NULL);
        work_unshare(self->pool->limits, pause);
        if (!profile_asked(self, status))
            one = (dosi_interval){0, 1};
        worst = iv_min(worst, one);
    }
    explain(self, worst.hi - worst.lo);
    return worst;
}

static dosi_interval list_law_floor(const privacy_profile *self)
{
    const list_view *v = self->context;
    dosi_interval worst = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < v->n; i++)
        worst = iv_max(
            worst, list_log_floor(v->all[i].items, v->all[i].n));
    return worst;
}

static const profile_type list_type = {.theorem = "T000-09, [DGKKM22], [ZDW22]",
    .log_delta = list_law_log_delta,
    .epsilon = list_law_epsilon,
    .is_within = list_law_is_within,
    .tradeoff = list_law_tradeoff,
    .log_floor = list_law_floor,
    .is_slow = true};

static const privacy_profile *list_route_law(const account_view *view)
{
    profile_pool *pool = view->c.pool;
    list_view *v = calloc(1, sizeof *v);
    if (v == NULL || !profile_defer(pool, v, view_free)) {
        pool->no_memory = pool->no_memory || v == NULL;
        return NULL;
    }
    if (!plan_laws_of_splits(v->all, &v->n, view->normal, &view->c))
        return NULL;
    for (size_t i = 0; i < v->n; i++)
        if (v->all[i].n > MAX_PARTS)
            return profile_decline(
                pool, "lists of this many different parts take seconds");
    privacy_profile made = {
        .type = &list_type, .flag = v->all[0].flag, .context = v};
    return profile_keep(pool, made);
}

static void list_laws(account_laws *out, const account_view *view)
{
    const privacy_profile *own = list_route_law(view);
    account_add_exact(out, own);
    account_add_pairs(out, own, list_route_law, view);
}

const account_route route_lists = {"lists", list_laws};
