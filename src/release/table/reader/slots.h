/*
 * Open addressing by linear probing, shared by the tables of names and of
 * people: a slot holds 32 bits of a keyed hash and an index, the table of the
 * caller holds the rest. Slots that are 0 are free.
 */
#ifndef DOSI_RELEASE_TABLE_READER_SLOTS_H
#define DOSI_RELEASE_TABLE_READER_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOTS_MAX_INDEX 0xfffffffeU

struct slots {
    uint64_t *slots; /* hash << 32 | index + 1 */
    size_t n, mask;  /* mask + 1 slots, a power of two; none if slots is NULL */
};

static inline uint64_t slots_entry(uint32_t hash, uint32_t index)
{
    return (uint64_t)hash << 32 | (index + 1U);
}

static inline uint32_t slots_hash(uint64_t entry)
{
    return (uint32_t)(entry >> 32);
}

static inline uint32_t slots_index(uint64_t entry)
{
    return (uint32_t)entry - 1U;
}

/* Room for one more entry; false without memory. */
bool slots_reserve(struct slots *s);

/* Puts an entry into the first free slot after its place. requires a call
 * of slots_reserve before */
void slots_insert(struct slots *s, uint32_t hash, uint32_t index);

/* Frees the slot at a position and moves later entries forward, so that no
 * search ends too early. */
void slots_remove(struct slots *s, size_t position);

void slots_free(struct slots *s);

#endif
