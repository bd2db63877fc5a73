/*
 * The state kept for each person until the last row: the number of rows, the k
 * least of them in the order (keys, z, texts), missing last; sums of all rows;
 * and the cells of all rows with their numbers of rows and least keys. All of
 * it is a function of the multiset of the person's rows (R105-10, R107-3).
 *
 * cost  40 bytes and a slot of 11 to 21 a person; 8 bytes for each key, z and
 *       text of a kept row, 8 more if there are keys, for k rows at once if
 *       that is at most 256 bytes; 16 bytes and a key a pair of person and
 *       cell, two to four times that above 16 cells
 */
#ifndef DOSI_RELEASE_TABLE_READER_PEOPLE_H
#define DOSI_RELEASE_TABLE_READER_PEOPLE_H

#include "least_heap.h"
#include "row.h"
#include "tally.h"

struct person;
struct pool_chunk;

/* Items limited by the same cells share what is kept. */
struct people_family {
    size_t rules[2];
};

#define PEOPLE_WAITING 32

struct waiting_row {
    uint32_t hash, n_id;
    bool is_bad;
    const char *id; /* in the room, if it is short enough */
    char room[40];
};

struct people {
    const struct table_layout *layout;
    const struct hash_key *key;
    struct names *names;
    const bool *is_text_key; /* of each key; set before the first row */
    struct slots slots;
    char **blocks; /* of people, by index */
    size_t n, n_blocks, capacity;
    size_t stride;      /* bytes of a person */
    size_t n_key_words; /* of a row: keys and which are missing */
    size_t row_words;
    bool needs_rows;
    struct people_family *families;
    size_t n_families;
    size_t *totals; /* indices of the values that are summed up */
    size_t n_totals;
    size_t rows_inside; /* where the rows begin inside a person, or 0 */
    struct waiting_row *waiting; /* PEOPLE_WAITING of them, a ring */
    int64_t *words;              /* of each */
    size_t n_given, n_taken;
    struct pool {
        struct pool_chunk *chunks;
        size_t used;
        void *unused[64]; /* freed arrays of 2^i rows */
    } pool;
};

dosi_status people_new(struct people *out, const struct table_layout *layout,
    const struct hash_key *key, struct names *names, const bool *is_text_key,
    dosi_error *err);
void people_free(struct people *people);

/* Adds a row, or lets it wait for people_flush. False without memory. */
bool people_add(
    struct people *people, const struct adder *adder, const struct row *row);
bool people_flush(struct people *people, const struct adder *adder);

/* Adds people whose rows do not wait, of another reader with the same layout
 * and keys of the same types. False without memory: then *into is of no use. */
bool people_merge(struct people *into, const struct people *from);

/* Adds the rows that wait, applies the limits and adds everybody up; counts
 * people above the limits into *faults, which may be NULL. False without
 * memory. */
bool people_finish(
    struct people *people, struct adder *adder, struct table_faults *faults);

#endif
