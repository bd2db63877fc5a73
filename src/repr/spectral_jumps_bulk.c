/*
 * A contour for all that is below the cuts, in doubles: left aliases are
 * known, so that its tilt may be as low as digits allow, and its period as
 * short as losses reach.
 */
#include "spectral_jumps_moved.h"
#include "spectral_jumps_sketch.h"
#include "spectral_part.h"

static const double pi = 3.14159265358979323846;

#define MOST_LOST 7    /* nats of terms above delta: digits that are lost */
#define FEWER_LOST 3   /* where they are few: noise beside little noise */
#define MU_LARGE 1.9
#define READ_AT 1.2    /* of epsilon: as far as a contour is read */
#define LEFT_STEPS 60  /* that a tilt is sought for */
#define MOST_LEAK 34   /* nats below S that may leak through cuts */
#define MANY 1e6       /* runs for which a node a tau is too coarse */
#define MOST_TURN 2    /* radians from node to node */
#define MOST_NODES 400 /* outer ones */
#define LONG 200       /* from so many on moved lines are tried */
#define MOST_PAIRS 3.5e5
#define NODE_PAIRS 160 /* what it costs to make an inner node */
#define MOST_LIFT 40   /* nats, times 8 */

/* Whether what leaks through the ends of cuts, on the moved line, does not
 * matter. */
static bool is_tight(const jump_sketch *s, double t)
{
    for (size_t i = 0; i < s->out->n_parts; i++) {
        const jump_part *p = &s->out->parts[i];
        double rest = jump_log_rest(
            &s->below[i], t, JUMP_MOVED_EDGE * p->tau), mean;
        if (!(rest + log(p->count) <
                jump_log_sum(&mean, &s->below[i], t) - MOST_LEAK))
            return false;
    }
    return true;
}

static double most_lost(const jump_choice *c)
{
    double mu = 0;
    for (size_t i = 0; i < c->n_parts; i++)
        mu = fmax(mu, c->parts[i].mu);
    return c->plain.rough > 0 && mu > MU_LARGE ? FEWER_LOST : MOST_LOST;
}

/* A tilt that loses no more digits than allowed, but no less than a share of
 * the saddle if that is tight; 0 if there is none. */
static double lowest_tilt(const jump_sketch *s, double *saddle)
{
    double most = s->out->log_delta + log(s->out->unit) + most_lost(s->out);
    double slope;
    if (!(jump_sketch_lowest(s, saddle) < most))
        return 0;
    double t = *saddle, least = fmax(t / 4, 0.2 / s->out->unit);
    for (int i = 0; i < LEFT_STEPS && (t > least || !is_tight(s, t)) &&
                    jump_sketch_height(s, t / 1.2, &slope) < most; i++)
        t /= 1.2;
    return is_tight(s, t) ? t : 0;
}

double jump_sketch_variance(const jump_choice *c)
{
    double sum = c->plain.rough;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        double q = (p->removed + p->added) * p->q;
        sum += p->count * q * q * expm1(fmin(p->mu * p->mu, 9));
    }
    return sum;
}

/* Chernoff's exponent is that of a Gaussian, or more where losses are not that
 * far below. */
double jump_left_period(
    const jump_sketch *s, const jump_line *whole, jump_class *k)
{
    const jump_choice *c = s->out;
    double goal = c->log_goal, best = HUGE_VAL;
    if (jump_has_added(c))
        return jump_plain_left_period(s, k);
    double a = fmax(sqrt(-2 * goal / jump_sketch_variance(c)), 1.5);
    for (int i = 0; i < 2; i++, a *= 2) {
        double sum = jump_plain_rough(&c->plain, -a);
        for (size_t j = 0; j < c->n_parts; j++)
            sum += c->parts[j].count * jump_log_moment(&whole[j], a);
        double period = (sum + a * READ_AT * c->epsilon +
                            jump_log_kernel(a - 1) - goal) / (k->t + a);
        if (period < best) {
            best = period;
            k->left = k->t + a;
        }
    }
    return best;
}

/* A search for the outer end, with turns of that share of what is best for a
 * narrow law. */
typedef struct outer_search {
    const jump_sketch *s;
    const jump_line *whole;
    double share;
} outer_search;

/* log of what is left out beyond u, with turns for it. */
static double log_cut(const outer_search *o, jump_class *k, double u)
{
    const jump_choice *c = o->s->out;
    double sum = jump_plain_rough(&c->plain, k->t) +
                 jump_plain_rough_fall(&c->plain, u) - k->t * c->epsilon -
                 log(pi * fmax(u, sqrt(k->t * (k->t + 1)))), mean;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        double v = k->multiple * u;
        if (k->is_moved) {
            sum += p->count * jump_log_below(&o->s->below[i], k->t, u);
            continue;
        }
        double q = (p->removed + p->added) * p->q;
        k->alpha[i] = o->share * fmin(p->mu * p->mu * v * q, 1.3);
        if (p->added > 0) /* where |B|^-t grows little */
            k->alpha[i] =
                fmin(k->alpha[i], sqrt(MOST_LIFT / (p->added * k->t)));
        jump_fall fall =
            jump_log_fall(&o->whole[i], k->t, k->alpha[i], v);
        fall.log_fall = spectral_multiple(fall.log_fall, k->multiple);
        sum += p->count *
               jump_log_decayed(p, k->low[i], k->t,
                   jump_log_sum(&mean, &o->s->below[i], k->t), fall);
    }
    return sum;
}

/* The better of two shares: large turns may cost more than they gain. */
static double better_cut(outer_search *o, jump_class *k, double u)
{
    o->share = 0.5;
    double half = log_cut(o, k, u);
    o->share = 1;
    double whole = log_cut(o, k, u);
    if (half < whole)
        o->share = 0.5;
    return fmin(half, whole);
}

/* The outer end, from a Gaussian's on; infinite where it is too far. */
static double outer_of(outer_search *o, jump_class *k)
{
    const jump_choice *c = o->s->out;
    double goal = c->log_goal;
    double least = 4 * k->step, most = MOST_NODES * k->step;
    double u = fmax(sqrt(-2 * goal / jump_sketch_variance(c)), least);
    if (!(u < most))
        return HUGE_VAL;
    if (better_cut(o, k, u) < goal) {
        while (u / 1.2 > least && log_cut(o, k, u / 1.2) < goal)
            u /= 1.2;
        return u;
    }
    if (!(better_cut(o, k, most) < goal))
        return HUGE_VAL;
    do
        u *= 1.2;
    while (u < most && !(better_cut(o, k, u) < goal));
    return fmin(u, most);
}

static double nodes_of(
    const jump_sketch *s, const jump_line *whole, jump_class *k)
{
    double best = HUGE_VAL, share = 1;
    jump_class trial = *k;
    double most = s->out->parts[0].mu > 1.1 ? 4 : 1;
    for (trial.multiple = 1; trial.multiple <= most; trial.multiple *= 4) {
        outer_search o = {s, whole, 1};
        double u = outer_of(&o, &trial);
        if (u < best) {
            best = u;
            share = o.share;
            k->multiple = trial.multiple;
        }
    }
    trial.is_moved = !(best < LONG * k->step);
    if (trial.is_moved) {
        outer_search o = {s, whole, 1};
        double u = outer_of(&o, &trial);
        k->is_moved = u < best;
        best = fmin(u, best);
    }
    if (best < HUGE_VAL) /* leaves the turns for it */
        (void)log_cut(&(outer_search){s, whole, share}, k, best);
    return ceil(best / k->step);
}

/* How many nodes the bulk takes, of a part: no node turns by more than a few
 * radians up to where it ends, which is where a jump is rare. */
static double inner_nodes(const jump_sketch *s, const jump_class *k, size_t i)
{
    const jump_part *p = &s->out->parts[i];
    const jump_law *below = &s->below[i];
    double gap = jump_rare_gap(below, k->t, p->count, JUMP_RARE);
    double x = (below->cut - gap + 3) * p->tau, per = 2;
    double turn = k->n_outer * k->step * p->mu * p->tau *
                  jump_point_at(p, x).ratio;
    while (turn > MOST_TURN * per)
        per *= 2;
    return per * ((double)below->line.n / below->line.per - gap);
}

/* With lines that have been laid. */
static bool choose_whole(
    jump_sketch *s, const jump_line *whole, jump_class *k, double tilt)
{
    k->saddle = tilt;
    k->t = lowest_tilt(s, &k->saddle);
    if (!(k->t > 0))
        return false;
    double right = jump_right_period(s, k, k->saddle / 3);
    double left = jump_left_period(s, whole, k);
    k->step = jump_sketch_short(fmax(right, left));
    k->n_outer = nodes_of(s, whole, k);
    k->log_size = s->out->log_delta;
    s->out->bulk_shift = k->saddle;
    double inner = 0;
    for (size_t i = 0; i < s->out->n_parts; i++)
        inner += inner_nodes(s, k, i);
    double cost = inner * (k->n_outer + NODE_PAIRS);
    bool found = k->n_outer < MOST_NODES && cost < MOST_PAIRS;
    if (found)
        s->out->cost += cost;
    return found;
}

bool jump_sketch_whole(jump_sketch *s, jump_class *k, double tilt)
{
    const jump_choice *c = s->out;
    jump_class trial = *k;
    jump_line whole[JUMP_PARTS] = {{0}};
    trial.is_bulk = s->is_whole = true;
    for (size_t i = 0; i < c->n_parts && !s->no_memory; i++) {
        trial.low[i] = k->high[i];
        s->no_memory =
            !jump_lay_whole(&whole[i], &c->parts[i], c->from[i]) ||
            !jump_lay_below(&s->below[i], &c->parts[i],
                c->parts[i].count > MANY ? 2 : 1, c->from[i], k->high[i]);
    }
    bool found = !s->no_memory && choose_whole(s, whole, &trial, tilt);
    for (size_t i = 0; i < c->n_parts; i++)
        jump_line_free(&whole[i]);
    s->is_whole = false;
    if (found)
        *k = trial;
    return found;
}
