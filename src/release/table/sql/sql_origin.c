/*
 * Writes and reads the first line of a statement, the JSON of the query that it
 * was printed from.
 */
#include "sql_origin.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- Writing ---- */

/* A JSON string without dollar signs: Spark replaces ${name} in comments,
 * too. False for text that is not UTF-8. */
static bool put_string(dosi_buffer *out, const char *s)
{
    size_t n = strlen(s);
    dosi_buffer text = {0};
    for (size_t i = 0, length; i < n; i += length) {
        length = dosi_utf8_length(s + i, n - i);
        if (length == 0)
            return false;
    }
    dosi_buffer_json_string(&text, s, n);
    for (size_t i = 0; !text.failed && i < text.length; i++) {
        if (text.text[i] == '$')
            dosi_buffer_text(out, "\\u0024");
        else
            dosi_buffer_bytes(out, text.text + i, 1);
    }
    out->failed |= text.failed;
    dosi_buffer_free(&text);
    return true;
}

static bool put_list(dosi_buffer *out, char *const *list, size_t n)
{
    dosi_buffer_text(out, "[");
    for (size_t i = 0; i < n; i++) {
        dosi_buffer_text(out, i > 0 ? "," : "");
        if (!put_string(out, list[i]))
            return false;
    }
    dosi_buffer_text(out, "]");
    return true;
}

dosi_status sql_origin_write(dosi_buffer *out,
    const struct table_lines *lines, const char *dialect, const char *table,
    dosi_error *err)
{
    bool is_text;
    dosi_buffer_text(out, "{\"statistics\":");
    is_text = put_list(out, lines->statistics, lines->n_statistics);
    dosi_buffer_text(out, ",\"settings\":");
    is_text = is_text && put_list(out, lines->settings, lines->n_settings);
    dosi_buffer_text(out, ",\"dialect\":");
    is_text = is_text && put_string(out, dialect);
    dosi_buffer_text(out, ",\"table\":");
    is_text = is_text && put_string(out, table);
    dosi_buffer_text(out, "}");
    if (!is_text)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: statistics, settings and the table must be UTF-8");
    return out->failed ? dosi_fail_memory(err) : DOSI_OK;
}

/* ---- Reading ---- */

struct scan {
    const char *at, *end;
    bool is_memory; /* it failed for want of memory */
};

static bool scan_text(struct scan *s, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(s->end - s->at) < n || memcmp(s->at, text, n) != 0)
        return false;
    s->at += n;
    return true;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* \", \\ or \u00xy after a backslash. */
static bool scan_escape(struct scan *s, dosi_buffer *out)
{
    char c = s->at < s->end ? *s->at : '\0';
    if (c == '"' || c == '\\') {
        s->at++;
    } else {
        if (!scan_text(s, "u00") || s->end - s->at < 2)
            return false;
        int high = digit_of(s->at[0]), low = digit_of(s->at[1]);
        if (high < 0 || high > 7 || low < 0)
            return false;
        c = (char)(high * 16 + low);
        s->at += 2;
    }
    dosi_buffer_bytes(out, &c, 1);
    return c != '\0';
}

static bool scan_string(struct scan *s, char **out)
{
    dosi_buffer text = {0};
    bool is_good = scan_text(s, "\"");
    dosi_buffer_text(&text, "");
    while (is_good && s->at < s->end && *s->at != '"') {
        if (*s->at == '\\') {
            s->at++;
            is_good = scan_escape(s, &text);
        } else {
            is_good = (unsigned char)*s->at >= ' ';
            dosi_buffer_bytes(&text, s->at++, 1);
        }
    }
    s->is_memory |= text.failed;
    if (!is_good || text.failed || !scan_text(s, "\"")) {
        dosi_buffer_free(&text);
        return false;
    }
    *out = text.text;
    return true;
}

static bool scan_list(struct scan *s, char ***list, size_t *n)
{
    if (!scan_text(s, "["))
        return false;
    while (!scan_text(s, "]")) {
        if (*n > 0 && !scan_text(s, ","))
            return false;
        char **more = realloc(*list, (*n + 1) * sizeof *more);
        if (more == NULL) {
            s->is_memory = true;
            return false;
        }
        *list = more;
        if (!scan_string(s, &more[*n]))
            return false;
        ++*n;
    }
    return true;
}

dosi_status sql_origin_read(
    struct sql_origin *out, const char *text, size_t n, dosi_error *err)
{
    struct scan s = {text, text + n, false};
    *out = (struct sql_origin){0};
    if (scan_text(&s, "{\"statistics\":") &&
        scan_list(&s, &out->lines.statistics, &out->lines.n_statistics) &&
        scan_text(&s, ",\"settings\":") &&
        scan_list(&s, &out->lines.settings, &out->lines.n_settings) &&
        scan_text(&s, ",\"dialect\":") && scan_string(&s, &out->dialect) &&
        scan_text(&s, ",\"table\":") && scan_string(&s, &out->table) &&
        scan_text(&s, "}") && s.at == s.end)
        return DOSI_OK;
    sql_origin_free(out);
    if (s.is_memory)
        return dosi_fail_memory(err);
    return dosi_fail(err, DOSI_ESYNTAX,
        "statement: its first line is not what --sql prints");
}

void sql_origin_free(struct sql_origin *origin)
{
    struct table_lines *lines = &origin->lines;
    for (size_t i = 0; i < lines->n_statistics; i++)
        free(lines->statistics[i]);
    for (size_t i = 0; i < lines->n_settings; i++)
        free(lines->settings[i]);
    free(lines->statistics);
    free(lines->settings);
    free(origin->dialect);
    free(origin->table);
    *origin = (struct sql_origin){0};
}
