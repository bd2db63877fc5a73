/*
 * Moments E X^s = 1 + I of the likelihood ratio of the sampled Gaussian, with
 *
 *     I = E[ X^s - 1 - s (X - 1) ],  X = 1 - p + p e^(mu Y - mu^2/2) > 0,
 *
 * whose integrand is >= 0; E X = 1. The trapezoid sum takes doubles that
 * carry their errors; its error is bounded on a strip around the real line
 * where X has no zero, and omitted nodes are bounded cell by cell.
 * Everything is in units of e^shift, so that nothing overflows. Derivation:
 * docs/theory/sampling.md, section 6.
 */
#include "poisson_gaussian_moment.h"

#include "num/minimum.h"
#include "special/power_excess.h"

#define MAX_LOG_INTEGRAL 1e11
#define SMALL_CELL 6 /* nodes that are summed without a bound */
#define RANGE_MARGIN 45.0 /* of the nodes beyond all maxima */
#define OMITTED_CELL 0x1p-64 /* the largest bound of an omitted cell */

typedef struct moment {
    power_excess q;
    dball mu, rho;
    double log_rate, log_keep;
    double log_size; /* about log I */
    double shift;
    double a, step;
    double log_fixed, log_factor; /* of the strip, section 6 */
    double max_nodes;
    /* results of the summation, in units of e^shift */
    double sum, rad, dropped, n_nodes;
} moment;

/* ---- Steering: every choice is valid ------------------------------------ */

/* log X at x; the certified bounds allow for its rounding. */
static double log_ratio(const moment *m, double x)
{
    double e = m->mu.mid * x - m->rho.mid;
    if (e > 30)
        return e + log(m->q.rate.mid + m->q.keep.mid * exp(-e));
    return e < -1 ? log(m->q.keep.mid + m->q.rate.mid * exp(e))
                  : log1p(m->q.rate.mid * expm1(e));
}

/* p e/(1 - p + p e) */
static double share(const moment *m, double x)
{
    double e = m->mu.mid * x - m->rho.mid;
    return exp(fmin(m->log_rate + e - log_ratio(m, x), 0));
}

/* Minus the logarithm of the integrand at x. */
static double minus_log_integrand(double x, const void *context)
{
    const moment *m = context;
    double s = m->q.s.mid, l = log_ratio(m, x), v = expm1(fmin(l, 30));
    double power = s * l, log_excess;
    if (fabs(v) * (fabs(s) + 1) < 1e-4)
        log_excess = log(m->q.half_st.mid) + 2 * log(fabs(v));
    else if (power > 30)
        log_excess = power;
    else
        log_excess =
            l > 30 ? log(-s) + l : log(fmax(expm1(power) - s * v, 0));
    return x * x / 2 - log_excess;
}

/* About log I: the greatest of the maxima near 0, on either side of X = 1, and
 * near the mean of the law tilted by the power of its upper part. */
static double log_size_approx(const moment *m)
{
    double s = fmax(m->q.s.mid, 1), mu = m->mu.mid, least = HUGE_VAL;
    const double starts[] = {-1, mu / 2 + 1.5, fmax(s * mu, mu / 2 + 1.5)};
    minimum_range range = {-60, s * mu + 60, 0.1, 0.5};
    for (int i = 0; i < 3; i++)
        least = fmin(least,
            minimum_near(minus_log_integrand, m, range, starts[i]).value);
    return -least;
}

/* Takes the strip of half width a if its step is longer. */
static void try_strip(
    moment *m, double a, double log_fixed, double log_factor)
{
    double digits =
        POWER_EXCESS_NATS + fmax(log_fixed - m->log_size, log_factor);
    double step =
        6.2831 * a / (fmax(digits, POWER_EXCESS_NATS) + a * a / 2 + 1);
    if (!(step > m->step && step < HUGE_VAL))
        return;
    m->step = step;
    m->a = a;
    m->log_fixed = log_fixed;
    m->log_factor = log_factor;
}

/* log(e^x + e^y) */
static double logaddexp(double x, double y)
{
    return fmax(x, y) + log1p(exp(-fabs(x - y)));
}

/* Tries the strips of section 6; a mu stays below pi, or below pi/2 for the
 * bound by (1-p)^s. */
static void choose_strip(moment *m)
{
    double s = m->q.s.mid, mu = m->mu.mid;
    double tangent = log1p(2 * fabs(s) * m->q.rate.mid);
    double enough =
        sqrt(2 * (POWER_EXCESS_NATS + fmax(tangent - m->log_size, 0)));
    m->step = 0;
    if (s > 0) {
        try_strip(m, fmin(3.1 / mu, enough), logaddexp(0, tangent), 0);
        return;
    }
    double power = s * m->log_keep;
    for (int i = 1; i <= 2; i++)
        try_strip(m, fmin(1.55 / mu, i * enough / 2),
            logaddexp(power, tangent), -HUGE_VAL);
    for (int i = 1; i <= 8; i++) {
        double a = fmin(3.1 / mu, enough) * i / 8;
        power = s * log(cos(a * mu / 2));
        try_strip(m, a, logaddexp(power, tangent), power);
    }
}

/* Few bits, so that k step is exact. */
static void round_step(moment *m)
{
    int exponent = 0;
    double f = frexp(fmin(m->step, 0.75), &exponent);
    m->step = ldexp(floor(f * 1024), exponent - 10);
}

/* ---- Omitted nodes ------------------------------------------------------ */

/* Covers the rounding of a logarithm and of the terms that it consists of, with
 * 14 digits each. */
static double guarded(double log_value, double terms)
{
    double size = fmin(fabs(log_value) + terms, DBL_MAX); /* -inf stays */
    return log_value + 1e-6 + 1e-14 * size;
}

/* log of C with f <= C e^(-x^2/2) for X < 1 and s > 1. */
static double left_factor(const moment *m)
{
    double s = m->q.s.mid, power = fmin(s - 2, 0) * m->log_keep;
    double second = log(m->q.half_st.mid) + 2 * m->log_rate + power;
    return fmin(second, log(s));
}

/* log of an upper bound of X^power e^(-x^2/2) on [x0, x1], by a line above
 * power log X: the chord if power > 0, as log X is convex, otherwise the
 * tangent in the middle. */
static double power_most(const moment *m, double power, double x0, double x1)
{
    double at = power * log_ratio(m, x0), slope;
    /* log X is rounded, and so is mu x - rho, which the share passes on to it */
    double terms = m->mu.mid * fmax(fabs(x0), fabs(x1)) + m->rho.mid;
    double size = fabs(at) + fabs(power) * (1 + share(m, x1) * terms);
    if (power > 0) {
        double last = power * log_ratio(m, x1);
        slope = x1 > x0 ? (last - at) / (x1 - x0) : 0;
        size += fabs(last);
    } else {
        double middle = x0 / 2 + x1 / 2;
        slope = power * m->mu.mid * share(m, middle);
        at = power * log_ratio(m, middle) - slope * (middle - x0);
        size += fabs(slope) * (x1 - x0) * (2 + terms);
    }
    double x = fmin(fmax(slope, x0), x1), half = x * x / 2;
    return guarded(at + slope * (x - x0) - half, size + half);
}

/* log of an upper bound of e^(-(x - centre)^2/2) on [x0, x1]. */
static double normal_most(double centre, double x0, double x1)
{
    double far = fmax(fmax(x0 - centre, centre - x1), 0);
    return guarded(-far * far / 2, far * (fabs(centre) + 1));
}

/*
 * log of an upper bound of the integrand on [x0, x1]. Where X < 1, which is
 * x < mu/2, it is at most
 *
 *     s > 1:  C e^(-x^2/2),   s < 0:  min(X^s, s t/2 p^2 X^(s-2)) e^(-x^2/2),
 *
 * and elsewhere X^s e^(-x^2/2), or |s| p e^(-(x-mu)^2/2).
 */
static double cell_most(const moment *m, double x0, double x1)
{
    double s = m->q.s.mid, mu = m->mu.mid, low = -HUGE_VAL, high = -HUGE_VAL;
    if (x0 <= mu / 2 && s > 0)
        low = left_factor(m) + normal_most(0, x0, x1);
    else if (x0 <= mu / 2)
        low = fmin(power_most(m, s, x0, x1), power_most(m, s - 2, x0, x1) +
                       log(m->q.half_st.mid) + 2 * m->log_rate);
    if (x1 >= mu / 2)
        high = s > 0 ? power_most(m, s, x0, x1)
                     : log(-s) + m->log_rate + normal_most(mu, x0, x1);
    return fmax(low, high) + 0.6931471805599454; /* log 2 */
}

/* An upper bound of e^(log_value - shift). */
static double in_units(const moment *m, double log_value)
{
    return exp(guarded(log_value - m->shift, fabs(m->shift)));
}

/*
 * An upper bound of the sum of the nodes beyond x, in units of e^shift. Outward
 * from x the bound of cell_most falls with a slope of at least |x| for s > 1
 * and x < 0, |x| - (2 - s) mu w for s < 0 and x < 0, where the share
 * w = p e^(mu x - rho)/X falls too; x - s mu and x - mu to the right. Values
 * fall at least geometrically, and 1/(e^(d h) - 1) <= 1/(d h).
 */
static double tail(const moment *m, double x)
{
    double s = m->q.s.mid, mu = m->mu.mid;
    double slope = x > 0 ? x - fmax(s, 1) * mu : -x;
    if (x < 0 && s < 0)
        slope -= (2 - s) * mu * share(m, x);
    if (!(slope > 0.5))
        return HUGE_VAL;
    return in_units(m, cell_most(m, x, x)) / (0.99 * slope * m->step);
}

/* ---- Nodes ------------------------------------------------------------- */

/* The integrand at x, times sqrt(2 pi) e^-shift. */
static dball node(const moment *m, double x)
{
    dball at = dball_of(x);
    dball loss = dball_sub(dball_mul(m->mu, at), m->rho);
    dball half = dball_mul(at, dball_of(x / 2));
    /* mu x - mu^2/2 - x^2/2 = -(x - mu)^2/2 */
    dball away = dball_sub(at, m->mu);
    dball moved = dball_mul(dball_mul(away, away), dball_of(-0.5));
    return power_excess_at(&m->q, dball_sub(dball_of(-m->shift), half), loss,
        dball_sub(moved, dball_of(m->shift)));
}

/* ---- The sum ------------------------------------------------------------ */

/* Sums or bounds the nodes first .. last. */
static void cover(moment *m, double first, double last)
{
    double n = last - first + 1;
    if (!(n >= 1 && m->n_nodes <= m->max_nodes))
        return;
    if (n > SMALL_CELL) {
        double most = n * in_units(m,
            cell_most(m, first * m->step, last * m->step));
        m->n_nodes++;
        if (most <= OMITTED_CELL) {
            m->dropped += most;
            return;
        }
        double middle = first + floor(n / 2);
        cover(m, first, middle - 1);
        cover(m, middle, last);
        return;
    }
    m->n_nodes += n;
    for (double k = first; k <= last; k++) {
        dball value = node(m, k * m->step);
        m->sum += value.mid;
        m->rad += value.rad + fabs(m->sum) * 0x1p-53;
    }
}

/* kappa (fixed + factor I) e^-shift for I e^-shift <= most; section 6. */
static double rule_error(const moment *m, double most)
{
    double turns = 6.283185307179586 * m->a / m->step;
    if (!(turns > 20)) /* else log(e^y - 1) >= y - 1e-8 */
        return HUGE_VAL;
    double log_kappa = 0.6931471805599454 + m->a * m->a / 2 - turns;
    double fixed = exp(guarded(log_kappa + m->log_fixed - m->shift,
        4 * fabs(m->log_fixed) + fabs(m->shift) + turns));
    double factor = exp(guarded(
        log_kappa + m->log_factor, 4 * fabs(m->log_factor) + turns));
    if (!(factor < 0.25))
        return HUGE_VAL;
    /* |I - T| <= fixed + factor I gives (fixed + factor T)/(1 - factor) */
    return (fixed + factor * most) / (1 - factor) * (1 + POWER_EXCESS_GUARD);
}

/* Encloses I by the chosen rule; unknown if that takes too many nodes. */
static scaled integrate(moment *m)
{
    double far = fmax(fabs(m->q.s.mid), 1) * m->mu.mid + RANGE_MARGIN;
    double last = ceil(far / m->step);
    if (!(last < 0x1p42)) /* else the products k step are exact */
        return scaled_of(ball_unknown());
    m->dropped = tail(m, -last * m->step) + tail(m, last * m->step);
    cover(m, -last, last);
    if (m->n_nodes > m->max_nodes)
        return scaled_of(ball_unknown());
    double rad = (m->rad + m->dropped) * (1 + POWER_EXCESS_GUARD);
    double weight = m->step * 0.3989422804014327; /* 1/sqrt(2 pi) */
    double total = weight * m->sum;
    rad = weight * rad * (1 + POWER_EXCESS_GUARD) + fabs(total) * 0x1p-50;
    rad += rule_error(m, total + rad);
    return power_excess_scaled(
        total, rad * (1 + POWER_EXCESS_GUARD), m->shift);
}

/*
 * For s > 1 the terms p e^(mu Y - rho) and 1 - p of X have the norms
 * p e^((s-1) rho) and 1 - p in L^s, so that by X >= p e^(mu Y - rho) and by
 * Minkowski's inequality
 *
 *     0 <= log E X^s - s y <= s log(1 + (1-p) e^-y),  y = log p + (s-1) rho.
 *
 * True if the two bounds agree to twelve digits.
 */
static bool by_norms(ball *out, ball rate, ball mu, ball s)
{
    ball rho = ball_scale2(ball_sqr(mu), -1);
    ball y = ball_add(ball_log(rate), ball_mul(ball_sub_d(s, 1), rho));
    ball log_rest = ball_sub(ball_log1p(ball_neg(rate)), y);
    if (!(ball_lower(s) > 1 && ball_lower(y) > 1 && ball_upper(log_rest) < -28))
        return false;
    /* log(1 + (1-p) e^-y) <= (1-p) e^-y */
    double most = ball_upper(ball_exp(log_rest));
    ball gap = ball_of_interval((dosi_interval){0, most});
    *out = ball_mul(s, ball_add(y, gap));
    return !ball_is_unknown(*out);
}

ball sampled_log_moment(ball rate, ball mu, ball s, double max_nodes)
{
    ball out;
    if (by_norms(&out, rate, mu, s))
        return out;
    moment m = {.mu = dball_of_ball(mu),
        .rho = dball_of_ball(ball_scale2(ball_sqr(mu), -1)),
        .max_nodes = max_nodes};
    if (!power_excess_make(&m.q, rate, s) || !(m.q.keep.mid >= 1e-100) ||
        !(m.mu.rad <= m.mu.mid * 0x1p-51 && m.mu.mid <= 1e5))
        return ball_unknown();
    m.log_rate = log(m.q.rate.mid);
    m.log_keep = m.q.rate.mid < 0.5 ? log1p(-m.q.rate.mid)
                                    : log(m.q.keep.mid);
    double size = log_size_approx(&m);
    if (!(fabs(size) <= MAX_LOG_INTEGRAL))
        return ball_unknown();
    m.log_size = size;
    m.shift = floor(size);
    choose_strip(&m);
    round_step(&m);
    if (!(m.step > 0))
        return ball_unknown();
    return ball_clamp(scaled_log1p(integrate(&m)), 0, HUGE_VAL);
}
