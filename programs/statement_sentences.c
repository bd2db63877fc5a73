/* Sentences of a statement, and the numbers in them. */
#include "statement_parts.h"

#include <stdarg.h>
#include <stdlib.h>

void say_section(
    struct statement *s, enum statement_topic topic, const char *title)
{
    s->sections[s->n_sections++] =
        (struct statement_section){.topic = topic, .title = title};
}

const struct statement_section *statement_about(
    const struct statement *statement, enum statement_topic topic)
{
    for (size_t i = 0; i < statement->n_sections; i++)
        if (statement->sections[i].topic == topic)
            return &statement->sections[i];
    return NULL;
}

bool statement_is_unprotected(const struct statement *statement)
{
    return !(statement->epsilon.value.hi < HUGE_VAL);
}

bool statement_gives_away(const struct statement *statement)
{
    return statement->epsilon.value.lo == HUGE_VAL;
}

bool statement_is_blind(const struct statement *statement)
{
    return statement->risk.advantage.value.hi == 0;
}

void say(
    struct statement *s, const char *format, ...)
{
    struct statement_section *at = &s->sections[s->n_sections - 1];
    va_list list;

    va_start(list, format);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char **grown =
        realloc(at->sentences, (at->n_sentences + 1) * sizeof *grown);
    if (grown == NULL) {
        s->failed = true;
        return;
    }
    at->sentences = grown;
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text == NULL) {
        s->failed = true;
        return;
    }
    va_start(list, format);
    vsnprintf(text, (size_t)n + 1, format, list);
    va_end(list);
    at->sentences[at->n_sentences++] = text;
}

struct said_number said_exact(double x)
{
    struct said_number out = {""};
    dosi_print_exact(out.text, x);
    return out;
}

struct said_number said_out_of_100(dosi_interval x)
{
    struct said_number out = {""};
    double up = nextafter(100 * x.hi, HUGE_VAL); /* the product rounds */
    dosi_print_upper(out.text, x.hi == 0 ? 0 : fmin(100, up), 3);
    return out;
}
