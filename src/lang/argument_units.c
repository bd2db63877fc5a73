/*
 * Parameters from arguments in other units.
 */
#include "argument_units.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "num/round.h"

static bool takes(dosi_kind kind, unit which)
{
    return dosi_kind_row(kind)->units[which];
}

unit dosi_unit_find(dosi_kind kind, const char *name, size_t n)
{
    for (size_t i = 0; i < UNIT_COUNT; i++)
        if (takes(kind, (unit)i) && strlen(dosi_unit_name((unit)i)) == n &&
            memcmp(dosi_unit_name((unit)i), name, n) == 0)
            return (unit)i;
    return UNIT_COUNT;
}

/*
 * The greatest double <= a / b, or one double below it.
 *
 * With q = a / b rounded to nearest, q b - a is a double if nothing underflows
 * (q normal, a >= 2^-900), and fma computes it: its sign tells on which side
 * of a / b the q is. Elsewhere the step down is taken in any case.
 *
 * requires  a, b in (0, inf)
 */
static double quotient_lower(double a, double b)
{
    double q = a / b;
    bool is_exact = a >= 0x1p-900 && q >= 0x1p-1022;
    if (q < HUGE_VAL && is_exact && fma(q, b, -a) <= 0)
        return q;
    return round_down(q);
}

static dosi_status check_values(
    const units *u, const char *kind, dosi_error *err)
{
    char got[DOSI_NUMBER_BYTES];
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (!u->given[i] || (u->value[i] > 0 && u->value[i] < HUGE_VAL))
            continue;
        dosi_print_exact(got, u->value[i]);
        return dosi_fail_at(err, DOSI_EINVAL, u->offset[i],
            "%s: %s must be positive and finite, got %s", kind,
            dosi_unit_name((unit)i), got);
    }
    return DOSI_OK;
}

/* Whether what was given belongs together: one amount, and for a std its
 * sensitivity. */
static dosi_status check_given(const units *u, dosi_kind which,
    bool parameter_given, dosi_error *err)
{
    const kind_row *row = dosi_kind_row(which);
    const char *kind = row->name, *own = row->parameters[0].name;
    bool has_std = u->given[UNIT_STD];
    if (has_std && parameter_given)
        return dosi_fail_at(err, DOSI_EINVAL, u->offset[UNIT_STD],
            "%s: either %s, or std and sensitivity", kind, own);
    if (has_std && !u->given[UNIT_SENSITIVITY])
        return dosi_fail(err, DOSI_EINVAL,
            "%s: std needs a sensitivity, as in %s(std=100, sensitivity=50)",
            kind, kind);
    if (u->given[UNIT_EPSILON] &&
        (parameter_given || u->given[UNIT_SENSITIVITY]))
        return dosi_fail_at(err, DOSI_EINVAL, u->offset[UNIT_EPSILON],
            "%s: epsilon stands alone, for %s and sensitivity", kind, own);
    if (u->given[UNIT_SENSITIVITY] && !has_std && takes(which, UNIT_STD))
        return dosi_fail_at(err, DOSI_EINVAL, u->offset[UNIT_SENSITIVITY],
            "%s: %s is std / sensitivity already; write std in its place",
            kind, own);
    return DOSI_OK;
}

dosi_status dosi_units_apply(double *parameter, bool *given, const units *u,
    dosi_kind kind, bool is_hole, dosi_error *err)
{
    const kind_row *row = dosi_kind_row(kind);
    double amount = *parameter, by = u->value[UNIT_SENSITIVITY];
    if (!u->given[UNIT_STD] && !u->given[UNIT_SENSITIVITY] &&
        !u->given[UNIT_EPSILON])
        return DOSI_OK;
    dosi_status status = check_values(u, row->name, err);
    if (status == DOSI_OK)
        status = check_given(u, kind, *given, err);
    if (status != DOSI_OK)
        return status;
    if (is_hole)
        return dosi_fail_at(err, DOSI_EINVAL, u->offset[UNIT_SENSITIVITY],
            "%s: the hole is %s / sensitivity; write %s(?)", row->name,
            row->parameters[0].name, row->name);
    if (u->given[UNIT_STD])
        amount = u->value[UNIT_STD];
    if (u->given[UNIT_EPSILON]) {
        amount = 1;
        by = u->value[UNIT_EPSILON];
    } else if (!u->given[UNIT_STD] && !*given) {
        return DOSI_OK; /* which the caller says is missing */
    }
    if (!(amount > 0 && amount < HUGE_VAL))
        return DOSI_OK; /* as is, which the rule of the parameter refuses */
    *parameter = quotient_lower(amount, by);
    *given = true;
    if (*parameter > 0 && *parameter < HUGE_VAL && amount / by < HUGE_VAL)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "%s: %s is outside the range of doubles in these units", row->name,
        row->parameters[0].name);
}
