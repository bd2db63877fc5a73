/*
 * The parser of the text form, upper half: sums, counts and parentheses. It
 * is recursive descent with one token of look-ahead.
 */
#include "parse.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/float_environment.h"

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

static dosi_status parse_factor(parser *p, const dosi_plan **out)
{
    if (p->lex.token == TOKEN_NAME)
        return dosi_parse_call(p, out);
    if (p->lex.token != TOKEN_LEFT)
        return dosi_lex_fail(&p->lex, "a mechanism", p->err);
    const dosi_plan *inner = NULL;
    dosi_status status = dosi_parse_enter(p, p->lex.at);
    if (status == DOSI_OK)
        status = parse_next(p);
    if (status == DOSI_OK)
        status = dosi_parse_sum(p, &inner);
    if (status == DOSI_OK)
        status = dosi_parse_expect(p, TOKEN_RIGHT, "'+', '*' or ')'");
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
    number count;
    dosi_status status = dosi_parse_enter(p, at);
    if (status == DOSI_OK)
        status = dosi_parse_number(p, &count, "repeat", "count");
    if (status != DOSI_OK)
        return status;
    if (p->lex.token != TOKEN_TIMES)
        return dosi_fail_at(p->err, DOSI_ESYNTAX, at,
            "expected a mechanism, found a number without '*'");
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

/* Reads "+ term" as often as it comes; parts[0] is there already. */
static dosi_status parse_rest(parser *p, const dosi_plan ***parts, size_t *n)
{
    size_t capacity = 1;
    while (p->lex.token == TOKEN_PLUS) {
        if (*n == capacity) {
            capacity *= 4;
            const dosi_plan **more =
                realloc(*parts, capacity * sizeof(const dosi_plan *));
            if (more == NULL)
                return dosi_fail_memory(p->err);
            *parts = more;
        }
        dosi_status status = parse_next(p);
        (*parts)[*n] = NULL;
        if (status == DOSI_OK)
            status = parse_term(p, &(*parts)[*n]);
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
    dosi_status status = parse_term(p, &first);
    if (status != DOSI_OK || p->lex.token != TOKEN_PLUS) {
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

dosi_status dosi_plan_parse(
    const dosi_plan **out, const char *text, size_t n_bytes, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    parser p = {.lex = {.text = text, .n = n_bytes}, .err = err};
    const dosi_plan *plan = NULL;
    *out = NULL;
    dosi_status status = parse_next(&p);
    if (status == DOSI_OK)
        status = dosi_parse_sum(&p, &plan);
    if (status == DOSI_OK && p.lex.token != TOKEN_END)
        status = dosi_lex_fail(&p.lex, "'+', '*' or the end of the text", err);
    if (status == DOSI_OK)
        *out = plan;
    else
        dosi_plan_free(plan);
    return status;
}
