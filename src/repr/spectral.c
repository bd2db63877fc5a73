/*
 * Questions to a plan by contours: chosen, built, and inverted by certain
 * signs.
 */
#include "spectral.h"

#include <stdlib.h>

#include "base/error.h"
#include "gaussian.h"
#include "spectral_contour.h"

/* Pairs of outer and inner nodes, some 4 ns each. */
#define MAX_COST 4e7

struct spectral {
    spectral_parts parts;
    spectral_want *wants;
    work_limits *limits;
    double max_cost; /* of one contour */
    bool has_contour;
    spectral_contour contour; /* the last one, for its neighbourhood */
    ball log_keep; /* log of what is not at +inf */
    ball largest;  /* the greatest finite loss of the plan */
};

/* ---- Making ------------------------------------------------------------ */

static void drop_contour(spectral *s)
{
    if (s->has_contour)
        spectral_contour_free(&s->contour);
    s->has_contour = false;
}

static void gather(spectral *s)
{
    s->log_keep = s->largest = ball_of(0);
    for (size_t i = 0; i < s->parts.n; i++) {
        const spectral_part *p = &s->parts.items[i];
        if (!ball_is_infinite(s->largest)) {
            ball most = p->type->largest(p->law);
            s->largest = ball_is_infinite(most)
                             ? most
                             : ball_add(s->largest,
                                   ball_mul_d(most, p->count));
        }
        if (p->law->noise != LOSS_FINITE)
            continue;
        ball lost = atoms_p_inf(p->law->finite);
        if (!ball_is_zero(lost))
            s->log_keep = ball_add(s->log_keep,
                ball_mul_d(ball_log1p(ball_neg(lost)), p->count));
    }
}

dosi_status spectral_new(spectral **out, const loss *laws, size_t n,
    work_limits *limits, dosi_error *err)
{
    *out = NULL;
    spectral *s = calloc(1, sizeof *s);
    spectral_part *parts = calloc(n, sizeof *parts);
    spectral_want *wants = calloc(n, sizeof *wants);
    if (s == NULL || parts == NULL || wants == NULL) {
        free(s);
        free(parts);
        free(wants);
        return dosi_fail_memory(err);
    }
    s->parts = (spectral_parts){n, parts};
    s->wants = wants;
    s->limits = limits;
    s->max_cost = MAX_COST;
    for (size_t i = 0; i < n; i++)
        if (!spectral_part_init(&parts[i], &laws[i])) {
            spectral_free(s);
            return DOSI_OK;
        }
    gather(s);
    *out = s;
    return DOSI_OK;
}

void spectral_free(spectral *s)
{
    if (s == NULL)
        return;
    drop_contour(s);
    for (size_t i = 0; i < s->parts.n; i++)
        spectral_part_free(&s->parts.items[i]);
    free(s->parts.items);
    free(s->wants);
    free(s);
}

/* log(1 - e^log_keep) */
static ball log_lost(const spectral *s)
{
    return ball_is_zero(s->log_keep) ? ball_of(-HUGE_VAL)
                                     : ball_log1mexp(s->log_keep);
}

dosi_interval spectral_log_floor(const spectral *s)
{
    return ball_interval(log_lost(s));
}

/* Steering that lacked memory has declined quietly. */
static dosi_status whole(
    dosi_status status, const spectral *s, dosi_error *err)
{
    for (size_t i = 0; status == DOSI_OK && i < s->parts.n; i++)
        if (s->parts.items[i].sketch.no_memory)
            return dosi_fail_memory(err);
    return status;
}

void spectral_set_max_cost(spectral *s, double pairs)
{
    s->max_cost = pairs > 0 ? pairs : MAX_COST;
}

dosi_status spectral_deviation(
    double *out, const spectral *s, dosi_error *err)
{
    *out = spectral_spread(&s->parts);
    return whole(DOSI_OK, s, err);
}

/* ---- delta ------------------------------------------------------------- */

/* What bounded losses say without a contour; true when that is all. */
static bool beyond_largest(
    dosi_interval *out, const spectral *s, double epsilon)
{
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (ball_lower(s->largest) > epsilon)
        return false;
    if (ball_upper(s->largest) <= epsilon)
        out->hi = -HUGE_VAL; /* the loss never exceeds epsilon */
    return true;
}

/* Builds the contour for a saddle that has been found. */
static dosi_status build(
    spectral *s, spectral_choice *choice, double width, dosi_error *err)
{
    spectral_effort effort = {width, s->max_cost};
    drop_contour(s);
    if (!spectral_choose(choice, s->wants, &s->parts, &effort))
        return DOSI_OK;
    return spectral_contour_build(&s->contour, &s->has_contour, &s->parts,
        s->wants, choice, s->limits, err);
}

static double width_of(dosi_interval log_value)
{
    return log_value.hi - log_value.lo;
}

/* Of the finite part; by the last contour where that is good enough. */
static dosi_status finite_log_delta(
    dosi_interval *out, spectral *s, double epsilon, dosi_error *err)
{
    if (beyond_largest(out, s, epsilon))
        return DOSI_OK;
    double wanted = work_width(s->limits) / 2;
    if (s->has_contour) {
        *out = spectral_contour_read(&s->contour, epsilon);
        if (width_of(*out) <= fmin(wanted, 1e-11))
            return DOSI_OK;
    }
    spectral_choice choice;
    if (!spectral_saddle_at_epsilon(&choice, &s->parts, epsilon))
        return DOSI_OK;
    dosi_status status = build(s, &choice, wanted, err);
    if (status == DOSI_OK && s->has_contour)
        *out = iv_meet(*out, spectral_contour_read(&s->contour, epsilon));
    return status;
}

dosi_status spectral_log_delta(
    dosi_interval *out, spectral *s, double epsilon, dosi_error *err)
{
    dosi_status status = finite_log_delta(out, s, epsilon, err);
    status = whole(status, s, err);
    if (status != DOSI_OK || ball_is_zero(s->log_keep))
        return status;
    ball lost = log_lost(s); /* unknown where it is next to nothing */
    out->lo = fmax(
        out->lo, ball_lower(ball_logaddexp(ball_of(out->lo), lost)));
    out->hi = fmin(ball_upper(ball_logaddexp(ball_of(out->hi), lost)), 0);
    return DOSI_OK;
}

/* ---- epsilon ----------------------------------------------------------- */

/* One contour, and log delta that is looked for. */
typedef struct inversion {
    const spectral *s;
    dosi_interval target;
    double x;     /* where it nearly is */
    double slope; /* of -log delta there, roughly */
    double slack; /* width of log delta there */
} inversion;

static dosi_interval log_delta_at(const inversion *in, double epsilon)
{
    dosi_interval found;
    if (!beyond_largest(&found, in->s, epsilon))
        found = spectral_contour_read(&in->s->contour, epsilon);
    return found;
}

/* Newton steps with the slope of the saddle, then secants: steers. */
static void polish(inversion *in)
{
    double y_last = 0, x_last = 0;
    for (int i = 0; i < 12; i++) {
        dosi_interval f = log_delta_at(in, in->x);
        if (!(f.hi > -HUGE_VAL))
            break;
        bool wide = !(f.hi - f.lo < 1);
        double y = in->target.hi - (wide ? f.hi : (f.lo + f.hi) / 2);
        double slope = (y - y_last) / (in->x - x_last);
        if (i > 0 && slope > 0 && slope < HUGE_VAL)
            in->slope = slope;
        x_last = in->x;
        y_last = y;
        in->slack = f.hi - f.lo;
        in->x = fmax(in->x - y / in->slope, in->x / 8);
        if (fabs(y) <= fmax(in->slack / 4, 0x1p-52 * fabs(in->target.hi)))
            break;
    }
}

/* An epsilon on the given side of the root where the sign is certain; the
 * ends of [0, most] need no sign. */
static double certain(const inversion *in, double side, double most)
{
    double step = 0.6 * in->slack / in->slope + 0x1p-52 * in->x;
    if (!(step < HUGE_VAL))
        step = 1e-3 * in->x;
    for (int i = 0; i < 64; i++, step *= i < 4 ? 1.3 : 3) {
        double y = in->x + side * step;
        if (!(y > 0 && y < most))
            break;
        dosi_interval f = log_delta_at(in, y);
        if (side > 0 ? f.hi <= in->target.lo : f.lo >= in->target.hi)
            return y;
    }
    return side > 0 ? most : 0;
}

/* log(delta - mass at +inf); false when *out is the answer already. */
static bool finite_target(dosi_interval *target, dosi_interval *out,
    const spectral *s, ball delta, ball log_delta)
{
    *out = (dosi_interval){0, HUGE_VAL};
    *target = ball_interval(log_delta);
    if (!ball_is_zero(s->log_keep)) {
        ball rest = ball_sub(delta, ball_neg(ball_expm1(s->log_keep)));
        if (ball_is_negative(rest))
            out->lo = HUGE_VAL;
        if (!ball_is_positive(rest))
            return false;
        *target = ball_interval(ball_log(rest));
    }
    if (target->lo >= 0)
        out->hi = 0;
    return target->lo < 0;
}

/* Whether delta(0) settles it: then epsilon is 0. */
static dosi_status settled_at_zero(bool *settled, dosi_interval target,
    spectral *s, dosi_error *err)
{
    dosi_interval at_zero;
    dosi_status status = finite_log_delta(&at_zero, s, 0, err);
    *settled = status == DOSI_OK && at_zero.hi <= target.lo;
    return status;
}

#define ATTEMPTS 6

/* Where to look next. The estimate of a saddle is poor where a rare jump
 * shares the tilted law; then the bulk may be nearly Gaussian. */
static double next_guess(
    const inversion *in, dosi_interval known, int attempt)
{
    if (in->slack < 1)
        return in->x;
    double spread = spectral_spread(&in->s->parts);
    dosi_interval bulk =
        gauss_epsilon(ball_of(spread), ball_of(in->target.hi));
    if (attempt == 0 && bulk.hi > known.lo && bulk.hi < known.hi)
        return bulk.hi;
    return known.lo > 0 ? sqrt(known.lo * known.hi) : known.hi / 4;
}

/* On ever better contours. */
static dosi_status invert(dosi_interval *out, spectral *s,
    dosi_interval target, spectral_choice *choice, dosi_error *err)
{
    double wanted = work_width(s->limits);
    for (int i = 0; i < ATTEMPTS; i++) {
        /* log delta falls by about t for each unit of epsilon */
        double unit = fmax(choice->epsilon * choice->t, 1e-3);
        dosi_status status = build(s, choice, wanted / 2 * unit, err);
        if (status != DOSI_OK || !s->has_contour)
            return status;
        inversion in = {
            s, target, fmax(choice->epsilon, 1e-300), choice->t, 1};
        polish(&in);
        double before = out->hi - out->lo;
        out->hi = fmin(out->hi, certain(&in, 1, out->hi));
        out->lo = fmax(out->lo, certain(&in, -1, out->hi));
        double width = out->hi - out->lo;
        double enough = choice->blur > 0 ? wanted : fmin(wanted, 1e-10);
        if (width <= enough * out->hi || work_stopped(s->limits) ||
            (i > 0 && width > before / 2))
            break;
        if (!spectral_saddle_at_epsilon(
                choice, &s->parts, next_guess(&in, *out, i)))
            break;
        choice->log_estimate = fmin(choice->log_estimate, target.hi);
    }
    return DOSI_OK;
}

dosi_status spectral_epsilon(dosi_interval *out, spectral *s, ball delta,
    ball log_delta, dosi_error *err)
{
    dosi_interval target;
    if (!finite_target(&target, out, s, delta, log_delta))
        return DOSI_OK;
    out->hi = fmax(ball_upper(s->largest), 0);
    spectral_choice choice;
    bool found =
        spectral_saddle_at_log_delta(&choice, &s->parts, target.hi);
    if (!found || choice.epsilon <= 0.01) {
        bool settled;
        dosi_status status = settled_at_zero(&settled, target, s, err);
        if (status != DOSI_OK || settled) {
            out->hi = settled ? 0 : out->hi;
            return whole(status, s, err);
        }
        if (found && choice.epsilon < 0)
            found = spectral_saddle_at_epsilon(&choice, &s->parts, 0);
    }
    dosi_status status = DOSI_OK;
    if (found)
        status = invert(out, s, target, &choice, err);
    return whole(status, s, err);
}
