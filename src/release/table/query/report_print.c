/*
 * Prints an answer, or the cost of a query, as text, JSON or CSV.
 */
#include "report_print.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "release/entropy/words.h"

static const char *text_at(const struct answer_rows *rows, size_t offset)
{
    return offset == ANSWER_NONE ? NULL : rows->text.text + offset;
}

static const char *relation_name(const struct report_facts *f)
{
    return f->neighbours == DOSI_REPLACE ? "replace" : "add_remove";
}

static void write_pad(dosi_buffer *b, size_t n)
{
    for (; n > 0; n--)
        dosi_buffer_text(b, " ");
}

/* Characters of a text that is UTF-8, as good as columns. */
static size_t columns_of(const char *text)
{
    size_t n = 0;
    for (; text != NULL && *text != '\0'; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

/* ---- Text -------------------------------------------------------------- */

struct widths {
    size_t name, cell, value;
};

static size_t wider(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void write_row(dosi_buffer *b, const struct answer_rows *rows,
    const struct answer_row *row, const struct widths *w)
{
    const char *texts[] = {text_at(rows, row->name), text_at(rows, row->cell),
        text_at(rows, row->value)};
    const size_t columns[] = {w->name, w->cell, w->value};
    for (int i = 0; i < 3; i++) {
        if (columns[i] == 0)
            continue;
        size_t n = columns_of(texts[i]);
        if (i == 2)
            write_pad(b, columns[i] - n);
        dosi_buffer_text(b, texts[i] != NULL ? texts[i] : "");
        if (i < 2)
            write_pad(b, columns[i] - n + 2);
    }
    if (row->lower != ANSWER_NONE) {
        dosi_buffer_text(b, "   ");
        dosi_buffer_text(b, text_at(rows, row->lower));
        dosi_buffer_text(b, " .. ");
        dosi_buffer_text(b, text_at(rows, row->upper));
    }
    if (row->within != ANSWER_NONE) {
        dosi_buffer_text(b, "   within ");
        dosi_buffer_text(b, text_at(rows, row->within));
    }
    dosi_buffer_text(b, "\n");
}

static void write_rows(dosi_buffer *b, const struct answer_rows *rows)
{
    struct widths w = {0};
    for (size_t i = 0; i < rows->n; i++) {
        const struct answer_row *row = &rows->rows[i];
        w.name = wider(w.name, columns_of(text_at(rows, row->name)));
        w.cell = wider(w.cell, columns_of(text_at(rows, row->cell)));
        w.value = wider(w.value, columns_of(text_at(rows, row->value)));
    }
    for (size_t i = 0; i < rows->n; i++)
        write_row(b, rows, &rows->rows[i], &w);
}

static void write_line(dosi_buffer *b, const char *label, const char *text)
{
    dosi_buffer_text(b, "  ");
    dosi_buffer_text(b, label);
    write_pad(b, 11 - strlen(label));
    dosi_buffer_text(b, text);
    dosi_buffer_text(b, "\n");
}

static void write_list(dosi_buffer *b, const struct report_facts *f,
    enum fact_kind kind, const char *label)
{
    for (size_t i = 0; i < f->lists[kind].n; i++)
        write_line(b, label, f->lists[kind].texts[i]);
}

/* The safe end: the budget where it was met, else rounded up to 5 digits. */
static void write_upper(dosi_buffer *b, const struct report_facts *f)
{
    char text[DOSI_NUMBER_BYTES];
    double hi = f->epsilon.hi;
    if (hi <= f->budget && hi >= f->budget * (1 - 1e-4))
        dosi_print_exact(text, f->budget);
    else
        dosi_print_upper(text, hi, 5);
    dosi_buffer_text(b, text);
}

/* The first line, as `dosimeter epsilon` has it. */
static void write_cost(dosi_buffer *b, const struct report_facts *f)
{
    char text[DOSI_NUMBER_BYTES];
    dosi_buffer_text(b, "epsilon <= ");
    write_upper(b, f);
    dosi_buffer_text(b, " at delta ");
    dosi_print_exact(text, f->delta);
    dosi_buffer_text(b, text);
    dosi_buffer_text(b, "   (between ");
    dosi_print_lower(text, f->epsilon.lo, 12);
    dosi_buffer_text(b, text);
    dosi_buffer_text(b, " and ");
    dosi_print_upper(text, f->epsilon.hi, 12);
    dosi_buffer_text(b, text);
    dosi_buffer_text(b, ")\n");
}

static void write_text(dosi_buffer *b, const struct report_facts *f,
    const struct answer_rows *rows)
{
    if (words_warning() != NULL) {
        dosi_buffer_text(b, words_warning());
        dosi_buffer_text(b, "\n");
    }
    write_cost(b, f);
    dosi_buffer_text(b, "unit ");
    dosi_buffer_text(b, f->lists[FACT_UNIT].texts[0]);
    dosi_buffer_text(b, "\n");
    if (rows != NULL)
        write_rows(b, rows);
    write_line(b, "neighbours", relation_name(f));
    write_line(b, "plan", f->plan_text);
    write_line(b, "hash", f->hash);
    write_line(b, "level", f->level);
    write_list(b, f, FACT_NOISE, "noise");
    write_list(b, f, FACT_BOUNDS, "bounds");
    write_list(b, f, FACT_LIMITS, "limits");
    write_list(b, f, FACT_ASSUMED, "assumed");
    if (rows == NULL)
        return;
    dosi_buffer_text(b,
        "Intervals cover the noise alone, each one separately.\n"
        "Every run is a separate release: their plans add up.\n");
    if (!f->has_bad)
        dosi_buffer_text(b, "Bad records contribute nothing; --count-bad "
                            "releases their number.\n");
}

/* ---- JSON -------------------------------------------------------------- */

static void json_text(dosi_buffer *b, const char *key, const char *value)
{
    dosi_buffer_text(b, key);
    if (value == NULL)
        dosi_buffer_text(b, "null");
    else
        dosi_buffer_json_string(b, value, strlen(value));
}

static void json_number(dosi_buffer *b, const char *key, double x)
{
    char text[DOSI_NUMBER_BYTES];
    size_t n = dosi_print_exact(text, x);
    dosi_buffer_text(b, key);
    if (isfinite(x))
        dosi_buffer_bytes(b, text, n);
    else
        dosi_buffer_json_string(b, text, n);
}

static void json_list(dosi_buffer *b, const struct report_facts *f,
    enum fact_kind kind, const char *key)
{
    dosi_buffer_text(b, key);
    for (size_t i = 0; i < f->lists[kind].n; i++)
        json_text(b, i > 0 ? "," : "", f->lists[kind].texts[i]);
    dosi_buffer_text(b, "]");
}

/* Numbers of the answer are strings: no reader makes doubles of them. */
static void json_rows(dosi_buffer *b, const struct answer_rows *rows)
{
    dosi_buffer_text(b, ",\"rows\":[");
    for (size_t i = 0; i < rows->n; i++) {
        const struct answer_row *row = &rows->rows[i];
        json_text(b, i > 0 ? ",{\"name\":" : "{\"name\":",
            text_at(rows, row->name));
        json_text(b, ",\"cell\":", text_at(rows, row->cell));
        json_text(b, ",\"value\":", text_at(rows, row->value));
        json_text(b, ",\"lower\":", text_at(rows, row->lower));
        json_text(b, ",\"upper\":", text_at(rows, row->upper));
        if (row->within != ANSWER_NONE)
            json_text(b, ",\"within\":", text_at(rows, row->within));
        dosi_buffer_text(b, "}");
    }
    dosi_buffer_text(b, "]");
}

static void write_json(dosi_buffer *b, const struct report_facts *f,
    const struct answer_rows *rows)
{
    json_text(b, "{\"unit\":", f->lists[FACT_UNIT].texts[0]);
    if (words_warning() != NULL)
        json_text(b, ",\"warning\":", words_warning());
    if (rows != NULL)
        json_rows(b, rows);
    json_number(b, ",\"epsilon\":{\"lower\":", f->epsilon.lo);
    json_number(b, ",\"upper\":", f->epsilon.hi);
    json_number(b, "},\"delta\":", f->delta);
    json_text(b, ",\"neighbours\":", relation_name(f));
    json_text(b, ",\"plan\":", f->plan_text);
    json_text(b, ",\"hash\":", f->hash);
    json_text(b, ",\"level\":", f->level);
    json_list(b, f, FACT_NOISE, ",\"noise\":[");
    json_list(b, f, FACT_BOUNDS, ",\"bounds\":[");
    json_list(b, f, FACT_LIMITS, ",\"limits\":[");
    json_list(b, f, FACT_ASSUMED, ",\"assumptions\":[");
    json_text(b, ",\"version\":", dosi_version());
    dosi_buffer_text(b, "}\n");
}

/* ---- CSV --------------------------------------------------------------- */

static void csv_field(dosi_buffer *b, const char *text, const char *end)
{
    bool is_quoted = text != NULL && strpbrk(text, ",\"") != NULL;
    if (is_quoted)
        dosi_buffer_text(b, "\"");
    for (; text != NULL && *text != '\0'; text++) {
        dosi_buffer_bytes(b, text, 1);
        if (*text == '"')
            dosi_buffer_text(b, "\"");
    }
    if (is_quoted)
        dosi_buffer_text(b, "\"");
    dosi_buffer_text(b, end);
}

static void write_csv(dosi_buffer *b, const struct answer_rows *rows)
{
    if (words_warning() != NULL) {
        dosi_buffer_text(b, "# ");
        dosi_buffer_text(b, words_warning());
        dosi_buffer_text(b, "\n");
    }
    dosi_buffer_text(b, "name,cell,value,lower,upper\n");
    for (size_t i = 0; rows != NULL && i < rows->n; i++) {
        const struct answer_row *row = &rows->rows[i];
        csv_field(b, text_at(rows, row->name), ",");
        csv_field(b, text_at(rows, row->cell), ",");
        csv_field(b, text_at(rows, row->value), ",");
        csv_field(b, text_at(rows, row->lower), ",");
        csv_field(b, text_at(rows, row->upper), "\n");
    }
}

/* ---- All --------------------------------------------------------------- */

dosi_status report_copy(char *text, size_t size, size_t *length,
    dosi_buffer *b, dosi_error *err)
{
    dosi_status status = b->failed ? dosi_fail_memory(err) : DOSI_OK;
    size_t n = b->length < size ? b->length : size > 0 ? size - 1 : 0;
    *length = 0;
    if (status == DOSI_OK)
        *length = b->length;
    else
        n = 0;
    if (size > 0) {
        if (n > 0)
            memcpy(text, b->text, n);
        text[n] = '\0';
    }
    dosi_buffer_free(b);
    return status;
}

dosi_status report_print(char *text, size_t size, size_t *length,
    const struct report_facts *facts, const struct answer_rows *rows,
    dosi_release_form form, dosi_error *err)
{
    dosi_buffer b = {0};
    switch (form) {
    case DOSI_RELEASE_TEXT:
        write_text(&b, facts, rows);
        break;
    case DOSI_RELEASE_JSON:
        write_json(&b, facts, rows);
        break;
    case DOSI_RELEASE_CSV:
        write_csv(&b, rows);
        break;
    }
    return report_copy(text, size, length, &b, err);
}
