/*
 * Epsilon at a given delta: certain signs of log delta on one contour, and the
 * choice of contours until these signs are close. docs/theory/contour.md.
 */
#include "noise/gaussian.h"
#include "engine_bracket.h"

bool contour_finite_target(dosi_interval *target, dosi_interval *out,
    const contour_engine *s, ball delta, ball log_delta)
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

#define MAX_CONTOURS 6

/* The width that is aimed at by default, narrower than the promised one: it
 * costs little. */
#define DEFAULT_WIDTH 1e-9

/* Whether the limits ask for a wider answer than by default, or the lower end
 * serves nothing. */
static bool is_coarse(const contour_engine *s)
{
    return work_width(s->limits) > WORK_WIDTH || s->serves_upper_only;
}

static double enough_of(const contour_engine *s)
{
    double wanted = work_width(s->limits);
    return is_coarse(s) ? wanted : fmin(wanted, DEFAULT_WIDTH);
}

/* The effort for the next contour of an inversion. */
static contour_effort effort_of(
    const contour_engine *s, const contour_choice *choice, int attempt)
{
    /* log delta falls by about t for each unit of epsilon */
    double unit = fmax(choice->epsilon * choice->t, 1e-3);
    double width = work_width(s->limits) * unit;
    /* far left of the saddle point, as for truncated draws, the sum cancels */
    double spare = s->serves_upper_only ? 1e-3 : 1;
    return (contour_effort){.width = width / 2,
        /* far left of its saddle the estimate says little of epsilon */
        .accept_few_digits = attempt == 0 && choice->excess > 3,
        .tolerance = is_coarse(s) ? fmin(width / 16, 0.02) * spare : 0};
}

/* About epsilon if the loss were Gaussian. The estimate of a saddle point is
 * poor if rare large losses share the tilted law; the bulk may be nearly
 * Gaussian. */
static double bulk_guess(const contour_engine *s, dosi_interval target)
{
    double spread = contour_spread(&s->parts);
    return gauss_epsilon(ball_of(spread), ball_of(target.hi)).hi;
}

/* The epsilon that the next contour is chosen for. */
static double next_guess(const inversion *in, dosi_interval known, int attempt)
{
    if (in->slack < 1)
        return in->x;
    double bulk = bulk_guess(in->s, in->target);
    if (attempt == 0 && bulk > known.lo && bulk < known.hi)
        return bulk;
    return known.lo > 0 ? sqrt(known.lo * known.hi) : known.hi / 4;
}

/* An inversion: the finite part of delta, and its slope once a contour has
 * shown it. */
typedef struct inversion_target {
    contour_engine *s;
    dosi_interval target;
    double slope; /* of -log delta at the answer, or NaN */
} inversion_target;

/* The share of the requested width to aim at, if smoothing made the last
 * interval wider, at up to so many times the cost. */
#define SMOOTHING_WIDTH_SHARE 0.5
#define NARROWER_COST 3

/* Inverts on one contour after the other, each chosen near the epsilon that
 * the last one found. */
static dosi_status invert(dosi_interval *out, inversion_target *q,
    contour_choice *choice, dosi_error *err)
{
    contour_engine *s = q->s;
    dosi_interval target = q->target;
    double wanted = work_width(s->limits), finer = 1;
    for (int i = 0; i < MAX_CONTOURS; i++) {
        contour_effort effort = effort_of(s, choice, i);
        effort.width *= finer;
        effort.cost_factor = finer < 1 ? NARROWER_COST : 1;
        double tilt = choice->t; /* a contour may be left of its saddle */
        dosi_status status = engine_build(s, choice, effort, err);
        if (status != DOSI_OK || !s->has_contour)
            return status;
        inversion in = {s, target, is_coarse(s) ? wanted / 8 : 0,
            fmax(choice->epsilon, 1e-300), q->slope > 0 ? q->slope : choice->t,
            1};
        inversion_polish(&in);
        q->slope = in.slack < 1 ? in.slope : NAN;
        double before = out->hi - out->lo;
        out->hi = fmin(out->hi, inversion_certain(&in, 1, out->hi));
        out->lo = fmax(out->lo, inversion_certain(&in, -1, out->hi));
        double width = out->hi - out->lo;
        double enough = choice->smoothing_sigma > 0 ? wanted : enough_of(s);
        if (width <= enough * out->hi || work_stopped(s->limits) ||
            (i > 0 && width > before / 2))
            break;
        if (i > 0 && !(in.slack < 1) && contour_has_dd_rules(s))
            break; /* more digits are needed */
        double next = next_guess(&in, *out, i), last = choice->epsilon;
        bool is_smoothed = choice->smoothing_sigma > 0 && in.slack < 1;
        bool is_same = fabs(next - last) <= 1e-3 * last;
        if (is_smoothed)
            finer *= fmin(
                SMOOTHING_WIDTH_SHARE * wanted * out->hi / width, 0.5);
        if ((is_same && !is_smoothed && !effort.accept_few_digits) ||
            !contour_saddle_at_epsilon(choice, &s->parts, next))
            break;
        if (in.slack < 1 && !is_smoothed && !effort.accept_few_digits &&
            contour_has_dd_rules(s) && fabs(choice->t - tilt) <= 0.01 * tilt)
            break; /* the same contour again: more digits are needed */
        choice->log_estimate = fmin(choice->log_estimate, target.hi);
    }
    return DOSI_OK;
}

static bool is_within(dosi_interval x, double width)
{
    return x.hi < HUGE_VAL && x.hi - x.lo <= width * x.hi;
}

/* Narrows epsilon on one contour in double-doubles, for all epsilons from at
 * on; at becomes where the next one should begin. False if the contour says
 * nothing new. */
static bool narrow_from(
    dosi_interval *out, double *at, const inversion_target *q)
{
    inversion in = {q->s, q->target, 0, *at, q->s->contour.choice.t, HUGE_VAL};
    dosi_interval f = inversion_at(&in, *at);
    if (*at > out->lo && f.hi <= q->target.lo) {
        /* along a tangent, and some more */
        dosi_interval next = inversion_at(&in, *at * 1.01);
        double slope = (f.hi - next.hi) / log(1.01);
        double gap = (q->target.hi - f.hi) / slope;
        out->hi = *at;
        *at = fmax(out->lo, *at * exp(-fmin(fmax(1.2 * gap, 0.3), 2.5)));
        return true;
    }
    if (*at > out->lo && !(f.lo >= q->target.hi))
        return false;
    out->lo = *at;
    *out = inversion_narrow(&in, *out, q->slope);
    if (in.slack < HUGE_VAL) {
        out->hi = fmin(out->hi, inversion_certain(&in, 1, out->hi));
        out->lo = fmax(out->lo, inversion_certain(&in, -1, out->hi));
    }
    bool moved = in.x > *at;
    *at = fmax(out->lo, in.x * (1 - 1e-6));
    return moved;
}

#define DD_START_SHARE 0.95

/* Inverts in double-doubles, for delta that no tilt reaches in doubles. */
static dosi_status invert_dd(
    dosi_interval *out, const inversion_target *q, dosi_error *err)
{
    contour_engine *s = q->s;
    double wanted = work_width(s->limits);
    double at = DD_START_SHARE * bulk_guess(s, q->target);
    if (!(at > out->lo && at < out->hi))
        at = out->lo;
    for (int i = 0; i < 6 && !is_within(*out, i == 0 ? enough_of(s) : wanted);
         i++) {
        double share = is_within(*out, wanted) ? DD_COST_SHARE : 1;
        dosi_status status =
            contour_build_dd(s, at, q->target.hi, share, err);
        if (status != DOSI_OK || !s->has_contour)
            return status;
        if (!narrow_from(out, &at, q) || work_stopped(s->limits))
            break;
    }
    return DOSI_OK;
}

/* Inverts in doubles, then in double-doubles if the interval is wide for lack
 * of digits. */
static dosi_status answer(dosi_interval *out, inversion_target *q,
    contour_choice saddle, dosi_error *err)
{
    contour_engine *s = q->s;
    s->guess_budget = 0; /* as many as for the first */
    contour_set_guess_budget(s);
    dosi_status status = invert(out, q, &saddle, err);
    if (status == DOSI_OK && contour_has_dd_rules(s) &&
        !is_within(*out, enough_of(s)) && !work_stopped(s->limits))
        status = invert_dd(out, q, err);
    return status;
}

/* An epsilon that may well be 0, and nats by which an estimate of delta there
 * may be too great. */
#define NEAR_ZERO_EPSILON 0.01
#define ESTIMATE_ERROR_NATS 8

/* Inverts from a saddle point, unless epsilon is 0. */
static dosi_status answer_by_saddle(
    dosi_interval *out, inversion_target *q, dosi_error *err)
{
    contour_engine *s = q->s;
    contour_choice choice;
    contour_set_guess_budget(s);
    bool found = contour_saddle_at_log_delta(&choice, &s->parts, q->target.hi);
    if (!found || choice.epsilon <= NEAR_ZERO_EPSILON) {
        bool settled;
        dosi_status status =
            contour_is_zero(&settled, q->target, s, err);
        if (status != DOSI_OK || settled) {
            out->hi = settled ? 0 : out->hi;
            return status;
        }
        if (found && choice.epsilon < 0)
            found = contour_saddle_at_epsilon(&choice, &s->parts, 0);
    }
    return found ? answer(out, q, choice, err) : DOSI_OK;
}

/* Sets the upper end to 0 if epsilon is 0, which no estimate has shown. */
static dosi_status settle_at_zero(dosi_interval *out, contour_engine *s,
    dosi_interval target, dosi_error *err)
{
    dosi_interval at_zero = {-HUGE_VAL, 0};
    dosi_status status = DOSI_OK;
    contour_choice at_zero_choice;
    if (out->hi < NEAR_ZERO_EPSILON &&
        contour_saddle_at_epsilon(&at_zero_choice, &s->parts, 0) &&
        at_zero_choice.log_estimate < target.hi + ESTIMATE_ERROR_NATS)
        status = contour_finite_log_delta(&at_zero, s, 0, err);
    out->hi = at_zero.hi <= target.lo ? 0 : out->hi;
    return status;
}

dosi_status engine_epsilon(dosi_interval *out, contour_engine *s, ball delta,
    ball log_delta, dosi_error *err)
{
    dosi_interval target;
    (void)contour_truncate_draws(s, ball_mid(log_delta));
    if (!contour_finite_target(&target, out, s, delta, log_delta))
        return DOSI_OK;
    out->hi = fmax(ball_upper(s->largest), 0);
    if (contour_is_never_sampled(s, target)) {
        out->hi = 0;
        return DOSI_OK;
    }
    inversion_target q = {s, target, NAN};
    dosi_status status = answer_by_saddle(out, &q, err);
    if (status == DOSI_OK && out->lo == 0 && out->hi > 0 &&
        !work_stopped(s->limits))
        status = settle_at_zero(out, s, target, err);
    return contour_check_memory(status, s, err);
}
