/*
 * Epsilon at a given delta: certain signs of log delta on one contour, and
 * what leads there.
 */
#include "gaussian.h"
#include "spectral_engine.h"

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
    if (!spectral_beyond_largest(&found, in->s, epsilon))
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
    dosi_status status = spectral_finite_log_delta(&at_zero, s, 0, err);
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
        /* far left of its saddle the estimate says little of epsilon */
        bool is_scout = i == 0 && choice->log_estimate > target.hi + 1;
        dosi_status status =
            spectral_build(s, choice, wanted / 2 * unit, is_scout, err);
        if (status != DOSI_OK || !s->has_contour)
            return status;
        inversion in = {
            s, target, fmax(choice->epsilon, 1e-300), choice->t, 1};
        polish(&in);
        double before = out->hi - out->lo;
        out->hi = fmin(out->hi, certain(&in, 1, out->hi));
        out->lo = fmax(out->lo, certain(&in, -1, out->hi));
        double width = out->hi - out->lo;
        double enough = choice->blur > 0 ? wanted : fmin(wanted, 1e-9);
        if (width <= enough * out->hi || work_stopped(s->limits) ||
            (i > 0 && width > before / 2))
            break;
        if (i > 0 && !(in.slack < 1) && spectral_can_be_fine(s))
            break; /* more digits are needed */
        double next = next_guess(&in, *out, i), last = choice->epsilon;
        if (fabs(next - last) <= 1e-3 * last || /* the same again */
            !spectral_saddle_at_epsilon(choice, &s->parts, next))
            break;
        choice->log_estimate = fmin(choice->log_estimate, target.hi);
    }
    return DOSI_OK;
}

/* Between certain signs, by regula falsi of Illinois where log delta is known
 * at both ends, as far as they go. Leaves in->x where none is certain. */
static dosi_interval narrow(inversion *in, dosi_interval known)
{
    double a = known.lo, b = known.hi, fa = NAN, fb = NAN;
    for (int i = 0; i < 80 && b - a > 0x1p-50 * b; i++) {
        double x = a + (b - a) * fa / (fa - fb);
        if (b == HUGE_VAL)
            x = fmax(2 * a, 1);
        else if (!(x > a && x < b) || i % 8 == 7)
            x = a > 0 && b > 4 * a ? sqrt(a * b) : a / 2 + b / 2;
        dosi_interval f = log_delta_at(in, x);
        double y = (f.lo + f.hi) / 2 - in->target.hi;
        y = f.hi - f.lo < 1 ? y : NAN;
        if (f.lo >= in->target.hi) {
            a = x;
            fb /= 2;
            fa = y;
        } else if (f.hi <= in->target.lo) {
            b = x;
            fa /= 2;
            fb = y;
        } else {
            in->x = x;
            in->slack = f.hi - f.lo;
            if (fa > fb)
                in->slope = (fa - fb) / (b - a);
            break;
        }
    }
    return (dosi_interval){a, b};
}

#define NARROW 1e-9

static bool is_within(dosi_interval x, double width)
{
    return x.hi < HUGE_VAL && x.hi - x.lo <= width * x.hi;
}

/* In double-doubles, where no tilt comes near delta. */
static dosi_status invert_fine(dosi_interval *out, spectral *s,
    dosi_interval target, dosi_error *err)
{
    double wanted = work_width(s->limits), at = out->lo;
    for (int i = 0; i < 2 && !is_within(*out, i == 0 ? NARROW : wanted);
        i++) {
        double share = is_within(*out, wanted) ? FINE_SHARE : 1;
        dosi_status status =
            spectral_build_fine(s, at, target.hi, share, err);
        if (status != DOSI_OK || !s->has_contour)
            return status;
        inversion in = {s, target, at, s->contour.choice.t, HUGE_VAL};
        *out = narrow(&in, *out);
        if (in.slack < HUGE_VAL) {
            out->hi = fmin(out->hi, certain(&in, 1, out->hi));
            out->lo = fmax(out->lo, certain(&in, -1, out->hi));
        }
        if (!(in.x > at) || work_stopped(s->limits))
            break;
        at = fmax(out->lo, in.x * (1 - 1e-6));
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
    spectral_grant_looks(s);
    spectral_choice choice;
    bool found =
        spectral_saddle_at_log_delta(&choice, &s->parts, target.hi);
    if (!found || choice.epsilon <= 0.01) {
        bool settled;
        dosi_status status = settled_at_zero(&settled, target, s, err);
        if (status != DOSI_OK || settled) {
            out->hi = settled ? 0 : out->hi;
            return spectral_whole(status, s, err);
        }
        if (found && choice.epsilon < 0)
            found = spectral_saddle_at_epsilon(&choice, &s->parts, 0);
    }
    dosi_status status = DOSI_OK;
    if (found)
        status = invert(out, s, target, &choice, err);
    if (found && status == DOSI_OK && spectral_can_be_fine(s))
        status = invert_fine(out, s, target, err);
    return spectral_whole(status, s, err);
}
