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
#define MAX_FIGURE 19

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
 * of figures that have panels, or all for 0. False, with a message on
 * stderr, where a row has no value or there is no such panel.
 */
bool make_figure(struct picture *picture, int number, char panel);

/* Figures 11 to 13, likewise (figure_profiles.c). */
bool make_profiles(struct picture *picture, int number, char panel);

/* Figures 14 to 19, likewise (figure_tradeoffs.c). */
bool make_tradeoffs(struct picture *picture, int number, char panel);

/* ---- For the makers ----------------------------------------------------- */

/* The safe end of a row's value; false, with a message, if there is none. */
__attribute__((format(printf, 4, 5))) bool evaluate(
    double *out, bool is_lower, const char *row, const char *format, ...);

/* Adds a panel, and a line of the style's kind to the last panel. */
void new_panel(
    struct picture *picture, int number, char letter, const char *title);
struct curve *new_curve(struct picture *picture, int style);

#endif
