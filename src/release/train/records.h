/*
 * The records that a model reads, in memory: from CSV bytes in any chunks or
 * from arrays. Lines, fields and numbers of CSV are read as release/table reads
 * them; no status depends on a record, memory excepted.
 */
#ifndef DOSI_RELEASE_TRAIN_RECORDS_H
#define DOSI_RELEASE_TRAIN_RECORDS_H

#include "release/table/reader/csv.h"
#include "schema.h"

struct records {
    struct schema *schema; /* the caller's; its columns are found here */
    bool needs_label;
    bool is_resolved; /* the columns are known */
    bool is_array;    /* rows came from arrays */
    bool keeps_lines; /* a line that is no row is kept as a row that is not
                         good */

    struct csv csv; /* the reader of tables, with all columns */

    size_t n_lines; /* all after the header, also those that are no row */
    size_t n_rows, capacity;
    size_t stride;   /* of inputs: n_inputs + 1, the last one 1 */
    double *inputs;
    double *labels;
    uint8_t *is_good; /* 0: counts for nothing */

    size_t n_keys;  /* of a row: the user and the columns of order; 0 without
                       a user */
    size_t *ends;   /* n_rows x n_keys, into keys */
    char *keys;
    size_t n_key_bytes, key_capacity;
};

/* Starts without rows. */
void records_start(
    struct records *records, struct schema *schema, bool needs_label);
void records_free(struct records *records);

/* The next bytes. fails  DOSI_EINVAL for a header without a column that is
 * read, or mixed with arrays; DOSI_ENOMEM */
dosi_status records_csv(struct records *records, const char *bytes, size_t n,
    dosi_error *err);

/* Takes the last line. fails  DOSI_EINVAL if there was no header */
dosi_status records_end(struct records *records, dosi_error *err);

/* Rows of n_features numbers, NaN being missing; labels and users may be
 * NULL if they are not needed. fails  DOSI_EINVAL, DOSI_ENOMEM */
dosi_status records_rows(struct records *records, const double *features,
    size_t n_features, const double *labels, const int64_t *users,
    size_t n_rows, dosi_error *err);

/* The bytes of a key of a row. */
static inline const char *records_key(
    size_t *n, const struct records *records, size_t row, size_t key)
{
    size_t at = row * records->n_keys + key;
    size_t begin = at == 0 ? 0 : records->ends[at - 1];

    *n = records->ends[at] - begin;
    return records->keys + begin;
}

#endif
