/*
 * What people type by habit in place of a command, an option or a number, and
 * what to type here: a table of words first, then the nearest name.
 */
#ifndef DOSI_SUGGESTIONS_H
#define DOSI_SUGGESTIONS_H

#include "cli.h"

/* Room for a hint of one line. */
#define HABIT_BYTES 160

/* Each writes what follows a message: "; did you mean ...", or "". */
const char *habit_of_command(char text[HABIT_BYTES], const char *word);
const char *habit_of_option(
    char text[HABIT_BYTES], enum cli_command_id command, const char *word);
const char *habit_of_number(const char *value);
const char *habit_of_neighbours(const char *value);

/* Of a word that is an operand too many. */
const char *habit_of_operand(const char *word);

#endif
