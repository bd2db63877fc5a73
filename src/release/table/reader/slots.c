/* Open addressing by linear probing. */
#include "slots.h"

#include <stdlib.h>

bool slots_reserve(struct slots *s)
{
    size_t capacity = s->slots == NULL ? 0 : s->mask + 1;
    if (4 * (s->n + 1) <= 3 * capacity)
        return true;
    size_t wider = capacity == 0 ? 16 : 2 * capacity;
    uint64_t *slots = calloc(wider, sizeof *slots);
    if (slots == NULL)
        return false;
    struct slots grown = {slots, 0, wider - 1};
    for (size_t i = 0; i < capacity; i++) {
        if (s->slots[i] != 0)
            slots_insert(
                &grown, slots_hash(s->slots[i]), slots_index(s->slots[i]));
    }
    free(s->slots);
    *s = grown;
    return true;
}

void slots_insert(struct slots *s, uint32_t hash, uint32_t index)
{
    size_t i = hash & s->mask;
    while (s->slots[i] != 0)
        i = (i + 1) & s->mask;
    s->slots[i] = slots_entry(hash, index);
    s->n++;
}

void slots_remove(struct slots *s, size_t position)
{
    size_t hole = position;
    for (size_t i = (hole + 1) & s->mask; s->slots[i] != 0;
         i = (i + 1) & s->mask) {
        size_t home = slots_hash(s->slots[i]) & s->mask;
        /* an entry may move if its home is not between hole and i */
        if (((i - home) & s->mask) >= ((i - hole) & s->mask)) {
            s->slots[hole] = s->slots[i];
            hole = i;
        }
    }
    s->slots[hole] = 0;
    s->n--;
}

void slots_free(struct slots *s)
{
    free(s->slots);
    *s = (struct slots){NULL, 0, 0};
}
