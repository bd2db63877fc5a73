/*
 * Numbers of a plan that take several values: which number a name means, and
 * the plan with other numbers in its place.
 */
#ifndef DOSI_VARY_H
#define DOSI_VARY_H

#include "cli.h"

#define VARY_NAME_BYTES 64

struct vary {
    char name[VARY_NAME_BYTES]; /* as it was typed */
    size_t node;      /* of the tree, counted from its root on, 0 first */
    size_t parameter; /* of that node */
    double *values;
    size_t n;
};

/*
 * Reads NAME=VALUES of --vary. NAME is that of a parameter, sigma, also with
 * its kind, gaussian.sigma, with the rank of the part among those of its
 * kind, gaussian[2].sigma, or the hole, ?. VALUES is a list, a,b,c, of
 * numbers, ratios and ranges, LOW..HIGH:N or LOW..HIGH:N:log, N points with
 * both ends; those of an integer are rounded, and each is taken once.
 * Returns an exit status, having said why; free in any case.
 */
int vary_read(struct vary *out, const struct cli_arguments *args,
    const dosi_plan *plan, const char *text);
void vary_free(struct vary *vary);

/* Whether every value makes a plan, with the first ones of the others.
 * Returns an exit status, having said why not. */
int vary_check(const struct vary *varied, size_t n,
    const struct cli_arguments *args, const dosi_plan *plan);

/* The plan with values[i] for the number that varied[i] names. owns  *out */
DOSI_CHECK dosi_status vary_plan(const dosi_plan **out, const dosi_plan *plan,
    const struct vary *varied, const double *values, size_t n,
    dosi_error *err);

#endif
