/*
 * Claims about plans: what is to be checked, from the command line or from a
 * file, JSON or CSV.
 */
#ifndef DOSI_CLAIMS_H
#define DOSI_CLAIMS_H

#include "targets.h"

struct claim {
    char *label; /* or NULL */
    const dosi_plan *plan;
    dosi_neighbours neighbours;
    dosi_target target;
};

struct claims {
    struct claim *all;
    size_t n;
};

/* PLAN with the targets of the options, or those of --claims: at least one.
 * Returns an exit status, having said why. */
int claims_read(struct claims *out, const struct cli_arguments *args);
void claims_free(struct claims *claims);

/* Takes label and plan over, also when it fails. An exit status. */
int claims_add(struct claims *out, struct claim claim);

/* The lines of a CSV file, whose text is cut in place; in claims_csv.c. */
int claims_read_csv(struct claims *out, const struct cli_arguments *args,
    char *text, dosi_neighbours neighbours);

#endif
