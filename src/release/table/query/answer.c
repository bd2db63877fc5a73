/*
 * Rows of an answer as exact decimal texts, with names of cells escaped for a
 * terminal. All of this is post-processing.
 */
#include "answer.h"

#include <stdlib.h>
#include <string.h>

#include "layout_build.h"
#include "num/elem.h"

void answer_add(struct answer_rows *rows, const struct table_statistic *s,
    const char *label, const struct answer_row *row)
{
    size_t name = answer_start(rows);
    dosi_buffer_text(&rows->text, s->name);
    if (label[0] != '\0') {
        dosi_buffer_text(&rows->text, ".");
        dosi_buffer_text(&rows->text, label);
    }
    answer_end(rows);
    void *more = rows->failed
                     ? NULL
                     : text_more(rows->rows, rows->n, sizeof *rows->rows);
    if (more == NULL) {
        rows->failed = true;
        return;
    }
    rows->rows = more;
    rows->rows[rows->n] = *row;
    rows->rows[rows->n++].name = name;
}

size_t answer_start(struct answer_rows *rows)
{
    return rows->text.length;
}

void answer_end(struct answer_rows *rows)
{
    dosi_buffer_bytes(&rows->text, "", 1);
    rows->failed = rows->failed || rows->text.failed;
}

/* ---- Cells ------------------------------------------------------------- */

/* Bytes of a sequence that is shown as it is, or 0. */
static size_t shown_length(const char *bytes, size_t n)
{
    const unsigned char *s = (const unsigned char *)bytes;
    size_t length = dosi_utf8_length(bytes, n);
    if (length == 1 && (s[0] < 0x20 || s[0] == 0x7f || s[0] == '\\'))
        return 0;
    if (length == 2 && s[0] == 0xc2 && s[1] < 0xa0)
        return 0; /* C1 */
    if (length == 3 && s[0] == 0xe2 &&
        ((s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xaf) ||
            (s[1] == 0x81 && s[2] >= 0xa6)))
        return 0; /* separators and directions */
    return length;
}

static void escape_plain(dosi_buffer *b, const char *bytes, size_t n)
{
    static const char hex[] = "0123456789abcdef";
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)bytes[i];
        size_t length = shown_length(bytes + i, n - i);
        if (length > 0) {
            dosi_buffer_bytes(b, bytes + i, length);
            i += length;
        } else {
            const char escape[] = {'\\', 'x', hex[c >> 4], hex[c & 15]};
            dosi_buffer_bytes(b, escape, sizeof escape);
            i++;
        }
    }
}

void answer_escape(dosi_buffer *b, const char *bytes, size_t n, bool in_list)
{
    bool is_quoted = in_list && (memchr(bytes, ',', n) != NULL ||
                                    memchr(bytes, '"', n) != NULL);
    if (!is_quoted) {
        escape_plain(b, bytes, n);
        return;
    }
    dosi_buffer_text(b, "\"");
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && bytes[end] != '"'; end++)
            ;
        escape_plain(b, bytes + i, end - i);
        if (end < n) {
            dosi_buffer_text(b, "\"\"");
            end++;
        }
    }
    dosi_buffer_text(b, "\"");
}

static void write_cell(dosi_buffer *b, const struct table_layout *l,
    size_t rule, size_t cell, bool in_list)
{
    const struct table_rule *r = &l->rules[rule];
    switch (r->kind) {
    case TABLE_CATEGORIES:
        answer_escape(b, r->names[cell].bytes, r->names[cell].n, in_list);
        break;
    case TABLE_BINS:
    case TABLE_LEVELS: {
        struct exact_grid grid = layout_grid(l, r->value);
        int64_t width = r->kind == TABLE_BINS ? r->width : 1;
        int128 from = l->values[r->value].lo + (int128)width * (int128)cell;
        exact_print(b, from, &grid);
        if (r->kind == TABLE_BINS) {
            dosi_buffer_text(b, "..");
            exact_print(b, from + width, &grid);
        }
        break;
    }
    case TABLE_UNKNOWN: /* which has names of its own */
        break;
    }
}

size_t answer_cell(struct answer_rows *rows, const dosi_table_query *q,
    const size_t rules[2], size_t cell)
{
    const struct table_layout *l = &q->layout;
    if (rules[0] == TABLE_NONE)
        return ANSWER_NONE;
    size_t start = answer_start(rows);
    bool has_two = rules[1] != TABLE_NONE;
    size_t n = has_two ? l->rules[rules[1]].n_cells : 1;
    write_cell(&rows->text, l, rules[0], cell / n, has_two);
    if (has_two) {
        dosi_buffer_text(&rows->text, ",");
        write_cell(&rows->text, l, rules[1], cell % n, true);
    }
    answer_end(rows);
    return start;
}

/* ---- Integers ---------------------------------------------------------- */

/* x + more, at an end of 128 bits where it would pass it. */
static int128 add_within(int128 x, int64_t more)
{
    int128 sum;
    if (__builtin_add_overflow(x, (int128)more, &sum))
        return more > 0 ? (int128)(((uint128)1 << 127) - 1)
                        : -(int128)(((uint128)1 << 127) - 1);
    return sum;
}

int64_t answer_cut(int128 x)
{
    const int128 most = (int128)1 << 62;
    return (int64_t)(x > most ? most : x < -most ? -most : x);
}

static size_t write_units(struct answer_rows *rows, int128 units,
    const struct exact_grid *grid, bool is_cut)
{
    size_t start = answer_start(rows);
    exact_print(&rows->text, is_cut && units < 0 ? 0 : units, grid);
    answer_end(rows);
    return start;
}

void answer_part(struct answer_rows *rows, const dosi_table_query *q,
    const struct table_statistic *s, size_t part, const char *label,
    const struct exact_grid *grid, const struct answer_integers *noisy)
{
    const struct table_part *p = &s->parts[part];
    const struct table_item *item = &q->layout.items[p->item];
    bool is_cut = q->settings.is_nonnegative && p->leaf == LEAF_COUNT;
    for (size_t i = 0; i < item->n_cells; i++) {
        int128 value = noisy->noisy[item->first + i];
        struct answer_row row = ANSWER_ROW;
        row.cell = answer_cell(rows, q, item->rules, i);
        row.value = write_units(rows, value, grid, is_cut);
        row.lower = write_units(
            rows, add_within(value, -p->half_width), grid, is_cut);
        row.upper = write_units(
            rows, add_within(value, p->half_width), grid, is_cut);
        answer_add(rows, s, label, &row);
    }
}

/* (2 D / epsilon) log(n / (1 - level)), of monotone scores half of it: each
 * candidate farther away is chosen with probability at most
 * exp(-c distance), c = epsilon / (2 D), and there are n. */
double answer_within(const dosi_table_query *q, const struct table_part *part,
    size_t n_candidates, double divisor)
{
    dosi_interval ratio = iv_div(iv_point((double)n_candidates),
        iv_point(q->settings.error_lower));
    dosi_interval scale = iv_div(
        iv_point((double)(int64_t)part->distance), iv_point(part->parameter));
    if (!part->is_monotone)
        scale = iv_mul(scale, iv_point(2));
    return iv_div(iv_mul(scale, iv_log(ratio)), iv_point(divisor)).hi;
}

void answer_bound(struct answer_rows *rows, double x)
{
    char text[DOSI_NUMBER_BYTES];
    dosi_buffer_bytes(&rows->text, text, dosi_print_upper(text, x, 6));
    answer_end(rows);
}

void answer_rows_free(struct answer_rows *rows)
{
    dosi_buffer_free(&rows->text);
    free(rows->rows);
    *rows = (struct answer_rows){0};
}
