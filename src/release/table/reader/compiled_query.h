/*
 * A query on a table, compiled from statistics and settings: which columns
 * are read, how a row becomes integers, what one person may contribute, and
 * which integers are added up. Readers (CSV, Arrow), the SQL printer and the
 * noise all work from this one description; it is immutable once compiled.
 *
 * A row is (user, keys, z_1 .. z_q, texts): z are numbers in units of their
 * grid, clamped, or missing; texts are the columns read as cells. Cells, bins
 * and terms are functions of z and texts, so that rows which tie in
 * (keys, z, texts) count alike.
 */
#ifndef DOSI_RELEASE_TABLE_READER_COMPILED_QUERY_H
#define DOSI_RELEASE_TABLE_READER_COMPILED_QUERY_H

#include "dosimeter/release.h"
#include "release/int128.h"

#include <stdbool.h>

#define TABLE_NONE ((size_t)-1)
#define TABLE_MISSING INT64_MAX /* a z without a value: sorts last */

struct table_bytes {
    const char *bytes;
    size_t n;
};

enum table_type { /* declared by --type; CSV: text if nothing is said */
    TABLE_UNDECLARED,
    TABLE_INT64,
    TABLE_DOUBLE,
    TABLE_DECIMAL,
    TABLE_TEXT,
    TABLE_BINARY
};

struct table_column {
    char *name;
    enum table_type type;
    int precision, scale; /* of decimals */
};

/* z: a column in units of a grid num/den (num = 1 or den = 1; in lowest
 * terms), by floor(v/g + 1/2), clamped to lo .. hi; |lo|, |hi| <= 2^62. */
struct table_value {
    size_t column;
    int64_t num, den;
    int64_t lo, hi;
    int64_t missing; /* what a missing value counts as, or TABLE_MISSING */
};

enum table_rule_kind {
    TABLE_CATEGORIES, /* of a text: the index of its name, if declared */
    TABLE_BINS,       /* of a z: (z - lo) / width */
    TABLE_LEVELS,     /* of a z: z - lo (grid points, for quantiles) */
    TABLE_UNKNOWN     /* of a text: every one that occurs */
};

struct table_rule {
    enum table_rule_kind kind;
    size_t text;          /* index into texts: categories, unknown */
    size_t value;         /* index into values: bins, levels */
    int64_t width;        /* bins, in units */
    size_t n_cells;       /* 0 for unknown ones */
    struct table_bytes *names; /* categories, in declared order */
};

enum table_operator {
    TABLE_EQ,
    TABLE_NE,
    TABLE_LT,
    TABLE_LE,
    TABLE_GT,
    TABLE_GE
};

/* A row without it is no row. A missing value fails every one. */
struct table_where {
    size_t column;
    enum table_operator op;
    bool is_text;         /* compared by bytes; else as numbers, exactly */
    struct table_bytes operand; /* the text, or the decimal as it was written */
};

enum table_limit {
    TABLE_BY_ROWS,   /* summed over the k least rows of a person */
    TABLE_BY_CELLS,  /* min(rows, m) in each of a person's first l cells */
    TABLE_BY_PERSON  /* one number of all rows of a person */
};

enum table_term {
    TABLE_ONE,      /* by rows: 1 a row (in its cell); by cells; by person:
                       1 for everybody with a row (users) */
    TABLE_BAD,      /* by person: 1 if a record of theirs is bad */
    TABLE_PRESENT,  /* by rows: 1 if z is not missing */
    TABLE_SUM,      /* by rows: z */
    TABLE_CENTRED,  /* by rows: z - centre */
    TABLE_SQUARE,   /* by rows: (z - centre)^2 */
    TABLE_TOTAL     /* by person: clamp(sum of z, total_lo, total_hi) */
};

/*
 * One family of integers of the tally: a term for every cell of at most two
 * rules (cell = i * n_cells of the second + j), or one integer without rules.
 */
struct table_item {
    enum table_limit limit;
    enum table_term term;
    size_t value;             /* or TABLE_NONE */
    int64_t centre;
    int64_t total_lo, total_hi;
    size_t rules[2];          /* indices, TABLE_NONE: not used */
    int64_t max_cells, max_per_cell; /* l and m, by cells */
    int64_t min_count;        /* unknown cells: those below it are left out */
    size_t first, n_cells;    /* integers first .. first + n_cells - 1 of the
                                 tally; none for unknown cells */
    size_t unknown;           /* index of the dictionary, or TABLE_NONE */
};

struct table_layout {
    struct table_column *columns;
    size_t n_columns;
    size_t user;              /* column, or TABLE_NONE: a row is a person */
    size_t *keys;             /* columns of --order */
    size_t n_keys;
    bool is_file_order;       /* the line number is the key */
    struct table_value *values;
    size_t n_values;
    size_t *texts;            /* columns */
    size_t n_texts;
    struct table_rule *rules;
    size_t n_rules;
    struct table_where *where;
    size_t n_where;
    struct table_item *items;
    size_t n_items;
    size_t n_integers, n_unknown;
    int64_t max_rows;         /* k; INT64_MAX: no item is limited by rows, or
                                 there is no user */
    char delimiter, decimal;  /* of CSV */
    bool has_header;
};

/*
 * The sums of a query. Unknown cells: names that occur with at least 1, each
 * with its count, in no order; sorted by bytes before they are used.
 */
struct table_cell_count {
    struct table_bytes name; /* owned by the tally */
    int128 count;
};

struct table_tally {
    int128 *integers; /* n_integers of the layout */
    struct table_cells {
        struct table_cell_count *cells;
        size_t n, capacity;
    } *unknown; /* n_unknown of the layout */
};

/* The layout of a query; as old as the query. */
const struct table_layout *table_query_layout(const dosi_table_query *query);

/* The reader of bytes and batches, made when it is first needed. NULL
 * without memory or entropy, when the noise was drawn or a tally is there. */
struct table_reader;
struct table_reader *table_query_reader(dosi_table_query *query);

/* A tally of zeros in place of a reader; made when it is first asked for.
 * NULL without memory, when the noise was drawn or a reader is there. */
struct table_tally *table_query_tally(dosi_table_query *query);

/* Statistics and settings, a line each, as given except for blanks. */
struct table_lines {
    char **statistics;
    size_t n_statistics;
    char **settings;
    size_t n_settings;
};
const struct table_lines *table_query_lines(const dosi_table_query *query);

/* One more sentence among the assumptions of the answer; ways in other than
 * CSV have some. fails  DOSI_ENOMEM */
dosi_status table_query_assume(
    dosi_table_query *query, const char *sentence, dosi_error *err);

#endif
