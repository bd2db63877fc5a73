/*
 * The statements that answers and rows cite, found by id, and the works that
 * they come from: statements.def and sources.def, from which docs/references.md
 * and docs/formulary.md are generated.
 */
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "dosimeter.h"

#define STATEMENT(id, citation, meaning) {id, citation, meaning},
static const dosi_statement statements[] = {
#include "statements.def"
};

#define SOURCE(key, work) {key, work},
static const dosi_source sources[] = {
#include "sources.def"
};

static const size_t n_statements = sizeof statements / sizeof *statements;
static const size_t n_sources = sizeof sources / sizeof *sources;

size_t dosi_statement_count(void)
{
    return n_statements;
}

dosi_statement dosi_statement_at(size_t index)
{
    if (index >= n_statements)
        return (dosi_statement){"", "", ""};
    return statements[index];
}

size_t dosi_source_count(void)
{
    return n_sources;
}

dosi_source dosi_source_at(size_t index)
{
    if (index >= n_sources)
        return (dosi_source){"", ""};
    return sources[index];
}

/* The length of an id that a longer one begins with, up to one of ". - _" or
 * its end; 0 if it does not. */
static size_t part_of(const char *id, size_t n_bytes, const char *whole)
{
    size_t n = strlen(whole);
    if (n > n_bytes || memcmp(id, whole, n) != 0)
        return 0;
    return n == n_bytes || strchr(".-_", id[n]) != NULL ? n : 0;
}

/* The statement of an id of n_bytes, or NULL. */
static const dosi_statement *find(const char *id, size_t n_bytes)
{
    const dosi_statement *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < n_statements; i++) {
        size_t n = part_of(id, n_bytes, statements[i].id);
        if (n > longest) {
            best = &statements[i];
            longest = n;
        }
    }
    return best;
}

dosi_status dosi_statement_find(size_t *index, const char *id, dosi_error *err)
{
    const dosi_statement *statement = find(id, strlen(id));
    if (statement == NULL)
        return dosi_fail(err, DOSI_EINVAL, "there is no such statement");
    *index = (size_t)(statement - statements);
    return DOSI_OK;
}

/* The text written so far, truncated to the buffer. */
typedef struct cited {
    char *text;
    size_t length;
} cited;

static void put(cited *c, const char *bytes, size_t n_bytes)
{
    size_t room = DOSI_CITATION_BYTES - 1 - c->length;
    size_t n = n_bytes < room ? n_bytes : room;
    memcpy(c->text + c->length, bytes, n);
    c->length += n;
}

/* The length of "[KEY] " at the beginning of a citation, else 0. */
static size_t key_of(const char *citation)
{
    const char *end = strchr(citation, ' ');
    if (citation[0] != '[' || end == NULL || end[-1] != ']')
        return 0;
    return (size_t)(end - citation) + 1;
}

/* A statement as "[KEY] Thm N (ID)", without a key that was the last one. */
static void put_statement(cited *c, const char **last,
    const dosi_statement *statement, const char *id, size_t n_bytes)
{
    const char *citation = statement->citation;
    size_t n_key = key_of(citation);
    bool is_again = n_key > 0 && *last != NULL && key_of(*last) == n_key &&
                    memcmp(*last, citation, n_key) == 0;
    *last = citation;
    if (is_again)
        citation += n_key;
    put(c, citation, strlen(citation));
    put(c, " (", 2);
    put(c, id, n_bytes);
    put(c, ")", 1);
}

size_t dosi_citation(char *out, const char *theorem)
{
    cited c = {out, 0};
    const char *last = NULL;
    for (const char *item = theorem; *item != '\0';) {
        const char *end = strstr(item, ", ");
        size_t n = end != NULL ? (size_t)(end - item) : strlen(item);
        const dosi_statement *statement = find(item, n);
        if (statement != NULL)
            put_statement(&c, &last, statement, item, n);
        else
            put(&c, item, n);
        item += n;
        if (end != NULL) {
            put(&c, ", ", 2);
            item += 2;
        }
    }
    out[c.length] = '\0';
    return c.length;
}
