/*
 * The parts of a plan in doubles, a node a tau, and the highest cuts.
 */
#include "num/exp_sums.h"
#include "spectral_jumps_left.h"
#include "spectral_jumps_moved.h"
#include "spectral_jumps_sketch.h"

#define DIGITS 25      /* nats below delta that are aimed at, at most */
#define MORE_DIGITS 6
#define MOST_TAUS 5000 /* that a line may be long */
#define TOP_STEPS 80   /* of a cut above epsilon */
#define TOP_FACTOR 1.04
#define TOP_TAUS 60
#define TOP_PER 1
#define REST_PER 3     /* of what is above the top */
#define MARK_REACH 40
#define READ_AT 1.04   /* of epsilon: as far as what is above grows little */
#define TAU_SHARE 0.25 /* over the slope at a cut, see set_tau */
#define TAU_LEAST 0.33 /* in y */
#define OFTEN 0.05     /* of records, in a run */
#define LEFT_DEPTH 40  /* nats of what is left of all nodes */
#define LEFT_CELLS 4
#define LEFT_NATS 9
#define LEFT_RATIO 0.8

/* What was sampled stands out: from this mu on, and that times -log delta. */
#define FAR_MU 0.7
#define FAR_NATS 30

/* ---- Parts ------------------------------------------------------------- */

bool jump_is_far(const jump_choice *c, const jump_part *p)
{
    return p->mu > fmax(FAR_MU, FAR_NATS / -c->log_delta);
}

/* By how much log(phi w^(t+1)) rises to the left of the cut of all that was
 * sampled, at a tilt that is left of the saddle the more the greater delta. */
static double slope_at_cut(const jump_part *p, const jump_choice *c)
{
    double lost = fmin(JUMP_FAR_LOSS, JUMP_FAR_SHARE * c->unit);
    double x = jump_where(p, lost), r = jump_point_at(p, x).ratio;
    double t = fmax(-c->log_delta - LEFT_NATS, 0) / c->unit;
    return x - (t + 1) * p->mu * LEFT_RATIO * r;
}

/* A share of the unit in loss, a quarter in noise at most; short. What leaks
 * through a cut grows like e^(t l), and t epsilon with -log delta. Where a law
 * rises to the left of its cut, the more of it is there the longer taus are. */
static void set_tau(jump_part *p, const jump_choice *c)
{
    double share = fmin(0.13, -3 / c->log_delta), unit = c->unit;
    double ratio = jump_point_at(p, jump_where(p, unit)).ratio;
    double most = fmin(0.25, JUMP_MOVED_TAU / p->mu);
    if (jump_is_far(c, p))
        most = fmin(most, fmax(TAU_SHARE / fmax(slope_at_cut(p, c), 1e-3),
                              TAU_LEAST / p->mu));
    double tau = fmin(most, share * unit / (p->mu * ratio));
    int e;
    double m = frexp(tau / NORMAL_STEPS, &e);
    p->tau = NORMAL_STEPS * ldexp(floor(ldexp(m, 12)), e - 12);
}

/* Where what was sampled stands out, or others may lose much, the top may be
 * where nothing matters by its mass alone; and of parts that are unlike, one
 * whose losses are small ends long before those of another are epsilon. */
static bool may_end(const jump_sketch *s)
{
    return s->is_far || jump_has_added(s->out) || s->out->n_parts > 1;
}

/* Where nothing matters any more, by its mass alone. */
static double end_of(const jump_sketch *s, const jump_part *p)
{
    if (!may_end(s))
        return HUGE_VAL;
    double nats = fmax(log(p->count) - s->out->log_goal, 1);
    return jump_last(p, nats) * sqrt(1 + p->tau * p->tau);
}

/* Nodes begin where so little is left of them that it does not matter even on
 * the edge of moved lines, where it grows by e^8: what is_tight of
 * spectral_jumps_bulk.c asks for. Where records are added it is counted by
 * cells with their greater ends. */
static double left_nats(const jump_part *p)
{
    return p->added > 0 ? LEFT_DEPTH + LEFT_CELLS : LEFT_DEPTH;
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
    double nats = DIGITS + fmin(log(c->unit / c->epsilon), MORE_DIGITS);
    c->log_goal = c->log_delta - (s->nats > 0 ? fmin(s->nats, nats) : nats);
    for (size_t i = 0; i < c->n_parts; i++) {
        jump_part *p = &c->parts[i];
        set_tau(p, c);
        if (!(p->tau > 1e-4))
            return false;
        c->from[i] =
            -ceil(-jump_first(p, left_nats(p) + log(p->count)) / p->tau);
        double to = ceil(reach_of(s, p, c->unit) / p->tau) + TOP_TAUS;
        /* Losses below the rounding of their sums have no place: it may be
         * found anywhere, also left of the line. */
        if (!(to > c->from[i] && to - c->from[i] < MOST_TAUS))
            return false;
        if (!jump_line_lay(&s->whole[i], p, TOP_PER, c->from[i], to)) {
            s->no_memory = true;
            return false;
        }
    }
    return true;
}

/* ---- The top ----------------------------------------------------------- */

double jump_sketch_moment(const jump_line *line, double a, double per)
{
    const jump_part *p = line->part;
    if (p->removed * p->q > OFTEN) /* cells are steep to the left */
        return jump_log_moment(line, a);
    exp_moments m = exp_tilted(line->height, line->loss, line->n, 1 - a);
    return fmax(m.top + log(m.sum), 0) * exp(2 * p->mu * p->tau / per);
}

/* log E_Q[w^(1-a) (1 - s_c)], from some taus left of the cut on; line->more
 * receives what is summed. */
static double log_marked(jump_line *line, double cut, double a)
{
    double at = cut - line->first, start = at - MARK_REACH;
    size_t from = start > 0 ? (size_t)start : 0;
    if (!(from < line->n))
        return -HUGE_VAL;
    for (size_t i = from; i < line->n; i++)
        line->more[i] =
            line->height[i] + jump_sketch_mark(at - (double)i - 0.5);
    exp_moments m = exp_tilted(
        line->more + from, line->loss + from, line->n - from, 1 - a);
    return m.top + log(m.sum);
}

/* log of what is marked above the cuts at this loss and yet ends below
 * epsilon. */
static double log_top_rest(
    jump_sketch *s, double lost, double a, double moments)
{
    double jumps = DBL_MIN;
    for (size_t i = 0; i < s->out->n_parts; i++) {
        const jump_part *p = &s->out->parts[i];
        double at = jump_where(p, lost), cut = ceil(at / p->tau);
        if (!(at < end_of(s, p)))
            continue;
        jumps += p->count * exp(log_marked(&s->whole[i], cut, a));
    }
    return jump_log_kernel(a - 1) + a * READ_AT * s->out->epsilon +
           moments + log(jumps);
}

/* The loss of the m-th cut that is tried. */
static double top_loss(const jump_choice *c, double m)
{
    return c->epsilon + c->unit * (pow(TOP_FACTOR, m) - 1);
}

/* ---- Where records are added ------------------------------------------- */

#define ADDED_FACTOR 1.12
#define LEAST_SHIFT 6   /* over what cuts are above epsilon */
#define MOST_SHIFT 100

static double added_loss(const jump_choice *c, double m)
{
    return c->epsilon + c->unit * (pow(ADDED_FACTOR, m) - 0.5);
}

/* Cuts at this loss, places left of which little is, and the best exponent:
 * true where what ends below epsilon does not matter. */
static bool try_added_top(jump_sketch *s, double lost)
{
    jump_choice *c = s->out;
    double reach = lost - c->epsilon;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        double end = ceil(end_of(s, p) / p->tau);
        c->top[i] = fmin(ceil(jump_where(p, lost) / p->tau), end);
        c->ends[i] = !(c->top[i] < end);
    }
    double marked = jump_rough_marked(c, c->top, c->ends);
    double nats = marked + c->epsilon - c->log_goal + 1 +
                  log((double)c->n_parts);
    if (!jump_left_places(c->left, c, nats))
        return false;
    for (double g = LEAST_SHIFT; g < MOST_SHIFT; g *= 1.6) {
        double a = 1 + fmax(g / reach, 0.01);
        double rest = jump_left_log_near(c, s->whole, c->left, c->top,
                          c->ends, a) + jump_log_kernel(a - 1) +
                      a * c->epsilon + jump_plain_rough(&c->plain, -a);
        c->top_shift = a;
        if (rest < c->log_goal)
            return true;
    }
    return false;
}

/* The lowest of such cuts; where there are none, or a part ends before, cuts
 * above which nothing matters. */
static void choose_added_top(jump_sketch *s)
{
    jump_choice *c = s->out;
    double low = -1, high = TOP_STEPS;
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        *(try_added_top(s, added_loss(c, middle)) ? &high : &low) = middle;
    }
    bool found = high < TOP_STEPS && try_added_top(s, added_loss(c, high));
    bool all_end = true;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        if (!found) {
            c->top[i] = ceil(end_of(s, p) / p->tau);
            c->ends[i] = true;
        }
        all_end = all_end && c->ends[i];
    }
    c->top_shift = all_end ? 0 : c->top_shift;
}

bool jump_sketch_top(jump_sketch *s)
{
    jump_choice *c = s->out;
    for (size_t i = 0; i < c->n_parts; i++)
        c->left[i] = c->from[i];
    if (jump_has_added(c)) {
        choose_added_top(s);
        return true;
    }
    double best = TOP_STEPS, spread = sqrt(jump_sketch_variance(c));
    double first = c->unit > 2 * spread ? 16 : 6;
    for (double a = first; a < 5 * first; a *= 2) {
        double shift = fmax(a / c->unit, 1.5);
        double moments = jump_plain_rough(&c->plain, -shift);
        for (size_t i = 0; i < c->n_parts; i++)
            moments += c->parts[i].count *
                       jump_sketch_moment(&s->whole[i], shift, REST_PER);
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
