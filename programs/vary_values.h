/* The values of --vary: lists of numbers and ranges. */
#ifndef DOSI_VARY_VALUES_H
#define DOSI_VARY_VALUES_H

#include "cli.h"

/*
 * The values of a list, as vary_read describes them, in a new array that the
 * caller frees in any case. Returns an exit status, having said why.
 */
int vary_values_read(double **out, size_t *n,
    const struct cli_arguments *args, const char *name, const char *text,
    bool is_whole);

#endif
