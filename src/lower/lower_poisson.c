/*
 * poisson(rate, M): each record enters the sample by itself. The pair of the
 * sample is a mixture of M's pair with itself, another one in each direction
 * (T004-8, X004-8.add). Only for add_remove: the account refuses replace
 * before it comes here.
 */
#include "lower.h"

#include "losses.h"
#include "poisson_curve.h"
#include "repr/amplify.h"
#include "total.h"

static ball sample_rate(const part *p)
{
    return ball_of(part_parameter(p, 0));
}

static const dosi_plan *sampled_plan(const part *p)
{
    return dosi_plan_child(p->node, 0);
}

static const char group_reason[] = POISSON_GROUP_REASON;

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

const lowering lower_poisson = {
    .flag = LAW_EXACT,
    .assumption = "every record was sampled independently with the stated "
                  "rate, anew in each step",
    .one = poisson_one,
    .loss = losses_poisson,
    .mix = poisson_mix,
    .box = poisson_box,
    .zcdp = total_sampled_zcdp,
    .renyi = poisson_renyi,
    .renyi_approx = poisson_renyi_approx,
};
