/*
 * poisson(rate, M): each record enters the sample by itself. The pair of the
 * sample is a mixture of M's pair with itself, another one in each direction
 * (T004-8, X004-8.add). Renyi curves are exact over Gaussian noise and by
 * T000-34 at whole orders otherwise. Only for add_remove: the account
 * refuses replace before it comes here.
 */
#include "lower.h"

#include "repr/amplify.h"
#include "repr/renyi_approx.h"
#include "repr/sampled_gaussian.h"
#include "repr/sampled_renyi.h"
#include "total.h"

/* Beyond this order a Renyi bound costs more than it gives. */
#define MAX_ORDER 1024

/* Beyond this mu the exact Renyi divergence takes long. */
#define MAX_MU 40

static ball sample_rate(const part *p)
{
    return ball_of(part_parameter(p, 0));
}

static const dosi_plan *sampled_plan(const part *p)
{
    return dosi_plan_child(p->node, 0);
}

static const char group_reason[] =
    "a group over a sampler is only bounded by its epsilon";

static const law *poisson_one(const part *p, const lower_context *c)
{
    if (p->group > 1)
        return law_decline(c->pool, group_reason);
    const law *base = total_exact(sampled_plan(p), c);
    return law_keep(c->pool, law_poisson(base, sample_rate(p), c->add));
}

static bool poisson_mix(
    lower_mix *out, lower_side side, const part *p, const lower_context *c)
{
    if (p->group > 1 && side == LOWER_ABOVE)
        return lower_decline(c, group_reason);
    lower_context coarse = *c; /* sampling moves atoms off every lattice */
    coarse.fine = false;
    const atoms *base =
        total_finite(&out->exact, side, sampled_plan(p), &coarse);
    if (base == NULL)
        return false;
    out->exact = out->exact && p->group == 1;
    atoms *sampled = NULL;
    dosi_status status = atoms_poisson(&sampled, base, sample_rate(p),
        c->add ? ATOMS_ADD : ATOMS_REMOVE, NULL);
    if (!law_made(c->pool, status))
        return false;
    out->finite = law_own(c->pool, sampled);
    return out->finite != NULL;
}

static bool poisson_box(
    ball *eps, ball *delta, const part *p, const lower_context *c)
{
    if (!total_box(eps, delta, sampled_plan(p), c))
        return false;
    *eps = amplify_epsilon(sample_rate(p), *eps);
    *delta = amplify_delta(sample_rate(p), *delta);
    lower_group_box(eps, delta, p->group);
    return true;
}

/* The sampled plan's curve, of both directions where T000-35 asks so. */
typedef struct base_curve {
    const dosi_plan *plan;
    lower_context c;
    bool lower;
    bool failed;
} base_curve;

static ball base_curve_at(double order, const void *context)
{
    /* the counterpart of renyi_curve's const: one flag to report back */
    base_curve *b = *(base_curve *const *)context;
    lower_renyi r;
    if (!total_renyi(&r, ball_of(order), b->plan, &b->c) ||
        !ball_is_zero(r.leak)) {
        b->failed = true;
        return ball_of(HUGE_VAL);
    }
    if (b->lower)
        return r.lower;
    lower_context back = b->c;
    back.add = !back.add;
    lower_renyi s;
    if (b->c.add && total_renyi(&s, ball_of(order), b->plan, &back))
        return ball_max(r.upper, s.upper);
    return r.upper;
}

static bool sampled_curve(ball *out, double order, bool lower,
    const part *p, const lower_context *c)
{
    base_curve b = {sampled_plan(p), *c, lower, false};
    base_curve *context = &b;
    dosi_status status = sampled_renyi_once(
        out, sample_rate(p), order, base_curve_at, &context, NULL);
    if (status == DOSI_ENOMEM)
        c->pool->no_memory = true;
    return status == DOSI_OK && !b.failed;
}

/* Exact; in closed form for noise so small that sampling hardly helps: by
 * T000-42 (and T000-35 for the add direction) and S000-6.6. */
static bool gaussian_renyi(lower_renyi *out, ball order, ball mu,
    const part *p, const lower_context *c)
{
    ball rate = sample_rate(p);
    if (ball_upper(mu) <= MAX_MU) {
        out->upper = out->lower = sampled_gaussian_renyi(
            c->add ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST, rate, mu,
            order);
        return !ball_is_unknown(out->upper);
    }
    ball rho = ball_scale2(ball_sqr(mu), -1);
    out->upper = amplify_large_order(rate, order, ball_mul(order, rho));
    out->lower =
        c->add ? ball_of(0) : amplify_limit_lower(rate, rho, order);
    return !ball_is_unknown(out->upper) && !ball_is_unknown(out->lower);
}

/* (order - 1) D at a real order between whole ones: it is convex, so that a
 * chord of bounds bounds it; it starts from 0 at order 1. */
static bool sampled_chord(
    ball *out, ball order, const part *p, const lower_context *c)
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

static bool poisson_renyi(
    lower_renyi *out, ball order, const part *p, const lower_context *c)
{
    if (p->group > 1)
        return lower_decline(c, group_reason);
    ball mu;
    law_flag flag;
    if (total_gaussian(&mu, &flag, sampled_plan(p), c))
        return gaussian_renyi(out, order, mu, p, c);
    if (!(ball_upper(order) <= MAX_ORDER))
        return lower_decline(c, "poisson: Renyi orders above 1024");
    if (!sampled_chord(&out->upper, order, p, c))
        return lower_decline(c, "poisson: the sampled plan has no Renyi "
                                "curve");
    /* E_Q[(1 - q + q e^L)^a] expands exactly in the removal direction; the
     * divergence grows with the order */
    double below = floor(ball_lower(order));
    out->lower = ball_of(0);
    if (!c->add && below >= 2 &&
        !sampled_curve(&out->lower, below, true, p, c))
        out->lower = ball_of(0);
    return true;
}

static double poisson_renyi_approx(
    double order, const part *p, const lower_context *c)
{
    ball mu;
    law_flag flag;
    if (p->group > 1 || !total_gaussian(&mu, &flag, sampled_plan(p), c))
        return NAN;
    return sampled_gaussian_renyi_approx(
        c->add ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST,
        part_parameter(p, 0), ball_mid(mu), order);
}

const lowering lower_poisson = {
    .flag = LAW_EXACT,
    .assumption = "every record was sampled independently with the stated "
                  "rate, anew in each step",
    .one = poisson_one,
    .mix = poisson_mix,
    .box = poisson_box,
    .zcdp = total_sampled_zcdp,
    .renyi = poisson_renyi,
    .renyi_approx = poisson_renyi_approx,
};
