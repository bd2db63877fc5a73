/*
 * What Renyi curves of samples use of the law of the sampled plan: a worst pair
 * in closed form, and the greatest loss.
 */
#ifndef DOSI_MECHANISMS_BASE_LAW_H
#define DOSI_MECHANISMS_BASE_LAW_H

#include "mechanism.h"
#include "renyi/chi_divergence.h"

typedef struct base_law {
    bool is_law;        /* law is the worst pair of the plan */
    bool is_consistent; /* law is attained by the plan's own mechanism */
    chi_law law;
    ball pure; /* the greatest loss, or infinite */
} base_law;

/* requires  plan in normal form, without a hole */
base_law base_law_of(const dosi_plan *plan, const mechanism_context *c);

#endif
