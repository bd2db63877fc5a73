/*
 * Writes the members that JSON answers share: numbers, texts, intervals, and an
 * answer with its route, theorem and meaning.
 */
#include "json_write.h"

#include <math.h>
#include <string.h>

void json_write_number(dosi_buffer *b, const char *key, double x)
{
    char number[DOSI_NUMBER_BYTES];
    size_t length = dosi_print_exact(number, x);
    dosi_buffer_text(b, key);
    if (x - x == 0) /* finite */
        dosi_buffer_bytes(b, number, length);
    else
        dosi_buffer_json_string(b, number, length);
}

void json_write_text(dosi_buffer *b, const char *key, const char *value)
{
    dosi_buffer_text(b, key);
    dosi_buffer_json_string(b, value, value != NULL ? strlen(value) : 0);
}

void json_write_interval(dosi_buffer *b, const char *key, dosi_interval x)
{
    dosi_buffer_text(b, key);
    json_write_number(b, "{\"lower\":", x.lo);
    json_write_number(b, ",\"upper\":", x.hi);
    dosi_buffer_text(b, "}");
}

/* Writes the source of an answer and the meaning of its lower end. */
static void write_origin(dosi_buffer *b, const dosi_answer *a)
{
    char citation[DOSI_CITATION_BYTES];
    json_write_text(b, ",\"route\":", a->route);
    json_write_text(b, ",\"theorem\":", a->theorem);
    dosi_citation(citation, a->theorem);
    json_write_text(b, ",\"citation\":", citation);
    if (a->order > 0)
        json_write_number(b, ",\"renyi_order\":", a->order);
    json_write_text(b, ",\"neighbours\":",
        a->neighbours == DOSI_REPLACE ? "replace" : "add_remove");
    json_write_text(b, ",\"lower_meaning\":", a->lower_meaning);
    if (a->reason != NULL)
        json_write_text(b, ",\"reason\":", a->reason);
    dosi_buffer_text(b, ",\"assumptions\":[");
    for (size_t i = 0; i < a->n_assumptions; i++)
        json_write_text(b, i == 0 ? "" : ",", a->assumptions[i]);
    dosi_buffer_text(b, "]");
}

void json_write_answer(dosi_buffer *b, const dosi_answer *a)
{
    json_write_number(b, "\"lower\":", a->value.lo);
    json_write_number(b, ",\"upper\":", a->value.hi);
    if (a->log_value.lo > -HUGE_VAL || a->log_value.hi < HUGE_VAL) {
        json_write_number(b, ",\"log_lower\":", a->log_value.lo);
        json_write_number(b, ",\"log_upper\":", a->log_value.hi);
    }
    write_origin(b, a);
}

void json_write_risk(dosi_buffer *b, const dosi_risk *r)
{
    json_write_interval(b, "\"advantage\":", r->advantage.value);
    json_write_interval(b, ",\"accuracy\":", r->accuracy);
    json_write_number(b, ",\"prior\":", r->prior);
    json_write_interval(b, ",\"prior_accuracy\":", r->prior_accuracy);
    dosi_buffer_text(b, ",\"tests\":[");
    for (int i = 0; i < DOSI_RISK_RATES; i++) {
        dosi_buffer_text(b, i > 0 ? ",{" : "{");
        json_write_number(b, "\"false_positive\":", r->false_positive[i]);
        json_write_interval(b, ",\"true_positive\":", r->true_positive[i]);
        json_write_interval(b, ",\"posterior\":", r->posterior[i]);
        dosi_buffer_text(b, "}");
    }
    dosi_buffer_text(b, "]");
    write_origin(b, &r->advantage);
}
