/*
 * Curves over bases with a law are exact. Over others the sum of T000-34
 * bounds whole orders and chords those between them, and joint convexity
 * bounds every order. Derivation: docs/theory/sampling.md.
 */
#include "poisson_curve.h"

#include "mechanisms/base_law.h"
#include "sampling/amplify.h"
#include "renyi/renyi.h"
#include "renyi/poisson_base_renyi.h"
#include "renyi/poisson_renyi.h"
#include "renyi/without_replacement_renyi.h"
#include "mechanisms/plan_total.h"

/* The orders up to which the sum of T000-34 is taken. It needs the sampled
 * plan's curve at every whole order up to its own. Within another sum it ends
 * early, and within two there is none, so that samples in samples take
 * polynomial time. */
static double max_order(const mechanism_context *c)
{
    return c->nested == 0 ? 1024 : c->nested == 1 ? 8 : 1;
}

/* The greatest mu for which the exact Renyi divergence is fast. */
#define MAX_MU 40

/* The greatest number of quadrature panels for a Laplace law, in one of many
 * evaluations and in a single one. */
#define MAX_PANELS 128
#define MAX_FEW_DIGITS_PANELS 8192

ball sample_rate(const part *p)
{
    ball rate = ball_of(part_parameter(p, 0));
    const dosi_plan *plan = dosi_plan_child(p->node, 0);
    for (; dosi_plan_kind(plan) == DOSI_POISSON;
         plan = dosi_plan_child(plan, 0))
        rate = ball_mul_d(rate, dosi_plan_parameter(plan, 0));
    return rate;
}

const dosi_plan *poisson_base(const part *p)
{
    const dosi_plan *plan = dosi_plan_child(p->node, 0);
    while (dosi_plan_kind(plan) == DOSI_POISSON)
        plan = dosi_plan_child(plan, 0);
    return plan;
}

static sampled_side side_of(const mechanism_context *c)
{
    return c->add ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST;
}

/* ---- Laws in closed form ------------------------------------------------ */

/* Closed bounds, by T000-42 (and T000-35 for the add direction) and S000-6.6,
 * for noise so small or an order so large that sampling hardly helps. In the
 * add direction the loss is at most log P/((1 - rate) P + rate Q)
 * <= -log(1 - rate). */
static bool small_noise_renyi(mechanism_renyi_bound *out, ball order, ball mu,
    const part *p, const mechanism_context *c)
{
    ball rate = sample_rate(p), rho = ball_scale2(ball_sqr(mu), -1);
    out->upper = amplify_large_order(rate, order, ball_mul(order, rho));
    out->lower = c->add ? ball_of(0) : amplify_limit_lower(rate, rho, order);
    if (c->add && ball_less(rate, ball_of(1)))
        out->upper = ball_min(out->upper, ball_neg(ball_log1p(ball_neg(rate))));
    return !ball_is_unknown(out->upper) && !ball_is_unknown(out->lower);
}

static bool gaussian_renyi(mechanism_renyi_bound *out, ball order,
    const chi_law *law, const part *p, const mechanism_context *c)
{
    ball mu = law->parameter, d = ball_unknown();
    if (ball_upper(mu) <= MAX_MU)
        d = (c->few_digits ? sampled_law_renyi_quick : sampled_law_renyi)(
            side_of(c), law, sample_rate(p), order);
    out->upper = out->lower = d;
    return !ball_is_unknown(d) || small_noise_renyi(out, order, mu, p, c);
}

/* An estimate of the panels that sampled_law_renyi takes. */
static double count_panels(const chi_law *pair, double rate, double order)
{
    double a = ball_mid(pair->parameter);
    double odds = rate * exp(fmin(a, 700)), share = odds / (1 - rate + odds);
    return 8 * a * fmax(1, (order + 1) * share / 5);
}

/* The divergence over Laplace noise, randomized response, and the worst pair
 * of a pure guarantee. */
static bool law_renyi(mechanism_renyi_bound *out, ball order,
    const base_law *base, const part *p, const mechanism_context *c)
{
    if (!base->is_law)
        return false;
    double rate = ball_mid(sample_rate(p));
    if (base->law.kind == CHI_LAPLACE &&
        count_panels(&base->law, rate, ball_mid(order)) >
            (c->few_digits ? MAX_FEW_DIGITS_PANELS : MAX_PANELS))
        return false;
    ball d =
        sampled_law_renyi(side_of(c), &base->law, sample_rate(p), order);
    out->upper = out->lower = d;
    return !ball_is_unknown(d);
}

/* The divergence over one run of a finite pair P, Q: of (1-q) Q + q P from Q,
 * or of Q from it. */
static bool pair_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    part inner = part_at(poisson_base(p), 0);
    if (part_count(poisson_base(p)) > 1 || inner.count > 1 ||
        inner.group > 1 || dosi_plan_kind(inner.node) != DOSI_PMF)
        return false;
    size_t n = 0;
    const double *first = dosi_plan_list(inner.node, c->add ? 1 : 0, &n);
    const double *second = dosi_plan_list(inner.node, c->add ? 0 : 1, &n);
    finite_law *base = NULL, *sampled = NULL;
    dosi_status status = finite_from_pair(&base, first, second, n, NULL);
    if (status == DOSI_OK)
        status = finite_poisson(&sampled, base, sample_rate(p),
            c->add ? FINITE_BASE_FIRST : FINITE_MIXTURE_FIRST, NULL);
    ball d = profile_made(c->pool, status) ? finite_renyi(sampled, order)
                                           : ball_unknown();
    finite_free(base);
    finite_free(sampled);
    out->upper = out->lower = d;
    return !ball_is_unknown(d);
}

/* ---- Curves ------------------------------------------------------------ */

/* The context for the sampled plan inside a sum over its curve. */
static mechanism_context within(const mechanism_context *c)
{
    mechanism_context inner = *c;
    inner.nested++;
    return inner;
}

/* The sampled plan's curve: the worse of both directions if T000-35 needs
 * it. */
typedef struct base_curve {
    const dosi_plan *plan;
    mechanism_context c;
    bool lower;
    bool failed;
} base_curve;

static ball base_curve_at(double order, const void *context)
{
    /* the counterpart of renyi_curve's const: one flag to report back */
    base_curve *b = *(base_curve *const *)context;
    mechanism_renyi_bound r;
    if (b->failed || work_stopped(b->c.pool->limits) ||
        !total_renyi(&r, ball_of(order), b->plan, &b->c) ||
        !ball_is_zero(r.leak)) {
        b->failed = true;
        return ball_of(HUGE_VAL);
    }
    if (b->lower)
        return r.lower;
    mechanism_context back = b->c;
    back.add = !back.add;
    mechanism_renyi_bound s;
    if (b->c.add && total_renyi(&s, ball_of(order), b->plan, &back))
        return ball_max(r.upper, s.upper);
    return r.upper;
}

/* Operations that one term of the sum of T000-34 takes. */
#define TERM_OPERATIONS 1000

static bool sampled_curve(ball *out, double order, bool lower, const part *p,
    const mechanism_context *c)
{
    base_curve b = {poisson_base(p), within(c), lower, false};
    base_curve *context = &b;
    work_spend(c->pool->limits, TERM_OPERATIONS * order);
    dosi_status status = sampled_renyi_once(
        out, sample_rate(p), order, base_curve_at, &context, NULL);
    if (status == DOSI_ENOMEM)
        c->pool->no_memory = true;
    return status == DOSI_OK && !b.failed;
}

/* (order - 1) D at a real order between whole ones: it is convex, so that a
 * chord of bounds bounds it; it starts from 0 at order 1. */
static bool sampled_chord(
    ball *out, ball order, const part *p, const mechanism_context *c)
{
    double below = floor(ball_lower(order));
    double above = ceil(ball_upper(order));
    ball low = ball_of(0), high = ball_of(0);
    if (below >= 2 && !sampled_curve(&low, below, false, p, c))
        return false;
    *out = low;
    if (above == below)
        return true;
    if (!sampled_curve(&high, above, false, p, c))
        return false;
    low = ball_mul_d(low, below - 1);
    high = ball_mul_d(high, above - 1);
    ball share = ball_div_d(ball_sub_d(order, below), above - below);
    ball cumulant = ball_add(low, ball_mul(share, ball_sub(high, low)));
    *out = ball_div(cumulant, ball_sub_d(order, 1));
    return true;
}

/* A bound by the base's own curve and joint convexity, in either direction. */
static bool convex_bound(
    ball *out, ball order, const part *p, const mechanism_context *c)
{
    mechanism_renyi_bound r;
    mechanism_context base = within(c);
    if (!total_renyi(&r, order, poisson_base(p), &base) ||
        !ball_is_zero(r.leak))
        return false;
    ball t = ball_sub_d(order, 1);
    *out = ball_div(wr_jensen(sample_rate(p), ball_mul(r.upper, t)), t);
    return !ball_is_unknown(*out);
}

/* A bound by the greatest loss, or infinite: randomized response is the worst
 * of all pairs with it, and so is its sample. */
static ball pure_bound(
    ball order, const base_law *base, const part *p, const mechanism_context *c)
{
    if (!(ball_upper(base->pure) < HUGE_VAL))
        return ball_of(HUGE_VAL);
    ball rate = sample_rate(p);
    chi_law worst = chi_response(base->pure, 2);
    ball d = sampled_law_renyi(side_of(c), &worst, rate, order);
    ball cap = amplify_epsilon(rate, base->pure);
    return ball_is_unknown(d) ? cap : ball_min(d, cap);
}

/* The least of the bounds that apply. */
static bool curve_renyi(mechanism_renyi_bound *out, ball order,
    const base_law *base, const part *p, const mechanism_context *c)
{
    if (!convex_bound(&out->upper, order, p, c))
        return mechanism_decline(
            c, "poisson: the sampled plan has no Renyi curve there");
    double most = max_order(c);
    bool summed = ball_upper(order) <= most;
    ball chord;
    if (summed && sampled_chord(&chord, order, p, c))
        out->upper = ball_min(out->upper, chord);
    out->upper = ball_min(out->upper, pure_bound(order, base, p, c));
    /* E_Q[(1 - q + q e^L)^a] expands exactly in the removal direction; the
     * divergence grows with the order */
    double below = fmin(floor(ball_lower(order)), most);
    out->lower = ball_of(0);
    if (!c->few_digits && !c->add && below >= 2 &&
        !sampled_curve(&out->lower, below, true, p, c))
        out->lower = ball_of(0);
    return true;
}

/* ---- The slots ---------------------------------------------------------- */

bool poisson_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    if (p->group > 1)
        return mechanism_decline(c, POISSON_GROUP_REASON);
    base_law base = base_law_of(poisson_base(p), c);
    out->is_smooth = base.is_law;
    if (base.is_law && base.law.kind == CHI_GAUSSIAN)
        return gaussian_renyi(out, order, &base.law, p, c);
    return law_renyi(out, order, &base, p, c) || pair_renyi(out, order, p, c) ||
           curve_renyi(out, order, &base, p, c);
}
