/*
 * The settings of a query, read from their lines: what the options of
 * `dosimeter release` say, checked one by one. How they fit together is
 * checked where statistics use them.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_SETTINGS_H
#define DOSI_RELEASE_TABLE_QUERY_SETTINGS_H

#include "setting_text.h"

#define SETTINGS_MAX_LIMIT 1000000000 /* of rows and cells of a person */

/* The settings of one column; each member has the name of a setting. */
struct column_settings {
    char *name;
    bool has_categories, has_bins, has_unknown, has_grid, has_missing;
    bool has_type, has_user_bounds;
    struct table_bytes *categories;
    size_t n_categories;
    struct exact_decimal bins_lo, bins_hi, bins_width;
    struct exact_grid grid;
    struct exact_decimal missing;
    enum table_type type;
    int precision, scale;
    struct exact_decimal total_lo, total_hi;
    bool is_number, is_cell, is_key, is_total; /* used as such */
    bool is_read;                              /* used at all */
};

/* --max-cells, --max-per-cell and --min-count, of all columns where name is
 * NULL. */
struct cell_limit {
    char *name;
    int64_t limit;
    bool is_used;
};

struct name_weight {
    char *name;
    double weight;
    bool is_used;
};

struct condition {
    char *name;
    enum table_operator op;
    bool is_text;
    char *operand;
};

struct table_settings {
    struct column_settings *columns;
    size_t n_columns;
    struct table_bytes *by;
    size_t n_by;
    char *user;
    int64_t max_rows; /* 0: not given */
    struct table_bytes *order;
    size_t n_order;
    bool is_file_order;
    struct cell_limit *max_cells, *max_per_cell, *min_count;
    size_t n_max_cells, n_max_per_cell, n_min_count;
    dosi_neighbours neighbours;
    double epsilon, delta; /* 0: not given */
    char *plan;
    struct name_weight *weights;
    size_t n_weights;
    bool is_gaussian, is_nonnegative, permute_and_flip, is_not_private;
    double error_lower; /* <= 1 - level */
    char *level;
    struct condition *where;
    size_t n_where;
    char delimiter, decimal;
    bool has_header;
};

/* Reads the lines. *out is to be freed in any case. */
dosi_status settings_read(struct table_settings *out,
    const char *const *lines, size_t n, dosi_error *err);
void settings_free(struct table_settings *settings);

/* The settings of a column, added if there are none; NULL without memory. */
struct column_settings *settings_column(
    struct table_settings *settings, const char *name);

/* The word of a line, and what stands after it. */
size_t settings_word(const char *line, const char **argument);

/* The settings of columns, in settings_columns.c. */
dosi_status settings_read_categories(struct table_settings *s, const char *text,
    const char *what, dosi_error *err);
dosi_status settings_read_bins(struct table_settings *s, const char *text,
    const char *what, dosi_error *err);
dosi_status settings_read_unknown(struct table_settings *s, const char *text,
    const char *what, dosi_error *err);
dosi_status settings_read_grid(struct table_settings *s, const char *text,
    const char *what, dosi_error *err);
dosi_status settings_read_missing(struct table_settings *s, const char *text,
    const char *what, dosi_error *err);
dosi_status settings_read_type(struct table_settings *s, const char *text,
    const char *what, dosi_error *err);
dosi_status settings_read_user_bounds(struct table_settings *s,
    const char *text, const char *what, dosi_error *err);

#endif
