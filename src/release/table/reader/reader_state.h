/* A reader, as the files of the reader see it. */
#ifndef DOSI_RELEASE_TABLE_READER_READER_STATE_H
#define DOSI_RELEASE_TABLE_READER_READER_STATE_H

#include "csv.h"
#include "people.h"
#include "units.h"
#include "where.h"

#define READER_MAX_KEYS 62

/* The representation of an id or a key. All rows of one reader have one kind,
 * so that equal ones are equal bytes. */
enum {
    KEPT_NONE,     /* there is no id */
    KEPT_TEXT,     /* its bytes */
    KEPT_SIGNED,   /* an int64_t */
    KEPT_UNSIGNED, /* a uint64_t; as a key less 2^63, which keeps the order */
    KEPT_DECIMAL   /* of 128 bits: a kind for each scale, from here on */
};

struct table_reader {
    const struct table_layout *layout;
    struct hash_key key;
    struct names names;
    struct table_tally tally;
    struct adder adder;
    struct people people;
    struct units *units;          /* of each value */
    struct condition *conditions; /* of each where */
    struct csv csv;
    int id_kind, *key_kinds; /* fixed by the first source */
    bool *is_text_key;
    bool has_source;
    struct row row;
    dosi_status status; /* a failure stays */
    bool is_watched, is_finished;
    struct table_faults faults;
};

/* Fixes how ids and keys are read, or compares: sources of one reader must
 * agree. fails  DOSI_EINVAL */
dosi_status reader_source(struct table_reader *reader, int id_kind,
    const int *key_kinds, dosi_error *err);

/* Counts reader->row. False without memory. */
bool reader_row(struct table_reader *reader);

/* z of a value from its units, or its substitute: the row is bad then. */
void reader_value(
    struct table_reader *reader, size_t i, bool is_missing, int64_t units);

/* Counts a line that is no row. */
void reader_bad_line(struct table_reader *reader);

/* Takes the last line of CSV, if there is one without its end. */
dosi_status reader_csv_end(struct table_reader *reader, dosi_error *err);

#endif
