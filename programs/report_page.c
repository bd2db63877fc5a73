/*
 * The page from top to bottom: the headline, the statement, the numbers, the
 * curves, what every route says, the plan, and how to make it again.
 */
#include "report_page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char style_sheet[] =
    ":root{color-scheme:light dark;--ink:#222;--soft:#555;--page:#f4f5f7;"
    "--card:#fff;--line:#dcdfe4;--accent:#0b5fa5;--row:#f7f8fa}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);"
    "font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "main{max-width:1080px;margin:0 auto;padding:24px 16px 48px}\n"
    "h1{font-size:26px;line-height:1.2;margin:0 0 12px}\n"
    "h2{font-size:20px;margin:0 0 12px}\n"
    "h3{font-size:16px;margin:20px 0 4px}\n"
    "p{margin:8px 0}\n"
    "ul{margin:4px 0;padding-left:22px}\n"
    "section,header{background:var(--card);border:1px solid var(--line);"
    "border-radius:8px;padding:20px 24px;margin:0 0 16px}\n"
    ".headline{font-size:32px;font-weight:650;line-height:1.25;"
    "color:var(--accent)}\n"
    ".soft{color:var(--soft)}\n"
    "code,pre{font:14px/1.5 ui-monospace,monospace}\n"
    "pre{white-space:pre-wrap;background:var(--row);border:1px solid "
    "var(--line);border-radius:6px;padding:10px 12px;margin:8px 0}\n"
    "table{border-collapse:collapse;width:100%;font-size:15px}\n"
    "th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;"
    "border-bottom:1px solid var(--line)}\n"
    "th{font-weight:600;color:var(--soft)}\n"
    "td.n{font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "tr.best td{font-weight:600}\n"
    ".curves{display:grid;grid-template-columns:repeat(auto-fit,"
    "minmax(min(100%,440px),1fr));gap:12px}\n"
    "figure{margin:0;border:1px solid var(--line);border-radius:6px;"
    "overflow:hidden}\n"
    "figure svg{display:block;width:100%;height:auto}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ":root{--ink:#e6e6e6;--soft:#a9b0ba;--page:#0e1013;--card:#15181d;"
    "--line:#30353d;--accent:#6cb6ff;--row:#1b1f26}\n"
    "}\n"
    "@media (max-width:640px){\n"
    "section,header{padding:16px}\n"
    ".headline{font-size:26px}\n"
    "td.n{white-space:normal}\n"
    "}\n"
    "@media print{\n"
    "@page{margin:16mm}\n"
    "body{background:none;font-size:10.5pt}\n"
    "main{max-width:none;padding:0}\n"
    "section,header{border:0;border-radius:0;padding:0;margin:0 0 16pt}\n"
    "h2{border-bottom:1pt solid #999;padding-bottom:2pt}\n"
    "h2,h3{break-after:avoid}\n"
    "table{font-size:9pt}\n"
    "code,pre{font-size:9pt}\n"
    "figure,tr,li{break-inside:avoid}\n"
    ".curves{grid-template-columns:1fr 1fr}\n"
    "}\n";

static void text(FILE *out, const char *words)
{
    svg_write_text(out, words);
}

static void element(FILE *out, const char *tag, const char *words)
{
    fprintf(out, "<%s>", tag);
    text(out, words);
    fprintf(out, "</%s>\n", tag);
}

static void write_interval(FILE *out, dosi_interval x)
{
    char words[CLI_INTERVAL_BYTES];

    cli_interval_text(words, x, 0);
    text(out, words);
}

static void write_head(FILE *out, const struct report *report)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n",
        out);
    element(out, "title", report->title);
    fprintf(out, "<style>\n%s", style_sheet);
    svg_write_style(out);
    fputs("</style>\n</head>\n<body>\n<main>\n", out);
}

static void write_headline(FILE *out, const struct report *report)
{
    const dosi_answer *epsilon = &report->statement.epsilon;
    char delta[DOSI_NUMBER_BYTES], upper[DOSI_NUMBER_BYTES];

    dosi_print_exact(delta, report->statement.delta);
    dosi_print_upper(upper, epsilon->value.hi, 4);
    fputs("<header>\n", out);
    element(out, "h1", report->title);
    fputs("<p><code>", out);
    text(out, report->label);
    fputs("</code></p>\n<p class=\"headline\">", out);
    if (epsilon->value.hi < HUGE_VAL)
        fprintf(out, "ε ≤ %s at δ = %s</p>\n", upper, delta);
    else
        fprintf(out, "no finite ε at δ = %s</p>\n", delta);
    fputs("<p class=\"soft\">The exact ε ", out);
    fputs(epsilon->value.lo < HUGE_VAL ? "lies in " : "is infinite", out);
    if (epsilon->value.lo < HUGE_VAL)
        write_interval(out, epsilon->value);
    fprintf(out, "; neighbouring data sets differ by %s.</p>\n</header>\n",
        epsilon->neighbours == DOSI_REPLACE ? "one record replaced"
                                            : "one record added or removed");
}

static void write_statement(FILE *out, const struct statement *statement)
{
    fputs("<section>\n<h2>Statement</h2>\n", out);
    for (size_t i = 0; i < statement->n_sections; i++) {
        const struct statement_section *at = &statement->sections[i];
        element(out, "h3", at->title);
        fputs("<ul>\n", out);
        for (size_t j = 0; j < at->n_sentences; j++)
            element(out, "li", at->sentences[j]);
        fputs("</ul>\n", out);
    }
    fputs("</section>\n", out);
}

static void write_numbers(FILE *out, const struct report *report)
{
    char low[DOSI_NUMBER_BYTES], high[DOSI_NUMBER_BYTES];

    fputs("<section>\n<h2>Numbers</h2>\n<p class=\"soft\">Rounded outward; "
          "the upper ends are safe to report.</p>\n"
          "<table>\n<thead><tr><th>quantity</th>"
          "<th>certainly at least</th><th>certainly at most</th></tr></thead>"
          "\n<tbody>\n",
        out);
    for (size_t i = 0; i < report->n_numbers; i++) {
        const struct report_number *at = &report->numbers[i];
        dosi_print_lower(low, at->value.lo, 7);
        dosi_print_upper(high, at->value.hi, 7);
        fputs("<tr><td>", out);
        text(out, at->name);
        if (at->reason != NULL) {
            fputs("<br><span class=\"soft\">", out);
            text(out, at->reason);
            fputs("</span>", out);
        }
        fprintf(out,
            "</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
            "</tr>\n",
            low, high);
    }
    fputs("</tbody>\n</table>\n</section>\n", out);
}

static void write_curves(FILE *out, const struct report *report)
{
    char id[32];

    fputs("<section>\n<h2>Curves</h2>\n<div class=\"curves\">\n", out);
    for (size_t i = 0; i < report->n_plots; i++) {
        snprintf(id, sizeof id, "%s-", curve_kinds[report->plots[i].kind].name);
        fputs("<figure>\n", out);
        curves_write_svg(out, &report->plots[i], id);
        fputs("</figure>\n", out);
    }
    fputs("</div>\n", out);
    for (size_t i = 0; i < report->n_gaps; i++) {
        fputs("<p class=\"soft\">", out);
        text(out, report->gaps[i].title);
        fprintf(out, ": %s.</p>\n", report->gaps[i].reason);
    }
    fputs("</section>\n", out);
}

static void write_routes(FILE *out, const struct report *report)
{
    const struct routes *routes = &report->routes;
    char ground[ROUTE_GROUND_BYTES];

    fputs("<section>\n"
          "<h2>Every route</h2>\n"
          "<p class=\"soft\">The answer above, and the interval of every other "
          "route on its own, best first; all intervals contain the exact "
          "value.</p>\n"
          "<table>\n"
          "<thead><tr><th>route</th><th>ε</th><th>theorems, or why there is no "
          "bound</th></tr></thead>\n"
          "<tbody>\n",
        out);
    for (size_t i = 0; i < routes->n; i++) {
        const struct route_said *said = &routes->said[i];
        fputs(i == 0 && said->bounds ? "<tr class=\"best\"><td>" : "<tr><td>",
            out);
        text(out, said->route);
        fputs("</td><td class=\"n\">", out);
        if (said->bounds || said->answer.value.lo > 0)
            write_interval(out, said->answer.value);
        else
            fputs("–", out);
        fputs("</td><td>", out);
        route_ground(ground, said);
        text(out, ground);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody>\n</table>\n</section>\n", out);
}

static void write_plan(FILE *out, const struct report *report)
{
    fputs("<section>\n<h2>Plan</h2>\n", out);
    element(out, "h3", "As given");
    element(out, "pre", report->label);
    element(out, "h3", "Normal form");
    element(out, "pre", report->statement.plan);
    fprintf(out, "<p class=\"soft\">hash %016" PRIx64 "</p>\n", report->hash);
    element(out, "h3", "As JSON");
    element(out, "pre", report->tree);
    fputs("</section>\n", out);
}

/* A word of a command line, in quotes unless it is plain. */
static void write_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./:=+,@%";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        text(out, word);
        return;
    }
    fputc('\'', out);
    for (; *word != '\0'; word++) {
        char letter[] = {*word, '\0'};
        if (*word == '\'')
            fputs("'\\''", out);
        else
            text(out, letter);
    }
    fputc('\'', out);
}

static void write_command(FILE *out, const struct report *report)
{
    const struct cli_arguments *args = report->args;

    fputs("<section>\n<h2>Make it again</h2>\n<pre>dosimeter report ", out);
    write_word(out, report->label);
    for (size_t i = 0; i < args->n_given; i++) {
        const struct cli_given *given = &args->given[i];
        fprintf(out, " %s", cli_options[given->option].name);
        if (given->value != NULL) {
            fputc(' ', out);
            write_word(out, given->value);
        }
    }
    fprintf(out,
        "</pre>\n<p class=\"soft\">Made by dosimeter %s. The same command "
        "gives the same bytes, unless a time limit ended it.</p>\n"
        "</section>\n",
        dosi_version());
}

void report_page_write(FILE *out, const struct report *report)
{
    write_head(out, report);
    write_headline(out, report);
    write_statement(out, &report->statement);
    write_numbers(out, report);
    write_curves(out, report);
    write_routes(out, report);
    write_plan(out, report);
    write_command(out, report);
    fputs("</main>\n</body>\n</html>\n", out);
}
