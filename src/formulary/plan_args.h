/*
 * The parameter "mechs": mechanisms with counts, on samples or not,
 *
 *     100000*gauss5@0.001+1000*laplace2@0.01+1*rr0.9
 *
 * being count*name parameter, and @rate for a sample without replacement.
 */
#ifndef DOSI_FORMULARY_PLAN_ARGS_H
#define DOSI_FORMULARY_PLAN_ARGS_H

#include "formula.h"
#include "renyi/chi_divergence.h"
#include "literature/moments_accountant.h"

#define PLAN_MAX_PARTS 16
#define PLAN_MAX_ORDER 1024.0

typedef struct plan_part {
    chi_law law;
    double count;
    bool is_sampled;
    ball rate;
    ball *cumulants; /* of the sample at orders 2, 3, .., by T002-9 */
} plan_part;

/* The parts and, over them, the terms of the moments accountant. */
typedef struct plan_args {
    plan_part parts[PLAN_MAX_PARTS];
    moments_term terms[PLAN_MAX_PARTS];
    size_t n_parts;
} plan_args;

/* A sum that borrows the terms. */
moments_sum plan_sum(const plan_args *plan);

/*
 * Reads the parameter; samples are bounded up to PLAN_MAX_ORDER.
 *
 * owns   what is in *plan, released with plan_args_free also after a failure
 */
dosi_status plan_args_read(
    plan_args *plan, const formula_args *args, dosi_error *err);
void plan_args_free(plan_args *plan);

#endif
