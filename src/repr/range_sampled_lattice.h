/*
 * Runs of Poisson samples of bounded range on a lattice. The inside of
 * range_sampled.h.
 */
#ifndef DOSI_REPR_RANGE_SAMPLED_LATTICE_H
#define DOSI_REPR_RANGE_SAMPLED_LATTICE_H

#include "base/work_limits.h"
#include "range_sampled_rows.h"

/* All zeros: none. */
typedef struct sampled_lattice {
    sampled_choice choice;
    ptrdiff_t last; /* points go from -last to last */
    ptrdiff_t pad;  /* and so many beyond, at either end */
    double log_tail; /* they are known to about e^-log_tail */
    double *storage;
    double *upper, *lower, *next; /* at i = 0 */
    double *fall, *rise; /* 1 - e^-(ih) and e^(ih) - 1, i = 0..pad */
    sampled_rows above, below;
    size_t n_chunks;
    size_t *from, *to; /* of each: the groups that were looked into last */
} sampled_lattice;

/*
 * requires  0 < e, 0 < rate < 1, k a whole number, 2 <= k
 * owns      what *out holds, until sampled_lattice_clear; nothing after a
 *           failure
 * fails     DOSI_EUNABLE where there are too many runs, it was stopped, the
 *           memory is too little or e too great or too small; DOSI_ENOMEM
 */
DOSI_CHECK dosi_status sampled_lattice_make(sampled_lattice *out, ball e,
    double rate, double k, double log_tail, work_limits *limits,
    dosi_error *err);
void sampled_lattice_clear(sampled_lattice *r);

#endif
