/* Settings of one column: cells, grid, type, bounds. */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* The column at *at, with its colon if something follows. */
static dosi_status take_column(struct column_settings **out,
    struct table_settings *s, const char **at, bool is_whole,
    const char *what, dosi_error *err)
{
    char *name;
    dosi_status status = is_whole ? text_name(&name, at, "", what, err)
                                  : text_column(&name, at, what, err);
    if (status != DOSI_OK)
        return status;
    *out = settings_column(s, name);
    free(name);
    return *out == NULL ? dosi_fail_memory(err) : DOSI_OK;
}

static dosi_status refuse_twice(
    dosi_error *err, const char *what, const char *name)
{
    return dosi_fail(
        err, DOSI_EINVAL, "%s: %.100s is given twice", what, name);
}

dosi_status settings_read_categories(
    struct table_settings *s, const char *text, const char *what,
    dosi_error *err)
{
    struct column_settings *column;
    size_t twice;
    bool is_twice;
    dosi_status status = take_column(&column, s, &text, false, what, err);
    if (status != DOSI_OK)
        return status;
    if (column->has_categories)
        return refuse_twice(err, what, column->name);
    status = text_list(
        &column->categories, &column->n_categories, text, what, err);
    if (status != DOSI_OK)
        return status;
    column->has_categories = true;
    status = text_list_twice(&twice, &is_twice, column->categories,
        column->n_categories, err);
    if (status == DOSI_OK && is_twice)
        return dosi_fail(err, DOSI_EINVAL,
            "%s %.60s: \"%.100s\" is given twice", what, column->name,
            column->categories[twice].bytes);
    return status;
}

dosi_status settings_read_bins(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    struct column_settings *column;
    dosi_status status = take_column(&column, s, &text, false, what, err);
    if (status != DOSI_OK)
        return status;
    if (column->has_bins)
        return refuse_twice(err, what, column->name);
    const char *start = text;
    status = text_range(&column->bins_lo, &column->bins_hi, &text, what, err);
    if (status != DOSI_OK)
        return status;
    if (*text != ':' ||
        !exact_parse(&column->bins_width, text + 1, strlen(text + 1)) ||
        column->bins_width.num <= 0)
        return text_refuse(
            err, what, "C:LO..HI:WIDTH with a positive width", start);
    column->has_bins = true;
    return DOSI_OK;
}

dosi_status settings_read_unknown(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    struct column_settings *column;
    dosi_status status = take_column(&column, s, &text, true, what, err);
    if (status != DOSI_OK)
        return status;
    if (column->has_unknown)
        return refuse_twice(err, what, column->name);
    column->has_unknown = true;
    return DOSI_OK;
}

dosi_status settings_read_grid(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    struct column_settings *column;
    struct exact_decimal grid;
    dosi_status status = take_column(&column, s, &text, false, what, err);
    if (status == DOSI_OK)
        status = text_decimal(&grid, text, what, err);
    if (status != DOSI_OK)
        return status;
    if (column->has_grid)
        return refuse_twice(err, what, column->name);
    if (!exact_grid_of(&column->grid, &grid))
        return text_refuse(err, what,
            "a positive whole number or 1 divided by one, with at most 18 "
            "decimal places",
            text);
    column->has_grid = true;
    return DOSI_OK;
}

dosi_status settings_read_missing(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    struct column_settings *column;
    dosi_status status = take_column(&column, s, &text, false, what, err);
    if (status != DOSI_OK)
        return status;
    if (column->has_missing)
        return refuse_twice(err, what, column->name);
    column->has_missing = true;
    return text_decimal(&column->missing, text, what, err);
}

/* decimal(P,S) */
static bool read_decimal_type(struct column_settings *column, const char *text)
{
    int64_t precision, scale = 0;
    size_t n = strlen(text);
    if (strncmp(text, "decimal(", 8) != 0 || text[n - 1] != ')')
        return false;
    text += 8;
    n = strcspn(text, ",)");
    if (!exact_whole(&precision, text, n, 38) || precision == 0)
        return false;
    if (text[n] == ',') {
        text += n + 1;
        n = strcspn(text, ")");
        if (!exact_whole(&scale, text, n, precision))
            return false;
    }
    column->type = TABLE_DECIMAL;
    column->precision = (int)precision;
    column->scale = (int)scale;
    return text[n] == ')' && text[n + 1] == '\0';
}

dosi_status settings_read_type(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    static const struct {
        const char *name;
        enum table_type type;
    } types[] = {{"int64", TABLE_INT64}, {"double", TABLE_DOUBLE},
        {"text", TABLE_TEXT}, {"binary", TABLE_BINARY}};
    struct column_settings *column;
    dosi_status status = take_column(&column, s, &text, false, what, err);
    if (status != DOSI_OK)
        return status;
    if (column->has_type)
        return refuse_twice(err, what, column->name);
    column->has_type = read_decimal_type(column, text);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, text) == 0) {
            column->type = types[i].type;
            column->has_type = true;
        }
    if (!column->has_type)
        return text_refuse(
            err, what, "int64, double, decimal(p,s), text or binary", text);
    return DOSI_OK;
}

dosi_status settings_read_user_bounds(struct table_settings *s,
    const char *text, const char *what, dosi_error *err)
{
    struct column_settings *column;
    dosi_status status = take_column(&column, s, &text, false, what, err);
    if (status != DOSI_OK)
        return status;
    if (column->has_user_bounds)
        return refuse_twice(err, what, column->name);
    column->has_user_bounds = true;
    status =
        text_range(&column->total_lo, &column->total_hi, &text, what, err);
    if (status == DOSI_OK && *text != '\0')
        return text_refuse(err, what, "C:A..B", text);
    return status;
}
