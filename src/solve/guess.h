/*
 * Where to start a search, from what costs next to nothing: the central
 * limit of the plan.
 */
#ifndef DOSI_SOLVE_GUESS_H
#define DOSI_SOLVE_GUESS_H

#include "search.h"

/*
 * About the number sought, or the axis' own start. It steers.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status guess_start(
    double *out, const search *s, dosi_error *err);

#endif
