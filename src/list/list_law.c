/*
 * Memory and sums of lists of outcomes.
 */
#include "list_law.h"

#include <stdlib.h>

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

/* The sum, rounded to the side. */
static list_mass sum_of(list_mass a, list_mass b, bool up)
{
    list_mass sum = list_mass_add(a, b);
    return up ? list_mass_up(sum) : list_mass_down(sum);
}

void list_put(list_law *x, double loss, list_mass mass, list_side side)
{
    bool up = side == LIST_ABOVE;
    if (!(mass.m > 0) || mass.scale > LIST_MAX_SCALE) {
        if (up && isnan(mass.m)) /* which nothing else lets by */
            mass = list_mass_of(HUGE_VAL);
        if (up && mass.m > 0)
            x->at_infinity = sum_of(x->at_infinity, mass, up);
        return;
    }
    if (x->n > 0 && loss <= x->loss[x->n - 1]) {
        x->mass[x->n - 1] = sum_of(x->mass[x->n - 1], mass, up);
        return;
    }
    x->loss[x->n] = loss;
    x->mass[x->n++] = mass;
}

list_mass list_total(const list_law *x)
{
    list_mass sum = list_mass_of(0);
    for (size_t i = 0; i < x->n; i++)
        sum = list_mass_add(sum, x->mass[i]);
    return sum;
}

list_mass list_end(list_mass sum, double error, list_side side)
{
    if (side == LIST_ABOVE)
        return list_mass_up(list_mass_in(sum.m * (1 + error), sum.scale));
    double least = sum.m * (1 - error);
    return list_mass_down(list_mass_in(fmax(least, 0), sum.scale));
}
