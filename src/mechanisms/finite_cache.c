/*
 * The store is a list that is searched from the front: a plan has few laws
 * that take long to make.
 */
#include "finite_cache.h"

#include <stdlib.h>

void finite_store_free(finite_store *s)
{
    for (size_t i = 0; i < s->n; i++)
        finite_free(s->items[i].law);
    free(s->items);
    *s = (finite_store){0};
}

static bool is_same(const finite_key *a, const finite_key *b)
{
    bool same = a->maker == b->maker;
    for (size_t i = 0; i < FINITE_KEY && same; i++)
        same = a->numbers[i] == b->numbers[i];
    return same;
}

const finite_law *finite_store_find(
    const finite_store *s, const finite_key *key)
{
    for (size_t i = 0; s != NULL && i < s->n; i++)
        if (is_same(&s->items[i].key, key))
            return s->items[i].law;
    return NULL;
}

/* Makes room for one more law. */
static bool grow(finite_store *s)
{
    if (s->n < s->room)
        return true;
    size_t room = s->room > 0 ? 2 * s->room : 16;
    finite_entry *items = realloc(s->items, room * sizeof *items);
    if (items == NULL)
        return false;
    s->items = items;
    s->room = room;
    return true;
}

const finite_law *finite_store_keep(
    const finite_key *key, finite_law *made, const mechanism_context *c)
{
    finite_store *s = c->finite_laws;
    if (made == NULL || s == NULL)
        return profile_own(c->pool, made);
    if (!grow(s)) {
        c->pool->no_memory = true;
        finite_free(made);
        return NULL;
    }
    s->items[s->n++] = (finite_entry){*key, made};
    s->n_atoms += finite_count(made);
    return made;
}
