/*
 * A guess in two steps: the mu for which mu-GDP meets the targets, then the
 * number with which the plan's central limit has that mu.
 */
#include "guess.h"

#include <math.h>

#include "base/error.h"

#define MU_TOLERANCE 0.01
#define N_STEPS 16
#define LARGEST_STEP 6.0

/* *out = NaN where there is none. */
static dosi_status mu_of_targets(
    double *out, const search *asked, dosi_error *err)
{
    const dosi_plan *gdp = NULL;
    const plan_spec spec = {.kind = DOSI_GDP, .hole = 0};
    *out = (double)NAN;
    dosi_status status = dosi_plan_make(&gdp, &spec, NULL, err);
    search s = {.plan = gdp,
        .targets = asked->targets,
        .n_targets = asked->n_targets,
        .options = asked->options,
        .tolerance = MU_TOLERANCE};
    s.options.route = NULL;
    if (status == DOSI_OK)
        status = axis_of(&s.axis, gdp, err);
    if (status == DOSI_OK)
        status = search_run(&s, s.axis.start, err);
    if (status == DOSI_OK && s.good.known && s.bad.known)
        *out = axis_value(&s.axis, s.good.at);
    dosi_plan_free(gdp);
    return status;
}

/* log(mu of the plan / mu wanted); NaN where no central limit is known. */
static dosi_status excess_at(
    double *out, const search *s, double mu, int64_t at, dosi_error *err)
{
    const dosi_plan *plan = NULL;
    dosi_gdp_limit limit = {.mu_approx = 0};
    dosi_status status =
        dosi_plan_fill(&plan, s->plan, axis_value(&s->axis, at), err);
    if (status == DOSI_OK)
        status = dosi_gdp_limit_approx(&limit, plan, &s->options, err);
    dosi_plan_free(plan);
    *out = log(limit.mu_approx / mu);
    if (!(status == DOSI_OK && isfinite(*out)))
        *out = (double)NAN;
    return status == DOSI_ENOMEM ? status : DOSI_OK;
}

/* Secants of log mu over the logarithm of the number. */
static dosi_status invert_limit(
    double *out, const search *s, double mu, dosi_error *err)
{
    int64_t at = axis_ordinal(&s->axis, *out), before = at;
    double excess, last = 0, step = 0, slope = 1;
    for (int i = 0; i < N_STEPS; i++) {
        dosi_status status = excess_at(&excess, s, mu, at, err);
        if (status != DOSI_OK)
            return status;
        if (isnan(excess) && i == 0)
            return DOSI_OK;
        if (isnan(excess)) { /* too far */
            step /= 2;
        } else {
            double moved = axis_log(&s->axis, at) -
                           axis_log(&s->axis, before);
            if (i > 0 && (excess - last) / moved > 0.1)
                slope = (excess - last) / moved;
            before = at;
            last = excess;
            *out = axis_value(&s->axis, at);
            step = fmax(fmin(-excess / slope, LARGEST_STEP), -LARGEST_STEP);
        }
        if (fabs(step) < MU_TOLERANCE)
            break;
        at = axis_move(&s->axis, before, step);
    }
    return DOSI_OK;
}

dosi_status guess_start(double *out, const search *s, dosi_error *err)
{
    double mu;
    *out = s->axis.start;
    for (size_t i = 0; i < s->n_targets; i++)
        if (!(s->targets[i].value > 0))
            return DOSI_OK; /* no mu meets it, or every one */
    dosi_status status = mu_of_targets(&mu, s, err);
    if (status == DOSI_OK && mu > 0)
        return invert_limit(out, s, mu, err);
    return status == DOSI_ENOMEM ? status : DOSI_OK;
}
