/*
 * What points of a curve say of each other where epsilon is monotone along it:
 * every upper end holds for what loses less, every lower end for what loses
 * more.
 */
#include "curves.h"

#include <math.h>
#include <string.h>

size_t curve_place_of(const struct curve *c, double x)
{
    size_t i = c->n;

    while (i > 0 && c->x[i - 1] > x)
        i--;
    return i;
}

void curve_put(struct curve *c, double x, dosi_interval ends)
{
    size_t i = curve_place_of(c, x), n_behind = (c->n - i) * sizeof(double);

    memmove(c->x + i + 1, c->x + i, n_behind);
    memmove(c->low + i + 1, c->low + i, n_behind);
    memmove(c->high + i + 1, c->high + i, n_behind);
    c->x[i] = x;
    c->low[i] = ends.lo;
    c->high[i] = ends.hi;
    c->n++;
}

dosi_interval curve_monotone_ends(const struct curve *c, double x)
{
    size_t i = curve_place_of(c, x);
    bool rises = c->source.direction > 0;
    bool has_less = rises ? i > 0 : i < c->n;
    bool has_more = rises ? i < c->n : i > 0;
    dosi_interval ends = {0, HUGE_VAL};

    if (c->source.direction != 0 && has_less)
        ends.lo = c->low[rises ? i - 1 : i];
    if (c->source.direction != 0 && has_more)
        ends.hi = c->high[rises ? i : i - 1];
    return ends;
}

bool curve_tighten(struct curve *c)
{
    bool rises = c->source.direction > 0, agree = true;

    if (c->source.direction == 0)
        return true;
    for (size_t k = 1; k < c->n; k++) { /* towards more loss, and less */
        size_t up = rises ? k : c->n - 1 - k, down = c->n - 1 - up;
        size_t less = rises ? up - 1 : up + 1;
        size_t more = rises ? down + 1 : down - 1;
        c->low[up] = fmax(c->low[up], c->low[less]);
        c->high[down] = fmin(c->high[down], c->high[more]);
    }
    for (size_t i = 0; i < c->n; i++)
        agree = agree && c->low[i] <= c->high[i];
    return agree;
}
