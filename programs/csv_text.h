/*
 * Tables as CSV (RFC 4180) in memory: a header names the columns, a field with
 * a comma is in double quotes. Fields are cut off in place.
 */
#ifndef DOSI_CSV_TEXT_H
#define DOSI_CSV_TEXT_H

#include <stddef.h>

#define CSV_MAX_COLUMNS 32

struct csv_record {
    unsigned long line; /* where it starts, from 1 */
    char *cells[CSV_MAX_COLUMNS];
    size_t n; /* 0: the text has ended */
};

struct csv_table {
    char *rest; /* the text that is not read yet */
    unsigned long line;
    struct csv_record header;
};

/*
 * Starts reading a text, which is changed, and takes its header. A byte order
 * mark is skipped.
 *
 * fails  with the reason, about line header.line; NULL on success
 */
const char *csv_open(struct csv_table *table, char *text);

/*
 * Takes the next record that is not blank.
 *
 * fails  with the reason, about line out->line; NULL on success
 */
const char *csv_next(struct csv_record *out, struct csv_table *table);

/* The cell under a column of the header, or "" if there is none. */
const char *csv_cell(const struct csv_table *table,
    const struct csv_record *record, const char *column);

/* A column that the header has twice, or NULL. */
const char *csv_twice(const struct csv_table *table);

#endif
