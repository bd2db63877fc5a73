/*
 * The analytical moments accountant: the parts' Renyi curves add, and the
 * best order is looked for among all real ones. The search is steered by
 * rough curves in doubles where all parts have one, else by certified values
 * on a grid, kept for the next question; the curve is then certified at the
 * order found. Every order is valid, so that a bad choice only costs width.
 */
#include "account.h"

#include "repr/renyi.h"

/* What is minimised over the order: a bound on log delta at eps, or on
 * epsilon at log_delta. */
typedef struct search {
    const account_view *view;
    double most; /* greatest order with a curve */
    bool is_steered; /* by rough curves */
    bool for_epsilon;
    ball argument;
} search;

/* ---- Certified --------------------------------------------------------- */

static double curve_at(const account_view *view, double order)
{
    lower_renyi r;
    if (!total_renyi(&r, ball_of(order), view->normal, &view->c))
        return HUGE_VAL;
    return ball_upper(r.upper);
}

/* What the divergence at the order certifies. */
static double bound_at(const search *s, double order)
{
    double d = curve_at(s->view, order);
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

/* D between two points, linear in logarithms. */
static double grid_curve(const search *s, double u)
{
    double place = 16 * u - ACCOUNT_FIRST_ORDER;
    int i = (int)fmin(fmax(floor(place), 0), ACCOUNT_ORDERS - 2);
    double a = grid_value(s, i), b = grid_value(s, i + 1);
    double share = fmin(fmax(place - i, 0), 1);
    return exp(a + share * (b - a)) / (order_of(s, u) - 1);
}

/* Roughly the bound at the order 1 + 2^u; T000-33.8 in doubles. */
static double objective(const search *s, double u)
{
    double order = order_of(s, u), t = order - 1;
    double d = s->is_steered ? total_renyi_approx(
                                   order, s->view->normal, &s->view->c)
                             : grid_curve(s, u);
    double gain = log(t / order), at = ball_mid(s->argument);
    double value = s->for_epsilon ? d + gain - (at + log(order)) / t
                                  : t * (d - at + gain) - log(order);
    return isnan(value) ? HUGE_VAL : value;
}

#define TOLERANCE 1e-5
#define GOLDEN 0.3819660112501051

/* Three points of a search by Brent's method, best first, with values. */
typedef struct brent {
    double a, b; /* the least lies between */
    double x, w, v;
    double fx, fw, fv;
    double step, before; /* the last one and the one before that */
} brent;

/* To the least of the parabola through the points, or by the golden section
 * when that is outside or does not shrink fast enough. */
static double brent_next(brent *m)
{
    double r = (m->x - m->w) * (m->fx - m->fv);
    double q = (m->x - m->v) * (m->fx - m->fw);
    double p = (m->x - m->v) * q - (m->x - m->w) * r;
    q = 2 * (q - r);
    double last = m->before;
    m->before = m->step;
    double step = -p / q;
    if (fabs(step) < fabs(last) / 2 && m->x + step > m->a &&
        m->x + step < m->b) {
        m->step = step;
    } else {
        m->before = (2 * m->x < m->a + m->b ? m->b : m->a) - m->x;
        m->step = GOLDEN * m->before;
    }
    double least = fabs(m->step) >= TOLERANCE ? m->step
                                              : copysign(TOLERANCE, m->step);
    return m->x + least;
}

static void brent_learn(brent *m, double u, double fu)
{
    if (fu <= m->fx) {
        *(u < m->x ? &m->b : &m->a) = m->x;
        m->v = m->w, m->fv = m->fw;
        m->w = m->x, m->fw = m->fx;
        m->x = u, m->fx = fu;
        return;
    }
    *(u < m->x ? &m->a : &m->b) = u;
    if (fu <= m->fw || m->w == m->x) {
        m->v = m->w, m->fv = m->fw;
        m->w = u, m->fw = fu;
    } else if (fu <= m->fv || m->v == m->x || m->v == m->w) {
        m->v = u, m->fv = fu;
    }
}

/* The order that promises the least bound. */
static double best_order(const search *s)
{
    double low = ACCOUNT_FIRST_ORDER / 16.0;
    double high = fmax(log2(s->most - 1), low + 1);
    double u = low + GOLDEN * (high - low), fu = objective(s, u);
    brent m = {low, high, u, u, u, fu, fu, fu, 0, 0};
    for (int i = 0; i < 60; i++) {
        double middle = m.a / 2 + m.b / 2;
        if (fabs(m.x - middle) + (m.b - m.a) / 2 <= 2 * TOLERANCE)
            break;
        u = brent_next(&m);
        fu = objective(s, u);
        /* beyond the curves: to smaller orders */
        if (fu == HUGE_VAL && m.fx == HUGE_VAL && u > m.x) {
            m.b = u;
            continue;
        }
        brent_learn(&m, u, fu);
    }
    return order_of(s, m.x);
}

static double least_bound(const search *s)
{
    double order = best_order(s);
    double best = bound_at(s, order);
    double promised = s->is_steered ? objective(s, log2(order - 1)) : best;
    if (s->is_steered &&
        !(fabs(best - promised) <= 1e-3 * fabs(best) + 1e-9)) {
        search certified = *s; /* the rough curve led astray */
        certified.is_steered = false;
        return fmin(best, least_bound(&certified));
    }
    double whole = fmax(round(order), 2);
    if (!s->is_steered && whole <= fmin(s->most, 1024)) {
        double kink = bound_at(s, whole); /* of a chord */
        order = kink < best ? whole : order;
        best = fmin(best, kink);
    }
    s->view->curve->order = order;
    return best;
}

/* ---- The law ----------------------------------------------------------- */

/* x: greatest order; n: 1 when rough curves steer. */
static search search_of(const law *self, bool for_epsilon, ball at)
{
    return (search){
        self->context, self->x.hi, self->n == 1, for_epsilon, at};
}

static dosi_interval renyi_law_log_delta(const law *self, ball eps)
{
    search s = search_of(self, false, eps);
    if (!ball_is_nonnegative(eps))
        return iv_point(0);
    return iv_point(fmin(least_bound(&s), 0));
}

static dosi_interval renyi_law_epsilon(
    const law *self, ball delta, ball log_delta)
{
    (void)delta;
    search s = search_of(self, true, log_delta);
    return iv_point(fmax(least_bound(&s), 0));
}

static const law_type renyi_type = {.theorem = "T000-33.2, T000-33.8",
    .log_delta = renyi_law_log_delta,
    .epsilon = renyi_law_epsilon,
    .is_slow = true};

/* Where the part's curve ends, or costs more than it gives. */
static double greatest_order(const part *p, const lower_context *c)
{
    ball mu;
    law_flag flag;
    dosi_kind kind = dosi_plan_kind(p->node);
    if (kind == DOSI_RENYI)
        return part_parameter(p, 0);
    if (kind != DOSI_POISSON && kind != DOSI_WITHOUT_REPLACEMENT)
        return 1e9;
    return total_gaussian(&mu, &flag, dosi_plan_child(p->node, 0), c) ? 1e9
                                                                      : 1024;
}

/* What the bound rests on. */
static const char *theorem_of(const dosi_plan *normal)
{
    const char *theorem = renyi_type.theorem;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        dosi_kind kind = dosi_plan_kind(part_at(normal, i).node);
        if (kind == DOSI_WITHOUT_REPLACEMENT)
            return "T002-9, T002-19, C002-10, T000-33.2, T000-33.8";
        if (kind == DOSI_POISSON)
            theorem = "T000-34, T000-35, T000-33.2, T000-33.8";
    }
    return theorem;
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

/* Whether there is a curve, and log of what is kept. */
static bool probe(
    bool *steered, ball *log_keep, double order, const account_view *view)
{
    double rough = total_renyi_approx(order, view->normal, &view->c);
    *steered = !isnan(rough);
    if (*steered) {
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
    double most = 1e9;
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(view->normal, i);
        most = fmin(most, greatest_order(&p, &view->c));
    }
    for (int i = 0; i < ACCOUNT_ORDERS; i++)
        view->curve->known[i] = false;
    bool steered;
    ball log_keep;
    if (!(most > 1) || !probe(&steered, &log_keep, fmin(most, 2), view))
        return;
    law made = {.type = &renyi_type,
        .flag = LAW_BOUND,
        .x = ball_of(most),
        .n = steered ? 1 : 0,
        .context = view};
    const law *core = law_keep(view->c.pool, made);
    if (core != NULL && !ball_is_zero(log_keep))
        core = law_keep(view->c.pool, law_leaky(core, log_keep));
    account_add(out, core, true, false, theorem_of(view->normal));
}

const account_route route_renyi = {"renyi", renyi_laws};
