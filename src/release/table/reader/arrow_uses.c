/* The use of an Arrow column, and whether its type allows it. */
#include "arrow_uses.h"

#include <string.h>

#include "base/error.h"

/* A sentence about a column, without bytes that a message may not have. */
static dosi_status column_fail(
    const struct table_column *column, const char *rule, dosi_error *err)
{
    char shown[64];
    size_t n = 0;
    for (; n < sizeof shown - 1 && column->name[n] != '\0'; n++) {
        char c = column->name[n];
        shown[n] = c >= 0x20 && c < 0x7f ? c : '?';
    }
    shown[n] = '\0';
    return dosi_fail(err, DOSI_EINVAL, "column %s %s", shown, rule);
}

static dosi_status column_find(struct arrow_column *out,
    const struct table_column *column, const struct ArrowSchema *schema,
    dosi_error *err)
{
    size_t n_found = 0;
    for (int64_t i = 0; i < schema->n_children; i++) {
        const char *name = schema->children[i]->name;
        if (name == NULL || strcmp(name, column->name) != 0)
            continue;
        out->child = (size_t)i;
        n_found++;
    }
    if (n_found != 1)
        return column_fail(column,
            n_found == 0 ? "is not in the stream"
                         : "is in the stream more than once",
            err);
    if (!arrow_type_read(&out->type, schema->children[out->child]))
        return column_fail(column, "has an Arrow format that is not read", err);
    return DOSI_OK;
}

/* The representation of a column as an id or, with is_key, as a key; KEPT_NONE
 * if it cannot be. */
static int kept_as(const struct arrow_type *type, bool is_key)
{
    if (arrow_is_text(type))
        return KEPT_TEXT;
    switch (type->form) {
    case ARROW_SIGNED:
    case ARROW_TIME:
        return KEPT_SIGNED;
    case ARROW_UNSIGNED:
        return type->width == 8 ? KEPT_UNSIGNED : KEPT_SIGNED;
    case ARROW_DECIMAL:
        return is_key ? KEPT_NONE : KEPT_DECIMAL + 100 + type->scale;
    case ARROW_FLOAT:
    case ARROW_BOOL:
    case ARROW_TEXT:
    case ARROW_LARGE_TEXT:
    case ARROW_VIEW:
        break;
    }
    return KEPT_NONE;
}

/* Doubles stand for a column of integers only within 2^50 (R107-8): beyond
 * it, whether one value is missing would change the others. */
static bool fits_doubles(const struct table_value *value)
{
    const int128 limit = (int128)1 << 50;
    int128 low = (int128)value->lo * value->num;
    int128 high = (int128)value->hi * value->num;
    return value->den == 1 && value->num <= limit && low >= -limit &&
           high <= limit;
}

static dosi_status value_check(const struct table_value *value,
    const struct table_column *column, const struct arrow_type *type,
    dosi_error *err)
{
    if (!type->has_dictionary && type->form == ARROW_TIME)
        return column_fail(column, "is a time, not a number", err);
    if (!type->has_dictionary && type->form == ARROW_FLOAT &&
        column->type == TABLE_INT64 && !fits_doubles(value))
        return column_fail(column,
            "is declared int64 but is a float: bounds beyond 2^50", err);
    return DOSI_OK;
}

/* Texts of cells: integers are written in decimal, booleans as words. */
static bool has_text(const struct arrow_type *type)
{
    return arrow_is_text(type) || arrow_is_integer(type) ||
           type->form == ARROW_BOOL;
}

static dosi_status where_check(const struct table_where *where,
    const struct table_column *column, const struct arrow_type *type,
    dosi_error *err)
{
    if (where->is_text ? !has_text(type)
                       : !type->has_dictionary && type->form == ARROW_TIME)
        return column_fail(column,
            where->is_text ? "is compared with a text but is not a text"
                           : "is a time, not a number",
            err);
    return DOSI_OK;
}

static dosi_status people_check(const struct arrow_column *columns,
    int *id_kind, int *key_kinds, const struct table_layout *layout,
    dosi_error *err)
{
    *id_kind = KEPT_NONE;
    if (layout->user != TABLE_NONE) {
        *id_kind = kept_as(&columns[layout->user].type, false);
        if (*id_kind == KEPT_NONE)
            return column_fail(&layout->columns[layout->user],
                "cannot be the user: it is a float or a boolean", err);
    }
    if (layout->is_file_order)
        return dosi_fail(
            err, DOSI_EINVAL, "file-order: a stream has no order of its own");
    for (size_t i = 0; i < layout->n_keys; i++) {
        key_kinds[i] = kept_as(&columns[layout->keys[i]].type, true);
        if (key_kinds[i] == KEPT_NONE)
            return column_fail(&layout->columns[layout->keys[i]],
                "cannot be an order: it must be an integer, a date, a "
                "timestamp or a text",
                err);
    }
    return DOSI_OK;
}

dosi_status arrow_uses_check(struct arrow_column *columns, int *id_kind,
    int *key_kinds, const struct table_layout *layout,
    const struct ArrowSchema *schema, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    if (schema->format == NULL || strcmp(schema->format, "+s") != 0)
        return dosi_fail(err, DOSI_EINVAL, "the stream is not one of records");
    for (size_t i = 0; i < layout->n_columns && status == DOSI_OK; i++)
        status = column_find(&columns[i], &layout->columns[i], schema, err);
    if (status == DOSI_OK)
        status = people_check(columns, id_kind, key_kinds, layout, err);
    for (size_t i = 0; i < layout->n_values && status == DOSI_OK; i++) {
        size_t c = layout->values[i].column;
        status = value_check(
            &layout->values[i], &layout->columns[c], &columns[c].type, err);
    }
    for (size_t i = 0; i < layout->n_texts && status == DOSI_OK; i++) {
        size_t c = layout->texts[i];
        if (!has_text(&columns[c].type))
            status = column_fail(&layout->columns[c],
                "has no cells: it must be a text, an integer or a boolean",
                err);
    }
    for (size_t i = 0; i < layout->n_where && status == DOSI_OK; i++) {
        size_t c = layout->where[i].column;
        status = where_check(
            &layout->where[i], &layout->columns[c], &columns[c].type, err);
    }
    return status;
}
