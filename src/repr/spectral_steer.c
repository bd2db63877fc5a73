#include "spectral_steer.h"

static const double pi = 3.14159265358979323846;

/* Relative error wanted of delta: as fine as doubles allow, or less so where
 * that takes many pairs of nodes. */
#define FINE 0x1p-56
#define COARSE 0x1p-40
#define LONG 1e5
#define VERY_LONG 5e5 /* worth a search for a cheaper contour */

static bool total_at(
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

/* ---- The saddle -------------------------------------------------------- */

/* phi(t) = K(t) - t eps - log t - log(1 + t) is convex. */
static double phi(const spectral_rough *r, double t, double epsilon)
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
    return phi(r, t, epsilon) - log(2 * pi * v) / 2;
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
    if (!total_at(&r, s->parts, t))
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
    if (!total_at(&r, parts, t))
        return false;
    double merit = phi(&r, t, c->epsilon) + log(r.k2);
    for (int i = 0; i < 300; i++) {
        spectral_rough left;
        if (!total_at(&left, parts, t * 0.985))
            return false;
        double m = phi(&left, t * 0.985, c->epsilon) + log(left.k2);
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
    if (!saddle_root(&x, &s) || !total_at(&r, parts, exp(x)))
        return false;
    out->epsilon = saddle_epsilon(&r, exp(x));
    return settle(out, parts, exp(x));
}

double spectral_spread(const spectral_parts *parts)
{
    spectral_rough r;
    return total_at(&r, parts, 1e-6) ? sqrt(r.k2) : nan("");
}

/* ---- The period -------------------------------------------------------- */

/* log of C(u) exp(K(u) - u eps): the alias sum at u = t + a but e^{-a L}. */
static double alias_base(
    const spectral_choice *c, const spectral_parts *parts, double u)
{
    spectral_rough r;
    double log_c = u > 0 ? -log1p(u) - u * log1p(1 / u) : 0;
    if (!total_at(&r, parts, u))
        return HUGE_VAL;
    return log_c + r.k0 - u * c->epsilon;
}

/* The period that a shift needs. */
static double alias_period(const spectral_choice *c,
    const spectral_parts *parts, double shift, double log_target)
{
    double base = alias_base(c, parts, c->t + shift);
    return (base - log_target) / fabs(shift);
}

/* From a first shift to a better one, by doubling or halving while it helps:
 * the period is quasi-convex. No further than until enough, since far shifts
 * cost nodes. Left of t they end at t. */
static double alias_walk(double *shift, const spectral_choice *c,
    const spectral_parts *parts, double enough, double log_target)
{
    double best = alias_period(c, parts, *shift, log_target);
    for (double factor = 2; factor > 0.4; factor -= 1.5)
        for (int i = 0; i < 40 && !(best <= enough); i++) {
            double next = *shift * factor;
            if (next < -c->t)
                break;
            double period = alias_period(c, parts, next, log_target);
            if (!(period < best))
                break;
            best = period;
            *shift = next;
        }
    return best;
}

static bool choose_period(spectral_choice *c, const spectral_parts *parts,
    double log_target)
{
    spectral_rough r;
    if (!total_at(&r, parts, c->t))
        return false;
    double spread = 1 / sqrt(fmax(r.k2, 1e-300));
    double back = -c->t, ahead = fmin(4 * spread, c->t);
    double left = alias_walk(&back, c, parts, 0, log_target);
    double right = alias_walk(&ahead, c, parts, left, log_target);
    c->alias_left = -back;
    c->alias_right = ahead;
    double period = fmax(fmax(right, left), 1e-3);
    int e = 0;
    double m = frexp(2 * pi / period, &e);
    c->step = ldexp(floor(ldexp(m, 24)), e - 24); /* n D is exact */
    return c->step > 0 && c->step < HUGE_VAL;
}

/* ---- Truncation -------------------------------------------------------- */

/* log of the part left out beyond u, over e^{K(t) - t eps}. */
static double left_out(const spectral_choice *c, spectral_want *wants,
    const spectral_parts *parts, double u)
{
    double root = sqrt(c->t * (c->t + 1));
    double sum = log(atan(root / u) / (pi * root)) -
                 c->blur * c->blur * u * u / 2;
    if (c->blur > 0) /* the kernel of the lower end */
        sum = fmax(sum, -log(u * u * c->blur * c->blur) -
                            c->blur * c->blur * u * u / 2);
    for (size_t i = 0; i < parts->n; i++) {
        spectral_part *p = &parts->items[i];
        if (p->type->rough_decay != NULL)
            sum += p->count * p->type->rough_decay(&wants[i], p, c->t, u);
    }
    return sum;
}

/* The least u that leaves out no more than asked, within a few per cent. */
static bool choose_outer(double *outer, const spectral_choice *c,
    spectral_want *wants, const spectral_parts *parts, double log_target,
    double most)
{
    spectral_rough r;
    if (!total_at(&r, parts, c->t))
        return false;
    double need = log_target - (r.k0 - c->t * c->epsilon);
    double v = r.k2 + c->blur * c->blur;
    double lo = 2 * c->step, hi = fmax(sqrt(2 * fmax(-need, 1) / v), lo);
    hi = fmin(hi, most);
    for (int i = 0; left_out(c, wants, parts, hi) > need; i++) {
        lo = hi;
        hi *= 1.25;
        if (hi > most || i > 60)
            return false;
    }
    for (int i = 0; i < 8 && hi > 1.05 * lo; i++) {
        double mid = sqrt(lo * hi);
        if (left_out(c, wants, parts, mid) > need)
            lo = mid;
        else
            hi = mid;
    }
    *outer = hi;
    (void)left_out(c, wants, parts, hi); /* leaves the rotations for it */
    return true;
}

/* ---- All of it --------------------------------------------------------- */

static double cost_of(spectral_want *wants, const spectral_choice *c,
    const spectral_parts *parts, double tolerance)
{
    double nodes = 0;
    for (size_t i = 0; i < parts->n; i++) {
        spectral_part *p = &parts->items[i];
        spectral_want *w = &wants[i];
        w->t = c->t;
        w->reach = c->alias_right;
        w->outer = c->n_outer * c->step * (1 + 0x1p-40);
        w->digits = 4 - log(tolerance) + log(p->count) +
                    log1p((double)parts->n);
        if (p->type->rough_decay == NULL)
            w->alpha = 0;
        nodes += p->type->rough_nodes(p, w) + 100;
    }
    return nodes * c->n_outer;
}

static bool choose_blurred(spectral_choice *c, spectral_want *wants,
    const spectral_parts *parts, const spectral_effort *effort)
{
    double tolerance = fmin(fmax(effort->width, 1e-13), 0.1);
    double log_target = c->log_estimate + log(tolerance) - 3;
    if (!choose_period(c, parts, log_target))
        return false;
    c->blur = sqrt(tolerance / (2 * c->t * (c->t + 1)));
    for (int i = 0; i < 24 && c->blur < 0.3; i++, c->blur *= 2) {
        double outer;
        if (!choose_outer(
                &outer, c, wants, parts, log_target, HUGE_VAL))
            return false;
        c->n_outer = ceil(outer / c->step) + 1;
        if (cost_of(wants, c, parts, tolerance) <= effort->max_cost)
            return true;
    }
    return false;
}

/* Without a blur, to a given tolerance; the cost, or infinity. */
static double choose_plain(spectral_choice *c, spectral_want *wants,
    const spectral_parts *parts, double tolerance)
{
    double outer, log_target = c->log_estimate + log(tolerance);
    c->blur = 0;
    if (!choose_period(c, parts, log_target) ||
        !choose_outer(&outer, c, wants, parts, log_target, 1e6 * c->step))
        return HUGE_VAL;
    c->n_outer = ceil(outer / c->step) + 1;
    return cost_of(wants, c, parts, tolerance);
}

/* Further left, where that saves nodes: far from a wall of rare jumps. What
 * is lost is digits, e^(phi - its least value). */
static double choose_left(spectral_choice *c, spectral_want *wants,
    const spectral_parts *parts, double cost, double tolerance)
{
    spectral_rough r;
    if (!total_at(&r, parts, c->t))
        return cost;
    double least = phi(&r, c->t, c->epsilon);
    spectral_choice trial = *c;
    for (int i = 0; i < 8; i++) {
        trial.t *= 0.8;
        if (!total_at(&r, parts, trial.t) ||
            phi(&r, trial.t, c->epsilon) > least + 7)
            break;
        double there = choose_plain(&trial, wants, parts, tolerance);
        if (there < cost) {
            cost = there;
            *c = trial;
        }
    }
    return choose_plain(c, wants, parts, tolerance);
}

bool spectral_choose(spectral_choice *choice, spectral_want *wants,
    const spectral_parts *parts, const spectral_effort *effort)
{
    bool decays = false;
    for (size_t i = 0; i < parts->n; i++) {
        wants[i] = (spectral_want){.t = choice->t, .multiple = 1};
        decays = decays || parts->items[i].type->rough_decay != NULL;
    }
    double cost = HUGE_VAL;
    if (decays)
        cost = choose_plain(choice, wants, parts, FINE);
    double tolerance = effort->width >= COARSE ? COARSE : FINE;
    if (decays && cost > LONG)
        cost = choose_plain(choice, wants, parts, tolerance);
    if (decays && cost > VERY_LONG)
        cost = choose_left(choice, wants, parts, cost, tolerance);
    if (decays && cost > effort->max_cost && effort->width > COARSE)
        cost = choose_left(
            choice, wants, parts, HUGE_VAL, fmin(effort->width / 16, 1e-3));
    return cost <= effort->max_cost ||
           choose_blurred(choice, wants, parts, effort);
}
