#include "law.h"

#include "num/bracket.h"
#include "num/scaled.h"

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

dosi_interval law_delta(const law *self, ball eps)
{
    dosi_interval v = {0, 1};
    if (self->type->delta != NULL && !is_stopped(self))
        v = iv_meet(v, ball_interval(self->type->delta(self, eps)));
    if (v.hi - v.lo <= 0x1p-50 * v.lo)
        return v;
    return iv_meet(v, exp_interval(law_log_delta(self, eps)));
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

typedef struct search {
    const law *self;
    ball delta;
    ball log_delta;
    dosi_interval *known; /* of epsilon, by all values so far */
} search;

/* Notes which side of epsilon eps is on: +1 when delta(eps) is certainly at
 * most the target, -1 when it is above it. */
static int note_sign(const search *s, double eps, int sign)
{
    if (sign > 0)
        s->known->hi = fmin(s->known->hi, eps);
    if (sign < 0)
        s->known->lo = fmax(s->known->lo, eps);
    return sign;
}

static int sign_of_log(const search *s, double eps, dosi_interval log_delta)
{
    if (log_delta.hi <= ball_lower(s->log_delta))
        return note_sign(s, eps, 1);
    return note_sign(
        s, eps, log_delta.lo > ball_upper(s->log_delta) ? -1 : 0);
}

static int search_sign(double eps, const void *context)
{
    const search *s = context;
    if (s->self->type->delta != NULL && s->delta.hi > 0x1p-900 &&
        !is_stopped(s->self)) {
        ball d = s->self->type->delta(s->self, ball_of(eps));
        int sign = bracket_sign_of(ball_sub(s->delta, d));
        if (sign != 0)
            return note_sign(s, eps, sign);
    }
    return sign_of_log(s, eps, law_log_delta(s->self, ball_of(eps)));
}

static double search_steer(double eps, const void *context)
{
    const search *s = context;
    dosi_interval v = law_log_delta(s->self, ball_of(eps));
    (void)sign_of_log(s, eps, v);
    double mid = v.lo > -HUGE_VAL ? v.lo / 2 + v.hi / 2 : v.hi;
    return ball_mid(s->log_delta) - mid;
}

/* What is certain when the work is stopped before a root is enclosed is what
 * the values on the way to it said. */
static dosi_interval epsilon_by_search(const search *s)
{
    if (search_sign(0, s) > 0)
        return iv_point(0);
    double lo = 0, hi = 0x1p-20;
    while (hi < 0x1p1000 && search_steer(hi, s) < 0) {
        lo = hi;
        hi *= hi < 0x1p10 ? 4 : 64;
    }
    if (!(hi < 0x1p1000)) {
        while (lo > 0 && search_sign(lo, s) >= 0)
            lo = lo > 1 ? lo / 64 : 0;
        return iv_meet((dosi_interval){lo, HUGE_VAL}, *s->known);
    }
    double guess = bracket_steer(search_steer, s, lo, hi);
    return iv_meet(
        bracket_root(search_sign, s, 0, HUGE_VAL, guess), *s->known);
}

dosi_interval law_epsilon(const law *self, ball delta, ball log_delta)
{
    dosi_interval known = {0, HUGE_VAL};
    const search s = {self, delta, log_delta, &known};
    dosi_interval floor_mass = law_log_floor(self);
    if (floor_mass.lo > ball_upper(log_delta))
        return iv_point(HUGE_VAL);
    dosi_interval v = self->type->epsilon != NULL
                          ? self->type->epsilon(self, delta, log_delta)
                          : epsilon_by_search(&s);
    return (dosi_interval){
        fmax(v.lo, 0), isnan(v.hi) ? HUGE_VAL : fmax(v.hi, 0)};
}

bool law_is_within(const law *self, const law *reversed, ball eps, ball delta,
    ball log_delta)
{
    return self->type->is_within != NULL && !is_stopped(self) &&
           self->type->is_within(self, reversed, eps, delta, log_delta);
}
