/*
 * Profiles of compositions by a contour, then by lists of masses if the contour
 * leaves the answer wide; both enclosures are intersected.
 */
#include "composed.h"

#include "contour/engine/engine.h"

/* Relative widths: requested of contours, requested of lists, and the width
 * from which lists are used. */
#define CONTOUR_WIDTH 1e-14
#define LIST_WIDTH 1e-7
#define LISTS_FROM_WIDTH 1e-6

/* Contours are not tried for larger mu, which take too long. */
#define MAX_MU 64.0

/* Makes the engine; *out is NULL if contours do not serve the laws. */
static dosi_status contour_of(contour_engine **out, const loss_law *laws,
    size_t n, work_limits *limits, dosi_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < n; i++)
        if (!(ball_upper(laws[i].parameter) <= MAX_MU))
            return DOSI_OK;
    dosi_status status = engine_new(out, laws, n, limits, err);
    if (*out != NULL)
        engine_set_target_width(*out, CONTOUR_WIDTH);
    return status;
}

/* Turns "no answer" of the lists into success with a wide enclosure. */
static dosi_status lay_to(dosi_interval *known, dosi_status status,
    dosi_interval found)
{
    if (status == DOSI_OK)
        *known = iv_meet(*known, found);
    return status == DOSI_EUNABLE ? DOSI_OK : status;
}

dosi_status composed_log_delta(dosi_interval *out, const loss_law *laws,
    size_t n, double eps, dosi_error *err)
{
    work_limits contour = work_default(CONTOUR_WIDTH);
    work_limits lists = work_default(LIST_WIDTH);
    contour_engine *s = NULL;
    *out = (dosi_interval){-HUGE_VAL, 0};
    dosi_status status = contour_of(&s, laws, n, &contour, err);
    if (s != NULL)
        status = engine_log_delta(out, s, eps, err);
    engine_free(s);
    if (status != DOSI_OK || out->lo == out->hi ||
        out->hi - out->lo < LISTS_FROM_WIDTH)
        return status;
    dosi_interval found = *out;
    status = list_log_delta(&found, laws, n, eps, &lists, err);
    return lay_to(out, status, found);
}

dosi_status composed_epsilon(dosi_interval *out, const loss_law *laws, size_t n,
    ball delta, dosi_error *err)
{
    work_limits contour = work_default(CONTOUR_WIDTH);
    work_limits lists = work_default(LIST_WIDTH);
    ball log_delta = ball_log(delta);
    contour_engine *s = NULL;
    *out = (dosi_interval){0, HUGE_VAL};
    dosi_status status = contour_of(&s, laws, n, &contour, err);
    if (s != NULL)
        status = engine_epsilon(out, s, delta, log_delta, err);
    engine_free(s);
    if (status != DOSI_OK ||
        (out->hi < HUGE_VAL && out->hi - out->lo <= LISTS_FROM_WIDTH * out->hi))
        return status;
    dosi_interval found = *out;
    status = list_epsilon(&found, laws, n, log_delta, &lists, err);
    return lay_to(out, status, found);
}

dosi_interval composed_delta_of(dosi_interval log_delta)
{
    return iv_make(fmax(ball_lower(ball_exp(ball_of(log_delta.lo))), 0),
        fmin(ball_upper(ball_exp(ball_of(log_delta.hi))), 1));
}
