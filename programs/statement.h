/*
 * What a plan guarantees in plain language, as titled lists of sentences
 * that a command shows in its own form.
 */
#ifndef DOSI_STATEMENT_H
#define DOSI_STATEMENT_H

#include "breakdown.h"
#include "cli.h"

/* The lists, in the order in which they are read. */
enum statement_topic {
    STATEMENT_GUARANTEE,
    STATEMENT_SAMPLER, /* of plans that sample */
    STATEMENT_UNIT,
    STATEMENT_ODDS,
    STATEMENT_ATTACK,
    STATEMENT_DELTA,
    STATEMENT_RUN,
    STATEMENT_COSTS, /* of plans of several parts */
    STATEMENT_PROOF,
    STATEMENT_ASSUMED,
    STATEMENT_TOPICS
};

struct statement_section {
    enum statement_topic topic;
    const char *title;
    size_t n_sentences;
    char **sentences; /* all of them: none is left out for want of room */
};

/* What the options say of it. */
struct statement_wanted {
    double delta, prior;
    double n_people; /* 0: not given */
    size_t most_parts; /* of plans of more, no part is asked about; 0: 16 */
};

/* What is known of the plan, and what is said of it. */
struct statement {
    double delta;
    double n_people; /* 0: not given */
    int n_digits;    /* of epsilon: --digits, or 6 */
    dosi_answer epsilon;
    dosi_risk risk;
    struct breakdown parts; /* n is 0 where nothing was asked about them */
    char *plan; /* its normal form as text */
    size_t n_run; /* sentences of STATEMENT_RUN that name parts, not kinds */
    size_t n_sections;
    struct statement_section sections[STATEMENT_TOPICS];
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
/* The list of a topic, or NULL. */
const struct statement_section *statement_about(
    const struct statement *statement, enum statement_topic topic);

/* Whether there is no epsilon to report; whether there certainly is none, as
 * infinite losses are likelier than delta; whether the output is the same for
 * all that is known of neighbours. */
bool statement_is_unprotected(const struct statement *statement);
bool statement_gives_away(const struct statement *statement);
bool statement_is_blind(const struct statement *statement);

/* The largest group of records that every part of the plan speaks of. */
double statement_group(const dosi_plan *normal);

/* A probability as a percentage that reads back as it; text has
 * DOSI_NUMBER_BYTES. */
void statement_percent(char *text, double p);

void statement_free(struct statement *statement);

#endif
