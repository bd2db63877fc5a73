#include "list_law.h"

#include <stdlib.h>

#include "num/round.h"

dosi_status list_law_new(list_law *out, size_t n, dosi_error *err)
{
    *out = (list_law){0};
    out->loss = malloc((n + 1) * sizeof *out->loss);
    out->mass = malloc((n + 1) * sizeof *out->mass);
    if (out->loss != NULL && out->mass != NULL)
        return DOSI_OK;
    list_law_free(out);
    return dosi_fail_memory(err);
}

void list_law_free(list_law *x)
{
    free(x->loss);
    free(x->mass);
    *x = (list_law){0};
}

void list_put(list_law *x, double loss, double mass, list_side side)
{
    bool up = side == LIST_ABOVE;
    if (!(mass > LIST_TINY)) {
        if (up && !(mass <= 0)) /* also a NaN, which nothing else lets by */
            x->at_infinity =
                round_up(x->at_infinity + (mass > 0 ? mass : HUGE_VAL));
        return;
    }
    if (x->n > 0 && loss <= x->loss[x->n - 1]) {
        double sum = x->mass[x->n - 1] + mass;
        x->mass[x->n - 1] = up ? round_up(sum) : round_down(sum);
        return;
    }
    x->loss[x->n] = loss;
    x->mass[x->n++] = mass;
}
