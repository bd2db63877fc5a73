/*
 * The routes that bound from above only, through sums of moments or of
 * stated guarantees: zCDP, (epsilon, delta), Renyi. Each is written as a law
 * whose profile is the bound itself.
 */
#include "account.h"

#include "repr/approx.h"
#include "repr/renyi.h"
#include "repr/zcdp.h"

/* What is kept when each run of each part leaks with its probability. */
static ball keep_more(ball log_keep, ball leak, double count)
{
    if (ball_is_zero(leak))
        return log_keep;
    return ball_add(
        log_keep, ball_mul_d(ball_log1p(ball_neg(leak)), count));
}

static const law *with_leak(
    law_pool *pool, const law *core, ball log_keep)
{
    if (core == NULL || ball_is_zero(log_keep))
        return core;
    return law_keep(pool, law_leaky(core, log_keep));
}

/* ---- zCDP -------------------------------------------------------------- */

/* x: rho; y: xi. D_a <= xi + rho a is rho a at epsilon - xi. */
static dosi_interval zcdp_law_log_delta(const law *self, ball eps)
{
    ball rest = ball_sub(eps, self->y);
    if (!ball_is_nonnegative(rest))
        return iv_point(0);
    return iv_point(zcdp_log_delta(self->x, rest).hi);
}

static dosi_interval zcdp_law_epsilon(
    const law *self, ball delta, ball log_delta)
{
    (void)delta;
    dosi_interval v = zcdp_epsilon_unclamped(self->x, log_delta);
    double most = ball_upper(ball_add_d(self->y, v.hi));
    return iv_point(fmax(most, 0));
}

static const law_type zcdp_type = {
    .theorem = "T000-13, T000-14, T000-16",
    .log_delta = zcdp_law_log_delta,
    .epsilon = zcdp_law_epsilon};

static void zcdp_laws(account_laws *out, const account_view *view)
{
    law made = {.type = &zcdp_type,
        .flag = LAW_BOUND,
        .x = ball_of(0),
        .y = ball_of(0)};
    ball log_keep = ball_of(0);
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(view->normal, i);
        const lowering *l = lower_of(&p);
        lower_zcdp box = {ball_of(0), ball_of(0), ball_of(0)};
        if (l->zcdp == NULL || !l->zcdp(&box, &p, &view->c))
            return;
        made.x = ball_add(made.x, ball_mul_d(box.rho, p.count));
        made.y = ball_add(made.y, ball_mul_d(box.xi, p.count));
        log_keep = keep_more(log_keep, box.leak, p.count);
    }
    if (ball_is_unknown(made.x))
        return;
    const law *core = law_keep(view->c.pool, made);
    account_add(out, with_leak(view->c.pool, core, log_keep), true, false,
        zcdp_type.theorem);
}

const account_route route_zcdp = {"zcdp", zcdp_laws};

/* ---- (epsilon, delta) -------------------------------------------------- */

static approx_total total_of(const law *self)
{
    return (approx_total){self->x, self->y, self->z, self->w};
}

static dosi_interval approx_law_log_delta(const law *self, ball eps)
{
    approx_total total = total_of(self);
    if (!ball_is_nonnegative(eps))
        return iv_point(0);
    return iv_point(approx_log_delta(&total, eps).hi);
}

static dosi_interval approx_law_epsilon(
    const law *self, ball delta, ball log_delta)
{
    (void)log_delta;
    approx_total total = total_of(self);
    /* where delta underflows its slack is not certain: up to +inf */
    dosi_interval slack = approx_slack(&total, delta);
    dosi_interval product = approx_slack_product(&total, delta);
    double most = approx_epsilon(&total, slack).hi;
    most = fmin(most, approx_epsilon_cdp(&total, product).hi);
    return iv_point(fmax(most, 0));
}

static const law_type approx_type = {
    .theorem = "T000-01, T000-22, T000-29",
    .log_delta = approx_law_log_delta,
    .epsilon = approx_law_epsilon};

static void approx_laws(account_laws *out, const account_view *view)
{
    approx_total total = approx_total_empty();
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(view->normal, i);
        const lowering *l = lower_of(&p);
        ball eps, delta;
        if (l->box == NULL || !l->box(&eps, &delta, &p, &view->c) ||
            ball_is_unknown(eps) || ball_is_unknown(delta))
            return;
        total = approx_total_add(total, eps, delta, ball_of(p.count));
    }
    law made = {.type = &approx_type,
        .flag = LAW_BOUND,
        .x = total.eps,
        .y = total.squares,
        .z = total.delta,
        .w = total.log_keep};
    account_add(out, law_keep(view->c.pool, made), true, false, NULL);
}

const account_route route_approx = {"approx", approx_laws};

/* ---- Renyi ------------------------------------------------------------- */

/* What is minimised over the order: a bound on log delta at eps, or on
 * epsilon at log_delta. */
typedef struct order_search {
    const account_view *view;
    bool whole;  /* only whole orders are known */
    double most; /* greatest order with a curve */
    bool for_epsilon;
    ball argument;
} order_search;

static double curve_at(const account_view *view, double order)
{
    lower_renyi r;
    view->curve->n_asked++;
    if (!total_renyi(&r, ball_of(order), view->normal, &view->c))
        return HUGE_VAL;
    return ball_upper(r.upper);
}

/* What the divergence d at the order certifies. */
static double bound_by(const order_search *s, double order, double d)
{
    if (!(d < HUGE_VAL))
        return HUGE_VAL;
    ball a = ball_of(order), divergence = ball_of(fmax(d, 0));
    return ball_upper(s->for_epsilon
                          ? renyi_epsilon(a, divergence, s->argument)
                          : renyi_log_delta(a, divergence, s->argument));
}

static double order_at(const order_search *s, double i)
{
    double order = 1 + exp2((i + ACCOUNT_FIRST_ORDER) / 16);
    if (s->whole)
        order = fmax(2, round(order));
    return fmin(order, s->most);
}

/* At the i-th order, whose divergence is remembered. */
static double bound_at(const order_search *s, int i)
{
    account_curve *curve = s->view->curve;
    double order = order_at(s, i);
    if (!curve->known[i]) {
        curve->known[i] = true;
        curve->upper[i] = curve_at(s->view, order);
    }
    return bound_by(s, order, curve->upper[i]);
}

/* Between two orders, while questions are cheap; any order is valid. */
static double bound_between(const order_search *s, double a, double b)
{
    const double golden = 0.6180339887498949;
    double best = HUGE_VAL;
    for (int step = 0; step < 12 && s->view->curve->n_asked < 150; step++) {
        double x = b - golden * (b - a), y = a + golden * (b - a);
        double p = order_at(s, x), q = order_at(s, y);
        double fx = bound_by(s, p, curve_at(s->view, p));
        double fy = bound_by(s, q, curve_at(s->view, q));
        best = fmin(best, fmin(fx, fy));
        if (fx <= fy)
            b = y;
        else
            a = x;
    }
    return best;
}

/* The least bound met by thirds. */
static double least_bound(const order_search *s)
{
    int a = s->whole ? -ACCOUNT_FIRST_ORDER : 0, b = a;
    while (b + 1 < ACCOUNT_ORDERS && order_at(s, b) < s->most)
        b++;
    double best = fmin(bound_at(s, a), bound_at(s, b));
    while (b - a > 2) {
        int x = a + (b - a) / 3, y = b - (b - a) / 3;
        double fx = bound_at(s, x), fy = bound_at(s, y);
        best = fmin(best, fmin(fx, fy));
        if (fx <= fy)
            b = y;
        else
            a = x;
    }
    best = fmin(best, bound_at(s, a + (b - a) / 2));
    return s->whole ? best : fmin(best, bound_between(s, a, b));
}

/* x: greatest order; n: 1 when only whole orders are known. */
static order_search search_of(const law *self, bool for_epsilon, ball at)
{
    return (order_search){
        self->context, self->n == 1, self->x.hi, for_epsilon, at};
}

static dosi_interval renyi_law_log_delta(const law *self, ball eps)
{
    order_search s = search_of(self, false, eps);
    if (!ball_is_nonnegative(eps))
        return iv_point(0);
    return iv_point(fmin(least_bound(&s), 0));
}

static dosi_interval renyi_law_epsilon(
    const law *self, ball delta, ball log_delta)
{
    (void)delta;
    order_search s = search_of(self, true, log_delta);
    return iv_point(fmax(least_bound(&s), 0));
}

static const law_type renyi_type = {.theorem = "T000-33.2, T000-33.8",
    .log_delta = renyi_law_log_delta,
    .epsilon = renyi_law_epsilon,
    .is_slow = true};

/* Samplers of anything but Gaussian noise. */
static bool needs_whole_orders(const part *p, const lower_context *c)
{
    dosi_kind kind = dosi_plan_kind(p->node);
    ball mu;
    law_flag flag;
    return kind == DOSI_WITHOUT_REPLACEMENT ||
           (kind == DOSI_POISSON &&
               !total_gaussian(
                   &mu, &flag, dosi_plan_child(p->node, 0), c));
}

/* Where the parts' curves end, or cost more than they give, and whether they
 * need whole orders. */
static void order_limits(
    law *made, const dosi_plan *normal, const lower_context *c)
{
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        dosi_kind kind = dosi_plan_kind(p.node);
        double most = made->x.hi;
        if (kind == DOSI_RENYI)
            most = part_parameter(&p, 0);
        if (kind == DOSI_POISSON)
            most = 1024;
        if (kind == DOSI_WITHOUT_REPLACEMENT)
            most = 32;
        if (needs_whole_orders(&p, c))
            made->n = 1;
        made->x = ball_of(fmin(made->x.hi, most));
    }
}

static void renyi_laws(account_laws *out, const account_view *view)
{
    law made = {.type = &renyi_type,
        .flag = LAW_BOUND,
        .x = ball_of(1e9),
        .context = view};
    order_limits(&made, view->normal, &view->c);
    for (int i = 0; i < ACCOUNT_ORDERS; i++)
        view->curve->known[i] = false;
    lower_renyi r;
    ball probe = ball_of(fmin(made.x.hi, 2));
    if (!(made.x.hi > 1) ||
        !total_renyi(&r, probe, view->normal, &view->c))
        return;
    ball log_keep = ball_log1p(ball_neg(r.leak));
    const law *core = law_keep(view->c.pool, made);
    account_add(out, with_leak(view->c.pool, core, log_keep), true, false,
        renyi_type.theorem);
}

const account_route route_renyi = {"renyi", renyi_laws};
