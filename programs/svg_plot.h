/*
 * Line plots as SVG: panels in a grid, linear or logarithmic axes, bands
 * between two curves, marked points, one legend below. The same input gives
 * the same bytes. Colours follow the reader's light or dark scheme, paper is
 * light, and dashes tell the lines apart in print.
 */
#ifndef SVG_PLOT_H
#define SVG_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Ways to draw a line: 0 .. SVG_STYLES - 1, and one that stays behind. */
#define SVG_STYLES 6
#define SVG_REFERENCE SVG_STYLES

typedef struct svg_line {
    int style;
    const double *x;
    const double *y; /* infinite: the line is interrupted */
    size_t n;
    const double *low, *high; /* ends of a band around the line, or NULL */
} svg_line;

typedef struct svg_axis {
    const char *label;
    bool is_log;
} svg_axis;

/* The ends of an axis; both 0: what the points need. */
typedef struct svg_range {
    double min, max;
} svg_range;

/* A dot with a few words. */
typedef struct svg_mark {
    double x, y;
    const char *label;
    int style;
    bool is_rising; /* the line through it, which the words keep clear of */
} svg_mark;

typedef struct svg_panel {
    const char *title; /* "": none */
    const svg_line *lines;
    size_t n_lines;
    const svg_mark *marks;
    size_t n_marks;
} svg_panel;

/* Texts are UTF-8 without control characters; they are escaped here. */
typedef struct svg_figure {
    const char *title;
    const char *subtitle; /* NULL: none */
    const char *id; /* tells figures in one HTML page apart; NULL: a file */
    svg_axis x, y;
    svg_range x_range, y_range;
    const char *legend[SVG_STYLES]; /* by style; NULL is not shown */
    const svg_panel *panels;
    size_t n_panels;
    size_t n_columns;
} svg_figure;

/* Whether all of it was written. A figure with an id has no style of its
 * own: svg_write_style writes the rules for all of them, once. */
bool svg_write(FILE *out, const svg_figure *figure);
void svg_write_style(FILE *out);

/* The text with < > & " escaped, for XML and HTML. */
void svg_write_text(FILE *out, const char *text);

#endif
