/*
 * Plans without the parts of which only a guarantee is stated: a lower end of
 * the others is one of the whole, as leaving out a part is post-processing.
 */
#ifndef DOSI_ACCOUNT_STATED_PARTS_H
#define DOSI_ACCOUNT_STATED_PARTS_H

#include <stdint.h>

#include "account.h"

/* The number of parts of a normal plan that can be left out; 0 if it is no
 * composition. */
size_t stated_count(const dosi_plan *normal);

/* Whether only a guarantee is known of the i-th part of a composition. */
bool stated_at(const dosi_plan *normal, size_t i);

#define STATED_ALL SIZE_MAX

/*
 * The plan without its i-th part, or with STATED_ALL without all stated ones;
 * NULL if nothing or all of it is left, or if it is no composition.
 *
 * owns   *out, freed with dosi_plan_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status stated_leave_out(const dosi_plan **out,
    const dosi_plan *normal, size_t i, dosi_error *err);

#endif
