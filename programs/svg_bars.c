/*
 * Layout: a title, then a row a bar: the name on the left, the bar, and a few
 * words behind it. Coordinates are printed to a tenth of a pixel.
 */
#include "svg_bars.h"

#include <math.h>
#include <string.h>

#include "svg_plot.h"

enum {
    WIDTH = 760,
    HEAD = 70,
    ROW = 24,
    BAR = 14,
    NAMES = 330, /* where the bars begin */
    WORDS = 200, /* kept for the words behind the longest bar */
    FOOT = 16,
    NAME_LETTERS = 48
};

/* The name, at most so many letters of it; whole as a hint. */
static void write_name(FILE *out, const char *name)
{
    size_t n_letters = 0;

    if (strlen(name) > NAME_LETTERS) {
        fputs("<title>", out);
        svg_write_text(out, name);
        fputs("</title>", out);
    }
    for (; *name != '\0'; name++) {
        n_letters += ((unsigned char)*name & 0xc0) != 0x80;
        if (n_letters >= NAME_LETTERS && name[1] != '\0')
            break;
        char bytes[] = {*name, '\0'};
        svg_write_text(out, bytes);
    }
    fputs(*name != '\0' ? "…" : "", out);
}

static void write_bar(FILE *out, const svg_bar *bar, double scale, double top)
{
    double length = bar->length * scale;

    fprintf(out, "<text class=\"m\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">",
        NAMES - 8, top + BAR - 3);
    write_name(out, bar->name);
    fprintf(out,
        "</text>\n<rect class=\"a d a0\" x=\"%d\" y=\"%.1f\" "
        "width=\"%.1f\" height=\"%d\"/>\n"
        "<text class=\"k\" x=\"%.1f\" y=\"%.1f\">",
        NAMES, top, length, BAR, NAMES + length + 6, top + BAR - 3);
    svg_write_text(out, bar->words);
    fputs("</text>\n", out);
}

bool svg_bars_write(FILE *out, const char *title, const char *subtitle,
    const svg_bar *bars, size_t n)
{
    double longest = 0;
    size_t height = HEAD + n * ROW + FOOT;

    for (size_t i = 0; i < n; i++)
        longest = fmax(longest, bars[i].length);
    double scale = longest > 0 ? (WIDTH - NAMES - WORDS) / longest : 0;
    fprintf(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
        "width=\"%d\" height=\"%zu\" viewBox=\"0 0 %d %zu\">\n<title>",
        WIDTH, height, WIDTH, height);
    svg_write_text(out, title);
    fputs("</title>\n<style>\n", out);
    svg_write_style(out);
    fputs("</style>\n<rect class=\"b\" width=\"100%\" height=\"100%\"/>\n"
          "<text class=\"t\" x=\"20\" y=\"26\">",
        out);
    svg_write_text(out, title);
    fputs("</text>\n<text class=\"m\" x=\"20\" y=\"45\">", out);
    svg_write_text(out, subtitle);
    fputs("</text>\n", out);
    for (size_t i = 0; i < n; i++)
        write_bar(out, &bars[i], scale, HEAD + (double)(i * ROW));
    fputs("</svg>\n", out);
    return !ferror(out);
}
