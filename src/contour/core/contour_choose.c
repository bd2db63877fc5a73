/*
 * Choice of the contour of a plan, in plain doubles: tilt, step between nodes,
 * truncation, smoothing and precision at the least cost. Derivation:
 * docs/theory/contour.md, section 7.
 */
#include "contour_choose.h"

static const double pi = 3.14159265358979323846;

/* Relative errors of delta: the tightest that doubles allow, a larger one that
 * still serves the default width if the tightest costs many pairs of nodes, and
 * one for a trial. */
#define TIGHT_TOLERANCE 0x1p-46
#define DEFAULT_TOLERANCE 0x1p-40
#define TRIAL_TOLERANCE 0x1p-12
#define MIN_RULE_DIGITS 16 /* nats; rules with fewer are not certified */
#define COARSEN_COST 1e5 /* pairs of nodes: above, use DEFAULT_TOLERANCE */
#define MAX_SEARCHED_PARTS 500
#define SEARCH_COST 2.5e5 /* pairs for each part: search a cheaper tilt */

/* log of C(u) exp(K(u) - u eps): the aliasing bound at u = t + a without e^{-a
 * L}. */
static double alias_base(
    const contour_choice *c, const contour_parts *parts, double u)
{
    cumulant_guess r;
    double log_c = -log1p(u) - u * log1p(1 / u);
    if (!contour_total(&r, parts, u))
        return HUGE_VAL;
    return log_c + r.k0 - u * c->epsilon;
}

/* The period that the aliasing bound with one shift needs. */
static double alias_period(const contour_choice *c,
    const contour_parts *parts, double shift, double log_target)
{
    double base = alias_base(c, parts, c->t + shift);
    return (base - log_target) / shift;
}

/* Improves a shift by doubling or halving it while the period falls, which is
 * quasi-convex, and no further than until the period is short enough: large
 * shifts cost nodes. */
static double alias_walk(double *shift, const contour_choice *c,
    const contour_parts *parts, double enough, double log_target)
{
    double best = alias_period(c, parts, *shift, log_target);
    for (double factor = 2; factor > 0.4; factor -= 1.5)
        for (int i = 0; i < 40 && !(best <= enough); i++) {
            double next = *shift * factor;
            double period = alias_period(c, parts, next, log_target);
            if (!(period < best))
                break;
            best = period;
            *shift = next;
        }
    return best;
}

bool contour_choose_period(
    contour_choice *c, const contour_parts *parts, double log_target)
{
    cumulant_guess r;
    if (!contour_total(&r, parts, c->t))
        return false;
    double spread = 1 / sqrt(fmax(r.k2, 1e-300));
    double ahead = fmin(4 * spread, c->t), left = -log_target / c->t;
    double right = alias_walk(&ahead, c, parts, left, log_target);
    c->alias_right = ahead;
    double period = fmax(fmax(right, left), 1e-3);
    int e = 0;
    double m = frexp(2 * pi / period, &e);
    c->step = ldexp(floor(ldexp(m, 24)), e - 24); /* n D is exact */
    return c->step > 0 && c->step < HUGE_VAL;
}

void contour_count_guesses(const contour_parts *parts, contour_part *p)
{
    work_spend(parts->limits, p->sketch.uncounted);
    p->sketch.uncounted = 0;
}

/* log of the truncation error beyond u, over e^{K(t) - t eps}. */
static double left_out(const contour_choice *c, part_request *wants,
    const contour_parts *parts, double u)
{
    double root = sqrt(c->t * (c->t + 1));
    double sum = log(atan(root / u) / (pi * root)) -
                 c->smoothing_sigma * c->smoothing_sigma * u * u / 2;
    if (c->smoothing_sigma > 0) /* the kernel of the lower end */
        sum = fmax(sum, -log(u * u * c->smoothing_sigma * c->smoothing_sigma) -
                            c->smoothing_sigma * c->smoothing_sigma * u *
                            u / 2);
    for (size_t i = 0; i < parts->n; i++) {
        contour_part *p = &parts->items[i];
        if (p->type->guess_decay != NULL)
            sum += p->count * p->type->guess_decay(&wants[i], p, c->t, u);
        contour_count_guesses(parts, p);
    }
    return sum;
}

/* The factor from u to the next trial. The logarithm of the truncation error is
 * modelled as -c u^2 first, then as linear in log u. */
static double outer_factor(
    double u, double found, double last, double before, double need)
{
    double next = 2;
    if (last > 0)
        next = exp((need - found) * log(u / last) / (found - before));
    else if (found < 0)
        next = sqrt(need / found);
    /* also for NaN */
    return next < 1 ? next : fmin(fmax(1.02 * next, 1.05), 3);
}

bool contour_choose_outer(double *outer, const contour_choice *c,
    part_request *wants, const contour_parts *parts, double log_target,
    double most)
{
    cumulant_guess r;
    if (!contour_total(&r, parts, c->t))
        return false;
    double need = fmin(log_target - (r.k0 - c->t * c->epsilon), -1);
    double v = r.k2 + c->smoothing_sigma * c->smoothing_sigma;
    double lo = 2 * c->step, hi = HUGE_VAL, u = sqrt(-2 * need / v);
    double last = 0, before = 0;
    u = fmin(fmax(u, lo), most);
    for (int i = 0; i < 64 && !(hi <= 1.05 * lo); i++) {
        double found = left_out(c, wants, parts, u);
        *(found > need ? &lo : &hi) = u;
        if (lo >= most)
            return false;
        if (found <= need && (found > 1.1 * need || u <= lo))
            break;
        double next = u * outer_factor(u, found, last, before, need);
        last = u;
        before = found;
        u = fmin(next, most);
        if (hi < HUGE_VAL && !(next > lo && next < hi))
            u = sqrt(lo * hi);
    }
    *outer = hi;
    if (u != hi)
        /* leaves the shifts of the decay bound for it */
        (void)left_out(c, wants, parts, hi);
    return hi < HUGE_VAL;
}

/* Pairs of nodes from which a shifted rule may pay, and pairs on the real line
 * that take as long as one of its. */
#define MIN_SHIFTED_COST 1e6
#define SHIFTED_PAIRS 4

/* Makes the requests of the parts; returns the cost. */
static double request_all(part_request *wants, contour_choice *c,
    const contour_parts *parts, double digits)
{
    double near = 0, far = 0;
    for (size_t i = 0; i < parts->n; i++) {
        contour_part *p = &parts->items[i];
        part_request *w = &wants[i];
        w->t = c->t;
        w->reach = c->alias_right;
        w->outer = c->n_outer * c->step * (1 + 0x1p-40);
        w->step = c->step;
        w->shifted_from = 0;
        if (p->type->shifted_mean != NULL)
            w->shifted_from = c->first_shifted * c->step;
        w->digits = fmax(
            digits + log(p->count) + log1p((double)parts->n), MIN_RULE_DIGITS);
        if (p->type->guess_decay == NULL)
            w->alpha = 0;
        double nodes = p->type->guess_nodes(p, w);
        near += nodes + 100;
        far += (w->shifted_from > 0
                       ? SHIFTED_PAIRS * p->type->guess_shifted_nodes(p)
                       : nodes) +
               100;
        contour_count_guesses(parts, p);
    }
    return c->first_shifted > 0
               ? c->first_shifted * near + (c->n_outer - c->first_shifted) * far
               : c->n_outer * near;
}

/* The cost, with shifted rules where they pay. */
static double cost_of(part_request *wants, contour_choice *c,
    const contour_parts *parts, double tolerance)
{
    double digits = 4 - log(tolerance);
    c->first_shifted = 0;
    double cost = request_all(wants, c, parts, digits);
    double first = fmax(ceil(digits / (6 * c->step)), 1);
    bool has_rule = false;
    for (size_t i = 0; i < parts->n; i++)
        has_rule = has_rule || parts->items[i].type->shifted_mean != NULL;
    if (!has_rule || !(cost > MIN_SHIFTED_COST && first < 0.6 * c->n_outer))
        return cost;
    c->first_shifted = first;
    double shifted = request_all(wants, c, parts, digits);
    if (shifted < cost)
        return shifted;
    c->first_shifted = 0;
    return request_all(wants, c, parts, digits);
}

/* Few runs of laws with atoms: lists take less time for them than a contour of
 * more than a share of the greatest cost. */
#define FEW_RUNS 64
#define FEW_RUNS_SHARE 0.25

static bool are_few_runs(const contour_parts *parts)
{
    double runs = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const contour_type *type = parts->items[i].type;
        if (type == &contour_gaussian || type == &contour_group)
            return false;
        runs += parts->items[i].count;
    }
    return runs <= FEW_RUNS;
}

static bool choose_smoothed(contour_choice *c, part_request *wants,
    const contour_parts *parts, const contour_effort *effort)
{
    double tolerance = fmin(fmax(effort->width, 1e-13), 0.1);
    double log_target = c->log_estimate + log(tolerance) - 3;
    /* aliasing of a smoothed sum lacks the factor C(u), about 1/(e u) */
    if (!contour_choose_period(
            c, parts, log_target - 1 - log1p(2 * c->t)))
        return false;
    c->smoothing_sigma = sqrt(tolerance / (2 * c->t * (c->t + 1)));
    bool is_few = are_few_runs(parts);
    double most = (is_few ? FEW_RUNS_SHARE : 1) * effort->max_cost;
    for (int i = 0; i < (is_few ? 2 : 24) && c->smoothing_sigma < 0.3; i++) {
        double outer;
        if (!contour_choose_outer(
                &outer, c, wants, parts, log_target, HUGE_VAL))
            return false;
        c->n_outer = ceil(outer / c->step) + 1;
        double cost = cost_of(wants, c, parts, tolerance);
        if (cost <= most)
            return true;
        /* the cost is about inverse to smoothing_sigma */
        c->smoothing_sigma *= fmin(1.05 * cost / most, 2);
    }
    return false;
}

/* Chooses without smoothing, to a given tolerance; the cost, or infinity. */
static double choose_plain(contour_choice *c, part_request *wants,
    const contour_parts *parts, double tolerance)
{
    double outer, log_target = c->log_estimate + log(tolerance);
    c->smoothing_sigma = 0;
    if (!contour_choose_period(c, parts, log_target) ||
        !contour_choose_outer(
            &outer, c, wants, parts, log_target, 1e6 * c->step))
        return HUGE_VAL;
    c->n_outer = ceil(outer / c->step) + 1;
    return cost_of(wants, c, parts, tolerance);
}

/* nats of digits that a tilt left of the saddle costs */
#define MAX_SAVING_EXCESS 5
#define LEFT_FACTOR 0.8

/* Moves the tilt further to the left while that saves nodes, as the step
 * between them grows. The price is digits, e^(phi - its least value). */
static double choose_left(contour_choice *c, part_request *wants,
    const contour_parts *parts, double cost, double tolerance)
{
    cumulant_guess r;
    contour_choice trial = *c;
    if (!contour_total(&r, parts, c->t))
        return cost;
    double most = contour_phi(&r, c->t, c->epsilon) + MAX_SAVING_EXCESS;
    for (int i = 0; i < 8; i++) {
        trial.t *= LEFT_FACTOR;
        if (!contour_total(&r, parts, trial.t) ||
            contour_phi(&r, trial.t, c->epsilon) > most)
            break;
        double there = choose_plain(&trial, wants, parts, tolerance);
        if (!(there < cost))
            break;
        cost = there;
        *c = trial;
    }
    return choose_plain(c, wants, parts, tolerance);
}

bool contour_choose(contour_choice *choice, part_request *wants,
    const contour_parts *parts, const contour_effort *effort)
{
    bool decays = false;
    for (size_t i = 0; i < parts->n; i++) {
        wants[i] = (part_request){.t = choice->t, .multiple = 1};
        decays = decays || parts->items[i].type->guess_decay != NULL;
    }
    double cost = HUGE_VAL;
    double tolerance =
        effort->tolerance > 0 ? effort->tolerance : TIGHT_TOLERANCE;
    if (decays)
        cost = choose_plain(choice, wants, parts, tolerance);
    double last = tolerance;
    if (effort->width >= DEFAULT_TOLERANCE)
        tolerance = fmax(tolerance, DEFAULT_TOLERANCE);
    if (effort->accept_few_digits && cost > SEARCH_COST)
        tolerance = fmax(tolerance, TRIAL_TOLERANCE);
    if (decays && cost > COARSEN_COST && tolerance > last)
        cost = choose_plain(choice, wants, parts, tolerance);
    if (decays && cost > SEARCH_COST * (double)parts->n)
        cost = choose_left(choice, wants, parts, cost, tolerance);
    /* a search takes longer than it saves */
    if (decays && parts->n > MAX_SEARCHED_PARTS)
        return cost <= effort->max_cost;
    if (decays && cost > effort->max_cost && effort->width > DEFAULT_TOLERANCE)
        cost = choose_plain(
            choice, wants, parts, fmin(effort->width / 16, 1e-3));
    return cost <= effort->max_cost ||
           choose_smoothed(choice, wants, parts, effort);
}
