/*
 * Layout: a title, panels of fixed size in rows, a legend. Coordinates are
 * printed to a tenth of a pixel.
 */
#include "svg_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD = 40, /* the figure's title */
    LEFT = 62, /* of a panel's frame: ticks and label */
    RIGHT = 18,
    TOP = 28, /* the panel's title */
    BOTTOM = 46,
    LEGEND = 22, /* one row of it */
};

typedef struct scale {
    bool is_log;
    double min, max;    /* of the axis, in log10 if is_log */
    double first, last; /* its ends in pixels */
} scale;

static const char style_sheet[] =
    "text{font-family:system-ui,sans-serif;font-size:12px;fill:#222}\n"
    ".t{font-size:15px;font-weight:600}\n"
    ".p{font-weight:600}\n"
    ".k{font-size:10.5px;fill:#444}\n"
    ".u{font-size:8px}\n"
    ".b{fill:#fff}\n"
    ".f{fill:none;stroke:#555}\n"
    ".g{fill:none;stroke:#e3e3e3}\n"
    ".s{fill:none;stroke-width:1.8;stroke-linejoin:round}\n"
    ".s0{stroke:#0b5fa5}\n"
    ".s1{stroke:#c2410c;stroke-dasharray:7 3}\n"
    ".s2{stroke:#737373;stroke-dasharray:2 3}\n"
    ".s3{stroke:#15803d;stroke-dasharray:9 3 2 3}\n"
    ".s4{stroke:#7e22ce;stroke-dasharray:4 2}\n"
    ".s5{stroke:#a16207;stroke-dasharray:1 2}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#e6e6e6}\n"
    ".k{fill:#bbb}\n"
    ".b{fill:#15181d}\n"
    ".f{stroke:#999}\n"
    ".g{stroke:#30353d}\n"
    ".s0{stroke:#6cb6ff}\n"
    ".s1{stroke:#ff9b6a}\n"
    ".s2{stroke:#a3a3a3}\n"
    ".s3{stroke:#5fd68b}\n"
    ".s4{stroke:#cf9bff}\n"
    ".s5{stroke:#e5c04b}\n"
    "}\n";

/* ---- Scales ------------------------------------------------------------- */

static bool is_shown(const scale *s, double v)
{
    return isfinite(v) && (!s->is_log || v > 0);
}

static double pixel(const scale *s, double v)
{
    double at = s->is_log ? log10(v) : v;
    return s->first + (at - s->min) / (s->max - s->min) * (s->last - s->first);
}

/* 1, 2 or 5 times a power of ten: about five steps over the span. */
static double nice_step(double span)
{
    double power = pow(10, floor(log10(span / 5)));
    double ratio = span / 5 / power;
    return power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
}

/* How far beyond an end a point may lie, in steps: less than the line's
 * width. */
static const double slack = 0.01;

/* The next log10 of 1, 2 or 5 times a power of ten, up or down. */
static double round_end(double v, bool is_up)
{
    static const int digits[] = {1, 2, 5, 10};
    double decade = floor(v), end = is_up ? decade + 1 : decade;
    for (int i = 0; i < 4; i++) {
        double at = decade + log10(digits[i]);
        if (is_up ? at >= v - slack && at < end : at <= v + slack)
            end = at;
    }
    return end;
}

/* Ends that hold all points: tight for x, at whole decades or steps for y,
 * at 1, 2 or 5 times a power of ten where there is little to show. */
static scale fit(const svg_panel *panel, bool is_log, bool is_y)
{
    scale s = {is_log, HUGE_VAL, -HUGE_VAL, 0, 1};
    for (size_t i = 0; i < panel->n_lines; i++) {
        const svg_line *line = &panel->lines[i];
        for (size_t j = 0; j < line->n; j++) {
            double v = is_y ? line->y[j] : line->x[j];
            if (!is_shown(&s, v))
                continue;
            s.min = fmin(s.min, is_log ? log10(v) : v);
            s.max = fmax(s.max, is_log ? log10(v) : v);
        }
    }
    if (!(s.min <= s.max))
        s.min = s.max = 0;
    double step = 1;
    if (!is_log && s.max > s.min)
        step = nice_step(s.max - s.min);
    if (is_y && is_log && s.max - s.min < 1) {
        s.min = round_end(s.min, false);
        s.max = round_end(s.max, true);
    } else if (is_y || s.min == s.max) {
        s.min = floor(s.min / step + slack) * step;
        s.max = ceil(s.max / step - slack) * step;
    }
    if (s.min == s.max)
        s.max += step;
    return s;
}

/* ---- Axes --------------------------------------------------------------- */

static void grid_line(
    FILE *out, const scale *x, const scale *y, bool is_y, double at)
{
    if (is_y)
        fprintf(out, "<path class=\"g\" d=\"M%.1f %.1fH%.1f\"/>\n", x->first,
            at, x->last);
    else
        fprintf(out, "<path class=\"g\" d=\"M%.1f %.1fV%.1f\"/>\n", at,
            y->first, y->last);
}

static void tick_start(
    FILE *out, const scale *x, const scale *y, bool is_y, double at)
{
    if (is_y)
        fprintf(out,
            "<text class=\"k\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">",
            x->first - 5, at + 3.5);
    else
        fprintf(out,
            "<text class=\"k\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">",
            at, y->first + 15);
}

/* Short marks at 2 .. 9 times a power of ten. */
static void minor_ticks(FILE *out, const scale *x, const scale *y, bool is_y)
{
    const scale *s = is_y ? y : x;
    fputs("<path class=\"f\" d=\"", out);
    for (int e = (int)floor(s->min); e < s->max; e++) {
        for (int digit = 2; digit <= 9; digit++) {
            double at = log10(digit) + e;
            if (at < s->min || at > s->max)
                continue;
            at = pixel(s, digit * pow(10, e));
            if (is_y)
                fprintf(out, "M%.1f %.1fh4", x->first, at);
            else
                fprintf(out, "M%.1f %.1fv-4", at, y->first);
        }
    }
    fputs("\"/>\n", out);
}

static void log_tick(FILE *out, const scale *x, const scale *y, bool is_y,
    int digit, int exponent, bool is_plain)
{
    double v = digit * pow(10, exponent), at = pixel(is_y ? y : x, v);
    grid_line(out, x, y, is_y, at);
    tick_start(out, x, y, is_y, at);
    if (is_plain)
        fprintf(out, "%g</text>\n", v);
    else
        fprintf(out, "%s10<tspan class=\"u\" dy=\"-4\">%s%d</tspan></text>\n",
            digit == 1   ? ""
            : digit == 2 ? "2·"
                         : "5·",
            exponent < 0 ? "−" : "", abs(exponent));
}

/* Decades, thinned to at most seven labels; 2 and 5 between few of them. */
static void log_ticks(FILE *out, const scale *x, const scale *y, bool is_y)
{
    static const int digits[] = {1, 2, 5};
    const scale *s = is_y ? y : x;
    double min = s->min - 1e-9, max = s->max + 1e-9;
    int first = (int)ceil(min), last = (int)floor(max);
    int step = 1 + (last - first) / 7, n_digits = max - min < 1.5 ? 3 : 1;
    bool is_plain = min >= -3.1 && max < 4;
    for (int e = (int)floor(min); e <= last; e++) {
        for (int i = 0; i < n_digits && e % step == 0; i++) {
            double at = log10(digits[i]) + e;
            if (at >= min && at <= max)
                log_tick(out, x, y, is_y, digits[i], e, is_plain);
        }
    }
    if (s->max - s->min < 5)
        minor_ticks(out, x, y, is_y);
}

static void linear_ticks(FILE *out, const scale *x, const scale *y, bool is_y)
{
    const scale *s = is_y ? y : x;
    double step = nice_step(s->max - s->min);
    long first = (long)ceil(s->min / step - 1e-9);
    long last = (long)floor(s->max / step + 1e-9);
    for (long i = first; i <= last; i++) {
        double v = (double)i * step, at = pixel(s, v);
        grid_line(out, x, y, is_y, at);
        tick_start(out, x, y, is_y, at);
        fprintf(out, "%.6g</text>\n", v);
    }
}

static void draw_axes(
    FILE *out, const svg_figure *figure, const scale *x, const scale *y)
{
    (x->is_log ? log_ticks : linear_ticks)(out, x, y, false);
    (y->is_log ? log_ticks : linear_ticks)(out, x, y, true);
    fprintf(out, "<path class=\"f\" d=\"M%.1f %.1fH%.1fV%.1fH%.1fZ\"/>\n",
        x->first, y->first, x->last, y->last, x->first);
    fprintf(out,
        "<text text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
        (x->first + x->last) / 2, y->first + 34, figure->x.label);
    fprintf(out,
        "<text text-anchor=\"middle\" transform=\"translate(%.1f %.1f) "
        "rotate(-90)\">%s</text>\n",
        x->first - 44, (y->first + y->last) / 2, figure->y.label);
}

/* ---- Panels ------------------------------------------------------------- */

static void draw_line(
    FILE *out, const svg_line *line, const scale *x, const scale *y)
{
    bool is_open = false;
    fprintf(out, "<path class=\"s s%d\" d=\"", line->style);
    for (size_t i = 0; i < line->n; i++) {
        bool is_point = is_shown(x, line->x[i]) && is_shown(y, line->y[i]);
        if (is_point)
            fprintf(out, "%c%.1f %.1f", is_open ? 'L' : 'M',
                pixel(x, line->x[i]), pixel(y, line->y[i]));
        is_open = is_point;
    }
    fputs("\"/>\n", out);
}

static void draw_panel(FILE *out, const svg_figure *figure, size_t index,
    double width, double height)
{
    const svg_panel *panel = &figure->panels[index];
    double left = (double)(index % figure->n_columns) * width;
    double top = HEAD + (double)(index / figure->n_columns) * height;
    scale x = fit(panel, figure->x.is_log, false);
    scale y = fit(panel, figure->y.is_log, true);
    x.first = left + LEFT;
    x.last = left + width - RIGHT;
    y.first = top + height - BOTTOM;
    y.last = top + TOP;
    fprintf(out, "<text class=\"p\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", x.first,
        top + TOP - 8, panel->title);
    draw_axes(out, figure, &x, &y);
    for (size_t i = 0; i < panel->n_lines; i++)
        draw_line(out, &panel->lines[i], &x, &y);
}

/* ---- Legend ------------------------------------------------------------- */

/* Draws into out unless it is NULL; the number of rows. */
static int draw_legend(
    FILE *out, const svg_figure *figure, double width, double top)
{
    double x = LEFT;
    int row = 0;
    for (int i = 0; i < SVG_STYLES; i++) {
        const char *name = figure->legend[i];
        if (!name)
            continue;
        double needed = 34 + 6.4 * (double)strlen(name) + 20;
        if (x + needed > width && x > LEFT) {
            x = LEFT;
            row++;
        }
        double y = top + row * LEGEND;
        if (out)
            fprintf(out,
                "<path class=\"s s%d\" d=\"M%.1f %.1fh28\"/>\n"
                "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                i, x, y, x + 34, y + 4, name);
        x += needed;
    }
    return row + 1;
}

bool svg_write(FILE *out, const svg_figure *figure)
{
    bool is_single = figure->n_panels == 1;
    double panel_width = is_single ? 660 : 350;
    double panel_height = is_single ? 400 : 270;
    size_t n_rows =
        (figure->n_panels + figure->n_columns - 1) / figure->n_columns;
    double width = panel_width * (double)figure->n_columns;
    double legend_top = HEAD + panel_height * (double)n_rows + 10;
    int n_legend = draw_legend(NULL, figure, width, 0);
    double height = legend_top + n_legend * LEGEND;

    fprintf(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
        "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n"
        "<title>%s</title>\n<style>\n%s</style>\n"
        "<rect class=\"b\" width=\"100%%\" height=\"100%%\"/>\n"
        "<text class=\"t\" x=\"%d\" y=\"26\">%s</text>\n",
        width, height, width, height, figure->title, style_sheet, LEFT,
        figure->title);
    for (size_t i = 0; i < figure->n_panels; i++)
        draw_panel(out, figure, i, panel_width, panel_height);
    draw_legend(out, figure, width, legend_top);
    fputs("</svg>\n", out);
    return !ferror(out);
}
