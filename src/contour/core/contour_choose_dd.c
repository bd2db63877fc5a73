/*
 * Choosing a contour in double-doubles, in plain doubles: one where digits last
 * for what its sum has to cancel. See contour_steer.c.
 */
#include "contour_choose.h"

#define MOST_FINE 4e5   /* outer nodes, 40 bytes each */
#define FINE_DIGITS 66 /* nats */
#define FINE_BEST 1e-10 /* of delta: more digits are of no use */

/* Of a far rule that serves all u; infinite where it cannot. */
static double fine_cost(part_request *wants, contour_choice *c,
    const contour_parts *parts, double tolerance)
{
    double outer, nodes = 0, log_target = c->log_estimate + log(tolerance);
    cumulant_guess r;
    if (!contour_total(&r, parts, c->t))
        return HUGE_VAL;
    double excess = r.k0 - c->t * c->epsilon - c->log_estimate;
    if (excess - log(tolerance) > FINE_DIGITS ||
        !contour_choose_period(c, parts, log_target, false) ||
        !contour_choose_outer(
            &outer, c, wants, parts, log_target, MOST_FINE * c->step))
        return HUGE_VAL;
    c->n_outer = ceil(outer / c->step) + 1;
    c->n_far = 1;
    for (size_t i = 0; i < parts->n; i++) {
        contour_part *p = &parts->items[i];
        part_request *w = &wants[i];
        w->t = c->t;
        w->reach = c->alias_right;
        w->outer = outer * (1 + 0x1p-40);
        w->step = w->far = c->step;
        w->digits = fmax(excess, 0) - log(tolerance) + log(p->count) +
                    log1p((double)parts->n);
        (void)p->type->rough_nodes(p, w);
        nodes += p->type->rough_far(p) + 50;
    }
    return c->n_outer * nodes;
}

/* The cheapest of some tilts, and its cost. */
static double choose_tilt(contour_choice *best, part_request *wants,
    const contour_parts *parts, double tolerance)
{
    contour_choice trial = *best;
    double cost = HUGE_VAL;
    trial.t *= 1.15;
    for (int i = 0; i < 17; i++, trial.t *= 0.87) {
        double there = fine_cost(wants, &trial, parts, tolerance);
        if (there < cost) {
            cost = there;
            *best = trial;
        }
    }
    return cost;
}

/* The relative error of delta that digits allow for at a share of the tilt. */
static double best_tolerance(
    const contour_choice *c, const contour_parts *parts, double share)
{
    cumulant_guess r;
    double t = share * c->t;
    if (!contour_total(&r, parts, t))
        return FINE_BEST;
    double excess = r.k0 - t * c->epsilon - c->log_estimate;
    return fmax(FINE_BEST, exp(excess - FINE_DIGITS));
}

/* Rather coarser than not at all: as fine as digits allow, or to what is
 * wanted of delta, or to what is good enough for a start. */
static bool choose_fine(contour_choice *choice, part_request *wants,
    const contour_parts *parts, const contour_effort *effort)
{
    double log_delta = choice->log_estimate, last = 0, cost = HUGE_VAL;
    if (!contour_saddle_at_epsilon(choice, parts, choice->epsilon))
        return false;
    choice->log_estimate = log_delta;
    const double tolerances[] = {best_tolerance(choice, parts, 0.9),
        best_tolerance(choice, parts, 0.5), effort->width, effort->tolerance};
    for (size_t i = 0; i < parts->n; i++)
        wants[i] = (part_request){.t = choice->t, .multiple = 1};
    for (int i = 0; i < 4 && !(cost <= effort->max_cost); i++) {
        if (!(tolerances[i] > last))
            continue;
        last = tolerances[i];
        cost = choose_tilt(choice, wants, parts, last);
    }
    choice->is_fine = true;
    return cost <= effort->max_cost &&
           fine_cost(wants, choice, parts, last) < HUGE_VAL;
}

#define MOST_SEEK 24 /* epsilons */
#define NEAR_ENOUGH 0.97

bool contour_choose_fine(contour_choice *choice, double last,
    part_request *wants, const contour_parts *parts,
    const contour_effort *effort)
{
    const contour_choice wanted = *choice;
    if (choose_fine(choice, wants, parts, effort))
        return true;
    /* first upwards, then between where there is none and where there is */
    double a = wanted.epsilon, b = fmax(2 * a, contour_spread(parts));
    bool found = false;
    for (int i = 0; i < MOST_SEEK && a < NEAR_ENOUGH * fmin(b, last); i++) {
        contour_choice trial = wanted;
        trial.epsilon = fmin(b, last);
        if (found)
            trial.epsilon = a > b / 8 ? sqrt(a * b) : b / 2;
        if (choose_fine(&trial, wants, parts, effort)) {
            b = trial.epsilon;
            found = true;
        } else {
            a = trial.epsilon;
            b = found ? b : 2 * b;
        }
    }
    *choice = wanted;
    choice->epsilon = b;
    return found && choose_fine(choice, wants, parts, effort);
}
