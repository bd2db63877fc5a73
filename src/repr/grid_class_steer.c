#include "grid_class_steer.h"

#include "grid_class_sketch.h"

#define LOG_2PI 1.8378770664093454836

/* Of factors of moments: they do not leave the range of doubles. */
#define MOST_EXPONENT 600.0

/* ---- One class --------------------------------------------------------- */

/* The tilt where the mean, less what 1/(t (t + 1)) takes, is epsilon: from the
 * last one on. */
static double saddle_of(
    const class_sketch *s, const grid_class_plan *c, double epsilon)
{
    double lo = log(1e-7), hi = log(1e7), step = 0.25;
    double x = fmin(fmax(log(c->saddle), lo), hi);
    bool has_lo = false, has_hi = false;
    for (int i = 0; i < 80 && hi - lo > 1e-3; i++) {
        double t = exp(x);
        class_moment m = grid_class_moment(s, c->from, c->to, t);
        bool less = m.mean - 1 / t - 1 / (1 + t) < epsilon;
        has_lo = has_lo || less;
        has_hi = has_hi || !less;
        lo = less ? x : lo;
        hi = less ? hi : x;
        step *= 2;
        if (has_lo && has_hi)
            x = (lo + hi) / 2;
        else
            x = less ? fmin(x + step, hi) : fmax(x - step, lo);
    }
    return exp((lo + hi) / 2);
}

static double variance_at(
    const class_sketch *s, const grid_class_plan *c, double t)
{
    double d = 1e-3;
    class_moment up = grid_class_moment(s, c->from, c->to, t * (1 + d));
    class_moment down = grid_class_moment(s, c->from, c->to, t * (1 - d));
    return fmax((up.mean - down.mean) / (2 * d * t), 0);
}

/* A class is heavy where it is broader at its saddle than what its bound has
 * fallen to tells: (t sd)^2 is twice the fall of a normal law, and more where
 * two kinds of totals balance. */
static void class_fill(
    const class_sketch *s, grid_class_plan *c, double epsilon)
{
    double log_mass = grid_class_moment(s, c->from, c->to, 0).log;
    if (!(log_mass > -HUGE_VAL)) {
        c->log_bound = c->log_delta = -HUGE_VAL;
        return;
    }
    double t = c->t = c->saddle = saddle_of(s, c, epsilon);
    double variance = variance_at(s, c, t);
    double curve = variance + 1 / (t * t) + 1 / ((1 + t) * (1 + t));
    c->log_bound = grid_class_moment(s, c->from, c->to, t).log - t * epsilon;
    c->is_heavy =
        t * t * variance > 2.5 * fmax(log_mass - c->log_bound, 0) + 10;
    c->log_delta =
        c->log_bound - log(t) - log1p(t) - 0.5 * (LOG_2PI + log(curve));
}

/* As far left of the saddle as the limit of the bound allows: there are fewer
 * jumps at once, and the window is shorter. */
static void class_lower(
    const class_sketch *s, grid_class_plan *c, double epsilon, double limit)
{
    double hi = c->saddle, lo = 0.85 * hi;
    for (int i = 0; i < 12; i++) {
        double t = (lo + hi) / 2;
        double bound =
            grid_class_moment(s, c->from, c->to, t).log - t * epsilon;
        if (bound <= limit)
            hi = t;
        else
            lo = t;
    }
    c->t = hi;
}

/* How far apart losses of one run are, up to a loss. */
static double run_span(const class_sketch *s, double to)
{
    double span = 0;
    for (size_t i = 0; i < s->n; i++) {
        const class_part *p = &s->parts[i];
        if (p->n > 0)
            span = fmax(span, fmin(p->at[p->n - 1], to) - p->at[0]);
    }
    return span;
}

static void class_window(const class_sketch *s, grid_class_plan *c,
    double epsilon, double margin, double log_share)
{
    class_moment m = grid_class_moment(s, c->from, c->to, c->t);
    double unit = 1 / sqrt(fmax(variance_at(s, c, c->t), 1e-24));
    double span = run_span(s, c->to);
    double log_tail = log_share - (m.log - c->t * epsilon);
    grid_window w = {-HUGE_VAL, HUGE_VAL, 0, 0};
    for (int i = -30; i <= 14; i++) {
        /* as grid_window_at; where few jumps make the total it is much
         * narrower than what is rare in it */
        double a = unit * exp2(0.5 * i);
        if (w.a_hi > 0 && a * span > MOST_EXPONENT)
            break;
        double hi = grid_class_moment(s, c->from, c->to, c->t + a).log;
        double lo = grid_class_moment(s, c->from, c->to, c->t - a).log;
        hi = (hi - m.log - log_tail) / a;
        lo = (m.log + log_tail - lo) / a;
        if (hi < w.hi - 0.03 * fabs(w.hi - m.mean) || w.a_hi == 0) {
            w.hi = hi;
            w.a_hi = a;
        }
        if (lo > w.lo + 0.03 * fabs(m.mean - w.lo) || w.a_lo == 0) {
            w.lo = lo;
            w.a_lo = a;
        }
    }
    w.lo = fmin(w.lo, epsilon - margin);
    w.hi = fmax(w.hi, epsilon + margin);
    c->window = w;
}

/* ---- All --------------------------------------------------------------- */

static double log_add(double a, double b)
{
    double most = fmax(a, b);
    return most > -HUGE_VAL ? most + log1p(exp(-fabs(a - b))) : most;
}

static bool is_within(const grid_class_plan *c, double limit)
{
    return c->log_bound <= limit || !c->is_heavy;
}

/* The longest class from a cut on within the limit, by the index of its last
 * cut; one cut long at the least. */
static size_t class_reach(const class_sketch *s, grid_class_plan *c,
    size_t from, double epsilon, double limit)
{
    size_t lo = from, hi = s->n_cuts - 1;
    c->to = s->cuts[hi];
    class_fill(s, c, epsilon);
    if (is_within(c, limit))
        return hi;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        c->to = s->cuts[mid];
        class_fill(s, c, epsilon);
        if (is_within(c, limit))
            lo = mid;
        else
            hi = mid;
    }
    c->to = s->cuts[lo];
    class_fill(s, c, epsilon);
    return lo;
}

/* From all within the limit upward. */
static void classes_choose(
    grid_classes *out, const class_sketch *s, double epsilon, double limit)
{
    size_t at = 0;
    double before = -HUGE_VAL, t = 1;
    out->n = 0;
    out->epsilon = epsilon;
    while (at < s->n_cuts && out->n < GRID_MAX_CLASSES) {
        grid_class_plan c = {.from = before, .saddle = t};
        if (out->n + 1 == GRID_MAX_CLASSES)
            limit = HUGE_VAL; /* the rest */
        size_t last = class_reach(s, &c, at, epsilon, limit);
        before = c.to;
        at = last + 1;
        if (c.log_bound > -HUGE_VAL) {
            t = c.saddle;
            out->one[out->n++] = c;
        }
    }
}

/* What all classes add, and their averages. */
static void classes_sum(grid_classes *c)
{
    double sum = -HUGE_VAL;
    for (size_t i = 0; i < c->n; i++)
        sum = log_add(sum, c->one[i].log_delta);
    c->log_delta = sum;
    c->slope = c->curve = 0;
    for (size_t i = 0; i < c->n; i++) {
        double t = c->one[i].saddle;
        double share = exp(c->one[i].log_delta - sum);
        c->slope += share * t;
        c->curve += share * t * (t + 1);
    }
}

/* Nats that bounds may have above delta, of those that the digits allow; the
 * others are left to lower tilts. And where delta is to be known roughly. */
#define BOUND_SHARE 0.6
#define ROUGH 2.0
#define MANY 6

/* Whether one tilt serves all. */
static bool all_is_within(const class_sketch *s, double epsilon, double limit)
{
    grid_class_plan all = {
        .from = -HUGE_VAL, .to = s->cuts[s->n_cuts - 1], .saddle = 1};
    class_fill(s, &all, epsilon);
    return all.log_bound <= limit;
}

/* log of what the top from a cut on may lack to P - e^epsilon Q, at the best
 * order. */
static double top_rest(
    const class_sketch *s, size_t cut, double epsilon, double *order)
{
    double best = HUGE_VAL, last = s->cuts[s->n_cuts - 1];
    for (int i = 0; i < 24; i++) {
        double a = 1 + exp2(i);
        class_moment m = grid_class_moment(s, s->cuts[cut], last, -a);
        double rest = m.log + a * epsilon + a * log1p(-1 / a) - log(a - 1);
        if (rest < best) {
            best = rest;
            *order = a;
        }
    }
    return best;
}

/* The lowest cut whose top lacks next to nothing. */
static void top_choose(
    grid_classes *out, class_sketch *s, double epsilon, double limit)
{
    size_t lo = 0, hi = s->n_cuts - 1;
    double order = 0;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (top_rest(s, mid, epsilon, &order) <= limit)
            hi = mid;
        else
            lo = mid;
    }
    out->has_top = hi + 1 < s->n_cuts;
    if (!out->has_top)
        return;
    (void)top_rest(s, hi, epsilon, &out->order);
    out->top = s->cuts[hi];
    s->n_cuts = hi + 1; /* the others are no matter of classes */
}

bool grid_classes_choose(grid_classes *out, const grid_sketch *sketch,
    double epsilon, double margin, double log_delta, double digits,
    double log_share)
{
    class_sketch s = {NULL, 0, NULL, 0};
    bool ok = grid_class_sketch_init(&s, sketch);
    *out = (grid_classes){.n = 0};
    if (ok &&
        (s.n_cuts < 2 || all_is_within(&s, epsilon, log_delta + digits))) {
        grid_class_sketch_free(&s);
        return true; /* no classes */
    }
    if (ok) {
        top_choose(out, &s, epsilon + margin, log_delta + log_share);
        classes_choose(out, &s, epsilon, log_delta + BOUND_SHARE * digits);
        if (out->n > MANY)
            classes_choose(out, &s, epsilon, log_delta + digits);
        classes_sum(out);
    }
    for (size_t i = 0; ok && i < out->n; i++) {
        class_lower(&s, &out->one[i], epsilon, log_delta + digits);
        class_window(&s, &out->one[i], epsilon, margin, log_delta + log_share);
    }
    grid_class_sketch_free(&s);
    return ok;
}

/* Classes are the finer the less delta is. */
double grid_classes_log_delta(const grid_sketch *sketch, double epsilon)
{
    class_sketch s = {NULL, 0, NULL, 0};
    grid_classes c = {.log_delta = NAN};
    double before = HUGE_VAL, limit = HUGE_VAL;
    bool ok = grid_class_sketch_init(&s, sketch);
    for (int i = 0; ok && i < 24; i++) {
        classes_choose(&c, &s, epsilon, limit);
        classes_sum(&c);
        if (!(c.log_delta < before - 0.5))
            break;
        before = c.log_delta;
        limit = before + 0.15 * fmin(before, 0); /* further than it goes */
    }
    grid_class_sketch_free(&s);
    return c.log_delta;
}

double grid_classes_epsilon(
    const grid_sketch *sketch, double log_delta, double near)
{
    class_sketch s = {NULL, 0, NULL, 0};
    grid_classes c = {.n = 0};
    double epsilon = grid_class_sketch_init(&s, sketch) ? near : NAN;
    for (int i = 0; i < 12 && epsilon > 0; i++) {
        classes_choose(&c, &s, epsilon, log_delta + ROUGH);
        classes_sum(&c);
        double off = c.log_delta - log_delta;
        if (fabs(off) < 0.1 || !(c.slope > 0))
            break;
        epsilon = fmax(epsilon + off / c.slope, epsilon / 4);
    }
    grid_class_sketch_free(&s);
    return epsilon;
}
