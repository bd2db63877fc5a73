/*
 * An entry of the public registry of deployments, by the schema of
 * opendp/deployments-registry-data as of 2026: url_slug and deployment, whose
 * blocks basic and administrative are required. What the plan and the options
 * state is filled in; what they do not is a comment that becomes a line of
 * the entry when its "#" is deleted.
 */
#include "report_page.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Values ----------------------------------------------------------------
 */

/* Text within double quotes. YAML has no place for U+FFFE and U+FFFF. */
static void write_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char *s = (const unsigned char *)text;
        if (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe) {
            fprintf(out, "\\uFFF%c", s[2] == 0xbe ? 'E' : 'F');
            text += 2;
        } else {
            fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
        }
    }
}

static bool write_quoted(FILE *out, const char *text)
{
    if (text == NULL || out == NULL)
        return text != NULL;
    fputc('"', out);
    write_text(out, text);
    fputc('"', out);
    return true;
}

static bool write_topic(
    FILE *out, const struct report *report, enum statement_topic topic)
{
    const struct statement_section *section =
        statement_about(&report->statement, topic);

    if (section == NULL || out == NULL)
        return section != NULL;
    fputc('"', out);
    for (size_t i = 0; i < section->n_sentences; i++) {
        fputs(i > 0 ? " " : "", out);
        write_text(out, section->sentences[i]);
        fputs(report_stop(section->sentences[i]), out);
    }
    fputc('"', out);
    return true;
}

/* A number that readers of YAML 1.1 take for one: 1.0e-5, not 1e-5. */
static void write_number(FILE *out, const char *digits)
{
    const char *power = strchr(digits, 'e');

    if (power == NULL || memchr(digits, '.', (size_t)(power - digits)) != NULL)
        fputs(digits, out);
    else
        fprintf(out, "%.*s.0%s", (int)(power - digits), digits, power);
}

/* ---- What is known ---------------------------------------------------------
 * Each function says whether there is a value, and writes it unless out is
 * NULL.
 */

/* The title in small letters and digits, with "-" between words. */
static bool slug(FILE *out, const struct report *report)
{
    const char *title = report->fields.title;
    bool any = false, gap = false;

    if (title != NULL && out != NULL)
        fputc('"', out);
    for (; title != NULL && *title != '\0'; title++) {
        unsigned char c = (unsigned char)*title;
        bool is_plain = c < 0x80 && isalnum(c);
        if (is_plain && out != NULL)
            fprintf(out, "%s%c", gap && any ? "-" : "", tolower(c));
        any = any || is_plain;
        gap = !is_plain;
    }
    if (report->fields.title != NULL && out != NULL)
        fputc('"', out);
    return any;
}

static bool name(FILE *out, const struct report *report)
{
    return write_quoted(out, report->fields.title);
}

static bool owner(FILE *out, const struct report *report)
{
    return write_quoted(out, report->fields.owner);
}

static bool purpose(FILE *out, const struct report *report)
{
    return write_quoted(out, report->fields.purpose);
}

static bool date(FILE *out, const struct report *report)
{
    return write_quoted(out, report->fields.date);
}

static bool data_set(FILE *out, const struct report *report)
{
    return write_quoted(out, report->fields.data_set);
}

static bool unit(FILE *out, const struct report *report)
{
    return write_quoted(out, report->fields.unit);
}

static bool unit_details(FILE *out, const struct report *report)
{
    return write_topic(out, report, STATEMENT_UNIT);
}

static bool people(FILE *out, const struct report *report)
{
    if (report->statement.n_people > 0 && out != NULL)
        fprintf(out, "%.0f", report->statement.n_people);
    return report->statement.n_people > 0;
}

static bool has_epsilon(const struct report *report)
{
    return !statement_is_unprotected(&report->statement);
}

static bool variant(FILE *out, const struct report *report)
{
    return write_quoted(out, has_epsilon(report) ? "Approximate DP" : NULL);
}

static bool epsilon(FILE *out, const struct report *report)
{
    char digits[DOSI_NUMBER_BYTES];

    dosi_print_upper(digits, report->statement.epsilon.value.hi, 6);
    if (has_epsilon(report) && out != NULL)
        write_number(out, digits);
    return has_epsilon(report);
}

static bool delta(FILE *out, const struct report *report)
{
    char digits[DOSI_NUMBER_BYTES];

    dosi_print_exact(digits, report->statement.delta);
    if (has_epsilon(report) && out != NULL)
        write_number(out, digits);
    return has_epsilon(report);
}

static bool parameter_details(FILE *out, const struct report *report)
{
    return write_topic(out, report, STATEMENT_GUARANTEE);
}

static bool mechanisms(FILE *out, const struct report *report)
{
    return write_topic(out, report, STATEMENT_RUN);
}

static bool composition(FILE *out, const struct report *report)
{
    return write_topic(out, report, STATEMENT_PROOF);
}

static void write_assumed(FILE *out, const struct report *report,
    enum statement_topic topic)
{
    const struct statement_section *section =
        statement_about(&report->statement, topic);

    for (size_t i = 0; section != NULL && i < section->n_sentences; i++) {
        fputc(' ', out);
        write_text(out, section->sentences[i]);
    }
}

static bool additional(FILE *out, const struct report *report)
{
    if (out == NULL)
        return true;
    fputs("\"Assumed, not checked by the accountant:", out);
    write_assumed(out, report, STATEMENT_SAMPLER);
    write_assumed(out, report, STATEMENT_ASSUMED);
    fprintf(out, " Computed by dosimeter %s, hash of the plan %016" PRIx64
                 ", with: ",
        dosi_version(), report->hash);
    report_command(out, report, " ", write_text);
    fputc('"', out);
    return true;
}

static bool draft(FILE *out, const struct report *report)
{
    (void)report;
    return write_quoted(out, "Draft");
}

static bool tier(FILE *out, const struct report *report)
{
    (void)report;
    if (out != NULL)
        fputc('1', out);
    return true;
}

/* ---- The entry -------------------------------------------------------------
 */

/* One row a line of the entry; a value that nobody knows has no function, but
 * a hint. A row with further ones below it is a block and has neither. */
static const struct row {
    int indent;
    const char *key;
    bool (*value)(FILE *out, const struct report *report);
    const char *hint;
} rows[] = {
    {0, "url_slug", slug, "small letters and digits, for the address"},
    {0, "deployment", NULL, NULL},
    {2, "basic", NULL, NULL},
    {4, "name", name, "of what is published (--title)"},
    {4, "data_curators", NULL, NULL},
    {6, "- data_curator_name", owner, "who publishes it (--owner)"},
    {8, "data_curator_type", NULL, "Government, Industry or Nonprofit"},
    {4, "description", NULL, "what is published, in brief"},
    {4, "intended_use", purpose, "--purpose"},
    {4, "data_product_type", NULL,
        "Summary statistics, Machine learning model, Dataset, Synthetic data, "
        "Interactive API or SQL queries"},
    {4, "data_product_region", NULL,
        "the region that the data describe or whose law applies"},
    {4, "data_product_sector", NULL,
        "Technology, Healthcare, Education, Government, Energy or Finance; "
        "not required"},
    {4, "publication_date", date, "YYYY-MM-DD (--date)"},
    {2, "dp_variant", NULL, NULL},
    {4, "variant_name", variant,
        "Pure DP, Approximate DP, Zero-concentrated DP, Renyi DP or Custom"},
    {4, "data_domain", data_set,
        "the data sets that are protected (--data-set)"},
    {4, "unprotected_quantities", NULL,
        "what is published without noise, such as totals; none is an answer"},
    {2, "privacy_loss", NULL, NULL},
    {4, "privacy_unit", unit,
        "what one record is about, as in person or household (--unit)"},
    {4, "privacy_unit_details", unit_details, NULL},
    {4, "number_of_privacy_units", people, "a number (--people)"},
    {4, "privacy_parameters", NULL, NULL},
    {6, "epsilon", epsilon, "none is certified"},
    {6, "delta", delta, "none without an epsilon"},
    {4, "privacy_parameters_details", parameter_details, NULL},
    {2, "deployment_model", NULL, NULL},
    {4, "model_name", NULL,
        "Central, Local, Shuffle, Federated or Varies"},
    {4, "trust_assumptions", NULL,
        "who may see the data or the results, and is trusted with what"},
    {4, "release_type", NULL, "One release or Many releases"},
    {4, "release_type_details", NULL,
        "later releases of the same data, and how their loss adds up"},
    {4, "data_source_type", NULL, "Static or Dynamic"},
    {4, "access_type", NULL, "Interactive or Non-interactive"},
    {4, "access_type_details", NULL,
        "with queries: how the budget is divided among analysts"},
    {2, "implementation", NULL, NULL},
    {4, "preprocessing_and_hyperparameter_tuning", NULL,
        "what was done with the data before, and whether its loss is counted"},
    {4, "mechanisms", mechanisms, NULL},
    {4, "composition", composition, NULL},
    {4, "post_processing", NULL,
        "what was done with the results afterwards"},
    {4, "justification", NULL, "why these choices, and who made them"},
    {4, "utility", NULL, "how accurate the results are"},
    {4, "additional_information", additional, NULL},
    {2, "administrative", NULL, NULL},
    {4, "status", draft, NULL},
    {4, "registry_authors", NULL, NULL},
    {6, "- ", NULL, "who fills in this entry"},
    {4, "tier", tier, NULL},
};

static const size_t n_rows = sizeof rows / sizeof *rows;

static bool is_block(size_t i)
{
    return rows[i].value == NULL && rows[i].hint == NULL;
}

/* A block is known where any of its values is. */
static bool is_known(size_t i, const struct report *report)
{
    if (!is_block(i))
        return rows[i].value != NULL && rows[i].value(NULL, report);
    for (size_t j = i + 1; j < n_rows && rows[j].indent > rows[i].indent; j++)
        if (!is_block(j) && is_known(j, report))
            return true;
    return false;
}

static void write_row(FILE *out, size_t i, const struct report *report)
{
    const struct row *row = &rows[i];
    bool is_item = strcmp(row->key, "- ") == 0;
    bool has_value = is_known(i, report);

    fprintf(out, "%s%*s%s%s", has_value ? "" : "#", row->indent, "", row->key,
        is_item ? "" : ":");
    if (!is_block(i)) {
        fputs(is_item ? "" : " ", out);
        if (has_value)
            row->value(out, report);
        else
            fprintf(out, "\"\"  # open: %s",
                row->hint != NULL ? row->hint : "");
    }
    fputc('\n', out);
}

void report_registry_write(FILE *out, const struct report *report)
{
    fprintf(out,
        "## An entry for opendp/deployments-registry-data, made by dosimeter "
        "%s.\n"
        "## Lines that start with one # are open: fill them in, and delete "
        "the #.\n"
        "## Tier 1 is what holds now; 2 needs deployment_model, 3 all of it.\n",
        dosi_version());
    for (size_t i = 0; i < n_rows; i++)
        write_row(out, i, report);
}
