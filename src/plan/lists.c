/*
 * The rules of list parameters. Sums are taken in plain doubles: the slack
 * they have is far above their rounding.
 */
#include "lists.h"

#include <math.h>

#include "base/error.h"

/* Every entry, and their sum. */
static dosi_status entries_check(double *sum, const plan_spec *spec,
    size_t which, const kind_row *row, dosi_error *err)
{
    const kind_parameter *rule = &row->parameters[which];
    *sum = 0;
    for (size_t i = 0; i < spec->n_lists[which]; i++) {
        double x = spec->lists[which][i];
        if (!dosi_kind_range_holds(rule->range, x)) {
            char got[DOSI_NUMBER_BYTES];
            dosi_print_exact(got, x);
            return dosi_fail(err, DOSI_EINVAL,
                "%s: each entry of %s must be %s, got %s as number %zu",
                row->name, rule->name, dosi_kind_range_rule(rule->range), got,
                i + 1);
        }
        *sum += x;
    }
    return DOSI_OK;
}

/* Lists number 0 and 1, or 2 and 3, go together. */
static dosi_status lengths_check(const plan_spec *spec, size_t first,
    const kind_row *row, dosi_error *err)
{
    size_t n = spec->n_lists[first], m = spec->n_lists[first + 1];
    if (n == m)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "%s: %s and %s must have equally many entries, got %zu and %zu",
        row->name,
        row->parameters[first].name, row->parameters[first + 1].name, n, m);
}

static dosi_status weights_check(const plan_spec *spec, const kind_row *row,
    size_t *culprit, dosi_error *err)
{
    for (*culprit = 0; *culprit < 2; ++*culprit) {
        double sum;
        dosi_status status = entries_check(&sum, spec, *culprit, row, err);
        if (status != DOSI_OK)
            return status;
        if (!(sum > 0 && sum < HUGE_VAL))
            return dosi_fail(err, DOSI_EINVAL,
                "%s: the sum of %s must be positive and finite", row->name,
                row->parameters[*culprit].name);
    }
    *culprit = 1;
    return lengths_check(spec, 0, row, err);
}

/* ---- Loss laws --------------------------------------------------------- */

/* The masses of P and of Q, which is e^-loss times that of P, sum to at most
 * 1; some loss is finite. */
static dosi_status law_sums(const plan_spec *spec, size_t first,
    const kind_row *row, dosi_error *err)
{
    const double *at = spec->lists[first], *mass = spec->lists[first + 1];
    double p = 0, q = 0, finite = 0;
    char got[DOSI_NUMBER_BYTES];
    for (size_t i = 0; i < spec->n_lists[first]; i++) {
        p += mass[i];
        if (!(mass[i] > 0 && at[i] < HUGE_VAL))
            continue;
        finite += mass[i];
        q += exp(log(mass[i]) - at[i]);
    }
    const char *losses = row->parameters[first].name;
    const char *masses = row->parameters[first + 1].name;
    if (!(finite > 0))
        return dosi_fail(err, DOSI_EINVAL,
            "%s: %s must contain a positive mass at a finite loss", row->name,
            masses);
    dosi_print_upper(got, p, 12);
    if (!(p <= 1 + LISTS_SUM_SLACK))
        return dosi_fail(err, DOSI_EINVAL,
            "%s: the sum of %s must be at most 1, got %s", row->name, masses,
            got);
    dosi_print_upper(got, q, 12);
    if (!(q <= 1 + LISTS_SUM_SLACK))
        return dosi_fail(err, DOSI_EINVAL,
            "%s: no law has these %s: the sum of mass * exp(-loss) must be "
            "at most 1, got %s",
            row->name, losses, got);
    return DOSI_OK;
}

static dosi_status law_check(const plan_spec *spec, const kind_row *row,
    size_t first, size_t *culprit, dosi_error *err)
{
    for (*culprit = first; *culprit < first + 2; ++*culprit) {
        double sum;
        dosi_status status = entries_check(&sum, spec, *culprit, row, err);
        if (status != DOSI_OK)
            return status;
    }
    *culprit = first + 1;
    dosi_status status = lengths_check(spec, first, row, err);
    return status == DOSI_OK ? law_sums(spec, first, row, err) : status;
}

dosi_status dosi_lists_check(
    const plan_spec *spec, size_t *culprit, dosi_error *err)
{
    const kind_row *row = dosi_kind_row(spec->kind);
    if (spec->kind == DOSI_PMF)
        return weights_check(spec, row, culprit, err);
    if (spec->kind != DOSI_LOSS)
        return DOSI_OK;
    dosi_status status = law_check(spec, row, 0, culprit, err);
    if (status == DOSI_OK && spec->n_lists[2] + spec->n_lists[3] > 0)
        status = law_check(spec, row, 2, culprit, err);
    return status;
}
