/*
 * The contributions of rows and people to a tally. Sums have 128 bits and wrap,
 * which no table of fewer than 2^63 rows makes them do.
 */
#ifndef DOSI_RELEASE_TABLE_READER_TALLY_H
#define DOSI_RELEASE_TABLE_READER_TALLY_H

#include "names.h"
#include "reader.h"

struct adder {
    const struct table_layout *layout;
    struct table_tally *tally;
    const struct names *names;
    struct categories *categories; /* of each rule */
    struct adder_unknown {
        uint32_t *cell_of; /* number of a name to 1 + its cell, or 0 */
        size_t n;
    } * unknown;
    int64_t *cells; /* of the current row, a rule each: a cell, the number of
                       a name for unknown ones, or -1 */
};

dosi_status adder_new(struct adder *out, const struct table_layout *layout,
    struct table_tally *tally, const struct names *names,
    const struct hash_key *key, dosi_error *err);
void adder_free(struct adder *adder);

/* The cell of a rule of numbers, or -1. requires  z clamped or missing */
int64_t adder_cell_of_value(
    const struct adder *adder, const struct table_rule *rule, int64_t z);

/* x in a cell of an item: cells as above. False without memory. */
bool adder_add(struct adder *adder, const struct table_item *item,
    const int64_t *cells, int128 x);

/* The term of a row for an item that is limited by rows; false if it
 * contributes nothing. */
bool adder_term(int128 *out, const struct table_item *item, const int64_t *z);

/* A sum, clamped to the bounds of a total. */
int128 adder_total(const struct table_item *item, int128 sum);

#endif
