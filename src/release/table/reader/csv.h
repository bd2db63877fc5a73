/*
 * CSV bytes to lines to fields. One physical line is one record (R105-7): a
 * line ends with LF, one CR before it is dropped, and the end of the file
 * ends the last line. A field that starts with a quote goes to the next quote
 * that is not doubled, may contain delimiters, and must be followed by a
 * delimiter or the end of the line; everywhere else a quote is a byte like
 * others.
 */
#ifndef DOSI_RELEASE_TABLE_READER_CSV_H
#define DOSI_RELEASE_TABLE_READER_CSV_H

#include "compiled_query.h"

#define CSV_MAX_LINE 1000000 /* bytes without the line end */

enum csv_fault { /* why a line is no row */
    CSV_ROW,
    CSV_EMPTY,
    CSV_LONG,
    CSV_QUOTE,
    CSV_FIELDS
};

struct csv {
    char delimiter;
    bool is_begun;   /* bytes were given, perhaps none */
    bool is_open;    /* the columns are known */
    bool is_exact;   /* a row has exactly n_fields, else at least */
    size_t n_fields;
    struct table_bytes *fields; /* the first n_wanted of the current line */
    size_t n_wanted;
    size_t *position; /* of each column of the layout among the fields */
    char *line;       /* what came of a line in earlier chunks */
    size_t n_line, line_capacity;
    bool is_long;
    char *unquoted; /* fields with doubled quotes, of the current line */
    size_t unquoted_capacity;
    bool is_out_of_memory;
};

/* For the columns of a layout, which csv_open finds. fails  DOSI_ENOMEM */
dosi_status csv_new(
    struct csv *out, const struct table_layout *layout, dosi_error *err);
void csv_free(struct csv *csv);

/* Splits a header into csv->fields, the names of n_fields columns, and opens
 * the rows. fails  DOSI_EINVAL, DOSI_ENOMEM */
dosi_status csv_header(
    struct csv *csv, struct table_bytes header, dosi_error *err);

/* Opens rows of n fields. fails  DOSI_ENOMEM */
dosi_status csv_columns(struct csv *csv, size_t n, dosi_error *err);

/* Finds the columns in the header. fails  DOSI_EINVAL, DOSI_ENOMEM */
dosi_status csv_open(struct csv *csv, const struct table_layout *layout,
    struct table_bytes header, dosi_error *err);

/*
 * The next line of a chunk: *chunk moves past it. False if the chunk has
 * none, its rest is kept then. *line has no line end; it lives until the
 * next call. *is_long is set if it has more than CSV_MAX_LINE bytes.
 */
bool csv_next(struct csv *csv, struct table_bytes *chunk,
    struct table_bytes *line, bool *is_long);

/* The incomplete line after the last chunk; false if there is none. */
bool csv_last(struct csv *csv, struct table_bytes *line, bool *is_long);

/* Splits a line into csv->fields. */
enum csv_fault csv_split(struct csv *csv, struct table_bytes line);

#endif
