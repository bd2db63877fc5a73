/*
 * Plans without the parts of which only a guarantee is stated.
 */
#include "stated_parts.h"

#include <stdlib.h>

#include "base/error.h"

bool stated_at(const dosi_plan *normal, size_t i)
{
    return account_attained(dosi_plan_child(normal, i)) !=
           ATTAINED_BY_MECHANISM;
}

size_t stated_count(const dosi_plan *normal)
{
    size_t n_stated = 0;
    if (dosi_plan_kind(normal) != DOSI_COMPOSE)
        return 0;
    for (size_t i = 0; i < dosi_plan_child_count(normal); i++)
        n_stated += stated_at(normal, i);
    return n_stated;
}

dosi_status stated_leave_out(const dosi_plan **out, const dosi_plan *normal,
    size_t i, dosi_error *err)
{
    *out = NULL;
    size_t n = dosi_plan_child_count(normal), n_kept = 0;
    if (dosi_plan_kind(normal) != DOSI_COMPOSE)
        return DOSI_OK;
    const dosi_plan **kept = malloc(n * sizeof(const dosi_plan *));
    if (kept == NULL)
        return dosi_fail_memory(err);
    for (size_t j = 0; j < n; j++)
        if (i == STATED_ALL ? !stated_at(normal, j) : j != i)
            kept[n_kept++] = dosi_plan_child(normal, j);
    dosi_status status = DOSI_OK;
    if (n_kept == 1)
        *out = dosi_plan_retain(kept[0]);
    else if (n_kept > 1 && n_kept < n)
        status = dosi_plan_compose(out, kept, n_kept, err);
    free(kept);
    return status;
}
