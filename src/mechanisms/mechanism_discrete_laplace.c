/*
 * discrete_laplace(scale): integer noise. At shift 1 its loss takes the values
 * +-1/scale alone, so that it is randomized response exactly; at shift k it
 * takes k + 1 values.
 */
#include "mechanism.h"

#include "noise/laplace.h"
#include "renyi/renyi.h"

/* Laws at greater shifts are bounded, not enumerated. */
#define MAX_SHIFT 4096

static ball unit_loss(const part *p)
{
    return ball_div(ball_of(1), ball_of(part_parameter(p, 0)));
}

/* The exact law at shift k, which is that of laplace_lattice_above for k
 * cells. */
static const finite_law *shifted(double k, ball a, const mechanism_context *c)
{
    size_t m = (size_t)k;
    return mechanism_lattice_law(
        laplace_lattice_above, m, m + 1, ball_mul_d(a, k), c);
}

static bool discrete_laplace_product(mechanism_product *out,
    mechanism_side side, const part *p, const mechanism_context *c)
{
    ball a = unit_loss(p);
    if (!mechanism_limit(&a, &out->exact, side, c))
        return false;
    if (p->group == 1) {
        out->eps0 = a;
        return true;
    }
    if (p->group <= MAX_SHIFT) {
        out->finite = shifted(p->group, a, c);
        return out->finite != NULL;
    }
    out->eps0 = side == MECHANISM_UPPER ? ball_mul_d(a, p->group) : a;
    out->exact = false;
    return true;
}

static bool discrete_laplace_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    ball a = unit_loss(p);
    if (p->group == 1)
        return mechanism_loss_response(
            out, a, ball_of(0), ATTAINED_BY_MECHANISM, c);
    if (p->group <= MAX_SHIFT)
        return mechanism_loss_finite(
            out, shifted(p->group, a, c), ATTAINED_BY_MECHANISM);
    return mechanism_loss_response(
        out, ball_mul_d(a, p->group), ball_of(0), ATTAINED_BY_NONE, c);
}

static const privacy_profile *discrete_laplace_profile(
    const part *p, const mechanism_context *c)
{
    if (p->group == 1)
        return profile_keep(
            c->pool, profile_response(unit_loss(p), ball_of(0), 1, c->max_terms,
                         ATTAINED_BY_MECHANISM));
    if (p->group > MAX_SHIFT)
        return profile_decline(
            c->pool, "discrete_laplace: groups above 4096 are only bounded");
    return profile_keep(
        c->pool, profile_finite(shifted(p->group, unit_loss(p), c),
                     ATTAINED_BY_MECHANISM));
}

static bool discrete_laplace_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    (void)c;
    *eps = ball_mul_d(unit_loss(p), p->group);
    *delta = ball_of(0);
    return true;
}

static bool discrete_laplace_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    (void)c;
    out->rho = renyi_rr_mean_loss(ball_mul_d(unit_loss(p), p->group));
    return true;
}

static bool discrete_laplace_renyi(mechanism_renyi_bound *out, ball order,
    const part *p, const mechanism_context *c)
{
    (void)c;
    (void)mechanism_renyi_response(
        out, order, ball_mul_d(unit_loss(p), p->group), ball_of(0));
    if (p->group > 1) { /* one record alone never loses more */
        mechanism_renyi_bound one = {.leak = ball_of(0)};
        (void)mechanism_renyi_response(&one, order, unit_loss(p), ball_of(0));
        out->lower = one.lower;
    }
    return true;
}

const mechanism_type mechanism_discrete_laplace = {
    .flag = ATTAINED_BY_MECHANISM,
    .assumption = "discrete Laplace noise is exact, and neighbours' integer "
                  "answers differ by at most 1",
    .noise = NOISE_INTEGER,
    .support = SUPPORT_LATTICE,
    .profile = discrete_laplace_profile,
    .loss = discrete_laplace_loss,
    .product = discrete_laplace_product,
    .guarantee = discrete_laplace_guarantee,
    .zcdp = discrete_laplace_zcdp,
    .renyi = discrete_laplace_renyi,
};
