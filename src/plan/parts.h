/*
 * The parts that a normal form is made of, while it is made: collected, then
 * sorted, merged and put together.
 */
#ifndef DOSI_PLAN_PARTS_H
#define DOSI_PLAN_PARTS_H

#include <stdint.h>

#include "plan.h"

#define PARTS_MAX_COUNT ((uint64_t)1 << 53)

/* A mechanism, sampler, or group of one, and how often it occurs. */
typedef struct part {
    const dosi_plan *what;
    uint64_t count;
    const char *label; /* of the source tree, or own */
    char *own;         /* of parts that were merged, or NULL */
} part;

/* What becomes of labels. */
typedef enum label_use {
    LABELS_DROPPED, /* inside of a part */
    LABELS_KEPT,    /* a part has those of all that were merged into it */
    LABELS_PART     /* parts with different labels are different ones */
} label_use;

typedef struct part_list {
    part *items;
    size_t n;
    size_t capacity;
    bool nonprivate; /* nonprivate() is among them */
    label_use use;
    const char *label; /* the outermost one around what is collected */
} part_list;

void dosi_parts_free(part_list *parts);

/* Adds a part, which it retains, with the label that is collected under. */
DOSI_CHECK dosi_status dosi_parts_add(
    part_list *parts, const dosi_plan *what, uint64_t count, dosi_error *err);

/* Sorts the parts and adds up the counts of equal ones, under the use that
 * labels have. fails  DOSI_EINVAL for a count above 2^53, DOSI_ENOMEM */
DOSI_CHECK dosi_status dosi_parts_merge(part_list *parts, dosi_error *err);

/* Counts become repetitions; each part has its label, if labels are kept. */
DOSI_CHECK dosi_status dosi_parts_finish(part_list *parts, dosi_error *err);

/* The sorted parts with one label become one, labelled, sum. */
DOSI_CHECK dosi_status dosi_parts_group(part_list *parts, dosi_error *err);

/* The sum of the parts. owns  *out */
DOSI_CHECK dosi_status dosi_parts_compose(
    const dosi_plan **out, const part_list *parts, dosi_error *err);

#endif
