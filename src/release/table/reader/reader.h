/*
 * Adds the rows of a table up to a tally, from CSV bytes in any chunks or
 * from an Arrow stream. No status depends on a record, memory excepted.
 */
#ifndef DOSI_RELEASE_TABLE_READER_READER_H
#define DOSI_RELEASE_TABLE_READER_READER_H

#include "compiled_query.h"

struct table_reader;

/* The layout stays the caller's and outlives the reader.
 * fails  DOSI_EENTROPY (the key of the hash table), DOSI_ENOMEM */
dosi_status table_reader_new(struct table_reader **out,
    const struct table_layout *layout, dosi_error *err);
void table_reader_free(struct table_reader *reader);

/* The next bytes. fails  DOSI_EINVAL for a header without a column that is
 * read (never showing the line), DOSI_ENOMEM */
dosi_status table_reader_csv(struct table_reader *reader, const char *bytes,
    size_t n, dosi_error *err);

/* All batches of a stream; see dosi_table_query_read_arrow. */
dosi_status table_reader_arrow(struct table_reader *reader,
    struct ArrowArrayStream *stream, dosi_error *err);

/*
 * Adds the rows of another reader, which ends with that, as if one reader had
 * read them all. Line numbers of two files make no order.
 *
 * requires  layouts compiled from the same texts, none by file order
 * fails     DOSI_EINVAL for ids or order columns of another type; DOSI_EINVAL
 *           and DOSI_ENOMEM as table_reader_finish would for the other
 */
dosi_status table_reader_merge(struct table_reader *into,
    struct table_reader *other, dosi_error *err);

/* Takes the last line, applies the limits and moves the tally to *out. */
dosi_status table_reader_finish(struct table_tally *out,
    struct table_reader *reader, dosi_error *err);

dosi_status table_tally_new(struct table_tally *out,
    const struct table_layout *layout, dosi_error *err);
void table_tally_free(
    struct table_tally *tally, const struct table_layout *layout);

/* Adds a tally of other people to one; *into is as it was after failure.
 * fails  DOSI_ENOMEM */
dosi_status table_tally_add(struct table_tally *into,
    const struct table_tally *other, const struct table_layout *layout,
    dosi_error *err);

/* The results of `release check --not-private` for the owner of a file. */
struct table_faults {
    uint64_t n_lines, n_rows, n_people;
    uint64_t n_empty, n_long, n_quote, n_fields; /* lines that are no row */
    uint64_t n_no_user;
    uint64_t n_bad_rows;
    uint64_t *n_missing, *n_below, *n_above; /* of each value */
    uint64_t n_over_rows, n_over_cells;      /* people above the limits */
};

/* Counts faults from now on; asked after finish. */
dosi_status table_reader_watch(struct table_reader *reader, dosi_error *err);
const struct table_faults *table_reader_faults(
    const struct table_reader *reader);

#endif
