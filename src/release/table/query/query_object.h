/*
 * The query as a whole: its layout, what is added to the integers of it, and
 * what that costs.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_QUERY_OBJECT_H
#define DOSI_RELEASE_TABLE_QUERY_QUERY_OBJECT_H

#include "release/table/reader/compiled_query.h"
#include "release/table/reader/reader.h"
#include "settings.h"

#define STATISTIC_MAX_PARTS 3
#define QUERY_MAX_CELLS ((size_t)1 << 24) /* of one statistic */

enum table_leaf {
    LEAF_COUNT, /* group(D, discrete_laplace(b)); discrete noise of scale b */
    LEAF_SUM,   /* laplace(b); rounded noise of scale b D */
    LEAF_CHOICE /* exponential(epsilon) of scores that move by D */
};

/* One leaf of the plan, and the item whose integers it protects. */
struct table_part {
    enum table_leaf leaf;
    const char *label; /* after the statistic's name; "": nothing */
    size_t item;
    uint128 distance;  /* D between neighbours */
    int64_t copies;    /* of the leaf in the plan */
    bool is_monotone;  /* choices: a record moves all scores one way */
    bool has_threshold; /* unknown cells */
    int64_t share;     /* of the statistic's weight */
    double weight;     /* of the budget */
    double parameter;  /* b, sigma or epsilon */
    dosi_noise_law law;
    double scale;      /* of the noise, in units */
    dosi_noise *noise;
    int64_t half_width; /* of the interval at the level; choices: none */
    double d;          /* unknown cells: approx(0, d) */
    int64_t tau;       /* printed from here on */
};

struct statistic_row;

struct table_statistic {
    const struct statistic_row *row;
    char *name;
    size_t value;          /* of the layout, or TABLE_NONE */
    int64_t centre;        /* mean, variance */
    int64_t lo, hi;        /* of the value, in units */
    int64_t below, whole;  /* quantiles: A / B */
    size_t rules[2];       /* of the cells, or TABLE_NONE */
    struct table_part parts[STATISTIC_MAX_PARTS];
    size_t n_parts;
};

struct dosi_table_query {
    struct table_settings settings;
    struct table_layout layout;
    struct table_statistic *statistics;
    size_t n_statistics;
    int64_t rows_of_person; /* k; 1 without --user */
    size_t rules[2];        /* of --by, or TABLE_NONE */
    const dosi_plan *plan;  /* NULL where not_private */
    dosi_options accounting; /* of questions about the plan */
    dosi_interval epsilon;  /* certified, at delta */
    double delta;           /* 0: pure */
    struct table_lines lines;
    struct table_bytes *assumptions;
    size_t n_assumptions;
    struct table_reader *reader;
    struct table_tally tally;
    bool has_tally, is_finished;
    char statement[65]; /* digest of the one that a tally must answer, or "" */
};

#define QUERY_FINISHED \
    "the query is finished: its noise was drawn, or its data went to another"

/* Whether an engine leaves out cells below a count. One that it left out of a
 * part counts for nothing there, and for all its rows once a person makes it
 * visible: tallies of parts have no distance. In query_merge.c. */
bool query_is_filtered(const dosi_table_query *query);

/* The reader of the query, and the tally of what it read; in query.c. */
dosi_status query_open_reader(dosi_table_query *query, dosi_error *err);
dosi_status query_close_reader(dosi_table_query *query, dosi_error *err);

#endif
