/*
 * Reads tables of parts. Each line becomes the text of one part, which the
 * reader of plans reads; its offsets become those of the fields.
 */
#define _POSIX_C_SOURCE 200809L
#include "plan_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"

static const char *const columns[] = {"kind", "parameters", "count", "label"};

#define N_COLUMNS (sizeof columns / sizeof *columns)

struct plan_table {
    const char *original; /* the text before it was cut */
    char *text;
    struct csv_table csv;
    const dosi_plan **parts;
    size_t n, capacity;
    dosi_error *err;
};

__attribute__((format(printf, 3, 4))) static dosi_status fail_at(
    struct plan_table *t, const char *where, const char *format, ...)
{
    va_list list;

    *t->err = (dosi_error){.status = DOSI_EINVAL, .offset = DOSI_NO_OFFSET};
    if (where != NULL)
        t->err->offset = (size_t)(where - t->text);
    va_start(list, format);
    vsnprintf(t->err->message, sizeof t->err->message, format, list);
    va_end(list);
    return t->err->status;
}

static dosi_status fail_memory(struct plan_table *t)
{
    dosi_status status = fail_at(t, NULL, "out of memory");

    t->err->status = DOSI_ENOMEM;
    return status == DOSI_OK ? status : DOSI_ENOMEM;
}

/* ---- The header ------------------------------------------------------------
 */

/* The start of the first line that is neither blank nor a comment. */
static size_t header_start(const char *text, size_t n)
{
    size_t i = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (i < n) {
        size_t line = i;
        while (i < n && (text[i] == ' ' || text[i] == '\t'))
            i++;
        if (i < n && text[i] != '#' && text[i] != '\r' && text[i] != '\n')
            return line;
        while (i < n && text[i] != '\n' && text[i] != '\r')
            i++;
        i += i < n;
    }
    return n;
}

static bool is_trimmed(char c)
{
    return c == ' ' || c == '\t' || c == '"';
}

/* The field between two signs, without blanks and quotes around it. */
static bool is_kind(const char *from, const char *end)
{
    while (from < end && is_trimmed(*from))
        from++;
    while (end > from && is_trimmed(end[-1]))
        end--;
    return end - from == 4 && memcmp(from, "kind", 4) == 0;
}

bool plan_table_is(const char *text, size_t n_bytes)
{
    const char *from = text + header_start(text, n_bytes);
    const char *end = text + n_bytes;
    bool has_signs = false;

    for (const char *at = from; at <= end; at++) {
        bool is_end = at == end || *at == '\n' || *at == '\r';
        bool is_sign = !is_end && (*at == ',' || *at == ';' || *at == '\t');
        has_signs = has_signs || is_sign;
        if ((is_end || is_sign) && is_kind(from, at))
            return true;
        if (is_end || (!is_sign && *at == '('))
            return false;
        if (is_sign)
            from = at + 1;
    }
    return false;
}

/* Takes blanks off both ends of a cell. */
static char *trim(char *cell)
{
    size_t n = strlen(cell);

    while (n > 0 && (cell[n - 1] == ' ' || cell[n - 1] == '\t'))
        cell[--n] = '\0';
    return cell + strspn(cell, " \t");
}

static dosi_status read_header(struct plan_table *t)
{
    struct csv_record *header = &t->csv.header;
    bool has_kind = false;

    for (size_t i = 0; i < header->n; i++) {
        const char *name = header->cells[i] = trim(header->cells[i]);
        size_t j = 0;
        while (j < N_COLUMNS && strcmp(name, columns[j]) != 0)
            j++;
        if (j == N_COLUMNS && strpbrk(name, ";\t") != NULL)
            return fail_at(t, name, "columns must be separated by commas");
        if (j == N_COLUMNS)
            return fail_at(t, name,
                "the columns of a plan are kind, parameters, count and label");
        has_kind = has_kind || j == 0;
    }
    const char *twice = csv_twice(&t->csv);
    if (twice != NULL)
        return fail_at(t, twice, "the column %s is there twice", twice);
    return has_kind ? DOSI_OK : fail_at(t, NULL, "the column kind is missing");
}

/* ---- Parts -----------------------------------------------------------------
 */

/* Bytes of the original text before the one that a cell starts with. */
static const char *cell_start(const struct plan_table *t, const char *cell)
{
    size_t offset = (size_t)(cell - t->text);

    return t->text + offset + (t->original[offset] == '"');
}

/* The text "kind(parameters) * count" of a line, and where its fields are. */
struct part_text {
    const char *kind, *parameters, *count;
    char *text;
    size_t n_call; /* bytes without the count */
};

/* Turns an offset in the text of a part into one of the table. */
static void locate(
    struct plan_table *t, const struct part_text *p, size_t offset)
{
    size_t n_kind = strlen(p->kind);
    const char *from = p->kind, *start = cell_start(t, from);

    if (offset >= n_kind && p->parameters[0] != '\0') {
        size_t n = strlen(p->parameters);
        offset -= offset > n_kind ? n_kind + 1 : n_kind;
        offset = offset < n ? offset : n;
        start = cell_start(t, p->parameters);
    }
    t->err->offset = (size_t)(start - t->text) + offset;
}

static dosi_status parse_part(
    const dosi_plan **out, struct plan_table *t, const struct part_text *p)
{
    size_t length = strlen(p->text);
    dosi_status status = dosi_plan_parse(out, p->text, p->n_call, t->err);

    if (status != DOSI_OK) {
        locate(t, p, t->err->offset);
        return status;
    }
    /* What a bracket too many in a field makes is not that kind. */
    dosi_kind kind = dosi_plan_kind(*out);
    bool is_part = strcmp(dosi_kind_at(kind).name, p->kind) == 0;
    if (is_part && p->count[0] == '\0')
        return DOSI_OK;
    dosi_plan_free(*out);
    *out = NULL;
    if (!is_part)
        return fail_at(t, cell_start(t, p->parameters),
            "the parameters must be those of %.40s alone", p->kind);
    status = dosi_plan_parse(out, p->text, length, t->err);
    if (status != DOSI_OK) {
        t->err->offset = (size_t)(cell_start(t, p->count) - t->text);
        return status;
    }
    if (dosi_plan_kind(*out) == DOSI_REPEAT &&
        dosi_plan_kind(dosi_plan_child(*out, 0)) == kind)
        return DOSI_OK;
    dosi_plan_free(*out);
    *out = NULL;
    return fail_at(t, cell_start(t, p->count), "count must be one number");
}

static dosi_status add_part(struct plan_table *t, const dosi_plan *part)
{
    if (t->n == t->capacity) {
        size_t capacity = t->capacity == 0 ? 16 : 2 * t->capacity;
        const dosi_plan **parts =
            realloc(t->parts, capacity * sizeof(const dosi_plan *));
        if (parts == NULL) {
            dosi_plan_free(part);
            return fail_memory(t);
        }
        t->parts = parts;
        t->capacity = capacity;
    }
    t->parts[t->n++] = part;
    return DOSI_OK;
}

static dosi_status read_part(struct plan_table *t, struct csv_record *r)
{
    for (size_t i = 0; i < r->n; i++)
        r->cells[i] = trim(r->cells[i]);
    struct part_text p = {.kind = csv_cell(&t->csv, r, "kind"),
        .parameters = csv_cell(&t->csv, r, "parameters"),
        .count = csv_cell(&t->csv, r, "count")};
    const char *label = csv_cell(&t->csv, r, "label");
    const dosi_plan *part = NULL, *labelled = NULL;
    size_t size = strlen(p.kind) + strlen(p.parameters) + strlen(p.count) + 8;

    if (r->n > t->csv.header.n)
        return fail_at(t, r->cells[t->csv.header.n],
            "%zu fields under %zu columns; one with a comma needs quotes",
            r->n, t->csv.header.n);
    if (p.kind[0] == '\0' || strpbrk(p.kind, "()+*@\" \t\r\n:#") != NULL)
        return fail_at(t, r->cells[0], "kind must be the name of a kind");
    p.text = malloc(size);
    if (p.text == NULL)
        return fail_memory(t);
    p.n_call =
        (size_t)snprintf(p.text, size, "%s(%s)", p.kind, p.parameters);
    if (p.count[0] != '\0')
        snprintf(p.text + p.n_call, size - p.n_call, " * %s", p.count);
    dosi_status status = parse_part(&part, t, &p);
    free(p.text);
    if (status != DOSI_OK || label[0] == '\0')
        return status == DOSI_OK ? add_part(t, part) : status;
    status = dosi_plan_labelled(&labelled, part, label, t->err);
    dosi_plan_free(part);
    if (status == DOSI_OK)
        return add_part(t, labelled);
    t->err->offset = (size_t)(cell_start(t, label) - t->text);
    return status;
}

static dosi_status read_parts(struct plan_table *t)
{
    size_t start = header_start(t->text, strlen(t->text));
    const char *reason = csv_open(&t->csv, t->text + start);
    dosi_status status =
        reason != NULL ? fail_at(t, t->text + start, "%s", reason)
                       : read_header(t);

    while (status == DOSI_OK) {
        struct csv_record r;
        const char *from = t->csv.rest;
        reason = csv_next(&r, &t->csv);
        if (reason != NULL)
            status = fail_at(t, from + strspn(from, "\r\n"), "%s", reason);
        else if (r.n == 0)
            break;
        else if (r.cells[0][strspn(r.cells[0], " \t")] != '#')
            status = read_part(t, &r);
    }
    return status;
}

dosi_status plan_table_read(const dosi_plan **out, const char *text,
    size_t n_bytes, dosi_error *err)
{
    struct plan_table t = {.original = text, .err = err};
    dosi_status status;

    *out = NULL;
    t.text = malloc(n_bytes + 1);
    if (t.text == NULL)
        return fail_memory(&t);
    memcpy(t.text, text, n_bytes);
    t.text[n_bytes] = '\0';
    const char *zero = memchr(t.text, '\0', n_bytes);
    if (zero != NULL)
        status = fail_at(&t, zero, "a table must not have a zero byte");
    else
        status = read_parts(&t);
    if (status == DOSI_OK && t.n == 0)
        status = fail_at(&t, NULL, "the table has no line below its header");
    if (status == DOSI_OK)
        status = dosi_plan_compose(out, t.parts, t.n, err);
    for (size_t i = 0; i < t.n; i++)
        dosi_plan_free(t.parts[i]);
    free(t.parts);
    free(t.text);
    return status;
}
