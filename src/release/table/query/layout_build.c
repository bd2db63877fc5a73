/*
 * Compiles settings and statistics to the layout of a query: columns, values,
 * texts, rules of cells and items, each of them once.
 */
#include "layout_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define MAX_INTEGERS ((size_t)1 << 25)

/* ---- Columns ----------------------------------------------------------- */

static dosi_status add_column(size_t *out, dosi_table_query *q,
    const char *name, dosi_error *err)
{
    struct table_layout *l = &q->layout;
    int64_t number;
    struct column_settings *said = settings_column(&q->settings, name);
    if (said == NULL)
        return dosi_fail_memory(err);
    said->is_read = true;
    for (*out = 0; *out < l->n_columns; ++*out)
        if (strcmp(l->columns[*out].name, name) == 0)
            return DOSI_OK;
    if (!q->settings.has_header &&
        (!exact_whole(&number, name, strlen(name), 1000000) || number == 0 ||
            name[0] == '0'))
        return dosi_fail(err, DOSI_EINVAL,
            "no-header: columns are 1, 2, ..., got \"%.100s\"", name);
    void *more = text_more(l->columns, l->n_columns, sizeof *l->columns);
    if (more == NULL)
        return dosi_fail_memory(err);
    l->columns = more;
    l->columns[l->n_columns] = (struct table_column){
        text_copy(name, strlen(name)), said->type, said->precision,
        said->scale};
    if (l->columns[l->n_columns].name == NULL)
        return dosi_fail_memory(err);
    l->n_columns++;
    return DOSI_OK;
}

static dosi_status add_where(
    dosi_table_query *q, const struct condition *c, dosi_error *err)
{
    struct table_layout *l = &q->layout;
    size_t column = 0;
    dosi_status status = add_column(&column, q, c->name, err);
    if (status != DOSI_OK)
        return status;
    enum table_type type = l->columns[column].type;
    bool is_number = type == TABLE_INT64 || type == TABLE_DOUBLE ||
                     type == TABLE_DECIMAL;
    if (c->is_text ? is_number : type == TABLE_TEXT || type == TABLE_BINARY)
        return dosi_fail(err, DOSI_EINVAL,
            "where: %.100s is declared %s, but is compared with a %s", c->name,
            is_number ? "a number" : "text", c->is_text ? "text" : "number");
    void *more = text_more(l->where, l->n_where, sizeof *l->where);
    if (more == NULL)
        return dosi_fail_memory(err);
    l->where = more;
    l->where[l->n_where++] = (struct table_where){column, c->op, c->is_text,
        {c->operand, strlen(c->operand)}};
    return DOSI_OK;
}

static dosi_status add_key(
    dosi_table_query *q, const char *name, dosi_error *err)
{
    struct table_layout *l = &q->layout;
    size_t column = 0;
    dosi_status status = add_column(&column, q, name, err);
    if (status != DOSI_OK)
        return status;
    if (l->columns[column].type == TABLE_DOUBLE)
        return dosi_fail(err, DOSI_EINVAL,
            "order: must be columns of whole numbers, dates or text, but "
            "%.100s is double",
            name);
    for (size_t i = 0; i < l->n_keys; i++)
        if (l->keys[i] == column)
            return dosi_fail(err, DOSI_EINVAL,
                "order: %.100s is given twice", name);
    void *more = text_more(l->keys, l->n_keys, sizeof *l->keys);
    if (more == NULL)
        return dosi_fail_memory(err);
    l->keys = more;
    l->keys[l->n_keys++] = column;
    return DOSI_OK;
}

dosi_status layout_start(dosi_table_query *q, dosi_error *err)
{
    struct table_settings *s = &q->settings;
    struct table_layout *l = &q->layout;
    dosi_status status = DOSI_OK;
    l->user = TABLE_NONE;
    l->max_rows = INT64_MAX;
    l->delimiter = s->delimiter;
    l->decimal = s->decimal;
    l->has_header = s->has_header;
    l->is_file_order = s->is_file_order;
    if (s->user != NULL)
        status = add_column(&l->user, q, s->user, err);
    if (status == DOSI_OK && s->user != NULL &&
        l->columns[l->user].type == TABLE_DOUBLE)
        return dosi_fail(err, DOSI_EINVAL,
            "user: must be a column of whole numbers or text, but %.100s is "
            "double",
            s->user);
    for (size_t i = 0; i < s->n_order && status == DOSI_OK; i++)
        status = add_key(q, s->order[i].bytes, err);
    for (size_t i = 0; i < s->n_where && status == DOSI_OK; i++)
        status = add_where(q, &s->where[i], err);
    return status;
}

/* ---- Numbers ----------------------------------------------------------- */

struct exact_grid layout_grid(const struct table_layout *layout, size_t value)
{
    const struct table_value *v = &layout->values[value];
    struct exact_decimal g = {v->num, v->den, 0};
    struct exact_grid grid = {v->num, v->den, 0, 1};
    (void)exact_grid_of(&grid, &g); /* it is one */
    return grid;
}

/* The grid that is declared, or the last decimal place of the bounds. */
static dosi_status choose_grid(struct exact_grid *out,
    const struct column_settings *said, const struct value_bounds *bounds,
    const char *what, dosi_error *err)
{
    int places = bounds->lo.places > bounds->hi.places ? bounds->lo.places
                                                       : bounds->hi.places;
    if (bounds->has_width && bounds->width.places > places)
        places = bounds->width.places;
    *out = said->grid;
    if (said->has_grid)
        return DOSI_OK;
    if (places > 15) /* 10^15 < 2^53 */
        return dosi_fail(err, DOSI_EINVAL,
            "%s: bounds must have at most 15 decimal places, got %d", what,
            places);
    *out = exact_grid_of_places(places);
    return DOSI_OK;
}

static dosi_status refuse_bounds(
    dosi_error *err, const char *what, const struct exact_grid *grid)
{
    dosi_buffer text = {0};
    exact_print(&text, 1, grid);
    dosi_status status = dosi_fail(err, DOSI_EINVAL,
        "%s: bounds must be multiples of the grid %s, at most 2^62 of them",
        what, text.text != NULL ? text.text : "");
    dosi_buffer_free(&text);
    return status;
}

static dosi_status make_value(struct table_value *out,
    const struct column_settings *said, const struct value_bounds *bounds,
    const char *what, dosi_error *err)
{
    struct exact_grid grid;
    dosi_status status = choose_grid(&grid, said, bounds, what, err);
    if (status != DOSI_OK)
        return status;
    out->num = grid.num;
    out->den = grid.den;
    out->missing = TABLE_MISSING;
    if (!exact_units(&out->lo, &bounds->lo, &grid) ||
        !exact_units(&out->hi, &bounds->hi, &grid))
        return refuse_bounds(err, what, &grid);
    if (bounds->has_width)
        out->hi--; /* so that the last bin holds what is above it, too */
    if (said->has_missing &&
        !exact_round(&out->missing, &said->missing, &grid, out->lo, out->hi))
        return dosi_fail(err, DOSI_EINVAL,
            "missing %.60s: must be a number of at most 18 digits",
            said->name);
    return DOSI_OK;
}

dosi_status layout_value(size_t *out, dosi_table_query *q, const char *column,
    const struct value_bounds *bounds, const char *what, dosi_error *err)
{
    struct table_layout *l = &q->layout;
    struct table_value value = {0};
    dosi_status status = add_column(&value.column, q, column, err);
    if (status != DOSI_OK)
        return status;
    struct column_settings *said = settings_column(&q->settings, column);
    if (said->type == TABLE_TEXT || said->type == TABLE_BINARY)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: must be of numbers, but %.60s is declared text", what,
            column);
    said->is_number = true;
    status = make_value(&value, said, bounds, what, err);
    if (status != DOSI_OK)
        return status;
    for (*out = 0; *out < l->n_values; ++*out) {
        const struct table_value *v = &l->values[*out];
        if (v->column == value.column && v->num == value.num &&
            v->den == value.den && v->lo == value.lo && v->hi == value.hi)
            return DOSI_OK;
    }
    void *more = text_more(l->values, l->n_values, sizeof *l->values);
    if (more == NULL)
        return dosi_fail_memory(err);
    l->values = more;
    l->values[l->n_values++] = value;
    return DOSI_OK;
}

/* ---- Cells ------------------------------------------------------------- */

static dosi_status add_text(
    size_t *out, dosi_table_query *q, const char *name, dosi_error *err)
{
    struct table_layout *l = &q->layout;
    size_t column = 0;
    dosi_status status = add_column(&column, q, name, err);
    if (status != DOSI_OK)
        return status;
    for (*out = 0; *out < l->n_texts; ++*out)
        if (l->texts[*out] == column)
            return DOSI_OK;
    void *more = text_more(l->texts, l->n_texts, sizeof *l->texts);
    if (more == NULL)
        return dosi_fail_memory(err);
    l->texts = more;
    l->texts[l->n_texts++] = column;
    return DOSI_OK;
}

static dosi_status add_rule(size_t *out, dosi_table_query *q,
    struct table_rule rule, const char *what, dosi_error *err)
{
    struct table_layout *l = &q->layout;
    for (*out = 0; *out < l->n_rules; ++*out) {
        const struct table_rule *r = &l->rules[*out];
        if (r->kind == rule.kind && r->text == rule.text &&
            r->value == rule.value && r->width == rule.width)
            return DOSI_OK;
    }
    if (rule.n_cells > QUERY_MAX_CELLS)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: must have at most 2^24 cells or grid points, got %zu", what,
            rule.n_cells);
    void *more = text_more(l->rules, l->n_rules, sizeof *l->rules);
    if (more == NULL)
        return dosi_fail_memory(err);
    l->rules = more;
    l->rules[l->n_rules++] = rule;
    return DOSI_OK;
}

static dosi_status add_bins(size_t *rule, dosi_table_query *q,
    const char *column, const char *what, dosi_error *err)
{
    struct column_settings *said = settings_column(&q->settings, column);
    struct value_bounds bounds = {
        said->bins_lo, said->bins_hi, said->bins_width, true};
    struct table_rule r = {.kind = TABLE_BINS, .text = TABLE_NONE};
    dosi_status status =
        layout_value(&r.value, q, column, &bounds, what, err);
    if (status != DOSI_OK)
        return status;
    const struct table_value *v = &q->layout.values[r.value];
    struct exact_grid grid = layout_grid(&q->layout, r.value);
    uint64_t range = (uint64_t)v->hi - (uint64_t)v->lo + 1;
    if (!exact_units(&r.width, &bounds.width, &grid) ||
        range % (uint64_t)r.width != 0)
        return dosi_fail(err, DOSI_EINVAL,
            "bins %.100s: the width must be a multiple of the grid and "
            "divide the range",
            column);
    r.n_cells = (size_t)(range / (uint64_t)r.width);
    return add_rule(rule, q, r, what, err);
}

static dosi_status add_names(size_t *rule, dosi_table_query *q,
    const char *column, const char *what, dosi_error *err)
{
    struct column_settings *said = settings_column(&q->settings, column);
    struct table_rule r = {
        .kind = said->has_unknown ? TABLE_UNKNOWN : TABLE_CATEGORIES,
        .value = TABLE_NONE,
        .n_cells = said->n_categories,
        .names = said->categories};
    dosi_status status = add_text(&r.text, q, column, err);
    if (status != DOSI_OK)
        return status;
    return add_rule(rule, q, r, what, err);
}

dosi_status layout_cells(size_t *rule, dosi_table_query *q,
    const char *column, const char *what, dosi_error *err)
{
    struct column_settings *said = settings_column(&q->settings, column);
    if (said == NULL)
        return dosi_fail_memory(err);
    int n = said->has_categories + said->has_bins + said->has_unknown;
    if (n != 1)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: the cells of %.60s must be public: give one of categories, "
            "bins or unknown-cells, got %s",
            what, column, n == 0 ? "none" : "more");
    said->is_cell = true;
    return said->has_bins ? add_bins(rule, q, column, what, err)
                          : add_names(rule, q, column, what, err);
}

dosi_status layout_levels(size_t *rule, dosi_table_query *q, size_t value,
    const char *what, dosi_error *err)
{
    const struct table_value *v = &q->layout.values[value];
    struct table_rule r = {
        .kind = TABLE_LEVELS, .text = TABLE_NONE, .value = value};
    r.n_cells = (size_t)((uint64_t)v->hi - (uint64_t)v->lo + 1);
    return add_rule(rule, q, r, what, err);
}

/* ---- Items ------------------------------------------------------------- */

static size_t cells_of(const struct table_layout *l, size_t rule)
{
    return rule == TABLE_NONE ? 1 : l->rules[rule].n_cells;
}

dosi_status layout_item(size_t *out, dosi_table_query *q,
    struct table_item item, const char *what, dosi_error *err)
{
    struct table_layout *l = &q->layout;
    item.first = l->n_integers;
    item.unknown = TABLE_NONE;
    if (item.rules[0] != TABLE_NONE &&
        l->rules[item.rules[0]].kind == TABLE_UNKNOWN)
        item.unknown = l->n_unknown++;
    size_t a = cells_of(l, item.rules[0]), b = cells_of(l, item.rules[1]);
    if (a > 0 && b > QUERY_MAX_CELLS / a)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: must have at most 2^24 cells, got %zu times %zu", what, a, b);
    item.n_cells = item.unknown == TABLE_NONE ? a * b : 0;
    if (item.n_cells > MAX_INTEGERS - l->n_integers)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: all cells of the query must be at most 2^25", what);
    void *more = text_more(l->items, l->n_items, sizeof *l->items);
    if (more == NULL)
        return dosi_fail_memory(err);
    l->items = more;
    l->items[l->n_items] = item;
    l->n_integers += item.n_cells;
    if (item.limit == TABLE_BY_ROWS && q->settings.user != NULL)
        l->max_rows = q->rows_of_person;
    *out = l->n_items++;
    return DOSI_OK;
}

static dosi_status refuse_unused(
    dosi_error *err, const char *what, const char *name, const char *use)
{
    return dosi_fail(
        err, DOSI_EINVAL, "%s %.100s: no statistic %s", what, name, use);
}

dosi_status layout_check(dosi_table_query *q, dosi_error *err)
{
    const struct table_settings *s = &q->settings;
    for (size_t i = 0; i < s->n_columns; i++) {
        const struct column_settings *c = &s->columns[i];
        if (c->has_categories && !c->is_cell)
            return refuse_unused(err, "categories", c->name, "has its cells");
        if (c->has_bins && !c->is_cell)
            return refuse_unused(err, "bins", c->name, "has its cells");
        if (c->has_unknown && !c->is_cell)
            return refuse_unused(
                err, "unknown-cells", c->name, "has its cells");
        if (c->has_grid && !c->is_number)
            return refuse_unused(err, "grid", c->name, "reads its numbers");
        if (c->has_missing && !c->is_number)
            return refuse_unused(
                err, "missing", c->name, "reads its numbers");
        if (c->has_user_bounds && !c->is_total)
            return refuse_unused(err, "user-bounds", c->name, "is its sum");
        if (c->has_type && !c->is_read)
            return refuse_unused(err, "type", c->name, "reads it");
    }
    return DOSI_OK;
}

void layout_free(struct table_layout *l)
{
    for (size_t i = 0; i < l->n_columns; i++)
        free(l->columns[i].name);
    free(l->columns);
    free(l->keys);
    free(l->values);
    free(l->texts);
    free(l->rules);
    free(l->where);
    free(l->items);
    *l = (struct table_layout){0};
}
