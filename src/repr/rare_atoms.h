/*
 * Runs of finite laws, composed, but for what is too rare to matter: a list of
 * losses with their masses under P, and how much mass the list may lack. A
 * sampler of low rate has few losses that matter, however often it runs.
 * Derivation: docs/theory/grid.md, section 10.
 */
#ifndef DOSI_REPR_RARE_ATOMS_H
#define DOSI_REPR_RARE_ATOMS_H

#include "atoms.h"
#include "base/work_limits.h"

typedef struct rare_atom {
    double at, rad; /* its loss, and how far off that may be */
    double lo, hi;  /* its mass under P */
} rare_atom;

typedef struct rare_atoms {
    size_t n;
    rare_atom *list;
    double inf[2]; /* at +inf: at most, with all that is left out; at least */
} rare_atoms;

/*
 * All runs of a law; what is left out is below level a loss, or about that.
 *
 * requires  k a whole number >= 1; level in (0, 1)
 * owns      *out, freed with rare_atoms_free in any case
 * fails     DOSI_ENOMEM; DOSI_EUNABLE beyond that many losses, or stopped
 */
DOSI_CHECK dosi_status rare_atoms_power(rare_atoms *out, const atoms *law,
    double k, double level, size_t most, work_limits *limits,
    dosi_error *err);

/* Two such lists as one. */
DOSI_CHECK dosi_status rare_atoms_compose(rare_atoms *out, rare_atoms *a,
    rare_atoms *b, double level, size_t most, dosi_error *err);

void rare_atoms_free(rare_atoms *r);

#endif
