/*
 * The portfolio: every route is asked in both directions, the best end of
 * each side is kept, and the worse direction is the answer. Ends that
 * contradict each other are an error, never an answer.
 */
#include "account.h"

#include <string.h>

#include "base/error.h"
#include "num/elem.h"

#define N_ROUTES 6

/* Cheapest first. */
static const account_route *const routes[N_ROUTES] = {&route_closed,
    &route_spectral, &route_finite, &route_zcdp, &route_approx, &route_renyi};

/* Relative width below which nothing more is asked. */
#define NARROW 1e-10
#define NARROW_TRADEOFF 1e-5

static const char leak_reason[] =
    "delta is below the probability that the plan leaks everything";
static const char wide_reason[] =
    "the ends come from different bounds; no route knows the exact law";

/* One end of what is known of one direction. */
typedef struct end {
    double value;
    double log_value;
    const char *route;
    const char *theorem;
    law_flag flag;
    double order; /* of a Renyi curve, or 0 */
} end;

/* guarantee: the safe end; other: what is attained. */
typedef struct standing {
    end guarantee;
    end other;
    const char *reason;
} standing;

/* Whether the guarantee is the lower end. */
static bool guards_below(const account_question *q)
{
    return q->kind == ACCOUNT_TRADEOFF;
}

static standing standing_start(const account_question *q)
{
    end none = {.route = "none", .theorem = ""};
    standing s = {none, none, NULL};
    switch (q->kind) {
    case ACCOUNT_EPSILON:
    case ACCOUNT_RENYI:
    case ACCOUNT_ZCDP:
        s.guarantee.value = HUGE_VAL;
        s.other.value = 0;
        break;
    case ACCOUNT_DELTA:
        s.guarantee.value = 1;
        s.other.value = 0;
        s.other.log_value = -HUGE_VAL;
        break;
    case ACCOUNT_TRADEOFF:
        s.guarantee.value = 0;
        s.other.value = round_up(1 - q->argument);
        break;
    }
    return s;
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
        break;
    case ACCOUNT_RENYI:
    case ACCOUNT_ZCDP:
        break;
    }
    return r;
}

static end end_of(double value, double log_value, const law *from,
    const char *route, const char *theorem)
{
    return (end){value, log_value, route, theorem, from->flag, 0};
}

/* Whether a has something to say that b has not: smaller, or larger. */
static bool improves(const end *a, const end *b, bool smaller)
{
    if (a->value != b->value)
        return smaller ? a->value < b->value : a->value > b->value;
    if (strcmp(b->route, "none") == 0)
        return true;
    return smaller ? a->log_value < b->log_value
                   : a->log_value > b->log_value;
}

static void consider(standing *s, const account_question *q,
    const account_laws *laws, size_t i, const char *route,
    account_curve *curve)
{
    const law *from = laws->items[i].law;
    const char *theorem = laws->items[i].theorem;
    if (q->kind == ACCOUNT_TRADEOFF && from->type->is_slow &&
        !laws->items[i].above)
        return; /* seconds, for an end that guarantees nothing */
    curve->order = 0;
    reply r = ask(from, q);
    bool below = guards_below(q);
    end hi = end_of(r.value.hi, r.log_value.hi, from, route, theorem);
    end lo = end_of(r.value.lo, r.log_value.lo, from, route, theorem);
    if (q->kind != ACCOUNT_DELTA)
        hi.log_value = lo.log_value = 0;
    if (q->kind == ACCOUNT_EPSILON || q->kind == ACCOUNT_DELTA)
        hi.order = curve->order;
    end guarantee = below ? lo : hi, other = below ? hi : lo;
    if (laws->items[i].above && improves(&guarantee, &s->guarantee, !below))
        s->guarantee = guarantee;
    if (laws->items[i].below && improves(&other, &s->other, below))
        s->other = other;
}

static bool is_narrow(const standing *s, const account_question *q)
{
    double a = s->guarantee.value, b = s->other.value;
    double narrow = guards_below(q) ? NARROW_TRADEOFF : NARROW;
    return a == b || fabs(a - b) <= narrow * fmin(fabs(a), fabs(b));
}

/* Certainly out of order: rounding is accounted for in each end. */
static bool contradicts(const standing *s, const account_question *q)
{
    const end *lo = guards_below(q) ? &s->guarantee : &s->other;
    const end *hi = guards_below(q) ? &s->other : &s->guarantee;
    return lo->value > hi->value || lo->log_value > hi->log_value;
}

/* ---- One direction ----------------------------------------------------- */

static dosi_status stand(standing *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err)
{
    *s = standing_start(q);
    law_pool *pool = view->c.pool;
    for (size_t i = 0; i < N_ROUTES && !is_narrow(s, q); i++) {
        if (only != NULL && strcmp(only, routes[i]->name) != 0)
            continue;
        account_laws laws = {0};
        pool->reason = NULL;
        routes[i]->laws(&laws, view);
        for (size_t j = 0; j < laws.n && !pool->no_memory; j++)
            consider(s, q, &laws, j, routes[i]->name, view->curve);
        if (pool->no_memory)
            return dosi_fail_memory(err);
        if (s->reason == NULL)
            s->reason = pool->reason;
        if (contradicts(s, q))
            return dosi_fail(err, DOSI_EUNABLE,
                "routes %s and %s contradict each other; please report this "
                "plan",
                s->guarantee.route, s->other.route);
    }
    return DOSI_OK;
}

/* Curves add; there is nothing to choose from. */
static dosi_status stand_renyi(standing *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err)
{
    *s = standing_start(q);
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
    s->guarantee = (end){fmax(ball_upper(r.upper), 0), 0, "renyi",
        "T000-32, T000-33.2", LAW_EXACT, 0};
    s->other = s->guarantee;
    s->other.value = fmax(ball_lower(r.lower), 0);
    return DOSI_OK;
}

static dosi_status stand_zcdp(standing *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err)
{
    *s = standing_start(q);
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
    if (line.rho.hi < HUGE_VAL || line.rho.lo == HUGE_VAL)
        s->guarantee =
            (end){line.rho.hi, 0, "zcdp", line.theorem, LAW_EXACT, 0};
    if (line.rho.lo > 0 || line.rho.hi == 0)
        s->other = (end){line.rho.lo, 0, "zcdp", line.theorem, LAW_EXACT, 0};
    return DOSI_OK;
}

static dosi_status stand_any(standing *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err)
{
    if (q->kind == ACCOUNT_RENYI)
        return stand_renyi(s, q, view, only, err);
    if (q->kind == ACCOUNT_ZCDP)
        return stand_zcdp(s, q, view, only, err);
    return stand(s, q, view, only, err);
}

/* ---- The answer -------------------------------------------------------- */

/* The worse of two directions, end by end. */
static standing worse(
    const standing *a, const standing *b, const account_question *q)
{
    bool below = guards_below(q);
    standing s = *a;
    if (improves(&b->guarantee, &s.guarantee, below))
        s.guarantee = b->guarantee;
    if (improves(&b->other, &s.other, below))
        s.other = b->other;
    if (s.reason == NULL)
        s.reason = b->reason;
    return s;
}

static law_flag plan_flag(const dosi_plan *normal)
{
    law_flag flag = LAW_EXACT;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        law_flag own = dosi_plan_child_count(p.node) > 0
                           ? plan_flag(dosi_plan_child(p.node, 0))
                           : lower_of(&p)->flag;
        flag = own > flag ? own : flag;
    }
    return flag;
}

static const char *meaning_of(const standing *s, const dosi_plan *normal)
{
    if (strcmp(s->other.route, "none") == 0)
        return "nothing: it always holds";
    law_flag flag = s->other.flag;
    if (plan_flag(normal) == LAW_CLASS)
        flag = LAW_CLASS;
    return flag == LAW_EXACT ? "the mechanism" : "the class";
}

static void fill(dosi_answer *out, const standing *s,
    const account_question *q, const dosi_plan *normal)
{
    const end *lo = guards_below(q) ? &s->guarantee : &s->other;
    const end *hi = guards_below(q) ? &s->other : &s->guarantee;
    out->value = (dosi_interval){lo->value, hi->value};
    out->log_value = iv_unknown();
    if (q->kind == ACCOUNT_DELTA)
        out->log_value = (dosi_interval){lo->log_value, hi->log_value};
    out->route = s->guarantee.route;
    out->theorem = s->guarantee.theorem;
    out->order = s->guarantee.order;
    out->lower_meaning = meaning_of(s, normal);
    out->reason = NULL;
    if (out->value.lo == HUGE_VAL && q->kind == ACCOUNT_EPSILON)
        out->reason = leak_reason;
    else if (out->value.lo == HUGE_VAL)
        out->reason = s->reason;
    else if (!is_narrow(s, q))
        out->reason = s->reason != NULL ? s->reason : wide_reason;
    account_assumptions(out, normal);
}

static dosi_status check_route(const char *name, dosi_error *err)
{
    if (name == NULL)
        return DOSI_OK;
    for (size_t i = 0; i < N_ROUTES; i++)
        if (strcmp(routes[i]->name, name) == 0)
            return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "route must be one of closed, spectral, finite, zcdp, approx, renyi; "
        "got \"%.40s\"",
        name);
}

dosi_status account_options(
    dosi_options *out, const dosi_options *given, dosi_error *err)
{
    *out = (dosi_options)DOSI_OPTIONS_INIT;
    if (given != NULL) {
        if (given->size < sizeof given->size || given->size > sizeof *out)
            return dosi_fail(err, DOSI_EINVAL,
                "options: size must be that of DOSI_OPTIONS_INIT");
        memcpy(out, given, given->size);
    }
    if (out->neighbours != DOSI_ADD_REMOVE && out->neighbours != DOSI_REPLACE)
        return dosi_fail(err, DOSI_EINVAL,
            "options: neighbours must be add_remove or replace");
    if (out->max_terms == 0)
        out->max_terms = (size_t)1 << 20;
    return check_route(out->route, err);
}

/* Removal comes first; adding is left out where it cannot be worse. */
static int count_directions(const dosi_plan *normal,
    const account_question *q, const dosi_options *opt)
{
    bool by_curve = q->kind == ACCOUNT_RENYI || q->kind == ACCOUNT_ZCDP ||
                    (opt->route != NULL &&
                        strcmp(opt->route, "renyi") == 0);
    if (!part_plan_is_asymmetric(normal))
        return 1;
    return by_curve && part_plan_removal_is_worse(normal) ? 1 : 2;
}

/* Both directions of a plan in normal form. */
static dosi_status answer_normal(dosi_answer *out, const dosi_plan *normal,
    const account_question *q, const dosi_options *opt, dosi_error *err)
{
    dosi_status status = account_refuse(normal, opt->neighbours, err);
    standing found[2];
    int n_directions = count_directions(normal, q, opt);
    for (int i = 0; i < n_directions && status == DOSI_OK; i++) {
        law_pool pool;
        account_curve curve;
        law_pool_init(&pool);
        account_view view = {normal,
            {opt->neighbours, i == 1, opt->max_terms, false, &pool}, &curve};
        status = stand_any(&found[i], q, &view, opt->route, err);
        law_pool_free(&pool);
    }
    if (status != DOSI_OK)
        return status;
    if (n_directions == 2)
        found[0] = worse(&found[0], &found[1], q);
    out->neighbours = opt->neighbours;
    fill(out, &found[0], q, normal);
    return DOSI_OK;
}

dosi_status account_answer(dosi_answer *out, const dosi_plan *plan,
    const account_question *question, const dosi_options *options,
    dosi_error *err)
{
    dosi_options opt;
    dosi_status status = account_options(&opt, options, err);
    if (status != DOSI_OK)
        return status;
    if (dosi_plan_has_hole(plan))
        return dosi_fail(err, DOSI_EINVAL,
            "the plan holds a hole \"?\"; only calibration fills it");
    const dosi_plan *normal = NULL;
    status = dosi_plan_normal(&normal, plan, err);
    if (status == DOSI_OK)
        status = answer_normal(out, normal, question, &opt, err);
    dosi_plan_free(normal);
    return status;
}
