/*
 * laplace(scale): a = 1/scale, times the group size. Its loss law is known. A
 * product bounds it by two lattices, or by two randomized responses: that of
 * its sign from below, and the worst a-DP pair from above.
 */
#include "mechanism.h"

#include "noise/laplace.h"
#include "renyi/renyi.h"

static ball laplace_bound(const part *p)
{
    return ball_div(ball_of(p->group), ball_of(part_parameter(p, 0)));
}

static const privacy_profile *laplace_profile(
    const part *p, const mechanism_context *c)
{
    return profile_keep(c->pool, profile_laplace(laplace_bound(p)));
}

static bool laplace_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    ball a = laplace_bound(p);
    size_t m = mechanism_lattice_cells(p, c);
    out->exact = false;
    if (!mechanism_limit(&a, &out->exact, side, c))
        return false;
    if (m > 0) {
        out->finite =
            side == MECHANISM_UPPER
                ? mechanism_lattice_law(laplace_lattice_above, m, m + 1, a, c)
                : mechanism_lattice_law(laplace_lattice_below, m, m + 2, a, c);
        return out->finite != NULL;
    }
    out->eps0 = side == MECHANISM_UPPER ? a : laplace_binary_epsilon(a);
    return true;
}

static bool laplace_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    (void)c;
    return mechanism_loss_noise(
        out, LOSS_LAPLACE, laplace_bound(p), ATTAINED_BY_MECHANISM);
}

static bool laplace_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    (void)c;
    *eps = laplace_bound(p);
    *delta = ball_of(0);
    return true;
}

static bool laplace_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    (void)c;
    out->rho = renyi_rr_mean_loss(laplace_bound(p));
    return true;
}

static bool laplace_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    (void)c;
    out->upper = out->lower = renyi_laplace(order, laplace_bound(p));
    out->is_smooth = true;
    return true;
}

static bool laplace_worst_pair(
    chi_law *out, bool *is_attained, ball eps, const part *p)
{
    (void)p;
    *out = chi_laplace(eps);
    *is_attained = true;
    return true;
}

static bool laplace_moments(
    mechanism_moments *out, const part *p, const mechanism_context *c)
{
    (void)c;
    out->of_run = moments_of_laplace(laplace_bound(p));
    return true;
}

const mechanism_type mechanism_laplace = {
    .flag = ATTAINED_BY_MECHANISM,
    .assumption = "Laplace noise is exact, and scale is relative to the true "
                  "L1 distance of neighbours' answers",
    .noise = NOISE_REAL,
    .curve = CURVE_OF_PAIR,
    .profile = laplace_profile,
    .loss = laplace_loss,
    .product = laplace_product,
    .guarantee = laplace_guarantee,
    .zcdp = laplace_zcdp,
    .renyi = laplace_renyi,
    .worst_pair = laplace_worst_pair,
    .moments = laplace_moments,
};
