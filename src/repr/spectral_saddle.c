/*
 * The saddle of a plan in plain doubles, which steers.
 */
#include "spectral_steer.h"

static const double pi = 3.14159265358979323846;

bool spectral_total(
    spectral_rough *out, const spectral_parts *parts, double t)
{
    *out = (spectral_rough){0, 0, 0};
    for (size_t i = 0; i < parts->n; i++) {
        spectral_part *p = &parts->items[i];
        spectral_rough r;
        if (!p->type->rough(&r, p, t))
            return false;
        out->k0 += p->count * r.k0;
        out->k1 += p->count * r.k1;
        out->k2 += p->count * fmax(r.k2, 0);
    }
    return true;
}

/* phi(t) = K(t) - t eps - log t - log(1 + t) is convex. */
double spectral_phi(const spectral_rough *r, double t, double epsilon)
{
    return r->k0 - t * epsilon - log(t) - log1p(t);
}

static double saddle_epsilon(const spectral_rough *r, double t)
{
    return r->k1 - 1 / t - 1 / (1 + t);
}

static double estimate(const spectral_rough *r, double t, double epsilon)
{
    double v = r->k2 + 1 / (t * t) + 1 / ((1 + t) * (1 + t));
    return spectral_phi(r, t, epsilon) - log(2 * pi * v) / 2;
}

typedef struct saddle_search {
    const spectral_parts *parts;
    bool at_log_delta;
    double target;
} saddle_search;

/* Increasing in x = log t. */
static double saddle_gap(const saddle_search *s, double x)
{
    spectral_rough r;
    double t = exp(x);
    if (!spectral_total(&r, s->parts, t))
        return nan("");
    double epsilon = saddle_epsilon(&r, t);
    return s->at_log_delta ? s->target - estimate(&r, t, epsilon)
                           : epsilon - s->target;
}

/* x with a gap of 0 within 1e-3, by regula falsi of Illinois. */
static bool saddle_root(double *x, const saddle_search *s)
{
    double a = 0, fa = saddle_gap(s, a), step = fa < 0 ? 1.0 : -1.0;
    double b = a, fb = fa;
    for (int i = 0; i < 60 && (fa < 0) == (fb < 0); i++) {
        a = b;
        fa = fb;
        b += step;
        fb = saddle_gap(s, b);
        if (isnan(fb) || fabs(b) > 40)
            return false;
        if (i >= 2)
            step *= 1.5;
    }
    for (int i = 0; i < 60 && fabs(b - a) > 1e-3; i++) {
        double c = b - fb * (b - a) / (fb - fa);
        if (!(c > fmin(a, b) && c < fmax(a, b)) || i % 8 == 7)
            c = (a + b) / 2;
        double fc = saddle_gap(s, c);
        if ((fc < 0) != (fb < 0)) {
            a = b;
            fa = fb;
        } else {
            fa /= 2;
        }
        b = c;
        fb = fc;
        if (isnan(fc) || fabs(fc) < 1e-4)
            break;
    }
    *x = b;
    return !isnan(fb);
}

/* Left of the saddle while that narrows the tilted law: a far bump switches
 * on within a few per cent of t. */
static bool settle(spectral_choice *c, const spectral_parts *parts, double t)
{
    spectral_rough r;
    if (!spectral_total(&r, parts, t))
        return false;
    double merit = spectral_phi(&r, t, c->epsilon) + log(r.k2);
    for (int i = 0; i < 300; i++) {
        spectral_rough left;
        if (!spectral_total(&left, parts, t * 0.985))
            return false;
        double m = spectral_phi(&left, t * 0.985, c->epsilon) + log(left.k2);
        if (!(m < merit))
            break;
        t *= 0.985;
        r = left;
        merit = m;
    }
    c->t = t;
    c->log_estimate = estimate(&r, t, c->epsilon);
    return t > 0 && c->log_estimate < HUGE_VAL &&
           c->log_estimate > -HUGE_VAL;
}

bool spectral_saddle_at_epsilon(
    spectral_choice *out, const spectral_parts *parts, double epsilon)
{
    saddle_search s = {parts, false, epsilon};
    double x;
    *out = (spectral_choice){.epsilon = epsilon};
    return saddle_root(&x, &s) && settle(out, parts, exp(x));
}

bool spectral_saddle_at_log_delta(
    spectral_choice *out, const spectral_parts *parts, double log_delta)
{
    saddle_search s = {parts, true, log_delta};
    spectral_rough r;
    double x;
    *out = (spectral_choice){0};
    if (!saddle_root(&x, &s) || !spectral_total(&r, parts, exp(x)))
        return false;
    out->epsilon = saddle_epsilon(&r, exp(x));
    return settle(out, parts, exp(x));
}

double spectral_spread(const spectral_parts *parts)
{
    spectral_rough r;
    return spectral_total(&r, parts, 1e-6) ? sqrt(r.k2) : nan("");
}
