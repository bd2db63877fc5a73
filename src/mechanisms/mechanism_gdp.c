/*
 * gdp(mu): a stated guarantee. The Gaussian is the worst of its class and a
 * member of it, for groups too.
 */
#include "mechanism.h"

static ball gdp_mu(const part *p)
{
    return ball_mul_d(ball_of(p->group), part_parameter(p, 0));
}

static const privacy_profile *gdp_profile(
    const part *p, const mechanism_context *c)
{
    return profile_keep(
        c->pool, profile_gaussian(gdp_mu(p), ATTAINED_BY_CLASS));
}

static bool gdp_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    out->mu = gdp_mu(p);
    return mechanism_limit(&out->mu, &out->exact, side, c);
}

static bool gdp_loss(loss_law *out, const part *p, const mechanism_context *c)
{
    (void)c;
    return mechanism_loss_noise(
        out, LOSS_GAUSSIAN, gdp_mu(p), ATTAINED_BY_CLASS);
}

static bool gdp_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    (void)c;
    out->rho = ball_scale2(ball_sqr(gdp_mu(p)), -1);
    return true;
}

static bool gdp_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    (void)c;
    ball rho = ball_scale2(ball_sqr(gdp_mu(p)), -1);
    out->upper = out->lower = ball_mul(order, rho);
    out->is_smooth = true;
    return true;
}

static const char *gdp_unbounded(
    const part *p, bool is_sampled, const mechanism_context *c)
{
    (void)is_sampled;
    (void)c;
    return part_parameter(p, 0) > 0
               ? "a stated Gaussian-DP guarantee does not bound the privacy "
                 "loss; ask for a delta above 0"
               : NULL;
}

const mechanism_type mechanism_gdp = {
    .flag = ATTAINED_BY_CLASS,
    .assumption = "the stated Gaussian-DP guarantee holds",
    .curve = CURVE_LINE,
    .is_gaussian = true,
    .profile = gdp_profile,
    .loss = gdp_loss,
    .product = gdp_product,
    .zcdp = gdp_zcdp,
    .renyi = gdp_renyi,
    .unbounded = gdp_unbounded,
};
