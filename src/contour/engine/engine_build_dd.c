/*
 * Building contours in double-doubles: at an epsilon, or as far left as the
 * epsilon with the delta of an inversion, if their digits suffice there.
 */
#include "engine_impl.h"

/* Pairs of nodes, some 15 ns each. */
#define MAX_DD_COST 1e8
#define DD_PAIR_OPERATIONS 1

/* A contour for all epsilons from that of the choice on, or from a greater one
 * up to last if there is none. Without one, what was there stays. */
static dosi_status build_dd(contour_engine *s, contour_choice *choice,
    double last, contour_effort effort, dosi_error *err)
{
    contour_set_guess_budget(s);
    if (!contour_choose_dd(choice, last, s->requests, &s->parts, &effort))
        return DOSI_OK;
    contour_release_last(s);
    return contour_build(&s->contour, &s->has_contour, &s->parts,
        s->requests, choice, s->limits, err);
}

/* The relative error of delta that is aimed at, at most, where there are
 * no digits for more; and a start where nothing else is known. */
#define MAX_DD_WIDTH 1e-6
#define DD_START_WIDTH 1e-2

static contour_effort dd_effort(
    const contour_engine *s, double share, bool is_start)
{
    return (contour_effort){.width = fmin(work_width(s->limits), MAX_DD_WIDTH),
        .tolerance = is_start ? DD_START_WIDTH : 0,
        .max_cost = fmin(share * MAX_DD_COST,
            work_left(s->limits) / DD_PAIR_OPERATIONS)};
}

dosi_status contour_build_dd_at(contour_engine *s, double epsilon,
    double log_delta, double width, dosi_error *err)
{
    contour_choice choice = {.epsilon = epsilon, .log_estimate = log_delta};
    contour_effort effort = dd_effort(s, DD_COST_SHARE, width > DD_START_WIDTH);
    contour_release_last(s);
    return build_dd(s, &choice, epsilon, effort, err);
}

/* ---- For an inversion -------------------------------------------------- */

/* Notes the lower end of delta at an epsilon, which bounds delta from below at
 * every smaller epsilon. Returns the upper end. */
static double set_floor(contour *c, double epsilon)
{
    dosi_interval there = contour_read(c, epsilon);
    c->has_floor = there.lo > -HUGE_VAL;
    c->floor_at = epsilon;
    c->log_floor = there.lo;
    return there.hi;
}

/* Another contour is built only if it begins left of this share of the last
 * epsilon. A contour may reach a guess from this multiple of it. */
#define MIN_LEFT_STEP 0.97
#define GUESS_MARGIN 1.4

/* About the epsilon with delta e^log_delta, left of where the contour begins;
 * high is what it is there at most. */
static double further_left(
    const contour_engine *s, double epsilon, double high, double log_delta)
{
    double next = contour_read(&s->contour, 1.01 * epsilon).hi;
    double gap = log(1.01) * (log_delta - high) / (high - next);
    /* the slope falls: half as far again */
    return MIN_LEFT_STEP * epsilon * exp(-1.5 * fmax(gap, 0));
}

double contour_log_one_large_loss(const contour_parts *parts, double epsilon)
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

/* The sum of this many losses hardly exceeds epsilon if none of them exceeds
 * the share epsilon / LARGE_LOSSES. */
#define LARGE_LOSSES 3

/* Whether the epsilon with delta e^log_delta is too far left for any contour
 * that begins at this one. */
static bool is_out_of_reach(
    const contour_parts *parts, double epsilon, double log_delta)
{
    return contour_log_one_large_loss(parts, epsilon / LARGE_LOSSES) <
           log_delta;
}

/* Whether a contour that begins right of the epsilon with delta e^log_delta has
 * digits left there. */
static bool reaches(contour *c, double log_delta)
{
    for (double x = c->choice.epsilon, f = 0.99; f > 0.8; f -= 0.03) {
        (void)set_floor(c, x * f);
        if (!c->has_floor)
            return false;
        if (c->log_floor >= log_delta)
            return true;
    }
    return false;
}

dosi_status contour_build_dd(contour_engine *s, double epsilon,
    double log_delta, double share, dosi_error *err)
{
    double first = epsilon, last = HUGE_VAL;
    /* after an earlier search: a better one is here, or there is none */
    bool is_again = s->has_contour && s->contour.has_floor, is_end = false;
    contour_release_last(s);
    for (int i = is_again ? 1 : 0; i < 3 && !is_end; i++) {
        contour_choice choice = {
            .epsilon = first, .log_estimate = log_delta};
        contour_effort effort = dd_effort(s, share, share == 1);
        if (i == 0) /* few nodes, and all digits */
            effort = (contour_effort){.max_cost = effort.max_cost / 10};
        bool is_guess = last < HUGE_VAL;
        double most =
            is_guess ? fmin(MIN_LEFT_STEP * last, GUESS_MARGIN * first)
                     : HUGE_VAL;
        dosi_status status = build_dd(
            s, &choice, is_again ? epsilon : most, effort, err);
        if (status != DOSI_OK)
            return status;
        double at = s->has_contour ? s->contour.choice.epsilon : HUGE_VAL;
        is_end = is_guess && at > first; /* and no other further left */
        if (!(at < last))
            continue;
        double high = set_floor(&s->contour, at);
        if (!(at > epsilon && high <= log_delta))
            return DOSI_OK;
        /* nor if delta is still too small there to be read */
        is_end = is_end ||
                 (!s->contour.has_floor &&
                     (is_guess || is_out_of_reach(&s->parts, at, log_delta)));
        last = at;
        first = fmax(epsilon, further_left(s, at, high, log_delta));
    }
    if (s->has_contour && !reaches(&s->contour, log_delta))
        contour_release_last(s);
    return DOSI_OK;
}
