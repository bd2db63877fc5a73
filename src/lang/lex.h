/*
 * Tokens of the text form: names, unsigned numbers, quoted texts, names of
 * files behind "@", and single signs. White space (blank, tab, line ends) and
 * comments ("#" to the end of the line) separate; any other byte is refused
 * where it stands.
 */
#ifndef DOSI_LANG_LEX_H
#define DOSI_LANG_LEX_H

#include <stdbool.h>

#include "dosimeter.h"

/* A sign is its own character. */
typedef enum token {
    TOKEN_END = 0,
    TOKEN_NAME = 'a',
    TOKEN_NUMBER = '0',
    TOKEN_LEFT = '(',
    TOKEN_RIGHT = ')',
    TOKEN_LIST = '[',
    TOKEN_LIST_END = ']',
    TOKEN_COMMA = ',',
    TOKEN_EQUALS = '=',
    TOKEN_PLUS = '+',
    TOKEN_MINUS = '-',
    TOKEN_TIMES = '*',
    TOKEN_OVER = '/',
    TOKEN_HOLE = '?',
    TOKEN_COLON = ':',
    TOKEN_STRING = '"', /* with its quotes */
    TOKEN_FILE = '@'    /* with the sign */
} token;

/* The text and the token in it that is looked at. */
typedef struct lexer {
    const char *text;
    size_t n;
    token token;
    size_t at; /* where the token starts */
    size_t length;
    double value; /* of a number: finite, >= 0 */
    bool is_above; /* a whole number of many digits, above its double */
    bool starts_line; /* a line break stands before the token */
} lexer;

/*
 * Moves to the next token; the first call after {text, n} to the first.
 *
 * fails  DOSI_ESYNTAX for a byte or number that is none, DOSI_EINVAL for a
 *        number outside the doubles, with the offset
 */
DOSI_CHECK dosi_status dosi_lex_next(lexer *lex, dosi_error *err);

/* The quoted text at a token that is one, or whose second byte begins one:
 * without quotes and escapes. out has the token's length. Returns its length;
 * the text is terminated. */
size_t dosi_lex_unquote(char *out, const lexer *lex);

/* Whether the token is this name; ASCII letters match in either case. */
bool dosi_lex_is(const lexer *lex, const char *name);

/* "expected ..., found ..." at the token: DOSI_ESYNTAX. */
dosi_status dosi_lex_fail(
    const lexer *lex, const char *expected, dosi_error *err);

/* What stands there, for messages: a quoted token, or the end. */
#define LEX_FOUND_BYTES 64
const char *dosi_lex_found(const lexer *lex, char found[LEX_FOUND_BYTES]);

#endif
