/*
 * The table of a sweep: for people and as Markdown with the safe ends,
 * rounded outward; as CSV and JSON with both ends, and reasons.
 */
#include "sweep.h"

#include <string.h>

#define DIGITS 6
#define LABEL_BYTES 96

/* "epsilon(delta=1e-5)", with an ending behind the first word. */
static void label_of(char text[LABEL_BYTES], const struct sweep *s, size_t j,
    const char *ending)
{
    const struct sweep_asked *asked = &s->asked[j];
    char at[DOSI_NUMBER_BYTES];

    dosi_print_exact(at, asked->given);
    snprintf(text, LABEL_BYTES, "%s%s(%s=%s)", asked->question->label, ending,
        asked->question->given, at);
}

static const struct sweep_answer *answer_of(
    const struct sweep *s, size_t cell, size_t j)
{
    return &s->answers[cell * s->n_asked + j];
}

/* The end that is safe to report, or "-". */
static void safe_text(
    char text[DOSI_NUMBER_BYTES], const struct sweep *s, size_t cell, size_t j)
{
    const struct sweep_answer *a = answer_of(s, cell, j);
    int n_digits = s->n_digits > 0 ? s->n_digits : DIGITS;

    if (a->status != DOSI_OK)
        snprintf(text, DOSI_NUMBER_BYTES, "-");
    else if (s->asked[j].question->safe_is_lower)
        dosi_print_lower(text, a->value.lo, n_digits);
    else
        dosi_print_upper(text, a->value.hi, n_digits);
}

/* The first failure of each kind of message, after the table. */
static void write_failures(const struct sweep *s)
{
    const char *said = NULL;

    for (size_t i = 0; i < s->n_cells * s->n_asked; i++) {
        const char *message = s->answers[i].message;
        if (message != NULL && (said == NULL || strcmp(said, message) != 0)) {
            cli_say("a cell has no answer: %s", message);
            said = message;
        }
    }
}

static void write_ends_note(const struct sweep *s)
{
    bool lower = false, upper = false;

    for (size_t j = 0; j < s->n_asked; j++)
        *(s->asked[j].question->safe_is_lower ? &lower : &upper) = true;
    printf("neighbours %s; %s\n", cli_neighbours_name(s->neighbours),
        lower && upper ? "beta is a lower end, the others are upper ends"
        : lower        ? "lower ends"
                       : "upper ends");
}

/* Rows of cells, parted as a table for people or as Markdown. */
static void write_rows(const struct sweep *s, bool md)
{
    const char *start = md ? "| " : "  ", *gap = md ? " | " : "  ";
    const char *end = md ? " |\n" : "\n";
    char text[LABEL_BYTES];
    int widths[SWEEP_MOST_VARIED + SWEEP_MOST_ASKED];
    size_t n = s->n_varied + s->n_asked;

    for (size_t k = 0; k < n; k++) {
        bool last = k + 1 == n && !md;
        if (k < s->n_varied)
            snprintf(text, sizeof text, "%s", s->varied[k].name);
        else
            label_of(text, s, k - s->n_varied, "");
        widths[k] = last ? 0 : strlen(text) > 12 ? (int)strlen(text) : 12;
        printf("%s%-*s", k > 0 ? gap : start, widths[k], text);
    }
    fputs(end, stdout);
    for (size_t k = 0; k < n && md; k++)
        printf("%s---%s", k > 0 ? "" : "| ", k + 1 < n ? " | " : " |\n");
    for (size_t i = 0; i < s->n_cells; i++) {
        double values[SWEEP_MOST_VARIED];
        sweep_values(values, s, i);
        for (size_t k = 0; k < n; k++) {
            if (k < s->n_varied)
                dosi_print_exact(text, values[k]);
            else
                safe_text(text, s, i, k - s->n_varied);
            printf("%s%-*s", k > 0 ? gap : start, widths[k], text);
        }
        fputs(end, stdout);
    }
}

static void write_table(const struct sweep *s)
{
    write_ends_note(s);
    write_rows(s, false);
    write_failures(s);
}

static void write_md(const struct sweep *s)
{
    write_rows(s, true);
    write_failures(s);
}

static void write_csv(const struct sweep *s)
{
    char text[LABEL_BYTES];

    for (size_t k = 0; k < s->n_varied; k++)
        printf("%s%s", k > 0 ? "," : "", s->varied[k].name);
    for (size_t j = 0; j < s->n_asked; j++) {
        label_of(text, s, j, "_lower");
        printf(",%s", text);
        label_of(text, s, j, "_upper");
        printf(",%s", text);
    }
    putchar('\n');
    for (size_t i = 0; i < s->n_cells; i++) {
        double values[SWEEP_MOST_VARIED];
        sweep_values(values, s, i);
        for (size_t k = 0; k < s->n_varied; k++) {
            dosi_print_exact(text, values[k]);
            printf("%s%s", k > 0 ? "," : "", text);
        }
        for (size_t j = 0; j < s->n_asked; j++) {
            const struct sweep_answer *a = answer_of(s, i, j);
            char lower[DOSI_NUMBER_BYTES] = "", upper[DOSI_NUMBER_BYTES] = "";
            if (a->status == DOSI_OK) {
                dosi_print_lower(lower, a->value.lo, 17);
                dosi_print_upper(upper, a->value.hi, 17);
            }
            printf(",%s,%s", lower, upper);
        }
        putchar('\n');
    }
    write_failures(s);
}

static void json_answer(
    const struct sweep *s, const struct sweep_answer *a, size_t j)
{
    const struct sweep_asked *asked = &s->asked[j];

    fputs(j > 0 ? ",{" : "{", stdout);
    cli_json_text("query", cli_commands[asked->question->command].name, true);
    cli_json_key(asked->question->given, false);
    cli_json_number(asked->given);
    if (a->status == DOSI_OK) {
        cli_json_key("lower", false);
        cli_json_number(a->value.lo);
        cli_json_key("upper", false);
        cli_json_number(a->value.hi);
        if (a->reason != NULL)
            cli_json_text("reason", a->reason, false);
    } else {
        cli_json_key("error", false);
        putchar('{');
        cli_json_text("status", dosi_status_name(a->status), true);
        cli_json_text("message", a->message != NULL ? a->message : "", false);
        putchar('}');
    }
    putchar('}');
}

/* A list, one cell a line. */
static void write_json(const struct sweep *s)
{
    for (size_t i = 0; i < s->n_cells; i++) {
        double values[SWEEP_MOST_VARIED];
        sweep_values(values, s, i);
        fputs(i > 0 ? ",\n{" : "[{", stdout);
        for (size_t k = 0; k < s->n_varied; k++) {
            cli_json_key(s->varied[k].name, k == 0);
            cli_json_number(values[k]);
        }
        cli_json_text("neighbours", cli_neighbours_name(s->neighbours), false);
        cli_json_key("answers", false);
        putchar('[');
        for (size_t j = 0; j < s->n_asked; j++)
            json_answer(s, answer_of(s, i, j), j);
        fputs("]}", stdout);
    }
    puts("]");
}

static const struct {
    const char *name;
    void (*write)(const struct sweep *s);
} formats[] = {{"table", write_table}, {"csv", write_csv}, {"md", write_md},
    {"json", write_json}};

bool sweep_is_format(const char *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(format, formats[i].name) == 0)
            return true;
    return false;
}

void sweep_write(const struct sweep *s, const char *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(format, formats[i].name) == 0)
            formats[i].write(s);
}
