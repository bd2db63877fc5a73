/* The state of one person, shared by the files about people. */
#ifndef DOSI_RELEASE_TABLE_READER_PERSON_H
#define DOSI_RELEASE_TABLE_READER_PERSON_H

#include <string.h>

#include "people.h"

#define PERSON_INLINE 12 /* bytes of an id that need no memory of their own */
#define CELLS_SORTED 16  /* cells in a sorted array; more are hashed */

struct person {
    uint32_t n_id;
    char id[PERSON_INLINE]; /* or a pointer to it */
    uint64_t n_rows;
    int64_t *rows; /* n_kept of them, a heap; not used if inside */
    uint32_t n_kept;
    uint8_t room; /* for 2^(room - 1) rows, none if 0 */
    bool is_bad;
    /* then a struct cell_set * for each family, an int128 for each total, as
     * two words, and the rows if they are kept inside */
};

/* Entries of words: cell, number of rows, key words. Sorted by cell if the
 * capacity is at most CELLS_SORTED; else hashed, free ones with 0 rows. */
struct cell_set {
    size_t n, capacity;
    int64_t entries[];
};

/* Entry i of a set, below its capacity, or NULL if there is none. */
static inline const int64_t *cell_entry(
    const struct cell_set *set, size_t width, size_t i)
{
    const int64_t *entry = set->entries + i * width;
    bool is_free =
        set->capacity <= CELLS_SORTED ? i >= set->n : entry[1] == 0;
    return is_free ? NULL : entry;
}

static inline struct person *person_at(const struct people *people, size_t i)
{
    return (struct person *)(void *)(people->blocks[i / 1024] +
                                     i % 1024 * people->stride);
}

static inline struct cell_set **person_cells(struct person *person)
{
    return (struct cell_set **)(void *)(person + 1);
}

static inline int64_t *person_totals(
    const struct people *people, struct person *person)
{
    return (int64_t *)(void *)(person_cells(person) + people->n_families);
}

static inline int64_t *person_rows(
    const struct people *people, struct person *person)
{
    if (people->rows_inside == 0)
        return person->rows;
    return (int64_t *)(void *)((char *)person + people->rows_inside);
}

static inline struct table_bytes person_id(const struct person *person)
{
    struct table_bytes id = {person->id, person->n_id};
    if (person->n_id > PERSON_INLINE)
        memcpy(&id.bytes, person->id, sizeof id.bytes);
    return id;
}

/* The person with an id, byte for byte, whose hash is given; NULL without
 * memory. */
struct person *people_find(
    struct people *people, struct table_bytes id, uint32_t hash);

/* Room for one more row of a person; false without memory. */
bool people_rows_reserve(struct people *people, struct person *person);

/* The two halves of a cell: the number of a name or the index of a bin. */
static inline int64_t cell_join(uint32_t a, uint32_t b)
{
    return (int64_t)((uint64_t)a << 32 | b);
}

static inline uint32_t cell_half(int64_t cell, size_t i)
{
    return (uint32_t)((uint64_t)cell >> (i == 0 ? 32 : 0));
}

/* Whether a half of the cells of a family is the number of a name. */
static inline bool cell_half_is_name(
    const struct people *people, size_t family, size_t i)
{
    size_t r = people->families[family].rules[i];
    if (r == TABLE_NONE)
        return false;
    enum table_rule_kind kind = people->layout->rules[r].kind;
    return kind == TABLE_CATEGORIES || kind == TABLE_UNKNOWN;
}

/* Keys of two rows, missing last. */
int people_compare_keys(
    const struct people *people, const int64_t *a, const int64_t *b);

/* The number of keys of a row that may be numbers of names. */
static inline size_t keys_named(const struct people *people)
{
    return people->layout->is_file_order ? 0 : people->layout->n_keys;
}

/* Drops the names of the first n_keys keys and n_texts texts of a row. */
void people_drop_row(struct people *people, const int64_t *words,
    size_t n_keys, size_t n_texts);

/* Keeps a row if it is among the k least; takes over its names if so. False
 * without memory. */
bool people_keep_row(struct people *people, struct person *person,
    const int64_t *words, bool *is_kept);

/* n_rows more rows in a cell, whose least key is given. Holds the names of a
 * new cell and of a least key. False without memory. */
bool people_add_cell(struct people *people, struct cell_set **set,
    size_t family, int64_t cell, int64_t n_rows, const int64_t *key_words);

/* Adds what an item limited by cells takes of a person. */
bool people_finish_cells(struct people *people, struct adder *adder,
    const struct table_item *item, const struct cell_set *set, bool *is_over);

#endif
