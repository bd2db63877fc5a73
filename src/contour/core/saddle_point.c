/*
 * The saddle point of a plan in plain doubles: it chooses the tilt and
 * certifies nothing. Derivation: docs/theory/contour.md, section 7.
 */
#include "contour_choose.h"

static const double pi = 3.14159265358979323846;

/* Operations of one part at one tilt, and of each node of its sketch. */
#define GUESS_PART_OPERATIONS 100
#define GUESS_NODE_OPERATIONS 5

bool contour_total(
    cumulant_guess *out, const contour_parts *parts, double t)
{
    *out = (cumulant_guess){0, 0, 0};
    if (!(work_left(parts->limits) > 0))
        return false;
    for (size_t i = 0; i < parts->n; i++) {
        contour_part *p = &parts->items[i];
        cumulant_guess r;
        part_size size = contour_part_size(p);
        work_spend(parts->limits,
            GUESS_PART_OPERATIONS * size.laws +
                GUESS_NODE_OPERATIONS * size.sketch);
        if (!p->type->guess_cumulant(&r, p, t))
            return false;
        out->k0 += p->count * r.k0;
        out->k1 += p->count * r.k1;
        out->k2 += p->count * fmax(r.k2, 0);
    }
    return true;
}

double contour_phi(const cumulant_guess *r, double t, double epsilon)
{
    return r->k0 - t * epsilon - log(t) - log1p(t);
}

static double saddle_epsilon(const cumulant_guess *r, double t)
{
    return r->k1 - 1 / t - 1 / (1 + t);
}

/* The second derivative of phi. */
static double saddle_variance(const cumulant_guess *r, double t)
{
    return r->k2 + 1 / (t * t) + 1 / ((1 + t) * (1 + t));
}

/* The saddle-point estimate of log delta. */
static double estimate(const cumulant_guess *r, double t, double epsilon)
{
    double v = saddle_variance(r, t);
    return contour_phi(r, t, epsilon) - log(2 * pi * v) / 2;
}

/* A search for the saddle point at a target epsilon, or a target log delta. */
typedef struct saddle_search {
    const contour_parts *parts;
    bool at_log_delta;
    double target;
} saddle_search;

/* Grows like log y for large y: -log delta is nearly a power of t. */
static double compressed(double y)
{
    return y < 1 ? y : 1 + log(y);
}

/* Negative left of the root, positive right of it, and nearly linear in x = log
 * t. */
static double saddle_gap(const saddle_search *s, double x)
{
    cumulant_guess r;
    double t = exp(x);
    if (!contour_total(&r, s->parts, t))
        return nan("");
    double epsilon = saddle_epsilon(&r, t);
    return s->at_log_delta ? compressed(-estimate(&r, t, epsilon)) -
                                 compressed(-s->target)
                           : compressed(t * (epsilon - s->target));
}

/* Finds x with a gap of 0 within 1e-3, by regula falsi in the Illinois
 * variant. */
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
        if (isnan(fc) || fabs(fc) < 1e-3)
            break;
    }
    *x = fabs(fa) < fabs(fb) ? a : b; /* at a jump, its near side */
    return !isnan(fb);
}

/* The worth of a narrower tilted law, in nats for each unit of the log of its
 * variance: it saves nodes in both directions. The tilt moves left by factors
 * of LEFT_STEP, up to MAX_NARROWING_EXCESS nats above the minimum of phi. */
#define VARIANCE_WORTH 3
#define LEFT_STEP 0.97
#define MAX_NARROWING_EXCESS 6

/* If nothing decays, digits cost more than nodes, most of which are skipped. */
static double variance_worth(const contour_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++)
        if (parts->items[i].type->guess_decay != NULL)
            return VARIANCE_WORTH;
    return 1;
}

/* Moves the tilt left of the saddle point while that narrows the tilted law: a
 * second mode at large losses appears within a few per cent of t. */
static bool move_left(contour_choice *c, const contour_parts *parts, double t)
{
    cumulant_guess r;
    if (!contour_total(&r, parts, t))
        return false;
    c->log_estimate = estimate(&r, t, c->epsilon);
    double least = contour_phi(&r, t, c->epsilon);
    double worth = variance_worth(parts);
    double merit = least + worth * log(r.k2);
    for (int i = 0; i < 150; i++) {
        cumulant_guess left;
        if (!contour_total(&left, parts, t * LEFT_STEP))
            return false;
        double phi = contour_phi(&left, t * LEFT_STEP, c->epsilon);
        double there = phi + worth * log(left.k2);
        if (!(there < merit - 0.02) || phi - least > MAX_NARROWING_EXCESS)
            break;
        t *= LEFT_STEP;
        merit = there;
        c->excess = phi - least;
    }
    c->t = t;
    return t > 0 && c->log_estimate < HUGE_VAL &&
           c->log_estimate > -HUGE_VAL;
}

bool contour_saddle_at_epsilon(
    contour_choice *out, const contour_parts *parts, double epsilon)
{
    saddle_search s = {parts, false, epsilon};
    double x;
    *out = (contour_choice){.epsilon = epsilon};
    return saddle_root(&x, &s) && move_left(out, parts, exp(x));
}

bool contour_saddle_at_log_delta(
    contour_choice *out, const contour_parts *parts, double log_delta)
{
    saddle_search s = {parts, true, log_delta};
    cumulant_guess r;
    double x;
    *out = (contour_choice){0};
    if (!saddle_root(&x, &s) || !contour_total(&r, parts, exp(x)))
        return false;
    out->epsilon = saddle_epsilon(&r, exp(x));
    return move_left(out, parts, exp(x));
}

double contour_spread(const contour_parts *parts)
{
    cumulant_guess r;
    return contour_total(&r, parts, 1e-6) ? sqrt(r.k2) : nan("");
}
