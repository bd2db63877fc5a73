/*
 * The engine of the reversed pair (Q, P).
 */
#include <stdlib.h>

#include "base/error.h"
#include "engine_impl.h"

/* Reverses one part; false if it has no reverse here. Noise that is not
 * sampled, and fixed-size samples under replace, are their own reverse. */
static dosi_status reverse_part(bool *found, loss_law *out, finite_law **owned,
    const loss_law *pair, dosi_error *err)
{
    *out = *pair;
    *found = true;
    if (pair->noise == LOSS_FINITE) {
        dosi_status status = finite_reverse(owned, pair->finite, err);
        out->finite = *owned;
        out->kept = 0;
        return status;
    }
    switch (pair->map) {
    case LOSS_PLAIN:
    case LOSS_WITHOUT_REPLACEMENT:
        break;
    case LOSS_MIXTURE_FIRST:
        out->map = LOSS_BASE_FIRST;
        break;
    case LOSS_BASE_FIRST:
        out->map = LOSS_MIXTURE_FIRST;
        break;
    case LOSS_GROUP:
        out->removed = pair->added;
        out->added = pair->removed;
        *found = pair->draws == 0;
        break;
    case LOSS_WITH_REPLACEMENT:
        *found = false;
        break;
    }
    return DOSI_OK;
}

static dosi_status reverse(contour_engine *s, loss_law *laws, dosi_error *err)
{
    for (size_t i = 0; i < s->parts.n; i++) {
        bool found;
        dosi_status status = reverse_part(&found, &laws[i],
            &s->reversed_laws[i].own, s->parts.items[i].law, err);
        if (status != DOSI_OK || !found)
            return status;
    }
    return engine_new(&s->reversed, laws, s->parts.n, s->limits, err);
}

dosi_status contour_reversed(
    contour_engine **out, contour_engine *s, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    if (s->reversed_laws == NULL) {
        loss_law *laws = calloc(s->parts.n, sizeof *laws);
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

void contour_free_reversed(contour_engine *s)
{
    engine_free(s->reversed);
    for (size_t i = 0; s->reversed_laws != NULL && i < s->parts.n; i++)
        finite_free(s->reversed_laws[i].own);
    free(s->reversed_laws);
}
