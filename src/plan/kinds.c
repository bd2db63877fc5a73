/*
 * Reading the kind table: kinds and parameters by name, or by the nearest name
 * to a misspelt one, and the rules that parameters must keep.
 */
#include "kinds.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define MECHANISM(number, table, ...) [DOSI_##number] = {__VA_ARGS__},
#define CONNECTIVE(number, ...) \
    [DOSI_##number] = {.role = KIND_CONNECTIVE, __VA_ARGS__},
static const kind_row kind_rows[DOSI_KIND_COUNT] = {
#include "kinds.def"
};

static const char *const range_rules[] = {
    [RANGE_POSITIVE] = "positive and finite",
    [RANGE_NONNEGATIVE] = "non-negative and finite",
    [RANGE_PROBABILITY] = "between 0 and 1",
    [RANGE_ORDER] = "greater than 1 and finite",
    [RANGE_LOSS] = "a number or inf",
    [RANGE_CATEGORIES] = "an integer from 2 to 2^53",
    [RANGE_COUNT] = "an integer from 1 to 2^53",
};

const kind_row *dosi_kind_row(dosi_kind kind)
{
    return (size_t)kind < DOSI_KIND_COUNT ? &kind_rows[kind] : NULL;
}

static bool name_is(const char *candidate, const char *name, size_t n)
{
    return strlen(candidate) == n && memcmp(candidate, name, n) == 0;
}

bool dosi_kind_find(dosi_kind *out, const char *name, size_t n)
{
    for (size_t i = 0; i < DOSI_KIND_COUNT; i++)
        if (name_is(kind_rows[i].name, name, n)) {
            *out = (dosi_kind)i;
            return true;
        }
    return false;
}

/* Whether one of the words of aliases, separated by spaces, is the name. */
static bool alias_is(const char *aliases, const char *name, size_t n)
{
    while (aliases != NULL && *aliases != '\0') {
        size_t length = strcspn(aliases, " ");
        if (length == n && memcmp(aliases, name, n) == 0)
            return true;
        aliases += length + (aliases[length] == ' ');
    }
    return false;
}

size_t dosi_kind_find_parameter(const kind_row *row, const char *name, size_t n)
{
    size_t i = 0;
    while (i < row->n_parameters &&
           !name_is(row->parameters[i].name, name, n) &&
           !alias_is(row->parameters[i].aliases, name, n))
        i++;
    return i;
}

/* Longer names are not compared. */
#define MAX_NAME 24

/* Insertions, deletions, replacements and swaps of neighbours that take a to
 * b (optimal string alignment); MAX_NAME when either is too long. */
static size_t name_distance(const char *a, size_t m, const char *b)
{
    size_t d[MAX_NAME + 1][MAX_NAME + 1];
    size_t n = strlen(b);
    if (m > MAX_NAME || n > MAX_NAME)
        return MAX_NAME;
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[m][n];
}

/* Keeps the nearer of *best and candidate; a third of the name may differ. */
static void nearest_keep(const char **best, size_t *distance,
    const char *candidate, const char *name, size_t n)
{
    size_t d = name_distance(name, n, candidate);
    if (d < *distance && 3 * d <= strlen(candidate) + 1) {
        *best = candidate;
        *distance = d;
    }
}

const char *dosi_kind_nearest(const char *name, size_t n)
{
    const char *best = NULL;
    size_t distance = MAX_NAME;
    for (size_t i = 0; i < DOSI_KIND_COUNT; i++)
        if (kind_rows[i].infix == NULL)
            nearest_keep(&best, &distance, kind_rows[i].name, name, n);
    return best;
}

const char *dosi_kind_nearest_parameter(
    const kind_row *row, const char *name, size_t n)
{
    const char *best = NULL;
    size_t distance = MAX_NAME;
    for (size_t i = 0; i < row->n_parameters; i++)
        nearest_keep(&best, &distance, row->parameters[i].name, name, n);
    return best;
}

bool dosi_kind_range_holds(kind_range range, double x)
{
    /* every comparison is false for NaN */
    switch (range) {
    case RANGE_POSITIVE:
        return x > 0 && x < HUGE_VAL;
    case RANGE_NONNEGATIVE:
        return x >= 0 && x < HUGE_VAL;
    case RANGE_PROBABILITY:
        return x >= 0 && x <= 1;
    case RANGE_ORDER:
        return x > 1 && x < HUGE_VAL;
    case RANGE_LOSS:
        return x > -HUGE_VAL;
    case RANGE_CATEGORIES:
        return x >= 2 && x <= KIND_MAX_INTEGER && x == floor(x);
    case RANGE_COUNT:
        return x >= 1 && x <= KIND_MAX_INTEGER && x == floor(x);
    }
    return false;
}

const char *dosi_kind_range_rule(kind_range range)
{
    return range_rules[range];
}

/* A parameter exceeds the one that bounds it. */
static dosi_status fail_order(const kind_row *row, size_t which,
    const double *parameters, dosi_error *err)
{
    char got[DOSI_NUMBER_BYTES], of[DOSI_NUMBER_BYTES];
    size_t bound = row->parameters[which].at_most;
    dosi_print_exact(got, parameters[which]);
    dosi_print_exact(of, parameters[bound]);
    return dosi_fail(err, DOSI_EINVAL,
        "%s: %s must be at most the %s, got %s of %s", row->name,
        row->parameters[which].name, row->parameters[bound].name, got, of);
}

dosi_status dosi_kind_check(dosi_kind kind, const double *parameters,
    size_t hole, size_t *culprit, dosi_error *err)
{
    const kind_row *row = dosi_kind_row(kind);
    char got[DOSI_NUMBER_BYTES];

    for (size_t i = 0; i < row->n_parameters; i++) {
        const kind_parameter *rule = &row->parameters[i];
        if (i == hole || rule->is_list ||
            dosi_kind_range_holds(rule->range, parameters[i]))
            continue;
        *culprit = i;
        dosi_print_exact(got, parameters[i]);
        return dosi_fail(err, DOSI_EINVAL, "%s: %s must be %s, got %s",
            row->name, rule->name, range_rules[rule->range], got);
    }
    for (size_t i = 0; i < row->n_parameters; i++) {
        size_t bound = row->parameters[i].at_most;
        if (bound == 0 || i == hole || bound == hole ||
            parameters[i] <= parameters[bound])
            continue;
        *culprit = i;
        return fail_order(row, i, parameters, err);
    }
    return DOSI_OK;
}

dosi_neighbours dosi_kind_natural(const dosi_plan *plan)
{
    if (dosi_kind_row(dosi_plan_kind(plan))->natural == DOSI_REPLACE)
        return DOSI_REPLACE;
    size_t n = dosi_plan_child_count(plan);
    for (size_t i = 0; i < n; i++)
        if (dosi_kind_natural(dosi_plan_child(plan, i)) == DOSI_REPLACE)
            return DOSI_REPLACE;
    return DOSI_ADD_REMOVE;
}

static const char *const unit_names[UNIT_COUNT] = {
    [UNIT_STD] = "std",
    [UNIT_SENSITIVITY] = "sensitivity",
    [UNIT_EPSILON] = "epsilon",
};

const char *dosi_unit_name(unit which)
{
    return unit_names[which];
}

dosi_kind_info dosi_kind_at(dosi_kind kind)
{
    const kind_row *row = dosi_kind_row(kind);
    dosi_kind_info info = {.name = "", .meaning = ""};
    if (row == NULL)
        return info;
    info.name = row->name;
    info.meaning = row->meaning;
    info.n_parameters = row->n_parameters;
    info.n_children = row->n_children;
    for (size_t i = 0; i < row->n_parameters; i++) {
        const kind_parameter *from = &row->parameters[i];
        info.parameters[i].name = from->name;
        info.parameters[i].rule = range_rules[from->range];
        info.parameters[i].safer = from->safer;
        info.parameters[i].is_list = from->is_list;
        info.parameters[i].has_default = from->has_default;
        info.parameters[i].default_value = from->default_value;
    }
    return info;
}

const char *dosi_kind_unit_at(dosi_kind kind, size_t i)
{
    const kind_row *row = dosi_kind_row(kind);
    for (size_t u = 0; row != NULL && u < UNIT_COUNT; u++)
        if (row->units[u] && i-- == 0)
            return unit_names[u];
    return NULL;
}
