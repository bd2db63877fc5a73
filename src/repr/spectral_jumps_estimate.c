/*
 * Roughly delta at an epsilon, and epsilon at a delta, by classes of jumps or
 * by a saddle of all of them.
 */
#include <stdlib.h>

#include "spectral_jumps_sketch.h"

#define SOME_LOG_DELTA (-30.0)

/* What is left out of delta where that is not small. */
#define ROUGH_NATS 14
#define ROUGH_LEAST (-40.0)

/* Nats of delta that such an epsilon may be off by, where it was too far left
 * for classes. */
#define NEAR 1

/* Of log epsilon. */
#define MOST_MOVE 0.7

/* log of P[a jump beyond the top] - e^eps Q[the same], for few. */
static double log_top(const jump_choice *c)
{
    double sum = -HUGE_VAL;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        double at = c->top[i] * p->tau, more = p->tau * p->tau;
        double q = jump_rough_q(p, at, more);
        double under_p = jump_rough_p(p, at, more);
        double gain = -expm1(c->epsilon + q - under_p);
        if (gain > 0)
            sum = jump_log_add(sum, log(p->count) + under_p + log(gain));
    }
    return sum;
}

/* Roughly log delta, and its slope. */
static double estimate(const jump_choice *c, double *slope)
{
    double sum = log_top(c), best = -HUGE_VAL;
    for (size_t i = 0; i < c->n; i++) {
        sum = jump_log_add(sum, c->classes[i].log_size);
        if (c->classes[i].log_size > best) {
            best = c->classes[i].log_size;
            *slope = c->classes[i].saddle;
        }
    }
    return sum;
}

/* By the saddle of all that loses less than twice epsilon in a run, and is not
 * rarer than that delta. */
static double estimate_whole(jump_choice *c, const spectral_parts *parts,
    double epsilon, double log_delta, double *slope, bool *no_memory)
{
    double found = -HUGE_VAL;
    jump_sketch s = {.out = c, .is_whole = true};
    *c = (jump_choice){.epsilon = epsilon, .log_delta = SOME_LOG_DELTA};
    bool laid = jump_sketch_lay(&s, parts);
    for (size_t i = 0; i < c->n_parts && laid; i++) {
        const jump_part *p = &c->parts[i];
        double far = fmin(jump_where(p, epsilon + c->unit),
            jump_last(p, fmax(log(p->count) - log_delta, 1)));
        double cut = ceil(far / p->tau);
        cut = fmin(cut, s.whole[i].first + (double)s.whole[i].n);
        laid = jump_lay_below(&s.below[i], p, 1, c->from[i], cut);
        s.no_memory = s.no_memory || !laid;
    }
    *slope = 5 / c->unit;
    if (laid) {
        double size = jump_sketch_lowest(&s, slope);
        found = size - jump_sketch_log_spread(&s, *slope);
    }
    jump_sketch_free(&s);
    *no_memory = s.no_memory;
    return found;
}

double jump_estimate_log_delta(
    const spectral_parts *parts, double epsilon, bool *no_memory)
{
    jump_choice *c = malloc(sizeof *c);
    double slope, found = -HUGE_VAL;
    *no_memory = c == NULL;
    if (c != NULL)
        found = estimate_whole(
            c, parts, epsilon, -HUGE_VAL, &slope, no_memory);
    free(c);
    return found;
}

/* Where epsilon is sought: a guess, and what is left and right of it. */
typedef struct rough_search {
    double epsilon, low, high;
    bool is_left; /* was too far left for classes once */
} rough_search;

/* Next guess, from log delta there and its slope, or from what is known to be
 * around it; false where it is near enough. Of classes that are all below what
 * matters no more is known than that it is too far right. */
static bool search_on(rough_search *s, double gap, double slope, bool is_tiny)
{
    double last = s->epsilon;
    double move = fmin(fmax(gap / (slope * last), -MOST_MOVE), MOST_MOVE);
    if (isnan(move))
        return false;
    *(gap > 0 && !is_tiny ? &s->low : &s->high) = last;
    s->epsilon = last * exp(move);
    if (is_tiny && gap > -NEAR)
        s->epsilon = last * exp(-MOST_MOVE);
    bool is_between = s->epsilon > s->low && s->epsilon < s->high;
    if (!is_between && s->low > 0 && s->high < HUGE_VAL)
        s->epsilon = sqrt(s->low * s->high);
    bool is_near = fabs(move) < 0.2 && !(s->is_left && fabs(gap) > NEAR);
    return is_tiny ? s->high > 1.01 * s->low : !is_near;
}

/* By classes; where these are too many, or too small to tell, by all
 * together, which is too much where few jumps matter. */
double jump_estimate_epsilon(const spectral_parts *parts, double epsilon,
    double log_delta, bool *no_memory)
{
    jump_choice *c = malloc(sizeof *c);
    double nats = log_delta > ROUGH_LEAST ? ROUGH_NATS : 0;
    rough_search s = {epsilon, 0, HUGE_VAL, false};
    *no_memory = c == NULL;
    for (int i = 0; i < 12 && !*no_memory; i++) {
        double slope = NAN;
        bool found = jump_choose_roughly(
            c, parts, s.epsilon, log_delta, nats, no_memory);
        if (*no_memory)
            break;
        double there = estimate(c, &slope);
        bool is_tiny = found && there < c->log_goal;
        if (!found || is_tiny) {
            double tilt, all = estimate_whole(
                c, parts, s.epsilon, log_delta, &tilt, no_memory);
            slope = all > there ? tilt : slope;
            there = fmax(all, there);
        }
        s.is_left = s.is_left || !found;
        if (!search_on(&s, there - log_delta, slope, is_tiny))
            break;
    }
    free(c);
    return s.epsilon;
}
