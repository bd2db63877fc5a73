/*
 * The analytical moments accountant: the parts' Renyi curves add, and the
 * best order is looked for among all real ones. The search is steered by
 * rough curves in doubles where all parts have one, else by certified values
 * on a grid, kept for the next question; the curve is then certified at the
 * order found. Every order is valid, so that a bad choice only costs width.
 */
#include "account.h"

#include "repr/renyi.h"
#include "steer_order.h"

/* What is minimised over the order: a bound on log delta at eps, or on
 * epsilon at log_delta. */
typedef struct search {
    const account_view *view;
    double most;     /* greatest order with a curve */
    bool is_steered; /* by rough curves */
    double rough;    /* of them, the value at first_order */
    size_t stride;   /* only every stride-th part is looked at */
    bool for_epsilon;
    ball argument;
} search;

/* ---- Certified --------------------------------------------------------- */

static double curve_at(const account_view *view, double order)
{
    lower_renyi r;
    lower_context quick = view->c; /* a dozen digits are enough */
    quick.quick = true;
    if (work_stopped(view->c.pool->limits) ||
        !total_renyi(&r, ball_of(order), view->normal, &quick))
        return HUGE_VAL;
    return ball_upper(r.upper);
}

/* The curve at its greatest order, which every search looks at. */
static double last_of_curve(const search *s)
{
    account_curve *curve = s->view->curve;
    if (!curve->knows_last)
        curve->last = curve_at(s->view, s->most);
    curve->knows_last = true;
    return curve->last;
}

/* What the divergence at the order certifies. */
static double bound_at(const search *s, double order)
{
    double d =
        order == s->most ? last_of_curve(s) : curve_at(s->view, order);
    if (!(d < HUGE_VAL))
        return HUGE_VAL;
    ball a = ball_of(order), divergence = ball_of(fmax(d, 0));
    return ball_upper(s->for_epsilon
                          ? renyi_epsilon(a, divergence, s->argument)
                          : renyi_log_delta(a, divergence, s->argument));
}

/* ---- Steered ----------------------------------------------------------- */

/* Orders are 1 + 2^u; the grid has 16 of them to a unit of u. */
static double order_of(const search *s, double u)
{
    return fmin(1 + exp2(u), s->most);
}

/* u of log t D at a point of the grid. */
static double grid_value(const search *s, int i)
{
    account_curve *curve = s->view->curve;
    double order = order_of(s, (double)(i + ACCOUNT_FIRST_ORDER) / 16);
    if (!curve->known[i]) {
        curve->known[i] = true;
        curve->upper[i] = log((order - 1) * curve_at(s->view, order));
    }
    return curve->upper[i];
}

/* Between two points, linear in logarithms. */
static double grid_cumulant(double u, const void *context)
{
    const search *s = context;
    double place = 16 * u - ACCOUNT_FIRST_ORDER;
    int i = (int)fmin(fmax(floor(place), 0), ACCOUNT_ORDERS - 2);
    double a = grid_value(s, i), b = grid_value(s, i + 1);
    double share = fmin(fmax(place - i, 0), 1);
    return a + share * (b - a);
}

static double rough_cumulant(double u, const void *context)
{
    const search *s = context;
    double order = order_of(s, u);
    double d = total_renyi_approx(
        order, s->stride, s->view->normal, &s->view->c);
    return log((order - 1) * d);
}

static double first_order(double most)
{
    return fmin(most, 2);
}

/* The order that a curve like that of noise would have, D = c order. */
static double first_guess(const search *s)
{
    double order = first_order(s->most), at = ball_mid(s->argument);
    double c = s->rough / order;
    return log2(s->for_epsilon ? sqrt(-at / c)
                               : fmax((at / c - 1) / 2, 0x1p-10));
}

/* Orders are at least 1 + 2^LOWEST; where a scan for valleys starts; and
 * where sums over whole orders end. */
#define LOWEST (-30.0)
#define FIRST_SCAN (-7.0)
#define LAST_SUM 1024.0

/* Beyond this many parts a few of them say where to look. */
#define MANY_PARTS 256
#define SAMPLE_PARTS 64
#define FIRST_STEP 0.5 /* in u */

static steer_problem problem_of(const search *s, double lowest, double most)
{
    return (steer_problem){
        .log_cumulant = s->is_steered ? rough_cumulant : grid_cumulant,
        .context = s,
        .lowest = lowest,
        .most = most,
        .for_epsilon = s->for_epsilon,
        .argument = ball_mid(s->argument)};
}

/* The order that promises the least bound, between 1 + 2^lowest and most. */
static steer_result best_order(const search *s, double lowest, double most)
{
    steer_problem p = problem_of(s, lowest, most);
    double start = s->is_steered ? first_guess(s) : NAN;
    size_t n = part_count(s->view->normal);
    if (s->is_steered && n > MANY_PARTS) {
        search some = *s;
        some.stride = n / SAMPLE_PARTS;
        p.context = &some;
        start = log2(steer_order(&p, start, FIRST_STEP).order - 1);
        p.context = s;
        return steer_order(&p, start, FIRST_STEP / 8);
    }
    return steer_order(&p, start, FIRST_STEP);
}

static double promised_at(const search *s, double u)
{
    steer_problem p = problem_of(s, u, s->most);
    return steer_bound(&p, u, p.log_cumulant(u, s));
}

/* The least bound so far and its order. */
typedef struct refinement {
    const search *s;
    double *order;
    double *best;
} refinement;

static double refined_bound(double u, const void *context)
{
    const refinement *r = context;
    double order = order_of(r->s, u), bound = bound_at(r->s, order);
    if (bound < *r->best) {
        *r->best = bound;
        *r->order = order;
    }
    return bound;
}

/* The points of the grid are far apart: looks about the best by certified
 * values, and at the whole orders next to it, where chords meet. */
static void refine(refinement *r)
{
    const search *s = r->s;
    double u = log2(*r->order - 1);
    if (!(*r->best < HUGE_VAL))
        return;
    minimum_range range = {u - 0.125, u + 0.125, 1e-4, 0};
    (void)minimum_near(refined_bound, r, range, u);
    double whole = floor(*r->order);
    for (int i = 0; i < 2 && whole + i <= fmin(s->most, LAST_SUM); i++)
        if (whole + i >= 2)
            (void)refined_bound(log2(whole + i - 1), r);
}

/* By certified values alone. Bounds that take each other's place leave
 * several valleys: looks at every second u, then about the best. */
static double certified_least(const search *s, double *order)
{
    double high = log2(s->most - 1), best_u = high;
    double best = bound_at(s, s->most), least = HUGE_VAL;
    *order = s->most;
    for (double u = FIRST_SCAN; u < high; u += 2) {
        double promised = promised_at(s, u);
        if (promised > least && u > best_u + 6)
            break;
        if (promised < least) {
            least = promised;
            best_u = u;
        }
    }
    double low = best_u > FIRST_SCAN ? best_u - 2
                                     : ACCOUNT_FIRST_ORDER / 16.0;
    double top = fmin(1 + exp2(best_u + 2), s->most);
    double at = best_order(s, fmin(low, high - 1), top).order;
    double bound = bound_at(s, at);
    refinement r = {s, &at, &bound};
    refine(&r);
    *order = bound < best ? at : *order;
    return fmin(best, bound);
}

static double least_bound(const search *s)
{
    double order = s->most, best = HUGE_VAL, promised = 0;
    if (s->is_steered) {
        steer_result found = best_order(s, LOWEST, s->most);
        order = found.order;
        promised = found.promised;
        best = bound_at(s, order);
    }
    if (!(best < HUGE_VAL &&
            fabs(best - promised) <= 1e-3 * fabs(best) + 1e-9)) {
        /* nothing steers, or the rough curve led astray */
        search certified = *s;
        certified.is_steered = false;
        double other = s->most, bound = certified_least(&certified, &other);
        order = bound <= best ? other : order;
        best = fmin(best, bound);
    }
    account_curve *curve = s->view->curve;
    curve->is_answered = true;
    curve->for_epsilon = s->for_epsilon;
    curve->argument = ball_mid(s->argument);
    curve->bound = best;
    curve->order = curve->bound_order = order;
    return best;
}

/* delta and log delta are the same question. */
static double answer(const search *s)
{
    account_curve *curve = s->view->curve;
    bool sharp = s->argument.lo == 0 && s->argument.rad == 0;
    if (!(sharp && curve->is_answered &&
            curve->for_epsilon == s->for_epsilon &&
            curve->argument == s->argument.hi))
        return least_bound(s);
    curve->order = curve->bound_order;
    return curve->bound;
}

/* ---- The law ----------------------------------------------------------- */

/* x: greatest order; y: the rough curve at first_order; n: 1 when rough
 * curves steer. */
static search search_of(const law *self, bool for_epsilon, ball at)
{
    return (search){self->context, self->x.hi, self->n == 1, self->y.hi, 1,
        for_epsilon, at};
}

static dosi_interval renyi_law_log_delta(const law *self, ball eps)
{
    search s = search_of(self, false, eps);
    if (!ball_is_nonnegative(eps))
        return iv_point(0);
    return iv_point(fmin(answer(&s), 0));
}

static dosi_interval renyi_law_epsilon(
    const law *self, ball delta, ball log_delta)
{
    (void)delta;
    search s = search_of(self, true, log_delta);
    return iv_point(fmax(answer(&s), 0));
}

static const law_type renyi_type = {.theorem = "T000-33.2, T000-33.8",
    .log_delta = renyi_law_log_delta,
    .epsilon = renyi_law_epsilon,
    .is_slow = true};

/* Where the curve of a plan ends, at most; a sampler's ends with that of the
 * plan it samples. */
static double greatest_order(const dosi_plan *normal)
{
    double most = 1e9;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        dosi_kind kind = dosi_plan_kind(p.node);
        if (kind == DOSI_RENYI)
            most = fmin(most, part_parameter(&p, 0));
        else if (kind == DOSI_POISSON || kind == DOSI_WITHOUT_REPLACEMENT)
            most =
                fmin(most, greatest_order(dosi_plan_child(p.node, 0)));
    }
    return most;
}

const char *account_renyi_theorem(
    const dosi_plan *normal, bool is_converted)
{
    static const char *const theorems[3][2] = {
        {"T000-32, T000-33.2", "T000-33.2, T000-33.8"},
        {"T000-34, T000-35, T000-33.2",
            "T000-34, T000-35, T000-33.2, T000-33.8"},
        {"T002-9, T002-19, C002-10, T000-33.2",
            "T002-9, T002-19, C002-10, T000-33.2, T000-33.8"}};
    size_t sampler = 0;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n && sampler < 2; i++) {
        dosi_kind kind = dosi_plan_kind(part_at(normal, i).node);
        if (kind == DOSI_WITHOUT_REPLACEMENT)
            sampler = 2;
        else if (kind == DOSI_POISSON)
            sampler = 1;
    }
    return theorems[sampler][is_converted];
}

/* log of what is kept, of the only parts with rough curves that leak. */
static ball steered_log_keep(const account_view *view)
{
    ball log_keep = ball_of(0);
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(view->normal, i);
        dosi_kind kind = dosi_plan_kind(p.node);
        lower_zcdp box = {ball_of(0), ball_of(0), ball_of(0)};
        if (kind != DOSI_APPROX && kind != DOSI_ZCDP)
            continue;
        if (!lower_of(&p)->zcdp(&box, &p, &view->c))
            return ball_of(-HUGE_VAL);
        if (!ball_is_zero(box.leak))
            log_keep = ball_add(log_keep,
                ball_mul_d(ball_log1p(ball_neg(box.leak)), p.count));
    }
    return log_keep;
}

/* Whether there is a curve; its rough value or NaN; log of what is kept. */
static bool probe(
    double *rough, ball *log_keep, double order, const account_view *view)
{
    *rough = total_renyi_approx(order, 1, view->normal, &view->c);
    if (!isnan(*rough)) {
        *log_keep = steered_log_keep(view);
        return true;
    }
    lower_renyi r;
    if (!total_renyi(&r, ball_of(order), view->normal, &view->c))
        return false;
    *log_keep = ball_log1p(ball_neg(r.leak));
    return true;
}

static void renyi_laws(account_laws *out, const account_view *view)
{
    double most = greatest_order(view->normal);
    view->curve->is_answered = view->curve->knows_last = false;
    for (int i = 0; i < ACCOUNT_ORDERS; i++)
        view->curve->known[i] = false;
    double rough;
    ball log_keep;
    if (!(most > 1) || !probe(&rough, &log_keep, first_order(most), view))
        return;
    law made = {.type = &renyi_type,
        .flag = LAW_BOUND,
        .x = ball_of(most),
        .y = ball_of(isnan(rough) ? 0 : rough),
        .n = isnan(rough) ? 0 : 1,
        .context = view};
    const law *core = law_keep(view->c.pool, made);
    if (core != NULL && !ball_is_zero(log_keep))
        core = law_keep(view->c.pool, law_leaky(core, log_keep));
    account_add(out, core, true, false,
        account_renyi_theorem(view->normal, true));
}

const account_route route_renyi = {"renyi", renyi_laws};
