/*
 * The curves of the figures, evaluated row by row through the formulary.
 */
#ifndef FIGURE_CURVES_H
#define FIGURE_CURVES_H

#include <stdbool.h>
#include <stddef.h>

#include "svg_plot.h"

#define MAX_POINTS 256
#define MAX_PANELS 6
#define MAX_FIGURE 10

/* What the lines of a figure are called: in the CSV and in the legend. A
 * line is drawn in the style of its place here. */
struct kind {
    const char *name;
    const char *legend;
    bool is_lower;
};

struct curve {
    const struct kind *kind;
    int style;
    size_t n;
    double x[MAX_POINTS], y[MAX_POINTS];
};

struct panel {
    char name[16]; /* "4a" */
    char title[64];
    struct curve curves[SVG_STYLES];
    size_t n_curves;
};

struct picture {
    char name[16];
    const char *title;
    svg_axis x, y;
    const struct kind *kinds;
    size_t n_kinds;
    struct panel panels[MAX_PANELS];
    size_t n_panels;
};

/*
 * Fills a zeroed picture with figure 1 .. MAX_FIGURE; panel 'a' .. 'f' alone
 * of figures 3 and up, or all for 0. False, with a message on stderr, where
 * a row has no value.
 */
bool make_figure(struct picture *picture, int number, char panel);

#endif
