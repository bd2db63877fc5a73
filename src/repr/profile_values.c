#include "profile_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sampled_gaussian.h"
#include "spectral.h"

/* Contours that are kept, on either side of 0, and what one takes. */
#define MAX_ENGINES 64
#define ENGINE_BYTES ((size_t)1 << 17)

/* Pairs of nodes of a contour, some 10 ms; and how many contours may be of no
 * use. */
#define MAX_COST 3e6
#define MAX_FAILED 24

/* Width of log delta: a share of what is wanted in the end, but no less than
 * contours reach. */
#define GOOD 0.01
#define LEAST_GOOD 2e-9

/* Wider than that, a value is worth a contour of any cost, and one in
 * double-doubles. */
#define POOR 1e-6

/* One direction of the pair: contours, and where each was made for. */
typedef struct half {
    loss *laws;
    size_t n;
    spectral *engines[MAX_ENGINES];
    double at[MAX_ENGINES];
    double width[MAX_ENGINES]; /* of log delta there */
    int n_failed;
} half;

struct profile_values {
    half sides[2]; /* of (P, Q) and of (Q, P) */
    size_t n_laws;
    work_limits *limits; /* the caller's */
    work_limits own;     /* those of contours */
};

/* ---- Making ------------------------------------------------------------ */

static dosi_status copy_laws(
    profile_values *t, const loss *laws, size_t n, dosi_error *err)
{
    t->n_laws = n;
    for (int side = 0; side < 2; side++) {
        loss *copy = malloc(n * sizeof *copy);
        t->sides[side].laws = copy;
        if (copy == NULL)
            return dosi_fail_memory(err);
        memcpy(copy, laws, n * sizeof *copy);
        for (size_t i = 0; i < n && side == 1; i++)
            if (copy[i].map != LOSS_PLAIN)
                copy[i].map =
                    copy[i].map == LOSS_ADD ? LOSS_REMOVE : LOSS_ADD;
    }
    return DOSI_OK;
}

dosi_status profile_values_new(profile_values **out, const loss *laws,
    size_t n, work_limits *limits, dosi_error *err)
{
    profile_values *t = calloc(1, sizeof *t);
    *out = NULL;
    if (t == NULL)
        return dosi_fail_memory(err);
    t->limits = limits;
    t->own = (work_limits){.width = WORK_WIDTH, .max_bytes = WORK_BYTES};
    t->own.whole = limits;
    t->own.max_bytes = work_bytes(limits);
    dosi_status status = copy_laws(t, laws, n, err);
    if (status == DOSI_OK)
        *out = t;
    else
        profile_values_free(t);
    return status;
}

void profile_values_free(profile_values *t)
{
    if (t == NULL)
        return;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < t->sides[side].n; i++)
            spectral_free(t->sides[side].engines[i]);
        free(t->sides[side].laws);
    }
    free(t);
}

/* ---- Values ------------------------------------------------------------ */

/* Width of log delta that will do. */
static double good_of(const profile_values *t)
{
    return fmax(GOOD * work_width(t->limits), LEAST_GOOD);
}

static dosi_status new_engine(
    spectral **out, profile_values *t, bool reversed, dosi_error *err)
{
    half *s = &t->sides[reversed];
    dosi_status status =
        spectral_new(out, s->laws, t->n_laws, &t->own, err);
    if (*out != NULL) {
        spectral_set_max_cost(*out, MAX_COST);
        spectral_set_enough(*out, good_of(t));
    }
    return status;
}

/* Of log delta; nothing where that is certainly 0. */
static double width_of(dosi_interval log_delta)
{
    return log_delta.lo == log_delta.hi ? 0 : log_delta.hi - log_delta.lo;
}

/* What the contour says that was made nearest to x; whether that is hardly
 * less than it says there. */
static bool read_nearest(
    dosi_interval *out, const half *s, double x, double good)
{
    double least = HUGE_VAL;
    size_t best = s->n;
    *out = (dosi_interval){-HUGE_VAL, 0};
    for (size_t i = 0; i < s->n; i++) {
        double far = fabs(log(x / s->at[i]));
        if (far < least) {
            least = far;
            best = i;
        }
    }
    if (best == s->n)
        return false;
    *out = spectral_read_again(s->engines[best], x);
    return width_of(*out) <= fmax(2 * s->width[best], good);
}

static size_t most_engines(const profile_values *t)
{
    size_t most = work_bytes(t->limits) / ENGINE_BYTES;
    return most < MAX_ENGINES ? most : MAX_ENGINES;
}

/* One run of a sample has a closed form. */
static bool is_closed(const profile_values *t)
{
    const loss *only = t->sides[0].laws;
    return t->n_laws == 1 && only->count == 1 && only->map != LOSS_PLAIN;
}

static dosi_interval closed_value(
    const profile_values *t, bool reversed, double x)
{
    const loss *only = t->sides[reversed].laws;
    sampled_side side = only->map == LOSS_REMOVE ? SAMPLED_MIXTURE_FIRST
                                                 : SAMPLED_BASE_FIRST;
    return ball_interval(sampled_gaussian_log_delta(
        side, only->rate, only->parameter, ball_of(x)));
}

/* log delta of one direction at x > 0. */
static dosi_status log_value(dosi_interval *out, profile_values *t,
    bool reversed, double x, dosi_interval known, dosi_error *err)
{
    half *s = &t->sides[reversed];
    if (is_closed(t)) {
        *out = closed_value(t, reversed, x);
        return DOSI_OK;
    }
    if (read_nearest(out, s, x, good_of(t)) ||
        s->n >= most_engines(t) || s->n_failed == MAX_FAILED ||
        work_stopped(t->limits))
        return DOSI_OK;
    spectral *made = NULL;
    known = iv_meet(known, *out);
    dosi_status status = new_engine(&made, t, reversed, err);
    if (made == NULL)
        return status;
    status = spectral_narrow_log_delta(&known, made, x, err);
    if (status == DOSI_OK && width_of(known) > POOR &&
        !work_stopped(t->limits)) {
        spectral_set_max_cost(made, 0); /* as much as any */
        status = spectral_narrow_log_delta(&known, made, x, err);
    }
    *out = known;
    double own = width_of(spectral_read_again(made, x));
    if (!(own < 1 && own <= fmax(8 * width_of(known), good_of(t)))) {
        s->n_failed++; /* another contour said more: none for what is near */
        spectral_free(made);
        return status;
    }
    s->at[s->n] = x;
    s->width[s->n] = own;
    s->engines[s->n++] = made;
    return status;
}

/* Of (P, Q) at x < 0, by the contours for the least x > 0: those of low tilts
 * know that, too. */
static dosi_interval read_below(const profile_values *t, double x)
{
    const half *s = &t->sides[0];
    size_t best = 0;
    for (size_t i = 1; i < s->n; i++)
        if (s->at[i] < s->at[best])
            best = i;
    return s->n > 0 ? spectral_read_again(s->engines[best], x)
                    : (dosi_interval){-HUGE_VAL, 0};
}

static ball mass_of(double log_delta)
{
    return log_delta > -HUGE_VAL ? ball_exp(ball_of(log_delta)) : ball_of(0);
}

/* Within [0, 1], whatever was no number. */
static dosi_interval masses_of(ball lo, ball hi)
{
    dosi_interval v = {fmax(ball_lower(lo), 0), ball_upper(hi)};
    if (!(v.hi < 1))
        v.hi = 1;
    return v.lo <= v.hi ? v : (dosi_interval){0, 1};
}

static dosi_interval direct(dosi_interval log_delta)
{
    return masses_of(mass_of(log_delta.lo), mass_of(log_delta.hi));
}

dosi_interval profile_mirrored(double x, dosi_interval log_delta)
{
    ball e = ball_exp(ball_of(x)), less = ball_expm1(ball_of(x));
    return masses_of(
        ball_sub(ball_mul(e, mass_of(log_delta.lo)), less),
        ball_sub(ball_mul(e, mass_of(log_delta.hi)), less));
}

dosi_status profile_values_at(dosi_interval *out, profile_values *t, double x,
    dosi_interval known, dosi_error *err)
{
    dosi_interval log_known = {-HUGE_VAL, 0}, v;
    *out = known;
    if (x < 0) {
        v = read_below(t, x);
        *out = iv_meet(*out, direct(v));
        if (width_of(v) <= good_of(t))
            return DOSI_OK;
    } else {
        if (known.lo > 0)
            log_known.lo = ball_lower(ball_log(ball_of(known.lo)));
        if (known.hi < 1)
            log_known.hi = fmin(ball_upper(ball_log(ball_of(known.hi))), 0);
    }
    dosi_status status =
        log_value(&v, t, x < 0, fabs(x), log_known, err);
    *out = iv_meet(*out, x < 0 ? profile_mirrored(x, v) : direct(v));
    return status;
}

dosi_status profile_values_deviation(
    double *out, profile_values *t, dosi_error *err)
{
    spectral *engine = NULL;
    *out = NAN;
    dosi_status status = new_engine(&engine, t, false, err);
    if (engine != NULL)
        status = spectral_deviation(out, engine, err);
    spectral_free(engine);
    return status;
}

dosi_status profile_values_reach(double *out, profile_values *t,
    bool reversed, double from, double log_least, dosi_error *err)
{
    spectral *engine = NULL;
    *out = 0;
    dosi_status status = new_engine(&engine, t, reversed, err);
    if (status != DOSI_OK || engine == NULL)
        return status;
    for (double x = from; x <= PROFILE_FARTHEST && *out == 0; x *= 1.5) {
        ball log_d = ball_of(log_least);
        bool within = false;
        if (reversed) /* of what 1 - e^-x is */
            log_d = ball_add(
                log_d, ball_log(ball_neg(ball_expm1(ball_of(-x)))));
        status = spectral_is_within(
            &within, engine, NULL, x, ball_exp(log_d), log_d, err);
        if (status != DOSI_OK || work_stopped(t->limits))
            break;
        if (within)
            *out = x;
    }
    spectral_free(engine);
    return status;
}
