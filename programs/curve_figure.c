/*
 * Curves as a figure: the safe ends as lines, the intervals as bands, what
 * was asked for as dots.
 */
#include "curves.h"

#include <math.h>
#include <string.h>

#define NOTE_BYTES 192
#define REFERENCE_POINTS 64

struct reference {
    double x[REFERENCE_POINTS], y[REFERENCE_POINTS];
};

struct notes {
    char subtitle[NOTE_BYTES];
    char x_label[NOTE_BYTES];
    char marks[SVG_STYLES][NOTE_BYTES];
    char legend[SVG_STYLES][1024];
};

static bool is_mixed(const struct curve_plot *plot)
{
    for (size_t i = 1; i < plot->n_curves; i++)
        if (plot->curves[i].neighbours != plot->curves[0].neighbours)
            return true;
    return false;
}

/* Whether the curve is of tests between neighbours. */
static bool is_test(const struct curve_plot *plot)
{
    return plot->kind == CURVE_TRADEOFF || plot->kind == CURVE_ROC;
}

static const char *relation(const struct curve *c)
{
    return c->neighbours == DOSI_REPLACE ? "one record replaced"
                                         : "one record added or removed";
}

/* On a page the relation is said once, above. */
static void write_subtitle(
    struct notes *out, const struct curve_plot *plot, bool is_inline)
{
    const struct curve_kind_info *info = &curve_kinds[plot->kind];
    char delta[DOSI_NUMBER_BYTES], given[DOSI_NUMBER_BYTES + 16] = "";

    dosi_print_exact(delta, plot->delta);
    if (info->needs_delta)
        snprintf(given, sizeof given, "δ = %s; ", delta);
    snprintf(out->subtitle, sizeof out->subtitle, "%s%s bounds, certified%s%s",
        given, info->safe_is_lower ? "lower" : "upper",
        plot->n_overlays > 0 ? "; others as their makers give them" : "",
        is_test(plot) ? "; dotted: nothing is learnt" : "");
    size_t used = strlen(out->subtitle);
    if (!is_mixed(plot) && !is_inline && plot->n_overlays == 0)
        snprintf(out->subtitle + used, sizeof out->subtitle - used,
            "; neighbours: %s", relation(&plot->curves[0]));
}

/* With one curve the dot has words; with more they would collide. */
static void write_mark(char *out, size_t size, const struct curve_plot *plot,
    const struct curve *c)
{
    char x[DOSI_NUMBER_BYTES], y[DOSI_NUMBER_BYTES];
    char delta[DOSI_NUMBER_BYTES];

    out[0] = '\0';
    if (plot->n_curves > 1)
        return;
    dosi_print_exact(delta, plot->delta);
    if (plot->kind == CURVE_RENYI) {
        snprintf(out, size, "order %.4g, best at δ = %s", c->mark_x, delta);
        return;
    }
    dosi_print_upper(y, plot->kind == CURVE_PROFILE ? c->mark_x : c->mark_y, 4);
    dosi_print_exact(x, c->mark_x);
    if (plot->kind == CURVE_PROFILE)
        snprintf(out, size, "ε ≤ %s at δ = %s", y, delta);
    else
        snprintf(out, size, "ε ≤ %s at %s%s%s", y,
            plot->kind == CURVE_NOISE ? curves_x_name(plot) : "",
            plot->kind == CURVE_NOISE ? " " : "", x);
}

/* The line behind the curves: nothing learnt, or the delta asked for. */
static size_t write_reference(
    struct reference *out, const struct curve_plot *plot)
{
    bool is_profile = plot->kind == CURVE_PROFILE && plot->delta > 0;

    if (!is_profile && !is_test(plot))
        return 0;
    for (int i = 0; i < REFERENCE_POINTS; i++) {
        double t = i / (double)(REFERENCE_POINTS - 1);
        out->x[i] = plot->x_is_log ? plot->from * pow(plot->to / plot->from, t)
                                   : plot->from + t * (plot->to - plot->from);
        out->y[i] = is_profile                ? plot->delta
                    : plot->kind == CURVE_ROC ? out->x[i]
                                              : 1 - out->x[i];
    }
    return 1;
}

/* The highest point that is drawn. */
static double highest(const struct curve_plot *plot)
{
    double most = 0;

    for (size_t i = 0; i < plot->n_curves; i++)
        for (size_t j = 0; j < plot->curves[i].n; j++)
            if (plot->curves[i].high[j] < HUGE_VAL)
                most = fmax(most, plot->curves[i].high[j]);
    return most;
}

static void set_ranges(svg_figure *figure, const struct curve_plot *plot)
{
    figure->x_range = (svg_range){plot->from, plot->to};
    if (plot->kind == CURVE_PROFILE && plot->y_is_log)
        figure->y_range = (svg_range){plot->floor, 1};
    else if (is_test(plot) && plot->y_is_log)
        figure->y_range = (svg_range){fmin(plot->from, 0.5), 1};
    else if (is_test(plot) && plot->to == 1)
        figure->y_range = (svg_range){0, 1};
    else if (plot->kind == CURVE_STEPS && !plot->y_is_log)
        figure->y_range = (svg_range){0, 1.12 * highest(plot)};
}

static void set_lines(svg_line *lines, svg_mark *marks, size_t *n_marks,
    svg_figure *figure, struct notes *notes, const struct curve_plot *plot)
{
    bool lower = curve_kinds[plot->kind].safe_is_lower;

    for (size_t i = 0; i < plot->n_curves; i++) {
        const struct curve *c = &plot->curves[i];
        lines[i] = (svg_line){.style = (int)i,
            .x = c->x,
            .y = lower ? c->low : c->high,
            .n = c->n,
            .low = c->source.route == NULL ? c->low : NULL,
            .high = c->high};
        snprintf(notes->legend[i], sizeof notes->legend[i], "%s%s%s",
            c->source.label, is_mixed(plot) ? "; " : "",
            is_mixed(plot) ? relation(c) : "");
        if (figure->id == NULL || plot->n_curves > 1) /* else the page says */
            figure->legend[i] = notes->legend[i];
        if (isnan(c->mark_x))
            continue;
        write_mark(notes->marks[i], NOTE_BYTES, plot, c);
        marks[(*n_marks)++] = (svg_mark){c->mark_x, c->mark_y, notes->marks[i],
            (int)i, plot->kind == CURVE_STEPS || plot->kind == CURVE_RENYI};
    }
}

bool curves_write_svg(FILE *out, const struct curve_plot *plot, const char *id)
{
    const struct curve_kind_info *info = &curve_kinds[plot->kind];
    struct reference reference;
    svg_line lines[SVG_STYLES + 1];
    svg_mark marks[SVG_STYLES];
    struct notes notes = {0};
    size_t n_marks = 0;

    svg_panel panel = {.title = "", .lines = lines, .marks = marks};
    svg_figure figure = {
        .title = plot->title != NULL ? plot->title : info->title,
        .subtitle = notes.subtitle,
        .id = id,
        .x = {info->x_label, plot->x_is_log},
        .y = {info->y_label, plot->y_is_log},
        .panels = &panel,
        .n_panels = 1,
        .n_columns = 1};
    write_subtitle(&notes, plot, id != NULL);
    set_ranges(&figure, plot);
    set_lines(lines, marks, &n_marks, &figure, &notes, plot);
    lines[plot->n_curves] = (svg_line){.style = SVG_REFERENCE,
        .x = reference.x,
        .y = reference.y,
        .n = REFERENCE_POINTS};
    panel.n_lines = plot->n_curves + write_reference(&reference, plot);
    panel.n_marks = n_marks;
    if (info->x_name == NULL) {
        snprintf(notes.x_label, sizeof notes.x_label, "%s",
            plot->curves[0].source.is_factor ? "noise, relative"
                                             : curves_x_name(plot));
        figure.x.label = notes.x_label;
    }
    return svg_write(out, &figure);
}
