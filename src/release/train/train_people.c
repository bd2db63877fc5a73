/* Rows to units, sorted by person, keys and values. */
#include "train_people.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void train_people_free(struct train_people *people)
{
    free(people->ends);
    free(people->members);
    *people = (struct train_people){0};
}

/* ---- Order -------------------------------------------------------------- */

/* A row and what it is compared by. */
struct entry {
    const struct records *records;
    size_t row;
    bool is_file_order;
};

static int key_compare(
    const struct records *records, size_t a, size_t b, size_t key)
{
    size_t n, m;
    const char *x = records_key(&n, records, a, key);
    const char *y = records_key(&m, records, b, key);
    size_t common = n < m ? n : m;
    int c = common > 0 ? memcmp(x, y, common) : 0;

    if (key > 0 && (n == 0) != (m == 0))
        return n == 0 ? 1 : -1; /* missing keys last */
    return c != 0 ? c : (n > m) - (n < m);
}

/* Rows that tie here agree in all that is read of them. */
static int values_compare(const struct records *records, size_t a, size_t b)
{
    const double *x = records->inputs + a * records->stride;
    const double *y = records->inputs + b * records->stride;

    if (records->is_good[a] != records->is_good[b])
        return records->is_good[a] ? -1 : 1;
    for (size_t j = 0; j < records->stride; j++)
        if (x[j] != y[j])
            return x[j] < y[j] ? -1 : 1;
    return (records->labels[a] > records->labels[b]) -
           (records->labels[a] < records->labels[b]);
}

static int entry_compare(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    const struct records *records = a->records;
    int c = 0;

    for (size_t key = 0; key < records->n_keys && c == 0; key++)
        c = key_compare(records, a->row, b->row, key);
    if (c == 0 && !a->is_file_order)
        c = values_compare(records, a->row, b->row);
    return c != 0 ? c : (a->row > b->row) - (a->row < b->row);
}

/* ---- Units -------------------------------------------------------------- */

static dosi_status units_new(
    struct train_people *out, size_t n, dosi_error *err)
{
    out->ends = malloc((n + 1) * sizeof *out->ends);
    out->members = malloc((n + 1) * sizeof *out->members);
    return out->ends == NULL || out->members == NULL ? dosi_fail_memory(err)
                                                     : DOSI_OK;
}

/* Rows of one person, sorted, as one unit or as at most k. */
static void add_person(struct train_people *out, size_t *n_members,
    const struct entry *entries, size_t n, const struct train_settings *s)
{
    size_t n_taken =
        s->unit_is_user || (double)n < s->max_rows ? n : (size_t)s->max_rows;

    for (size_t i = 0; i < n_taken; i++) {
        out->members[(*n_members)++] = entries[i].row;
        if (!s->unit_is_user || i + 1 == n_taken)
            out->ends[out->n_units++] = *n_members;
    }
}

static dosi_status units_of_users(struct train_people *out,
    const struct records *records, const struct train_settings *settings,
    dosi_error *err)
{
    size_t n_bytes, n = 0, n_members = 0;
    struct entry *entries = malloc((records->n_rows + 1) * sizeof *entries);

    if (entries == NULL)
        return dosi_fail_memory(err);
    for (size_t row = 0; row < records->n_rows; row++) {
        (void)records_key(&n_bytes, records, row, 0);
        if (n_bytes > 0)
            entries[n++] =
                (struct entry){records, row, settings->is_file_order};
    }
    if (n > 1)
        qsort(entries, n, sizeof *entries, entry_compare);
    for (size_t begin = 0, end; begin < n; begin = end) {
        end = begin + 1;
        while (end < n && key_compare(records, entries[begin].row,
                              entries[end].row, 0) == 0)
            end++;
        add_person(out, &n_members, entries + begin, end - begin, settings);
    }
    free(entries);
    return DOSI_OK;
}

dosi_status train_people_of(struct train_people *out,
    const struct records *records, const struct train_settings *settings,
    dosi_error *err)
{
    *out = (struct train_people){0};
    dosi_status status = units_new(out, records->n_rows, err);
    if (status != DOSI_OK || records->n_keys > 0)
        return status != DOSI_OK
                   ? status
                   : units_of_users(out, records, settings, err);
    for (size_t row = 0; row < records->n_rows; row++) {
        out->members[row] = row;
        out->ends[row] = row + 1;
    }
    out->n_units = records->n_rows;
    return DOSI_OK;
}
