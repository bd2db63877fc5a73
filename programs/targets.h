/*
 * What may be wanted of a plan, as calibrate meets it and check compares it
 * with the certified answer: one row a kind of target.
 */
#ifndef DOSI_TARGETS_H
#define DOSI_TARGETS_H

#include "cli.h"

struct cli_target_row {
    const char *label, *given; /* given: NULL for none */
    const char *relation;
    dosi_target_kind kind;
    enum cli_option_id value, at; /* at: OPTION_COUNT for none */
    bool at_defaults;             /* to 0 */
};

#define CLI_TARGET_ROWS 7
extern const struct cli_target_row cli_target_rows[CLI_TARGET_ROWS];

const struct cli_target_row *cli_target_row(dosi_target_kind kind);

struct cli_targets {
    dosi_target *all;
    size_t n;
};

/* The targets of the options, at least one; the i-th value goes with the i-th
 * place. Returns an exit status, having said why. */
int cli_targets_read(struct cli_targets *out, const struct cli_arguments *args);
void cli_targets_free(struct cli_targets *targets);

/* "epsilon <= 1 at delta 1e-6". */
#define CLI_TARGET_BYTES (2 * DOSI_NUMBER_BYTES + 32)
void cli_target_text(char text[CLI_TARGET_BYTES], const dosi_target *target);

#endif
