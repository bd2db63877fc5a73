/*
 * The page from top to bottom: the sentence on top, what it means for a
 * person, what must be true of the sampler, the parts, the curves, and then
 * the appendix.
 */
#include "report_page.h"

#include <math.h>
#include <string.h>

/* Parts of a plan that have a row of their own. */
#define MOST_ROWS 12

void report_element(FILE *out, const char *tag, const char *words)
{
    fprintf(out, "<%s>", tag);
    svg_write_text(out, words);
    fprintf(out, "</%s>\n", tag);
}

/* The sentences from the given one on. */
static void write_from(FILE *out, const struct report *report,
    enum statement_topic topic, size_t first, const char *tag)
{
    const struct statement_section *section =
        statement_about(&report->statement, topic);

    for (size_t i = first; section != NULL && i < section->n_sentences; i++)
        report_element(out, tag, section->sentences[i]);
}

void report_sentences(FILE *out, const struct report *report,
    enum statement_topic topic, const char *tag)
{
    write_from(out, report, topic, 0, tag);
}

/* ---- The head --------------------------------------------------------------
 */

static const char *title_of(const struct report *report)
{
    return report->fields.title != NULL ? report->fields.title
                                        : "Privacy report";
}

static void write_header(FILE *out, const struct report *report)
{
    const struct report_fields *f = &report->fields;
    double n_people = report->statement.n_people;
    char people[32];

    const struct {
        const char *name, *value;
    } facts[] = {{"Data set", f->data_set}, {"One record is about", f->unit},
        {"People", n_people > 0 ? people : NULL}, {"Owner", f->owner},
        {"Purpose", f->purpose}, {"Date", f->date}, {"Contact", f->contact}};
    const size_t n = sizeof facts / sizeof *facts;
    bool any = false;

    snprintf(people, sizeof people, "%.0f", n_people);
    fputs("<header>\n", out);
    report_element(out, "h1", title_of(report));
    fputs("<p class=\"headline\">", out);
    svg_write_text(out, report_headline(report).text);
    fputs("</p>\n", out);
    for (size_t i = 0; i < n; i++) {
        if (facts[i].value == NULL)
            continue;
        fputs(any ? "" : "<dl>\n", out);
        any = true;
        report_element(out, "dt", facts[i].name);
        report_element(out, "dd", facts[i].value);
    }
    fputs(any ? "</dl>\n</header>\n" : "</header>\n", out);
}

/* ---- What it means ---------------------------------------------------------
 */

/* A bar of so much of its rail; what it shows is in the words beside it. */
static void write_bar(FILE *out, double share)
{
    fprintf(out,
        "<svg class=\"bar\" viewBox=\"0 0 100 9\" preserveAspectRatio=\"none\" "
        "aria-hidden=\"true\"><rect class=\"rail\" width=\"100\" "
        "height=\"9\"/><rect class=\"a d a0\" width=\"%.1f\" height=\"9\"/>"
        "</svg>\n",
        100 * share);
}

struct tile {
    const char *name, *words;
    double upper; /* 1 where nothing better is known */
};

static void write_tile(FILE *out, const struct tile *tile)
{
    fputs("<div class=\"tile\">\n", out);
    report_element(out, "h3", tile->name);
    fprintf(out, "<p class=\"figure\"><span>%s</span> %s</p>\n",
        tile->upper < 1 ? "at most" : "up to",
        report_percent(tile->upper).text);
    write_bar(out, tile->upper);
    report_element(out, "p", tile->words);
    fputs("</div>\n", out);
}

static void write_tiles(FILE *out, const struct report *report)
{
    const dosi_risk *risk = &report->statement.risk;
    struct report_words guess = report_guess(report);
    char belief[160], prior[DOSI_NUMBER_BYTES];
    struct tile tiles[] = {
        {"Right guesses", guess.text, risk->accuracy.hi},
        {"Records recognised",
            "The attacker accepts a false alarm in 5\xc2\xa0% of the other "
            "cases. Alarms at random recognise 5\xc2\xa0%.",
            report->recognised.hi},
        {"Belief after an alarm", belief, report_posterior(report)},
    };

    statement_percent(prior, risk->prior);
    snprintf(belief, sizeof belief,
        "The attacker believed in %s\xc2\xa0%% before, and the alarm is one "
        "of those with 5\xc2\xa0%% false ones.",
        prior);
    fputs("<div class=\"tiles\">\n", out);
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        write_tile(out, &tiles[i]);
    fputs("</div>\n", out);
}

/* The sentences of a topic below its title, unless there are none. */
static void write_topic(
    FILE *out, const struct report *report, enum statement_topic topic)
{
    const struct statement_section *section =
        statement_about(&report->statement, topic);

    if (section == NULL)
        return;
    fprintf(out, "<section%s>\n",
        topic == STATEMENT_SAMPLER ? " class=\"warn\"" : "");
    report_element(out, "h2", section->title);
    fputs("<ul>\n", out);
    report_sentences(out, report, topic, "li");
    fputs("</ul>\n</section>\n", out);
}

static void write_meaning(FILE *out, const struct report *report)
{
    fputs("<section>\n<h2>What it means for a person</h2>\n", out);
    write_tiles(out, report);
    fputs("</section>\n", out);
}

/* ---- Parts -----------------------------------------------------------------
 */

static void write_part(
    FILE *out, const struct breakdown_part *part, double most)
{
    char alone[DOSI_NUMBER_BYTES], without[DOSI_NUMBER_BYTES];
    const char *label = dosi_plan_label(part->plan);

    dosi_print_upper(alone, part->alone.value.hi, 4);
    dosi_print_upper(without, part->without.value.hi, 4);
    fputs("<tr><th scope=\"row\">", out);
    svg_write_text(out, label != NULL ? label : part->plain);
    if (label != NULL) {
        fputs("<br><span class=\"soft\">", out);
        svg_write_text(out, part->plain);
        fputs("</span>", out);
    }
    write_bar(out, most > 0 ? part->share / most : 0);
    fprintf(out,
        "</th><td class=\"n\">%.1f %%</td><td class=\"n\">%s</td>"
        "<td class=\"n\">%s</td></tr>\n",
        100 * part->share, alone, without);
}

static void write_table_of_parts(FILE *out, const struct breakdown *b)
{
    double rest = 0, most = b->parts[0].share;
    size_t n = b->n > MOST_ROWS + 1 ? MOST_ROWS : b->n;

    fputs("<table class=\"parts\">\n<thead><tr><th scope=\"col\">part</th>"
          "<th scope=\"col\" class=\"n\">share</th>"
          "<th scope=\"col\" class=\"n\">ε alone</th>"
          "<th scope=\"col\" class=\"n\">ε without</th></tr></thead>\n"
          "<tbody>\n",
        out);
    for (size_t i = 0; i < n; i++)
        write_part(out, &b->parts[i], most);
    for (size_t i = n; i < b->n; i++)
        rest += b->parts[i].share;
    if (n < b->n)
        fprintf(out,
            "<tr><th scope=\"row\">%zu smaller parts</th>"
            "<td class=\"n\">%.1f %%</td><td></td><td></td></tr>\n",
            b->n - n, 100 * rest);
    fputs("</tbody>\n</table>\n"
          "<p class=\"soft\">Alone: the ε of this part by itself. Without: "
          "that of the plan if the part is left out. Both are upper ends. The "
          "share is the mean of what a part adds first and last, of all such "
          "means.</p>\n",
        out);
}

static void write_parts(FILE *out, const struct report *report)
{
    const struct breakdown *parts = &report->statement.parts;

    fputs("<section>\n", out);
    report_element(out, "h2",
        parts->n > 0 ? "What was run, and what each part costs"
                     : "What was run");
    if (parts->n > 0)
        write_table_of_parts(out, parts);
    fputs("<ul>\n", out);
    write_from(out, report, STATEMENT_RUN,
        parts->n > 0 ? report->statement.n_run : 0, "li");
    if (parts->n == 0)
        report_sentences(out, report, STATEMENT_COSTS, "li");
    fputs("</ul>\n</section>\n", out);
}

/* ---- Curves ----------------------------------------------------------------
 */

static const char *const captions[CURVE_KINDS] = {
    [CURVE_TRADEOFF] =
        "An attacker who tests for a record errs in two ways: false alarms "
        "(type I) and misses (type II). No test gets below the curve; on the "
        "dotted line nothing is learnt.",
    [CURVE_PROFILE] =
        "Epsilon and delta belong together: a smaller delta asks for a larger "
        "epsilon. The dot is the pair on top of this page.",
    [CURVE_STEPS] = "What epsilon was after so many steps, at the same delta; "
                    "the dot is the end.",
};

static void write_curves(FILE *out, const struct report *report)
{
    char id[32];

    fputs("<section>\n<h2>Curves</h2>\n<div class=\"curves\">\n", out);
    for (size_t i = 0; i < report->n_plots; i++) {
        enum curve_kind kind = report->plots[i].kind;
        snprintf(id, sizeof id, "%s-", curve_kinds[kind].name);
        fputs("<figure>\n", out);
        curves_write_svg(out, &report->plots[i], id);
        report_element(out, "figcaption", captions[kind]);
        fputs("</figure>\n", out);
    }
    fputs("</div>\n", out);
    for (size_t i = 0; i < report->n_gaps; i++) {
        if (!report->gaps[i].is_curve)
            continue;
        fputs("<p class=\"soft\">", out);
        svg_write_text(out, report->gaps[i].title);
        fprintf(out, ": %s.</p>\n", report->gaps[i].reason);
    }
    fputs("</section>\n", out);
}

void report_page_write(FILE *out, const struct report *report)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n",
        out);
    report_element(out, "title", title_of(report));
    report_style_write(out);
    fputs("</head>\n<body>\n<main>\n", out);
    write_header(out, report);
    write_meaning(out, report);
    write_topic(out, report, STATEMENT_SAMPLER);
    write_parts(out, report);
    write_curves(out, report);
    write_topic(out, report, STATEMENT_UNIT);
    write_topic(out, report, STATEMENT_DELTA);
    report_appendix_write(out, report);
    fputs("</main>\n</body>\n</html>\n", out);
}
