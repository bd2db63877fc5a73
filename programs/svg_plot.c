/*
 * Layout: a title, panels of fixed size in rows, a legend. Coordinates are
 * printed to a tenth of a pixel.
 */
#include "svg_plot.h"

#include <math.h>
#include <string.h>

#include "svg_axes.h"

enum {
    HEAD = 40, /* the figure's title */
    SUBTITLE = 18,
    LEFT = 62, /* of a panel's frame: ticks and label */
    RIGHT = 18,
    TOP = 28, /* the panel's title */
    BOTTOM = 46,
    LEGEND = 22, /* one row of it */
};

/* How wide a letter is, more or less. */
static const double letter = 6.4;

static const char style_sheet[] =
    "svg text{font-family:system-ui,sans-serif;font-size:12px;fill:#222}\n"
    "svg .t{font-size:15px;font-weight:600}\n"
    "svg .p{font-weight:600}\n"
    "svg .k{font-size:10.5px;fill:#444}\n"
    "svg .u{font-size:8px}\n"
    "svg .m{font-size:11px;fill:#444}\n"
    "svg .h{paint-order:stroke;stroke:#fff;stroke-width:4px;"
    "stroke-linejoin:round}\n"
    "svg .b{fill:#fff}\n"
    "svg .f{fill:none;stroke:#555}\n"
    "svg .g{fill:none;stroke:#e3e3e3}\n"
    "svg .s{fill:none;stroke-width:1.8;stroke-linejoin:round}\n"
    "svg .a{stroke:none;fill-opacity:.2}\n"
    "svg .s0{stroke:#0b5fa5}\n"
    "svg .s1{stroke:#c2410c;stroke-dasharray:7 3}\n"
    "svg .s2{stroke:#737373;stroke-dasharray:2 3}\n"
    "svg .s3{stroke:#15803d;stroke-dasharray:9 3 2 3}\n"
    "svg .s4{stroke:#7e22ce;stroke-dasharray:4 2}\n"
    "svg .s5{stroke:#a16207;stroke-dasharray:1 2}\n"
    "svg .s6{stroke:#8a8a8a;stroke-width:1;stroke-dasharray:1 3}\n"
    "svg .a0{fill:#0b5fa5}\n"
    "svg .a1{fill:#c2410c}\n"
    "svg .a2{fill:#737373}\n"
    "svg .a3{fill:#15803d}\n"
    "svg .a4{fill:#7e22ce}\n"
    "svg .a5{fill:#a16207}\n"
    "svg .d{fill-opacity:1}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    "svg text{fill:#e6e6e6}\n"
    "svg .k,svg .m{fill:#bbb}\n"
    "svg .h{stroke:#15181d}\n"
    "svg .b{fill:#15181d}\n"
    "svg .f{stroke:#999}\n"
    "svg .g{stroke:#30353d}\n"
    "svg .s0{stroke:#6cb6ff}\n"
    "svg .s1{stroke:#ff9b6a}\n"
    "svg .s2{stroke:#a3a3a3}\n"
    "svg .s3{stroke:#5fd68b}\n"
    "svg .s4{stroke:#cf9bff}\n"
    "svg .s5{stroke:#e5c04b}\n"
    "svg .a0{fill:#6cb6ff}\n"
    "svg .a1{fill:#ff9b6a}\n"
    "svg .a2{fill:#a3a3a3}\n"
    "svg .a3{fill:#5fd68b}\n"
    "svg .a4{fill:#cf9bff}\n"
    "svg .a5{fill:#e5c04b}\n"
    "}\n";

void svg_write_style(FILE *out)
{
    fputs(style_sheet, out);
}

void svg_write_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            fputc(*text, out);
    }
}

/* ---- Curves ------------------------------------------------------------- */

/* Where a point is drawn: what a logarithmic axis has no place for, and what
 * lies far below, just under its end. */
static double line_pixel(const svg_scale *y, double v)
{
    double end = y->first + 2;
    return svg_is_shown(y, v) ? fmin(svg_pixel(y, v), end) : end;
}

static void draw_line(
    FILE *out, const svg_line *line, const svg_scale *x, const svg_scale *y)
{
    bool is_open = false;
    fprintf(out, "<path class=\"s s%d\" d=\"", line->style);
    for (size_t i = 0; i < line->n; i++) {
        bool is_point = svg_is_shown(x, line->x[i]) && isfinite(line->y[i]);
        if (is_point)
            fprintf(out, "%c%.1f %.1f", is_open ? 'L' : 'M',
                svg_pixel(x, line->x[i]), line_pixel(y, line->y[i]));
        is_open = is_point;
    }
    fputs("\"/>\n", out);
}

/* Where an end of a band is drawn: what lies beyond the axis at its end. */
static double band_pixel(const svg_scale *y, double v)
{
    bool is_below = v == -HUGE_VAL || (y->is_log && v <= 0);
    double at = is_below             ? y->first
                : svg_is_shown(y, v) ? svg_pixel(y, v)
                                     : y->last;
    return fmax(y->last, fmin(y->first, at));
}

static bool is_wide(const svg_line *line, const svg_scale *y)
{
    for (size_t i = 0; i < line->n; i++)
        if (band_pixel(y, line->low[i]) - band_pixel(y, line->high[i]) > 0.5)
            return true;
    return false;
}

/* Along the upper ends and back along the lower ones, unless they are one. */
static void draw_band(
    FILE *out, const svg_line *line, const svg_scale *x, const svg_scale *y)
{
    if (line->low == NULL || line->n < 2 || !is_wide(line, y))
        return;
    fprintf(out, "<path class=\"a a%d\" d=\"", line->style);
    for (size_t i = 0; i < line->n; i++)
        fprintf(out, "%c%.1f %.1f", i > 0 ? 'L' : 'M', svg_pixel(x, line->x[i]),
            band_pixel(y, line->high[i]));
    for (size_t i = line->n; i-- > 0;)
        fprintf(out, "L%.1f %.1f", svg_pixel(x, line->x[i]),
            band_pixel(y, line->low[i]));
    fputs("Z\"/>\n", out);
}

/* A dot and its words, beside the line, where there is more room. */
static void draw_mark(
    FILE *out, const svg_mark *mark, const svg_scale *x, const svg_scale *y)
{
    if (!svg_is_shown(x, mark->x) || !svg_is_shown(y, mark->y))
        return;
    double at_x = svg_pixel(x, mark->x), at_y = svg_pixel(y, mark->y);
    if (at_x < x->first || at_x > x->last || at_y > y->first || at_y < y->last)
        return;
    bool is_right = at_x > x->first + 0.6 * (x->last - x->first);
    bool is_above = is_right == mark->is_rising;
    if (at_y < y->last + 20 || at_y > y->first - 20)
        is_above = at_y > y->first - 20;
    fprintf(out,
        "<circle class=\"a d a%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n"
        "<text class=\"h\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">",
        mark->style, at_x, at_y, is_right ? "end" : "start",
        at_x + (is_right ? -8 : 8), at_y + (is_above ? -8 : 18));
    svg_write_text(out, mark->label);
    fputs("</text>\n", out);
}

/* ---- Panels ------------------------------------------------------------- */

static double head_of(const svg_figure *figure)
{
    return HEAD + (figure->subtitle != NULL ? SUBTITLE : 0);
}

static void draw_panel(FILE *out, const svg_figure *figure, size_t index,
    double width, double height)
{
    const svg_panel *panel = &figure->panels[index];
    const char *id = figure->id != NULL ? figure->id : "c";
    size_t row = index / figure->n_columns;
    double left = (double)(index % figure->n_columns) * width;
    double top = head_of(figure) + (double)row * height;
    double title = panel->title[0] != '\0' ? TOP : 8;
    svg_scale x = svg_scale_fit(figure, panel, false);
    svg_scale y = svg_scale_fit(figure, panel, true);
    x.first = left + LEFT;
    x.last = left + width - RIGHT;
    y.first = top + height - BOTTOM;
    y.last = top + title;
    if (panel->title[0] != '\0') {
        fprintf(out, "<text class=\"p\" x=\"%.1f\" y=\"%.1f\">", x.first,
            y.last - 8);
        svg_write_text(out, panel->title);
        fputs("</text>\n", out);
    }
    svg_draw_axes(out, figure, &x, &y);
    fprintf(out,
        "<clipPath id=\"%s%zu\"><path d=\"M%.1f %.1fH%.1fV%.1fH%.1fZ\"/>"
        "</clipPath>\n<g clip-path=\"url(#%s%zu)\">\n",
        id, index, x.first, y.first, x.last, y.last, x.first, id, index);
    for (size_t i = 0; i < panel->n_lines; i++)
        draw_band(out, &panel->lines[i], &x, &y);
    for (size_t i = 0; i < panel->n_lines; i++)
        draw_line(out, &panel->lines[i], &x, &y);
    fputs("</g>\n", out);
    for (size_t i = 0; i < panel->n_marks; i++)
        draw_mark(out, &panel->marks[i], &x, &y);
}

/* ---- Legend ------------------------------------------------------------- */

static bool is_letter_start(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t letters_of(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += is_letter_start(*text);
    return n;
}

/* At most n letters; what is longer ends in dots, and whole as a hint. */
static void write_short(FILE *out, const char *text, size_t n)
{
    if (letters_of(text) <= n) {
        svg_write_text(out, text);
        return;
    }
    fputs("<title>", out);
    svg_write_text(out, text);
    fputs("</title>", out);
    for (size_t kept = 0; *text != '\0'; text++) {
        kept += is_letter_start(*text);
        if (kept >= n)
            break;
        char bytes[] = {*text, '\0'};
        svg_write_text(out, bytes);
    }
    fputs("…", out);
}

/* Draws into out unless it is NULL; the number of rows. */
static int draw_legend(
    FILE *out, const svg_figure *figure, double width, double top)
{
    size_t most = (size_t)((width - LEFT - 54) / letter);
    double x = LEFT;
    int row = 0;
    for (int i = 0; i < SVG_STYLES; i++) {
        const char *name = figure->legend[i];
        if (!name)
            continue;
        size_t n = letters_of(name);
        double needed = 34 + letter * (double)(n < most ? n : most) + 20;
        if (x + needed > width && x > LEFT) {
            x = LEFT;
            row++;
        }
        double y = top + row * LEGEND;
        if (out) {
            fprintf(out,
                "<path class=\"s s%d\" d=\"M%.1f %.1fh28\"/>\n"
                "<text x=\"%.1f\" y=\"%.1f\">",
                i, x, y, x + 34, y + 4);
            write_short(out, name, most);
            fputs("</text>\n", out);
        }
        x += needed;
    }
    return x > LEFT ? row + 1 : 0;
}

/* ---- The whole ---------------------------------------------------------- */

static void write_head(
    FILE *out, const svg_figure *figure, double width, double height)
{
    fprintf(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
        "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title>",
        width, height, width, height);
    svg_write_text(out, figure->title);
    fputs("</title>\n", out);
    if (figure->id == NULL)
        fprintf(out, "<style>\n%s</style>\n", style_sheet);
    fprintf(out,
        "<rect class=\"b\" width=\"100%%\" height=\"100%%\"/>\n"
        "<text class=\"t\" x=\"%d\" y=\"26\">",
        LEFT);
    svg_write_text(out, figure->title);
    fputs("</text>\n", out);
    if (figure->subtitle != NULL) {
        fprintf(out, "<text class=\"m\" x=\"%d\" y=\"45\">", LEFT);
        svg_write_text(out, figure->subtitle);
        fputs("</text>\n", out);
    }
}

bool svg_write(FILE *out, const svg_figure *figure)
{
    bool is_single = figure->n_panels == 1;
    bool is_inline = figure->id != NULL; /* beside others on a page */
    double panel_width = !is_single ? 350 : is_inline ? 440 : 660;
    double panel_height = !is_single ? 270 : is_inline ? 300 : 400;
    size_t n_rows =
        (figure->n_panels + figure->n_columns - 1) / figure->n_columns;
    double width = panel_width * (double)figure->n_columns;
    double legend_top = head_of(figure) + panel_height * (double)n_rows + 10;
    int n_legend = draw_legend(NULL, figure, width, 0);
    double height = legend_top + n_legend * LEGEND;

    write_head(out, figure, width, height);
    for (size_t i = 0; i < figure->n_panels; i++)
        draw_panel(out, figure, i, panel_width, panel_height);
    draw_legend(out, figure, width, legend_top);
    fputs("</svg>\n", out);
    return !ferror(out);
}
