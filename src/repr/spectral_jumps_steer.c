/*
 * Cuts from the top down, until what is below them does not matter.
 */
#include "spectral_jumps_steer.h"

#include "spectral_jumps_moved.h"
#include "spectral_jumps_sketch.h"

static const double pi = 3.14159265358979323846;

/* Of the class of all that was sampled: what it may be above delta by, in nats;
 * how much lower its cut may be, in taus, and how many more outer nodes it may
 * have then, as there is no other class. */
#define FAR_ROOM 8
#define FAR_LOWER 6
#define FAR_MORE 1.3
#define FAR_CLASS 200
#define FAR_LONG 3000

/* Where epsilon is sought: a jump that is no more than noise, in deviations. */
#define ROUGH_SHARE 1.5

/* ---- Classes ----------------------------------------------------------- */

static bool lay_cuts(jump_sketch *s, const jump_class *k)
{
    for (size_t i = 0; i < s->out->n_parts; i++) {
        const jump_part *p = &s->out->parts[i];
        if (!jump_lay_below(
                &s->below[i], p, 1, s->out->from[i], k->low[i]) ||
            !jump_lay_between(
                &s->between[i], p, 1, k->low[i], k->high[i])) {
            s->no_memory = true;
            return false;
        }
    }
    return true;
}

/* The part whose upper cut is at the greatest loss. */
static size_t greatest_of(const jump_choice *c, const jump_class *k)
{
    size_t best = 0;
    double most = -HUGE_VAL;
    for (size_t i = 0; i < c->n_parts && c->n_parts > 1; i++) {
        const jump_part *p = &c->parts[i];
        double l = jump_loss_at(p, k->high[i] * p->tau);
        if (l > most) {
            most = l;
            best = i;
        }
    }
    return best;
}

/* Lower cuts by so many taus of that part, or where losses are that much
 * smaller, and as much in loss of the others. */
static void set_low(const jump_choice *c, jump_class *k, double taus)
{
    size_t at = greatest_of(c, k);
    const jump_part *first = &c->parts[at];
    double high = k->high[at], most = jump_loss_at(first, high * first->tau);
    double share = most > 0 ? most * exp(-0.13 * taus) : -HUGE_VAL;
    double low = high - taus;
    if (share > 0 && jump_where(first, share) > low * first->tau)
        low = fmin(ceil(jump_where(first, share) / first->tau), high - 2);
    double lost = jump_loss_at(first, low * first->tau);
    k->low[at] = low;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        if (i == at)
            continue;
        /* losses of this part may all be greater */
        double cut = fmax(floor(jump_where(p, lost) / p->tau), c->from[i]);
        k->low[i] = cut < k->high[i] ? cut : k->high[i] - 1;
    }
}

double jump_sketch_log_spread(const jump_sketch *s, double tilt)
{
    double slope, more;
    (void)jump_sketch_height(s, tilt, &slope);
    (void)jump_sketch_height(s, tilt * 1.02, &more);
    double curve = fmax((more - slope) / (0.02 * tilt), 1e-300);
    return log(2 * pi * curve) / 2;
}

/* The widest class that starts near delta, with roughly what it adds. */
static bool choose_class(jump_sketch *s, jump_class *k, double *tilt)
{
    static const double widths[] = {14, 10, 7, 5, 3, 2};
    double goal = s->out->log_delta + JUMP_ROOM - 1;
    k->log_size = HUGE_VAL;
    for (size_t i = 0; i < 6 && !(k->log_size < goal); i++) {
        set_low(s->out, k, widths[i]);
        if (!lay_cuts(s, k))
            return false;
        double size = jump_sketch_lowest(s, tilt);
        k->log_spread = jump_sketch_log_spread(s, *tilt);
        k->log_size = size - k->log_spread;
    }
    k->saddle = *tilt;
    return k->log_size < HUGE_VAL;
}

static double cost_of(const jump_sketch *s, const jump_class *k)
{
    double nodes = 0;
    for (size_t i = 0; i < s->out->n_parts; i++)
        nodes += 3.0 * (double)(s->below[i].line.n + s->between[i].line.n);
    return nodes * k->n_outer;
}

/* Whether what is below all cuts does not matter any more. */
static bool is_bulk_small(jump_sketch *s, double tilt)
{
    double last = HUGE_VAL, size = 0x1p1000;
    for (double v = tilt; size < last; v *= 1.5) {
        last = size;
        size = jump_sketch_log_bulk(s, v);
        s->out->bulk_shift = v;
        if (size < s->out->log_goal)
            return true;
    }
    return false;
}

/* Cuts and saddles; with steps; and what is below on one contour. */
typedef enum choosing { ROUGHLY, WITH_STEPS, WITH_WHOLE } choosing;

#define MU_LARGE 1.9
#define MANY_RUNS 1e5
#define MU_HUGE 2.7

/* Few runs of little noise decay too slowly for one contour, and any of next to
 * none, unless there is noise beside them. */
static bool may_be_whole(const jump_choice *c)
{
    double runs = 0, mu = 0;
    if (c->plain.rough > 0)
        return true;
    for (size_t i = 0; i < c->n_parts; i++) {
        runs += c->parts[i].count;
        mu = fmax(mu, c->parts[i].mu);
    }
    return mu < MU_LARGE || (mu < MU_HUGE && runs > MANY_RUNS);
}

/* Cuts of that class at a loss, and so many taus lower. */
static bool set_far_low(
    const jump_choice *c, jump_class *k, double lost, double taus)
{
    bool found = true;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        k->low[i] = jump_is_far(c, p)
                        ? floor(jump_where(p, lost) / p->tau) - taus
                        : k->high[i] - 1;
        found = found && k->low[i] < k->high[i];
    }
    return found;
}

/* Where noise is so little that a record that was sampled stands out: all
 * jumps of such, and next to none of other parts, with a cut that is lower by
 * so many taus. */
static bool choose_far(jump_sketch *s, jump_class *k, double *tilt,
    double room, double taus)
{
    const jump_choice *c = s->out;
    double lost = fmin(JUMP_FAR_LOSS, JUMP_FAR_SHARE * c->epsilon);
    if (!set_far_low(c, k, lost, taus) || !lay_cuts(s, k))
        return false;
    double size = jump_sketch_lowest(s, tilt);
    k->log_spread = jump_sketch_log_spread(s, *tilt);
    k->log_size = size - k->log_spread;
    k->saddle = *tilt;
    return k->log_size < c->log_delta + room;
}

/* A lower cut for the class of all that was sampled, below which nothing
 * matters, where that costs less than another class. */
static bool choose_lower(jump_sketch *s, jump_class *k, double tilt)
{
    jump_choice *c = s->out;
    jump_class lower = *k;
    double lost = fmin(JUMP_FAR_LOSS, JUMP_FAR_SHARE * c->epsilon), taus = 0;
    bool found = false;
    while (!found && taus < FAR_LOWER) {
        (void)set_far_low(c, &lower, lost, ++taus);
        for (size_t i = 0; i < c->n_parts && !s->no_memory; i++)
            s->no_memory = !jump_lay_below(&s->below[i], &c->parts[i], 1,
                c->from[i], lower.low[i]);
        found = !s->no_memory && is_bulk_small(s, tilt);
    }
    found = found && choose_far(s, &lower, &tilt, FAR_ROOM, taus) &&
            jump_sketch_step(s, &lower) &&
            lower.n_outer <
                fmin(FAR_MORE * k->n_outer + FAR_CLASS, FAR_LONG);
    if (found)
        *k = lower;
    return found;
}

/* Roughly all that is below the cuts, where noise beside it may make epsilon
 * alone; false where jumps may matter more. */
static bool add_rough_whole(jump_sketch *s, jump_class *k, double *tilt)
{
    jump_choice *c = s->out;
    double most = jump_loss_at(&c->parts[0], k->high[0] * c->parts[0].tau);
    if (!(most < ROUGH_SHARE * sqrt(c->plain.rough)))
        return false;
    for (size_t i = 0; i < c->n_parts; i++) {
        k->low[i] = k->high[i];
        if (!jump_lay_below(
                &s->below[i], &c->parts[i], 1, c->from[i], k->low[i])) {
            s->no_memory = true;
            return false;
        }
    }
    s->is_whole = true;
    double size = jump_sketch_lowest(s, tilt);
    k->log_spread = jump_sketch_log_spread(s, *tilt);
    s->is_whole = false;
    k->log_size = size - k->log_spread;
    k->saddle = *tilt;
    c->classes[c->n++] = *k;
    return true;
}

/* From the top down. */
static bool choose_classes(jump_sketch *s, choosing how)
{
    jump_choice *c = s->out;
    double tilt = fmax(-c->log_delta / c->epsilon / 4, 1e-3);
    jump_class k = {.t = 0};
    for (size_t i = 0; i < c->n_parts; i++)
        k.high[i] = k.low[i] = c->top[i];
    if (how == WITH_WHOLE && !may_be_whole(c))
        how = WITH_STEPS;
    while (c->n < JUMP_CLASSES) {
        if (how == WITH_WHOLE && jump_sketch_whole(s, &k, tilt)) {
            c->classes[c->n++] = k;
            return true;
        }
        if (how == ROUGHLY && c->plain.rough > 0 &&
            add_rough_whole(s, &k, &tilt))
            return true;
        if (s->is_far && c->n == 0)
            c->is_far = choose_far(
                s, &k, &tilt, how == ROUGHLY ? HUGE_VAL : FAR_ROOM, 0);
        bool found = (c->is_far && c->n == 0) || choose_class(s, &k, &tilt);
        if (!found ||
            (how != ROUGHLY && !jump_sketch_step(s, &k)))
            return false;
        c->classes[c->n++] = k;
        c->cost += cost_of(s, &k);
        bool is_all = how == ROUGHLY && c->is_far && c->plain.rough == 0;
        if (is_all || is_bulk_small(s, tilt))
            return true;
        if (how != ROUGHLY && c->is_far && c->n == 1 &&
            choose_lower(s, &c->classes[0], tilt)) {
            c->cost = cost_of(s, &c->classes[0]);
            return true;
        }
        for (size_t i = 0; i < c->n_parts; i++)
            k.high[i] = k.low[i];
    }
    return false;
}

bool jump_has_added(const jump_choice *c)
{
    bool found = false;
    for (size_t i = 0; i < c->n_parts; i++)
        found = found || c->parts[i].added > 0;
    return found;
}

void jump_sketch_free(jump_sketch *s)
{
    for (size_t i = 0; i < s->out->n_parts; i++) {
        jump_line_free(&s->whole[i]);
        jump_line_free(&s->below[i].line);
        jump_line_free(&s->between[i].line);
    }
}

static bool choose_at(jump_choice *out, const spectral_parts *parts,
    double epsilon, double log_delta, double nats, choosing how,
    bool *no_memory)
{
    jump_sketch s = {.out = out, .nats = nats};
    *out = (jump_choice){.epsilon = epsilon, .log_delta = log_delta};
    bool found = jump_sketch_lay(&s, parts) && jump_sketch_top(&s) &&
                 choose_classes(&s, how);
    jump_sketch_free(&s);
    *no_memory = s.no_memory;
    return found && !s.no_memory;
}

bool jump_choose(jump_choice *out, const spectral_parts *parts,
    double epsilon, double log_delta, double nats, bool *no_memory)
{
    return choose_at(
        out, parts, epsilon, log_delta, nats, WITH_WHOLE, no_memory);
}

bool jump_choose_classes(jump_choice *out, const spectral_parts *parts,
    double epsilon, double log_delta, double nats, bool *no_memory)
{
    return choose_at(
        out, parts, epsilon, log_delta, nats, WITH_STEPS, no_memory);
}

bool jump_choose_roughly(jump_choice *out, const spectral_parts *parts,
    double epsilon, double log_delta, double nats, bool *no_memory)
{
    return choose_at(
        out, parts, epsilon, log_delta, nats, ROUGHLY, no_memory);
}
