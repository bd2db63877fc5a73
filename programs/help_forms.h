/*
 * The forms of the help that other programs read, and what they share with
 * the one for people.
 */
#ifndef DOSI_CLI_HELP_FORMS_H
#define DOSI_CLI_HELP_FORMS_H

#include <stddef.h>

struct cli_arguments;

/* How a plan is written, in one paragraph. */
extern const char help_plan_text[];

struct help_exit {
    int status;
    const char *meaning;
};

extern const struct help_exit help_exits[];
extern const size_t help_n_exits;

/* Every line of text, between before and after; none when text is NULL. */
void help_lines(const char *text, const char *before, const char *after);

void help_overview(void); /* for people, in cmd_help.c */
void help_man(void);

/* For the shell that the operand names, bash if there is none. Returns an exit
 * status, having said why. */
int help_completion(const struct cli_arguments *args);

void help_markdown(void);
void help_json(void);

#endif
