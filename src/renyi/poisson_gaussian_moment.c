/*
 * Moments E X^s = 1 + I of the likelihood ratio of the sampled Gaussian, with
 *
 *     I = E[ X^s - 1 - s (X - 1) ],  X = 1 - p + p e^(mu Y - mu^2/2) > 0,
 *
 * whose integrand is >= 0; E X = 1. The error of the trapezoid sum over all
 * nodes k h is bounded on a strip around the real line where X has no zero;
 * omitted nodes are bounded cell by cell. Everything is in units of e^shift, so
 * that nothing overflows. Derivation: docs/theory/sampling.md, section 6.
 */
#include "poisson_gaussian_moment.h"

#include "special/excess.h"
#include "num/scaled.h"
#include "renyi_guess.h"

#define SMALL_CELL 12        /* nodes that are summed without a bound */
#define RANGE_MARGIN 45.0    /* of the nodes beyond all maxima */
#define OMITTED_CELL 0x1p-90 /* the largest bound of an omitted cell */

/* The bound of |X^s| on the strip |Im y| <= a. */
typedef enum strip {
    STRIP_POWER,  /* s > 0: |X| <= X(Re y) */
    STRIP_COSINE, /* s < 0: |X| >= cos(a mu/2) X(Re y) */
    STRIP_KEEP    /* s < 0, a mu <= pi/2: |X| >= 1 - p */
} strip;

typedef struct moment {
    ball rate, keep, log_rate, log_keep;
    ball mu, rho;
    ball s, t; /* t = s - 1 */
    double shift;
    double step;
    double a;
    strip kind;
    /* results of the summation */
    ball sum;
    double dropped;
    size_t n_nodes, max_nodes;
} moment;

/* ---- Steering: plain doubles, no guarantee needed ----------------------- */

/* log(e^x + e^y) */
static double steer_logaddexp(double x, double y)
{
    return fmax(x, y) + log1p(exp(-fabs(x - y)));
}

/* The logarithm of the strip bound of the integral over I, for half width a. */
static double steer_excess(const moment *m, double a, strip kind)
{
    double s = ball_mid(m->s), beta = a * ball_mid(m->mu);
    double per = 1 - m->shift; /* about log(1/I) */
    double rest = log(1 + 2 * fabs(s) * ball_mid(m->rate)) + per;
    double power = 0;
    switch (kind) {
    case STRIP_POWER:
        power = fmax(per, 0) + 1;
        break;
    case STRIP_COSINE:
        power = s * log(cos(beta / 2)) + fmax(per, 0) + 1;
        break;
    case STRIP_KEEP:
        power = beta > 1.57 ? HUGE_VAL : s * ball_mid(m->log_keep) + per;
        break;
    }
    return steer_logaddexp(power, rest);
}

/* The strip that allows the longest step, and that step. */
static void steer_step(moment *m)
{
    double widest = fmin(16, 3.1 / ball_mid(m->mu));
    m->step = 0;
    for (int i = 1; i <= 64; i++) {
        double a = widest * i / 64;
        for (int kind = STRIP_POWER; kind <= STRIP_KEEP; kind++) {
            if ((kind == STRIP_POWER) != (ball_mid(m->s) > 0))
                continue;
            double digits = 48 + steer_excess(m, a, (strip)kind);
            double h = 6.2831 * a / (digits + a * a / 2 + 1);
            if (h > m->step && h < HUGE_VAL) {
                m->step = h;
                m->a = a;
                m->kind = (strip)kind;
            }
        }
    }
    /* few bits, so that k h is exact */
    int exponent = 0;
    double f = frexp(fmin(m->step, 0.5), &exponent);
    m->step = ldexp(floor(f * 1024), exponent - 10);
}

/* ---- Nodes -------------------------------------------------------------- */

/* x^2/2 */
static ball half_square(double x)
{
    return ball_scale2(ball_sqr(ball_of(x)), -1);
}

/* log X at Y = x */
static ball log_ratio(const moment *m, double x)
{
    ball e = ball_sub(ball_mul_d(m->mu, x), m->rho);
    return ball_logaddexp(m->log_keep, ball_add(m->log_rate, e));
}

/* The integrand if a power is large: every term is one exponential. */
static ball node_large(const moment *m, double x, ball base, ball e)
{
    ball log_x = log_ratio(m, x);
    ball tangent = ball_sub(ball_exp(ball_add(e, base)), ball_exp(base));
    tangent = ball_mul(m->rate, tangent); /* (X - 1) e^base */
    ball power = ball_exp(ball_add(ball_mul(m->s, log_x), base));
    if (ball_is_negative(m->s)) /* X^s - 1 - s (X - 1) */
        return ball_sub(
            ball_sub(power, ball_exp(base)), ball_mul(m->s, tangent));
    /* X (X^t - 1) - t (X - 1): no cancellation for t near 0 */
    ball first = ball_exp(ball_add(log_x, base));
    ball exponent = ball_mul(m->t, log_x);
    power = exponent.hi > 30 ? ball_sub(power, first)
                             : ball_mul(first, ball_expm1(exponent));
    return ball_sub(power, ball_mul(m->t, tangent));
}

/* The integrand at x, times sqrt(2 pi) e^-shift. */
static ball node(const moment *m, double x)
{
    ball e = ball_sub(ball_mul_d(m->mu, x), m->rho);
    ball base = ball_sub(ball_of(-m->shift), half_square(x));
    if (e.hi > 690)
        return node_large(m, x, base, e);
    ball power = e.hi < -1 ? ball_exp(e) : ball_expm1(e);
    ball step = e.hi < -1 ? ball_sub_d(power, 1) : power;
    power = e.hi < -1 ? power : ball_add_d(power, 1);
    ball v = ball_mul(m->rate, step);
    ball ratio = ball_add(m->keep, ball_mul(m->rate, power));
    if (ball_mid(m->s) * log(ratio.hi) > 40) /* steers */
        return node_large(m, x, base, e);
    ball excess = excess_power(m->s, v, ratio);
    return ball_mul(ball_exp(base), excess);
}

/* ---- Omitted nodes ------------------------------------------------------ */

/* An upper bound of e^(x - shift); infinite on overflow. */
static double size_of(const moment *m, ball x)
{
    return ball_upper(ball_exp(ball_sub_d(x, m->shift)));
}

/*
 * The integrand is bounded by a sum of two parts,
 *
 *     s > 1:  X^s - 1 - s (X-1) <= X^s + s
 *     s < 0:  X^s - 1 - s (X-1) <= X^s + |s| p e^(mu x - rho),
 *
 * and the second part times e^(-x^2/2) is a Gaussian about 0 or about mu.
 * Returns an upper bound of the second part on [x0, x1].
 */
static double second_part(const moment *m, double x0, double x1)
{
    bool convex = ball_is_positive(m->s);
    double centre_lo = convex ? 0 : ball_lower(m->mu);
    double centre_hi = convex ? 0 : ball_upper(m->mu);
    double far =
        fmax(0, fmax(round_down(x0 - centre_hi), round_down(centre_lo - x1)));
    ball top = ball_log(ball_abs(m->s));
    if (!convex)
        top = ball_add(top, m->log_rate);
    return size_of(m, ball_sub(top, half_square(far)));
}

/* A line above s log X on [x0, x1], by its value at x0 and its slope. s log X
 * is convex for s > 0: the chord; concave for s < 0: the tangent in the
 * middle. */
static void line_above(
    ball *at_x0, ball *slope, const moment *m, double x0, double x1)
{
    if (ball_is_positive(m->s)) {
        *at_x0 = ball_mul(m->s, log_ratio(m, x0));
        ball rise = ball_sub(ball_mul(m->s, log_ratio(m, x1)), *at_x0);
        *slope = ball_div(rise, ball_sub(ball_of(x1), ball_of(x0)));
        return;
    }
    double middle = x0 / 2 + x1 / 2;
    ball log_x = log_ratio(m, middle);
    ball share =
        ball_add(m->log_rate, ball_sub(ball_mul_d(m->mu, middle), m->rho));
    share = ball_exp(ball_sub(share, log_x)); /* p e/(1 - p + p e) */
    *slope = ball_mul(ball_mul(m->s, m->mu), share);
    ball back = ball_mul(*slope, ball_sub(ball_of(middle), ball_of(x0)));
    *at_x0 = ball_sub(ball_mul(m->s, log_x), back);
}

/* An upper bound of the integrand on [x0, x1]. */
static double cell_bound(const moment *m, double x0, double x1)
{
    ball at_x0, slope;
    line_above(&at_x0, &slope, m, x0, x1);
    /* the largest of at_x0 + slope (x - x0) - x^2/2 on [x0, x1] */
    ball top;
    if (ball_less(slope, ball_of(x0))) {
        top = ball_sub(at_x0, half_square(x0));
    } else if (ball_less(ball_of(x1), slope)) {
        ball rise = ball_mul(slope, ball_sub(ball_of(x1), ball_of(x0)));
        top = ball_sub(ball_add(at_x0, rise), half_square(x1));
    } else { /* the maximum lies inside */
        top = ball_sub(at_x0, ball_mul_d(slope, x0));
        top = ball_add(top, ball_scale2(ball_sqr(slope), -1));
    }
    return round_up(size_of(m, top) + second_part(m, x0, x1));
}

/*
 * An upper bound of the sum of the nodes beyond x, if x is further out than 0,
 * mu and s mu by at least 1: there the logarithms of both parts fall with slope
 * at least 1 (s log X has slopes between 0 and s mu), so the sum is at most the
 * value at x times sum_j e^(-j step) <= 1/step.
 */
static double tail_bound(const moment *m, double x)
{
    double away = fabs(x) - 2; /* 1, and a reserve for rounding */
    if (!ball_less(ball_abs(ball_mul(m->s, m->mu)), ball_of(away)) ||
        !ball_less(m->mu, ball_of(away)))
        return HUGE_VAL;
    ball top = ball_sub(ball_mul(m->s, log_ratio(m, x)), half_square(x));
    double both = size_of(m, top) + second_part(m, x, x);
    return round_up(round_up(both) / m->step);
}

/* ---- The sum ------------------------------------------------------------ */

/* Sums or bounds the nodes first .. last. */
static void cover(moment *m, double first, double last)
{
    double n = last - first + 1;
    if (!(n >= 1) || !(m->dropped < HUGE_VAL))
        return;
    if (n > SMALL_CELL) {
        double most = n * cell_bound(m, first * m->step, last * m->step);
        m->n_nodes++;
        if (most <= OMITTED_CELL) {
            m->dropped = (m->dropped + most) * (1 + 0x1p-50);
            return;
        }
        double middle = first + floor(n / 2);
        cover(m, first, middle - 1);
        cover(m, middle, last);
        return;
    }
    for (int i = 0; i < (int)n; i++)
        m->sum = ball_add(m->sum, node(m, (first + i) * m->step));
    m->n_nodes += (size_t)n;
    if (m->n_nodes > m->max_nodes)
        m->dropped = HUGE_VAL;
}

/* log kappa = log 2 + a^2/2 - log(e^(2 pi a/step) - 1). */
static ball log_kappa(const moment *m)
{
    ball a = ball_of(m->a);
    ball turns = ball_div_d(ball_mul(ball_scale2(ball_pi(), 1), a), m->step);
    ball x = ball_sub(ball_scale2(ball_sqr(a), -1), ball_logexpm1(turns));
    return ball_add(x, ball_ln2());
}

/*
 * The logarithms of fixed and factor in the bound kappa (fixed + factor I) of
 * the trapezoid error, by the bound of |X^s| of the kind of strip. False if the
 * strip is too wide for its bound.
 */
static bool strip_terms(ball *log_fixed, ball *log_factor, const moment *m)
{
    ball beta = ball_mul_d(m->mu, m->a);
    ball size = ball_abs(m->s);
    ball tangent = ball_add_d(
        ball_scale2(ball_mul(size, m->rate), 1), 1); /* 1 + 2 |s| p */
    if (!(ball_upper(beta) <= (m->kind == STRIP_KEEP ? 1.57 : 3.14)))
        return false;
    ball power = ball_of(0);
    if (m->kind == STRIP_COSINE) {
        /* cos y >= 1 - y^2/2 + y^4/24 - y^6/720 for every y */
        ball y = ball_sqr(ball_scale2(beta, -1));
        ball cosine = ball_sub(ball_of(1), ball_div_d(y, 30));
        cosine = ball_sub_d(ball_mul(cosine, ball_div_d(y, 12)), 1);
        cosine = ball_add_d(ball_mul(cosine, ball_scale2(y, -1)), 1);
        if (!ball_is_positive(cosine))
            return false;
        power = ball_mul(m->s, ball_log(cosine));
    } else if (m->kind == STRIP_KEEP) {
        power = ball_mul(m->s, m->log_keep);
    }
    *log_fixed = ball_logaddexp(power, ball_log(tangent));
    *log_factor = m->kind == STRIP_KEEP ? ball_of(-HUGE_VAL) : power;
    return true;
}

/* Encloses I e^-shift: the sum with all errors added. */
static ball finish(const moment *m)
{
    ball log_fixed, log_factor;
    if (!strip_terms(&log_fixed, &log_factor, m))
        return ball_unknown();
    /* step/sqrt(2 pi) */
    ball weight = ball_exp(ball_neg(ball_scale2(ball_log_2pi(), -1)));
    weight = ball_mul_d(weight, m->step);
    ball total = ball_widen(m->sum, m->dropped);
    total = ball_mul(weight, total);
    ball kappa = log_kappa(m);
    double fixed = size_of(m, ball_add(kappa, log_fixed));
    double factor = ball_upper(ball_exp(ball_add(kappa, log_factor)));
    if (!(factor < 0.5))
        return ball_unknown();
    /* |I - T| <= fixed + factor I gives
     * |I - T| <= (fixed + factor T)/(1 - factor) */
    double most = fixed + factor * fmax(ball_upper(total), 0);
    return ball_widen(total, most / (1 - factor) * (1 + 0x1p-48));
}

ball sampled_log_moment_within(
    ball rate, ball mu, ball s, size_t max_nodes)
{
    moment m = {.rate = rate, .mu = mu, .s = s, .max_nodes = max_nodes};
    m.keep = ball_sub(ball_of(1), rate);
    m.log_rate = ball_log(rate);
    m.log_keep = ball_log1p(ball_neg(rate));
    m.rho = ball_scale2(ball_sqr(mu), -1);
    m.t = ball_sub_d(s, 1);
    /* the unit of the sum: about log I, at least -600, also if that is NaN */
    m.shift = floor(fmax(sampled_log_excess_approx(
        ball_mid(rate), ball_mid(mu), ball_mid(s)), -600));
    steer_step(&m);
    double far = fmax(1, fabs(ball_mid(s))) * ball_mid(mu) + RANGE_MARGIN;
    double last = ceil(far / m.step), first = -last;
    /* below 2^42 the products k step are exact */
    if (!(m.step > 0 && last < 0x1p42))
        return ball_unknown();
    m.sum = ball_of(0);
    m.dropped = round_up(
        tail_bound(&m, last * m.step) + tail_bound(&m, first * m.step));
    cover(&m, first, last);
    ball integral = ball_clamp(finish(&m), 0, HUGE_VAL);
    if (ball_is_unknown(integral))
        return integral;
    scaled moment_less_one =
        scaled_mul(scaled_of(integral), scaled_exp(ball_of(m.shift)));
    return ball_clamp(scaled_log1p(moment_less_one), 0, HUGE_VAL);
}

ball sampled_log_moment(ball rate, ball mu, ball s)
{
    return sampled_log_moment_within(rate, mu, s, (size_t)1 << 21);
}
