/*
 * The engine of the reversed pair (Q, P).
 */
#include <stdlib.h>

#include "base/error.h"
#include "engine_impl.h"

/* Of one part; false where it has none here. Noise that is not sampled, and
 * fixed-size samples under replace, are their own reverse. */
static dosi_status reverse_part(bool *found, loss *out, atoms **owned,
    const loss *pair, dosi_error *err)
{
    *out = *pair;
    *found = true;
    if (pair->noise == LOSS_FINITE) {
        dosi_status status = atoms_reverse(owned, pair->finite, err);
        out->finite = *owned;
        out->kept = 0;
        return status;
    }
    switch (pair->map) {
    case LOSS_PLAIN:
    case LOSS_FIXED:
        break;
    case LOSS_REMOVE:
        out->map = LOSS_ADD;
        break;
    case LOSS_ADD:
        out->map = LOSS_REMOVE;
        break;
    case LOSS_SPLIT:
        out->removed = pair->added;
        out->added = pair->removed;
        *found = pair->draws == 0;
        break;
    case LOSS_DRAWN:
        *found = false;
        break;
    }
    return DOSI_OK;
}

static dosi_status reverse(spectral *s, loss *laws, dosi_error *err)
{
    for (size_t i = 0; i < s->parts.n; i++) {
        bool found;
        dosi_status status = reverse_part(
            &found, &laws[i], &s->reversed_laws[i].own, s->parts.items[i].law,
            err);
        if (status != DOSI_OK || !found)
            return status;
    }
    return spectral_new(&s->reversed, laws, s->parts.n, s->limits, err);
}

dosi_status spectral_reversed(spectral **out, spectral *s, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    if (s->reversed_laws == NULL) {
        loss *laws = calloc(s->parts.n, sizeof *laws);
        s->reversed_laws = calloc(s->parts.n, sizeof *s->reversed_laws);
        if (laws == NULL || s->reversed_laws == NULL)
            status = dosi_fail_memory(err);
        else
            status = reverse(s, laws, err);
        free(laws);
    }
    *out = s->reversed;
    return status;
}

void spectral_free_reversed(spectral *s)
{
    spectral_free(s->reversed);
    for (size_t i = 0; s->reversed_laws != NULL && i < s->parts.n; i++)
        atoms_free(s->reversed_laws[i].own);
    free(s->reversed_laws);
}
