/*
 * The plan: an immutable tree, counted by references. Its nodes are made in
 * one place, dosi_plan_make, which checks every rule of the kind table, so
 * that a plan that exists is a valid one.
 *
 * Two limits keep every walk over a tree short: its levels (walks recurse)
 * and its size with shared parts counted each time they occur. Neither grows
 * by taking the normal form, nor by printing and reading back.
 */
#ifndef DOSI_PLAN_PLAN_H
#define DOSI_PLAN_PLAN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "kinds.h"

#define PLAN_MAX_LEVELS 200
#define PLAN_MAX_SIZE ((size_t)1 << 24)

/* No parameter is the hole. */
#define PLAN_NO_HOLE ((size_t)DOSI_MAX_PARAMETERS)

struct dosi_plan {
    atomic_size_t n_references;
    dosi_plan *self; /* to count references of a node that is const */
    dosi_kind kind;
    unsigned levels; /* a count that stands on anything else adds none */
    size_t size;     /* mechanisms, samplers and list elements */
    size_t hole;     /* index of the own parameter that is the hole */
    bool has_hole;   /* here or below */
    double parameters[DOSI_MAX_PARAMETERS]; /* NaN at the hole */
    double *list; /* pmf: weights p, then as many q; loss: losses and as many
                     masses, then those of adding */
    size_t n_list[2]; /* of p or losses; of losses of adding, 0 for none */
    char *label;      /* NULL for none; not compared, not hashed */
    size_t n_children;
    const dosi_plan *children[];
};

/* What dosi_plan_make builds a node from. */
typedef struct plan_spec {
    dosi_kind kind;
    double parameters[DOSI_MAX_PARAMETERS];
    size_t hole; /* index of the parameter that is the hole, or NO_HOLE */
    const double *lists[DOSI_MAX_PARAMETERS]; /* pmf, loss; else NULL */
    size_t n_lists[DOSI_MAX_PARAMETERS];
    const char *label; /* copied; NULL for none */
    const dosi_plan *const *children; /* retained */
    size_t n_children;
} plan_spec;

/*
 * Makes a node, or for a composition of one part that part, and of none
 * pure(0). The label is not checked, and goes to a new node only.
 *
 * culprit receives the index of the parameter an error is about, or
 * PLAN_NO_HOLE when it is about none; it may be NULL.
 *
 * owns   *out
 * fails  DOSI_EINVAL, DOSI_ENOMEM
 */
DOSI_CHECK dosi_status dosi_plan_make(const dosi_plan **out,
    const plan_spec *spec, size_t *culprit, dosi_error *err);

/* All numbers of the node's lists. */
static inline size_t plan_list_size(const dosi_plan *plan)
{
    return 2 * (plan->n_list[0] + plan->n_list[1]);
}

/* A total order on plans: -1, 0, 1; 0 exactly for equal trees, whatever
 * their labels. A number comes before the hole. */
int dosi_plan_compare(const dosi_plan *a, const dosi_plan *b);

#endif
