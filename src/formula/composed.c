#include "composed.h"

/* What lists are asked for, and the width from which they are. */
#define LIST_WIDTH 1e-7
#define WIDE 1e-6

static dosi_status lay_to(dosi_interval *known, dosi_status status,
    dosi_interval found)
{
    if (status == DOSI_OK)
        *known = iv_meet(*known, found);
    return status == DOSI_EUNABLE ? DOSI_OK : status;
}

dosi_status composed_log_delta(
    dosi_interval *known, const loss *one, double eps, dosi_error *err)
{
    work_limits limits = work_default(LIST_WIDTH);
    dosi_interval found = *known;
    if (known->lo == known->hi || known->hi - known->lo < WIDE)
        return DOSI_OK;
    dosi_status status = list_log_delta(&found, one, 1, eps, &limits, err);
    return lay_to(known, status, found);
}

dosi_status composed_epsilon(
    dosi_interval *known, const loss *one, ball log_delta, dosi_error *err)
{
    work_limits limits = work_default(LIST_WIDTH);
    dosi_interval found = *known;
    if (known->hi < HUGE_VAL && known->hi - known->lo <= WIDE * known->hi)
        return DOSI_OK;
    dosi_status status = list_epsilon(&found, one, 1, log_delta, &limits, err);
    return lay_to(known, status, found);
}
