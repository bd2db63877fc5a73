#include "reference_contour_guess.h"

#include <math.h>
#include <stddef.h>

#include "num/bracket.h"

static const double pi = 3.14159265358979323846;

/* K, K', K'' of one step at real t, by a plain trapezoid rule. */
typedef struct cumulant {
    double k0, k1, k2;
} cumulant;

static double exponent_at(const reference_contour_shape *s, double t)
{
    return s->add ? -t : t + 1; /* p: M = E_Q[(1+v)^p] */
}

/* A range of noise coordinates that holds the tilted law. */
static void steer_range(const reference_contour_shape *s, double p,
    double spread, double *lo, double *hi)
{
    *lo = -spread + (p < 0 ? p * s->mu : 0);
    *hi = spread + (p > 0 ? p * s->mu : 0);
}

static cumulant cumulant_at(const reference_contour_shape *s, double t)
{
    double p = exponent_at(s, t), lo, hi, top = -HUGE_VAL;
    steer_range(s, p, 12, &lo, &hi);
    double h = fmin(0.125, 0.6 / s->mu);
    h = fmax(h, (hi - lo) / 40000);
    double sum = 0, first = 0, second = 0, mass = 0;
    for (double xi = lo; xi <= hi; xi += h) {
        double l = log1p(s->rate * expm1(s->mu * xi - s->mu * s->mu / 2));
        double g = -xi * xi / 2 + p * l;
        double z = s->add ? -l : l;
        if (g > top) {
            double scale = exp(top - g);
            sum *= scale;
            first *= scale;
            second *= scale;
            top = g;
        }
        double w = exp(g - top);
        sum += w;
        first += w * z;
        second += w * z * z;
        mass += exp(-xi * xi / 2);
    }
    double m = first / sum;
    return (cumulant){top + log(sum / mass), m, second / sum - m * m};
}

static double phi_slope(double t, const void *context)
{
    const reference_contour_shape *s = context;
    return s->count * cumulant_at(s, t).k1 - s->epsilon - 1 / t - 1 / (1 + t);
}

static double phi_at(const reference_contour_shape *s, double t, cumulant k)
{
    return s->count * k.k0 - t * s->epsilon - log(t) - log1p(t);
}

/* The saddle, then left of it while that narrows the tilted law: a far bump
 * switches on within a few per cent of t. */
static bool steer_saddle(
    reference_contour_choice *c, const reference_contour_shape *s)
{
    double lo = 1, hi = 1;
    for (int i = 0; i < 60 && phi_slope(lo, s) > 0; i++)
        lo /= 2;
    for (int i = 0; i < 24 && phi_slope(hi, s) < 0; i++)
        hi *= 2;
    if (!(phi_slope(hi, s) >= 0))
        return false;
    double t = bracket_approx(phi_slope, s, lo / 2, hi);
    cumulant k = cumulant_at(s, t);
    double merit = phi_at(s, t, k) + log(k.k2);
    for (int i = 0; i < 300; i++) {
        double left = t * 0.985;
        cumulant kl = cumulant_at(s, left);
        double m = phi_at(s, left, kl) + log(kl.k2);
        if (!(m < merit))
            break;
        t = left;
        k = kl;
        merit = m;
    }
    double curvature = s->count * k.k2 + 1 / (t * t) + 1 / ((1 + t) * (1 + t));
    c->t = t;
    c->log_estimate = phi_at(s, t, k) - log(2 * pi * curvature) / 2;
    return t > 0 && c->log_estimate < HUGE_VAL;
}

double reference_contour_guess(const reference_contour_shape *shape)
{
    reference_contour_choice c;
    return steer_saddle(&c, shape) ? c.log_estimate : nan("");
}

/* log of C(u) exp(k K(u) - u eps), u = t + a: the alias sum but e^{-a L}. */
static double alias_base(const reference_contour_shape *s, double u)
{
    double log_c = u > 0 ? -log1p(u) - u * log1p(1 / u) : 0;
    return log_c + s->count * cumulant_at(s, u).k0 - u * s->epsilon;
}

/* The period that pushes both alias sums below the target. */
static double steer_period(reference_contour_choice *c,
    const reference_contour_shape *s, double log_target)
{
    double best_right = HUGE_VAL, best_left = HUGE_VAL;
    double spread = 1 / sqrt(s->count * cumulant_at(s, c->t).k2);
    for (int i = -9; i <= 6; i++) {
        const double candidates[] = {ldexp(c->t, i), ldexp(spread, i)};
        for (int j = 0; j < 2; j++) {
            /* a bounded loss would let the shift, and its cost, run away */
            double a = s->add ? fmin(candidates[j], 2 * c->t) : candidates[j];
            double right = (alias_base(s, c->t + a) - log_target) / a;
            if (right < best_right) {
                best_right = right;
                c->alias_right = a;
            }
            a = fmin(a, c->t);
            double left = (alias_base(s, c->t - a) - log_target) / a;
            if (left < best_left) {
                best_left = left;
                c->alias_left = a;
            }
        }
    }
    return fmax(fmax(best_right, best_left), 1e-3);
}

/* log E_alpha(U) of the truncation bound, by a plain sum. */
static double log_rotated(
    const reference_contour_shape *s, double t, double alpha, double u)
{
    double p = exponent_at(s, t), lo, hi, top = -HUGE_VAL;
    steer_range(s, p, 9, &lo, &hi);
    double h = fmin(0.25, 0.8 / s->mu);
    h = fmax(h, (hi - lo) / 20000);
    double sum = 0, mass = 0, s2 = sin(alpha / 2) * sin(alpha / 2);
    for (double xi = lo; xi <= hi; xi += h) {
        double y = s->mu * xi - s->mu * s->mu / 2;
        double l = log1p(s->rate * expm1(y));
        double g = -xi * xi / 2 + p * l;
        double r = s->rate * exp(y - l);
        double log_rho = log1p(-4 * r * (1 - r) * s2) / 2;
        double theta = r * sin(alpha) * exp(-log_rho); /* sin(theta) */
        if (g > top) {
            sum *= exp(top - g);
            mass *= exp(top - g);
            top = g;
        }
        mass += exp(g - top);
        sum += exp(g - top) * expm1(p * log_rho - u * theta);
    }
    return alpha * alpha / (2 * s->mu * s->mu) + log1p(sum / mass);
}

/* The best rotation for truncation at u, near mu^2 u E[r]. */
static double steer_rotation(
    const reference_contour_shape *s, double t, double u, double *log_bound)
{
    double best = 0.1;
    *log_bound = HUGE_VAL;
    double center = s->mu * s->mu * u * s->rate;
    for (int i = -3; i <= 12; i++) {
        double alpha = center * exp2(i * 0.7);
        if (alpha > 1.45)
            alpha = 1.45;
        double value = log_rotated(s, t, alpha, u);
        if (value < *log_bound) {
            *log_bound = value;
            best = alpha;
        }
        if (alpha == 1.45)
            break;
    }
    return best;
}

static bool steer_truncation(reference_contour_choice *c,
    const reference_contour_shape *s, double log_target)
{
    double log_bound = 0, t = c->t;
    double base = s->count * cumulant_at(s, t).k0 - t * s->epsilon;
    double root = sqrt(t * (t + 1));
    double lo = 2 * c->step, hi = lo;
    for (;; hi *= 1.4) {
        c->alpha = steer_rotation(s, t, hi, &log_bound);
        double log_tail = log(atan(root / hi) / (pi * root));
        if (base + s->count * log_bound + log_tail <= log_target)
            break;
        lo = hi;
        if (hi / c->step > 40000)
            return false;
    }
    for (int i = 0; i < 5; i++) {
        double mid = (lo + hi) / 2;
        double alpha = steer_rotation(s, t, mid, &log_bound);
        double log_tail = log(atan(root / mid) / (pi * root));
        if (base + s->count * log_bound + log_tail <= log_target) {
            hi = mid;
            c->alpha = alpha;
        } else {
            lo = mid;
        }
    }
    c->n_outer = ceil(hi / c->step) + 1;
    return true;
}

/* log(1/cos(b/2)^|p|) for p < 0: what the inverse power costs in a strip. */
static double strip_cost(double p, double b)
{
    return p < 0 ? p * log(cos(b / 2)) : 0;
}

/* Where phi (1+v)^p, p < 0, has fallen e^-digits below its top. */
static double steer_left_end(
    const reference_contour_shape *s, double p, double digits)
{
    double top = -HUGE_VAL;
    for (int i = 8; i > -4000; i--) {
        double xi = i / 8.0;
        double l = log1p(s->rate * expm1(s->mu * xi - s->mu * s->mu / 2));
        double g = -xi * xi / 2 + p * l;
        top = fmax(top, g);
        if (g < top - digits - 2 && xi < -1)
            return xi;
    }
    return p * s->mu - sqrt(2 * digits) - 1;
}

/* The largest inner step whose two quadrature errors are below e^-digits. */
static void steer_inner(reference_contour_choice *c,
    const reference_contour_shape *s, double digits)
{
    double p = exponent_at(s, c->t + c->alias_right);
    double mu = s->mu, u = c->n_outer * c->step, best = 0, best_alpha = 0;
    for (int i = 1; i < 60; i++) {
        double b = 3.1 * i / 60;
        double need =
            digits + 1 + b * b / (2 * mu * mu) + u * b + strip_cost(p, b);
        if (2 * pi * b / (mu * need) > best) {
            best = 2 * pi * b / (mu * need);
            c->strip = b;
        }
        b = (pi / 2 - c->alpha) * i / 60;
        need = 93 + (c->alpha * c->alpha + b * b) / (2 * mu * mu) +
               strip_cost(p, c->alpha + b);
        if (2 * pi * b / (mu * need) > best_alpha) {
            best_alpha = 2 * pi * b / (mu * need);
            c->strip_alpha = b;
        }
    }
    double h = fmin(fmin(best, best_alpha), 0.25);
    int e = 0;
    double m = frexp(h, &e);
    c->h = ldexp(floor(m * 64), e - 6); /* six bits: i h is exact */
    double lo, hi;
    steer_range(s, p, sqrt(2 * digits) + 1, &lo, &hi);
    if (p < 0) /* the pull is |p| mu r, and r falls to the left */
        lo = steer_left_end(s, p, digits);
    c->first = floor(lo / c->h);
    c->last = ceil(hi / c->h);
}

bool reference_contour_steer(reference_contour_choice *out,
    const reference_contour_shape *shape, double tolerance)
{
    *out = (reference_contour_choice){0};
    if (!steer_saddle(out, shape))
        return false;
    double log_target = out->log_estimate + log(tolerance);
    double period = steer_period(out, shape, log_target);
    out->step = 2 * pi / period;
    if (!(out->step > 0 && out->step < HUGE_VAL))
        return false;
    if (!steer_truncation(out, shape, log_target))
        return false;
    double u = out->n_outer * out->step;
    steer_inner(out, shape, 62 + log(shape->count) + log1p(u));
    double n_inner = out->last - out->first + 1;
    return n_inner <= 60000 && n_inner * out->n_outer <= 4e6;
}
