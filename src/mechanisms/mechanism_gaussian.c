/*
 * gaussian(sigma): Gaussian noise, with mu = 1/sigma times the group size. Its
 * profile and its sums are T000-08 and T000-10.
 */
#include "mechanism.h"

static ball gaussian_mu(const part *p)
{
    return ball_div(ball_of(p->group), ball_of(part_parameter(p, 0)));
}

static const privacy_profile *gaussian_profile(
    const part *p, const mechanism_context *c)
{
    return profile_keep(
        c->pool, profile_gaussian(gaussian_mu(p), ATTAINED_BY_MECHANISM));
}

static bool gaussian_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    out->mu = gaussian_mu(p);
    return mechanism_limit(&out->mu, &out->exact, side, c);
}

static bool gaussian_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    (void)c;
    return mechanism_loss_noise(
        out, LOSS_GAUSSIAN, gaussian_mu(p), ATTAINED_BY_MECHANISM);
}

static bool gaussian_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    (void)c;
    out->rho = ball_scale2(ball_sqr(gaussian_mu(p)), -1);
    return true;
}

static bool gaussian_renyi(mechanism_renyi_bound *out, ball order,
    const part *p, const mechanism_context *c)
{
    (void)c;
    ball rho = ball_scale2(ball_sqr(gaussian_mu(p)), -1);
    out->upper = out->lower = ball_mul(order, rho);
    out->is_smooth = true;
    return true;
}

static const char *gaussian_unbounded(
    const part *p, bool is_sampled, const mechanism_context *c)
{
    (void)is_sampled;
    (void)c;
    (void)p;
    return "the privacy loss of Gaussian noise is unbounded; ask for a delta "
           "above 0";
}

const mechanism_type mechanism_gaussian = {
    .flag = ATTAINED_BY_MECHANISM,
    .assumption = "Gaussian noise is exact, and sigma is relative to the "
                  "true L2 distance of neighbours' answers",
    .noise = NOISE_REAL,
    .curve = CURVE_LINE,
    .is_gaussian = true,
    .profile = gaussian_profile,
    .loss = gaussian_loss,
    .product = gaussian_product,
    .zcdp = gaussian_zcdp,
    .renyi = gaussian_renyi,
    .unbounded = gaussian_unbounded,
};
