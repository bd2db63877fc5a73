#include "profile.h"

#include "num/scaled.h"
#include "profile_inverse.h"

void law_pool_init(law_pool *pool)
{
    pool->n_laws = 0;
    pool->n_owned = 0;
    pool->n_deferred = 0;
    pool->no_memory = false;
    pool->reason = NULL;
    pool->limits = NULL;
}

void law_pool_free(law_pool *pool)
{
    for (size_t i = 0; i < pool->n_owned; i++)
        atoms_free(pool->owned[i]);
    while (pool->n_deferred > 0) {
        pool->n_deferred -= 1;
        size_t i = pool->n_deferred;
        pool->deferred[i].release(pool->deferred[i].object);
    }
    pool->n_owned = 0;
    pool->n_laws = 0;
}

const law *law_decline(law_pool *pool, const char *reason)
{
    pool->reason = reason;
    return NULL;
}

const law *law_keep(law_pool *pool, law value)
{
    if (value.type == NULL)
        return NULL;
    if (pool->n_laws == LAW_POOL)
        return law_decline(pool, "the plan holds too many kinds of laws");
    value.pool = pool;
    pool->laws[pool->n_laws] = value;
    return &pool->laws[pool->n_laws++];
}

const atoms *law_own(law_pool *pool, atoms *a)
{
    if (a == NULL)
        return NULL;
    if (pool->n_owned == LAW_POOL) {
        atoms_free(a);
        (void)law_decline(pool, "the plan holds too many kinds of laws");
        return NULL;
    }
    pool->owned[pool->n_owned++] = a;
    return a;
}

bool law_defer(law_pool *pool, void *object, void (*release)(void *object))
{
    if (pool->n_deferred == LAW_DEFERRED) {
        release(object);
        return false;
    }
    pool->deferred[pool->n_deferred].object = object;
    pool->deferred[pool->n_deferred++].release = release;
    return true;
}

bool law_made(law_pool *pool, dosi_status status)
{
    if (status == DOSI_OK)
        return true;
    if (status == DOSI_ENOMEM)
        pool->no_memory = true;
    pool->reason = "an exact enumeration would exceed its limits";
    return false;
}

bool law_asked(const law *self, dosi_status status)
{
    if (status == DOSI_ENOMEM && self->pool != NULL)
        self->pool->no_memory = true;
    return status == DOSI_OK;
}

void law_explain(const law *self, const char *reason)
{
    if (self->pool != NULL)
        self->pool->reason = reason;
}

dosi_interval law_log_mass(ball mass)
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

/* Whoever was told to stop knows nothing, at once. */
static bool is_stopped(const law *self)
{
    return self->pool != NULL && work_stopped(self->pool->limits);
}

static dosi_interval log_delta_raw(const law *self, ball eps)
{
    if (is_stopped(self))
        return (dosi_interval){-HUGE_VAL, 0};
    return log_delta_clamped(self->type->log_delta(self, eps));
}

dosi_interval law_log_delta(const law *self, ball eps)
{
    dosi_interval v = log_delta_raw(self, eps);
    if (v.lo > -HUGE_VAL || v.hi < 0 || ball_is_unknown(eps))
        return v;
    /* eps may lie on either side of an edge of the law. A profile falls:
     * delta(eps + h) <= delta(eps) <= delta(eps - h) */
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

/* e^x from either side, to a unit where it is subnormal: ldexp rounds to
 * nearest. */
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

dosi_interval law_delta_and_log(
    const law *self, ball eps, dosi_interval *log_delta)
{
    *log_delta = law_log_delta(self, eps);
    dosi_interval v = iv_meet((dosi_interval){0, 1}, exp_interval(*log_delta));
    if (self->type->delta != NULL && !is_stopped(self))
        v = iv_meet(v, ball_interval(self->type->delta(self, eps)));
    return v;
}

dosi_interval law_delta(const law *self, ball eps)
{
    dosi_interval log_delta;
    return law_delta_and_log(self, eps, &log_delta);
}

dosi_interval law_log_floor(const law *self)
{
    if (self->type->log_floor == NULL)
        return (dosi_interval){-HUGE_VAL, 0};
    return log_delta_clamped(self->type->log_floor(self));
}

dosi_interval law_no_floor(const law *self)
{
    (void)self;
    return iv_point(-HUGE_VAL);
}

/* ---- Its inverse ------------------------------------------------------- */

/* Work that is stopped knows nothing more: what earlier values decided stays
 * certain. */
static dosi_interval log_delta_at(double eps, const void *context)
{
    return law_log_delta(context, ball_of(eps));
}

dosi_interval law_epsilon(const law *self, ball delta, ball log_delta)
{
    dosi_interval floor_mass = law_log_floor(self);
    if (floor_mass.lo > ball_upper(log_delta))
        return iv_point(HUGE_VAL);
    dosi_interval v = self->type->epsilon != NULL
                          ? self->type->epsilon(self, delta, log_delta)
                          : profile_inverse(log_delta_at, self, log_delta,
                                (dosi_interval){0, HUGE_VAL});
    return (dosi_interval){
        fmax(v.lo, 0), isnan(v.hi) ? HUGE_VAL : fmax(v.hi, 0)};
}

bool law_is_within(const law *self, ball eps, ball delta, ball log_delta)
{
    return self->type->is_within != NULL && !is_stopped(self) &&
           self->type->is_within(self, eps, delta, log_delta);
}
