/*
 * One class in doubles, a node a tau: its saddle, a step that keeps aliases
 * away, and as many outer nodes as W needs to decay.
 */
#include "spectral_jumps_sketch.h"

#include "spectral_jumps_moved.h"
#include "spectral_jumps_strip.h"

static const double pi = 3.14159265358979323846;

#define LOST 3        /* nats of terms above delta */
#define RAISED 6      /* and above what a class adds, where that is less */
#define RAISED_FAR 30 /* the same, where a contour would be long */
#define LONG 1000
#define MOST_NODES 0x1p18
#define RULE_HEIGHT 3.5 /* of its strip, in taus, at most */
#define SPARE 1.5 /* nats: what nodes alone do not know of a decay */
#define MANY_RUNS 1e5
#define CLOSE 1.03 /* enough for an outer end */
#define LEVEL 0.3  /* slope in log t, enough for a saddle */

/* log of a sum with what leaks through the sides of its strip. */
static double with_sides(const jump_law *own, double v, double log_sum)
{
    if (own->line.part->added > 0)
        return jump_log_upper(own, v);
    jump_strip strip = jump_upright(&own->line, v + 1, 3.1);
    return jump_log_add(log_sum, jump_strip_rest(own, &strip));
}

/* log D(v), D = prod (S + W)^k - prod S^k, or prod S^k of the whole, and its
 * slope. Far right of the saddle the sides of strips matter. */
static double log_d(
    const jump_sketch *s, double v, double *slope, bool is_right)
{
    const jump_plain *plain = &s->out->plain;
    double below = jump_plain_rough(plain, v), jumps = 0, more = 0;
    double mean = jump_plain_slope(plain, v);
    for (size_t i = 0; i < s->out->n_parts; i++) {
        double k = s->out->parts[i].count, mean_s, mean_w;
        double log_s = jump_log_sum(&mean_s, &s->below[i], v);
        if (is_right)
            log_s = with_sides(&s->below[i], v, log_s);
        below += k * log_s;
        mean += k * mean_s;
        if (s->is_whole)
            continue;
        double log_w = jump_log_sum(&mean_w, &s->between[i], v);
        if (is_right)
            log_w = with_sides(&s->between[i], v, log_w);
        double odds = exp(fmin(log_w - log_s, 600));
        jumps += k * log1p(odds);
        more += k * odds / (1 + odds) * (mean_w - mean_s);
    }
    if (s->is_whole) {
        *slope = mean;
        return below;
    }
    *slope = mean + more / -expm1(-jumps);
    return below + jump_log_expm1(jumps);
}

/* log of Chernoff's bound for what is below all cuts. */
double jump_sketch_log_bulk(const jump_sketch *s, double v)
{
    double sum = jump_log_kernel(v) - v * s->out->epsilon +
                 jump_plain_rough(&s->out->plain, v), mean;
    for (size_t i = 0; i < s->out->n_parts; i++)
        sum += s->out->parts[i].count *
               jump_log_sum(&mean, &s->below[i], v);
    return sum;
}

/* F(t) = log D(t) - t eps - log t - log(1 + t), convex, and its slope. */
double jump_sketch_height(const jump_sketch *s, double t, double *slope)
{
    double d = log_d(s, t, slope, false);
    *slope -= s->out->epsilon + 1 / t + 1 / (1 + t);
    return d - t * s->out->epsilon - log(t) - log1p(t);
}

/* Where F was looked at: log t, its value, its slope in log t. */
typedef struct look {
    double x, value, slope;
} look;

static look look_at(const jump_sketch *s, double x)
{
    double slope, t = exp(x), value = jump_sketch_height(s, t, &slope);
    return (look){x, value, slope * t};
}

/* Near the least of F, from *t on; its value. */
double jump_sketch_lowest(const jump_sketch *s, double *t)
{
    look now = look_at(s, log(*t)), a = now, b = now;
    double side = now.slope < 0 ? 1 : -1, step = 0.2;
    for (int i = 0; i < 40 && !(now.slope * side >= 0); i++, step *= 1.6) {
        *(side > 0 ? &a : &b) = now;
        now = look_at(s, now.x + side * step);
        *(side > 0 ? &b : &a) = now;
    }
    for (int i = 0; i < 8 && fabs(now.slope) > LEVEL; i++) {
        double x = a.x + (b.x - a.x) * a.slope / (a.slope - b.slope);
        double inset = 0.02 * (b.x - a.x);
        if (!(x > a.x + inset && x < b.x - inset))
            x = (a.x + b.x) / 2;
        now = look_at(s, x);
        if (now.slope > 0) {
            b = now;
            a.slope /= 2;
        } else {
            a = now;
            b.slope /= 2;
        }
    }
    *t = exp(now.x);
    return isnan(now.value) ? HUGE_VAL : now.value;
}

double jump_right_period(const jump_sketch *s, jump_class *k, double first)
{
    const jump_choice *c = s->out;
    double best = HUGE_VAL;
    for (double a = first; a < 9 * k->saddle; a *= 1.5) {
        double slope, v = k->t + a;
        double size = log_d(s, v, &slope, true) - v * c->epsilon +
                      jump_log_kernel(v) - c->log_goal;
        if (!(size / a < best))
            break;
        best = size / a;
        k->right = a;
    }
    return best;
}

double jump_plain_left_period(const jump_sketch *s, jump_class *k)
{
    static const double shares[] = {0, 0.3, 0.6};
    const jump_choice *c = s->out;
    double best = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        double slope, v = shares[i] * k->t;
        double size = log_d(s, v, &slope, true) - v * c->epsilon +
                      jump_log_kernel(v) - c->log_goal;
        double period = size / (k->t - v);
        if (period < best) {
            best = period;
            k->left = k->t - v;
        }
    }
    return best;
}

/* log of what the rule of jump_log_decay errs by, relatively. */
static double log_rule(const jump_part *p, double alpha)
{
    double h = p->tau / JUMP_MOVED_PER;
    double eta = fmin((pi / 2 - alpha) / p->mu, RULE_HEIGHT * p->tau);
    /* what B adds to it is small where jumps are */
    return log(2) + jump_log_growth(p, eta) - 2 * pi * eta / h;
}

/* A search for the outer end of a class. */
typedef struct class_search {
    const jump_sketch *s;
    double log_s[JUMP_PARTS], log_w[JUMP_PARTS]; /* at u = 0 */
    double rule[JUMP_PARTS]; /* and what it errs by */
    double growth[JUMP_PARTS];
    jump_turned turned[JUMP_PARTS];
} class_search;

/* log of what is left out beyond u. */
static double log_cut(const class_search *o, const jump_class *k, double u)
{
    const jump_choice *c = o->s->out;
    double jumps = 0, below = jump_plain_rough(&c->plain, k->t) +
                              jump_plain_rough_fall(&c->plain, u);
    for (size_t i = 0; i < c->n_parts; i++) {
        double w = jump_log_add(jump_turned_log(&o->turned[i], u),
                       o->log_w[i] + o->rule[i]) + o->growth[i];
        below += c->parts[i].count * o->log_s[i];
        jumps += c->parts[i].count *
                 log1p(exp(fmin(w, o->log_w[i]) - o->log_s[i]));
    }
    return below + jump_log_expm1(jumps) - k->t * c->epsilon -
           log(pi * fmax(u, sqrt(k->t * (k->t + 1))));
}

/* False without memory. */
static bool turn(class_search *o, jump_class *k, double taus, double most)
{
    const jump_choice *c = o->s->out;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        k->alpha[i] = fmin(taus * p->tau * p->mu, most);
        o->rule[i] = log_rule(p, k->alpha[i]);
        o->growth[i] = jump_log_growth(p, k->alpha[i] / p->mu);
        if (!jump_turned_lay(
                &o->turned[i], &o->s->between[i], k->t, k->alpha[i]))
            return false;
    }
    return true;
}

/* How many outer nodes, with the best of some turns; none without memory. */
static double nodes_of(const jump_sketch *s, jump_class *k)
{
    static const double turns[] = {4, 6, 8}, most[] = {0.6, 0.75, 0.9};
    double least = MOST_NODES, goal = s->out->log_goal - SPARE, mean;
    class_search o = {.s = s};
    jump_class trial = *k;
    bool had_memory = true;
    for (size_t i = 0; i < s->out->n_parts; i++) {
        o.log_s[i] = jump_log_sum(&mean, &s->below[i], k->t);
        o.log_w[i] = jump_log_sum(&mean, &s->between[i], k->t);
    }
    for (size_t i = 0; i < sizeof turns / sizeof *turns && had_memory; i++) {
        double high = least, low = 4;
        had_memory = turn(&o, &trial, turns[i], most[i]);
        if (!had_memory || !(log_cut(&o, &trial, high * k->step) < goal))
            continue;
        while (high > CLOSE * low + 1) {
            double middle = floor(sqrt(low * high)) + 1;
            bool is_far = log_cut(&o, &trial, middle * k->step) < goal;
            *(is_far ? &high : &low) = middle;
        }
        least = high;
        for (size_t j = 0; j < s->out->n_parts; j++)
            k->alpha[j] = trial.alpha[j];
    }
    for (size_t j = 0; j < s->out->n_parts; j++)
        jump_turned_free(&o.turned[j]);
    return had_memory ? least : NAN;
}

double jump_sketch_short(double period)
{
    int e;
    double m = frexp(2 * pi / period, &e);
    return ldexp(floor(ldexp(m, 24)), e - 24);
}

/* Of the saddle, how far left of it a tilt may be: digits are lost there, of
 * which powers of many runs have fewer. */
static double lowest_share(const jump_choice *c)
{
    double runs = 0;
    for (size_t i = 0; i < c->n_parts; i++)
        runs += c->parts[i].count;
    return runs > MANY_RUNS ? 0.7 : 0.25;
}

/* Left of the saddle jumps are fewer, less leaks through cuts, and the period
 * is shorter; digits are lost there, and decay takes longer. As far left as
 * terms are that many nats above what a class adds. */
static void choose_tilt(jump_sketch *s, jump_class *k, double raised)
{
    const jump_choice *c = s->out;
    double most =
        fmin(c->log_delta + LOST, k->log_size + raised) + k->log_spread;
    k->t = k->saddle;
    double least = fmax(lowest_share(c) * k->t, 0.2 / c->unit), slope;
    while (k->t > least && jump_sketch_height(s, k->t / 1.2, &slope) < most)
        k->t /= 1.2;
    k->excess = jump_sketch_height(s, k->t, &slope) - k->log_spread -
                c->log_delta;
    /* where much leaks through cuts, not far */
    double right = jump_right_period(s, k, k->saddle / 20);
    double left = jump_left_period(s, k);
    k->step = jump_sketch_short(fmax(fmax(right, left), 1e-3 * c->epsilon));
    k->n_outer = nodes_of(s, k);
    s->no_memory = s->no_memory || isnan(k->n_outer);
}

/* Step and nodes for cuts that have been laid, none where Chernoff's bound is
 * enough. */
bool jump_sketch_step(jump_sketch *s, jump_class *k)
{
    const jump_choice *c = s->out;
    double slope;
    k->t = k->saddle;
    k->n_outer = 0;
    if (log_d(s, k->t, &slope, true) - k->t * c->epsilon +
            jump_log_kernel(k->t) < c->log_goal)
        return true;
    choose_tilt(s, k, RAISED);
    if (k->n_outer > LONG) {
        jump_class lower = *k;
        choose_tilt(s, &lower, RAISED_FAR);
        if (lower.n_outer < k->n_outer)
            *k = lower;
    }
    return k->n_outer < MOST_NODES;
}
