/*
 * discrete_gaussian(sigma): integer noise, shifted by 1 or the group size. One
 * run has a closed form. Under composition the lattice is truncated, for
 * enumerations at a mass of 1e-60. The truncated mass goes to loss +inf for an
 * upper bound and is dropped for a lower one.
 */
#include "finite_cache.h"

#include <stdlib.h>

#include "noise/discrete_gaussian.h"

static const privacy_profile *lattice_profile(
    const part *p, const mechanism_context *c)
{
    return profile_keep(
        c->pool, profile_discrete_gaussian(part_parameter(p, 0), p->group, 1));
}

/* The sum of the answers is a sufficient statistic; for sigma >= 1/2 it is
 * close enough to one discrete Gaussian. */
static const privacy_profile *lattice_profile_of_runs(
    const part *p, const mechanism_context *c)
{
    if (part_parameter(p, 0) < 0.5)
        return profile_decline(c->pool,
            "the composition of discrete_gaussian has "
            "a closed form only for sigma >= 0.5");
    return profile_keep(c->pool,
        profile_discrete_gaussian(part_parameter(p, 0), p->group, p->count));
}

/* Operations that one atom takes: its loss, its mass, and sums with its
 * exponential, all in balls. */
#define ATOM_OPERATIONS 1500

static const finite_law *lattice_atoms(mechanism_side side, double reach,
    const part *p, const mechanism_context *c)
{
    double sigma = part_parameter(p, 0);
    finite_key key = {&mechanism_discrete_gaussian,
        {sigma, p->group, reach, side == MECHANISM_LOWER}};
    const finite_law *known = finite_store_find(c->finite_laws, &key);
    if (known != NULL)
        return known;
    size_t n = discrete_gaussian_window(sigma, p->group, reach);
    if (n == 0) { /* too many atoms */
        reach = DISCRETE_GAUSSIAN_REACH;
        n = discrete_gaussian_window(sigma, p->group, reach);
    }
    if (n == 0) {
        c->pool->reason = "discrete_gaussian: the lattice is too fine to "
                          "enumerate";
        return NULL;
    }
    ball *at = malloc(2 * n * sizeof *at);
    if (at == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    ball tail = discrete_gaussian_atoms(at, at + n, n, sigma, p->group, reach);
    if (side == MECHANISM_LOWER)
        tail = ball_of(0);
    finite_law *made = NULL;
    dosi_status status =
        finite_from_losses(&made, at, at + n, n, tail, tail, NULL);
    free(at);
    work_spend(c->pool->limits, ATOM_OPERATIONS * (double)n);
    if (!profile_made(c->pool, status))
        return NULL;
    return finite_store_keep(&key, made, c);
}

static bool lattice_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    out->exact = false;
    out->finite = lattice_atoms(side, DISCRETE_GAUSSIAN_REACH, p, c);
    if (out->finite != NULL || side == MECHANISM_UPPER)
        return out->finite != NULL;
    out->eps0 =
        discrete_gaussian_binary_epsilon(part_parameter(p, 0), p->group);
    return true;
}

/* The mass beyond the window is between 0 and its bound. It goes to +inf: an
 * upper end counts the bound, a lower end nothing. */
static bool lattice_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    return mechanism_loss_finite(out,
        lattice_atoms(MECHANISM_UPPER, DISCRETE_GAUSSIAN_FULL_REACH, p, c),
        ATTAINED_BY_MECHANISM);
}

static ball lattice_rho(const part *p)
{
    ball mu = ball_div(ball_of(p->group), ball_of(part_parameter(p, 0)));
    return ball_scale2(ball_sqr(mu), -1);
}

static bool lattice_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    (void)c;
    out->rho = lattice_rho(p);
    return true;
}

static bool lattice_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    (void)c;
    out->upper = out->lower =
        discrete_gaussian_renyi(part_parameter(p, 0), p->group, order);
    out->is_smooth = true;
    return true;
}

static const char *lattice_unbounded(
    const part *p, bool is_sampled, const mechanism_context *c)
{
    (void)is_sampled;
    (void)c;
    (void)p;
    return "the privacy loss of discrete Gaussian noise is unbounded; ask for "
           "a delta above 0";
}

const mechanism_type mechanism_discrete_gaussian = {
    .flag = ATTAINED_BY_MECHANISM,
    .assumption = "discrete Gaussian noise is exact, and neighbours' integer "
                  "answers differ by at most 1",
    .noise = NOISE_INTEGER,
    .support = SUPPORT_LATTICE,
    .profile = lattice_profile,
    .profile_of_runs = lattice_profile_of_runs,
    .loss = lattice_loss,
    .product = lattice_product,
    .zcdp = lattice_zcdp,
    .renyi = lattice_renyi,
    .unbounded = lattice_unbounded,
};
