/*
 * One row adds a setting: its name, whether it takes an argument, whether it
 * may be given several times, and the function that reads the argument.
 */
#include "settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "where_text.h"

size_t settings_word(const char *line, const char **argument)
{
    size_t n = strcspn(line, " ");
    *argument = line + n + strspn(line + n, " ");
    return n;
}

struct column_settings *settings_column(
    struct table_settings *settings, const char *name)
{
    for (size_t i = 0; i < settings->n_columns; i++)
        if (strcmp(settings->columns[i].name, name) == 0)
            return &settings->columns[i];
    char *copy = text_copy(name, strlen(name));
    void *more = copy == NULL ? NULL
                              : text_more(settings->columns,
                                    settings->n_columns,
                                    sizeof *settings->columns);
    if (more == NULL) {
        free(copy);
        return NULL;
    }
    settings->columns = more;
    struct column_settings *column = &settings->columns[settings->n_columns++];
    *column = (struct column_settings){.name = copy};
    return column;
}

/* ---- People ------------------------------------------------------------ */

static dosi_status read_user(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    return text_name(&s->user, &text, "", what, err);
}

static dosi_status read_limit(
    int64_t *out, const char *text, const char *what, dosi_error *err)
{
    if (!exact_whole(out, text, strlen(text), SETTINGS_MAX_LIMIT) ||
        *out == 0)
        return text_refuse(
            err, what, "a whole number from 1 to 1000000000", text);
    return DOSI_OK;
}

static dosi_status read_max_rows(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    return read_limit(&s->max_rows, text, what, err);
}

static dosi_status read_order(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    return text_list(&s->order, &s->n_order, text, what, err);
}

static dosi_status read_file_order(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    (void)text, (void)what, (void)err;
    s->is_file_order = true;
    return DOSI_OK;
}

/* [C:]l. The columns of a two-way table are C,C2. */
static dosi_status read_cell_limit(struct cell_limit **list, size_t *n,
    const char *text, const char *what, dosi_error *err)
{
    const char *colon = strrchr(text, ':');
    struct cell_limit limit = {0};
    dosi_status status =
        read_limit(&limit.limit, colon != NULL ? colon + 1 : text, what, err);
    if (status != DOSI_OK)
        return status;
    if (colon != NULL) {
        limit.name = text_copy(text, (size_t)(colon - text));
        if (limit.name == NULL)
            return dosi_fail_memory(err);
    }
    for (size_t i = 0; i < *n; i++) {
        const char *name = (*list)[i].name;
        bool is_twice = name == NULL || limit.name == NULL
                            ? name == limit.name
                            : strcmp(name, limit.name) == 0;
        if (is_twice) {
            free(limit.name);
            return dosi_fail(err, DOSI_EINVAL, "%s is given twice", what);
        }
    }
    void *more = text_more(*list, *n, sizeof **list);
    if (more == NULL) {
        free(limit.name);
        return dosi_fail_memory(err);
    }
    *list = more;
    (*list)[(*n)++] = limit;
    return DOSI_OK;
}

static dosi_status read_max_cells(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    return read_cell_limit(&s->max_cells, &s->n_max_cells, text, what, err);
}

static dosi_status read_max_per_cell(struct table_settings *s,
    const char *text, const char *what, dosi_error *err)
{
    return read_cell_limit(
        &s->max_per_cell, &s->n_max_per_cell, text, what, err);
}

static dosi_status read_min_count(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    return read_cell_limit(&s->min_count, &s->n_min_count, text, what, err);
}

static dosi_status read_neighbours(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    if (strcmp(text, "add_remove") != 0 && strcmp(text, "replace") != 0)
        return text_refuse(err, what, "add_remove or replace", text);
    s->neighbours = text[0] == 'r' ? DOSI_REPLACE : DOSI_ADD_REMOVE;
    return DOSI_OK;
}

/* ---- Budget and output ------------------------------------------------- */

static dosi_status read_epsilon(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    dosi_status status = text_number(&s->epsilon, text, what, err);
    if (status == DOSI_OK && !(s->epsilon > 0))
        return text_refuse(err, what, "positive", text);
    return status;
}

static dosi_status read_delta(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    dosi_status status = text_number(&s->delta, text, what, err);
    if (status == DOSI_OK && !(s->delta > 0 && s->delta < 1))
        return text_refuse(err, what, "between 0 and 1", text);
    return status;
}

static dosi_status read_plan(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    (void)what;
    s->plan = text_copy(text, strlen(text));
    return s->plan == NULL ? dosi_fail_memory(err) : DOSI_OK;
}

static dosi_status read_weight(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    const char *colon = strrchr(text, ':');
    struct name_weight weight = {0};
    if (colon == NULL)
        return text_refuse(err, what, "NAME:W", text);
    dosi_status status = text_number(&weight.weight, colon + 1, what, err);
    if (status != DOSI_OK)
        return status;
    if (!(weight.weight >= 1e-6 && weight.weight <= 1e6))
        return text_refuse(err, what, "from 1e-6 to 1e6", colon + 1);
    weight.name = text_copy(text, (size_t)(colon - text));
    void *more = weight.name == NULL ? NULL
                                     : text_more(s->weights, s->n_weights,
                                           sizeof *s->weights);
    if (more == NULL) {
        free(weight.name);
        return dosi_fail_memory(err);
    }
    s->weights = more;
    s->weights[s->n_weights++] = weight;
    return DOSI_OK;
}

static dosi_status read_noise(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    if (strcmp(text, "laplace") != 0 && strcmp(text, "gaussian") != 0)
        return text_refuse(err, what, "laplace or gaussian", text);
    s->is_gaussian = text[0] == 'g';
    return DOSI_OK;
}

static dosi_status read_level(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    struct exact_decimal level;
    if (!exact_parse(&level, text, strlen(text)) || level.num <= 0 ||
        level.num >= level.den || level.den > ((int128)1 << 53))
        return text_refuse(err, what,
            "a decimal number between 0 and 1 with at most 15 places", text);
    s->error_lower = exact_ratio_lower(
        (int64_t)(level.den - level.num), (int64_t)level.den);
    s->level = text_copy(text, strlen(text));
    return s->level == NULL ? dosi_fail_memory(err) : DOSI_OK;
}

static dosi_status read_nonnegative(struct table_settings *s,
    const char *text, const char *what, dosi_error *err)
{
    (void)text, (void)what, (void)err;
    s->is_nonnegative = true;
    return DOSI_OK;
}

static dosi_status read_permute_and_flip(struct table_settings *s,
    const char *text, const char *what, dosi_error *err)
{
    (void)text, (void)what, (void)err;
    s->permute_and_flip = true;
    return DOSI_OK;
}

static dosi_status read_not_private(struct table_settings *s,
    const char *text, const char *what, dosi_error *err)
{
    (void)text, (void)what, (void)err;
    s->is_not_private = true;
    return DOSI_OK;
}

/* ---- The table --------------------------------------------------------- */

static dosi_status read_by(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    dosi_status status = text_list(&s->by, &s->n_by, text, what, err);
    if (status == DOSI_OK && s->n_by > 2)
        return text_refuse(err, what, "C or C,C2", text);
    return status;
}

static dosi_status read_where(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    void *more = text_more(s->where, s->n_where, sizeof *s->where);
    if (more == NULL)
        return dosi_fail_memory(err);
    s->where = more;
    dosi_status status =
        where_parse(&s->where[s->n_where], text, what, err);
    s->n_where += status == DOSI_OK;
    return status;
}

static dosi_status read_delimiter(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0)
        text = "\t";
    if (text[0] == '\0' || text[1] != '\0' || (unsigned char)text[0] >= 0x80 ||
        strchr("\"\r\n", text[0]) != NULL)
        return text_refuse(err, what,
            "one character, no quote or line end, or \"tab\"", text);
    s->delimiter = text[0];
    return DOSI_OK;
}

static dosi_status read_decimal(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    if (strcmp(text, ".") != 0 && strcmp(text, ",") != 0)
        return text_refuse(err, what, "\".\" or \",\"", text);
    s->decimal = text[0];
    return DOSI_OK;
}

static dosi_status read_no_header(struct table_settings *s, const char *text,
    const char *what, dosi_error *err)
{
    (void)text, (void)what, (void)err;
    s->has_header = false;
    return DOSI_OK;
}

static const struct setting_row {
    const char *name;
    bool takes, repeats;
    dosi_status (*read)(struct table_settings *s, const char *text,
        const char *what, dosi_error *err);
} rows[] = {
    {"by", true, false, read_by},
    {"categories", true, true, settings_read_categories},
    {"bins", true, true, settings_read_bins},
    {"unknown-cells", true, true, settings_read_unknown},
    {"grid", true, true, settings_read_grid},
    {"missing", true, true, settings_read_missing},
    {"type", true, true, settings_read_type},
    {"where", true, true, read_where},
    {"delimiter", true, false, read_delimiter},
    {"decimal", true, false, read_decimal},
    {"no-header", false, false, read_no_header},
    {"user", true, false, read_user},
    {"max-rows", true, false, read_max_rows},
    {"order", true, false, read_order},
    {"file-order", false, false, read_file_order},
    {"max-cells", true, true, read_max_cells},
    {"max-per-cell", true, true, read_max_per_cell},
    {"min-count", true, true, read_min_count},
    {"user-bounds", true, true, settings_read_user_bounds},
    {"neighbours", true, false, read_neighbours},
    {"epsilon", true, false, read_epsilon},
    {"delta", true, false, read_delta},
    {"plan", true, false, read_plan},
    {"weight", true, true, read_weight},
    {"noise", true, false, read_noise},
    {"level", true, false, read_level},
    {"nonnegative", false, false, read_nonnegative},
    {"permute-and-flip", false, false, read_permute_and_flip},
    {"not-private", false, false, read_not_private},
};

#define N_ROWS (sizeof rows / sizeof *rows)

static dosi_status read_line(struct table_settings *s, bool *given,
    const char *line, dosi_error *err)
{
    const char *argument;
    size_t n = settings_word(line, &argument);
    for (size_t i = 0; i < N_ROWS; i++) {
        const char *name = rows[i].name;
        if (strlen(name) != n || memcmp(name, line, n) != 0)
            continue;
        if (given[i] && !rows[i].repeats)
            return dosi_fail(err, DOSI_EINVAL, "%s is given twice", name);
        if (rows[i].takes && *argument == '\0')
            return dosi_fail(err, DOSI_EINVAL, "%s needs a value", name);
        if (!rows[i].takes && *argument != '\0')
            return dosi_fail(err, DOSI_EINVAL,
                "%s takes no value, got \"%.100s\"", name, argument);
        given[i] = true;
        return rows[i].read(s, argument, name, err);
    }
    return dosi_fail(
        err, DOSI_EINVAL, "there is no setting \"%.*s\"", (int)n, line);
}

dosi_status settings_read(struct table_settings *out,
    const char *const *lines, size_t n, dosi_error *err)
{
    bool given[N_ROWS] = {false};
    dosi_status status = DOSI_OK;
    *out = (struct table_settings){
        .delimiter = ',', .decimal = '.', .has_header = true};
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = read_line(out, given, lines[i], err);
    if (status == DOSI_OK && out->level == NULL)
        status = read_level(out, "0.95", "level", err);
    if (status == DOSI_OK && out->delimiter == out->decimal)
        return dosi_fail(err, DOSI_EINVAL,
            "decimal: must differ from the delimiter, got \"%c\" for both",
            out->decimal);
    return status;
}

void settings_free(struct table_settings *s)
{
    for (size_t i = 0; i < s->n_columns; i++) {
        free(s->columns[i].name);
        text_list_free(
            s->columns[i].categories, s->columns[i].n_categories);
    }
    free(s->columns);
    text_list_free(s->by, s->n_by);
    text_list_free(s->order, s->n_order);
    for (size_t i = 0; i < s->n_max_cells; i++)
        free(s->max_cells[i].name);
    for (size_t i = 0; i < s->n_max_per_cell; i++)
        free(s->max_per_cell[i].name);
    for (size_t i = 0; i < s->n_min_count; i++)
        free(s->min_count[i].name);
    for (size_t i = 0; i < s->n_weights; i++)
        free(s->weights[i].name);
    for (size_t i = 0; i < s->n_where; i++) {
        free(s->where[i].name);
        free(s->where[i].operand);
    }
    free(s->max_cells);
    free(s->max_per_cell);
    free(s->min_count);
    free(s->weights);
    free(s->where);
    free(s->user);
    free(s->plan);
    free(s->level);
    *s = (struct table_settings){0};
}
