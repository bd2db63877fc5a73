/*
 * Choice of a contour in double-doubles: a tilt at which their digits suffice
 * for the cancellation in the sum. Derivation: docs/theory/contour.md, section
 * 4.
 */
#include "contour_choose.h"

#define MAX_DD_NODES 4e5 /* outer nodes, of 40 bytes each */
#define DD_DIGITS 66     /* nats that double-doubles provide */
/* relative error of delta below which digits are of no use */
#define BEST_DD_TOLERANCE 1e-10

/* The cost of a shifted rule that serves all u; infinite if there is none. */
static double dd_cost(part_request *wants, contour_choice *c,
    const contour_parts *parts, double tolerance)
{
    double outer, nodes = 0, log_target = c->log_estimate + log(tolerance);
    cumulant_guess r;
    if (!contour_total(&r, parts, c->t))
        return HUGE_VAL;
    double excess = r.k0 - c->t * c->epsilon - c->log_estimate;
    if (excess - log(tolerance) > DD_DIGITS ||
        !contour_choose_period(c, parts, log_target) ||
        !contour_choose_outer(
            &outer, c, wants, parts, log_target, MAX_DD_NODES * c->step))
        return HUGE_VAL;
    c->n_outer = ceil(outer / c->step) + 1;
    c->first_shifted = 1;
    for (size_t i = 0; i < parts->n; i++) {
        contour_part *p = &parts->items[i];
        part_request *w = &wants[i];
        w->t = c->t;
        w->reach = c->alias_right;
        w->outer = outer * (1 + 0x1p-40);
        w->step = w->shifted_from = c->step;
        w->digits = fmax(excess, 0) - log(tolerance) + log(p->count) +
                    log1p((double)parts->n);
        (void)p->type->guess_nodes(p, w);
        nodes += p->type->guess_shifted_nodes(p) + 50;
        contour_count_guesses(parts, p);
    }
    return c->n_outer * nodes;
}

/* Chooses the cheapest among several tilts; returns its cost. */
static double choose_tilt(contour_choice *best, part_request *wants,
    const contour_parts *parts, double tolerance)
{
    contour_choice trial = *best;
    double cost = HUGE_VAL;
    trial.t *= 1.15;
    for (int i = 0; i < 17; i++, trial.t *= 0.87) {
        double there = dd_cost(wants, &trial, parts, tolerance);
        if (there < cost) {
            cost = there;
            *best = trial;
        }
    }
    return cost;
}

/* The relative error of delta that the digits allow at a share of the tilt. */
static double best_tolerance(
    const contour_choice *c, const contour_parts *parts, double share)
{
    cumulant_guess r;
    double t = share * c->t;
    if (!contour_total(&r, parts, t))
        return BEST_DD_TOLERANCE;
    double excess = r.k0 - t * c->epsilon - c->log_estimate;
    return fmax(BEST_DD_TOLERANCE, exp(excess - DD_DIGITS));
}

/* Chooses with several tolerances, the tightest first: what digits allow, the
 * width that is wanted, and the tolerance of the effort. */
static bool choose_dd(contour_choice *choice, part_request *wants,
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
    choice->use_dd = true;
    return cost <= effort->max_cost &&
           dd_cost(wants, choice, parts, last) < HUGE_VAL;
}

#define MAX_EPSILONS_TRIED 24
#define SEARCH_PRECISION 0.97 /* relative, of the smallest epsilon */

bool contour_choose_dd(contour_choice *choice, double last,
    part_request *wants, const contour_parts *parts,
    const contour_effort *effort)
{
    const contour_choice wanted = *choice;
    if (choose_dd(choice, wants, parts, effort))
        return true;
    /* first upwards, then between an epsilon without and one with a contour */
    double a = wanted.epsilon, b = fmax(2 * a, contour_spread(parts));
    bool found = false;
    for (int i =
        0; i < MAX_EPSILONS_TRIED &&
        a < SEARCH_PRECISION * fmin(b, last); i++) {
        contour_choice trial = wanted;
        trial.epsilon = fmin(b, last);
        if (found)
            trial.epsilon = a > b / 8 ? sqrt(a * b) : b / 2;
        if (choose_dd(&trial, wants, parts, effort)) {
            b = trial.epsilon;
            found = true;
        } else {
            a = trial.epsilon;
            b = found ? b : 2 * b;
        }
    }
    *choice = wanted;
    choice->epsilon = b;
    return found && choose_dd(choice, wants, parts, effort);
}
