/*
 * pure(epsilon): a stated guarantee. Randomized response is the worst of its
 * class and a member of it, for groups too.
 */
#include "mechanism.h"

#include "renyi/renyi.h"

static ball pure_epsilon(const part *p)
{
    return ball_mul_d(ball_of(p->group), part_parameter(p, 0));
}

static const privacy_profile *pure_profile(
    const part *p, const mechanism_context *c)
{
    return profile_keep(c->pool, profile_response(pure_epsilon(p), ball_of(0),
                                     1, c->max_terms, ATTAINED_BY_CLASS));
}

static bool pure_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    (void)side;
    (void)c;
    out->eps0 = pure_epsilon(p);
    return true;
}

static bool pure_loss(loss_law *out, const part *p, const mechanism_context *c)
{
    return mechanism_loss_response(
        out, pure_epsilon(p), ball_of(0), ATTAINED_BY_CLASS, c);
}

static bool pure_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    (void)c;
    *eps = pure_epsilon(p);
    *delta = ball_of(0);
    return true;
}

static bool pure_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    (void)c;
    out->rho = renyi_rr_mean_loss(pure_epsilon(p));
    return true;
}

static bool pure_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    (void)c;
    return mechanism_renyi_response(out, order, pure_epsilon(p), ball_of(0));
}

static bool pure_worst_pair(
    chi_law *out, bool *is_attained, ball eps, const part *p)
{
    (void)p;
    *out = chi_response(eps, 2);
    *is_attained = false; /* by a member of the class */
    return true;
}

const mechanism_type mechanism_pure = {
    .flag = ATTAINED_BY_CLASS,
    .assumption = "the stated epsilon-DP guarantee holds",
    .support = SUPPORT_FINITE,
    .curve = CURVE_OF_PAIR,
    .profile = pure_profile,
    .loss = pure_loss,
    .product = pure_product,
    .guarantee = pure_guarantee,
    .zcdp = pure_zcdp,
    .renyi = pure_renyi,
    .worst_pair = pure_worst_pair,
};
