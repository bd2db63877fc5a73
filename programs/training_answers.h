/*
 * The answers of dosimeter sgd and dosimeter federated: what was asked about a
 * run, and their writing.
 */
#ifndef DOSI_PROGRAMS_TRAINING_ANSWERS_H
#define DOSI_PROGRAMS_TRAINING_ANSWERS_H

#include "training.h"

#define MOST_DELTAS 16
#define MOST_CASES 4

/* One plan of the run, and what it is an answer to. */
struct training_case {
    enum training_sampler sampler;
    bool of_user;
    bool is_comparison; /* it is shown for comparison only */
    char plan[TRAINING_PLAN_BYTES];
    dosi_answer answers[MOST_DELTAS];
};

struct training_answers {
    const struct cli_arguments *args;
    struct training run;
    struct cli_asking how;
    size_t n_deltas;
    double deltas[MOST_DELTAS];
    size_t n_cases;
    struct training_case cases[MOST_CASES];
    dosi_calibration solved; /* where noise was asked for */
};

/* Writes all that was asked, for people or as JSON. The status is that of the
 * run's own answers. */
int training_write(const struct training_answers *a);

#endif
