/*
 * Privacy profiles and finite loss laws of adaptively chosen mechanisms of
 * bounded range, made from the lattice of adaptive_grid.h. Derivation:
 * docs/theory/adaptive.md.
 */
#include "adaptive_law.h"

#include <math.h>
#include <stdlib.h>

#include "loss/loss_from_profile.h"
#include "adaptive_grid.h"

static const char unable[] =
    "runs of bounded range are not composed within the limits";

/* Returns v and records the reason if it is wider than wanted. */
static dosi_interval found(
    const privacy_profile *self, dosi_interval v, dosi_status status)
{
    const char *reason = NULL;
    if (!profile_asked(self, status))
        reason = unable;
    else if (self->pool != NULL)
        reason = work_reason(self->pool->limits);
    if (reason != NULL)
        profile_explain(self, reason);
    return v;
}

static dosi_interval adaptive_log_delta(const privacy_profile *self, ball eps)
{
    dosi_interval v;
    dosi_status status = adaptive_runs_log_delta(
        &v, self->context, eps, self->as.adaptive.is_added, NULL);
    return found(self, v, status);
}

static dosi_interval adaptive_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    dosi_interval v;
    dosi_status status = adaptive_runs_epsilon(
        &v, self->context, log_delta, self->as.adaptive.is_added, NULL);
    return found(self, v, status);
}

static const profile_type range_type = {
    .theorem = "bounded range, chosen adaptively [DDR20]",
    .log_delta = adaptive_log_delta,
    .epsilon = adaptive_epsilon,
    .log_floor = profile_no_floor,
    .is_best = true};

static const profile_type sampled_type = {
    .theorem = "samples of bounded range, chosen adaptively [DDR20]",
    .log_delta = adaptive_log_delta,
    .epsilon = adaptive_epsilon,
    .log_floor = profile_no_floor,
    .is_best = true};

privacy_profile profile_adaptive_runs(const adaptive_runs *r, bool add)
{
    bool is_sampled = adaptive_runs_class(r)->rate < 1;
    return (privacy_profile){.type = is_sampled ? &sampled_type : &range_type,
        .flag = ATTAINED_BY_CLASS,
        .as.adaptive = {add},
        .context = r};
}

/* Points of the profile that the finite law is made from. From one to the next
 * log delta falls by MIN_LOG_STEP, by RELATIVE_LOG_STEP of itself or by
 * WIDTHS_PER_STEP widths of its enclosure, whichever is most: some thousand
 * points in all. Below LAST_LOG_DELTA the last point serves. */
#define MIN_LOG_STEP 0.02
#define RELATIVE_LOG_STEP 3e-3
#define WIDTHS_PER_STEP 8.0
#define LAST_LOG_DELTA (-300.0)

typedef struct curve {
    size_t n;
    double *at;
    dosi_interval *log_delta;
} curve;

static void put(curve *c, const adaptive_grid *r, size_t i)
{
    c->at[c->n] = (double)i * r->upper.step;
    c->log_delta[c->n] =
        adaptive_grid_log_delta(r, ball_of(c->at[c->n]), false);
    c->n++;
}

/* The first point after i at which delta has fallen by the factor. */
static size_t next_point(const adaptive_grid *r, size_t i, double factor)
{
    size_t last = (size_t)r->end, step = 1, to = i + 1;
    double least = r->upper.value[i] * factor;
    while (to < last && r->upper.value[to] > least) {
        i = to;
        to = last - to > step ? to + step : last;
        step *= 2;
    }
    while (to - i > 1) {
        size_t mid = i + (to - i) / 2;
        if (r->upper.value[mid] > least)
            i = mid;
        else
            to = mid;
    }
    return to;
}

static void curve_fill(curve *c, const adaptive_grid *r)
{
    size_t i = 0, last = (size_t)r->end;
    c->n = 0;
    put(c, r, 0);
    while (i < last && c->log_delta[c->n - 1].hi > LAST_LOG_DELTA) {
        dosi_interval l = c->log_delta[c->n - 1];
        double fall = fmax(MIN_LOG_STEP, WIDTHS_PER_STEP * (l.hi - l.lo));
        i = next_point(r, i, exp(-fmax(fall, -RELATIVE_LOG_STEP * l.hi)));
        put(c, r, i);
    }
    if (i < last)
        put(c, r, last);
}

dosi_status adaptive_runs_atoms(finite_law **out, const adaptive_runs *runs,
    dosi_side side, dosi_error *err)
{
    const adaptive_grid *r = NULL;
    *out = NULL;
    dosi_status status = adaptive_runs_lattice(&r, runs, err);
    if (status != DOSI_OK)
        return status;
    size_t most = (size_t)r->end + 1;
    curve c = {0, malloc(most * sizeof *c.at),
        malloc(most * sizeof *c.log_delta)};
    loss_from_profile points = {0};
    if (c.at == NULL || c.log_delta == NULL) {
        status = dosi_fail_memory(err);
        goto done;
    }
    curve_fill(&c, r);
    loss_values values = {c.n, c.at, c.log_delta};
    loss_curve both = {values, values}; /* the class is symmetric */
    status = loss_from_profile_make(&points, &both, side, err);
    if (status == DOSI_OK)
        status = finite_from_points(out, points.at, points.mass, points.n, err);
done:
    loss_from_profile_free(&points);
    free(c.at);
    free(c.log_delta);
    return status;
}

/* A member of the class with range e and the losses t and t - e. Its moment of
 * order l + 1 is greatest at t = e/2 + s with s = l e^2/12 to first order;
 * questions about k runs have l e = sqrt(8 log(1/delta)/k), here for delta =
 * e^-14. */
dosi_status adaptive_member(finite_law **out, ball e, double k, dosi_error *err)
{
    double tilt = sqrt(8 * 14 / k);
    ball t = ball_mul_d(e, 0.5 + fmin(tilt / 12, 0.4));
    ball rest = ball_sub(t, e);
    ball whole = ball_log1mexp(ball_neg(e));
    ball loss[2] = {rest, t};
    ball log_mass[2] = {
        ball_add(rest, ball_sub(ball_log1mexp(ball_neg(t)), whole)),
        ball_sub(ball_log1mexp(rest), whole)};
    return finite_from_losses(
        out, loss, log_mass, 2, ball_of(0), ball_of(0), err);
}
