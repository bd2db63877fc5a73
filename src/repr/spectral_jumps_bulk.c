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
#define WHOLE_PER 2    /* of lines without cuts, when built */
#define CLOSE 1.04     /* enough for an outer end */

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
    for (size_t i = 0; i < c->n_parts; i++)
        sum += jump_rough_variance(&c->parts[i]);
    return sum;
}

/* Chernoff's exponent is that of a Gaussian, or more where losses are not that
 * far below. */
double jump_left_period(const jump_sketch *s, jump_class *k)
{
    const jump_choice *c = s->out;
    double goal = c->log_goal, best = HUGE_VAL;
    if (jump_has_added(c)) {
        jump_class known = *k;
        double plain = jump_plain_left_period(s, k);
        double other = jump_known_left_period(s, s->whole, &known);
        if (other < plain)
            *k = known;
        return fmin(plain, other);
    }
    double a = fmax(sqrt(-2 * goal / jump_sketch_variance(c)), 1.5);
    for (int i = 0; i < 2; i++, a *= 2) {
        double sum = jump_plain_rough(&c->plain, -a);
        for (size_t j = 0; j < c->n_parts; j++)
            sum += c->parts[j].count *
                   jump_sketch_moment(&s->whole[j], a, WHOLE_PER);
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
    double share;
    double log_s[JUMP_PARTS], marked[JUMP_PARTS];
} outer_search;

static outer_search search_of(const jump_sketch *s, const jump_class *k)
{
    outer_search o = {.s = s, .share = 1};
    for (size_t i = 0; i < s->out->n_parts; i++) {
        const jump_part *p = &s->out->parts[i];
        double mean;
        o.log_s[i] = jump_log_sum(&mean, &s->below[i], k->t);
        o.marked[i] =
            exp(jump_rough_p(p, k->low[i] * p->tau, p->tau * p->tau) -
                k->t * p->added * log1p(-p->q));
    }
    return o;
}

/* log of what is left out beyond u, with turns for it; see
 * jump_log_decayed. */
static double log_cut(const outer_search *o, jump_class *k, double u)
{
    const jump_choice *c = o->s->out;
    double sum = jump_plain_rough(&c->plain, k->t) +
                 jump_plain_rough_fall(&c->plain, u) - k->t * c->epsilon -
                 log(pi * fmax(u, sqrt(k->t * (k->t + 1))));
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        double v = k->multiple * u;
        double q = (p->removed + p->added) * p->q;
        k->alpha[i] = o->share * fmin(p->mu * p->mu * v * q, 1.3);
        if (p->added > 0) /* where |B|^-t grows little */
            k->alpha[i] =
                fmin(k->alpha[i], sqrt(MOST_LIFT / (p->added * k->t)));
        jump_fall fall =
            jump_log_fall(&o->s->whole[i], k->t, k->alpha[i], v);
        fall.log_fall = spectral_multiple(fall.log_fall, k->multiple);
        double gain =
            exp(k->t * p->removed * log1p(-p->q) - o->log_s[i]) *
            (-exp(fall.log_mass) * expm1(fall.log_fall) -
                2 * o->marked[i]);
        sum += p->count * (o->log_s[i] + (gain > 0 ? log1p(-gain) : 0));
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

/* The outer end, on either side of a Gaussian's; infinite where it is too
 * far. Leaves the share for it. */
static double outer_of(outer_search *o, jump_class *k)
{
    const jump_choice *c = o->s->out;
    double goal = c->log_goal;
    double low = 4 * k->step, high = MOST_NODES * k->step;
    double u = fmax(sqrt(-2 * goal / jump_sketch_variance(c)), low);
    if (!(u < high))
        return HUGE_VAL;
    bool is_far = better_cut(o, k, u) < goal;
    if (!is_far && !(better_cut(o, k, high) < goal))
        return HUGE_VAL;
    *(is_far ? &high : &low) = u;
    while (high > CLOSE * low) {
        double middle = sqrt(low * high);
        is_far = log_cut(o, k, middle) < goal;
        *(is_far ? &high : &low) = middle;
    }
    return high;
}

/* S of all parts on lines that are moved by a height. */
typedef struct moved_search {
    jump_sketch *s;
    jump_turned turned[JUMP_PARTS];
    double rest[JUMP_PARTS], whole[JUMP_PARTS]; /* logarithms */
} moved_search;

/* By so many taus; false where that is too high, or without memory. */
static bool move(moved_search *o, const jump_class *k, double taus)
{
    const jump_choice *c = o->s->out;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        const jump_law *own = &o->s->below[i];
        double eta = taus * p->tau;
        if (!(2 * p->mu * eta < 3))
            return false;
        if (!jump_turned_lay(&o->turned[i], own, k->t, p->mu * eta)) {
            o->s->no_memory = true;
            return false;
        }
        double edge = p->added > 0
                          ? jump_log_lifted(own, k->t, 2 * p->mu * eta)
                          : o->whole[i];
        double rule = edge + jump_log_growth(p, 2 * eta) -
                      2 * pi * eta / own->line.h;
        o->rest[i] =
            jump_log_add(rule, jump_log_rest(own, k->t, 2 * eta)) -
            eta * eta / 2;
    }
    return true;
}

static double log_moved_cut(
    const moved_search *o, const jump_class *k, double taus, double u)
{
    const jump_choice *c = o->s->out;
    double sum = jump_plain_rough(&c->plain, k->t) +
                 jump_plain_rough_fall(&c->plain, u) - k->t * c->epsilon -
                 log(pi * fmax(u, sqrt(k->t * (k->t + 1))));
    for (size_t i = 0; i < c->n_parts; i++) {
        double eta = taus * c->parts[i].tau;
        double one = jump_log_add(
            jump_turned_log(&o->turned[i], u), o->rest[i]) + eta * eta / 2;
        sum += c->parts[i].count * fmin(one, o->whole[i]);
    }
    return sum;
}

/* The outer end by such lines, where it is less than most. */
static double moved_outer(jump_sketch *s, const jump_class *k, double most)
{
    static const double heights[] = {1, 2, 3, 0.5};
    double goal = s->out->log_goal, best = HUGE_VAL;
    moved_search o = {.s = s};
    for (size_t i = 0; i < s->out->n_parts; i++)
        o.whole[i] = jump_log_upper(&s->below[i], k->t);
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        double low = 4 * k->step, high = fmin(best, most);
        if (!move(&o, k, heights[i]) ||
            !(log_moved_cut(&o, k, heights[i], high) < goal))
            continue;
        while (high > CLOSE * low) {
            double middle = sqrt(low * high);
            bool is_far = log_moved_cut(&o, k, heights[i], middle) < goal;
            *(is_far ? &high : &low) = middle;
        }
        best = high;
    }
    for (size_t i = 0; i < s->out->n_parts; i++)
        jump_turned_free(&o.turned[i]);
    return best;
}

static double nodes_of(jump_sketch *s, jump_class *k)
{
    double best = HUGE_VAL, share = 1;
    outer_search o = search_of(s, k);
    jump_class trial = *k;
    double most = s->out->parts[0].mu > 1.1 ? 4 : 1;
    for (trial.multiple = 1; trial.multiple <= most; trial.multiple *= 4) {
        double u = outer_of(&o, &trial);
        if (u < best) {
            best = u;
            share = o.share;
            k->multiple = trial.multiple;
        }
    }
    o.share = share;
    if (best < HUGE_VAL) /* leaves the turns for it */
        (void)log_cut(&o, k, best);
    if (!(best < LONG * k->step)) {
        double u = moved_outer(s, k, fmin(best, MOST_NODES * k->step));
        k->is_moved = u < best;
        best = fmin(u, best);
    }
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
static bool choose_whole(jump_sketch *s, jump_class *k, double tilt)
{
    k->saddle = tilt;
    k->t = lowest_tilt(s, &k->saddle);
    if (!(k->t > 0))
        return false;
    double right = jump_right_period(s, k, k->saddle / 3);
    double left = jump_left_period(s, k);
    k->step = jump_sketch_short(fmax(right, left));
    k->n_outer = nodes_of(s, k);
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
    trial.is_bulk = s->is_whole = true;
    for (size_t i = 0; i < c->n_parts && !s->no_memory; i++) {
        trial.low[i] = k->high[i];
        s->no_memory = !jump_lay_below(&s->below[i], &c->parts[i],
            c->parts[i].count > MANY ? 2 : 1, c->from[i], k->high[i]);
    }
    bool found = !s->no_memory && choose_whole(s, &trial, tilt);
    s->is_whole = false;
    if (found)
        *k = trial;
    return found;
}
