/*
 * Building contours in double-doubles: at an epsilon, or as far left as what is
 * looked for, where digits last that long.
 */
#include "engine_impl.h"

/* Pairs of nodes, some 15 ns each. */
#define MAX_FINE_COST 1e8
#define FINE_OPERATIONS 1

/* A contour for all epsilons from that of the choice on, or from a greater one
 * up to last if there is none. Without one, what was there stays. */
static dosi_status build_fine(contour_engine *s, contour_choice *choice,
    double last, contour_effort effort, dosi_error *err)
{
    contour_grant_looks(s);
    if (!contour_choose_dd(choice, last, s->wants, &s->parts, &effort))
        return DOSI_OK;
    contour_drop_contour(s);
    return contour_build(&s->contour, &s->has_contour, &s->parts,
        s->wants, choice, s->limits, err);
}

/* The relative error of delta that is aimed at, at most, where there are
 * no digits for more; and a start where nothing else is known. */
#define FINE_WIDTH 1e-6
#define FINE_START 1e-2

static contour_effort fine_effort(
    const contour_engine *s, double share, bool is_start)
{
    return (contour_effort){.width = fmin(work_width(s->limits), FINE_WIDTH),
        .tolerance = is_start ? FINE_START : 0,
        .max_cost = fmin(share * MAX_FINE_COST,
            work_left(s->limits) / FINE_OPERATIONS)};
}

dosi_status contour_build_fine_at(contour_engine *s, double epsilon,
    double log_delta, double width, dosi_error *err)
{
    contour_choice choice = {.epsilon = epsilon, .log_estimate = log_delta};
    contour_effort effort = fine_effort(s, FINE_SHARE, width > FINE_START);
    contour_drop_contour(s);
    return build_fine(s, &choice, epsilon, effort, err);
}

/* ---- For an inversion -------------------------------------------------- */

/* The lower end of delta there is a bound for all that is left of it;
 * the upper end. */
static double put_floor(contour *c, double epsilon)
{
    dosi_interval there = contour_read(c, epsilon);
    c->has_floor = there.lo > -HUGE_VAL;
    c->floor_at = epsilon;
    c->log_floor = there.lo;
    return there.hi;
}

#define NEARER 0.97 /* what a step to the left is worth another contour for */
#define FURTHER 1.4 /* right of a guess, where a contour may still reach it */

/* About the epsilon with delta e^log_delta, left of where the contour begins;
 * high is what it is there at most. */
static double further_left(
    const contour_engine *s, double epsilon, double high, double log_delta)
{
    double next = contour_read(&s->contour, 1.01 * epsilon).hi;
    double gap = log(1.01) * (log_delta - high) / (high - next);
    return NEARER * epsilon * exp(-1.5 * fmax(gap, 0)); /* a slope falls */
}

double contour_log_one_jump(const contour_parts *parts, double epsilon)
{
    double sum = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const cumulant_sketch *k = &parts->items[i].sketch;
        for (size_t j = 0; j < k->n; j++)
            if (k->loss[j] > epsilon)
                sum -= parts->items[i].count * exp(k->log_weight[j]) *
                       expm1(epsilon - k->loss[j]);
    }
    return sum > 0 ? log(sum) : -HUGE_VAL;
}

#define MANY_JUMPS 3 /* hardly make what one does not make a third of */

/* Whether what is looked for is too far left of epsilon for any contour. */
static bool is_hopeless(
    const contour_parts *parts, double epsilon, double log_delta)
{
    return contour_log_one_jump(parts, epsilon / MANY_JUMPS) < log_delta;
}

/* Whether a contour that begins right of what is looked for reaches it, with
 * what digits are left there. */
static bool reaches(contour *c, double log_delta)
{
    for (double x = c->choice.epsilon, f = 0.99; f > 0.8; f -= 0.03) {
        (void)put_floor(c, x * f);
        if (!c->has_floor)
            return false;
        if (c->log_floor >= log_delta)
            return true;
    }
    return false;
}

dosi_status contour_build_fine(contour_engine *s, double epsilon,
    double log_delta, double share, dosi_error *err)
{
    double first = epsilon, last = HUGE_VAL;
    /* if one has been looked for already, there is a better one here or none */
    bool is_again = s->has_contour && s->contour.has_floor, is_end = false;
    contour_drop_contour(s);
    for (int i = is_again ? 1 : 0; i < 3 && !is_end; i++) {
        contour_choice choice = {
            .epsilon = first, .log_estimate = log_delta};
        contour_effort effort = fine_effort(s, share, share == 1);
        if (i == 0) /* few nodes, and all digits */
            effort = (contour_effort){.max_cost = effort.max_cost / 10};
        bool is_guess = last < HUGE_VAL;
        double most =
            is_guess ? fmin(NEARER * last, FURTHER * first) : HUGE_VAL;
        dosi_status status = build_fine(
            s, &choice, is_again ? epsilon : most, effort, err);
        if (status != DOSI_OK)
            return status;
        double at = s->has_contour ? s->contour.choice.epsilon : HUGE_VAL;
        is_end = is_guess && at > first; /* and no other further left */
        if (!(at < last))
            continue;
        double high = put_floor(&s->contour, at);
        if (!(at > epsilon && high <= log_delta))
            return DOSI_OK;
        /* nor if delta is still too small there to be read */
        is_end = is_end ||
                 (!s->contour.has_floor &&
                     (is_guess || is_hopeless(&s->parts, at, log_delta)));
        last = at;
        first = fmax(epsilon, further_left(s, at, high, log_delta));
    }
    if (s->has_contour && !reaches(&s->contour, log_delta))
        contour_drop_contour(s);
    return DOSI_OK;
}
