/*
 * Ticks stand at 1, 2 or 5 times a power of ten. A logarithmic axis shows its
 * decades, those digits between few of them, and the ticks of a linear one
 * where it spans less than most of a decade.
 */
#include "svg_axes.h"

#include <math.h>
#include <stdlib.h>

/* ---- Scales ------------------------------------------------------------- */

bool svg_is_shown(const svg_scale *s, double v)
{
    return isfinite(v) && (!s->is_log || v > 0);
}

double svg_pixel(const svg_scale *s, double v)
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

static void include(svg_scale *s, double v)
{
    if (!svg_is_shown(s, v))
        return;
    s->min = fmin(s->min, s->is_log ? log10(v) : v);
    s->max = fmax(s->max, s->is_log ? log10(v) : v);
}

static void include_panel(svg_scale *s, const svg_panel *panel, bool is_y)
{
    for (size_t i = 0; i < panel->n_lines; i++) {
        const svg_line *line = &panel->lines[i];
        for (size_t j = 0; j < line->n; j++)
            include(s, is_y ? line->y[j] : line->x[j]);
    }
    for (size_t i = 0; i < panel->n_marks; i++)
        include(s, is_y ? panel->marks[i].y : panel->marks[i].x);
}

/* Tight for x; at whole decades or steps for y, at 1, 2 or 5 times a power of
 * ten where there is little to show. */
svg_scale svg_scale_fit(
    const svg_figure *figure, const svg_panel *panel, bool is_y)
{
    svg_range range = is_y ? figure->y_range : figure->x_range;
    bool is_log = is_y ? figure->y.is_log : figure->x.is_log;
    svg_scale s = {is_log, HUGE_VAL, -HUGE_VAL, 0, 1};
    if (range.min < range.max) {
        s.min = is_log ? log10(range.min) : range.min;
        s.max = is_log ? log10(range.max) : range.max;
        return s;
    }
    include_panel(&s, panel, is_y);
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

/* ---- Ticks -------------------------------------------------------------- */

typedef struct axes {
    FILE *out;
    const svg_scale *x, *y;
    bool is_y; /* which of both is at work */
} axes;

static const svg_scale *scale_of(const axes *a)
{
    return a->is_y ? a->y : a->x;
}

/* A line of the grid, and the start of the label beside it. */
static void tick_start(const axes *a, double at)
{
    if (a->is_y)
        fprintf(a->out,
            "<path class=\"g\" d=\"M%.1f %.1fH%.1f\"/>\n"
            "<text class=\"k\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">",
            a->x->first, at, a->x->last, a->x->first - 5, at + 3.5);
    else
        fprintf(a->out,
            "<path class=\"g\" d=\"M%.1f %.1fV%.1f\"/>\n"
            "<text class=\"k\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">",
            at, a->y->first, a->y->last, at, a->y->first + 17);
}

static void write_power(const axes *a, double digit, int exponent)
{
    if (digit != 1)
        fprintf(a->out, "%.3g·", digit);
    fprintf(a->out, "10<tspan class=\"u\" dy=\"-4\">%s%d</tspan></text>\n",
        exponent < 0 ? "−" : "", abs(exponent));
}

/* Plain where that is short. */
static void write_number(const axes *a, double v)
{
    double size = fabs(v);
    if (size != 0 && (size >= 999999.5 || size < 1e-4)) {
        int exponent = (int)floor(log10(size) + 1e-9);
        write_power(a, v / pow(10, exponent), exponent);
        return;
    }
    fprintf(a->out, "%s%.6g</text>\n", v < 0 ? "−" : "", size);
}

/* Short marks at 2 .. 9 times a power of ten. */
static void minor_ticks(const axes *a)
{
    const svg_scale *s = scale_of(a);
    fputs("<path class=\"f\" d=\"", a->out);
    for (int e = (int)floor(s->min); e < s->max; e++) {
        for (int digit = 2; digit <= 9; digit++) {
            double at = log10(digit) + e;
            if (at < s->min || at > s->max)
                continue;
            at = svg_pixel(s, digit * pow(10, e));
            if (a->is_y)
                fprintf(a->out, "M%.1f %.1fh4", a->x->first, at);
            else
                fprintf(a->out, "M%.1f %.1fv-4", at, a->y->first);
        }
    }
    fputs("\"/>\n", a->out);
}

/* Decades, thinned to at most seven labels; 2 and 5 between few of them. */
static void decade_ticks(const axes *a)
{
    static const int digits[] = {1, 2, 5};
    const svg_scale *s = scale_of(a);
    double min = s->min - 1e-9, max = s->max + 1e-9;
    int first = (int)ceil(min), last = (int)floor(max);
    int step = 1 + (last - first) / 7, n_digits = max - min < 2.2 ? 3 : 1;
    bool is_plain = min >= -3.1 && max < 5;
    for (int e = (int)floor(min); e <= last; e++) {
        for (int i = 0; i < n_digits && e % step == 0; i++) {
            double at = log10(digits[i]) + e;
            if (at < min || at > max)
                continue;
            double v = digits[i] * pow(10, e);
            tick_start(a, svg_pixel(s, v));
            if (is_plain)
                write_number(a, v);
            else
                write_power(a, digits[i], e);
        }
    }
    if (s->max - s->min < 5)
        minor_ticks(a);
}

static void even_ticks(const axes *a)
{
    const svg_scale *s = scale_of(a);
    double min = s->is_log ? pow(10, s->min) : s->min;
    double max = s->is_log ? pow(10, s->max) : s->max;
    double step = nice_step(max - min);
    double first = ceil(min / step - 1e-9), last = floor(max / step + 1e-9);
    for (double i = first; i <= last; i++) {
        tick_start(a, svg_pixel(s, i * step));
        write_number(a, i * step);
    }
}

static void ticks(const axes *a)
{
    const svg_scale *s = scale_of(a);
    if (s->is_log && s->max - s->min >= 0.65)
        decade_ticks(a);
    else
        even_ticks(a);
}

void svg_draw_axes(
    FILE *out, const svg_figure *figure, const svg_scale *x, const svg_scale *y)
{
    ticks(&(axes){out, x, y, false});
    ticks(&(axes){out, x, y, true});
    fprintf(out, "<path class=\"f\" d=\"M%.1f %.1fH%.1fV%.1fH%.1fZ\"/>\n",
        x->first, y->first, x->last, y->last, x->first);
    fprintf(out, "<text text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">",
        (x->first + x->last) / 2, y->first + 35);
    svg_write_text(out, figure->x.label);
    fprintf(out,
        "</text>\n<text text-anchor=\"middle\" transform=\"translate(%.1f "
        "%.1f) rotate(-90)\">",
        x->first - 44, (y->first + y->last) / 2);
    svg_write_text(out, figure->y.label);
    fputs("</text>\n", out);
}
