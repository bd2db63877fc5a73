/*
 * The parts of a plan in doubles, a node a tau, and the highest cuts.
 */
#include "spectral_jumps_moved.h"
#include "spectral_jumps_sketch.h"

#define DIGITS 25      /* nats below delta that are aimed at */
#define MORE_DIGITS 6
#define MOST_TAUS 5000 /* that a line may be long */
#define TOP_STEPS 80   /* of a cut above epsilon */
#define TOP_FACTOR 1.04
#define TOP_TAUS 60
#define TOP_PER 1

/* What was sampled stands out: from this mu on, and that times -log delta. */
#define FAR_MU 0.7
#define FAR_NATS 30

/* ---- Parts ------------------------------------------------------------- */

/* A share of the unit in loss, a quarter in noise at most; short. What leaks
 * through a cut grows like e^(t l), and t epsilon with -log delta. */
static void set_tau(jump_part *p, double unit, double log_delta)
{
    double share = fmin(0.13, -3 / log_delta);
    double ratio = jump_point_at(p, jump_where(p, unit)).ratio;
    double tau = fmin(fmin(0.25, JUMP_MOVED_TAU / p->mu),
        share * unit / (p->mu * ratio));
    int e;
    double m = frexp(tau / NORMAL_STEPS, &e);
    p->tau = NORMAL_STEPS * ldexp(floor(ldexp(m, 12)), e - 12);
}

bool jump_is_far(const jump_choice *c, const jump_part *p)
{
    return p->mu > fmax(FAR_MU, FAR_NATS / -c->log_delta);
}

/* Where what was sampled stands out, or others may lose much, the top may be
 * where nothing matters by its mass alone. */
static bool may_end(const jump_sketch *s)
{
    return s->is_far || jump_has_added(s->out);
}

/* Where nothing matters any more, by its mass alone. */
static double end_of(const jump_sketch *s, const jump_part *p)
{
    if (!may_end(s))
        return HUGE_VAL;
    double nats = fmax(log(p->count) - s->out->log_goal, 1);
    return jump_last(p, nats) * sqrt(1 + p->tau * p->tau);
}

/* Where a loss is, or all ends. */
static double reach_of(const jump_sketch *s, const jump_part *p, double lost)
{
    return fmin(jump_where(p, lost), end_of(s, p));
}

bool jump_sketch_lay(jump_sketch *s, const spectral_parts *parts)
{
    jump_choice *c = s->out;
    c->plain = jump_plain_of(parts);
    for (size_t i = 0; i < parts->n; i++) {
        const spectral_part *from = &parts->items[i];
        if (jump_is_plain(from))
            continue;
        jump_part *p = &c->parts[c->n_parts++];
        *p = jump_part_of(from);
        s->is_far = s->is_far || jump_is_far(c, p);
    }
    c->unit = fmax(c->epsilon, sqrt(jump_sketch_variance(c)));
    /* where epsilon is less than a deviation, delta hardly depends on it */
    c->log_goal = c->log_delta - DIGITS -
                  fmin(log(c->unit / c->epsilon), MORE_DIGITS);
    for (size_t i = 0; i < c->n_parts; i++) {
        jump_part *p = &c->parts[i];
        set_tau(p, c->unit, c->log_delta);
        if (!(p->tau > 1e-4))
            return false;
        c->from[i] =
            -ceil(-jump_first(p, 40 + log(p->count)) / p->tau);
        double to = ceil(reach_of(s, p, c->unit) / p->tau) + TOP_TAUS;
        if (!(to - c->from[i] < MOST_TAUS))
            return false;
        if (!jump_line_lay(&s->whole[i], p, TOP_PER, c->from[i], to)) {
            s->no_memory = true;
            return false;
        }
    }
    return true;
}

/* ---- The top ----------------------------------------------------------- */

/* log of what is marked above the cuts at this loss and yet ends below
 * epsilon. */
static double log_top_rest(
    const jump_sketch *s, double lost, double a, double moments)
{
    double jumps = DBL_MIN;
    for (size_t i = 0; i < s->out->n_parts; i++) {
        const jump_part *p = &s->out->parts[i];
        double at = jump_where(p, lost), cut = ceil(at / p->tau);
        if (!(at < end_of(s, p)))
            continue;
        jumps += p->count * exp(jump_log_marked(&s->whole[i], cut, a));
    }
    return jump_log_kernel(a - 1) + a * s->out->epsilon + moments +
           log(jumps);
}

/* The loss of the m-th cut that is tried. */
static double top_loss(const jump_choice *c, double m)
{
    return c->epsilon + c->unit * (pow(TOP_FACTOR, m) - 1);
}

bool jump_sketch_top(jump_sketch *s)
{
    jump_choice *c = s->out;
    double best = TOP_STEPS, spread = sqrt(jump_sketch_variance(c));
    double first = c->unit > 2 * spread ? 16 : 6;
    for (double a = first; a < 5 * first; a *= 2) {
        double shift = fmax(a / c->unit, 1.5);
        double moments = jump_plain_rough(&c->plain, -shift);
        for (size_t i = 0; i < c->n_parts; i++)
            moments += c->parts[i].count *
                       jump_log_moment(&s->whole[i], shift);
        double low = 0, high = best;
        while (high - low > 1) {
            double middle = floor((low + high) / 2);
            double lost = top_loss(c, middle);
            bool is_enough =
                log_top_rest(s, lost, shift, moments) < c->log_goal;
            *(is_enough ? &high : &low) = middle;
        }
        if (high < best) {
            best = high;
            c->top_shift = shift;
        }
    }
    double lost = best < TOP_STEPS ? top_loss(c, best) : HUGE_VAL;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        c->top[i] = ceil(reach_of(s, p, lost) / p->tau);
        c->ends[i] = !(jump_where(p, lost) < end_of(s, p));
    }
    return best < TOP_STEPS || may_end(s);
}
