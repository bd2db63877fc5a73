/*
 * figures OUTDIR [FIGURE...]: curves of four papers, recomputed through the
 * formulary, as figure-NAME.csv and figure-NAME.svg in OUTDIR. A FIGURE is a
 * number from 1 to 19, or one panel of figures 3 and up such as 4a; without
 * any, all of them. docs/figures.md shows them.
 *
 * Upper bounds are rounded upwards and lower bounds downwards in the CSV.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dosimeter.h>

#include "figure_curves.h"
#include "svg_plot.h"

static bool write_csv(FILE *out, const struct picture *picture)
{
    char text[DOSI_NUMBER_BYTES];
    fputs("figure,curve,x,value\n", out);
    for (size_t i = 0; i < picture->n_panels; i++) {
        const struct panel *panel = &picture->panels[i];
        for (size_t j = 0; j < panel->n_curves; j++) {
            const struct curve *c = &panel->curves[j];
            for (size_t k = 0; k < c->n; k++) {
                (c->kind->is_lower ? dosi_print_lower : dosi_print_upper)(
                    text, c->y[k], 13);
                fprintf(out, "%s,%s,%.10g,%s\n", panel->name, c->kind->name,
                    c->x[k], text);
            }
        }
    }
    return !ferror(out);
}

static bool write_svg(FILE *out, const struct picture *picture)
{
    svg_line lines[MAX_PANELS][SVG_STYLES];
    svg_panel panels[MAX_PANELS];
    char title[128];
    snprintf(
        title, sizeof title, "Figure %s. %s", picture->name, picture->title);
    svg_figure figure = {.title = title,
        .x = picture->x,
        .y = picture->y,
        .panels = panels,
        .n_panels = picture->n_panels,
        .n_columns = picture->n_panels < 3 ? picture->n_panels : 3};
    for (size_t i = 0; i < picture->n_panels; i++) {
        const struct panel *panel = &picture->panels[i];
        for (size_t j = 0; j < panel->n_curves; j++) {
            const struct curve *c = &panel->curves[j];
            lines[i][j] = (svg_line){
                .style = c->style, .x = c->x, .y = c->y, .n = c->n};
            figure.legend[c->style] = c->kind->legend;
        }
        panels[i] = (svg_panel){.title = panel->title,
            .lines = lines[i],
            .n_lines = panel->n_curves};
    }
    return svg_write(out, &figure);
}

static bool save(const char *folder, const struct picture *picture,
    const char *ending, bool (*write)(FILE *out, const struct picture *picture))
{
    char path[1024];
    int n = snprintf(
        path, sizeof path, "%s/figure-%s.%s", folder, picture->name, ending);
    FILE *out = n < (int)sizeof path ? fopen(path, "wb") : NULL;
    bool ok = out && write(out, picture);
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok)
        fprintf(stderr, "cannot write %s\n", path);
    return ok;
}

static bool draw(const char *folder, int number, char panel)
{
    struct picture *picture = calloc(1, sizeof *picture);
    bool ok = picture && make_figure(picture, number, panel) &&
              save(folder, picture, "csv", write_csv) &&
              save(folder, picture, "svg", write_svg);
    free(picture);
    return ok;
}

static bool draw_named(const char *folder, const char *name)
{
    char *end;
    long number = strtol(name, &end, 10);
    char panel = *end;
    bool is_panel = number > 2 && panel >= 'a' && panel <= 'f' && !end[1];
    if (number < 1 || number > MAX_FIGURE || (panel && !is_panel)) {
        fprintf(stderr, "no figure %s\n", name);
        return false;
    }
    return draw(folder, (int)number, panel);
}

int main(int n_arguments, char **arguments)
{
    if (n_arguments < 2) {
        fputs("usage: figures OUTDIR [FIGURE...]\n", stderr);
        return 2;
    }
    bool ok = true;
    for (int i = 2; ok && i < n_arguments; i++)
        ok = draw_named(arguments[1], arguments[i]);
    for (int i = 1; ok && n_arguments == 2 && i <= MAX_FIGURE; i++)
        ok = draw(arguments[1], i, 0);
    return ok ? 0 : 1;
}
