/*
 * Line plots as SVG: panels in a grid, linear or logarithmic axes, one
 * legend below. The same input gives the same bytes. Colours follow the
 * reader's light or dark scheme, and dashes tell the lines apart in print.
 */
#ifndef SVG_PLOT_H
#define SVG_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Ways to draw a line: 0 .. SVG_STYLES - 1. */
#define SVG_STYLES 6

typedef struct svg_line {
    int style;
    const double *x;
    const double *y; /* a point an axis cannot show interrupts the line */
    size_t n;
} svg_line;

typedef struct svg_axis {
    const char *label;
    bool is_log;
} svg_axis;

typedef struct svg_panel {
    const char *title;
    const svg_line *lines;
    size_t n_lines;
} svg_panel;

/* Texts are plain: without the characters < > & ". */
typedef struct svg_figure {
    const char *title;
    svg_axis x, y;
    const char *legend[SVG_STYLES]; /* by style; NULL is not shown */
    const svg_panel *panels;
    size_t n_panels;
    size_t n_columns;
} svg_figure;

/* Whether all of it was written. */
bool svg_write(FILE *out, const svg_figure *figure);

#endif
