/* The part of a statement about the cells of people. */
#include "sql_parts.h"

static void put_cell_columns(dosi_buffer *out, const size_t rules[2])
{
    sql_print(out, "g%zu", rules[0]);
    if (rules[1] != TABLE_NONE)
        sql_print(out, ", g%zu", rules[1]);
}

/* Rows with a cell: a(u, o1 .., g ..). */
static void put_cell_rows(dosi_buffer *out, const struct sql_rows *rows,
    const size_t rules[2])
{
    const struct table_layout *layout = rows->layout;
    dosi_buffer_text(out, "(SELECT u");
    for (size_t i = 0; i < layout->n_keys; i++)
        sql_print(out, ", o%zu", i + 1);
    for (size_t i = 0; i < 2 && rules[i] != TABLE_NONE; i++) {
        dosi_buffer_text(out, ", ");
        sql_rule_cell(out, rows, rules[i]);
        sql_print(out, " AS g%zu", rules[i]);
    }
    dosi_buffer_text(out, " FROM a) AS b WHERE ");
    sql_print(out, "g%zu IS NOT NULL", rules[0]);
    if (rules[1] != TABLE_NONE)
        sql_print(out, " AND g%zu IS NOT NULL", rules[1]);
}

/*
 * The cells of each person: q(u, g .., n, o1 ..), where o is the least key.
 * One key has a least value, min(o1), which skips missing ones; of several
 * the least row is looked for, since min(o1) and min(o2) may be of two rows.
 */
static void put_person_cells(dosi_buffer *out, const struct sql_rows *rows,
    const size_t rules[2])
{
    const struct table_layout *layout = rows->layout;
    size_t n_keys = layout->n_keys;
    bool is_least = n_keys == 0 ||
                    (n_keys == 1 && layout->columns[layout->keys[0]].type !=
                                        TABLE_BINARY);
    dosi_buffer_text(out, "(SELECT u, ");
    put_cell_columns(out, rules);
    if (is_least) {
        dosi_buffer_text(out, ", count(*) AS n");
        dosi_buffer_text(out, n_keys > 0 ? ", min(o1) AS o1 FROM " : " FROM ");
        put_cell_rows(out, rows, rules);
        dosi_buffer_text(out, " GROUP BY u, ");
        put_cell_columns(out, rules);
        dosi_buffer_text(out, ") AS q");
        return;
    }
    for (size_t i = 0; i < n_keys; i++)
        sql_print(out, ", o%zu", i + 1);
    dosi_buffer_text(out, ", count(*) OVER (PARTITION BY u, ");
    put_cell_columns(out, rules);
    dosi_buffer_text(out, ") AS n, row_number() OVER (PARTITION BY u, ");
    put_cell_columns(out, rules);
    dosi_buffer_text(out, " ORDER BY ");
    for (size_t i = 0; i < n_keys; i++)
        sql_print(out, "%so%zu" SQL_ORDERED, i > 0 ? ", " : "", i + 1);
    dosi_buffer_text(out, ") AS r FROM ");
    put_cell_rows(out, rows, rules);
    dosi_buffer_text(out, ") AS q WHERE r = 1");
}

void sql_part_cells(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape, size_t item)
{
    const struct table_item *it = &rows->layout->items[item];
    const size_t *rules = shape->places[item].rules;
    const struct sql_dialect *d = rows->dialect;
    char name[TALLY_NAME_BYTES];
    tally_part_name(name, shape, item);
    sql_print(out, "SELECT '%s' AS part, ", name);
    sql_cell_name(out, rows, rules);
    sql_print(out, " AS cell, CAST(%sn%s AS %s) AS n0", d->sum[0], d->sum[1],
        d->text);
    sql_no_columns(out, rows, 1, shape->n_columns);
    dosi_buffer_text(out, "\nFROM (SELECT ");
    put_cell_columns(out, rules);
    dosi_buffer_text(out, ", least(n, ");
    sql_integer(out, it->max_per_cell);
    dosi_buffer_text(
        out, ") AS n, row_number() OVER (PARTITION BY u ORDER BY ");
    for (size_t i = 0; i < rows->layout->n_keys; i++)
        sql_print(out, "o%zu" SQL_ORDERED ", ", i + 1);
    sql_print(out, "g%zu ASC", rules[0]);
    if (rules[1] != TABLE_NONE)
        sql_print(out, ", g%zu ASC", rules[1]);
    dosi_buffer_text(out, ") AS r FROM ");
    put_person_cells(out, rows, rules);
    sql_print(out, ") AS h WHERE r <= %lld GROUP BY ",
        (long long)it->max_cells);
    put_cell_columns(out, rules);
    if (it->min_count > 1) { /* tau is higher for it: R107-6 */
        sql_print(out, " HAVING %sn%s >= ", d->sum[0], d->sum[1]);
        sql_integer(out, it->min_count);
    }
    dosi_buffer_text(out, "\n");
}
