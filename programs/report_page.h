/*
 * All that is known of a plan as one HTML page that needs no network and no
 * scripts. The same report gives the same bytes.
 */
#ifndef DOSI_REPORT_PAGE_H
#define DOSI_REPORT_PAGE_H

#include "curves.h"
#include "route_answers.h"
#include "statement.h"

#define REPORT_NUMBERS 16
#define REPORT_PLOTS CURVE_KINDS

/* One row of the table of numbers. */
struct report_number {
    char name[128];
    dosi_interval value;
    const char *reason; /* why it is wide or infinite, or NULL */
};

/* A curve that is not there, or not all of it. */
struct report_gap {
    const char *title;
    const char *reason;
};

struct report {
    const struct cli_arguments *args; /* for the command that made it */
    const char *title;
    const char *label; /* the plan as it was typed */
    const char *tree;  /* as JSON */
    uint64_t hash;     /* of its normal form */
    dosi_answer epsilon; /* asked once, for every section */
    struct statement statement;
    struct report_number numbers[REPORT_NUMBERS];
    size_t n_numbers;
    struct routes routes;
    struct curve_plot plots[REPORT_PLOTS];
    size_t n_plots;
    struct report_gap gaps[REPORT_PLOTS];
    size_t n_gaps;
};

void report_page_write(FILE *out, const struct report *report);

#endif
