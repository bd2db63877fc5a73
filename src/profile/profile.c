/*
 * The pool that owns the profiles of one question, and the questions that every
 * profile answers: delta and its logarithm, kept valid at the edges of a law,
 * and epsilon by a closed inverse or by a certified search. Derivation:
 * docs/theory/account.md.
 */
#include "profile.h"

#include "num/scaled.h"
#include "profile_inverse.h"

void profile_pool_init(profile_pool *pool)
{
    pool->n_laws = 0;
    pool->n_owned = 0;
    pool->n_deferred = 0;
    pool->no_memory = false;
    pool->reason = NULL;
    pool->limits = NULL;
}

void profile_pool_free(profile_pool *pool)
{
    for (size_t i = 0; i < pool->n_owned; i++)
        finite_free(pool->owned[i]);
    while (pool->n_deferred > 0) {
        pool->n_deferred -= 1;
        size_t i = pool->n_deferred;
        pool->deferred[i].release(pool->deferred[i].object);
    }
    pool->n_owned = 0;
    pool->n_laws = 0;
}

const privacy_profile *profile_decline(profile_pool *pool, const char *reason)
{
    pool->reason = reason;
    return NULL;
}

const privacy_profile *profile_keep(profile_pool *pool, privacy_profile value)
{
    if (value.type == NULL)
        return NULL;
    if (pool->n_laws == PROFILE_POOL)
        return profile_decline(pool, "the plan holds too many kinds of laws");
    value.pool = pool;
    pool->laws[pool->n_laws] = value;
    return &pool->laws[pool->n_laws++];
}

const finite_law *profile_own(profile_pool *pool, finite_law *a)
{
    if (a == NULL)
        return NULL;
    if (pool->n_owned == PROFILE_POOL) {
        finite_free(a);
        (void)profile_decline(pool, "the plan holds too many kinds of laws");
        return NULL;
    }
    pool->owned[pool->n_owned++] = a;
    return a;
}

bool profile_defer(
    profile_pool *pool, void *object, void (*release)(void *object))
{
    if (pool->n_deferred == PROFILE_DEFERRED) {
        release(object);
        return false;
    }
    pool->deferred[pool->n_deferred].object = object;
    pool->deferred[pool->n_deferred++].release = release;
    return true;
}

bool profile_made(profile_pool *pool, dosi_status status)
{
    if (status == DOSI_OK)
        return true;
    if (status == DOSI_ENOMEM)
        pool->no_memory = true;
    pool->reason = "an exact enumeration would exceed its limits";
    return false;
}

bool profile_asked(const privacy_profile *self, dosi_status status)
{
    if (status == DOSI_ENOMEM && self->pool != NULL)
        self->pool->no_memory = true;
    return status == DOSI_OK;
}

void profile_explain(const privacy_profile *self, const char *reason)
{
    if (self->pool != NULL)
        self->pool->reason = reason;
}

dosi_interval profile_log_mass(ball mass)
{
    dosi_interval v = ball_interval(mass);
    return (dosi_interval){
        v.lo > 0 ? ball_lower(ball_log(ball_of(v.lo))) : -HUGE_VAL,
        v.hi > 0 ? ball_upper(ball_log(ball_of(v.hi))) : -HUGE_VAL};
}

/* ---- The profile ------------------------------------------------------- */

/* A log delta is at most 0; unknown is [-inf, 0]. */
static dosi_interval log_delta_clamped(dosi_interval v)
{
    return (dosi_interval){
        isnan(v.lo) ? -HUGE_VAL : fmin(v.lo, 0), fmin(v.hi, 0)};
}

/* After a stop the profile is the trivial enclosure. */
static bool is_stopped(const privacy_profile *self)
{
    return self->pool != NULL && work_stopped(self->pool->limits);
}

static dosi_interval log_delta_raw(const privacy_profile *self, ball eps)
{
    if (is_stopped(self))
        return (dosi_interval){-HUGE_VAL, 0};
    const profile_type *type = self->type;
    return log_delta_clamped(type->log_ball != NULL
                                 ? ball_interval(type->log_ball(self, eps))
                                 : type->log_delta(self, eps));
}

dosi_interval profile_log_delta(const privacy_profile *self, ball eps)
{
    dosi_interval v = log_delta_raw(self, eps);
    if (v.lo > -HUGE_VAL || v.hi < 0 || ball_is_unknown(eps))
        return v;
    /* the ball eps may contain an edge of the law, where values are unknown. A
     * profile falls: delta(eps + h) <= delta(eps) <= delta(eps - h) */
    double h = (fabs(ball_mid(eps)) + 0x1p-60) * 0x1p-80 + 4 * eps.rad;
    for (int i = 0; i < 3; i++, h *= 0x1p16) {
        dosi_interval below = log_delta_raw(self, ball_sub_d(eps, h));
        dosi_interval above = log_delta_raw(self, ball_add_d(eps, h));
        v = (dosi_interval){fmax(v.lo, above.lo), fmin(v.hi, below.hi)};
        if (v.hi < 0)
            break;
    }
    return v;
}

/* A bound of e^x on the named side, within a unit if it is subnormal: ldexp
 * rounds to nearest. */
static double exp_end(double x, bool up)
{
    scaled s = scaled_exp(ball_of(x));
    double m = up ? ball_upper(s.m) : ball_lower(s.m);
    double y = ldexp(m, (int)fmax((double)s.e, -4000));
    return up ? round_up(y) : fmax(round_down(y), 0);
}

static dosi_interval exp_interval(dosi_interval x)
{
    dosi_interval y = {fmax(ball_lower(ball_exp(ball_of(x.lo))), 0),
        ball_upper(ball_exp(ball_of(x.hi)))};
    if (x.lo < -700 && x.lo > -1e18)
        y.lo = fmax(y.lo, exp_end(x.lo, false));
    if (x.hi < -700 && x.hi > -1e18)
        y.hi = fmin(y.hi, exp_end(x.hi, true));
    return y;
}

ball profile_delta_ball(const privacy_profile *self, ball eps)
{
    const profile_type *type = self->type;
    if (type->log_ball != NULL)
        return ball_exp(type->log_ball(self, eps));
    return type->delta != NULL ? type->delta(self, eps) : ball_unknown();
}

dosi_interval profile_delta_and_log(
    const privacy_profile *self, ball eps, dosi_interval *log_delta)
{
    *log_delta = profile_log_delta(self, eps);
    dosi_interval v = iv_meet((dosi_interval){0, 1}, exp_interval(*log_delta));
    bool has_ball = self->type->log_ball != NULL || self->type->delta != NULL;
    if (has_ball && !is_stopped(self))
        v = iv_meet(v, ball_interval(profile_delta_ball(self, eps)));
    return v;
}

dosi_interval profile_delta(const privacy_profile *self, ball eps)
{
    dosi_interval log_delta;
    return profile_delta_and_log(self, eps, &log_delta);
}

dosi_interval profile_log_floor(const privacy_profile *self)
{
    if (self->type->log_floor == NULL)
        return (dosi_interval){-HUGE_VAL, 0};
    return log_delta_clamped(self->type->log_floor(self));
}

dosi_interval profile_no_floor(const privacy_profile *self)
{
    (void)self;
    return iv_point(-HUGE_VAL);
}

/* ---- Its inverse ------------------------------------------------------- */

/* A stop during the search is safe: later values are trivial, and what earlier
 * ones decided stays certain. */
static dosi_interval log_delta_at(double eps, const void *context)
{
    return profile_log_delta(context, ball_of(eps));
}

dosi_interval profile_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    dosi_interval floor_mass = profile_log_floor(self);
    if (floor_mass.lo > ball_upper(log_delta))
        return iv_point(HUGE_VAL);
    dosi_interval v = self->type->epsilon != NULL
                          ? self->type->epsilon(self, delta, log_delta)
                          : profile_inverse(log_delta_at, self, log_delta,
                                (dosi_interval){0, HUGE_VAL});
    return (dosi_interval){
        fmax(v.lo, 0), isnan(v.hi) ? HUGE_VAL : fmax(v.hi, 0)};
}

bool profile_is_within(
    const privacy_profile *self, ball eps, ball delta, ball log_delta)
{
    return self->type->is_within != NULL && !is_stopped(self) &&
           self->type->is_within(self, eps, delta, log_delta);
}
