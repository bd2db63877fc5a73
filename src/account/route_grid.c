/*
 * The grid route: the plan's laws on one lattice, composed by fast
 * transforms. It takes any mixture of laws; where groups over samplers have
 * several splits, each direction answers for half of them.
 */
#include "account.h"

#include <stdlib.h>

#include "lower/losses.h"
#include "repr/grid.h"


#define MAX_PARTS 500

/* delta and its logarithm are asked for one after the other. */
typedef struct last_answer {
    double epsilon;
    dosi_interval log_delta;
} last_answer;

/* What a law of this route refers to. */
typedef struct grid_view {
    size_t n;
    losses all[LOSSES_MAX_SPLITS]; /* one a split */
    last_answer *last;
} grid_view;

static void view_free(void *object)
{
    grid_view *v = object;
    for (size_t i = 0; i < v->n; i++)
        losses_free(&v->all[i]);
    free(v->last);
    free(v);
}

/* A law that is known exactly, but not composed so. */
static void explain(const law *self, double width)
{
    const work_limits *limits = self->pool->limits;
    if (width <= work_width(limits))
        return;
    const char *reason = work_reason(limits);
    law_explain(self, reason != NULL
                          ? reason
                          : "the grid's points or digits do not suffice for "
                            "a narrower interval");
}

/* The worst split at one epsilon. */
static dosi_interval value_at(const law *self, const grid_view *v, double eps)
{
    dosi_interval worst = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval one = {-HUGE_VAL, 0};
        const losses *all = &v->all[i];
        dosi_status status = grid_log_delta(
            &one, all->items, all->n, eps, self->pool->limits, NULL);
        if (!law_asked(self, status))
            one = (dosi_interval){-HUGE_VAL, 0};
        worst = iv_max(worst, one);
    }
    explain(self, worst.lo == worst.hi ? 0 : worst.hi - worst.lo);
    return worst;
}

/* Whether the last epsilon, next to these, came to nothing, after seconds. */
static bool knew_nothing(const last_answer *last, dosi_interval e)
{
    return fabs(last->epsilon - e.lo) <= 1e-9 * fabs(e.lo) &&
           last->log_delta.lo == -HUGE_VAL && last->log_delta.hi == 0;
}

static dosi_interval grid_law_log_delta(const law *self, ball eps)
{
    const grid_view *v = self->context;
    dosi_interval e = ball_interval(eps);
    if (e.lo != e.hi && knew_nothing(v->last, e))
        return v->last->log_delta;
    if (e.lo != e.hi)
        return (dosi_interval){
            value_at(self, v, e.hi).lo, value_at(self, v, e.lo).hi};
    if (e.lo != v->last->epsilon)
        *v->last = (last_answer){e.lo, value_at(self, v, e.lo)};
    return v->last->log_delta;
}

static dosi_interval grid_law_epsilon(
    const law *self, ball delta, ball log_delta)
{
    (void)delta;
    const grid_view *v = self->context;
    dosi_interval worst = {0, 0};
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval one = {0, HUGE_VAL};
        const losses *all = &v->all[i];
        dosi_status status = grid_epsilon(&one, all->items, all->n,
            log_delta, self->pool->limits, NULL);
        if (!law_asked(self, status))
            one = (dosi_interval){0, HUGE_VAL};
        worst = iv_max(worst, one);
    }
    explain(self, worst.lo == worst.hi ? 0 : 1 - worst.lo / worst.hi);
    return worst;
}

static dosi_interval grid_law_tradeoff(
    const law *self, double alpha, double enough)
{
    (void)enough;
    const grid_view *v = self->context;
    dosi_interval worst = {1, 1};
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval one = {0, 1};
        const losses *all = &v->all[i];
        dosi_status status = grid_tradeoff(&one, all->items, all->n, alpha,
            self->pool->limits, NULL);
        if (!law_asked(self, status))
            one = (dosi_interval){0, 1};
        worst = iv_min(worst, one);
    }
    explain(self, worst.hi - worst.lo);
    return worst;
}

static dosi_interval grid_law_floor(const law *self)
{
    const grid_view *v = self->context;
    dosi_interval worst = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < v->n; i++)
        worst = iv_max(
            worst, grid_log_floor(v->all[i].items, v->all[i].n));
    return worst;
}

static const law_type grid_type = {
    .theorem = "T000-09, [DGKKM22], [ZDW22]",
    .log_delta = grid_law_log_delta,
    .epsilon = grid_law_epsilon,
    .tradeoff = grid_law_tradeoff,
    .log_floor = grid_law_floor,
    .is_slow = true};

/* Whether a grid takes no longer than it should; else the reason is in the
 * pool. */
static bool is_brief(const losses *all, law_pool *pool)
{
    if (grid_runs(all->items, all->n) > GRID_MAX_COUNT)
        pool->reason = "too many runs for a grid";
    else if (all->n > MAX_PARTS)
        pool->reason = "a grid over so many different parts takes seconds";
    else
        return true;
    return false;
}

static const law *grid_law(const account_view *view)
{
    law_pool *pool = view->c.pool;
    grid_view *v = calloc(1, sizeof *v);
    if (v == NULL || !law_defer(pool, v, view_free)) {
        pool->no_memory = pool->no_memory || v == NULL;
        return NULL;
    }
    v->last = malloc(sizeof *v->last);
    if (v->last == NULL) {
        pool->no_memory = true;
        return NULL;
    }
    v->last->epsilon = NAN;
    if (!losses_of_splits(v->all, &v->n, view->normal, &view->c))
        return NULL;
    for (size_t i = 0; i < v->n; i++)
        if (!is_brief(&v->all[i], pool))
            return NULL;
    law made = {
        .type = &grid_type, .flag = v->all[0].flag, .context = v};
    return law_keep(pool, made);
}

static void grid_laws(account_laws *out, const account_view *view)
{
    const law *own = grid_law(view);
    account_add_exact(out, own);
    account_add_pairs(out, own, grid_law, view);
}

const account_route route_grid = {"grid", grid_laws};
