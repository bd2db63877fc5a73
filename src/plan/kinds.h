/*
 * The kind table: one row per mechanism, wrapper and composition, with the
 * names, ranges and safer directions of its parameters. Parser, printers,
 * help and validation read the row.
 */
#ifndef DOSI_PLAN_KINDS_H
#define DOSI_PLAN_KINDS_H

#include <stdbool.h>

#include "dosimeter.h"

/* Counts, sizes and categories end where doubles stop being all integers. */
#define KIND_MAX_INTEGER 0x1p53

typedef enum kind_range {
    RANGE_POSITIVE = 0,
    RANGE_NONNEGATIVE,
    RANGE_PROBABILITY,
    RANGE_ORDER,
    RANGE_LOSS,       /* any number, and +inf */
    RANGE_CATEGORIES, /* integers from 2 */
    RANGE_COUNT       /* integers from 1 */
} kind_range;

typedef struct kind_parameter {
    const char *name;
    const char *aliases; /* other names, separated by spaces, or NULL */
    kind_range range;    /* of the number, or of each list element */
    dosi_safer safer;
    bool is_list;
    bool has_default;
    double default_value;
} kind_parameter;

typedef struct kind_row {
    const char *name;
    const char *meaning;
    const char *infix; /* how it is written when it is no call, or NULL */
    size_t n_parameters;
    kind_parameter parameters[DOSI_MAX_PARAMETERS];
    size_t n_children;
} kind_row;

/* The row of a kind; NULL when there is no such kind. */
const kind_row *dosi_kind_row(dosi_kind kind);

/* Finds a kind by its name of n bytes; false when there is none. */
bool dosi_kind_find(dosi_kind *out, const char *name, size_t n);

/* The index of a parameter by name or alias; row->n_parameters if none. */
size_t dosi_kind_find_parameter(
    const kind_row *row, const char *name, size_t n);

/* The kind, or else the parameter, whose name is nearest to a misspelt one;
 * NULL when none is near. */
const char *dosi_kind_nearest(const char *name, size_t n);
const char *dosi_kind_nearest_parameter(
    const kind_row *row, const char *name, size_t n);

/* Whether the range holds x; none holds NaN, and +inf is only a loss. */
bool dosi_kind_range_holds(kind_range range, double x);

/* The rule in words, to follow "must be". */
const char *dosi_kind_range_rule(kind_range range);

/* Whether the range is one of integers, which print without exponent. */
static inline bool kind_range_is_integer(kind_range range)
{
    return range == RANGE_CATEGORIES || range == RANGE_COUNT;
}

/*
 * Checks scalar parameters against their rules, leaving out the one at index
 * hole (none when hole >= DOSI_MAX_PARAMETERS). Lists are not looked at.
 *
 * fails  DOSI_EINVAL with the index of the culprit in *culprit
 */
DOSI_CHECK dosi_status dosi_kind_check(dosi_kind kind, const double *parameters,
    size_t hole, size_t *culprit, dosi_error *err);

#endif
