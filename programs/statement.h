/*
 * What a plan guarantees in plain language, as titled lists of sentences
 * that a command shows in its own form.
 */
#ifndef DOSI_STATEMENT_H
#define DOSI_STATEMENT_H

#include "cli.h"

#define STATEMENT_SECTIONS 8
#define STATEMENT_SENTENCES 24

struct statement_section {
    const char *title;
    size_t n_sentences;
    char *sentences[STATEMENT_SENTENCES];
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

/*
 * Asks about the plan within the limits and words the answers. Returns an
 * exit status, having said why; free in any case.
 */
int statement_make(struct statement *out, const struct cli_arguments *args,
    const dosi_plan *plan, double delta, double prior, double n_people,
    struct cli_asking *how);
void statement_free(struct statement *statement);

#endif
