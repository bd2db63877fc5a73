/*
 * Columns of an Arrow stream: which formats are read, and the value of a row
 * of the current batch. Offsets of the batch and of the column both count; a
 * buffer that is NULL has no nulls; null counts are not used.
 */
#ifndef DOSI_RELEASE_TABLE_READER_ARROW_COLUMN_H
#define DOSI_RELEASE_TABLE_READER_ARROW_COLUMN_H

#include "compiled_query.h"

enum arrow_form {
    ARROW_SIGNED,
    ARROW_UNSIGNED,
    ARROW_TIME, /* dates and timestamps: signed integers without a meaning as
                   numbers */
    ARROW_FLOAT,
    ARROW_DECIMAL,
    ARROW_BOOL,
    ARROW_TEXT,       /* offsets of 32 bits */
    ARROW_LARGE_TEXT, /* offsets of 64 bits */
    ARROW_VIEW
};

struct arrow_type {
    enum arrow_form form;
    size_t width;        /* bytes of a value: 1, 2, 4, 8 or 16 */
    int scale;           /* of decimals */
    bool has_dictionary; /* values are indices, of the given form, to texts of
                            the form that follows */
    enum arrow_form dictionary_form;
};

struct arrow_column {
    struct arrow_type type;
    size_t child; /* of the batch */
    const struct ArrowArray *array, *batch;
};

/* The type of a column; false if its format is not read. */
bool arrow_type_read(struct arrow_type *out, const struct ArrowSchema *schema);

static inline bool arrow_is_text(const struct arrow_type *type)
{
    return type->has_dictionary || type->form >= ARROW_TEXT;
}

static inline bool arrow_is_integer(const struct arrow_type *type)
{
    return !type->has_dictionary &&
           (type->form == ARROW_SIGNED || type->form == ARROW_UNSIGNED);
}

/* Values of row i of the batch. requires  the form that the name says, and
 * for all but the first that the value is not null */
bool arrow_is_null(const struct arrow_column *c, int64_t i);
int128 arrow_integer(const struct arrow_column *c, int64_t i); /* and bools */
int128 arrow_decimal(const struct arrow_column *c, int64_t i);
double arrow_double(const struct arrow_column *c, int64_t i);
struct table_bytes arrow_text(const struct arrow_column *c, int64_t i);

#endif
