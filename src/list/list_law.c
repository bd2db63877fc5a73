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

void list_put(list_law *x, double loss, double mass, list_side side)
{
    bool up = side == LIST_ABOVE;
    if (!(mass >= LIST_MIN_MASS)) {
        if (up) /* +inf in place of a NaN */
            x->at_infinity = list_sum_up(x->at_infinity, mass);
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

void list_take_out(list_law *x, int scale)
{
    for (size_t i = 0; i < x->n; i++)
        x->mass[i] = ldexp(x->mass[i], scale);
    x->at_infinity = ldexp(x->at_infinity, scale);
    x->scale = scale;
}

static double total(const list_law *x)
{
    double sum = 0;
    for (size_t i = 0; i < x->n; i++)
        sum += x->mass[i];
    return sum;
}

double list_infinity(const list_law *a, const list_law *b)
{
    double all = total(b) + b->at_infinity;
    return list_product(a->at_infinity, all, a->scale) +
           list_product(total(a), b->at_infinity, a->scale);
}

double list_end(double sum, double error, list_side side)
{
    if (side == LIST_ABOVE)
        return round_up(round_up(sum * (1 + error)) + LIST_UNDERFLOW);
    return fmax(round_down(round_down(sum * (1 - error)) - LIST_UNDERFLOW), 0);
}
