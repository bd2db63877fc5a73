/*
 * The best end of each side for one direction, and how two directions are
 * joined.
 */
#include "best_bounds.h"

#include <string.h>

bool bounds_guards_below(const account_question *q)
{
    return q->kind == ACCOUNT_TRADEOFF;
}

best_bounds bounds_start(const account_question *q)
{
    bounds_end none = {.route = "none", .theorem = ""};
    best_bounds s = {
        .guarantee = none, .other = none, .law_width = HUGE_VAL};
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
        s.other.value =
            q->argument < 1 ? fmin(round_up(1 - q->argument), 1) : 0;
        break;
    }
    return s;
}

/* Whether a has something to say that b has not: smaller, or larger. */
static bool improves(
    const bounds_end *a, const bounds_end *b, bool smaller)
{
    if (a->value != b->value)
        return smaller ? a->value < b->value : a->value > b->value;
    if (strcmp(b->route, "none") == 0)
        return true;
    return smaller ? a->log_value < b->log_value
                   : a->log_value > b->log_value;
}

void bounds_guarantee(
    best_bounds *s, const account_question *q, const bounds_end *found)
{
    bounds_end trivial = bounds_start(q).guarantee;
    if (found->flag == ATTAINED_BY_NONE && found->value == trivial.value &&
        found->log_value == trivial.log_value)
        return; /* a bound that says nothing */
    if (improves(found, &s->guarantee, !bounds_guards_below(q)))
        s->guarantee = *found;
}

void bounds_other(
    best_bounds *s, const account_question *q, const bounds_end *found)
{
    if (improves(found, &s->other, bounds_guards_below(q)))
        s->other = *found;
}

bool bounds_contradicts(const best_bounds *s, const account_question *q)
{
    bool below = bounds_guards_below(q);
    const bounds_end *lo = below ? &s->guarantee : &s->other;
    const bounds_end *hi = below ? &s->other : &s->guarantee;
    return lo->value > hi->value || lo->log_value > hi->log_value;
}

best_bounds bounds_worse(
    const best_bounds *a, const best_bounds *b, const account_question *q)
{
    bool below = bounds_guards_below(q);
    best_bounds s = *a;
    if (improves(&b->guarantee, &s.guarantee, below))
        s.guarantee = b->guarantee;
    if (improves(&b->other, &s.other, below))
        s.other = b->other;
    if (s.reason == NULL)
        s.reason = b->reason;
    s.is_exhausted = a->is_exhausted && b->is_exhausted;
    s.law_width = fmax(a->law_width, b->law_width);
    return s;
}

bool bounds_is_settled(const best_bounds *s, const best_bounds *worst,
    const account_question *q)
{
    double safe = s->guarantee.value, attained = worst->other.value;
    return bounds_guards_below(q)
               ? safe >= attained
               : safe <= attained &&
                     s->guarantee.log_value <= worst->other.log_value;
}

double bounds_width(const best_bounds *s, const account_question *q)
{
    double a = s->guarantee.value, b = s->other.value;
    if (a == b)
        return 0;
    double scale = fmax(fabs(a), fabs(b));
    double width = HUGE_VAL;
    if (scale < HUGE_VAL)
        width = round_up(round_up(fabs(a - b)) / scale);
    if (q->kind != ACCOUNT_DELTA)
        return width;
    double x = s->guarantee.log_value - s->other.log_value;
    return fmin(width, round_up(x)); /* 1 - e^-x <= x */
}
