/*
 * approx(epsilon, delta): a stated guarantee. The leaky randomized response of
 * T000-24 is the worst of its class and a member of it. A group of k is bounded
 * by T004-GB; its class has the member with leak delta and response
 * k epsilon.
 */
#include "mechanism.h"


static bool approx_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    (void)c;
    *eps = ball_of(part_parameter(p, 0));
    *delta = ball_of(part_parameter(p, 1));
    mechanism_group_guarantee(eps, delta, p->group);
    return true;
}

static bool approx_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    (void)approx_guarantee(&out->eps0, &out->delta0, p, c);
    if (p->group > 1) {
        out->exact = false;
        if (side == MECHANISM_LOWER)
            out->delta0 = ball_of(part_parameter(p, 1));
    }
    return true;
}

static bool approx_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    ball eps, delta;
    (void)approx_guarantee(&eps, &delta, p, c);
    return mechanism_loss_response(out, eps, delta,
        p->group > 1 ? ATTAINED_BY_NONE : ATTAINED_BY_CLASS, c);
}

static const privacy_profile *approx_profile(
    const part *p, const mechanism_context *c)
{
    ball eps, delta;
    (void)approx_guarantee(&eps, &delta, p, c);
    return profile_keep(
        c->pool, profile_response(eps, delta, 1, c->max_terms,
                     p->group > 1 ? ATTAINED_BY_NONE : ATTAINED_BY_CLASS));
}

/* The guarantee implies no zCDP; without the event of probability delta, what
 * is left has the zCDP of an eps-DP mechanism. */
static bool approx_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    ball eps;
    (void)approx_guarantee(&eps, &out->leak, p, c);
    out->rho = ball_scale2(ball_sqr(eps), -1);
    return true;
}

static bool approx_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    ball eps, delta;
    (void)approx_guarantee(&eps, &delta, p, c);
    return mechanism_renyi_response(out, order, eps, delta);
}

static const char *approx_unbounded(
    const part *p, bool is_sampled, const mechanism_context *c)
{
    (void)is_sampled;
    (void)c;
    return part_parameter(p, 1) > 0
               ? "a stated (epsilon, delta) guarantee does not bound the "
                 "privacy loss at delta 0"
               : NULL;
}

const mechanism_type mechanism_approx = {
    .flag = ATTAINED_BY_CLASS,
    .assumption = "the stated (epsilon, delta)-DP guarantee holds",
    .support = SUPPORT_FINITE,
    .profile = approx_profile,
    .loss = approx_loss,
    .product = approx_product,
    .guarantee = approx_guarantee,
    .zcdp = approx_zcdp,
    .renyi = approx_renyi,
    .unbounded = approx_unbounded,
};
