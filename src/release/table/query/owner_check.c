/*
 * The output of `release check --not-private`: exact counts, for the owner of
 * the file alone. They are data.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "query_object.h"
#include "report_print.h"

struct count_line {
    const char *key, *words;
    uint64_t n;
};

static void write_count(
    dosi_buffer *b, const struct count_line *line, bool is_json, bool first)
{
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, line->n);
    if (is_json) {
        dosi_buffer_text(b, first ? "\"" : ",\"");
        dosi_buffer_text(b, line->key);
        dosi_buffer_text(b, "\":");
        dosi_buffer_text(b, number);
        return;
    }
    for (size_t n = strlen(number); n < 12; n++)
        dosi_buffer_text(b, " ");
    dosi_buffer_text(b, number);
    dosi_buffer_text(b, "  ");
    dosi_buffer_text(b, line->words);
    dosi_buffer_text(b, "\n");
}

static void write_values(dosi_buffer *b, const dosi_table_query *q,
    const struct table_faults *f, bool is_json)
{
    const struct table_layout *l = &q->layout;
    for (size_t i = 0; i < l->n_values; i++) {
        const char *name = l->columns[l->values[i].column].name;
        const struct count_line lines[] = {
            {"missing", "missing", f->n_missing[i]},
            {"below", "below the bounds", f->n_below[i]},
            {"above", "above the bounds", f->n_above[i]}};
        if (is_json) {
            dosi_buffer_text(b, i > 0 ? ",{\"column\":" : "{\"column\":");
            dosi_buffer_json_string(b, name, strlen(name));
        } else {
            dosi_buffer_text(b, "values of ");
            answer_escape(b, name, strlen(name), false);
            dosi_buffer_text(b, "\n");
        }
        for (size_t j = 0; j < sizeof lines / sizeof *lines; j++)
            write_count(b, &lines[j], is_json, false);
        dosi_buffer_text(b, is_json ? "}" : "");
    }
}

static void write_faults(dosi_buffer *b, const dosi_table_query *q,
    const struct table_faults *f, bool is_json)
{
    const struct count_line lines[] = {
        {"lines", "lines after the header", f->n_lines},
        {"empty", "empty lines", f->n_empty},
        {"long", "lines above 1 MB", f->n_long},
        {"quotes", "lines with a quote that is not closed", f->n_quote},
        {"fields", "lines with another number of fields", f->n_fields},
        {"no_user", "rows without a person", f->n_no_user},
        {"rows", "rows", f->n_rows},
        {"bad_rows", "rows with a missing number", f->n_bad_rows},
        {"people", "people", f->n_people},
        {"over_rows", "people with more rows than count", f->n_over_rows},
        {"over_cells", "people with more in cells than counts",
            f->n_over_cells}};
    dosi_buffer_text(b, is_json ? "{\"private\":false,"
                                : "NOT PRIVATE: exact counts, for the owner "
                                  "of the file alone\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        write_count(b, &lines[i], is_json, i == 0);
    dosi_buffer_text(b, is_json ? ",\"values\":[" : "");
    write_values(b, q, f, is_json);
    dosi_buffer_text(b, is_json ? "]}\n" : "");
}

dosi_status dosi_table_query_check(char *text, size_t size, size_t *length,
    dosi_table_query *q, dosi_release_form form, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_buffer b = {0};
    *length = 0;
    if (!q->settings.is_not_private)
        return dosi_fail(err, DOSI_EINVAL,
            "check: prints exact counts, and needs not-private");
    dosi_status status = query_close_reader(q, err);
    if (status != DOSI_OK)
        return status;
    q->is_finished = true;
    if (q->reader == NULL)
        return dosi_fail(
            err, DOSI_EINVAL, "check: reads rows, and there is a tally");
    write_faults(
        &b, q, table_reader_faults(q->reader), form == DOSI_RELEASE_JSON);
    return report_copy(text, size, length, &b, err);
}
