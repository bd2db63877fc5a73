/* The one place where a tally meets noise. */
#ifndef DOSI_RELEASE_TABLE_QUERY_DRAW_H
#define DOSI_RELEASE_TABLE_QUERY_DRAW_H

#include "answer.h"
#include "query_object.h"

/*
 * Adds noise to all integers of the tally and makes all choices, with one
 * key of the system's. Names of unknown cells stay the tally's.
 *
 * owns   *out, released with draw_free; nothing in it after a failure
 * fails  DOSI_EENTROPY, DOSI_ENOMEM; none depends on the tally
 */
dosi_status draw_all(struct answer_integers *out,
    const dosi_table_query *query, const struct table_tally *tally,
    dosi_error *err);
void draw_free(struct answer_integers *drawn, const dosi_table_query *query);

/* The distances of scores to the best one, saturated: of a quantile from the
 * numbers of rows at each grid point, of a mode from those of its cells. */
void draw_ranks(int64_t *out, const int128 *counts, size_t n, int64_t below,
    int64_t whole);
void draw_fullest(int64_t *out, const int128 *counts, size_t n);

#endif
