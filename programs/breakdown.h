/*
 * What each part of a plan costs: alone, and in the difference it makes to
 * the whole plan. A part is all that has one label, or of what has none a part
 * of the normal form: equal mechanisms with their count.
 */
#ifndef DOSI_BREAKDOWN_H
#define DOSI_BREAKDOWN_H

#include "cli.h"

struct breakdown_part {
    const dosi_plan *plan, *rest; /* the part, and the plan without it */
    char *text, *plain; /* with its label, and without */
    dosi_answer alone, without;
    double share; /* of 1, where the breakdown has shares */
};

/*
 * With u the upper end of an answer, a part i of the plan P counts for
 *
 *     v_i = ( u(i) + max(u(P) - u(P without i), 0) ) / 2,
 *
 * the mean of what it adds as the first part and as the last one, and its
 * share is v_i / sum v: the Shapley value of two parts, and of more an
 * approximation by two orders that adds up to 1. There are no shares where
 * an end is infinite or all of them are 0.
 */
struct breakdown {
    const struct cli_question *question;
    double given;
    dosi_answer all;
    struct breakdown_part *parts; /* by share, the greatest first */
    size_t n;
    bool has_shares;
};

/*
 * Asks 2n + 1 questions on n_jobs threads, each within a share of the work,
 * all under the relation of the whole plan. Nothing is said; free in any
 * case.
 */
DOSI_CHECK dosi_status breakdown_make(struct breakdown *out,
    const dosi_plan *plan, const struct cli_question *question, double given,
    const struct cli_asking *how, size_t n_jobs, dosi_error *err);
void breakdown_free(struct breakdown *breakdown);

/* How many parts a plan has; 0 if that cannot be known. */
size_t breakdown_count(const dosi_plan *plan);

#endif
