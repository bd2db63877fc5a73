/*
 * Asking one law of a route: which ends its answer may improve, whether the
 * other direction makes the question needless, and what the answer shows of the
 * laws that have not been asked. docs/theory/account.md, "Routes".
 */
#include "ask_law.h"

/* An error of a test that is known within this is narrow, unless a width is
 * asked for. */
#define TRADEOFF_GAP 1e-9

/* If the best law that exists is wider than this, others are asked as well. */
#define MAX_BEST_LAW_WIDTH 1e-3

typedef struct reply {
    dosi_interval value;
    dosi_interval log_value;
} reply;

static reply ask(
    const privacy_profile *asked, const account_question *q, double enough)
{
    reply r = {iv_unknown(), iv_unknown()};
    ball at = ball_of(q->argument);
    switch (q->kind) {
    case ACCOUNT_EPSILON:
        r.value = profile_epsilon(asked, q->delta, q->log_delta);
        break;
    case ACCOUNT_DELTA:
        r.value = profile_delta_and_log(asked, at, &r.log_value);
        break;
    case ACCOUNT_TRADEOFF:
        r.value = profile_tradeoff(asked, q->argument, enough);
        r.value.hi = fmin(r.value.hi, 1);
        break;
    case ACCOUNT_RENYI:
    case ACCOUNT_ZCDP:
        break;
    }
    return r;
}

bool ask_is_narrow(
    const best_bounds *s, const account_question *q, const prepared_plan *d)
{
    double gap = s->other.value - s->guarantee.value;
    if (q->kind != ACCOUNT_TRADEOFF || d->width > 0)
        return bounds_width(s, q) <= d->limits.width;
    /* relative to beta, or to 1 - beta if that is smaller */
    double scale = fmin(s->other.value, 1 - s->guarantee.value);
    return gap <= fmax(TRADEOFF_GAP, d->limits.width * scale);
}

/* Whether the law of half a pair need not be asked: the pair is known already,
 * or its curve says nothing at this alpha. It has beta >= alpha where the
 * guarantee has, and not beyond 1/2; if it is not asked, the answer is only
 * wider. */
static bool is_needless(const best_bounds *s, const account_question *q,
    const prepared_plan *d, int half)
{
    if (half != 0 && (d->skips_pairs || s->pairs[half < 0]))
        return true;
    if (q->kind != ACCOUNT_TRADEOFF || half == 0)
        return false;
    return half > 0 ? q->argument > 0.5 : s->guarantee.value >= q->argument;
}

/* Whether the narrow guarantee of the other direction may replace this law. A
 * plan with attained pairs needs the value itself. */
static bool other_is_narrow(
    const law_question *c, const account_laws *laws, size_t i)
{
    return c->other_direction != NULL &&
           !c->prepared->has_pairs && laws->items[i].above &&
           ask_is_narrow(c->other_direction, c->q, c->prepared);
}

/* The error that the other direction guarantees, if that is narrow: an error of
 * this direction above it does not change the smaller of both. */
static double enough_of(
    const law_question *c, const account_laws *laws, size_t i)
{
    bool is_known =
        c->q->kind == ACCOUNT_TRADEOFF && other_is_narrow(c, laws, i);
    return is_known ? c->other_direction->guarantee.value : 1;
}

/* Whether the other direction's guarantee, which is narrow, holds for this one
 * as well: then the worse of both is known, and this one need not be. */
static bool is_no_worse(
    best_bounds *s, const law_question *c, const account_laws *laws, size_t i)
{
    account_kind kind = c->q->kind;
    if ((kind != ACCOUNT_EPSILON && kind != ACCOUNT_DELTA) ||
        !other_is_narrow(c, laws, i))
        return false;
    const privacy_profile *from = laws->items[i].law;
    bounds_end end = c->other_direction->guarantee;
    ball at = ball_of(c->q->argument), delta = c->q->delta;
    ball log_delta = c->q->log_delta;
    if (c->q->kind == ACCOUNT_EPSILON) {
        at = ball_of(end.value);
    } else { /* both of its forms are to hold */
        ball value = ball_of(end.value), log_value = ball_of(end.log_value);
        delta = ball_min(value, ball_exp(log_value));
        log_delta = ball_min(ball_log(value), log_value);
    }
    if (!(end.value > 0 && end.value < HUGE_VAL) ||
        !profile_is_within(from, at, delta, log_delta))
        return false;
    end.route = c->row->route->name;
    end.theorem = laws->items[i].theorem;
    end.flag = from->flag;
    end.order = 0;
    bounds_guarantee(s, c->q, &end);
    return true;
}

/* Intersects the answer of a law with the known bounds. Returns the ends of the
 * answer alone. */
static best_bounds intersect_ends(
    best_bounds *s, const law_question *c, const account_laws *laws, size_t i)
{
    const account_question *q = c->q;
    const privacy_profile *from = laws->items[i].law;
    c->curve->order = 0;
    reply r = ask(from, q, enough_of(c, laws, i));
    bool below = bounds_guards_below(q);
    bounds_end hi = {r.value.hi, r.log_value.hi, c->row->route->name,
        laws->items[i].theorem, from->flag, 0};
    bounds_end lo = hi;
    lo.value = r.value.lo;
    lo.log_value = r.log_value.lo;
    if (q->kind != ACCOUNT_DELTA)
        hi.log_value = lo.log_value = 0;
    if (q->kind == ACCOUNT_EPSILON || q->kind == ACCOUNT_DELTA)
        hi.order = c->curve->order;
    best_bounds own = {.guarantee = below ? lo : hi, .other = below ? hi : lo};
    if (laws->items[i].above)
        bounds_guarantee(s, q, &own.guarantee);
    if (laws->items[i].below)
        bounds_other(s, q, &own.other);
    return own;
}

void ask_law(
    best_bounds *s, const law_question *c, const account_laws *laws, size_t i)
{
    const prepared_plan *d = c->prepared;
    int half = laws->items[i].half;
    bool is_member = laws->items[i].is_member;
    bool is_wanted = laws->items[i].above || !d->guarantee_only;
    if (!is_wanted || is_needless(s, c->q, d, half) ||
        (is_member && s->knows_members) || is_no_worse(s, c, laws, i))
        return;
    best_bounds own = intersect_ends(s, c, laws, i);
    const profile_type *type = laws->items[i].law->type;
    bool is_narrow = ask_is_narrow(&own, c->q, d);
    if (is_member && type->is_slow)
        s->knows_members = is_narrow;
    if (type->is_best && bounds_width(&own, c->q) < MAX_BEST_LAW_WIDTH)
        s->is_exhausted = true;
    /* what is slow composes the law itself, as does what enumerates finite
     * ones */
    const account_route *route = c->row->route;
    bool is_own = (c->row->is_tight && type->is_slow) ||
                  (d->is_finite && route == &route_finite);
    if (laws->items[i].above && is_own)
        s->law_width = fmin(s->law_width, bounds_width(&own, c->q));
    if (!is_narrow || !(own.guarantee.value < HUGE_VAL)) /* others may bound */
        return;
    if (laws->items[i].above && (is_own || route == &route_closed))
        s->knows_law = true;
    if (half != 0 && is_own)
        s->pairs[half < 0] = true;
    /* no route narrows what is between a law and those that attain less */
    if (s->knows_law && (d->has_pairs || s->knows_members || d->guarantee_only))
        s->is_exhausted = true;
}
