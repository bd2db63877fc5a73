/*
 * A plan as one loss law by points. All routes bound delta at equally spaced
 * epsilons in both directions, and the laws are made of these bounds
 * (loss/loss_from_profile.h).
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "prepared_plan.h"
#include "mechanisms/plan_laws.h"
#include "loss/loss_from_profile.h"

#define MAX_POINTS 100000

/* The least tail that may be asked for. */
#define MIN_TAIL 1e-290

/* The largest delta at which a finite epsilon is searched: a plan without one
 * has no law by points. */
#define MAX_DELTA 0.999

typedef struct export_job {
    const dosi_plan **out;
    dosi_side side;
    size_t n_points;
    double tail;
} export_job;

/* Epsilons and bounds of log delta, of removing and of adding a record. */
typedef struct curves {
    size_t n[2];
    double *at[2];
    dosi_interval *log_delta[2];
} curves;

/* The prepared direction that answers for direction i: a symmetric plan has
 * one for both. */
static int direction_of(const prepared_plan *d, int i)
{
    return i < d->n_directions ? i : 0;
}

static dosi_status epsilon_at(
    double *out, prepared_plan *d, int i, double log_delta, dosi_error *err)
{
    question_state w;
    account_question q = {.kind = ACCOUNT_EPSILON,
        .delta = ball_exp(ball_of(log_delta)),
        .log_delta = ball_of(log_delta)};
    dosi_status status =
        prepared_ask_direction(&w, d, direction_of(d, i), &q, err);
    *out = w.found[0].guarantee.value;
    return status;
}

/* The epsilon at which delta falls to the tail; or, if no epsilon is finite
 * there, that of the least delta at which one is. */
static dosi_status end_of(
    double *out, prepared_plan *d, int i, double tail, dosi_error *err)
{
    double lo = log(tail), hi = log(MAX_DELTA);
    dosi_status status = epsilon_at(out, d, i, lo, err);
    if (status != DOSI_OK || *out < HUGE_VAL)
        return status;
    status = epsilon_at(out, d, i, hi, err);
    if (status == DOSI_OK && !(*out < HUGE_VAL))
        return dosi_fail(err, DOSI_EUNABLE,
            "loss: no epsilon is finite at any delta up to %g", MAX_DELTA);
    while (status == DOSI_OK && hi - lo > 0.01) {
        double at = (lo + hi) / 2, eps = HUGE_VAL;
        status = epsilon_at(&eps, d, i, at, err);
        if (eps < HUGE_VAL) {
            hi = at;
            *out = eps;
        } else {
            lo = at;
        }
    }
    return status;
}

static dosi_status values_of(dosi_interval *out, prepared_plan *d, int i,
    const curves *c, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (size_t j = 0; j < c->n[i] && status == DOSI_OK; j++) {
        question_state w;
        account_question q = {.kind = ACCOUNT_DELTA, .argument = c->at[i][j]};
        status = prepared_ask_direction(&w, d, direction_of(d, i), &q, err);
        out[j] = (dosi_interval){w.found[0].other.log_value,
            fmin(w.found[0].guarantee.log_value, 0)};
    }
    return status;
}

/* Spaces the points equally, with a point at either end; the spacing, or 0
 * without memory. */
static double curves_space(curves *c, const double *end, size_t n_points)
{
    double gaps = (double)(n_points - 1);
    double h = end[0] / gaps + end[1] / gaps; /* the sum may overflow */
    double most = fmax(end[0], end[1]);
    h = most > 0 ? most / ceil(most / h - 1e-9) : 1;
    for (int i = 0; i < 2; i++)
        c->n[i] = (size_t)ceil(end[i] / h - 1e-9) + 1;
    size_t n = c->n[0] + c->n[1];
    c->at[0] = calloc(n, sizeof *c->at[0]);
    c->log_delta[0] = calloc(n, sizeof *c->log_delta[0]);
    if (c->at[0] == NULL || c->log_delta[0] == NULL)
        return 0;
    c->at[1] = c->at[0] + c->n[0];
    c->log_delta[1] = c->log_delta[0] + c->n[0];
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0; j + 1 < c->n[i]; j++)
            c->at[i][j] = (double)j * h;
        c->at[i][c->n[i] - 1] = end[i];
        c->at[i][0] = 0;
    }
    return h;
}

/* Whether the directions answer for several splits of a group over a sampler
 * each: then only the worst of both directions is that of reversed pairs. */
static bool has_splits(const prepared_plan *d)
{
    size_t n = plan_laws_splits(d->normal, d->directions[0].view.c.neighbours);
    return n != 1 && n != 2;
}

/* Intersects the values of both directions at 0, which are equal, or takes the
 * worse of both at every point. */
static void curves_join(curves *c, bool all)
{
    dosi_interval *a = c->log_delta[0], *b = c->log_delta[1];
    if (!all)
        a[0] = b[0] = iv_meet(a[0], b[0]);
    for (size_t j = 0; all && j < c->n[0]; j++)
        a[j] = b[j] = iv_max(a[j], b[j]);
}

static dosi_status curves_ask(
    curves *c, prepared_plan *d, const export_job *job, dosi_error *err)
{
    double end[2] = {0, 0};
    dosi_status status = end_of(&end[0], d, 0, job->tail, err);
    end[1] = end[0];
    if (status == DOSI_OK && d->n_directions == 2)
        status = end_of(&end[1], d, 1, job->tail, err);
    if (status != DOSI_OK)
        return status;
    bool all = has_splits(d);
    if (all)
        end[0] = end[1] = fmax(end[0], end[1]);
    double h = curves_space(c, end, job->n_points);
    if (!(h > 0) || c->at[1] == NULL || c->log_delta[1] == NULL)
        return dosi_fail_memory(err);
    /* the spacing alone makes the law wider than this */
    d->is_curve = true;
    d->width = fmin(fmax(0.02 * h * h, 1e-9), 1e-3);
    for (int i = 0; i < 2 && status == DOSI_OK; i++)
        status = values_of(c->log_delta[i], d, i, c, err);
    if (status == DOSI_OK)
        curves_join(c, all);
    return status;
}

/* Whether one pair of neighbours attains delta at every epsilon, as a lower law
 * needs. Of a stated guarantee another member may attain it at each epsilon,
 * and of a group over a sampler another split. */
static bool has_one_pair(const dosi_plan *plan)
{
    const mechanism_type *type = mechanism_of_node(plan);
    if (type != NULL && type->has_many_pairs)
        return false;
    if (dosi_plan_kind(plan) == DOSI_GROUP && part_plan_is_asymmetric(plan))
        return false;
    size_t n = dosi_plan_child_count(plan);
    for (size_t i = 0; i < n; i++)
        if (!has_one_pair(dosi_plan_child(plan, i)))
            return false;
    return true;
}

static dosi_status export_make(
    const export_job *job, const curves *c, dosi_error *err)
{
    loss_from_profile made[2] = {{0}, {0}};
    dosi_status status = DOSI_OK;
    for (int i = 0; i < 2 && status == DOSI_OK; i++) {
        loss_curve one = {{c->n[i], c->at[i], c->log_delta[i]},
            {c->n[1 - i], c->at[1 - i], c->log_delta[1 - i]}};
        status = loss_from_profile_make(&made[i], &one, job->side, err);
    }
    if (status == DOSI_OK) {
        dosi_loss_list remove = {made[0].at, made[0].mass, made[0].n};
        dosi_loss_list add = {made[1].at, made[1].mass, made[1].n};
        status = dosi_plan_loss(job->out, &remove, &add, err);
    }
    loss_from_profile_free(&made[0]);
    loss_from_profile_free(&made[1]);
    return status;
}

/* The number of points for which a law may spend the work of one question. */
#define POINTS_PER_BUDGET 50

static dosi_status export_work(prepared_plan *d, void *context, dosi_error *err)
{
    const export_job *job = context;
    if (job->side == DOSI_SIDE_LOWER && !has_one_pair(d->normal))
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "loss: no one pair of neighbours is known to attain the lower "
            "ends of a stated guarantee, a fixed-size sample or a sampled "
            "group");
    curves c = {0};
    d->limits.budget *= 1 + (double)job->n_points / POINTS_PER_BUDGET;
    dosi_status status = curves_ask(&c, d, job, err);
    if (status == DOSI_OK && d->stop_reason != NULL)
        status = dosi_fail(err, DOSI_EUNABLE, "loss: %s", d->stop_reason);
    if (status == DOSI_OK)
        status = export_make(job, &c, err);
    free(c.at[0]);
    free(c.log_delta[0]);
    return status;
}

dosi_status dosi_loss_of_plan(const dosi_plan **out, const dosi_plan *plan,
    dosi_side side, size_t n_points, double tail, const dosi_options *options,
    dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(tail);
    *out = NULL;
    if (side != DOSI_SIDE_UPPER && side != DOSI_SIDE_LOWER)
        return dosi_fail(
            err, DOSI_EINVAL, "loss: the side must be upper or lower");
    if (n_points < 2 || n_points > MAX_POINTS)
        return dosi_fail(err, DOSI_EINVAL,
            "loss: the points must be from 2 to %d, got %zu", MAX_POINTS,
            n_points);
    if (!(tail >= MIN_TAIL && tail < 0.5))
        return dosi_fail(err, DOSI_EINVAL,
            "loss: the tail must be from %g to 1/2, got %g", MIN_TAIL, tail);
    export_job job = {out, side, n_points, tail};
    return prepared_use(export_work, &job, plan, options, err);
}
