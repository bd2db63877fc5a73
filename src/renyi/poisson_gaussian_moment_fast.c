/*
 * Moments of the likelihood ratio of the sampled Gaussian in doubles that carry
 * their errors: the trapezoid sum over one range of nodes, with both tails
 * bounded by geometric series. docs/theory/sampling.md proves the error of the
 * rule in section 6 and the bounds of the tails in section 7.
 */
#include "poisson_gaussian_moment_fast.h"

#include "special/power_excess.h"
#include "renyi_guess.h"

#define MAX_NODES 4096.0
#define MAX_LOGARITHM 1e8
#define MAX_LOG_INTEGRAL 1e7

typedef struct quick {
    power_excess q;
    dball mu, rho;
    double log_rate, log_keep;
    double log_size; /* about log I */
    double shift;
    double a, step;
    double log_fixed, log_factor; /* of the strip, section 6 */
    double left, right;           /* the outermost nodes */
} quick;

/* ---- Steering: every choice is valid ------------------------------------ */

/* log X at x; the certified tails allow for its rounding by POWER_EXCESS_GUARD. */
static double log_ratio(const quick *m, double x)
{
    double e = m->mu.mid * x - m->rho.mid;
    if (e > 30)
        return e + log(m->q.rate.mid + m->q.keep.mid * exp(-e));
    return e < -1 ? log(m->q.keep.mid + m->q.rate.mid * exp(e))
                  : log1p(m->q.rate.mid * expm1(e));
}

/* p e/(1 - p + p e) */
static double share(const quick *m, double x)
{
    double e = m->mu.mid * x - m->rho.mid;
    return exp(fmin(m->log_rate + e - log_ratio(m, x), 0));
}

/* log(X^s phi sqrt(2 pi)) at x. */
static double power_log(const quick *m, double x)
{
    return m->q.s.mid * log_ratio(m, x) - x * x / 2;
}

/* Takes the strip of half width a if its step is longer. */
static void try_strip(
    quick *m, double a, double log_fixed, double log_factor)
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
static void choose_strip(quick *m)
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
static void round_step(quick *m)
{
    int exponent = 0;
    double f = frexp(fmin(m->step, 0.75), &exponent);
    m->step = ldexp(floor(f * 1024), exponent - 10);
}

/* ---- Tails ------------------------------------------------------------- */

/* log of C with f <= C e^(-x^2/2) for x < 0 and s > 1. */
static double left_factor(const quick *m)
{
    double s = m->q.s.mid, power = fmin(s - 2, 0) * m->log_keep;
    double second = log(m->q.half_st.mid) + 2 * m->log_rate + power;
    return fmin(second, log(s));
}

/* The logarithm of a bound of the integrand at x < 0, and a lower bound of the
 * slope with which it falls further out. */
static double left_log(const quick *m, double x, double *slope)
{
    double s = m->q.s.mid, base = -x * x / 2;
    *slope = -x;
    if (s > 0)
        return left_factor(m) + base;
    double log_x = log_ratio(m, x);
    double second =
        log(m->q.half_st.mid) + 2 * m->log_rate + (s - 2) * log_x;
    *slope = -x - (2 - s) * m->mu.mid * share(m, x);
    return fmin(s * log_x, second) + base;
}

/* The logarithm of a bound of the integrand at x > mu, and a lower bound of the
 * slope with which it falls further out. */
static double right_log(const quick *m, double x, double *slope)
{
    double s = m->q.s.mid, away = x - m->mu.mid;
    if (s > 0) {
        *slope = x - s * m->mu.mid;
        return power_log(m, x);
    }
    *slope = away;
    return log(-s) + m->log_rate - away * away / 2;
}

static double reach(double log_excess)
{
    return sqrt(2 * fmax(POWER_EXCESS_NATS + log_excess, 2));
}

/* Chooses the range of nodes so that both tails are negligible. */
static bool choose_range(quick *m)
{
    double s = m->q.s.mid, mu = m->mu.mid, left, right;
    if (s > 0) {
        left = reach(left_factor(m) - m->log_size);
        right = s * mu + reach(power_log(m, s * mu) - m->log_size);
    } else {
        double top = log(m->q.half_st.mid) + 2 * m->log_rate +
                     (s - 2) * m->log_keep;
        left = reach(fmin(top, s * m->log_keep) - m->log_size) + 1;
        right = mu + reach(log(-s) + m->log_rate - m->log_size);
    }
    m->left = -ceil(left / m->step);
    m->right = ceil(right / m->step);
    /* the logarithms of bounds have 15 digits, and POWER_EXCESS_GUARD allows for 14 */
    return m->right - m->left <= MAX_NODES &&
           fabs(s) * mu * (left + right + mu) <= MAX_LOGARITHM;
}

/* An upper bound of the sum of the nodes beyond one, in units of e^shift: the
 * values fall at least geometrically, and 1/(e^(d h) - 1) <= 1/(d h). */
static double tail(double log_value, double slope, const quick *m)
{
    if (!(slope > 0.5))
        return HUGE_VAL;
    return exp(log_value - m->shift + POWER_EXCESS_GUARD) / (
        0.99 * slope * m->step);
}

/* ---- Nodes ------------------------------------------------------------- */

/* The integrand at x, times sqrt(2 pi) e^-shift. */
static dball node(const quick *m, double x)
{
    dball at = dball_of(x);
    dball loss = dball_sub(dball_mul(m->mu, at), m->rho);
    dball half = dball_mul(at, dball_of(x / 2));
    return power_excess_at(
        &m->q, dball_sub(dball_of(-m->shift), half), loss);
}

/* ---- The sum ------------------------------------------------------------ */

/* kappa (fixed + factor I) e^-shift for I e^-shift <= most; section 6. */
static double rule_error(const quick *m, double most)
{
    double turns = 6.283185307179586 * m->a / m->step;
    if (!(turns > 20)) /* else log(e^y - 1) >= y - 1e-8 */
        return HUGE_VAL;
    double log_kappa =
        0.6931471805599454 + m->a * m->a / 2 - turns + POWER_EXCESS_GUARD;
    double fixed =
        exp(log_kappa + m->log_fixed - m->shift + POWER_EXCESS_GUARD);
    double factor = exp(log_kappa + m->log_factor + POWER_EXCESS_GUARD);
    if (!(factor < 0.25))
        return HUGE_VAL;
    /* |I - T| <= fixed + factor I gives (fixed + factor T)/(1 - factor) */
    return (fixed + factor * most) / (1 - factor) * (1 + POWER_EXCESS_GUARD);
}

/* Encloses I e^-shift by the chosen rule; unknown if the bound is infinite. */
static ball integrate(const quick *m)
{
    double slope, sum = 0, rad = 0;
    double at = left_log(m, m->left * m->step, &slope);
    double dropped = tail(at, slope, m);
    at = right_log(m, m->right * m->step, &slope);
    dropped += tail(at, slope, m);
    for (double k = m->left; k <= m->right; k++) {
        dball value = node(m, k * m->step);
        sum += value.mid;
        rad += value.rad + fabs(sum) * 0x1p-53;
    }
    rad = (rad + dropped) * (1 + POWER_EXCESS_GUARD);
    double weight = m->step * 0.3989422804014327; /* 1/sqrt(2 pi) */
    double total = weight * sum;
    rad = weight * rad * (1 + POWER_EXCESS_GUARD) + fabs(total) * 0x1p-50;
    rad += rule_error(m, total + rad);
    return rad <= DBL_MAX
        ? ball_widen(ball_of(total), rad * (1 + POWER_EXCESS_GUARD))
                          : ball_unknown();
}

/* Encloses I e^-shift, given an approximation of log I. */
static ball attempt(quick *m, double log_size)
{
    m->log_size = log_size;
    m->shift = floor(log_size);
    choose_strip(m);
    round_step(m);
    if (!(m->step > 0) || !choose_range(m))
        return ball_unknown();
    return integrate(m);
}

ball sampled_log_moment_quick(ball rate, ball mu, ball s)
{
    quick m = {.mu = dball_of_ball(mu),
        .rho = dball_of_ball(ball_scale2(ball_sqr(mu), -1))};
    if (!power_excess_make(&m.q, rate, s) ||
        !(m.mu.rad <= m.mu.mid * 0x1p-51 && m.mu.mid <= 1e3))
        return ball_unknown();
    m.log_rate = log(m.q.rate.mid);
    m.log_keep = log1p(-m.q.rate.mid);
    double size =
        sampled_log_excess_approx(m.q.rate.mid, m.mu.mid, m.q.s.mid);
    if (!(size <= MAX_LOG_INTEGRAL))
        return ball_unknown();
    ball integral = attempt(&m, size);
    return power_excess_log_moment(integral, m.shift);
}
