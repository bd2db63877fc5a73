/*
 * The kind table: a row of kinds.def for each mechanism, sampler and
 * connective has everything about it that needs no privacy theory: names,
 * ranges and safer directions of its parameters, the neighbouring relations of
 * a sampler, the event class of dp_accounting. Parser, printers, help, normal
 * form, JSON and calibration read the row, so that no other file has to name a
 * kind. What needs theory is in the kind's file in mechanisms/.
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

/* Whether a parameter bounds what is lost. A leaf all of whose bounds are 0
 * loses nothing; one with a leak of 1 keeps nothing. The normal form drops
 * the former and absorbs plans with the latter. */
typedef enum kind_bound {
    BOUND_NONE = 0,
    BOUND_LOSS, /* of the privacy loss, or of its divergence */
    BOUND_LEAK  /* of the probability that nothing is protected */
} kind_bound;

typedef struct kind_parameter {
    const char *name;
    const char *aliases; /* other names, separated by spaces, or NULL */
    kind_range range;    /* of the number, or of each list element */
    dosi_safer safer;
    kind_bound bound;
    size_t at_most; /* index of a later parameter that it may not exceed, or 0:
                       no rule */
    bool is_list;
    bool has_default;
    double default_value;
} kind_parameter;

/* Arguments that give the first parameter in another unit. */
typedef enum unit {
    UNIT_STD = 0,
    UNIT_SENSITIVITY,
    UNIT_EPSILON,
    UNIT_COUNT
} unit;

const char *dosi_unit_name(unit which);

typedef enum kind_role {
    KIND_MECHANISM = 0, /* a mechanism, or a class of them, that was run */
    KIND_GUARANTEE,     /* a stated guarantee, which many mechanisms meet */
    KIND_SAMPLER,       /* runs its child on a sample of the records */
    KIND_CONNECTIVE     /* group, repeat, compose: puts plans together */
} kind_role;

/* The noise parameter of an event class that is not the kind's own. */
typedef enum kind_event_noise {
    EVENT_NOISE_NONE = 0,
    EVENT_NOISE_MULTIPLIER, /* the scale, over the records that differ */
    EVENT_NOISE_INVERSE,    /* 1/scale */
    EVENT_NOISE_RESPONSE    /* the probability of a random answer */
} kind_event_noise;

/* The event of dp_accounting that a node is written as. */
typedef struct kind_event {
    const char *class_name; /* NULL when there is no such event */
    struct {
        const char *name;
        size_t parameter; /* index in the kind's row */
    } fields[2];          /* members that are a parameter as it is */
    kind_event_noise noise;
    bool has_sensitivity;  /* it has a member of that name */
    const char *constants; /* members that never change, or NULL */
    const char *child;     /* member that holds what is inside, or NULL */
} kind_event;

typedef struct kind_row {
    const char *name;
    const char *meaning;
    const char *infix; /* how it is written when it is no call, or NULL */
    size_t n_parameters;
    kind_parameter parameters[DOSI_MAX_PARAMETERS];
    size_t n_children;
    kind_event event;
    kind_role role;
    dosi_neighbours samples_under; /* of a sampler: the relation that its child
                                      is stated for */
    dosi_neighbours natural; /* the relation that a plan with it is asked about
                                when none is given */
    bool is_asymmetric;  /* removing a record and adding one may be different
                            pairs of laws, not one pair and its reverse */
    bool units[UNIT_COUNT]; /* those that it takes. With a std its parameter is
                               relative to the sensitivity; else it is so
                               without one */
    bool has_directions; /* of a sampler: they are, under add_remove, whatever
                            is sampled */
} kind_row;

/* The row of a kind; NULL when there is no such kind. */
const kind_row *dosi_kind_row(dosi_kind kind);

/* Whether the kind is a loss law by points: losses and their masses. */
static inline bool kind_row_has_losses(const kind_row *row)
{
    return row->parameters[0].range == RANGE_LOSS;
}

/* Whether a parameter of the kind is a leak. */
static inline bool kind_row_has_leak(const kind_row *row)
{
    for (size_t i = 0; i < row->n_parameters; i++)
        if (row->parameters[i].bound == BOUND_LEAK)
            return true;
    return false;
}

/* The relation that questions about a plan are asked under when none is
 * given: replace if the row of any node says so, else add_remove. */
dosi_neighbours dosi_kind_natural(const dosi_plan *plan);

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
 * hole (none when hole >= DOSI_MAX_PARAMETERS). Lists are not read.
 *
 * fails  DOSI_EINVAL with the index of the culprit in *culprit
 */
DOSI_CHECK dosi_status dosi_kind_check(dosi_kind kind, const double *parameters,
    size_t hole, size_t *culprit, dosi_error *err);

#endif
