/* Rows from lines of CSV. */
#include "reader.h"

#include "base/error.h"
#include "reader_state.h"

static struct table_bytes field_of(
    const struct table_reader *reader, size_t column)
{
    return reader->csv.fields[reader->csv.position[column]];
}

static bool number_of(struct number *out, const struct table_reader *reader,
    struct table_bytes field)
{
    return number_read(out, field.bytes, field.n, reader->layout->decimal);
}

static bool conditions_hold(const struct table_reader *reader)
{
    for (size_t i = 0; i < reader->layout->n_where; i++) {
        const struct condition *c = &reader->conditions[i];
        struct table_bytes field = field_of(reader, c->column);
        struct number x;
        if (field.n == 0)
            return false;
        if (c->is_text ? !condition_holds_text(c, field)
                       : !number_of(&x, reader, field) ||
                             !condition_holds_number(c, &x))
            return false;
    }
    return true;
}

static void keys_read(struct table_reader *reader)
{
    const struct table_layout *layout = reader->layout;
    for (size_t i = 0; i < layout->n_keys; i++) {
        struct row_key *key = &reader->row.keys[i];
        struct number x;
        key->text = field_of(reader, layout->keys[i]);
        key->is_missing = key->text.n == 0;
        if (!reader->is_text_key[i])
            key->is_missing = !number_of(&x, reader, key->text) ||
                              !number_integer(&key->number, &x);
    }
}

/* False without memory. */
static bool fields_add(struct table_reader *reader)
{
    const struct table_layout *layout = reader->layout;
    struct row *row = &reader->row;
    if (!conditions_hold(reader))
        return true;
    if (layout->user != TABLE_NONE) {
        row->user = field_of(reader, layout->user);
        if (row->user.n == 0) {
            reader->faults.n_no_user++;
            return true;
        }
    }
    row->is_bad = false;
    keys_read(reader);
    for (size_t i = 0; i < layout->n_values; i++) {
        struct number x;
        bool is_number =
            number_of(&x, reader, field_of(reader, layout->values[i].column));
        reader_value(reader, i, !is_number,
            is_number ? units_of_number(&reader->units[i], &x) : 0);
    }
    for (size_t i = 0; i < layout->n_texts; i++)
        row->texts[i] = field_of(reader, layout->texts[i]);
    return reader_row(reader);
}

static void fault_count(struct table_faults *faults, enum csv_fault fault)
{
    switch (fault) {
    case CSV_ROW:
        break;
    case CSV_EMPTY:
        faults->n_empty++;
        break;
    case CSV_LONG:
        faults->n_long++;
        break;
    case CSV_QUOTE:
        faults->n_quote++;
        break;
    case CSV_FIELDS:
        faults->n_fields++;
        break;
    }
}

static dosi_status line_add(struct table_reader *reader,
    struct table_bytes line, bool is_long, dosi_error *err)
{
    struct csv *csv = &reader->csv;
    if (!csv->is_open) {
        if (is_long)
            return dosi_fail(err, DOSI_EINVAL,
                "the header is longer than %d bytes", CSV_MAX_LINE);
        return csv_open(csv, reader->layout, line, err);
    }
    reader->row.line++;
    enum csv_fault fault = is_long ? CSV_LONG : csv_split(csv, line);
    bool is_whole = !csv->is_out_of_memory;
    if (fault == CSV_ROW && is_whole)
        is_whole = fields_add(reader);
    else if (is_whole)
        reader_bad_line(reader);
    if (reader->is_watched) {
        reader->faults.n_lines++;
        fault_count(&reader->faults, fault);
    }
    return is_whole ? DOSI_OK : dosi_fail_memory(err);
}

/* Ids and order columns of CSV, and the columns if there is no header. */
static dosi_status csv_begin(struct table_reader *reader, dosi_error *err)
{
    const struct table_layout *layout = reader->layout;
    int kinds[READER_MAX_KEYS];
    for (size_t i = 0; i < layout->n_keys; i++)
        kinds[i] = layout->columns[layout->keys[i]].type == TABLE_INT64
                       ? KEPT_SIGNED
                       : KEPT_TEXT;
    dosi_status status = reader_source(
        reader, layout->user == TABLE_NONE ? KEPT_NONE : KEPT_TEXT, kinds, err);
    if (status == DOSI_OK && !layout->has_header)
        status =
            csv_open(&reader->csv, layout, (struct table_bytes){NULL, 0}, err);
    return status;
}

dosi_status table_reader_csv(
    struct table_reader *reader, const char *bytes, size_t n, dosi_error *err)
{
    struct table_bytes chunk = {bytes, n}, line;
    bool is_long;
    dosi_status status = reader->status;
    if (status != DOSI_OK || reader->is_finished)
        return dosi_fail(err, status != DOSI_OK ? status : DOSI_EINVAL,
            "nothing is read after a failure or the end");
    if (!reader->csv.is_begun) {
        status = csv_begin(reader, err);
        reader->csv.is_begun = true;
    }
    while (status == DOSI_OK && csv_next(&reader->csv, &chunk, &line, &is_long))
        status = line_add(reader, line, is_long, err);
    if (status == DOSI_OK && reader->csv.is_out_of_memory)
        status = dosi_fail_memory(err);
    reader->status = status;
    return status;
}

dosi_status reader_csv_end(struct table_reader *reader, dosi_error *err)
{
    struct csv *csv = &reader->csv;
    struct table_bytes line;
    bool is_long;
    dosi_status status = DOSI_OK;
    if (!csv->is_begun)
        return DOSI_OK;
    if (csv_last(csv, &line, &is_long))
        status = line_add(reader, line, is_long, err);
    if (status == DOSI_OK && !csv->is_open) /* nothing at all: no header */
        status =
            csv_open(csv, reader->layout, (struct table_bytes){NULL, 0}, err);
    return status;
}
