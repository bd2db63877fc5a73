/*
 * What people write by habit, from other tools, books and spreadsheets, and
 * what it is called here: the errors of words that no row of the kind table
 * has. A word of the tables is answered by them, and any other one by the
 * nearest name.
 */
#ifndef DOSI_LANG_HABITS_H
#define DOSI_LANG_HABITS_H

#include "lex.h"
#include "plan/kinds.h"

/* A byte that starts no token: what it is, and what to write. */
dosi_status dosi_habit_fail_byte(const lexer *lex, dosi_error *err);

/* What to say behind "is not a number" of the first n of so many bytes. */
const char *dosi_habit_behind_digits(const char *text, size_t n, size_t rest);

/* The token is a name where a kind belongs. */
dosi_status dosi_habit_fail_kind(const lexer *name, dosi_error *err);

/* The token is the name of an argument that the kind does not have. */
dosi_status dosi_habit_fail_argument(
    const lexer *name, dosi_kind kind, dosi_error *err);

/* The token stands where a number belongs; whose and what name it. */
dosi_status dosi_habit_fail_number(const lexer *lex, const char *whose,
    const char *what, dosi_error *err);

/* The token stands behind a whole part; expected names what may. */
dosi_status dosi_habit_fail_behind(
    const lexer *lex, const char *expected, dosi_error *err);

/* What to say of a number behind a comma if it was meant for the digits behind
 * a decimal comma; "" if not. */
const char *dosi_habit_comma(const lexer *lex);

#endif
