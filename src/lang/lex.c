/*
 * The lexer of the text form.
 */
#include "lex.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "habits.h"
#include "num/decimal.h"

/* Longer tokens are cut in messages. */
#define SHOWN 40

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return is_letter(c) || is_digit(c) || c == '.';
}

/* Whether a decimal names 0 itself and not just something near it. */
static bool decimal_is_zero(const char *text, size_t n)
{
    for (size_t i = 0; i < n && (is_digit(text[i]) || text[i] == '.'); i++)
        if (text[i] >= '1' && text[i] <= '9')
            return false;
    return true;
}

/* Whether plain digits name a whole number greater than the double nearest
 * to it: 2^53 + 1 must not pass for 2^53 where counts end. */
static bool digits_above(const char *text, size_t n, double value)
{
    char exact[DOSI_NUMBER_BYTES];
    while (n > 1 && *text == '0') {
        text++;
        n--;
    }
    for (size_t i = 0; i < n; i++)
        if (!is_digit(text[i]))
            return false;
    /* below 2^53 every whole number is a double; above 10^17 nobody asks */
    if (value < 0x1p53 || value > 1e17)
        return false;
    return dosi_print_exact(exact, value) == n &&
           memcmp(text, exact, n) > 0;
}

static dosi_status lex_number(lexer *lex, dosi_error *err)
{
    const char *start = lex->text + lex->at;
    size_t rest = lex->n - lex->at, n = 0;
    bool ok = decimal_read(&lex->value, start, rest, &n);
    if (!ok || (n < rest && is_word(start[n]))) {
        while (n < rest && is_word(start[n]))
            n++;
        return dosi_fail_at(err, DOSI_ESYNTAX, lex->at,
            "'%.*s' is not a number%s", n < SHOWN ? (int)n : SHOWN, start,
            dosi_habit_behind_digits(start, n, rest));
    }
    lex->token = TOKEN_NUMBER;
    lex->length = n;
    lex->is_above = digits_above(start, n, lex->value);
    if (lex->value == HUGE_VAL)
        return dosi_fail_at(err, DOSI_EINVAL, lex->at,
            "%.*s is greater than the largest double",
            n < SHOWN ? (int)n : SHOWN, start);
    if (lex->value == 0 && !decimal_is_zero(start, n))
        return dosi_fail_at(err, DOSI_EINVAL, lex->at,
            "%.*s is smaller than the smallest positive double",
            n < SHOWN ? (int)n : SHOWN, start);
    return DOSI_OK;
}

/* Passes white space and comments. */
static void lex_space(lexer *lex)
{
    size_t i = lex->at + lex->length;
    bool comment = false;
    lex->starts_line = false;
    for (; i < lex->n; i++) {
        char c = lex->text[i];
        if (c == '\n' || c == '\r') {
            lex->starts_line = true;
            comment = false;
        } else if (c == '#') {
            comment = true;
        } else if (!comment && c != ' ' && c != '\t') {
            break;
        }
    }
    lex->at = i;
    lex->length = 0;
}

/* Moves over a quoted text that starts at byte i, to behind its end. */
static dosi_status lex_quoted(lexer *lex, size_t i, dosi_error *err)
{
    for (i++; i < lex->n && lex->text[i] != '"'; i++) {
        unsigned char c = (unsigned char)lex->text[i];
        if (c == '\n' || c == '\r')
            break;
        if (c == '\\' && i + 1 < lex->n && lex->text[i + 1] != '"' &&
            lex->text[i + 1] != '\\')
            return dosi_fail_at(err, DOSI_ESYNTAX, i,
                "a backslash in quotes must stand before a quote or another "
                "backslash");
        if (c == '\\')
            i++;
        else if (c < 0x20 || c == 0x7f)
            return dosi_fail_at(err, DOSI_ESYNTAX, i,
                "unexpected byte 0x%02x in quotes", c);
    }
    if (i >= lex->n || lex->text[i] != '"')
        return dosi_fail_at(err, DOSI_ESYNTAX, lex->at,
            "the quote that opens here must be closed in its line");
    lex->length = i + 1 - lex->at;
    return DOSI_OK;
}

/* Bytes that end a name behind "@" that is not in quotes. */
static bool ends_file(char c)
{
    return (unsigned char)c <= 0x20 || c == 0x7f ||
           strchr("+*()[],;#\"@", c) != NULL;
}

static dosi_status lex_file(lexer *lex, dosi_error *err)
{
    size_t i = lex->at + 1;
    lex->token = TOKEN_FILE;
    if (i < lex->n && lex->text[i] == '"')
        return lex_quoted(lex, i, err);
    while (i < lex->n && !ends_file(lex->text[i]))
        i++;
    lex->length = i - lex->at;
    if (lex->length == 1)
        return dosi_fail_at(err, DOSI_ESYNTAX, lex->at,
            "'@' must be followed by the name of a file");
    return DOSI_OK;
}

size_t dosi_lex_unquote(char *out, const lexer *lex)
{
    const char *from = lex->text + lex->at, *end = from + lex->length;
    char *to = out;
    from += *from == '@';
    if (from < end && *from == '"') {
        from++;
        end--;
    }
    for (; from < end; from++) {
        from += *from == '\\' && lex->text[lex->at + lex->length - 1] == '"';
        *to++ = *from;
    }
    *to = '\0';
    return (size_t)(to - out);
}

dosi_status dosi_lex_next(lexer *lex, dosi_error *err)
{
    lex_space(lex);
    size_t i = lex->at;
    if (i == lex->n) {
        lex->token = TOKEN_END;
        return DOSI_OK;
    }
    char c = lex->text[i];
    if (is_digit(c) || c == '.')
        return lex_number(lex, err);
    if (is_letter(c)) {
        while (
            i < lex->n && (is_letter(lex->text[i]) || is_digit(lex->text[i])))
            i++;
        lex->token = TOKEN_NAME;
        lex->length = i - lex->at;
        return DOSI_OK;
    }
    if (c == '@')
        return lex_file(lex, err);
    if (c == '"') {
        lex->token = TOKEN_STRING;
        return lex_quoted(lex, i, err);
    }
    if (c == '\0' || strchr("()[],=+-*/?:", c) == NULL)
        return dosi_habit_fail_byte(lex, err);
    lex->token = (token)c;
    lex->length = 1;
    return DOSI_OK;
}

bool dosi_lex_is(const lexer *lex, const char *name)
{
    if (lex->token != TOKEN_NAME || strlen(name) != lex->length)
        return false;
    for (size_t i = 0; i < lex->length; i++) {
        char c = lex->text[lex->at + i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != name[i])
            return false;
    }
    return true;
}

const char *dosi_lex_found(const lexer *lex, char found[LEX_FOUND_BYTES])
{
    if (lex->token == TOKEN_END)
        (void)snprintf(found, LEX_FOUND_BYTES, "the end of the text");
    else if (lex->token == TOKEN_STRING || lex->token == TOKEN_FILE)
        (void)snprintf(found, LEX_FOUND_BYTES, "%s",
            lex->token == TOKEN_FILE ? "a file" : "a text in quotes");
    else
        (void)snprintf(found, LEX_FOUND_BYTES, "'%.*s'",
            lex->length < SHOWN ? (int)lex->length : SHOWN,
            lex->text + lex->at);
    return found;
}

dosi_status dosi_lex_fail(
    const lexer *lex, const char *expected, dosi_error *err)
{
    char found[LEX_FOUND_BYTES];
    return dosi_fail_at(err, DOSI_ESYNTAX, lex->at, "expected %s, found %s",
        expected, dosi_lex_found(lex, found));
}
