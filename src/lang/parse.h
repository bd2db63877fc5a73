/*
 * Reading the text form of plans:
 *
 *     plan      part { "+" part }
 *     part      [ label ":" ] term
 *     term      factor { "*" count } | count "*" term
 *     factor    kind "(" [ argument { "," argument } ] ")" | "(" plan ")"
 *               | "@" file
 *     argument  [ name "=" ] ( number | list | plan )
 *     number    [sign] decimal [ "/" [sign] decimal ] | "?"
 *     list      "[" number { "," number } "]"
 *
 * A label is a text in quotes, and so may be the name of a file. Outside
 * parentheses a line break before a part stands for "+". A byte order mark
 * before the text is passed over.
 *
 * Positional arguments stand before named ones, in the order of the kind's
 * row; those in other units (argument_units.h) are named. A mechanism comes
 * last and may follow named arguments or be called "of". The words inf and
 * nan are read as such and refused by the rule of the parameter. Recursion is
 * bounded by PARSE_MAX_DEPTH.
 */
#ifndef DOSI_LANG_PARSE_H
#define DOSI_LANG_PARSE_H

#include <math.h>

#include "lex.h"
#include "plan/plan.h"

/* Open parentheses and leading counts: those a plan of PLAN_MAX_LEVELS needs,
 * and as many again around its counts. */
#define PARSE_MAX_DEPTH (2 * PLAN_MAX_LEVELS)

typedef struct parser {
    lexer lex;
    unsigned depth;
    bool hole_seen;
    dosi_status (*include)(const dosi_plan **out, const char *name,
        void *context, dosi_error *err); /* or NULL */
    void *context;
    dosi_error *err;
} parser;

/* A number as written; the hole has no value. */
typedef struct number {
    double value;
    bool is_hole;
    bool is_above; /* see lex.h */
} number;

/* For a rule of whole numbers, which end at 2^53: not below what stands. */
static inline double number_whole(number x)
{
    return x.is_above ? nextafter(x.value, HUGE_VAL) : x.value;
}

static inline dosi_status parse_next(parser *p)
{
    return dosi_lex_next(&p->lex, p->err);
}

/* Passes the token, or fails with what was expected instead. */
DOSI_CHECK dosi_status dosi_parse_expect(
    parser *p, token t, const char *expected);

/* One more parenthesis or leading count at this offset is open. */
DOSI_CHECK dosi_status dosi_parse_enter(parser *p, size_t at);

/* Gives an error of the plan's constructor its place in the text. */
dosi_status dosi_parse_located(parser *p, dosi_status status, size_t at);

/* A number, ratio or hole; whose and what name it in messages. */
DOSI_CHECK dosi_status dosi_parse_number(
    parser *p, number *out, const char *whose, const char *what);

/* A kind with its arguments; the token is a name. (parse_call.c) */
DOSI_CHECK dosi_status dosi_parse_call(parser *p, const dosi_plan **out);

/* A sum of terms; *out is NULL after failure. (parse.c) */
DOSI_CHECK dosi_status dosi_parse_sum(parser *p, const dosi_plan **out);

#endif
