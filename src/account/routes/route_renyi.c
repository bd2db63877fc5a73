/*
 * The analytical moments accountant: the Renyi curves of the parts add up, and
 * the best order is searched among all real ones: by the minimum of the sum if
 * the curves of all parts are smooth, else by a scan. Every order is valid, so
 * that a bad choice only costs width.
 */
#include "route.h"

#include "num/minimum.h"
#include "plan/kinds.h"
#include "renyi/renyi.h"

/* The objective that is minimised over the order: a bound on log delta at eps,
 * or on epsilon at log_delta. */
typedef struct search {
    const account_view *view;
    double most;     /* greatest order with a curve */
    bool is_steered; /* the search uses approximate curves */
    double curve_guess;    /* its value at first_order */
    bool for_epsilon;
    ball argument;
    double *least, *order; /* the least certified bound so far, and where */
} search;

/* Orders are 1 + 2^u. */
static double order_of(const search *s, double u)
{
    return fmin(1 + exp2(u), s->most);
}

static double greatest_u(const search *s)
{
    return log2(s->most - 1);
}

/* ---- Certified --------------------------------------------------------- */

static double curve_at(const account_view *view, double order)
{
    mechanism_renyi_bound r;
    mechanism_context quick = view->c; /* a dozen digits are enough */
    quick.few_digits = true;
    if (work_stopped(view->c.pool->limits) ||
        !total_renyi(&r, ball_of(order), view->normal, &quick))
        return HUGE_VAL;
    return ball_upper(r.upper);
}

/* The curve at its greatest order, which every search evaluates. */
static double last_of_curve(const search *s)
{
    account_curve *curve = s->view->curve;
    if (!curve->knows_last)
        curve->last = curve_at(s->view, s->most);
    curve->knows_last = true;
    return curve->last;
}

/* The bound that the divergence at the order certifies. */
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

/* Bounds at order 1 + 2^u, and keeps the least bound and its order. */
static double certified_bound(double u, const void *context)
{
    const search *s = context;
    double order = order_of(s, u), bound = bound_at(s, order);
    if (bound < *s->least) {
        *s->least = bound;
        *s->order = order;
    }
    return bound;
}

/* The smallest u of the certified search, the first u and the step of its scan
 * for local minima; the largest whole order at which sums are evaluated. */
#define MIN_CERTIFIED_U (-20.0)
#define FIRST_SCAN_U (-7.0)
#define SCAN_STEP_U 2.0
#define MAX_WHOLE_ORDER 1024.0

/* The least of several bounds has several local minima. Evaluates it at steps
 * of SCAN_STEP_U, then near the best of them, then at the whole orders next to
 * that, where chords meet. */
static void certified_search(const search *s)
{
    double high = greatest_u(s), at = high, least = HUGE_VAL;
    (void)certified_bound(high, s);
    for (double u = FIRST_SCAN_U; u < high; u += SCAN_STEP_U) {
        double bound = certified_bound(u, s);
        if (bound > least && u > at + 3 * SCAN_STEP_U)
            break;
        if (bound < least) {
            least = bound;
            at = u;
        }
    }
    minimum_range range = {
        fmin(MIN_CERTIFIED_U, high - 1), high, 1e-6, SCAN_STEP_U / 4};
    (void)minimum_near(certified_bound, s, range, at);
    double whole = floor(*s->order);
    for (int i = 0; i < 2 && whole + i <= fmin(s->most, MAX_WHOLE_ORDER); i++)
        if (whole + i >= 2)
            (void)certified_bound(log2(whole + i - 1), s);
}

/* ---- Steered ----------------------------------------------------------- */

/* An approximation of the bound at order 1 + 2^u; T000-33.8. */
static double approx_bound(double u, const void *context)
{
    const search *s = context;
    double order = order_of(s, u), t = order - 1, at = ball_mid(s->argument);
    double d = total_renyi_approx(order, s->view->normal, &s->view->c);
    double log_order = log1p(t), gain = log(t) - log_order;
    return s->for_epsilon ? d + gain - (at + log_order) / t
                          : t * (d + gain - at) - log_order;
}

static double first_order(double most)
{
    return fmin(most, 2);
}

/* The best u if the curve were that of Gaussian noise, D = c order. */
static double first_guess(const search *s)
{
    double order = first_order(s->most), at = ball_mid(s->argument);
    double c = s->curve_guess / order;
    return log2(s->for_epsilon ? sqrt(-at / c)
                               : fmax((at / c - 1) / 2, 0x1p-10));
}

#define MIN_U (-30.0)
#define U_TOLERANCE 1e-9 /* in u, at a cliff; flat valleys end before */
#define FIRST_STEP_U 0.5

/* The minimum of the approximate bound. */
static minimum_point approx_search(const search *s)
{
    double high = greatest_u(s), low = fmin(MIN_U, high - 1);
    double start = fmin(fmax(first_guess(s), low), high);
    minimum_range range = {low, high, U_TOLERANCE, FIRST_STEP_U};
    return minimum_near(approx_bound, s, range, start);
}

static double least_bound(const search *given)
{
    search s = *given;
    double order = s.most, best = HUGE_VAL, promised = 0;
    s.least = &best;
    s.order = &order;
    if (s.is_steered) {
        minimum_point found = approx_search(&s);
        promised = found.value;
        (void)certified_bound(found.x, &s);
    }
    /* nothing steers, or the rough curve led astray */
    if (!(best < HUGE_VAL &&
            fabs(best - promised) <= 1e-3 * fabs(best) + 1e-9))
        certified_search(&s);
    s.view->curve->order = order;
    return best;
}

/* ---- The law ----------------------------------------------------------- */

static search search_of(const privacy_profile *self, bool for_epsilon, ball at)
{
    return (search){.view = self->context,
        .most = self->as.renyi.max_order,
        .is_steered = self->as.renyi.is_steered,
        .curve_guess = self->as.renyi.curve_guess,
        .for_epsilon = for_epsilon,
        .argument = at};
}

static dosi_interval renyi_law_log_delta(const privacy_profile *self, ball eps)
{
    search s = search_of(self, false, eps);
    if (!ball_is_nonnegative(eps))
        return iv_point(0);
    return iv_point(fmin(least_bound(&s), 0));
}

static dosi_interval renyi_law_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    search s = search_of(self, true, log_delta);
    return iv_point(fmax(least_bound(&s), 0));
}

static const profile_type renyi_type = {.theorem = "T000-33.2, T000-33.8",
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
        const mechanism_type *type = mechanism_of(&p);
        if (type->greatest_order != NULL)
            most = fmin(most, type->greatest_order(&p));
        else if (dosi_plan_child_count(p.node) > 0)
            most = fmin(most, greatest_order(dosi_plan_child(p.node, 0)));
    }
    return most;
}

const char *account_renyi_theorem(
    const dosi_plan *normal, bool is_converted)
{
    static const mechanism_renyi_source plain = {
        0, "T000-32, T000-33.2", "T000-33.2, T000-33.8"};
    const mechanism_renyi_source *source = &plain;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_renyi_source *own = mechanism_of(&p)->renyi_source;
        if (own != NULL && own->rank > source->rank)
            source = own;
    }
    return is_converted ? source->conversion : source->divergence;
}

/* log of what is kept, of the only parts with rough curves that leak. */
static ball steered_log_keep(const account_view *view)
{
    ball log_keep = ball_of(0);
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(view->normal, i);
        mechanism_zcdp_bound line = {ball_of(0), ball_of(0), ball_of(0)};
        if (!kind_row_has_leak(dosi_kind_row(dosi_plan_kind(p.node))))
            continue;
        if (!mechanism_of(&p)->zcdp(&line, &p, &view->c))
            return ball_of(-HUGE_VAL);
        if (!ball_is_zero(line.leak))
            log_keep = ball_add(log_keep,
                ball_mul_d(ball_log1p(ball_neg(line.leak)), p.count));
    }
    return log_keep;
}

/* Whether there is a curve; its rough value or NaN; log of what is kept. */
static bool probe(
    double *curve_guess, ball *log_keep, double order, const account_view *view)
{
    *curve_guess = total_renyi_approx(order, view->normal, &view->c);
    if (!isnan(*curve_guess)) {
        *log_keep = steered_log_keep(view);
        return true;
    }
    mechanism_renyi_bound r;
    if (!total_renyi(&r, ball_of(order), view->normal, &view->c))
        return false;
    *log_keep = ball_log1p(ball_neg(r.leak));
    return true;
}

static void renyi_laws(account_laws *out, const account_view *view)
{
    double most = greatest_order(view->normal);
    view->curve->knows_last = false;
    double curve_guess;
    ball log_keep;
    if (!(most > 1) || !probe(&curve_guess, &log_keep, first_order(most), view))
        return;
    privacy_profile made = {.type = &renyi_type,
        .flag = ATTAINED_BY_NONE,
        .as.renyi = {.max_order = most,
            .curve_guess = isnan(curve_guess) ? 0 : curve_guess,
            .is_steered = !isnan(curve_guess)},
        .context = view};
    const privacy_profile *core = profile_keep(view->c.pool, made);
    if (core != NULL && !ball_is_zero(log_keep))
        core = profile_keep(view->c.pool, profile_leaky(core, log_keep));
    account_add(out, core, true, false,
        account_renyi_theorem(view->normal, true));
}

const account_route route_renyi = {"renyi", renyi_laws};
