/*
 * A checklist along the topics of NIST SP 800-226, "Guidelines for Evaluating
 * Differential Privacy Guarantees" (2025): what the plan and the options state
 * is checked off, and what nobody has stated yet is a question.
 */
#include "report_page.h"

#include <inttypes.h>
#include <string.h>

/* Text in Markdown, of which nothing becomes markup. */
static void write_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fprintf(out, strchr("<>&`*[]\\", *text) != NULL ? "\\%c" : "%c", *text);
}

/* ---- What is stated --------------------------------------------------------
 * Each function says whether it is, and writes it unless out is NULL.
 */

static bool write_field(FILE *out, const char *text)
{
    if (text != NULL && out != NULL)
        write_text(out, text);
    return text != NULL;
}

static bool write_topic(
    FILE *out, const struct report *report, enum statement_topic topic)
{
    const struct statement_section *section =
        statement_about(&report->statement, topic);

    for (size_t i = 0; section != NULL && out != NULL &&
                       i < section->n_sentences; i++) {
        fputs(i > 0 ? " " : "", out);
        write_text(out, section->sentences[i]);
        fputs(report_stop(section->sentences[i]), out);
    }
    return section != NULL;
}

static bool parameters(FILE *out, const struct report *report)
{
    if (statement_is_unprotected(&report->statement))
        return false;
    return write_topic(out, report, STATEMENT_GUARANTEE);
}

static bool delta(FILE *out, const struct report *report)
{
    if (statement_is_unprotected(&report->statement) ||
        report->statement.n_people == 0)
        return false;
    return write_topic(out, report, STATEMENT_DELTA);
}

static bool unit(FILE *out, const struct report *report)
{
    return write_field(out, report->fields.unit);
}

static bool relation(FILE *out, const struct report *report)
{
    if (out != NULL)
        fputs(report->epsilon.neighbours == DOSI_REPLACE
                  ? "Bounded: neighbouring data sets differ in what one record "
                    "says."
                  : "Unbounded: neighbouring data sets differ in whether one "
                    "record is there.",
            out);
    return true;
}

static bool records(FILE *out, const struct report *report)
{
    if (report->group > 1 && out != NULL)
        fprintf(out,
            "The plan protects groups of %.0f records; that nobody has more is "
            "assumed.",
            report->group);
    return report->group > 1;
}

static bool mechanisms(FILE *out, const struct report *report)
{
    return write_topic(out, report, STATEMENT_RUN);
}

static bool composition(FILE *out, const struct report *report)
{
    if (statement_is_unprotected(&report->statement))
        return false;
    return write_topic(out, report, STATEMENT_PROOF);
}

static bool data_set(FILE *out, const struct report *report)
{
    return write_field(out, report->fields.data_set);
}

static bool purpose(FILE *out, const struct report *report)
{
    return write_field(out, report->fields.purpose);
}

static bool responsible(FILE *out, const struct report *report)
{
    const struct report_fields *f = &report->fields;

    if (f->owner == NULL || f->contact == NULL)
        return false;
    write_field(out, f->owner);
    if (out != NULL)
        fputs("; ", out);
    return write_field(out, f->contact);
}

static bool again(FILE *out, const struct report *report)
{
    if (out == NULL)
        return true;
    report_command(out, report, " ", write_text);
    fprintf(out, ", with dosimeter %s; hash of the plan %016" PRIx64 ".",
        dosi_version(), report->hash);
    return true;
}

/* Whether the item is asked for; all are unless the plan has no sampler. */
static bool has_sampler(const struct report *report)
{
    return statement_about(&report->statement, STATEMENT_SAMPLER) != NULL;
}

/* ---- The list --------------------------------------------------------------
 */

static const struct item {
    const char *topic; /* NULL: that of the item above */
    const char *name;
    bool (*state)(FILE *out, const struct report *report);
    const char *open; /* what has to be answered */
    bool (*applies)(const struct report *report); /* NULL: always */
} items[] = {
    {"Privacy parameters", "Epsilon and delta", parameters,
        "No finite epsilon is certified for this plan.", NULL},
    {NULL, "Delta against the number of people", delta,
        "How many people are in the data? (--people)", NULL},
    {NULL, "Choice of the parameters", NULL,
        "Who chose epsilon, by which reasons, and who may change it?", NULL},
    {NULL, "Later releases", NULL,
        "Is the data released again, and under which total budget?", NULL},
    {"Unit of privacy", "What one record is about", unit,
        "A person, a household, an event? (--unit)", NULL},
    {NULL, "Neighbouring data sets", relation, NULL, NULL},
    {NULL, "Records of one person", records,
        "How is it enforced that a person has one record? If not, group(k, "
        "PLAN) accounts for k.",
        NULL},
    {"Algorithms", "Mechanisms", mechanisms, NULL, NULL},
    {NULL, "Composition", composition,
        "No theorem gives a finite epsilon for this plan.", NULL},
    {NULL, "Sensitivity", NULL,
        "Are the bounds, clipping norms and cells public, and enforced before "
        "the noise is added?",
        NULL},
    {NULL, "Sampler", NULL,
        "Does the code draw the records as the plan states, or does it "
        "shuffle them?",
        has_sampler},
    {NULL, "Tuning", NULL,
        "Are all runs in the plan, including discarded ones and the search "
        "for parameters?",
        NULL},
    {NULL, "Post-processing", NULL,
        "Does everything after the noise work on results alone, without the "
        "data?",
        NULL},
    {"Utility and bias", "Accuracy", NULL,
        "Are the results accurate enough for their purpose, and is the error "
        "published?",
        NULL},
    {NULL, "Bias", NULL,
        "Are small groups hit harder by noise, clipping and rounding?", NULL},
    {"Queries and trust", "Model", NULL,
        "Central, local or shuffled: who sees the data before the noise?",
        NULL},
    {NULL, "Queries", NULL,
        "Are queries fixed in advance, or may analysts ask, and do they share "
        "one budget?",
        NULL},
    {"Implementation", "Noise", NULL,
        "Is it drawn exactly, or by floating-point arithmetic that leaks?",
        NULL},
    {NULL, "Randomness", NULL,
        "Is the generator cryptographic, and its seed secret and used once?",
        NULL},
    {NULL, "Side channels", NULL,
        "Can errors, running times or sizes of answers tell something of a "
        "record?",
        NULL},
    {"Security and collection", "Access", NULL,
        "Who can read the data and what was computed on the way, and is that "
        "logged?",
        NULL},
    {NULL, "Collection", NULL,
        "Are the data exposed where they are collected, and how long are they "
        "kept?",
        NULL},
    {"Documentation", "Data set", data_set, "Which? (--data-set)", NULL},
    {NULL, "Purpose", purpose, "What are the results for? (--purpose)", NULL},
    {NULL, "Who is responsible", responsible,
        "Owner and contact? (--owner, --contact)", NULL},
    {NULL, "Reproduction", again, NULL, NULL},
};

static void write_item(
    FILE *out, const struct item *item, const struct report *report)
{
    bool is_stated = item->state != NULL && item->state(NULL, report);

    if (item->topic != NULL)
        fprintf(out, "\n## %s\n\n", item->topic);
    fprintf(out, "- [%c] %s: ", is_stated ? 'x' : ' ', item->name);
    if (is_stated)
        item->state(out, report);
    else
        fputs(item->open, out);
    fputc('\n', out);
}

void report_checklist_write(FILE *out, const struct report *report)
{
    const char *title = report->fields.title;
    size_t n = 0, n_stated = 0;

    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        const struct item *item = &items[i];
        if (item->applies != NULL && !item->applies(report))
            continue;
        n++;
        n_stated += item->state != NULL && item->state(NULL, report);
    }
    fputs("# ", out);
    write_text(out, title != NULL ? title : "Privacy report");
    fputs("\n\n", out);
    write_text(out, report_headline(report).text);
    fprintf(out,
        "\n\nThe topics are those of NIST SP 800-226. Of %zu items %zu are "
        "stated by the plan or its report; the others are open. A tick says "
        "that something is stated, not that it is good.\n",
        n, n_stated);
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (items[i].applies == NULL || items[i].applies(report))
            write_item(out, &items[i], report);
}
