/*
 * The parser of the text form, upper half: sums, counts and parentheses. It
 * is recursive descent with one token of look-ahead.
 */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "habits.h"
#include "plan/label.h"

/* The longest name of a file that may be included. */
#define FILE_MAX_BYTES 4096

dosi_status dosi_parse_expect(parser *p, token t, const char *expected)
{
    if (p->lex.token != t)
        return dosi_lex_fail(&p->lex, expected, p->err);
    return parse_next(p);
}

dosi_status dosi_parse_located(parser *p, dosi_status status, size_t at)
{
    if (p->err != NULL && status != DOSI_ENOMEM)
        p->err->offset = at;
    return status;
}

dosi_status dosi_parse_enter(parser *p, size_t at)
{
    if (++p->depth > PARSE_MAX_DEPTH)
        return dosi_fail_at(p->err, DOSI_EINVAL, at,
            "plan: at most %d parentheses may be open at once",
            PARSE_MAX_DEPTH);
    return DOSI_OK;
}

/* The plan of a file. */
static dosi_status parse_file(parser *p, const dosi_plan **out)
{
    size_t at = p->lex.at;
    if (p->include == NULL)
        return dosi_fail_at(p->err, DOSI_EINVAL, at,
            "no file can be included here");
    if (p->lex.length > FILE_MAX_BYTES)
        return dosi_fail_at(p->err, DOSI_EINVAL, at,
            "the name of a file must have at most %d bytes", FILE_MAX_BYTES);
    char name[FILE_MAX_BYTES + 1];
    dosi_lex_unquote(name, &p->lex);
    dosi_status status = p->include(out, name, p->context, p->err);
    if (status != DOSI_OK)
        return dosi_parse_located(p, status, at);
    if ((*out)->has_hole && p->hole_seen) {
        dosi_plan_free(*out);
        *out = NULL;
        return dosi_fail_at(p->err, DOSI_EINVAL, at,
            "a plan must have at most one hole, and this file has another");
    }
    p->hole_seen = p->hole_seen || (*out)->has_hole;
    return parse_next(p);
}

static dosi_status parse_factor(parser *p, const dosi_plan **out)
{
    if (p->lex.token == TOKEN_NAME)
        return dosi_parse_call(p, out);
    if (p->lex.token == TOKEN_FILE)
        return parse_file(p, out);
    if (p->lex.token == TOKEN_STRING)
        return dosi_fail_at(p->err, DOSI_ESYNTAX, p->lex.at,
            "a label must stand before a part: \"label\": gaussian(1)");
    if (p->lex.token != TOKEN_LEFT)
        return dosi_lex_fail(&p->lex, "a mechanism", p->err);
    const dosi_plan *inner = NULL;
    dosi_status status = dosi_parse_enter(p, p->lex.at);
    if (status == DOSI_OK)
        status = parse_next(p);
    if (status == DOSI_OK)
        status = dosi_parse_sum(p, &inner);
    if (status == DOSI_OK)
        status = p->lex.token == TOKEN_RIGHT
                     ? parse_next(p)
                     : dosi_habit_fail_behind(
                           &p->lex, "'+', '*' or ')'", p->err);
    p->depth--;
    if (status == DOSI_OK)
        *out = dosi_plan_retain(inner);
    dosi_plan_free(inner);
    return status;
}

/* *plan becomes its repetition; its own reference is let go. */
static dosi_status repeat_in_place(
    parser *p, const dosi_plan **plan, number count, size_t at)
{
    const dosi_plan *base = *plan;
    const plan_spec spec = {.kind = DOSI_REPEAT,
        .parameters = {number_whole(count)},
        .hole = count.is_hole ? 0 : PLAN_NO_HOLE,
        .children = &base,
        .n_children = 1};
    dosi_status status = dosi_plan_make(plan, &spec, NULL, p->err);
    dosi_plan_free(base);
    return status == DOSI_OK ? DOSI_OK : dosi_parse_located(p, status, at);
}

static bool starts_number(const lexer *lex)
{
    return lex->token == TOKEN_NUMBER || lex->token == TOKEN_HOLE ||
           lex->token == TOKEN_MINUS || lex->token == TOKEN_PLUS;
}

static dosi_status parse_term(parser *p, const dosi_plan **out);

/* count "*" term */
static dosi_status parse_counted(parser *p, const dosi_plan **out)
{
    size_t at = p->lex.at;
    const char *comma = dosi_habit_comma(&p->lex);
    number count;
    dosi_status status = dosi_parse_enter(p, at);
    if (status == DOSI_OK)
        status = dosi_parse_number(p, &count, "repeat", "count");
    if (status != DOSI_OK)
        return status;
    if (p->lex.token != TOKEN_TIMES)
        return dosi_fail_at(p->err, DOSI_ESYNTAX, at,
            "expected a mechanism, found a number without '*'%s", comma);
    status = parse_next(p);
    if (status == DOSI_OK)
        status = parse_term(p, out);
    p->depth--;
    return status == DOSI_OK ? repeat_in_place(p, out, count, at) : status;
}

static dosi_status parse_term(parser *p, const dosi_plan **out)
{
    if (starts_number(&p->lex))
        return parse_counted(p, out);
    dosi_status status = parse_factor(p, out);
    while (status == DOSI_OK && p->lex.token == TOKEN_TIMES) {
        number count;
        status = parse_next(p);
        size_t at = p->lex.at;
        if (status == DOSI_OK)
            status = dosi_parse_number(p, &count, "repeat", "count");
        if (status == DOSI_OK)
            status = repeat_in_place(p, out, count, at);
    }
    if (status != DOSI_OK) {
        dosi_plan_free(*out);
        *out = NULL;
    }
    return status;
}

/* The text of the token as a label. */
static dosi_status parse_label(parser *p, char label[LABEL_MAX_BYTES + 1])
{
    size_t at = p->lex.at;
    /* with quotes, and a backslash before each byte */
    char text[2 * LABEL_MAX_BYTES + 3];
    if (p->lex.length >= sizeof text)
        return dosi_fail_at(p->err, DOSI_EINVAL, at,
            "a label must have at most %d bytes", LABEL_MAX_BYTES);
    size_t n = dosi_lex_unquote(text, &p->lex);
    dosi_status status = dosi_label_check(text, n, p->err);
    if (status != DOSI_OK)
        return dosi_parse_located(p, status, at);
    memcpy(label, text, n + 1);
    status = parse_next(p);
    return status == DOSI_OK
               ? dosi_parse_expect(p, TOKEN_COLON, "':' behind a label")
               : status;
}

/* [ label ":" ] term */
static dosi_status parse_part(parser *p, const dosi_plan **out)
{
    if (p->lex.token != TOKEN_STRING)
        return parse_term(p, out);
    char label[LABEL_MAX_BYTES + 1];
    const dosi_plan *term = NULL;
    dosi_status status = parse_label(p, label);
    if (status == DOSI_OK)
        status = parse_term(p, &term);
    if (status == DOSI_OK)
        status = dosi_plan_labelled(out, term, label, p->err);
    dosi_plan_free(term);
    return status;
}

/* Whether another part follows, behind a "+" or in a line of its own. */
static bool has_another_part(const parser *p)
{
    const lexer *lex = &p->lex;
    if (lex->token == TOKEN_PLUS)
        return true;
    return p->depth == 0 && lex->starts_line &&
           (lex->token == TOKEN_NAME || lex->token == TOKEN_LEFT ||
               lex->token == TOKEN_STRING || lex->token == TOKEN_FILE ||
               lex->token == TOKEN_NUMBER || lex->token == TOKEN_HOLE);
}

/* Reads "+ part" as often as it comes; parts[0] is there already. */
static dosi_status parse_rest(parser *p, const dosi_plan ***parts, size_t *n)
{
    size_t capacity = 1;
    while (has_another_part(p)) {
        if (*n == capacity) {
            capacity *= 4;
            const dosi_plan **more =
                realloc(*parts, capacity * sizeof(const dosi_plan *));
            if (more == NULL)
                return dosi_fail_memory(p->err);
            *parts = more;
        }
        (*parts)[*n] = NULL;
        dosi_status status =
            p->lex.token == TOKEN_PLUS ? parse_next(p) : DOSI_OK;
        if (status == DOSI_OK)
            status = parse_part(p, &(*parts)[*n]);
        if (status != DOSI_OK)
            return status;
        ++*n;
    }
    return DOSI_OK;
}

dosi_status dosi_parse_sum(parser *p, const dosi_plan **out)
{
    size_t at = p->lex.at, n = 1;
    const dosi_plan *first = NULL;
    dosi_status status = parse_part(p, &first);
    if (status != DOSI_OK || !has_another_part(p)) {
        *out = first;
        return status;
    }
    const dosi_plan **parts = malloc(sizeof(const dosi_plan *));
    if (parts == NULL) {
        dosi_plan_free(first);
        return dosi_fail_memory(p->err);
    }
    parts[0] = first;
    status = parse_rest(p, &parts, &n);
    if (status == DOSI_OK) {
        status = dosi_plan_compose(out, parts, n, p->err);
        if (status != DOSI_OK)
            status = dosi_parse_located(p, status, at);
    }
    for (size_t i = 0; i < n; i++)
        dosi_plan_free(parts[i]);
    free(parts);
    return status;
}

dosi_status dosi_plan_parse_including(
    const dosi_plan **out, const char *text, size_t n_bytes,
    dosi_status (*include)(const dosi_plan **out, const char *name,
        void *context, dosi_error *err),
    void *context, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    parser p = {.lex = {.text = text, .n = n_bytes},
        .include = include,
        .context = context,
        .err = err};
    const dosi_plan *plan = NULL;
    *out = NULL;
    if (n_bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        p.lex.at = 3; /* a byte order mark */
    dosi_status status = parse_next(&p);
    if (status == DOSI_OK)
        status = dosi_parse_sum(&p, &plan);
    if (status == DOSI_OK && p.lex.token != TOKEN_END)
        status = dosi_habit_fail_behind(
            &p.lex, "'+', '*' or the end of the text", err);
    if (status == DOSI_OK)
        *out = plan;
    else
        dosi_plan_free(plan);
    return status;
}

dosi_status dosi_plan_parse(
    const dosi_plan **out, const char *text, size_t n_bytes, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return dosi_plan_parse_including(out, text, n_bytes, NULL, NULL, err);
}
