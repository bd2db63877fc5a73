/*
 * Chi-divergences of normal laws by quadrature. With t the distance from the
 * point z0 where R = 1, w = e^(mu t) - 1 and u = log w, the parts above and
 * below R = 1 are
 *
 *     above  int f(u) du,  f(u) = w^s phi(z0 + t) t',
 *     below  int f(u) du,  f(u) = (w/(1+w))^s phi(z0 - t) t',
 *            t = log(1 + e^u)/mu,  t' = w/((1+w) mu),
 *
 * analytic for |Im u| < pi and falling fast on both ends, so the trapezoid
 * sum converges geometrically. Its error is at most
 *
 *     2 cos(a)^(-s-1) e^(D/2) / (e^(2 pi a/h) - 1)   times the integral,
 *
 * for every a < pi/2, with D = a^2/mu^2 or, if that is large, (c tan a)^2 and a
 * remainder from beyond t = c. Omitted nodes are bounded by the slope of log f.
 * Derivation: docs/theory/without_replacement.md, section 2.
 */
#include "chi_divergence.h"

/* Nodes below the largest one by these nats are omitted; the trapezoid error
 * is aimed at e^-ALIAS_NATS; c lies by CUTOFF_MARGIN beyond the peak. */
#define OMITTED_NATS 55
#define ALIAS_NATS 55
#define CUTOFF_MARGIN 4
#define MAX_NODES 262144

typedef struct quadrature {
    ball mu, z0, s;
    ball inverse; /* 1/mu */
    double step;
    double a;         /* half width of the strip */
    bool uses_cutoff; /* D = (c tan a)^2 */
    double cutoff;    /* c */
} quadrature;

typedef enum side { ABOVE, BELOW } side;

/* ---- Steering ---------------------------------------------------------- */

/* The maximum of w^s phi(z0 + t), or of (w/(1+w))^s phi(z0 - t). The derivative
 * of its logarithm falls with t. */
static double steer_peak(const quadrature *q, side which)
{
    double mu = ball_mid(q->mu), z0 = ball_mid(q->z0), s = ball_mid(q->s);
    double sign = which == ABOVE ? 1 : -1;
    double low = 0, high = fabs(z0) + s * mu + sqrt(s) + 2;
    for (int i = 0; i < 60; i++) {
        double t = low / 2 + high / 2;
        double growth = -s * mu / expm1(-mu * t);
        if (which == BELOW)
            growth -= s * mu;
        if (growth - (t + sign * z0) > 0)
            low = t;
        else
            high = t;
    }
    return low / 2 + high / 2;
}

/* Whether D = (c tan a)^2 is smaller, and its remainder falls from c on. */
static bool steer_cutoff(const quadrature *q, double a)
{
    double mu = ball_mid(q->mu), s = ball_mid(q->s), c = q->cutoff;
    double tangent = tan(a);
    double fall = c * (1 - tangent * tangent) - fabs(ball_mid(q->z0));
    return c * tangent < a / mu && fall > 0.25 - s * mu / expm1(-mu * c);
}

/* The exponent lost on the strip. */
static double steer_loss(const quadrature *q, double a)
{
    double d = steer_cutoff(q, a) ? q->cutoff * tan(a) : a / ball_mid(q->mu);
    return -(ball_mid(q->s) + 1) * log(cos(a)) + d * d / 2;
}

/* The strip that allows the largest step, with few bits in the step. */
static void steer_step(quadrature *q)
{
    q->step = 0;
    for (double a = 1.25; a > 1e-5; a *= 0.9) {
        double step = 6.283185307179586 * a / (ALIAS_NATS + steer_loss(q, a));
        if (step > q->step) {
            q->step = step;
            q->a = a;
        }
    }
    int n = 0;
    double fraction = frexp(q->step, &n);
    q->step = ldexp(floor(fraction * 0x1p20), n - 20);
    q->uses_cutoff = steer_cutoff(q, q->a);
}

/* ---- One node ---------------------------------------------------------- */

typedef struct node {
    ball t;
    ball rate;  /* t' */
    ball share; /* 1/(1+w) */
    ball log_g; /* of f without t' and sqrt(2 pi) */
} node;

static node node_at(const quadrature *q, side which, double u)
{
    node n;
    ball x = ball_of(u);
    ball e = ball_exp(ball_of(-fabs(u)));
    ball larger = ball_div(ball_of(1), ball_add_d(e, 1));
    ball smaller = ball_mul(larger, e); /* the shares of 1 and w in 1+w */
    ball log_1pw = ball_add_d(ball_log1p(e), fmax(u, 0));
    n.t = ball_mul(log_1pw, q->inverse);
    n.share = u > 0 ? smaller : larger;
    n.rate = ball_mul(u > 0 ? larger : smaller, q->inverse);
    ball z = which == ABOVE ? ball_add(n.t, q->z0) : ball_sub(n.t, q->z0);
    ball power = which == ABOVE ? x : ball_sub(x, log_1pw);
    n.log_g = ball_sub(ball_mul(q->s, power), ball_scale2(ball_sqr(z), -1));
    return n;
}

/*
 * d log f/du = s + share - (z0 + t) t'           above,
 *              (s+1) share - (t - z0) t'         below.
 * To the right of the node share falls and, where z0 + t (t - z0) >= 0,
 * its product with t' grows: the slope stays below the value given here. To
 * the left it stays above it. Where z0 + t (t - z0) is negative, that
 * product may be left out above; below, the slope is at least an average of
 * s + 1 and (z0 - t)/mu there, with the weights 1/(1+w) and w/(1+w).
 */
static ball slope_beyond(
    const quadrature *q, side which, const node *n, bool to_right)
{
    ball z = which == ABOVE ? ball_add(n->t, q->z0) : ball_sub(n->t, q->z0);
    if (to_right && !ball_is_nonnegative(z))
        return ball_unknown();
    if (!to_right && ball_is_negative(z)) {
        if (which == BELOW)
            return ball_min(
                ball_add_d(q->s, 1), ball_mul(ball_neg(z), q->inverse));
        z = ball_of(0);
    }
    ball gain = which == ABOVE ? ball_add(q->s, n->share)
                               : ball_mul(ball_add_d(q->s, 1), n->share);
    return ball_sub(gain, ball_mul(z, n->rate));
}

/* ---- The sum over one side --------------------------------------------- */

/* Adds the nodes from k on, outward, until the remainder is negligible, and the
 * bound of the remainder to *dropped. False if that takes too many nodes. */
static bool walk(ball *sum, double *dropped, const quadrature *q, side which,
    double k, bool to_right, double shift)
{
    for (int i = 0; i < MAX_NODES; i++, k += to_right ? 1 : -1) {
        node n = node_at(q, which, k * q->step);
        ball f = ball_exp(ball_sub_d(n.log_g, shift));
        f = ball_mul(f, n.rate);
        *sum = ball_add(*sum, f);
        if (ball_is_unknown(*sum))
            return false;
        if (ball_mid(n.log_g) - shift > -OMITTED_NATS)
            continue;
        ball fall = slope_beyond(q, which, &n, to_right);
        fall = to_right ? ball_neg(fall) : fall;
        if (!ball_is_positive(fall))
            continue;
        /* sum_{i>=1} e^(-i h fall) = 1/(e^(h fall) - 1) <= 1/(h fall) */
        double rest = ball_upper(ball_div(f, ball_mul_d(fall, q->step)));
        *dropped = round_up(*dropped + rest);
        return true;
    }
    return false;
}

/* h sum f / sqrt(2 pi), widened by the omitted nodes; the peak is at t. */
static scaled side_sum(const quadrature *q, side which, double t)
{
    double mu = ball_mid(q->mu);
    double u = mu * t > 30 ? mu * t : log(expm1(mu * t));
    double k = floor(u / q->step);
    if (!(fabs(k) < 0x1p32)) /* products k h are exact */
        return (scaled){ball_unknown(), 0};
    double shift = floor(ball_mid(node_at(q, which, k * q->step).log_g));
    ball sum = ball_of(0);
    double dropped = 0;
    if (!walk(&sum, &dropped, q, which, k, false, shift) ||
        !walk(&sum, &dropped, q, which, k + 1, true, shift))
        return (scaled){ball_unknown(), 0};
    sum = ball_mul_d(ball_widen(sum, dropped), q->step);
    ball log_unit = ball_sub(ball_of(shift), ball_scale2(ball_log_2pi(), -1));
    return scaled_mul(scaled_of(sum), scaled_exp(log_unit));
}

/* ---- The trapezoid error ----------------------------------------------- */

/*
 * An upper bound of int_c^inf g phi e^((t tan a)^2/2) dt, g phi the integrand
 * in t: the derivative of its logarithm falls in t for tan a < 1, so the
 * integral is at most the value at c over minus the slope there.
 */
static scaled remainder_bound(const quadrature *q, side which, ball tan2)
{
    ball c = ball_of(q->cutoff);
    ball log_w = ball_logexpm1(ball_mul(q->mu, c));
    ball z = which == ABOVE ? ball_add(c, q->z0) : ball_sub(c, q->z0);
    ball power = which == ABOVE ? log_w : ball_sub(log_w, ball_mul(q->mu, c));
    ball top = ball_sub(ball_mul(q->s, power), ball_scale2(ball_sqr(z), -1));
    top = ball_add(top, ball_scale2(ball_mul(ball_sqr(c), tan2), -1));
    /* s mu/(1 - e^(-mu c)) above, s mu/(e^(mu c) - 1) below */
    ball growth = ball_mul(q->s, q->mu);
    ball expm1 = ball_expm1(
        which == ABOVE ? ball_neg(ball_mul(q->mu, c)) : ball_mul(q->mu, c));
    growth = ball_div(growth, ball_abs(expm1));
    ball fall = ball_sub(ball_sub(z, growth), ball_mul(c, tan2));
    if (!ball_is_positive(fall) || !ball_less(tan2, ball_of(1)))
        return (scaled){ball_unknown(), 0};
    top = ball_sub(top, ball_log(fall));
    return scaled_exp(ball_sub(top, ball_scale2(ball_log_2pi(), -1)));
}

/* Encloses tan(a)^2 and log cos a for 0 < a < 1.3, by the alternating Taylor
 * series of cos: the error is below the first omitted term. */
static void strip_terms(ball *log_cos, ball *tan2, double a)
{
    ball x = ball_sqr(ball_of(a)), term = ball_of(1), cosine = ball_of(1);
    for (int i = 1; i < 16; i++) {
        term = ball_div_d(ball_mul(term, x), (2.0 * i - 1) * (2.0 * i));
        cosine = i % 2 ? ball_sub(cosine, term) : ball_add(cosine, term);
    }
    cosine = ball_widen(cosine, ball_upper(term));
    *log_cos = ball_log(cosine);
    ball square = ball_sqr(cosine);
    *tan2 = ball_div(ball_sub(ball_of(1), square), square);
}

/* Widens a side by the trapezoid error. With T the sum and I the integral,
 * |T - I| <= kappa (e^(D/2) I + rest) gives, for k = kappa e^(D/2) < 1/2,
 * |T - I| <= (k T + kappa rest)/(1 - k). */
static scaled charge_alias(scaled sum, const quadrature *q, side which)
{
    ball log_cos, tan2;
    strip_terms(&log_cos, &tan2, q->a);
    ball turns = ball_mul_d(ball_scale2(ball_pi(), 1), q->a);
    turns = ball_div_d(turns, q->step);
    ball log_kappa = ball_sub(ball_ln2(), ball_logexpm1(turns));
    log_kappa = ball_sub(log_kappa, ball_mul(ball_add_d(q->s, 1), log_cos));
    ball d = q->uses_cutoff ? ball_mul(ball_sqr(ball_of(q->cutoff)), tan2)
                            : ball_sqr(ball_div(ball_of(q->a), q->mu));
    ball k = ball_exp(ball_add(log_kappa, ball_scale2(d, -1)));
    if (!(ball_upper(k) < 0.5))
        return (scaled){ball_unknown(), 0};
    scaled wide = scaled_mul_ball(sum, k);
    if (q->uses_cutoff)
        wide = scaled_add(wide,
            scaled_mul(remainder_bound(q, which, tan2), scaled_exp(log_kappa)));
    wide = scaled_mul_ball(wide, ball_div(ball_of(1), ball_sub(ball_of(1), k)));
    /* sum + [-1, 1] wide, in the units of the sum */
    wide.e -= sum.e;
    if (wide.e > 600 || ball_is_unknown(wide.m))
        return (scaled){ball_unknown(), 0};
    double rad =
        wide.e < -900 ? 0x1p-500 : ball_upper(ball_scale2(wide.m, (int)wide.e));
    return (scaled){ball_widen(sum.m, rad), sum.e};
}

/* ---- Far apart --------------------------------------------------------- */

/*
 * M = E R^s. Under the law tilted by R^s the mean of y = 1/R is E R^(s-1)/M,
 * and 1 - s y <= (1 - y)_+^s <= 1 for s >= 1, so the upper side lies in
 * M [1 - s E y, 1]; the lower part is at most 1. False unless both errors are
 * negligible against M.
 */
static bool far_apart(scaled *above, scaled *below, ball mu, ball z0, ball s)
{
    if (!(ball_lower(s) >= 1))
        return false;
    /* log E R^s = s mu (s mu/2 - z0) */
    ball half = ball_scale2(ball_mul(s, mu), -1);
    ball log_top = ball_mul(ball_mul(s, mu), ball_sub(half, z0));
    ball less = ball_sub_d(s, 1);
    half = ball_scale2(ball_mul(less, mu), -1);
    ball log_next = ball_mul(ball_mul(less, mu), ball_sub(half, z0));
    ball gone = ball_add(ball_sub(log_next, log_top), ball_log(s));
    if (!(ball_upper(gone) < -OMITTED_NATS &&
            ball_lower(log_top) > OMITTED_NATS))
        return false;
    *above = scaled_exp(log_top);
    double rad = round_up(ball_upper(ball_exp(gone)) * ball_upper(above->m));
    above->m = ball_widen(above->m, rad);
    *below = (scaled){ball_of_interval((dosi_interval){0, 1}), 0};
    return true;
}

void chi_normal_sides(scaled *above, scaled *below, ball mu, ball z0, ball s)
{
    if (far_apart(above, below, mu, z0, s))
        return;
    quadrature q = {.mu = mu, .z0 = z0, .s = s};
    q.inverse = ball_div(ball_of(1), mu);
    double t_above = steer_peak(&q, ABOVE), t_below = steer_peak(&q, BELOW);
    q.cutoff = floor(fmax(t_above, t_below)) + CUTOFF_MARGIN;
    steer_step(&q);
    if (!(q.step > 0x1p-40 && t_above > 0 && t_below > 0)) {
        *above = *below = (scaled){ball_unknown(), 0};
        return;
    }
    *above = charge_alias(side_sum(&q, ABOVE, t_above), &q, ABOVE);
    *below = charge_alias(side_sum(&q, BELOW, t_below), &q, BELOW);
}
