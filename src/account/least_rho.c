/*
 * The least rho of a plan at an intercept xi: sup (D - xi)/order over the
 * orders above 1. Parts with the curve of a pair of bounded loss enter by
 * their Renyi curves, all others by a line xi + rho order of their own.
 * Derivation: docs/theory/account.md.
 */
#include "account.h"

#include "base/error.h"
#include "renyi/zcdp_slope_search.h"

/* The greatest numbers of evaluations of one question: of single parts, and of
 * the sum of all. */
#define MAX_PART_EVALUATIONS 400000.0
#define MAX_EVALUATIONS 4096.0

/* The greatest order, less 1, at which a lower bound is tried. */
#define MAX_ORDER 0x1p20

/* The parts with curves, and the sum of the lines of the others. */
typedef struct split {
    const account_view *view;
    ball rho, xi;   /* the sum of the lines */
    ball exact_rho; /* of the lines that are the parts' own curves */
    ball curve_rho; /* of lines above the parts with curves */
    ball limit;     /* >= D of the curves at infinite order */
    double n_curves;
    bool leaks;    /* some member of the class has an infinite curve */
    bool is_exact; /* the plan's curve is this sum */
} split;

/* Whether the part enters by its Renyi curve. */
static bool has_curve(const part *p)
{
    return p->group == 1 && mechanism_of(p)->curve == CURVE_OF_PAIR;
}

static bool split_add(split *s, const part *p)
{
    const mechanism_context *c = &s->view->c;
    const mechanism_type *type = mechanism_of(p);
    mechanism_zcdp_bound line = {ball_of(0), ball_of(0), ball_of(0)};
    if (type->zcdp == NULL)
        return mechanism_decline(c, "a part has no zCDP guarantee");
    if (!type->zcdp(&line, p, c))
        return false;
    if (!ball_is_zero(line.leak)) {
        s->leaks = true;
        return mechanism_decline(c,
            "the plan leaks with a probability above 0: "
            "it is only approximately zCDP");
    }
    ball rho = ball_mul_d(line.rho, p->count);
    s->xi = ball_add(s->xi, ball_mul_d(line.xi, p->count));
    if (!has_curve(p)) {
        bool is_exact = type->curve == CURVE_LINE && ball_is_zero(line.xi);
        s->rho = ball_add(s->rho, rho);
        if (is_exact)
            s->exact_rho = ball_add(s->exact_rho, rho);
        s->is_exact = s->is_exact && is_exact;
        return true;
    }
    ball eps, delta;
    if (!type->guarantee(&eps, &delta, p, c))
        return false;
    s->limit = ball_add(s->limit, ball_mul_d(eps, p->count));
    s->curve_rho = ball_add(s->curve_rho, rho);
    s->n_curves++;
    return true;
}

static ball curves_at(ball order, const void *context)
{
    const split *s = context;
    ball sum = ball_of(0);
    size_t n = part_count(s->view->normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(s->view->normal, i);
        mechanism_renyi_bound one = {.leak = ball_of(0)};
        if (!has_curve(&p))
            continue;
        if (!mechanism_of(&p)->renyi(&one, order, &p, &s->view->c))
            return ball_unknown();
        sum = ball_add(sum, ball_mul_d(one.upper, p.count));
    }
    return sum;
}

/* sup (curves - xi)/order over the orders >= 1, not below 0. */
static dosi_status curves_rho(
    dosi_interval *out, const split *s, ball xi, dosi_error *err)
{
    /* the curves lie below lines without intercepts, and order >= 1 */
    double by_lines =
        ball_upper(ball_add(s->curve_rho, ball_max(ball_neg(xi), ball_of(0))));
    *out = (dosi_interval){0, by_lines};
    double evaluations =
        fmin(MAX_EVALUATIONS, MAX_PART_EVALUATIONS / (s->n_curves + 1));
    if (s->n_curves == 0 || !(ball_upper(s->limit) < 0x1p500))
        return DOSI_OK;
    order_curve curve = {.divergence = curves_at,
        .context = s,
        .limit = s->limit,
        /* losses lie between -limit and limit */
        .range = ball_upper(ball_scale2(s->limit, 1)),
        .max_evaluations = (size_t)evaluations};
    dosi_interval found;
    dosi_status status = order_least_rho(&found, &curve, xi, err);
    if (status == DOSI_OK)
        *out = (dosi_interval){fmax(found.lo, 0), fmin(found.hi, by_lines)};
    return status;
}

/* A lower bound of rho: (D - xi)/order at single orders, which the plan
 * attains. */
static double attained(const account_view *view, ball xi)
{
    double most = 0;
    for (double t = 0x1p-12; t <= MAX_ORDER; t *= 16) {
        ball order = ball_add_d(ball_of(t), 1);
        double least = total_renyi_least(order, view->normal, &view->c);
        if (!(least < HUGE_VAL))
            return HUGE_VAL;
        ball rho = ball_div(ball_sub(ball_of(least), xi), order);
        if (!ball_is_unknown(rho))
            most = fmax(most, ball_lower(rho));
    }
    return most;
}

/* A lower bound of rho by the parts whose curves are known; a plan without the
 * others is a post-processing of it. */
static dosi_status known_rho(
    double *out, const split *s, ball xi, dosi_error *err)
{
    dosi_interval rest, lines = ball_interval(s->exact_rho);
    dosi_status status = curves_rho(&rest, s, xi, err);
    *out = fmax(iv_add(lines, rest).lo, 0);
    return status;
}

dosi_status account_least_rho(
    account_line *out, const account_view *view, double xi, dosi_error *err)
{
    split s = {.view = view,
        .rho = ball_of(0),
        .xi = ball_of(0),
        .exact_rho = ball_of(0),
        .curve_rho = ball_of(0),
        .limit = ball_of(0),
        .is_exact = true};
    *out = (account_line){{0, HUGE_VAL}, "T000-13, D003-3.3-tightrho"};
    profile_pool *pool = view->c.pool;
    const char *reason = pool->reason;
    size_t n = part_count(view->normal);
    bool bounded = true;
    for (size_t i = 0; i < n; i++) {
        part p = part_at(view->normal, i);
        bool is_added = split_add(&s, &p);
        if (bounded && !is_added)
            reason = pool->reason;
        bounded = bounded && is_added;
    }
    ball at = ball_of(xi);
    dosi_status status = known_rho(&out->rho.lo, &s, at, err);
    if (bounded && status == DOSI_OK) {
        dosi_interval rest, lines = ball_interval(s.rho);
        status = curves_rho(&rest, &s, ball_sub(at, s.xi), err);
        out->rho.hi = lines.hi == 0 ? rest.hi : iv_add(lines, rest).hi;
        if (s.n_curves == 0)
            out->theorem = "T000-13";
    }
    if (s.leaks)
        out->rho.lo = HUGE_VAL;
    else if (status == DOSI_OK && !(bounded && s.is_exact))
        out->rho.lo = fmax(out->rho.lo, attained(view, at));
    pool->reason = reason;
    return pool->no_memory ? dosi_fail_memory(err) : status;
}
