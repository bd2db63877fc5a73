/*
 * The parser of the text form, lower half: numbers, lists, and kinds with
 * their arguments, by the rows of the kind table.
 */
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "habits.h"
#include "argument_units.h"

typedef struct number_list {
    double *items;
    size_t n;
    size_t capacity;
} number_list;

/* A kind with the arguments read so far. */
typedef struct call {
    const kind_row *row;
    size_t at; /* of the name */
    plan_spec spec;
    bool given[DOSI_MAX_PARAMETERS];
    size_t offsets[DOSI_MAX_PARAMETERS];
    number_list lists[DOSI_MAX_PARAMETERS];
    units units;
    const dosi_plan *child;
    size_t n_positional;
    bool named; /* a named argument has been read */
} call;

/* ---- Numbers ----------------------------------------------------------- */

/* A signed decimal, inf or nan. */
static dosi_status parse_decimal(
    parser *p, double *out, const char *whose, const char *what)
{
    bool negative = p->lex.token == TOKEN_MINUS;
    if (negative || p->lex.token == TOKEN_PLUS) {
        dosi_status status = parse_next(p);
        if (status != DOSI_OK)
            return status;
    }
    if (p->lex.token == TOKEN_NUMBER)
        *out = p->lex.value;
    else if (dosi_lex_is(&p->lex, "inf") || dosi_lex_is(&p->lex, "infinity"))
        *out = HUGE_VAL;
    else if (dosi_lex_is(&p->lex, "nan"))
        *out = (double)NAN;
    else
        return dosi_habit_fail_number(&p->lex, whose, what, p->err);
    if (negative)
        *out = -*out;
    return parse_next(p);
}

/* whose and what name the parameter for messages. */
dosi_status dosi_parse_number(
    parser *p, number *out, const char *whose, const char *what)
{
    size_t at = p->lex.at;
    *out = (number){0};
    if (p->lex.token == TOKEN_HOLE) {
        if (p->hole_seen)
            return dosi_fail_at(p->err, DOSI_EINVAL, at,
                "%s: a plan must have at most one hole", whose);
        p->hole_seen = out->is_hole = true;
        return parse_next(p);
    }
    double divisor = 0;
    out->is_above = p->lex.token == TOKEN_NUMBER && p->lex.is_above;
    dosi_status status = parse_decimal(p, &out->value, whose, what);
    if (status != DOSI_OK || p->lex.token != TOKEN_OVER)
        return status;
    status = parse_next(p);
    if (status == DOSI_OK)
        status = parse_decimal(p, &divisor, whose, what);
    if (status != DOSI_OK)
        return status;
    if (divisor == 0)
        return dosi_fail_at(
            p->err, DOSI_EINVAL, at, "%s: %s is divided by 0", whose, what);
    double ratio = out->value / divisor;
    if ((isinf(ratio) && !isinf(out->value)) || (ratio == 0 && out->value != 0))
        return dosi_fail_at(p->err, DOSI_EINVAL, at,
            "%s: %s is a ratio outside the range of doubles", whose, what);
    out->value = ratio;
    out->is_above = false;
    return DOSI_OK;
}

static dosi_status list_add(number_list *list, double x, dosi_error *err)
{
    if (list->n == list->capacity) {
        size_t capacity = list->capacity == 0 ? 8 : 2 * list->capacity;
        double *items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL)
            return dosi_fail_memory(err);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->n++] = x;
    return DOSI_OK;
}

static dosi_status parse_list(
    parser *p, number_list *list, const char *whose, const char *what)
{
    if (p->lex.token != TOKEN_LIST) {
        char found[LEX_FOUND_BYTES];
        return dosi_fail_at(p->err, DOSI_ESYNTAX, p->lex.at,
            "%s: %s must be a list in brackets, found %s", whose, what,
            dosi_lex_found(&p->lex, found));
    }
    number x;
    do {
        dosi_status status = parse_next(p); /* over the bracket or comma */
        size_t at = p->lex.at;
        if (status == DOSI_OK)
            status = dosi_parse_number(p, &x, whose, what);
        if (status != DOSI_OK)
            return status;
        if (x.is_hole)
            return dosi_fail_at(p->err, DOSI_EINVAL, at,
                "%s: the hole cannot stand in a list", whose);
        status = list_add(list, x.value, p->err);
        if (status != DOSI_OK)
            return status;
    } while (p->lex.token == TOKEN_COMMA);
    return dosi_parse_expect(p, TOKEN_LIST_END, "',' or ']'");
}

/* ---- Calls ------------------------------------------------------------- */

static dosi_status parse_parameter(parser *p, call *c, size_t i)
{
    const kind_parameter *rule = &c->row->parameters[i];
    number x;
    if (c->given[i])
        return dosi_fail_at(p->err, DOSI_EINVAL, p->lex.at,
            "%s: %s is given twice", c->row->name, rule->name);
    c->given[i] = true;
    c->offsets[i] = p->lex.at;
    if (rule->is_list)
        return parse_list(p, &c->lists[i], c->row->name, rule->name);
    dosi_status status = dosi_parse_number(p, &x, c->row->name, rule->name);
    if (status != DOSI_OK)
        return status;
    c->spec.parameters[i] =
        kind_range_is_integer(rule->range) ? number_whole(x) : x.value;
    if (x.is_hole)
        c->spec.hole = i;
    return DOSI_OK;
}

static dosi_status parse_child(parser *p, call *c)
{
    if (c->child != NULL)
        return dosi_fail_at(p->err, DOSI_EINVAL, p->lex.at,
            "%s: the mechanism is given twice", c->row->name);
    return dosi_parse_sum(p, &c->child);
}

/* An argument in another unit than the parameter. */
static dosi_status parse_unit(parser *p, call *c, unit which)
{
    const char *name = dosi_unit_name(which);
    number x;
    if (c->units.given[which])
        return dosi_fail_at(p->err, DOSI_EINVAL, p->lex.at,
            "%s: %s is given twice", c->row->name, name);
    c->units.given[which] = true;
    c->units.offset[which] = p->lex.at;
    dosi_status status = dosi_parse_number(p, &x, c->row->name, name);
    if (status == DOSI_OK && x.is_hole)
        return dosi_fail_at(p->err, DOSI_EINVAL, c->units.offset[which],
            "%s: %s cannot be the hole; write %s(?)", c->row->name, name,
            c->row->name);
    c->units.value[which] = x.value;
    return status;
}

/* name is at a name, p at the argument behind its '='. */
static dosi_status parse_named(parser *p, call *c, const lexer *name)
{
    const char *text = name->text + name->at;
    size_t i = dosi_kind_find_parameter(c->row, text, name->length);
    unit which = dosi_unit_find(c->spec.kind, text, name->length);
    c->named = true;
    if (i < c->row->n_parameters)
        return parse_parameter(p, c, i);
    if (which < UNIT_COUNT)
        return parse_unit(p, c, which);
    if (c->row->n_children > 0 && dosi_lex_is(name, "of"))
        return parse_child(p, c);
    return dosi_habit_fail_argument(name, c->spec.kind, p->err);
}

static dosi_status parse_argument(parser *p, call *c)
{
    size_t n = c->row->n_parameters;
    if (p->lex.token == TOKEN_NAME) {
        lexer name = p->lex;
        dosi_status status = parse_next(p);
        if (status != DOSI_OK)
            return status;
        if (p->lex.token == TOKEN_EQUALS) {
            status = parse_next(p);
            return status == DOSI_OK ? parse_named(p, c, &name) : status;
        }
        if (p->lex.token == TOKEN_COLON)
            return dosi_fail_at(p->err, DOSI_ESYNTAX, p->lex.at,
                "%s: the name of an argument is followed by '=', not by ':'",
                c->row->name);
        p->lex = name;
    }
    if (c->named && (c->row->n_children == 0 || c->child != NULL))
        return dosi_fail_at(p->err, DOSI_ESYNTAX, p->lex.at,
            "%s: a named argument must be followed by named ones",
            c->row->name);
    size_t i = c->named ? n : c->n_positional++;
    if (i < n)
        return parse_parameter(p, c, i);
    if (i < n + c->row->n_children)
        return parse_child(p, c);
    return dosi_fail_at(p->err, DOSI_EINVAL, p->lex.at,
        "%s: takes at most %zu argument%s%s", c->row->name,
        n + c->row->n_children, n + c->row->n_children == 1 ? "" : "s",
        dosi_habit_comma(&p->lex));
}

/* Fills in defaults; end is where a missing argument would stand. */
static dosi_status call_complete(parser *p, call *c, size_t end)
{
    dosi_status status = dosi_units_apply(&c->spec.parameters[0],
        &c->given[0], &c->units, c->spec.kind, c->spec.hole == 0, p->err);
    if (status != DOSI_OK)
        return p->err == NULL || p->err->offset != DOSI_NO_OFFSET
                   ? status
                   : dosi_parse_located(p, status, end);
    for (size_t i = 0; i < c->row->n_parameters; i++) {
        const kind_parameter *rule = &c->row->parameters[i];
        if (c->given[i])
            continue;
        if (!rule->has_default)
            return dosi_fail_at(p->err, DOSI_EINVAL, end, "%s: %s is missing",
                c->row->name, rule->name);
        c->spec.parameters[i] = rule->default_value;
        c->offsets[i] = c->at;
    }
    if (c->row->n_children > 0 && c->child == NULL)
        return dosi_fail_at(p->err, DOSI_EINVAL, end,
            "%s: the mechanism is missing", c->row->name);
    return DOSI_OK;
}

static dosi_status call_make(parser *p, const call *c, const dosi_plan **out)
{
    plan_spec spec = c->spec;
    size_t culprit;
    for (size_t i = 0; i < DOSI_MAX_PARAMETERS; i++) {
        spec.lists[i] = c->lists[i].items;
        spec.n_lists[i] = c->lists[i].n;
    }
    spec.children = &c->child;
    spec.n_children = c->child != NULL;
    dosi_status status = dosi_plan_make(out, &spec, &culprit, p->err);
    if (status != DOSI_OK)
        return dosi_parse_located(
            p, status, culprit < PLAN_NO_HOLE ? c->offsets[culprit] : c->at);
    return DOSI_OK;
}

/* The token is the parenthesis behind the name of a kind. */
static dosi_status parse_arguments(parser *p, call *c)
{
    dosi_status status = dosi_parse_enter(p, p->lex.at);
    if (status == DOSI_OK)
        status = parse_next(p);
    if (status == DOSI_OK && p->lex.token != TOKEN_RIGHT) {
        status = parse_argument(p, c);
        while (status == DOSI_OK && p->lex.token == TOKEN_COMMA) {
            status = parse_next(p);
            if (status == DOSI_OK)
                status = parse_argument(p, c);
        }
    }
    if (status != DOSI_OK)
        return status;
    size_t end = p->lex.at;
    status = dosi_parse_expect(p, TOKEN_RIGHT, "',' or ')'");
    p->depth--;
    return status == DOSI_OK ? call_complete(p, c, end) : status;
}

/* The token is a name where a kind belongs. */
static dosi_status fail_unknown(parser *p)
{
    const lexer name = p->lex;
    if (dosi_lex_next(&p->lex, NULL) == DOSI_OK && p->lex.token == TOKEN_COLON)
        return dosi_fail_at(p->err, DOSI_ESYNTAX, name.at,
            "a label, which ':' follows, must be in double quotes");
    return dosi_habit_fail_kind(&name, p->err);
}

/* The token is the name of a kind. */
dosi_status dosi_parse_call(parser *p, const dosi_plan **out)
{
    call c = {.at = p->lex.at, .spec = {.hole = PLAN_NO_HOLE}};
    if (!dosi_kind_find(&c.spec.kind, p->lex.text + p->lex.at, p->lex.length))
        return fail_unknown(p);
    c.row = dosi_kind_row(c.spec.kind);
    if (c.row->infix != NULL)
        return dosi_fail_at(p->err, DOSI_ESYNTAX, c.at, "'%s' is written %s",
            c.row->name, c.row->infix);
    dosi_status status = parse_next(p);
    if (status != DOSI_OK)
        return status;
    if (p->lex.token != TOKEN_LEFT)
        return dosi_lex_fail(&p->lex, "'('", p->err);
    status = parse_arguments(p, &c);
    if (status == DOSI_OK)
        status = call_make(p, &c, out);
    dosi_plan_free(c.child);
    for (size_t i = 0; i < DOSI_MAX_PARAMETERS; i++)
        free(c.lists[i].items);
    return status;
}
