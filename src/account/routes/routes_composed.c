/*
 * The routes that compose the laws of all parts: by a contour integral of the
 * plan's moment function, if every part has one, and as lists of masses, which
 * take any mixture of laws. If groups over samplers have several splits, each
 * direction answers for half of them, and the worst split is the answer.
 */
#include "route.h"

#include <stdlib.h>

#include "mechanisms/plan_laws.h"
#include "contour/engine/engine.h"
#include "list/list.h"

#define MAX_CONTOUR_PARTS 2000
#define MAX_LIST_PARTS 500

/* The context of a law. */
typedef struct split_view {
    size_t n;
    plan_laws all[PLAN_LAWS_MAX_SPLITS]; /* one a split */
    contour_engine *engines[PLAN_LAWS_MAX_SPLITS];
    bool is_list; /* without engines; splits share the operations */
} split_view;

static void view_free(void *object)
{
    split_view *v = object;
    for (size_t i = 0; i < v->n; i++) {
        engine_free(v->engines[i]);
        plan_laws_free(&v->all[i]);
    }
    free(v);
}

/* Gives the reason why the answer of an exact law is wide. */
static void explain(const privacy_profile *self, double width)
{
    const split_view *v = self->context;
    const work_limits *limits = self->pool->limits;
    if (width <= work_width(limits))
        return;
    const char *reason = v->is_list ? work_reason(limits) : NULL;
    if (reason == NULL)
        reason = v->is_list ? "the lists' knots or digits do not suffice for "
                              "a narrower interval"
                            : "a contour's nodes or digits do not suffice for "
                              "a narrower interval";
    profile_explain(self, reason);
}

/* Whether the delta of a split is certainly no more than that. */
static bool is_within(const privacy_profile *self, size_t i, double epsilon,
    ball delta, ball log_delta)
{
    const split_view *v = self->context;
    const plan_laws *all = &v->all[i];
    bool within = false;
    dosi_status status =
        v->is_list ? list_is_within(&within, all->items, all->n, epsilon,
                         log_delta, self->pool->limits, NULL)
                   : engine_is_within(&within, v->engines[i], epsilon, delta,
                         log_delta, NULL);
    return profile_asked(self, status) && within;
}

/* delta falls in epsilon: at the lower end it is greatest. */
static bool composed_is_within(
    const privacy_profile *self, ball eps, ball delta, ball log_delta)
{
    const split_view *v = self->context;
    for (size_t i = 0; i < v->n; i++)
        if (!is_within(self, i, ball_lower(eps), delta, log_delta))
            return false;
    return true;
}

/* What is asked of every split. */
typedef struct split_question {
    enum { ASK_LOG_DELTA, ASK_EPSILON, ASK_TRADEOFF } kind;
    double at; /* epsilon, or alpha */
    ball delta, log_delta;
    tradeoff_known known;
    dosi_interval least, trivial; /* the best answer, and that of no work */
} split_question;

static dosi_status ask_contour(
    dosi_interval *out, split_question *q, contour_engine *engine)
{
    if (q->kind == ASK_LOG_DELTA)
        return engine_log_delta(out, engine, q->at, NULL);
    if (q->kind == ASK_EPSILON)
        return engine_epsilon(out, engine, q->delta, q->log_delta, NULL);
    return engine_tradeoff(out, &q->known, engine, q->at, NULL);
}

static dosi_status ask_lists(dosi_interval *out, const split_question *q,
    const plan_laws *all, work_limits *limits)
{
    const loss_law *parts = all->items;
    if (q->kind == ASK_LOG_DELTA)
        return list_log_delta(out, parts, all->n, q->at, limits, NULL);
    if (q->kind == ASK_EPSILON)
        return list_epsilon(out, parts, all->n, q->log_delta, limits, NULL);
    return list_tradeoff(out, parts, all->n, q->at, limits, NULL);
}

/* Whether a split is certainly no worse than the worst so far. */
static bool is_no_worse(const privacy_profile *self, size_t i,
    const split_question *q, dosi_interval worst)
{
    ball most = ball_of(worst.hi);
    if (i == 0 || q->kind == ASK_TRADEOFF)
        return false;
    if (q->kind == ASK_EPSILON)
        return worst.hi < HUGE_VAL &&
               is_within(self, i, worst.hi, q->delta, q->log_delta);
    return worst.hi < 0 && is_within(self, i, q->at, ball_exp(most), most);
}

/* The worst split. */
static dosi_interval worst_of(const privacy_profile *self, split_question *q)
{
    const split_view *v = self->context;
    work_limits *limits = self->pool->limits;
    bool is_test = q->kind == ASK_TRADEOFF;
    dosi_interval worst = q->least;
    for (size_t i = 0; i < v->n; i++) {
        dosi_interval one = q->trivial;
        if (is_no_worse(self, i, q, worst))
            continue;
        double pause = work_share(
            limits, v->is_list ? 1 / (double)(v->n - i) : 1);
        dosi_status status =
            v->is_list ? ask_lists(&one, q, &v->all[i], limits)
                       : ask_contour(&one, q, v->engines[i]);
        work_unshare(limits, pause);
        if (!profile_asked(self, status))
            one = q->trivial;
        worst = is_test ? iv_min(worst, one) : iv_max(worst, one);
        if (is_test && worst.lo > 0) /* more does not move the minimum */
            q->known.threshold = fmin(worst.lo, q->known.threshold);
    }
    return worst;
}

static dosi_interval value_at(const privacy_profile *self, double eps)
{
    split_question q = {.kind = ASK_LOG_DELTA,
        .at = eps,
        .least = {-HUGE_VAL, -HUGE_VAL},
        .trivial = {-HUGE_VAL, 0}};
    dosi_interval worst = worst_of(self, &q);
    explain(self, worst.lo == worst.hi ? 0 : worst.hi - worst.lo);
    return worst;
}

static dosi_interval composed_log_delta(const privacy_profile *self, ball eps)
{
    dosi_interval e = ball_interval(eps);
    dosi_interval most = value_at(self, e.lo);
    if (e.lo == e.hi)
        return most;
    return (dosi_interval){value_at(self, e.hi).lo, most.hi};
}

static dosi_interval composed_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    split_question q = {.kind = ASK_EPSILON,
        .delta = delta,
        .log_delta = log_delta,
        .trivial = {0, HUGE_VAL}};
    dosi_interval worst = worst_of(self, &q);
    explain(self, worst.lo == worst.hi ? 0 : 1 - worst.lo / worst.hi);
    return worst;
}

static dosi_interval composed_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    const split_view *v = self->context;
    split_question q = {.kind = ASK_TRADEOFF,
        .at = alpha,
        .known = {enough, NAN},
        .least = {1, 1},
        .trivial = {0, 1}};
    dosi_interval worst = worst_of(self, &q);
    if (v->is_list)
        explain(self, worst.hi - worst.lo);
    return worst;
}

static dosi_interval composed_floor(const privacy_profile *self)
{
    const split_view *v = self->context;
    dosi_interval worst = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < v->n; i++) {
        const plan_laws *all = &v->all[i];
        worst = iv_max(worst, v->is_list ? list_log_floor(all->items, all->n)
                                         : engine_log_floor(v->engines[i]));
    }
    return worst;
}

/* The laws of all splits, without engines; NULL without them. */
static split_view *view_of(const account_view *view)
{
    profile_pool *pool = view->c.pool;
    split_view *v = calloc(1, sizeof *v);
    if (v == NULL || !profile_defer(pool, v, view_free)) {
        pool->no_memory = pool->no_memory || v == NULL;
        return NULL;
    }
    bool found = plan_laws_of_splits(v->all, &v->n, view->normal, &view->c);
    return found ? v : NULL;
}

/* ---- Contours ---------------------------------------------------------- */

/* Makes the engines anew from the laws, which costs little: an engine keeps its
 * last contour, and where its laws are truncated. */
static void contour_forget(const privacy_profile *self)
{
    split_view *v = self->own;
    for (size_t i = 0; i < v->n; i++) {
        contour_engine *fresh = NULL;
        dosi_status status = engine_new(
            &fresh, v->all[i].items, v->all[i].n, self->pool->limits, NULL);
        if (!profile_asked(self, status) || fresh == NULL)
            continue;
        engine_free(v->engines[i]);
        v->engines[i] = fresh;
    }
}

static const profile_type contour_type = {.theorem = "S000-7.tight",
    .log_delta = composed_log_delta,
    .epsilon = composed_epsilon,
    .is_within = composed_is_within,
    .tradeoff = composed_tradeoff,
    .log_floor = composed_floor,
    .forget = contour_forget,
    .is_slow = true};

static const privacy_profile *contour_law(const account_view *view)
{
    profile_pool *pool = view->c.pool;
    if (part_count(view->normal) > MAX_CONTOUR_PARTS)
        return profile_decline(
            pool, "a contour over this many different parts takes seconds");
    split_view *v = view_of(view);
    if (v == NULL)
        return NULL;
    for (size_t i = 0; i < v->n; i++) {
        const plan_laws *all = &v->all[i];
        dosi_status status = engine_new(
            &v->engines[i], all->items, all->n, pool->limits, NULL);
        if (status == DOSI_OK && v->engines[i] != NULL)
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

/* ---- Lists ------------------------------------------------------------- */

static const profile_type list_type = {.theorem = "T000-09, [DGKKM22], [ZDW22]",
    .log_delta = composed_log_delta,
    .epsilon = composed_epsilon,
    .is_within = composed_is_within,
    .tradeoff = composed_tradeoff,
    .log_floor = composed_floor,
    .is_slow = true};

static const privacy_profile *list_law(const account_view *view)
{
    profile_pool *pool = view->c.pool;
    split_view *v = view_of(view);
    if (v == NULL)
        return NULL;
    v->is_list = true;
    for (size_t i = 0; i < v->n; i++)
        if (v->all[i].n > MAX_LIST_PARTS)
            return profile_decline(
                pool, "lists of this many different parts take seconds");
    privacy_profile made = {
        .type = &list_type, .flag = v->all[0].flag, .context = v};
    return profile_keep(pool, made);
}

static void list_laws(account_laws *out, const account_view *view)
{
    const privacy_profile *own = list_law(view);
    account_add_exact(out, own);
    account_add_pairs(out, own, list_law, view);
}

const account_route route_lists = {"lists", list_laws};
