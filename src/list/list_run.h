/*
 * One run of a loss law as lists: the masses of its density between knots by
 * closed forms, its atoms as they are. Derivation: docs/theory/list.md,
 * section 3.
 */
#ifndef DOSI_LIST_LIST_RUN_H
#define DOSI_LIST_LIST_RUN_H

#include "list_law.h"
#include "loss/loss_tails.h"

/*
 * Both lists, by side. Finite laws of more atoms than there are knots are
 * moved to the knots.
 *
 * requires  n >= 2 knots, rising; where the law has a density and 0 lies
 *           between the first and the last, 0 is a knot
 * cost      two tails in balls a knot
 * owns      out[0] and out[1], freed with list_law_free in any case
 */
DOSI_CHECK dosi_status list_run(list_law out[2], loss_tails *run,
    list_knots knots, work_limits *limits, dosi_error *err);

#endif
