/*
 * The axes of a plot: from values to pixels, ends that hold what is to be
 * seen, and ticks at round numbers.
 */
#ifndef SVG_AXES_H
#define SVG_AXES_H

#include "svg_plot.h"

typedef struct svg_scale {
    bool is_log;
    double min, max;    /* of the axis, in log10 if is_log */
    double first, last; /* its ends in pixels */
} svg_scale;

/* Whether a value has a place on the axis, which may be beyond its ends. */
bool svg_is_shown(const svg_scale *s, double v);

double svg_pixel(const svg_scale *s, double v);

/* The ends that show a panel's points, or those of the range; y when is_y. */
svg_scale svg_scale_fit(
    const svg_figure *figure, const svg_panel *panel, bool is_y);

/* Grid, ticks, frame and labels. */
void svg_draw_axes(FILE *out, const svg_figure *figure, const svg_scale *x,
    const svg_scale *y);

#endif
