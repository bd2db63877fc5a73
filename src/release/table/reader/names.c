/* Texts of a table, each kept once. */
#include "names.h"

#include <sodium.h>
#include <stdlib.h>

#include "bytes.h"

uint64_t hash_bytes(struct table_bytes text, const struct hash_key *key)
{
    unsigned char out[crypto_shorthash_BYTES];
    uint64_t hash;
    const void *bytes = text.n > 0 ? text.bytes : "";
    (void)crypto_shorthash(out, bytes, text.n, key->bytes);
    memcpy(&hash, out, sizeof hash);
    return hash;
}

struct table_bytes names_text(const struct names *names, uint32_t id)
{
    const struct name *name = names->names[id];
    return (struct table_bytes){name->bytes, name->n};
}

/* The position of a text among the slots, or of the free slot that ended the
 * search. requires  slots */
static size_t names_find(
    const struct names *names, struct table_bytes text, uint32_t hash)
{
    const struct slots *s = &names->slots;
    size_t i = hash & s->mask;
    for (; s->slots[i] != 0; i = (i + 1) & s->mask) {
        if (slots_hash(s->slots[i]) == hash &&
            bytes_equal(names_text(names, slots_index(s->slots[i])), text))
            break;
    }
    return i;
}

/* A number that is free. */
static bool number_take(uint32_t *out, struct names *names)
{
    if (names->n_unused > 0) {
        *out = names->unused[--names->n_unused];
        return true;
    }
    if (names->n == names->capacity) {
        size_t wider = names->capacity == 0 ? 64 : 2 * names->capacity;
        struct name **more = realloc(names->names, wider * sizeof(void *));
        if (more == NULL)
            return false;
        names->names = more;
        uint32_t *unused = realloc(names->unused, wider * sizeof *unused);
        if (unused == NULL)
            return false;
        names->unused = unused;
        names->capacity = wider;
    }
    if (names->n == 0)
        names->names[names->n++] = NULL; /* NAMES_MISSING */
    if (names->n > SLOTS_MAX_INDEX)
        return false;
    *out = (uint32_t)names->n++;
    names->names[*out] = NULL;
    return true;
}

bool names_hold(uint32_t *out, struct names *names, struct table_bytes text)
{
    *out = NAMES_MISSING;
    if (text.n == 0)
        return true;
    if (!slots_reserve(&names->slots))
        return false;
    uint32_t hash = (uint32_t)hash_bytes(text, names->key), id;
    uint64_t slot = names->slots.slots[names_find(names, text, hash)];
    if (slot != 0) {
        *out = slots_index(slot);
        names->names[*out]->n_holds++;
        return true;
    }
    struct name *name = NULL;
    if (text.n <= UINT32_MAX)
        name = malloc(sizeof *name + text.n);
    if (name == NULL || !number_take(&id, names)) {
        free(name);
        return false;
    }
    name->n = (uint32_t)text.n;
    name->hash = hash;
    name->n_holds = 1;
    memcpy(name->bytes, text.bytes, text.n);
    names->names[id] = name;
    slots_insert(&names->slots, hash, id);
    *out = id;
    return true;
}

void names_keep(struct names *names, uint32_t id)
{
    if (id != NAMES_MISSING)
        names->names[id]->n_holds++;
}

void names_drop(struct names *names, uint32_t id)
{
    if (id == NAMES_MISSING || --names->names[id]->n_holds > 0)
        return;
    struct name *name = names->names[id];
    slots_remove(
        &names->slots, names_find(names, names_text(names, id), name->hash));
    names->names[id] = NULL;
    names->unused[names->n_unused++] = id;
    free(name);
}

int names_compare(const struct names *names, uint32_t a, uint32_t b)
{
    if (a == b)
        return 0;
    if (a == NAMES_MISSING || b == NAMES_MISSING)
        return a == NAMES_MISSING ? 1 : -1;
    return bytes_compare(names_text(names, a), names_text(names, b));
}

void names_free(struct names *names)
{
    for (size_t i = 1; i < names->n; i++)
        free(names->names[i]);
    free(names->names);
    free(names->unused);
    slots_free(&names->slots);
    names->names = NULL;
    names->unused = NULL;
    names->n = names->n_unused = names->capacity = 0;
}

bool categories_new(struct categories *out, const struct table_rule *rule,
    const struct hash_key *key)
{
    *out = (struct categories){.key = key, .rule = rule};
    if (rule->n_cells > SLOTS_MAX_INDEX)
        return false;
    for (size_t i = 0; i < rule->n_cells; i++) {
        if (!slots_reserve(&out->slots))
            return false;
        slots_insert(&out->slots, (uint32_t)hash_bytes(rule->names[i], key),
            (uint32_t)i);
    }
    return true;
}

int64_t categories_find(const struct categories *c, struct table_bytes text)
{
    const struct slots *s = &c->slots;
    if (s->slots == NULL || text.n == 0)
        return -1;
    uint32_t hash = (uint32_t)hash_bytes(text, c->key);
    for (size_t i = hash & s->mask; s->slots[i] != 0; i = (i + 1) & s->mask) {
        uint32_t index = slots_index(s->slots[i]);
        if (slots_hash(s->slots[i]) == hash &&
            bytes_equal(c->rule->names[index], text))
            return index;
    }
    return -1;
}
