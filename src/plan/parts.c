/*
 * Parts of a normal form: sorting, merging and putting together.
 */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "label.h"

void dosi_parts_free(part_list *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        dosi_plan_free(parts->items[i].what);
        free(parts->items[i].own);
    }
    free(parts->items);
    *parts = (part_list){0};
}

static dosi_status fail_count(dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL,
        "repeat: the total count of a mechanism must be at most 2^53");
}

dosi_status dosi_parts_add(
    part_list *parts, const dosi_plan *what, uint64_t count, dosi_error *err)
{
    if (count > PARTS_MAX_COUNT)
        return fail_count(err);
    if (parts->n == parts->capacity) {
        size_t capacity = parts->capacity == 0 ? 4 : 2 * parts->capacity;
        part *items = realloc(parts->items, capacity * sizeof *items);
        if (items == NULL)
            return dosi_fail_memory(err);
        parts->items = items;
        parts->capacity = capacity;
    }
    parts->items[parts->n++] =
        (part){dosi_plan_retain(what), count, parts->label, NULL};
    return DOSI_OK;
}

/* No label comes last. */
static int label_compare(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a == NULL) - (b == NULL);
    return strcmp(a, b);
}

static int part_compare(const void *a, const void *b)
{
    const part *x = a, *y = b;
    int order = dosi_plan_compare(x->what, y->what);
    return order != 0 ? order : label_compare(x->label, y->label);
}

static int labelled_compare(const void *a, const void *b)
{
    const part *x = a, *y = b;
    int order = label_compare(x->label, y->label);
    return order != 0 ? order : dosi_plan_compare(x->what, y->what);
}

/* The sorted parts from first to end are one: *first has their labels. */
static dosi_status labels_merge(
    part *first, const part *end, dosi_error *err)
{
    char text[LABEL_MAX_BYTES + 1];
    size_t n_all = (size_t)(end - first), n = 0;
    const char **labels = malloc(n_all * sizeof *labels);
    if (labels == NULL)
        return dosi_fail_memory(err);
    for (const part *p = first; p < end; p++)
        if (n == 0 || label_compare(labels[n - 1], p->label) != 0)
            labels[n++] = p->label;
    if (n > 1 && dosi_label_join(text, labels, n) != NULL) {
        first->own = malloc(strlen(text) + 1);
        first->label = first->own;
    }
    free(labels);
    if (n > 1 && first->own == NULL && first->label == NULL)
        return dosi_fail_memory(err);
    if (first->own != NULL)
        memcpy(first->own, text, strlen(text) + 1);
    return DOSI_OK;
}

/* Adds up the counts of the sorted parts from first to end, which are equal,
 * and lets go of all but the first. */
static dosi_status run_merge(
    part_list *parts, size_t first, size_t end, dosi_error *err)
{
    part *p = &parts->items[first];
    dosi_status status = DOSI_OK;
    if (parts->use == LABELS_KEPT && end - first > 1)
        status = labels_merge(p, &parts->items[end], err);
    for (size_t i = first + 1; i < end; i++) {
        p->count += parts->items[i].count; /* saturation: below 2^64 */
        if (p->count > PARTS_MAX_COUNT)
            p->count = PARTS_MAX_COUNT + 1;
        dosi_plan_free(parts->items[i].what);
        parts->items[i].what = NULL;
    }
    if (status == DOSI_OK && p->count > PARTS_MAX_COUNT)
        status = fail_count(err);
    return status;
}

/* Whether two neighbours in the sorted list are one part. */
static bool parts_are_one(const part_list *parts, const part *a, const part *b)
{
    return (parts->use != LABELS_PART ||
               label_compare(a->label, b->label) == 0) &&
           dosi_plan_equal(a->what, b->what);
}

dosi_status dosi_parts_merge(part_list *parts, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    if (parts->n > 1)
        qsort(parts->items, parts->n, sizeof *parts->items,
            parts->use == LABELS_PART ? labelled_compare : part_compare);
    size_t n = 0;
    for (size_t i = 0, end; i < parts->n; i = end) {
        end = i + 1;
        while (end < parts->n &&
               parts_are_one(parts, &parts->items[i], &parts->items[end]))
            end++;
        if (status == DOSI_OK)
            status = run_merge(parts, i, end, err);
        if (status != DOSI_OK)
            return status;
        part kept = parts->items[i];
        parts->items[i] = (part){0};
        parts->items[n++] = kept;
    }
    parts->n = n;
    return DOSI_OK;
}

/* Replaces what the part is by another plan, which is moved there. */
static void part_replace(part *p, const dosi_plan *by)
{
    dosi_plan_free(p->what);
    p->what = by;
}

/* Turns a part with a count into a repetition, with its label or without. */
static dosi_status part_finish(part *p, bool labels, dosi_error *err)
{
    const dosi_plan *by = NULL;
    const char *label = labels ? p->label : NULL;
    dosi_status status = DOSI_OK;
    if (p->what->label != NULL && (p->count > 1 || label != p->what->label)) {
        status = dosi_plan_labelled(&by, p->what, NULL, err);
        if (status != DOSI_OK)
            return status;
        part_replace(p, by);
    }
    if (p->count > 1) {
        status = dosi_plan_repeat(&by, p->what, (double)p->count, err);
        if (status != DOSI_OK)
            return status;
        part_replace(p, by);
        p->count = 1;
    }
    if (label != NULL && p->what->label == NULL) {
        status = dosi_plan_labelled(&by, p->what, label, err);
        if (status == DOSI_OK)
            part_replace(p, by);
    }
    return status;
}

dosi_status dosi_parts_finish(part_list *parts, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < parts->n && status == DOSI_OK; i++)
        status = part_finish(
            &parts->items[i], parts->use == LABELS_KEPT, err);
    return status;
}

dosi_status dosi_parts_compose(
    const dosi_plan **out, const part_list *parts, dosi_error *err)
{
    if (parts->n <= 1)
        return dosi_plan_compose(
            out, parts->n == 1 ? &parts->items[0].what : NULL, parts->n, err);
    const dosi_plan **children = malloc(parts->n * sizeof(const dosi_plan *));
    if (children == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < parts->n; i++)
        children[i] = parts->items[i].what;
    dosi_status status = dosi_plan_compose(out, children, parts->n, err);
    free(children);
    return status;
}

dosi_status dosi_parts_group(part_list *parts, dosi_error *err)
{
    size_t n = 0;
    dosi_status status = DOSI_OK;
    for (size_t i = 0, end; i < parts->n && status == DOSI_OK; i = end) {
        const char *label = parts->items[i].label;
        for (end = i + 1; label != NULL && end < parts->n; end++)
            if (label_compare(label, parts->items[end].label) != 0)
                break;
        part_list same = {.items = &parts->items[i], .n = end - i};
        const dosi_plan *sum = NULL, *labelled = NULL;
        status = dosi_parts_compose(&sum, &same, err);
        if (status == DOSI_OK)
            status = dosi_plan_labelled(&labelled, sum, label, err);
        dosi_plan_free(sum);
        for (size_t j = i; j < end && status == DOSI_OK; j++) {
            dosi_plan_free(parts->items[j].what);
            parts->items[j].what = NULL;
        }
        if (status == DOSI_OK)
            parts->items[n++] = (part){labelled, 1, label, NULL};
    }
    parts->n = status == DOSI_OK ? n : parts->n;
    return status;
}
