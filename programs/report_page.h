/*
 * What is known of a plan, and the forms in which it is shown to people: one
 * HTML page that needs no network and no scripts, an entry of the public
 * registry of deployments, and a checklist. The same report gives the same
 * bytes.
 */
#ifndef DOSI_REPORT_PAGE_H
#define DOSI_REPORT_PAGE_H

#include "curves.h"
#include "route_answers.h"
#include "statement.h"

#define REPORT_NUMBERS 16
#define REPORT_PLOTS 3

/* The rate of false alarms that the first page speaks of. */
#define REPORT_FALSE_ALARMS 0.05

/* What the options say; NULL where one is not given. */
struct report_fields {
    const char *title, *data_set, *unit, *owner, *purpose, *date, *contact;
};

/* One row of the table of quantities. */
struct report_number {
    char name[128];
    const char *meaning; /* what it says, in a sentence */
    dosi_interval value;
};

/* A curve or a quantity that is not there, or not all of it. */
struct report_gap {
    const char *title;
    const char *reason;
    bool is_curve;
};

struct report {
    const struct cli_arguments *args; /* for the command that made it */
    struct report_fields fields;
    const char *label; /* the plan as it was typed */
    uint64_t hash;     /* of its normal form */
    double group;      /* of records that every part protects */
    dosi_answer epsilon; /* asked once, for every section */
    struct statement statement;
    dosi_interval recognised; /* true positives at REPORT_FALSE_ALARMS */
    struct report_number numbers[REPORT_NUMBERS];
    size_t n_numbers;
    struct routes routes;
    struct curve_plot plots[REPORT_PLOTS];
    size_t n_plots;
    struct report_gap gaps[REPORT_PLOTS + REPORT_NUMBERS];
    size_t n_gaps;
};

/* The options of a report, in report_fields.c. Returns an exit status, having
 * said why. */
int report_fields_read(
    struct report_fields *out, const struct cli_arguments *args);

/*
 * Asks about the plan, in report_ask.c: epsilon and the statement, or all
 * that a page shows. Returns an exit status, having said why; free in any
 * case.
 */
int report_ask(struct report *report, struct cli_asking *how,
    const dosi_plan *plan, const struct statement_wanted *wanted,
    bool is_page);
void report_free(struct report *report);

/* The forms, each in the file of its name. */
void report_page_write(FILE *out, const struct report *report);
void report_registry_write(FILE *out, const struct report *report);
void report_checklist_write(FILE *out, const struct report *report);

/* ---- Parts of the page --------------------------------------------------- */

void report_style_write(FILE *out); /* report_style.c */
void report_appendix_write(FILE *out, const struct report *report);

/* <TAG>the words, escaped</TAG> */
void report_element(FILE *out, const char *tag, const char *words);

/* The sentences of a topic, each as such an element. */
void report_sentences(FILE *out, const struct report *report,
    enum statement_topic topic, const char *tag);

/* ---- Words, in report_words.c -------------------------------------------- */

#define REPORT_WORDS_BYTES 2048

struct report_words {
    char text[REPORT_WORDS_BYTES];
};

/* The one sentence on top. */
struct report_words report_headline(const struct report *report);

/* "1 in 100,000", never less than the probability, which is above 0. */
struct report_words report_odds(double probability);

/* "one person", "one record", "one person with up to 3 records". */
struct report_words report_who(const struct report *report);

/* What an attacker guesses. */
struct report_words report_guess(const struct report *report);

/* An upper bound of a probability in percent, of three digits. */
struct report_words report_percent(double upper);

/* What a belief of the prior is at most, after an alarm. */
double report_posterior(const struct report *report);

/* "." after a sentence of a list that ends without. */
const char *report_stop(const char *sentence);

/* The command that makes the report, as a shell reads it, with so much before
 * each option. */
void report_command(FILE *out, const struct report *report,
    const char *between, void (*text)(FILE *out, const char *words));

#endif
