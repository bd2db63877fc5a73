/*
 * A training run as people tell it, in whole numbers, and what follows from
 * it: the rate, the steps, the noise relative to the distance of neighbours'
 * sums, and the plan.
 */
#ifndef DOSI_TRAINING_H
#define DOSI_TRAINING_H

#include "cli.h"

enum training_sampler {
    SAMPLER_POISSON,
    SAMPLER_WITHOUT_REPLACEMENT,
    SAMPLER_WITH_REPLACEMENT,
    SAMPLER_SHUFFLE,
    SAMPLER_COUNT
};

/* How batches are drawn: one row of a table. */
struct training_rule {
    const char *name;
    const char *meaning;
    dosi_neighbours neighbours; /* unless others were asked for */
};

/* What things are called in sgd and in federated. */
struct training_words {
    enum cli_command_id command;
    const char *unit, *units;
    const char *step, *steps;
    enum cli_option_id population, batch, count;
};

struct training {
    const struct training_words *words;
    long population;
    long batch;       /* as loaded */
    long accumulate;  /* batches in a step */
    long lot;         /* batch x accumulate: in a noisy step */
    long per_user;    /* 1: not asked */
    bool microbatching;
    enum training_sampler sampler;
    bool sampler_given;
    bool relation_given;
    dosi_neighbours neighbours; /* if relation_given */
    const char *epochs; /* as given, or NULL */
    long steps;
    long passes;      /* most often that a unit may have been used */
    bool steps_rounded; /* epochs make no whole number of steps */
    double std, clip; /* 0: not given */
    bool added_to_mean;
    double multiplier; /* deviation of the noise on the sum / clip; 0: asked */
    double target;     /* epsilon to solve for; -1: none */
};

/* Reads a run from the arguments. Returns an exit status, having said why. */
int training_read(struct training *out, const struct cli_arguments *args);

const struct training_rule *training_rule_of(enum training_sampler sampler);

/* The relation under which batches of a sampler are asked about. */
dosi_neighbours training_neighbours(
    const struct training *run, enum training_sampler sampler);

/* Distance of neighbours' sums, in clips: 1 or 2. */
int training_distance(
    const struct training *run, enum training_sampler sampler);

#define TRAINING_PLAN_BYTES 256

/*
 * The plan's text, with the hole where the multiplier is 0; of a group of
 * per_user examples if so asked.
 */
void training_plan_text(char *text, const struct training *run,
    enum training_sampler sampler, bool of_user);

/* The rate that a Poisson plan has: not below lot / population. */
double training_rate(const struct training *run);

#endif
