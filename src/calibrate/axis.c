/*
 * The axis of a hole: ordinals of doubles and integers, and the range of a
 * parameter. The bits of doubles >= 0, read as integers, are in the order of
 * the doubles.
 */
#include "axis.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

static int64_t bits_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(int64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double axis_value(const axis *a, int64_t at)
{
    return a->is_whole ? (double)at : of_bits(at);
}

int64_t axis_ordinal(const axis *a, double x)
{
    if (!(x > axis_value(a, a->low))) /* also for NaN */
        return a->low;
    if (x >= axis_value(a, a->high))
        return a->high;
    return a->is_whole ? (int64_t)nearbyint(x) : bits_of(x);
}

int64_t axis_end(const axis *a, bool safe)
{
    return safe == a->safe_up ? a->high : a->low;
}

int64_t axis_next(const axis *a, int64_t at, bool safe)
{
    return safe == a->safe_up ? at + 1 : at - 1;
}

int64_t axis_move(const axis *a, int64_t at, double step)
{
    bool safe = step < 0;
    double x = axis_value(a, at);
    double change = safe == a->safe_up ? fabs(step) : -fabs(step);
    /* x exp(change), which keeps the last digits of a small change */
    double to = x > 0 ? x + x * expm1(change) : change > 0 ? DBL_MIN : 0;
    if (!a->is_whole && to < DBL_MIN && change < 0)
        to = 0;
    int64_t moved = axis_ordinal(a, to);
    bool moves = change > 0 ? moved > at : moved < at;
    if (moves || at == axis_end(a, safe))
        return moved;
    return axis_next(a, at, safe);
}

int64_t axis_middle(const axis *a, int64_t from, int64_t to)
{
    int64_t low = from < to ? from : to, high = from < to ? to : from;
    int64_t middle = low + (high - low) / 2;
    if (a->is_whole && high / 4 > low)
        middle = (int64_t)(sqrt((double)low) * sqrt((double)high));
    return middle > low && middle < high ? middle : low + 1;
}

double axis_log(const axis *a, int64_t at)
{
    double t = log(axis_value(a, at));
    return a->safe_up ? -t : t;
}

/* ---- The axis of a hole ------------------------------------------------ */

/* Sets the ends by the rule of the range; bound_by_other narrows them. */
static void set_range(axis *a, kind_range range)
{
    double least = 0, most = DBL_MAX;
    a->is_whole = kind_range_is_integer(range);
    a->start = a->safe_up ? 16 : 0x1p-4;
    switch (range) {
    case RANGE_POSITIVE:
        least = 0x1p-1074;
        break;
    case RANGE_NONNEGATIVE:
    case RANGE_LOSS: /* of lists, which have no hole */
        break;
    case RANGE_PROBABILITY:
        most = 1;
        a->start = 0x1p-7;
        break;
    case RANGE_ORDER:
        least = 1 + DBL_EPSILON;
        break;
    case RANGE_CATEGORIES:
        least = 2;
        most = KIND_MAX_INTEGER;
        break;
    case RANGE_COUNT:
        least = 1;
        most = KIND_MAX_INTEGER;
        break;
    }
    a->low = a->is_whole ? (int64_t)least : bits_of(least);
    a->high = a->is_whole ? (int64_t)most : bits_of(most);
}

/* Ends the axis at a parameter that it may not exceed, or that may not exceed
 * it. */
static void bound_by_other(axis *a, const dosi_plan *node)
{
    const kind_row *row = dosi_kind_row(a->kind);
    size_t bound = row->parameters[a->parameter].at_most;
    if (bound > 0)
        a->high = (int64_t)node->parameters[bound];
    for (size_t i = 0; i < a->parameter; i++)
        if (row->parameters[i].at_most == a->parameter)
            a->low = (int64_t)node->parameters[i];
}

dosi_status axis_of(axis *out, const dosi_plan *plan, dosi_error *err)
{
    const dosi_plan *node = dosi_plan_hole(plan);
    if (node == NULL)
        return dosi_fail(err, DOSI_EINVAL,
            "calibration needs a plan with a hole \"?\"; this one has none");
    const kind_row *row = dosi_kind_row(node->kind);
    const kind_parameter *rule = &row->parameters[node->hole];
    *out = (axis){.kind = node->kind,
        .parameter = node->hole,
        .name = rule->name,
        .safe_up = rule->safer == DOSI_SAFER_GREATER};
    if (rule->safer == DOSI_SAFER_NEITHER)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "%s: %s cannot be calibrated, since neither more nor less of it "
            "is always safer",
            row->name, rule->name);
    set_range(out, rule->range);
    bound_by_other(out, node);
    if (out->is_whole)
        out->start = axis_value(out, out->low) * (out->safe_up ? 128 : 1);
    return DOSI_OK;
}
