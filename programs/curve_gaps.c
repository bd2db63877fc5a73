/*
 * The gaps of a curve: where its points are farthest apart in height, so that a
 * bend or a fall is seen where it is.
 */
#include "curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a value stands between the ends of the axis, 0 to 1. */
static double height_of(
    const struct curve_plot *plot, double v, double least, double most)
{
    if (plot->y_is_log && v > 0 && v < HUGE_VAL)
        v = log10(v);
    else if (plot->y_is_log)
        v = v > 0 ? HUGE_VAL : -HUGE_VAL;
    return (fmin(most, fmax(least, v)) - least) / (most - least);
}

/* The lowest and the highest point, in log10 on such an axis. */
static void ends_of(double *least, double *most, const struct curve_plot *plot,
    const struct curve *c)
{
    *least = plot->kind == CURVE_PROFILE && plot->y_is_log ? log10(plot->floor)
                                                           : HUGE_VAL;
    *most = plot->kind == CURVE_PROFILE ? 0 : -HUGE_VAL;
    for (size_t i = 0; i < c->n && plot->kind != CURVE_PROFILE; i++) {
        double v = c->high[i];
        if (!(v < HUGE_VAL) || (plot->y_is_log && v <= 0))
            continue;
        v = plot->y_is_log ? log10(v) : v;
        *least = fmin(*least, v);
        *most = fmax(*most, v);
    }
    if (plot->kind == CURVE_PROFILE && !plot->y_is_log) {
        *least = 0;
        *most = 1;
    }
    if (!(*least < *most))
        *most = *least + 1;
}

/* The pair of neighbours that are farthest apart in height; 0: near enough. */
static size_t widest_gap(const struct curve_plot *plot, const struct curve *c)
{
    double width =
        plot->x_is_log ? log(plot->to / plot->from) : plot->to - plot->from;
    double least = 0, most = 1, largest = 0.02;
    size_t found = 0;

    ends_of(&least, &most, plot, c);
    for (size_t i = 1; i < c->n; i++) {
        double gap =
            plot->x_is_log ? log(c->x[i] / c->x[i - 1]) : c->x[i] - c->x[i - 1];
        double fall = fabs(height_of(plot, c->high[i], least, most) -
                           height_of(plot, c->high[i - 1], least, most));
        if (c->source.is_whole && c->x[i] - c->x[i - 1] < 2)
            continue;
        if (fall > largest && gap > width / 2000) {
            largest = fall;
            found = i;
        }
    }
    return found;
}

static double middle_of(
    const struct curve_plot *plot, const struct curve *c, size_t i)
{
    double x = plot->x_is_log ? sqrt(c->x[i - 1] * c->x[i])
                              : (c->x[i - 1] + c->x[i]) / 2;

    return c->source.is_whole ? floor(x) : x;
}

/* A curve with room for n points more, and the points of another one. */
static bool copy_points(struct curve *out, const struct curve *c, size_t n)
{
    *out = *c;
    out->x = calloc(c->n + n, sizeof *out->x);
    out->low = calloc(c->n + n, sizeof *out->low);
    out->high = calloc(c->n + n, sizeof *out->high);
    if (out->x == NULL || out->low == NULL || out->high == NULL)
        return false;
    memcpy(out->x, c->x, c->n * sizeof *c->x);
    memcpy(out->low, c->low, c->n * sizeof *c->low);
    memcpy(out->high, c->high, c->n * sizeof *c->high);
    return true;
}

size_t curve_gaps(double *x, const struct curve_plot *plot,
    const struct curve *c, size_t n)
{
    struct curve rough = {0};
    size_t n_found = 0;

    bool is_copied = copy_points(&rough, c, n);
    for (; is_copied && n_found < n; n_found++) {
        size_t i = widest_gap(plot, &rough);
        if (i == 0)
            break;
        double a = rough.high[i - 1], b = rough.high[i];
        bool is_log = plot->y_is_log && a > 0 && b > 0;
        x[n_found] = middle_of(plot, &rough, i);
        curve_put(&rough, x[n_found],
            (dosi_interval){0, is_log ? sqrt(a * b) : (a + b) / 2});
    }
    free(rough.x);
    free(rough.low);
    free(rough.high);
    return n_found;
}
