#include "lattice_store.h"

#include <stdlib.h>

void lattice_store_free(lattice_store *s)
{
    for (size_t i = 0; i < s->n; i++)
        atoms_free(s->items[i].law);
    free(s->items);
    *s = (lattice_store){0};
}

const atoms *lattice_store_find(const lattice_store *s, const lattice_key *key)
{
    for (size_t i = 0; s != NULL && i < s->n; i++) {
        const lattice_key *k = &s->items[i].key;
        if (k->sigma == key->sigma && k->shift == key->shift &&
            k->reach == key->reach && k->side == key->side)
            return s->items[i].law;
    }
    return NULL;
}

/* Makes room for one more law. */
static bool grow(lattice_store *s)
{
    if (s->n < s->room)
        return true;
    size_t room = s->room > 0 ? 2 * s->room : 16;
    lattice_entry *items = realloc(s->items, room * sizeof *items);
    if (items == NULL)
        return false;
    s->items = items;
    s->room = room;
    return true;
}

const atoms *lattice_store_keep(
    const lattice_key *key, atoms *made, const lower_context *c)
{
    lattice_store *s = c->lattices;
    if (made == NULL || s == NULL || !grow(s))
        return law_own(c->pool, made);
    s->items[s->n++] = (lattice_entry){*key, made};
    s->n_atoms += atoms_count(made);
    return made;
}
