/*
 * A table of answers: a cell for every combination of the values of numbers
 * of a plan, with the answers to one or several questions.
 */
#ifndef DOSI_SWEEP_H
#define DOSI_SWEEP_H

#include "vary.h"

#define SWEEP_MOST_VARIED 8
#define SWEEP_MOST_ASKED 8

struct sweep_asked {
    const struct cli_question *question;
    double given;
};

struct sweep_answer {
    dosi_interval value;
    const char *reason; /* why it is wide, or NULL */
    dosi_status status;
    char *message; /* of a failure */
    bool is_vacuous;
};

struct sweep {
    const struct cli_arguments *args;
    const dosi_plan *plan;
    struct vary varied[SWEEP_MOST_VARIED];
    size_t n_varied;
    struct sweep_asked asked[SWEEP_MOST_ASKED];
    size_t n_asked;
    size_t n_cells;
    struct sweep_answer *answers; /* n_asked a cell */
    dosi_neighbours neighbours;   /* of the last answer */
    int n_digits;
};

/* The values of a cell, the last number varying fastest. */
void sweep_values(
    double values[SWEEP_MOST_VARIED], const struct sweep *s, size_t cell);

/* The table as table, csv, md or json; in sweep_write.c. */
void sweep_write(const struct sweep *s, const char *format);
bool sweep_is_format(const char *format);

#endif
