/*
 * Epsilon at delta 0: the greatest privacy loss of the plan. From above it is
 * the sum of what bounds the losses of the parts, [Ste22] Thm 1; from below it
 * is epsilon at any delta above 0, since epsilon falls with delta. If
 * the losses of a part are unbounded, it is infinite.
 */
#include "account.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "prepared_plan.h"

/* The logarithm of the delta at which epsilon bounds from below: every plan of
 * bounded losses has its greatest one with a greater probability. */
#define LOG_DELTA_BELOW (-1e300)

static const char no_bound[] =
    "a part has no bound on its losses that is known; ask for a delta above 0";
static const char other_route[] =
    "at delta 0 the route approx alone bounds epsilon from above";

typedef struct pure_bound {
    double upper;
    const char *unbounded; /* why it is infinite for certain; else NULL */
    dosi_answer words;     /* of an infinite answer */
} pure_bound;

/* The sum of bounds on the losses in one direction, or +inf. */
static double losses_at_most(const account_view *view)
{
    ball eps, delta;

    if (!total_guarantee(&eps, &delta, view->normal, &view->c) ||
        !ball_is_zero(delta))
        return HUGE_VAL;
    double most = ball_upper(eps);
    return most >= 0 ? most : HUGE_VAL; /* which NaN is not */
}

static dosi_status bound_losses(
    prepared_plan *d, void *context, dosi_error *err)
{
    pure_bound *out = context;

    out->upper = 0;
    for (int i = 0; i < d->n_directions; i++) {
        const account_view *view = &d->directions[i].view;
        out->upper = fmax(out->upper, losses_at_most(view));
        if (out->unbounded == NULL)
            out->unbounded = plan_unbounded(d->normal, &view->c);
        if (d->directions[i].pool.no_memory)
            return dosi_fail_memory(err);
    }
    bool of_mechanism = account_attained(d->normal) == ATTAINED_BY_MECHANISM;
    out->words = (dosi_answer){.value = {HUGE_VAL, HUGE_VAL},
        .log_value = {-HUGE_VAL, HUGE_VAL},
        .neighbours = d->directions[0].view.c.neighbours,
        .route = "none",
        .theorem = "",
        .lower_meaning = of_mechanism ? "the mechanism" : "the class",
        .reason = out->unbounded};
    account_assumptions(&out->words, d->normal);
    return DOSI_OK;
}

/* Replaces the upper end of the answer at LOG_DELTA_BELOW. */
static dosi_status take_upper(dosi_answer *out, double upper, bool is_refused,
    double wanted, dosi_error *err)
{
    if (!(out->value.lo <= upper))
        return dosi_fail(err, DOSI_EUNABLE,
            "the routes contradict each other at delta 0; please report it");
    out->value.hi = upper;
    double width = upper < HUGE_VAL
                       ? upper > 0 ? (upper - out->value.lo) / upper : 0
                       : HUGE_VAL;
    out->order = 0;
    if (upper < HUGE_VAL) {
        out->route = route_approx.name;
        out->theorem = "T000-01";
    } else {
        out->route = "none";
        out->theorem = "";
        out->reason = is_refused ? other_route : no_bound;
    }
    return account_check_width(out, width, wanted, err);
}

dosi_status account_pure_epsilon(dosi_answer *out, const dosi_plan *plan,
    const dosi_options *options, dosi_error *err)
{
    account_question below = {.kind = ACCOUNT_EPSILON,
        .delta = ball_exp(ball_of(LOG_DELTA_BELOW)),
        .log_delta = ball_of(LOG_DELTA_BELOW)};
    pure_bound bound = {.upper = HUGE_VAL};
    dosi_options opt;

    dosi_status status = account_options(&opt, options, err);
    if (status == DOSI_OK)
        status = prepared_use(bound_losses, &bound, plan, &opt, err);
    if (status != DOSI_OK)
        return status;
    if (bound.unbounded != NULL) {
        *out = bound.words;
        return DOSI_OK;
    }
    double wanted = opt.width;
    opt.width = 0;
    status = account_answer(out, plan, &below, &opt, err);
    if (status != DOSI_OK)
        return status;
    bool is_refused =
        opt.route != NULL && strcmp(opt.route, route_approx.name) != 0;
    return take_upper(
        out, is_refused ? HUGE_VAL : bound.upper, is_refused, wanted, err);
}
