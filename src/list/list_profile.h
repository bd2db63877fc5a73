/*
 * The privacy profile of the composition of two lists, without forming it:
 *
 *     H(x) = sum_i mass_i H_b(x e^-loss_i)
 *
 * over one list and the profile of the other. Derivation:
 * docs/theory/list.md, section 4.
 */
#ifndef DOSI_LIST_LIST_PROFILE_H
#define DOSI_LIST_LIST_PROFILE_H

#include "list_law.h"

/* Sums from the right at every outcome of a list. */
typedef struct list_profile {
    const list_law *of;   /* borrowed */
    const list_law *with; /* borrowed; NULL: that list alone */
    list_side side;
    double *mass;  /* of P from the outcome on */
    double *delta; /* sum m (1 - e^(loss - l)) over those above */
    double *xq;    /* e^loss times the mass of Q from the outcome on */
    double at_infinity; /* of both lists, rounded to nearest */
} list_profile; /* all times 2^of->scale, as masses are stored */

DOSI_CHECK dosi_status list_profile_new(list_profile *out,
    const list_law *of, const list_law *with, list_side side,
    dosi_error *err);
void list_profile_free(list_profile *f);

/* H of finite losses alone, of one list, as masses are stored: the influence of
 * the other. */
double list_alone_at(const list_profile *f, double epsilon);

/* H at e^epsilon with the losses moved by slack: certainly no less than delta
 * from above, no more from below. */
double list_delta_end(const list_profile *f, double epsilon);

/* Its logarithm, at most 0; -inf for 0. */
double list_log_delta_end(const list_profile *f, double epsilon);

/* Q[L > epsilon], on either side of what the list with its losses moved by
 * slack has. */
dosi_interval list_q_above(const list_profile *f, double epsilon);

#endif
