/*
 * poisson(rate, M): each record enters the sample independently. Under
 * add_remove the pair of the sample mixes one law of M's pair into the other,
 * which one depends on the direction (T004-8, X004-8.add). Under replace the
 * pair over Gaussian noise is two mixtures (docs/theory/loss.md, section 1);
 * over other bases the profiles of M for one record and for two bound it
 * (X004-PS.ra). M is asked about under add_remove in either case, since the
 * size of the sample varies.
 */
#include "mechanisms/mechanism.h"

#include "mechanisms/plan_laws.h"
#include "mechanisms/plan_normal.h"
#include "poisson_replace_upper.h"
#include "poisson_replace_lower.h"
#include "loss/loss_tails.h"
#include "poisson_curve.h"
#include "mechanisms/exponential/adaptive_cache.h"
#include "sampling/amplify.h"
#include "profile/profile_sampled.h"
#include "renyi/without_replacement_renyi.h"
#include "mechanisms/plan_total.h"

static const char group_reason[] = POISSON_GROUP_REASON;

static bool is_replace(const mechanism_context *c)
{
    return c->neighbours == DOSI_REPLACE;
}

/* The context of M: a record is added or removed. */
static mechanism_context base_context(const mechanism_context *c)
{
    mechanism_context base = *c;
    base.neighbours = DOSI_ADD_REMOVE;
    return base;
}

/* ---- Under replace ----------------------------------------------------- */

static const privacy_profile *replaced_profile(
    const part *p, const mechanism_context *c)
{
    ball mu;
    attainment flag;
    if (!total_gaussian(&mu, &flag, poisson_base(p), c)) {
        loss_law pair;
        if (!c->attained)
            return profile_keep(c->pool,
                profile_finite(poisson_replace_upper(p, c), ATTAINED_BY_NONE));
        if (!poisson_replace_lower(&pair, p, c) || pair.noise != LOSS_FINITE)
            return NULL;
        return profile_keep(c->pool, profile_finite(pair.finite, pair.flag));
    }
    privacy_profile one = profile_poisson_replace(mu, sample_rate(p));
    one.flag = flag;
    return profile_keep(c->pool, one);
}

static bool replaced_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    ball mu;
    attainment flag;
    out->exact = false;
    if (side == MECHANISM_LOWER ||
        total_gaussian(&mu, &flag, poisson_base(p), c))
        return mechanism_decline(c, "the sampled law is not finite");
    out->finite = poisson_replace_upper(p, c);
    return out->finite != NULL;
}

/* The plan group(2, M), M for two records; NULL without memory. */
static const dosi_plan *two_records(const part *p, const mechanism_context *c)
{
    const dosi_plan *normal = NULL;
    dosi_status status = plan_for_group(&normal, poisson_base(p), 2, NULL);
    c->pool->no_memory = c->pool->no_memory || status == DOSI_ENOMEM;
    return normal;
}

/* The samples of neighbours differ with probability at most rate, and then by
 * one record removed and one added; e^((a-1) D) is jointly convex. */
static bool replaced_renyi(mechanism_renyi_bound *out, ball order,
    const part *p, const mechanism_context *c)
{
    const dosi_plan *two = two_records(p, c);
    mechanism_context base = base_context(c);
    bool found = two != NULL && total_renyi(out, order, two, &base);
    dosi_plan_free(two);
    if (!found || !ball_is_zero(out->leak))
        return mechanism_decline(c,
            "poisson under replace: the sampled mechanism has no Renyi "
            "curve");
    ball t = ball_sub_d(order, 1);
    ball k = wr_jensen(sample_rate(p), ball_mul(t, out->upper));
    out->upper = ball_div(k, t);
    out->lower = ball_of(0);
    return !ball_is_unknown(out->upper);
}

/* ---- Both relations ---------------------------------------------------- */

static const privacy_profile *poisson_profile(
    const part *p, const mechanism_context *c)
{
    if (p->group > 1)
        return profile_decline(c->pool, group_reason);
    if (is_replace(c))
        return replaced_profile(p, c);
    const privacy_profile *base = total_exact(poisson_base(p), c);
    return profile_keep(c->pool, profile_poisson(base, sample_rate(p), c->add));
}

/* The profile of all runs of bounded range, each of which is chosen after all
 * earlier answers are known. */
static const privacy_profile *poisson_profile_of_runs(
    const part *p, const mechanism_context *c)
{
    const dosi_plan *plan = dosi_plan_child(p->node, 0);
    part one = part_at(plan, 0);
    if (is_replace(c) || p->group > 1 || part_count(plan) > 1 ||
        one.count > 1 || dosi_plan_kind(one.node) != DOSI_EXPONENTIAL)
        return NULL;
    const adaptive_class all = {
        ball_mul_d(ball_of(one.group), part_parameter(&one, 0)),
        part_parameter(p, 0), p->count};
    const adaptive_runs *r = adaptive_cache_runs(&all, c);
    return r != NULL ? profile_keep(c->pool, profile_adaptive_runs(r, c->add))
                     : NULL;
}

static bool poisson_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    if (p->group > 1 && (side == MECHANISM_UPPER || is_replace(c)))
        return mechanism_decline(c, group_reason);
    if (is_replace(c))
        return replaced_product(out, side, p, c);
    mechanism_context coarse = *c; /* sampling moves atoms off every lattice */
    coarse.allow_lattices = false;
    const finite_law *base =
        total_finite(&out->exact, side, poisson_base(p), &coarse);
    if (base == NULL)
        return false;
    out->exact = out->exact && p->group == 1;
    finite_law *sampled = NULL;
    dosi_status status = finite_poisson(&sampled, base, sample_rate(p),
        c->add ? FINITE_BASE_FIRST : FINITE_MIXTURE_FIRST, NULL);
    if (!profile_made(c->pool, status))
        return false;
    out->finite = profile_own(c->pool, sampled);
    return out->finite != NULL;
}

/* A record that is replaced is one removed and one added: a group of two,
 * S000-6.2. */
static bool poisson_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    mechanism_context base = base_context(c);
    if (!total_guarantee(eps, delta, poisson_base(p), &base))
        return false;
    *eps = amplify_epsilon(sample_rate(p), *eps);
    *delta = amplify_delta(sample_rate(p), *delta);
    mechanism_group_guarantee(
        eps, delta, is_replace(c) ? 2 * p->group : p->group);
    return true;
}

static bool poisson_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    if (!is_replace(c))
        return total_sampled_zcdp(out, p, c);
    if (p->group > 1)
        return mechanism_decline(c, group_reason);
    const dosi_plan *two = two_records(p, c);
    mechanism_context base = base_context(c);
    bool found = two != NULL && total_zcdp(out, two, &base);
    dosi_plan_free(two);
    if (found && !ball_is_zero(out->leak))
        return mechanism_decline(
            c, "a leak inside a sampler has no zCDP bound");
    return found;
}

static bool poisson_curve(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    if (!is_replace(c))
        return poisson_renyi(out, order, p, c);
    if (p->group > 1)
        return mechanism_decline(c, group_reason);
    return replaced_renyi(out, order, p, c);
}

/* The law for several records, or for one that is replaced: the mixtures are
 * known for Gaussian noise alone, whose shifts are ordered. */
static bool poisson_split(loss_law *out, const loss_law *base, const part *p,
    const mechanism_context *c)
{
    bool replace = c->neighbours == DOSI_REPLACE;
    if (base->noise != LOSS_GAUSSIAN || base->map != LOSS_PLAIN)
        return mechanism_decline(c, "a group over poisson has a loss law over "
                                    "Gaussian noise alone");
    if (p->group > LOSS_MAX_GROUP || (replace && p->group > 1))
        return mechanism_decline(
            c, "groups over poisson have a loss law up to 64 records");
    *out = *base;
    out->map = LOSS_GROUP;
    out->rate = sample_rate(p);
    out->added = replace ? 1 : (unsigned)c->split;
    out->removed = replace ? 1 : (unsigned)p->group - out->added;
    return true;
}

/* The law for one record that is replaced; M is asked about one that is added
 * or removed. */
static bool poisson_replace(
    loss_law *out, const part *p, const mechanism_context *c)
{
    ball mu;
    attainment flag;
    if (p->group > 1)
        return mechanism_decline(
            c, "a group over poisson under replace has no loss law");
    if (!total_gaussian(&mu, &flag, poisson_base(p), c))
        return c->attained ? poisson_replace_lower(out, p, c)
                           : mechanism_loss_finite(out,
                                 poisson_replace_upper(p, c), ATTAINED_BY_NONE);
    loss_law base = {.count = 0};
    return mechanism_loss_noise(&base, LOSS_GAUSSIAN, mu, flag) &&
           poisson_split(out, &base, p, c);
}

static bool poisson_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    loss_law base = {.count = 0};
    if (c->neighbours == DOSI_REPLACE)
        return poisson_replace(out, p, c);
    if (!plan_laws_base(&base, poisson_base(p), c))
        return false;
    if (p->group > 1)
        return poisson_split(out, &base, p, c);
    return plan_laws_mixture(out, &base, sample_rate(p), c);
}

/* The variance of a sampled Gaussian's loss as the rate q -> 0 is
 * q^2 (e^(mu^2) - 1); the mean is half of it. */
static bool poisson_moments(
    mechanism_moments *out, const part *p, const mechanism_context *c)
{
    ball mu;
    attainment flag;
    if (p->group > 1 ||
        !total_gaussian(&mu, &flag, dosi_plan_child(p->node, 0), c))
        return false;
    ball chi = ball_expm1(ball_sqr(mu));
    ball variance = ball_mul(ball_sqr(ball_of(part_parameter(p, 0))), chi);
    out->of_run = (loss_moments){.mean = ball_scale2(variance, -1),
        .variance = variance,
        .central = ball_of(0)};
    out->no_band = "the loss of a Poisson sample is not symmetric: the limit "
                   "has no error bound";
    return true;
}

/* One sampled run of bounded range runs last if no other part gains. */
static double poisson_gain_of_last(const part *p)
{
    const mechanism_type *base = mechanism_of_node(poisson_base(p));
    bool gains = base != NULL && base->has_members && p->count == 1;
    return gains ? DBL_MIN : 0;
}

static const mechanism_renyi_source poisson_source = {.rank = 1,
    .divergence = "T000-34, T000-35, T000-33.2",
    .conversion = "T000-34, T000-35, T000-33.2, T000-33.8"};

const mechanism_type mechanism_poisson = {
    .flag = ATTAINED_BY_MECHANISM,
    .assumption = "every record was sampled independently with the stated "
                  "rate, anew in each step",
    .assumption_on_replace =
        "the mechanism that poisson samples is stated for one record added or "
        "removed, although one is replaced",
    .draws_once = true,
    .renyi_source = &poisson_source,
    .profile = poisson_profile,
    .profile_of_runs = poisson_profile_of_runs,
    .loss = poisson_loss,
    .product = poisson_product,
    .guarantee = poisson_guarantee,
    .zcdp = poisson_zcdp,
    .renyi = poisson_curve,
    .moments = poisson_moments,
    .gain_of_last = poisson_gain_of_last,
};
