/*
 * The answer of a query: rows of exact decimal texts, and how they are made
 * from noisy integers. Everything here is post-processing.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_ANSWER_H
#define DOSI_RELEASE_TABLE_QUERY_ANSWER_H

#include "base/buffer.h"
#include "query_object.h"

#define ANSWER_NONE ((size_t)-1)

/* Texts as offsets into one buffer, each with its terminator. */
struct answer_row {
    size_t name, cell, value, lower, upper, within;
};

struct answer_rows {
    dosi_buffer text;
    struct answer_row *rows;
    size_t n;
    bool failed; /* no memory; asked once, at the end */
};

/* The result of the draw: integers with their noise, as in the layout; of
 * choices the index, a statistic each; and unknown cells that are printed. */
struct answer_integers {
    int128 *noisy;
    size_t *chosen;
    struct table_cells *unknown;
};

#define ANSWER_ROW \
    (struct answer_row){ANSWER_NONE, ANSWER_NONE, ANSWER_NONE, ANSWER_NONE, \
        ANSWER_NONE, ANSWER_NONE}

/* A row of the statistic, whose name has the label after it. */
void answer_add(struct answer_rows *rows, const struct table_statistic *s,
    const char *label, const struct answer_row *row);
void answer_end(struct answer_rows *rows); /* the terminator */

/* The start of one text; what is appended to rows->text until answer_end is
 * it. */
size_t answer_start(struct answer_rows *rows);

/* The names of a cell, with commas between them, escaped. */
size_t answer_cell(struct answer_rows *rows, const dosi_table_query *query,
    const size_t rules[2], size_t cell);

/* A name with control bytes, backslashes and what is not UTF-8 as \xHH. */
void answer_escape(dosi_buffer *b, const char *bytes, size_t n, bool in_list);

/* Rows for all integers of a part: value, and value -+ its half width. */
void answer_part(struct answer_rows *rows, const dosi_table_query *query,
    const struct table_statistic *s, size_t part, const char *label,
    const struct exact_grid *grid, const struct answer_integers *noisy);

/* An integer within what 62 bits and a sign hold. */
int64_t answer_cut(int128 x);

/* The distance from the best score that a choice keeps with probability level,
 * divided by a number; rounded up. */
double answer_within(const dosi_table_query *query,
    const struct table_part *part, size_t n_candidates, double divisor);

/* A number rounded up, as a text of six digits. */
void answer_bound(struct answer_rows *rows, double x);

void answer_rows_free(struct answer_rows *rows);

#endif
