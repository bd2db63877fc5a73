/*
 * The appendix of the page: the other quantities with what each of them says,
 * how the numbers are known, what is taken on trust, and how to make the page
 * again.
 */
#include "report_page.h"

#include <inttypes.h>
#include <string.h>

/* Neither end is broken between two lines of a narrow page. */
static void write_interval(FILE *out, dosi_interval x, int n_digits)
{
    char words[CLI_INTERVAL_BYTES];

    cli_interval_text(words, x, n_digits);
    char *between = strstr(words, " .. ");
    *between = '\0';
    fprintf(out, "<span>%s ..</span> <span>%s</span>", words, between + 4);
}

static void write_numbers(FILE *out, const struct report *report)
{
    fputs("<h3>Other quantities</h3>\n<p class=\"soft\">Rounded outward; the "
          "upper ends are safe to report.</p>\n<table>\n<thead><tr>"
          "<th scope=\"col\">quantity</th>"
          "<th scope=\"col\" class=\"n\">at least .. at most</th></tr>"
          "</thead>\n<tbody>\n",
        out);
    for (size_t i = 0; i < report->n_numbers; i++) {
        const struct report_number *at = &report->numbers[i];
        fputs("<tr><th scope=\"row\">", out);
        svg_write_text(out, at->name);
        fputs("<br><span class=\"soft\">", out);
        svg_write_text(out, at->meaning);
        fputs("</span></th><td class=\"n\">", out);
        write_interval(out, at->value, 6);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
    for (size_t i = 0; i < report->n_gaps; i++)
        if (!report->gaps[i].is_curve)
            fprintf(out, "<p class=\"soft\">%s: %s.</p>\n",
                report->gaps[i].title, report->gaps[i].reason);
}

static void write_route(
    FILE *out, const struct route_said *said, bool is_best)
{
    char ground[ROUTE_GROUND_BYTES];

    route_ground(ground, said);
    fprintf(out, "<tr><th scope=\"row\"><span%s>",
        is_best ? " class=\"best\"" : "");
    svg_write_text(out, cli_route_words(said->route));
    fputs("</span><br><span class=\"soft\">", out);
    svg_write_text(out, ground);
    fprintf(out, "</span></th><td class=\"n%s\">",
        is_best ? " best" : "");
    if (said->bounds || said->answer.value.lo > 0)
        write_interval(out, said->answer.value, 0);
    else
        fputs("–", out);
    fputs("</td></tr>\n", out);
}

static void write_methods(FILE *out, const struct report *report)
{
    const struct routes *routes = &report->routes;

    fputs("<h3>How it is known</h3>\n<ul>\n", out);
    report_sentences(out, report, STATEMENT_GUARANTEE, "li");
    report_sentences(out, report, STATEMENT_PROOF, "li");
    fputs("</ul>\n<p>Every method was asked alone as well. All intervals "
          "contain the exact ε; the best is on top.</p>\n<table>\n<thead><tr>"
          "<th scope=\"col\">method, and its theorems or why it has no bound"
          "</th><th scope=\"col\" class=\"n\">ε</th></tr></thead>\n<tbody>\n",
        out);
    for (size_t i = 0; i < routes->n; i++)
        write_route(
            out, &routes->said[i], i == 0 && routes->said[i].bounds);
    fputs("</tbody>\n</table>\n", out);
}

/* A unit is a word of the person who wrote the command, not of the plan. */
static void write_assumptions(FILE *out, const struct report *report)
{
    const char *unit = report->fields.unit;

    fputs("<h3>Assumed, not checked</h3>\n<ul>\n", out);
    report_sentences(out, report, STATEMENT_ASSUMED, "li");
    if (unit != NULL) {
        fputs("<li>That one ", out);
        svg_write_text(out, unit);
        fprintf(out, " has at most %.0f record%s in the data.</li>\n",
            report->group, report->group > 1 ? "s" : "");
    }
    fputs("</ul>\n", out);
}

static void write_reproduction(FILE *out, const struct report *report)
{
    fputs("<h3>Make it again</h3>\n<pre>", out);
    report_command(out, report, " \\\n    ", svg_write_text);
    fprintf(out,
        "</pre>\n<p>The same command gives the same bytes with dosimeter %s, "
        "unless a time limit ended it.</p>\n<p>The plan in its normal form, "
        "with hash <code>%016" PRIx64 "</code>:</p>\n",
        dosi_version(), report->hash);
    report_element(out, "pre", report->statement.plan);
}

void report_appendix_write(FILE *out, const struct report *report)
{
    fputs("<section class=\"appendix\">\n<h2>Appendix</h2>\n", out);
    write_numbers(out, report);
    write_methods(out, report);
    write_assumptions(out, report);
    write_reproduction(out, report);
    fputs("</section>\n", out);
}
