/* The state kept for each person until the last row. */
#include "people.h"

#include <stdlib.h>

#include "base/error.h"
#include "bytes.h"
#include "person.h"

#define BLOCK 1024 /* people */
#define CHUNK 65536
#define ROWS_INSIDE 256 /* bytes of rows that are kept inside a person */

/* ---- Layout ------------------------------------------------------------ */

static bool family_same(const size_t *a, const size_t *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

static size_t family_find(const struct people *people, const size_t *rules)
{
    size_t f = 0;
    while (f < people->n_families &&
           !family_same(people->families[f].rules, rules))
        f++;
    return f;
}

static void total_note(struct people *people, size_t value)
{
    size_t t = 0;
    while (t < people->n_totals && people->totals[t] != value)
        t++;
    if (t == people->n_totals)
        people->totals[people->n_totals++] = value;
}

/* Which parts of the state the items need. A plain count needs no rows. */
static void people_plan(struct people *people)
{
    const struct table_layout *layout = people->layout;
    for (size_t i = 0; i < layout->n_items; i++) {
        const struct table_item *item = &layout->items[i];
        switch (item->limit) {
        case TABLE_BY_ROWS:
            if (item->term != TABLE_ONE || item->rules[0] != TABLE_NONE)
                people->needs_rows = true;
            break;
        case TABLE_BY_CELLS:
            if (family_find(people, item->rules) == people->n_families)
                memcpy(people->families[people->n_families++].rules,
                    item->rules, sizeof item->rules);
            break;
        case TABLE_BY_PERSON:
            if (item->term == TABLE_TOTAL)
                total_note(people, item->value);
            break;
        }
    }
    people->n_key_words = layout->is_file_order ? 1
                          : layout->n_keys > 0  ? layout->n_keys + 1
                                                : 0;
    people->row_words =
        people->n_key_words + layout->n_values + layout->n_texts;
    people->stride = sizeof(struct person) +
                     people->n_families * sizeof(struct cell_set *) +
                     people->n_totals * sizeof(int128);
    size_t bytes = people->row_words * sizeof(int64_t);
    if (people->needs_rows && bytes > 0 &&
        (uint64_t)layout->max_rows <= ROWS_INSIDE / bytes) {
        people->rows_inside = people->stride;
        people->stride += (size_t)layout->max_rows * bytes;
    }
}

dosi_status people_new(struct people *out, const struct table_layout *layout,
    const struct hash_key *key, struct names *names, const bool *is_text_key,
    dosi_error *err)
{
    *out = (struct people){.layout = layout,
        .key = key,
        .names = names,
        .is_text_key = is_text_key};
    out->families = calloc(layout->n_items + 1, sizeof *out->families);
    out->totals = calloc(layout->n_items + 1, sizeof *out->totals);
    if (out->families != NULL && out->totals != NULL) {
        people_plan(out);
        out->waiting = calloc(PEOPLE_WAITING, sizeof *out->waiting);
        out->words =
            calloc(PEOPLE_WAITING * (out->row_words + 1), sizeof *out->words);
    }
    if (out->waiting != NULL && out->words != NULL)
        return DOSI_OK;
    people_free(out);
    return dosi_fail_memory(err);
}

/* ---- Memory of rows and ids -------------------------------------------- */

struct pool_chunk {
    struct pool_chunk *next;
    int64_t words[];
};

/* Memory that is freed with the pool; larger pieces have a chunk each. */
static void *pool_take(struct pool *pool, size_t bytes)
{
    bytes = (bytes + 7) / 8 * 8;
    if (pool->chunks == NULL || pool->used + bytes > CHUNK) {
        size_t size = bytes > CHUNK / 4 ? bytes : CHUNK;
        struct pool_chunk *chunk = malloc(sizeof *chunk + size);
        if (chunk == NULL)
            return NULL;
        if (size != CHUNK && pool->chunks != NULL) { /* after the open one */
            chunk->next = pool->chunks->next;
            pool->chunks->next = chunk;
            return chunk->words;
        }
        chunk->next = pool->chunks;
        pool->chunks = chunk;
        pool->used = size == CHUNK ? 0 : CHUNK;
        if (size != CHUNK)
            return chunk->words;
    }
    void *piece = (char *)pool->chunks->words + pool->used;
    pool->used += bytes;
    return piece;
}

/* The number of rows in an array of size class room. */
static size_t rows_in(const struct people *people, unsigned room)
{
    size_t n = room == 0 ? 0 : (size_t)1 << (room - 1);
    uint64_t k = (uint64_t)people->layout->max_rows;
    return n < k ? n : (size_t)k;
}

/* Twice the room for rows, at most for k. */
static bool rows_grow(struct people *people, struct person *person)
{
    size_t bytes = people->row_words * sizeof(int64_t);
    size_t old = rows_in(people, person->room);
    size_t wider = rows_in(people, person->room + 1U);
    if (person->room >= 32 || wider > SIZE_MAX / (bytes + 1))
        return false;
    void **unused = &people->pool.unused[person->room];
    void *piece = *unused;
    if (piece != NULL)
        memcpy(unused, piece, sizeof *unused);
    else
        piece = pool_take(&people->pool, wider * bytes);
    if (piece == NULL)
        return false;
    if (old > 0) {
        memcpy(piece, person->rows, old * bytes);
        void **freed = &people->pool.unused[person->room - 1];
        memcpy(person->rows, freed, sizeof *freed);
        *freed = person->rows;
    }
    person->rows = piece;
    person->room++;
    return true;
}

bool people_rows_reserve(struct people *people, struct person *person)
{
    if (people->rows_inside > 0 ||
        person->n_kept < rows_in(people, person->room))
        return true;
    return rows_grow(people, person);
}

void people_free(struct people *people)
{
    for (size_t i = 0; i < people->n && people->n_families > 0; i++) {
        for (size_t f = 0; f < people->n_families; f++)
            free(person_cells(person_at(people, i))[f]);
    }
    for (size_t b = 0; b < people->n_blocks; b++)
        free(people->blocks[b]);
    free(people->blocks);
    while (people->pool.chunks != NULL) {
        struct pool_chunk *next = people->pool.chunks->next;
        free(people->pool.chunks);
        people->pool.chunks = next;
    }
    slots_free(&people->slots);
    free(people->families);
    free(people->totals);
    free(people->waiting);
    free(people->words);
    *people = (struct people){.layout = NULL};
}

/* ---- Finding people ---------------------------------------------------- */

static bool person_set_id(
    struct people *people, struct person *person, struct table_bytes id)
{
    if (id.n > UINT32_MAX)
        return false;
    person->n_id = (uint32_t)id.n;
    if (id.n <= PERSON_INLINE) {
        memcpy(person->id, id.bytes, id.n);
        return true;
    }
    char *copy = pool_take(&people->pool, id.n);
    if (copy == NULL)
        return false;
    memcpy(copy, id.bytes, id.n);
    memcpy(person->id, &copy, sizeof copy);
    return true;
}

/* Room for one more person. */
static bool people_reserve(struct people *people)
{
    if (people->n >= SLOTS_MAX_INDEX)
        return false;
    if (people->n < people->n_blocks * BLOCK)
        return true;
    if (people->n_blocks == people->capacity) {
        size_t wider = people->capacity == 0 ? 16 : 2 * people->capacity;
        char **more = realloc(people->blocks, wider * sizeof *more);
        if (more == NULL)
            return false;
        people->blocks = more;
        people->capacity = wider;
    }
    char *block = calloc(BLOCK, people->stride);
    if (block == NULL)
        return false;
    people->blocks[people->n_blocks++] = block;
    return true;
}

struct person *people_find(
    struct people *people, struct table_bytes id, uint32_t hash)
{
    struct slots *s = &people->slots;
    if (!slots_reserve(s))
        return NULL;
    for (size_t i = hash & s->mask; s->slots[i] != 0; i = (i + 1) & s->mask) {
        if (slots_hash(s->slots[i]) != hash)
            continue;
        struct person *person = person_at(people, slots_index(s->slots[i]));
        if (bytes_equal(person_id(person), id))
            return person;
    }
    if (!people_reserve(people))
        return NULL;
    struct person *person = person_at(people, people->n);
    if (!person_set_id(people, person, id))
        return NULL;
    slots_insert(s, hash, (uint32_t)people->n++);
    return person;
}
