/*
 * What a sampler knows of the plan it samples: a worst pair in closed form,
 * a greatest loss.
 */
#ifndef DOSI_MECHANISMS_BASE_LAW_H
#define DOSI_MECHANISMS_BASE_LAW_H

#include "mechanism.h"
#include "renyi/chi_divergence.h"

typedef struct base_law {
    bool is_law;        /* its moments are those of law */
    bool is_consistent; /* that pair attains the curve of every pair */
    chi_law law;
    ball pure; /* its greatest loss, or infinite */
} base_law;

base_law base_law_of(const dosi_plan *plan, const mechanism_context *c);

#endif
