/*
 * A bound for tests of a plan with arbitrarily small errors: the plan is a
 * Gaussian of some mu, except for a bounded loss. Samplers are left out: an
 * attacker who knows the sample has more information. Derivation:
 * docs/theory/tradeoff.md, section 9.
 */
#ifndef DOSI_ACCOUNT_TAIL_PROFILE_H
#define DOSI_ACCOUNT_TAIL_PROFILE_H

#include "account.h"

typedef struct tail_law {
    bool known; /* 1 - f <= e^loss (1 - G_mu) at every alpha */
    bool is_approached; /* 1 - f >= c (1 - G_mu), too, for some c > 0 */
    bool is_gaussian; /* f = G_mu: nothing is sampled or bounded */
    ball mu, loss;
    ball square; /* the plan is sqrt(square)-GDP */
    const char *reason; /* why it is not known, or NULL */
} tail_law;

/* In the view's relation; the same for both directions. */
tail_law tail_law_of(const account_view *view);

#endif
