/*
 * Two queries filled from disjoint parts of the data made one, before any
 * noise is drawn. Rows that were read merge exactly, even those of one person:
 * what is kept of a person is the same as after one pass (R107-3). Tallies of
 * engines have the limits applied already: they add up if nobody is in two.
 */
#include "release/table/reader/compiled_query.h"

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "query_object.h"

static dosi_status compare_lines(const char *what, char *const *a, size_t n_a,
    char *const *b, size_t n_b, dosi_error *err)
{
    for (size_t i = 0; i < n_a && i < n_b; i++)
        if (strcmp(a[i], b[i]) != 0)
            return dosi_fail(err, DOSI_EINVAL,
                "merge: the queries must have the same %ss, got \"%.60s\" "
                "and \"%.60s\"",
                what, a[i], b[i]);
    if (n_a != n_b)
        return dosi_fail(err, DOSI_EINVAL,
            "merge: the queries must have the same %ss, got %zu and %zu of "
            "them",
            what, n_a, n_b);
    return DOSI_OK;
}

bool query_is_filtered(const dosi_table_query *q)
{
    for (size_t i = 0; i < q->layout.n_items; i++)
        if (q->layout.items[i].min_count > 1)
            return true;
    return false;
}

static dosi_status check_data(const dosi_table_query *into,
    const dosi_table_query *other, dosi_error *err)
{
    if (other->statement[0] != '\0')
        return dosi_fail(err, DOSI_EINVAL,
            "merge: the other query has a statement that no tally has "
            "answered");
    if ((into->reader != NULL && other->has_tally) ||
        (into->has_tally && other->reader != NULL))
        return dosi_fail(err, DOSI_EINVAL,
            "merge: rows that were read do not merge with a tally, whose "
            "limits are applied already");
    if (other->has_tally && query_is_filtered(into))
        return dosi_fail(err, DOSI_EINVAL,
            "merge: tallies without the cells below min-count do not add up; "
            "leave out min-count");
    return DOSI_OK;
}

static dosi_status check_queries(const dosi_table_query *into,
    const dosi_table_query *other, dosi_error *err)
{
    const struct table_lines *a = &into->lines, *b = &other->lines;
    if (into == other)
        return dosi_fail(err, DOSI_EINVAL,
            "merge: the queries must be two, got one with itself");
    if (into->is_finished || other->is_finished)
        return dosi_fail(err, DOSI_EINVAL, "merge: " QUERY_FINISHED);
    dosi_status status = compare_lines("statistic", a->statistics,
        a->n_statistics, b->statistics, b->n_statistics, err);
    if (status == DOSI_OK)
        status = compare_lines("setting", a->settings, a->n_settings,
            b->settings, b->n_settings, err);
    if (status == DOSI_OK && into->layout.is_file_order)
        status = dosi_fail(err, DOSI_EINVAL,
            "merge: file-order is the order of one file; parts need order C");
    return status == DOSI_OK ? check_data(into, other, err) : status;
}

static dosi_status assume_once(
    dosi_table_query *q, const char *sentence, dosi_error *err)
{
    for (size_t i = 0; i < q->n_assumptions; i++)
        if (strcmp(q->assumptions[i].bytes, sentence) == 0)
            return DOSI_OK;
    return table_query_assume(q, sentence, err);
}

static dosi_status merge_assumptions(dosi_table_query *into,
    const dosi_table_query *other, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < other->n_assumptions && status == DOSI_OK; i++)
        status = assume_once(into, other->assumptions[i].bytes, err);
    if (status == DOSI_OK && into->has_tally && other->has_tally)
        status = assume_once(
            into, "nobody is in two of the tallies that were merged", err);
    return status;
}

static dosi_status merge_data(
    dosi_table_query *into, dosi_table_query *other, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    if (other->has_tally && table_query_tally(into) == NULL)
        return dosi_fail_memory(err);
    if (other->has_tally)
        return table_tally_add(
            &into->tally, &other->tally, &into->layout, err);
    if (other->reader == NULL)
        return DOSI_OK;
    status = query_open_reader(into, err);
    if (status == DOSI_OK)
        status = table_reader_merge(into->reader, other->reader, err);
    return status;
}

dosi_status dosi_table_query_merge(
    dosi_table_query *into, dosi_table_query *other, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_status status = check_queries(into, other, err);
    if (status == DOSI_OK)
        status = merge_assumptions(into, other, err);
    if (status == DOSI_OK)
        status = merge_data(into, other, err);
    if (status == DOSI_OK)
        other->is_finished = true;
    return status;
}
