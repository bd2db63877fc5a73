/*
 * What a plan guarantees in plain language, as titled lists of sentences
 * that a command shows in its own form.
 */
#ifndef DOSI_STATEMENT_H
#define DOSI_STATEMENT_H

#include "cli.h"

#define STATEMENT_SECTIONS 9

struct statement_section {
    const char *title;
    size_t n_sentences;
    char **sentences; /* all of them: none is left out for want of room */
};

/* What the options say of it. */
struct statement_wanted {
    double delta, prior;
    double n_people; /* 0: not given */
};

/* What is known of the plan, and what is said of it. */
struct statement {
    double delta;
    double n_people; /* 0: not given */
    int n_digits;    /* of epsilon: --digits, or 6 */
    dosi_answer epsilon;
    dosi_risk risk;
    char *plan; /* its normal form as text */
    size_t n_sections;
    struct statement_section sections[STATEMENT_SECTIONS];
    bool failed; /* memory ran out */
};

/* --delta, --prior and --people. Returns an exit status, having said why. */
int statement_read(
    struct statement_wanted *out, const struct cli_arguments *args);

/*
 * Asks about the plan within the limits and words the answers; epsilon is
 * not asked again where it is known. Returns an exit status, having said
 * why; free in any case.
 */
int statement_make(struct statement *out, const struct cli_arguments *args,
    const dosi_plan *plan, const struct statement_wanted *wanted,
    const dosi_answer *epsilon, struct cli_asking *how);
/* A probability as a percentage that reads back as it; text has
 * DOSI_NUMBER_BYTES. */
void statement_percent(char *text, double p);

void statement_free(struct statement *statement);

#endif
