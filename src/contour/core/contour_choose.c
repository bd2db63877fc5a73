#include "contour_choose.h"

static const double pi = 3.14159265358979323846;

/* Relative error wanted of delta: as fine as doubles allow, or less so where
 * that takes many pairs of nodes. */
#define FINE 0x1p-46
#define COARSE 0x1p-40
#define SCOUT 0x1p-12
#define LEAST_DIGITS 16 /* nats; rules with fewer are not certified */
#define LONG 1e5
#define MANY 500 /* parts */
#define VERY_LONG 2.5e5 /* for each part: worth a search for a cheaper one */

/* ---- The period -------------------------------------------------------- */

/* log of C(u) exp(K(u) - u eps): the alias sum at u = t + a but e^{-a L}. */
static double alias_base(
    const contour_choice *c, const contour_parts *parts, double u)
{
    cumulant_guess r;
    double log_c = u > 0 ? -log1p(u) - u * log1p(1 / u) : 0;
    if (!contour_total(&r, parts, u))
        return HUGE_VAL;
    return log_c + r.k0 - u * c->epsilon;
}

/* The period that a shift needs. */
static double alias_period(const contour_choice *c,
    const contour_parts *parts, double shift, double log_target)
{
    double base = alias_base(c, parts, c->t + shift);
    return (base - log_target) / fabs(shift);
}

/* From a first shift to a better one, by doubling or halving while it helps:
 * the period is quasi-convex. No further than until enough, since far shifts
 * cost nodes. Left of t they end at t. */
static double alias_walk(double *shift, const contour_choice *c,
    const contour_parts *parts, double enough, double log_target)
{
    double best = alias_period(c, parts, *shift, log_target);
    for (double factor = 2; factor > 0.4; factor -= 1.5)
        for (int i = 0; i < 40 && !(best <= enough); i++) {
            double next = *shift * factor;
            if (next < -c->t)
                break;
            double period = alias_period(c, parts, next, log_target);
            if (!(period < best))
                break;
            best = period;
            *shift = next;
        }
    return best;
}

#define READ_AT 1.1    /* of epsilon: as far as a contour is read */
#define MOST_KNOWN 9.0 /* nats of what is known above delta */

/* The period for which left aliases are known, and not too large. */
static double low_period(const contour_choice *c)
{
    double far = fmax(READ_AT * c->epsilon, c->epsilon) - c->least;
    return fmax(far, (-c->log_estimate - MOST_KNOWN) / c->t);
}

bool contour_choose_period(contour_choice *c, const contour_parts *parts,
    double log_target, bool may_be_low)
{
    cumulant_guess r;
    if (!contour_total(&r, parts, c->t))
        return false;
    double spread = 1 / sqrt(fmax(r.k2, 1e-300));
    double back = -c->t, ahead = fmin(4 * spread, c->t);
    double low = may_be_low ? low_period(c) : HUGE_VAL;
    double left = alias_walk(&back, c, parts, low, log_target);
    c->is_low = low < left;
    left = fmin(low, left);
    double right = alias_walk(&ahead, c, parts, left, log_target);
    for (int i = 0; i < 3 && c->is_low && right > left; i++) {
        double next = alias_period(c, parts, 1.2 * ahead, log_target);
        if (!(next < right))
            break;
        right = next;
        ahead *= 1.2;
    }
    c->alias_left = -back;
    c->alias_right = ahead;
    double period = fmax(fmax(right, left), 1e-3);
    int e = 0;
    double m = frexp(2 * pi / period, &e);
    c->step = ldexp(floor(ldexp(m, 24)), e - 24); /* n D is exact */
    return c->step > 0 && c->step < HUGE_VAL;
}

/* ---- Truncation -------------------------------------------------------- */

/* log of the part left out beyond u, over e^{K(t) - t eps}. */
static double left_out(const contour_choice *c, part_request *wants,
    const contour_parts *parts, double u)
{
    double root = sqrt(c->t * (c->t + 1));
    double sum = log(atan(root / u) / (pi * root)) -
                 c->blur * c->blur * u * u / 2;
    if (c->blur > 0) /* the kernel of the lower end */
        sum = fmax(sum, -log(u * u * c->blur * c->blur) -
                            c->blur * c->blur * u * u / 2);
    for (size_t i = 0; i < parts->n; i++) {
        contour_part *p = &parts->items[i];
        if (p->type->rough_decay != NULL)
            sum += p->count * p->type->rough_decay(&wants[i], p, c->t, u);
    }
    return sum;
}

/* By which to multiply u next: the logarithm of what is left out is taken for
 * -c u^2 at first, then for linear in log u. */
static double outer_factor(
    double u, double found, double last, double before, double need)
{
    double next = 2;
    if (last > 0)
        next = exp((need - found) * log(u / last) / (found - before));
    else if (found < 0)
        next = sqrt(need / found);
    return next < 1 ? next : fmin(fmax(1.02 * next, 1.05), 3); /* or NaN */
}

bool contour_choose_outer(double *outer, const contour_choice *c,
    part_request *wants, const contour_parts *parts, double log_target,
    double most)
{
    cumulant_guess r;
    if (!contour_total(&r, parts, c->t))
        return false;
    double need = fmin(log_target - (r.k0 - c->t * c->epsilon), -1);
    double v = r.k2 + c->blur * c->blur;
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
        (void)left_out(c, wants, parts, hi); /* leaves the rotations for it */
    return hi < HUGE_VAL;
}

/* ---- All of it --------------------------------------------------------- */

/* Roughly what a far rule errs by, and what that may come to. */
#define FAR_ERROR 1e-13
#define FAR_SLACK 1e-12
#define LEAST_FAR 16 /* nodes that a far rule pays for */

/* Where far rules take over: not before the near rule costs much, nor before
 * |chi|^k/u^2 hides their error. */
static void choose_far(contour_choice *c, const contour_parts *parts,
    double digits)
{
    cumulant_guess r;
    double runs = 0, u = digits / 6;
    c->n_far = 0;
    for (size_t i = 0; i < parts->n; i++)
        if (parts->items[i].has_far)
            runs += parts->items[i].count;
    if (!(runs > 0) || !contour_total(&r, parts, c->t))
        return;
    double spare = log(runs * FAR_ERROR / FAR_SLACK) + r.k0 -
                  c->t * c->epsilon - c->log_estimate;
    while (spare - log(pi * u) - r.k2 * u * u / 2 > 0)
        u *= 1.2;
    double n = fmax(ceil(u / c->step), 1);
    if (n < 0.6 * c->n_outer && c->n_outer - n > LEAST_FAR)
        c->n_far = n;
}

static double cost_of(part_request *wants, contour_choice *c,
    const contour_parts *parts, double tolerance)
{
    double near = 0, far = 0, digits = 4 - log(tolerance);
    choose_far(c, parts, digits);
    for (size_t i = 0; i < parts->n; i++) {
        contour_part *p = &parts->items[i];
        part_request *w = &wants[i];
        w->t = c->t;
        w->reach = c->alias_right;
        w->outer = c->n_outer * c->step * (1 + 0x1p-40);
        w->step = c->step;
        w->far = 0;
        if (p->has_far)
            w->far = c->n_far * c->step;
        w->digits = fmax(
            digits + log(p->count) + log1p((double)parts->n), LEAST_DIGITS);
        if (p->type->rough_decay == NULL)
            w->alpha = 0;
        double nodes = p->type->rough_nodes(p, w);
        near += nodes + 100;
        far += (w->far > 0 ? p->type->rough_far(p) / 2 : nodes) + 100;
    }
    return c->n_far > 0 ? c->n_far * near + (c->n_outer - c->n_far) * far
                        : c->n_outer * near;
}

/* Few runs of laws with atoms: lists take less time, a little less where
 * they are all atoms. What a contour may cost then, of the greatest cost. */
static double brief_share(const contour_parts *parts)
{
    double runs = 0, most = 64;
    for (size_t i = 0; i < parts->n; i++) {
        const contour_type *type = parts->items[i].type;
        if (type == &contour_finite)
            most = 12;
        else if (type != &contour_bounded && type != &contour_pieces)
            return 1;
        runs += parts->items[i].count;
    }
    return runs > most ? 1 : most == 12 ? 0.5 : 0.25;
}

/* What a finer blur may cost, in greatest costs; and by what it may be coarser
 * than asked for and still do. */
#define FINER_COST 3
#define FINER_SPARE 1.4

static bool choose_blurred(contour_choice *c, part_request *wants,
    const contour_parts *parts, const contour_effort *effort)
{
    double tolerance = fmin(fmax(effort->width, 1e-13), 0.1);
    double log_target = c->log_estimate + log(tolerance) - 3;
    /* aliases of a blurred sum lack the factor C(u), about 1/(e u) */
    if (!contour_choose_period(
            c, parts, log_target - 1 - log1p(2 * c->t), false))
        return false;
    c->blur = sqrt(tolerance / (2 * c->t * (c->t + 1)));
    double share = brief_share(parts), most = share * effort->max_cost;
    double coarsest = effort->is_finer ? FINER_SPARE * c->blur : 0;
    int tries = share < 1 ? 2 : 24;
    for (int i = 0; i < tries && c->blur < 0.3; i++) {
        double outer;
        if (!contour_choose_outer(
                &outer, c, wants, parts, log_target, HUGE_VAL))
            return false;
        c->n_outer = ceil(outer / c->step) + 1;
        double cost = cost_of(wants, c, parts, tolerance);
        bool is_finer = c->blur <= coarsest;
        if (cost <= (is_finer ? FINER_COST * most : most))
            return true;
        /* the cost is about one over the blur */
        double factor = is_finer ? cost / (FINER_COST * most) : 2;
        factor = fmin(1.05 * factor, 2);
        if (c->blur * factor > coarsest && effort->is_again)
            return false;
        c->blur *= factor;
    }
    return false;
}

/* Without a blur, to a given tolerance; the cost, or infinity. */
static double choose_plain(contour_choice *c, part_request *wants,
    const contour_parts *parts, double tolerance)
{
    double outer, log_target = c->log_estimate + log(tolerance);
    c->blur = 0;
    if (!contour_choose_period(c, parts, log_target, true) ||
        !contour_choose_outer(
            &outer, c, wants, parts, log_target, 1e6 * c->step))
        return HUGE_VAL;
    c->n_outer = ceil(outer / c->step) + 1;
    return cost_of(wants, c, parts, tolerance);
}

/* Takes half of what every part may still look at out of its budget. */
static double put_aside(const contour_parts *parts)
{
    double half = HUGE_VAL;
    for (size_t i = 0; i < parts->n; i++)
        half = fmin(half, fmax(parts->items[i].sketch.budget, 0) / 2);
    half = half < HUGE_VAL ? half : 0;
    for (size_t i = 0; i < parts->n; i++)
        parts->items[i].sketch.budget -= half;
    return half;
}

#define MOST_EXCESS 5 /* nats, of digits that may be lost */
#define LOW_EXCESS 3.5 /* the same, where left aliases are known */
#define SOME_NATS 30   /* that others have to be below delta by */
#define LEFTWARDS 0.8

/* To the left while that makes the step between outer nodes longer; the last
 * step of it makes it shorter again. */
static void walk_left(contour_choice *c, const contour_parts *parts,
    double tolerance, double least)
{
    double log_target = c->log_estimate + log(tolerance), last = 0;
    contour_choice trial = *c;
    for (int i = 0; i < 8 && trial.step >= last; i++) {
        cumulant_guess r;
        *c = trial;
        last = trial.step;
        trial.t *= LEFTWARDS;
        if (!contour_total(&r, parts, trial.t) ||
            contour_phi(&r, trial.t, c->epsilon) > least + MOST_EXCESS ||
            !contour_choose_period(&trial, parts, log_target, true))
            return;
    }
    *c = trial;
}

/* Further left, where that saves nodes: far from a wall of rare jumps. What
 * is lost is digits, e^(phi - its least value). */
static double choose_left(contour_choice *c, part_request *wants,
    const contour_parts *parts, double cost, double tolerance)
{
    cumulant_guess r;
    if (!contour_total(&r, parts, c->t))
        return cost;
    double kept = put_aside(parts);
    contour_choice trial = *c;
    walk_left(&trial, parts, tolerance,
        contour_phi(&r, c->t, c->epsilon));
    double rightmost = c->t * (1 + 1e-9);
    for (int i = 0; i < 2 && trial.t <= rightmost;
        i++, trial.t /= LEFTWARDS) {
        double there = choose_plain(&trial, wants, parts, tolerance);
        if (there < cost) {
            cost = there;
            *c = trial;
        }
    }
    for (size_t i = 0; i < parts->n; i++)
        parts->items[i].sketch.budget =
            fmax(parts->items[i].sketch.budget, 0) + kept;
    return choose_plain(c, wants, parts, tolerance);
}

/* Mixtures of shifts alone, whose few runs lists know better than a
 * blurred contour does. */
static bool is_split(const contour_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++)
        if (parts->items[i].type != &contour_group ||
            parts->items[i].law->map != LOSS_GROUP)
            return false;
    return true;
}

/* Where left aliases are known, by periods far shorter than others, right ones
 * alone ask for long ones, and for less the further left a tilt is. */
static void lean_left(contour_choice *c, const contour_parts *parts)
{
    cumulant_guess r;
    double others = (SOME_NATS - c->log_estimate) / c->t;
    if (!(others > 3 * low_period(c)) || !contour_total(&r, parts, c->t))
        return;
    double most = contour_phi(&r, c->t, c->epsilon) + LOW_EXCESS;
    for (int i = 0; i < 6; i++) {
        double next = LEFTWARDS * c->t;
        if (!contour_total(&r, parts, next) ||
            !(contour_phi(&r, next, c->epsilon) < most))
            break;
        c->t = next;
    }
}

bool contour_choose(contour_choice *choice, part_request *wants,
    const contour_parts *parts, const contour_effort *effort)
{
    bool decays = false;
    choice->least = contour_least_loss(parts);
    if (choice->least > -HUGE_VAL)
        lean_left(choice, parts);
    for (size_t i = 0; i < parts->n; i++) {
        wants[i] = (part_request){.t = choice->t, .multiple = 1};
        decays = decays || parts->items[i].type->rough_decay != NULL;
    }
    double cost = HUGE_VAL;
    double tolerance = effort->tolerance > 0 ? effort->tolerance : FINE;
    if (decays)
        cost = choose_plain(choice, wants, parts, tolerance);
    double last = tolerance;
    if (effort->width >= COARSE)
        tolerance = fmax(tolerance, COARSE);
    if (effort->is_scout && cost > VERY_LONG)
        tolerance = fmax(tolerance, SCOUT);
    if (decays && cost > LONG && tolerance > last)
        cost = choose_plain(choice, wants, parts, tolerance);
    if (decays && cost > VERY_LONG * (double)parts->n)
        cost = choose_left(choice, wants, parts, cost, tolerance);
    if (decays && parts->n > MANY) /* searching takes longer than it saves */
        return cost <= effort->max_cost;
    if (decays && cost > effort->max_cost && effort->width > COARSE)
        cost = choose_left(
            choice, wants, parts, HUGE_VAL, fmin(effort->width / 16, 1e-3));
    return cost <= effort->max_cost ||
           (!is_split(parts) && choose_blurred(choice, wants, parts, effort));
}
