/*
 * Prints the parts of a statement: sums over rows and their cells, over people,
 * and over cells of people. Derivation: docs/theory/release_engines.md,
 * section 3.
 */
#include "sql_parts.h"

/* ---- Cells of a rule: the column g of its number ---- */

static bool is_of_text(const struct table_rule *rule)
{
    return rule->kind == TABLE_CATEGORIES || rule->kind == TABLE_UNKNOWN;
}

/* The text, or (z - lo) / width; NULL where there is no cell. */
void sql_rule_cell(
    dosi_buffer *out, const struct sql_rows *rows, size_t number)
{
    const struct table_rule *rule = &rows->layout->rules[number];
    if (is_of_text(rule)) {
        sql_print(out, "c%zu", rule->text + 1);
        return;
    }
    const struct table_value *v = &rows->layout->values[rule->value];
    dosi_buffer x = {0};
    sql_print(&x, "z%zu - ", rule->value + 1);
    sql_integer(&x, v->lo);
    if (rule->kind == TABLE_LEVELS)
        dosi_buffer_text(out, x.text != NULL ? x.text : "");
    else
        sql_quotient(out, rows->dialect, x.text != NULL ? x.text : "",
            rule->width);
    out->failed |= x.failed;
    dosi_buffer_free(&x);
}

/* The name of a cell in the answer. */
void sql_cell_name(
    dosi_buffer *out, const struct sql_rows *rows, const size_t rules[2])
{
    const struct table_layout *layout = rows->layout;
    for (size_t i = 0; i < 2 && rules[i] != TABLE_NONE; i++) {
        const struct table_rule *rule = &layout->rules[rules[i]];
        dosi_buffer_text(out, i > 0 ? " || '.' || " : "");
        if (is_of_text(rule)) {
            const struct sql_bytes *tokens = sql_bytes_of(rows->dialect,
                &layout->columns[layout->texts[rule->text]]);
            sql_print(out, "%sg%zu%s", tokens->hex[0], rules[i],
                tokens->hex[1]);
        } else {
            sql_print(
                out, "CAST(g%zu AS %s)", rules[i], rows->dialect->text);
        }
    }
}

/* ---- Columns ---- */

static void put_no_text(dosi_buffer *out, const struct sql_rows *rows)
{
    sql_print(out, "CAST(NULL AS %s)", rows->dialect->text);
}

/* n0 .. of a part: sums where the part has one, in the order of columns. */
static void put_column(dosi_buffer *out, const struct sql_rows *rows,
    dosi_buffer *sum, size_t column)
{
    dosi_buffer_text(out, ", CAST(");
    sql_take(out, sum);
    sql_print(out, " AS %s) AS n%zu", rows->dialect->text, column);
}

void sql_no_columns(dosi_buffer *out, const struct sql_rows *rows,
    size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        dosi_buffer_text(out, ", ");
        put_no_text(out, rows);
        sql_print(out, " AS n%zu", i);
    }
}

/* ---- Sums over rows ---- */

/* The sum of a term over rows; NULL adds nothing. */
static void put_row_sum(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_item *item)
{
    const struct sql_dialect *d = rows->dialect;
    size_t z = item->value + 1;
    switch (item->term) {
    case TABLE_ONE:
    case TABLE_BAD:
    case TABLE_TOTAL:
        dosi_buffer_text(out, "count(*)");
        break;
    case TABLE_PRESENT:
        sql_print(out, "count(z%zu)", z);
        break;
    case TABLE_SUM:
        sql_print(out, "%sz%zu%s", d->sum[0], z, d->sum[1]);
        break;
    case TABLE_CENTRED:
        sql_print(out, "%sz%zu - ", d->sum[0], z);
        sql_integer(out, item->centre);
        dosi_buffer_text(out, d->sum[1]);
        break;
    case TABLE_SQUARE: /* both factors are below 2^31 */
        sql_print(out, "%s(z%zu - ", d->sum[0], z);
        sql_integer(out, item->centre);
        sql_print(out, ") * (z%zu - ", z);
        sql_integer(out, item->centre);
        sql_print(out, ")%s", d->sum[1]);
        break;
    }
}

/* Tells the rules that any set of rows has. */
static bool is_grouped(const struct tally_shape *shape, size_t rule)
{
    for (size_t i = 0; i < shape->n_items; i++) {
        const struct tally_place *place = &shape->places[i];
        if (place->part == TALLY_ROWS &&
            (place->rules[0] == rule || place->rules[1] == rule))
            return true;
    }
    return false;
}

/* True for the rows of the answer that belong to the set of the place. */
static void put_set_test(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape, const struct tally_place *place)
{
    const char *and = "";
    for (size_t r = 0; r < rows->layout->n_rules; r++) {
        if (!is_grouped(shape, r))
            continue;
        bool is_in = place->rules[0] == r || place->rules[1] == r;
        sql_print(out, "%sgrouping(g%zu) = %d", and, r, is_in ? 0 : 1);
        and = " AND ";
    }
}

/* Part and cell of each set. */
static void put_set_names(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape)
{
    char name[TALLY_NAME_BYTES];
    dosi_buffer cells = {0};
    dosi_buffer_text(out, "CASE");
    dosi_buffer_text(&cells, "CASE");
    for (size_t i = 0; i < shape->n_items; i++) {
        const struct tally_place *place = &shape->places[i];
        if (place->part != TALLY_ROWS || !place->is_first_part)
            continue;
        tally_part_name(name, shape, i);
        dosi_buffer_text(out, " WHEN ");
        put_set_test(out, rows, shape, place);
        sql_print(out, " THEN '%s'", name);
        if (place->rules[0] == TABLE_NONE)
            continue;
        dosi_buffer_text(&cells, " WHEN ");
        put_set_test(&cells, rows, shape, place);
        dosi_buffer_text(&cells, " THEN ");
        sql_cell_name(&cells, rows, place->rules);
    }
    dosi_buffer_text(out, " END AS part, ");
    sql_take(out, &cells);
    dosi_buffer_text(out, " END AS cell");
}

static void put_sets(dosi_buffer *out, const struct tally_shape *shape)
{
    const char *comma = "";
    dosi_buffer_text(out, " GROUP BY GROUPING SETS (");
    for (size_t i = 0; i < shape->n_items; i++) {
        const struct tally_place *place = &shape->places[i];
        if (place->part != TALLY_ROWS || !place->is_first_part)
            continue;
        sql_print(out, "%s(", comma);
        if (place->rules[0] != TABLE_NONE)
            sql_print(out, "g%zu", place->rules[0]);
        if (place->rules[1] != TABLE_NONE)
            sql_print(out, ", g%zu", place->rules[1]);
        dosi_buffer_text(out, ")");
        comma = ", ";
    }
    dosi_buffer_text(out, ")");
}

/* The smallest count of cells of the set of a place; 1 if an item of the
 * set needs them all. */
static int64_t least_of_set(const struct table_layout *layout,
    const struct tally_shape *shape, const struct tally_place *place)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < shape->n_items; i++) {
        const struct tally_place *other = &shape->places[i];
        int64_t min_count = layout->items[i].min_count;
        if (other->part == TALLY_ROWS && other->rules[0] == place->rules[0] &&
            other->rules[1] == place->rules[1] && min_count < least)
            least = min_count > 1 ? min_count : 1;
    }
    return least;
}

/* Which of the m rows unknown cells must have where rows are people; tau is
 * higher for it: R107-6. Not by HAVING, in which Spark knows no grouping. */
static void put_least_counts(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape)
{
    char name[TALLY_NAME_BYTES];
    const char *and = " WHERE ";
    for (size_t i = 0; i < shape->n_items; i++) {
        const struct tally_place *place = &shape->places[i];
        int64_t least = least_of_set(rows->layout, shape, place);
        if (place->part != TALLY_ROWS || !place->is_first_part || least <= 1)
            continue;
        tally_part_name(name, shape, i);
        sql_print(out, "%s(part <> '%s' OR m >= ", and, name);
        sql_integer(out, least);
        dosi_buffer_text(out, ")");
        and = " AND ";
    }
}

/*
 * The order of a person's rows names every column that is read, so rows that
 * tie count alike (R107-2), and says where missing values are: Spark puts
 * them first by itself.
 */
static void put_row_number(dosi_buffer *out, const struct sql_rows *rows)
{
    const struct table_layout *layout = rows->layout;
    const char *comma = "";
    dosi_buffer_text(out, "row_number() OVER (PARTITION BY u ORDER BY ");
    for (size_t i = 0; i < layout->n_keys; i++, comma = ", ")
        sql_print(out, "%so%zu" SQL_ORDERED, comma, i + 1);
    for (size_t i = 0; i < layout->n_values; i++, comma = ", ")
        sql_print(out, "%sz%zu" SQL_ORDERED, comma, i + 1);
    for (size_t i = 0; i < layout->n_texts; i++, comma = ", ")
        sql_print(out, "%sc%zu" SQL_ORDERED, comma, i + 1);
    if (*comma == '\0')
        dosi_buffer_text(out, "u" SQL_ORDERED);
    dosi_buffer_text(out, ") AS r");
}

/* The rows with their cells, and their places among their person's. */
static void put_numbered_rows(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape)
{
    const struct table_layout *layout = rows->layout;
    const char *comma = "";
    dosi_buffer_text(out, "FROM (SELECT ");
    for (size_t i = 0; i < layout->n_values; i++, comma = ", ")
        sql_print(out, "%sz%zu", comma, i + 1);
    for (size_t r = 0; r < layout->n_rules; r++) {
        if (!is_grouped(shape, r))
            continue;
        dosi_buffer_text(out, comma);
        sql_rule_cell(out, rows, r);
        sql_print(out, " AS g%zu", r);
        comma = ", ";
    }
    if (layout->user != TABLE_NONE) {
        dosi_buffer_text(out, comma);
        put_row_number(out, rows);
    }
    dosi_buffer_text(out, " FROM a) AS b");
    if (layout->user != TABLE_NONE)
        sql_print(out, " WHERE r <= %lld", (long long)layout->max_rows);
}

/* part, cell and n0, n1, ..., of all sets of rows. */
static void put_row_columns(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape, bool has_cells)
{
    size_t n = 0;
    if (has_cells) {
        put_set_names(out, rows, shape);
    } else {
        dosi_buffer_text(out, "'rows' AS part, ");
        put_no_text(out, rows);
        dosi_buffer_text(out, " AS cell");
    }
    for (size_t i = 0; i < shape->n_items; i++) {
        const struct tally_place *place = &shape->places[i];
        if (place->part != TALLY_ROWS || !place->is_first)
            continue;
        dosi_buffer sum = {0};
        put_row_sum(&sum, rows, &rows->layout->items[i]);
        put_column(out, rows, &sum, n++);
    }
    sql_no_columns(out, rows, n, shape->n_columns);
}

void sql_part_rows(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape)
{
    bool has_cells = false;
    dosi_buffer least = {0};
    for (size_t r = 0; r < rows->layout->n_rules; r++)
        has_cells = has_cells || is_grouped(shape, r);
    put_least_counts(&least, rows, shape);
    bool is_filtered = least.length > 0;
    dosi_buffer_text(out, "SELECT ");
    if (is_filtered) {
        dosi_buffer_text(out, "part, cell");
        for (size_t i = 0; i < shape->n_columns; i++)
            sql_print(out, ", n%zu", i);
        dosi_buffer_text(out, " FROM (SELECT ");
    }
    put_row_columns(out, rows, shape, has_cells);
    dosi_buffer_text(out, is_filtered ? ", count(*) AS m\n" : "\n");
    put_numbered_rows(out, rows, shape);
    if (has_cells)
        put_sets(out, shape);
    dosi_buffer_text(out, is_filtered ? ") AS k" : "");
    sql_take(out, &least);
    dosi_buffer_text(out, "\n");
}

/* ---- Sums over people ---- */

/* The number of one person, as an expression of m, x and t of that person. */
static void put_person_number(
    dosi_buffer *out, const struct table_item *item, size_t number)
{
    dosi_buffer lo = {0}, hi = {0};
    switch (item->term) {
    case TABLE_BAD:
        dosi_buffer_text(out, "x");
        break;
    case TABLE_TOTAL: /* clamped, the sum fits 64 bits again */
        sql_integer(&lo, item->total_lo);
        sql_integer(&hi, item->total_hi);
        sql_print(out,
            "CAST(least(greatest(coalesce(t%zu, 0), ", number);
        sql_take(out, &lo);
        dosi_buffer_text(out, "), ");
        sql_take(out, &hi);
        dosi_buffer_text(out, ") AS BIGINT)");
        break;
    case TABLE_ONE:
    case TABLE_PRESENT:
    case TABLE_SUM:
    case TABLE_CENTRED:
    case TABLE_SQUARE:
        dosi_buffer_text(
            out, item->limit == TABLE_BY_PERSON ? "1" : "m");
        break;
    }
}

/* The columns of one person: m rows at most, x if one is bad, t the sum of
 * z. */
static void put_people(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape)
{
    const struct table_layout *layout = rows->layout;
    const struct sql_dialect *d = rows->dialect;
    bool is_user = layout->user != TABLE_NONE;
    dosi_buffer_text(out, "FROM (SELECT ");
    if (!is_user) {
        dosi_buffer_text(out, "1 AS m, x");
    } else if (layout->max_rows == INT64_MAX) {
        dosi_buffer_text(out, "count(*) AS m, max(x) AS x");
    } else {
        dosi_buffer_text(out, "least(count(*), ");
        sql_integer(out, layout->max_rows);
        dosi_buffer_text(out, ") AS m, max(x) AS x");
    }
    for (size_t i = 0; i < shape->n_items; i++) {
        const struct table_item *item = &layout->items[i];
        if (shape->places[i].part != TALLY_USERS ||
            !shape->places[i].is_first || item->term != TABLE_TOTAL)
            continue;
        if (is_user)
            sql_print(out, ", %sz%zu%s AS t%zu", d->sum[0], item->value + 1,
                d->sum[1], i);
        else
            sql_print(out, ", z%zu AS t%zu", item->value + 1, i);
    }
    sql_print(out, " FROM a%s) AS p\n", is_user ? " GROUP BY u" : "");
}

void sql_part_users(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape)
{
    const struct sql_dialect *d = rows->dialect;
    size_t n = 0;
    dosi_buffer_text(out, "SELECT 'users' AS part, ");
    put_no_text(out, rows);
    dosi_buffer_text(out, " AS cell");
    for (size_t i = 0; i < shape->n_items; i++) {
        if (shape->places[i].part != TALLY_USERS ||
            !shape->places[i].is_first)
            continue;
        dosi_buffer sum = {0};
        dosi_buffer_text(&sum, d->sum[0]);
        put_person_number(&sum, &rows->layout->items[i], i);
        dosi_buffer_text(&sum, d->sum[1]);
        put_column(out, rows, &sum, n++);
    }
    sql_no_columns(out, rows, n, shape->n_columns);
    dosi_buffer_text(out, "\n");
    put_people(out, rows, shape);
}

void sql_part_query(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape, const char *digest)
{
    sql_print(out, "SELECT 'query' AS part, '%s' AS cell", digest);
    sql_no_columns(out, rows, 0, shape->n_columns);
}
