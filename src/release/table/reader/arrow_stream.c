/* Rows from the batches of an Arrow stream. */
#include "reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrow_uses.h"
#include "base/error.h"
#include "base/float_environment.h"

#define TEXT_BYTES 48 /* of an integer in decimal */

struct arrow_reader {
    struct table_reader *reader;
    const struct table_layout *layout;
    struct arrow_column *columns; /* of the layout */
    char (*written)[TEXT_BYTES];  /* texts of integers, for each column */
    int64_t id;                   /* of the current row */
    int128 decimal_id;
};

/* ---- Values ------------------------------------------------------------ */

/* An integer in decimal. */
static struct table_bytes integer_text(char *room, int128 v)
{
    size_t at = TEXT_BYTES;
    uint128 m = v < 0 ? -(uint128)v : (uint128)v;
    do {
        room[--at] = (char)('0' + (int)(m % 10));
        m /= 10;
    } while (m > 0);
    if (v < 0)
        room[--at] = '-';
    return (struct table_bytes){room + at, TEXT_BYTES - at};
}

/* The text of a column that has texts; empty if it is null. */
static struct table_bytes text_of(
    const struct arrow_reader *a, size_t column, int64_t i)
{
    const struct arrow_column *c = &a->columns[column];
    if (arrow_is_null(c, i))
        return (struct table_bytes){NULL, 0};
    if (arrow_is_text(&c->type))
        return arrow_text(c, i);
    int128 v = arrow_integer(c, i);
    if (c->type.form == ARROW_BOOL)
        return v != 0 ? (struct table_bytes){"true", 4}
                      : (struct table_bytes){"false", 5};
    return integer_text(a->written[column], v);
}

static bool number_of(struct number *out, const struct arrow_reader *a,
    const struct arrow_column *c, int64_t i)
{
    struct table_bytes text = arrow_text(c, i);
    return text.n > 0 &&
           number_read(out, text.bytes, text.n, a->layout->decimal);
}

/* A decimal as a number, whose digits are in room. */
static void decimal_number(struct number *out, char *room, int128 v, int scale)
{
    struct table_bytes text = integer_text(room, v);
    (void)number_read(out, text.bytes, text.n, '.');
    out->point -= scale;
}

static void value_read(struct arrow_reader *a, size_t i, int64_t row)
{
    struct table_reader *reader = a->reader;
    const struct arrow_column *c = &a->columns[a->layout->values[i].column];
    const struct units *u = &reader->units[i];
    struct number x;
    bool is_missing = arrow_is_null(c, row);
    int64_t z = 0;
    if (is_missing) {
        reader_value(reader, i, true, 0);
    } else if (arrow_is_text(&c->type)) {
        is_missing = !number_of(&x, a, c, row);
        reader_value(
            reader, i, is_missing, is_missing ? 0 : units_of_number(u, &x));
    } else if (c->type.form == ARROW_FLOAT) {
        double v = arrow_double(c, row);
        is_missing = !units_of_double(&z, u, v);
        reader_value(reader, i, is_missing, z);
        if (reader->is_watched && !is_missing) {
            reader->faults.n_below[i] += v < u->low;
            reader->faults.n_above[i] += v > u->high;
        }
    } else if (c->type.form == ARROW_DECIMAL) {
        z = units_of_decimal(u, arrow_decimal(c, row), c->type.scale);
        reader_value(reader, i, false, z);
    } else {
        z = units_of_integer(u, arrow_integer(c, row));
        reader_value(reader, i, false, z);
    }
}

static bool condition_holds(
    const struct arrow_reader *a, const struct condition *condition, int64_t i)
{
    const struct arrow_column *c = &a->columns[condition->column];
    struct number x;
    char room[TEXT_BYTES];
    if (arrow_is_null(c, i))
        return false;
    if (condition->is_text) {
        struct table_bytes text = text_of(a, condition->column, i);
        return text.n > 0 && condition_holds_text(condition, text);
    }
    if (arrow_is_text(&c->type))
        return number_of(&x, a, c, i) && condition_holds_number(condition, &x);
    if (c->type.form == ARROW_FLOAT) {
        double v = arrow_double(c, i);
        return isfinite(v) && condition_holds_double(condition, v);
    }
    if (c->type.form == ARROW_DECIMAL) {
        decimal_number(&x, room, arrow_decimal(c, i), c->type.scale);
        return condition_holds_number(condition, &x);
    }
    return condition_holds_integer(condition, arrow_integer(c, i));
}

/* False if the id is missing. */
static bool id_read(struct arrow_reader *a, int64_t i)
{
    const struct arrow_column *c = &a->columns[a->layout->user];
    struct table_bytes *user = &a->reader->row.user;
    if (arrow_is_null(c, i))
        return false;
    if (arrow_is_text(&c->type)) {
        *user = arrow_text(c, i);
    } else if (c->type.form == ARROW_DECIMAL) {
        a->decimal_id = arrow_decimal(c, i);
        *user = (struct table_bytes){
            (const char *)&a->decimal_id, sizeof a->decimal_id};
    } else {
        a->id = (int64_t)(uint64_t)arrow_integer(c, i);
        *user = (struct table_bytes){(const char *)&a->id, sizeof a->id};
    }
    return user->n > 0;
}

static void keys_read(struct arrow_reader *a, int64_t i)
{
    for (size_t k = 0; k < a->layout->n_keys; k++) {
        const struct arrow_column *c = &a->columns[a->layout->keys[k]];
        struct row_key *key = &a->reader->row.keys[k];
        *key = (struct row_key){.is_missing = arrow_is_null(c, i)};
        if (key->is_missing)
            continue;
        if (a->reader->is_text_key[k]) {
            key->text = arrow_text(c, i);
            key->is_missing = key->text.n == 0;
        } else {
            uint64_t word = (uint64_t)arrow_integer(c, i);
            if (a->reader->key_kinds[k] == KEPT_UNSIGNED)
                word ^= (uint64_t)1 << 63;
            key->number = (int64_t)word;
        }
    }
}

/* False without memory. */
static bool record_add(struct arrow_reader *a, int64_t i)
{
    struct table_reader *reader = a->reader;
    const struct table_layout *layout = a->layout;
    if (reader->is_watched)
        reader->faults.n_lines++;
    for (size_t w = 0; w < layout->n_where; w++) {
        if (!condition_holds(a, &reader->conditions[w], i))
            return true;
    }
    if (layout->user != TABLE_NONE && !id_read(a, i)) {
        reader->faults.n_no_user++;
        return true;
    }
    reader->row.is_bad = false;
    keys_read(a, i);
    for (size_t v = 0; v < layout->n_values; v++)
        value_read(a, v, i);
    for (size_t t = 0; t < layout->n_texts; t++)
        reader->row.texts[t] = text_of(a, layout->texts[t], i);
    return reader_row(reader);
}

/* ---- Streams ----------------------------------------------------------- */

static dosi_status batch_add(
    struct arrow_reader *a, const struct ArrowArray *batch, dosi_error *err)
{
    for (size_t c = 0; c < a->layout->n_columns; c++) {
        struct arrow_column *column = &a->columns[c];
        column->batch = batch;
        column->array = batch->children[column->child];
    }
    for (int64_t i = 0; i < batch->length; i++) {
        if (!record_add(a, i))
            return dosi_fail_memory(err);
    }
    return DOSI_OK;
}

static dosi_status batches_add(
    struct arrow_reader *a, struct ArrowArrayStream *stream, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    while (status == DOSI_OK) {
        struct ArrowArray batch = {.release = NULL};
        if (stream->get_next(stream, &batch) != 0)
            return dosi_fail(
                err, DOSI_EIO, "the stream ended with an error of its own");
        if (batch.release == NULL)
            break;
        status = batch_add(a, &batch, err);
        batch.release(&batch);
    }
    return status;
}

/* The schema decides, before the first batch. */
static dosi_status schema_check(
    struct arrow_reader *a, struct ArrowArrayStream *stream, dosi_error *err)
{
    struct ArrowSchema schema = {.release = NULL};
    int id_kind = KEPT_NONE, key_kinds[READER_MAX_KEYS];
    if (stream->get_schema(stream, &schema) != 0)
        return dosi_fail(err, DOSI_EIO, "the stream has no schema");
    dosi_status status = arrow_uses_check(
        a->columns, &id_kind, key_kinds, a->layout, &schema, err);
    if (status == DOSI_OK)
        status = reader_source(a->reader, id_kind, key_kinds, err);
    if (schema.release != NULL)
        schema.release(&schema);
    return status;
}

dosi_status table_reader_arrow(struct table_reader *reader,
    struct ArrowArrayStream *stream, dosi_error *err)
{
    size_t n = reader->layout->n_columns + 1;
    struct arrow_reader a = {.reader = reader, .layout = reader->layout};
    if (reader->status != DOSI_OK || reader->is_finished)
        return dosi_fail(err,
            reader->status != DOSI_OK ? reader->status : DOSI_EINVAL,
            "nothing is read after a failure or the end");
    a.columns = calloc(n, sizeof *a.columns);
    a.written = calloc(n, sizeof *a.written);
    dosi_status status = a.columns == NULL || a.written == NULL
                             ? dosi_fail_memory(err)
                             : schema_check(&a, stream, err);
    if (status == DOSI_OK) {
        status = batches_add(&a, stream, err);
        reader->status = status;
    }
    free(a.columns);
    free(a.written);
    return status;
}

dosi_status dosi_table_query_read_arrow(
    dosi_table_query *query, struct ArrowArrayStream *stream, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    struct table_reader *reader = table_query_reader(query);
    if (reader == NULL)
        return dosi_fail(
            err, DOSI_EINVAL, "nothing is read after the query was finished");
    return table_reader_arrow(reader, stream, err);
}
