/*
 * rr(epsilon, categories): its law is exact for one record. A group of k is
 * k epsilon-DP, and its loss is at least that for one record.
 */
#include "mechanism.h"

#include "renyi/renyi.h"

static ball response_epsilon(const part *p)
{
    return ball_of(part_parameter(p, 0));
}

static const finite_law *response_atoms(
    const part *p, const mechanism_context *c)
{
    finite_law *made = NULL;
    dosi_status status = finite_randomized_response(
        &made, response_epsilon(p), part_parameter(p, 1), NULL);
    return profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL;
}

static bool response_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    if (p->group > 1) {
        out->exact = false;
        if (side == MECHANISM_UPPER) {
            out->eps0 = ball_mul_d(response_epsilon(p), p->group);
            return true;
        }
    }
    if (part_parameter(p, 1) == 2) {
        out->eps0 = response_epsilon(p);
        return true;
    }
    out->finite = response_atoms(p, c);
    return out->finite != NULL;
}

static bool response_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    if (p->group > 1)
        return mechanism_loss_response(out,
            ball_mul_d(response_epsilon(p), p->group), ball_of(0),
            ATTAINED_BY_NONE, c);
    return mechanism_loss_finite(
        out, response_atoms(p, c), ATTAINED_BY_MECHANISM);
}

static const privacy_profile *response_profile(
    const part *p, const mechanism_context *c)
{
    if (p->group > 1)
        return profile_decline(
            c->pool, "rr: a group has only bounds, no closed form");
    if (part_parameter(p, 1) == 2)
        return profile_keep(
            c->pool, profile_response(response_epsilon(p), ball_of(0), 1,
                         c->max_terms, ATTAINED_BY_MECHANISM));
    return profile_keep(
        c->pool, profile_finite(response_atoms(p, c), ATTAINED_BY_MECHANISM));
}

static bool response_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    (void)c;
    *eps = ball_mul_d(response_epsilon(p), p->group);
    *delta = ball_of(0);
    return true;
}

static bool response_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    (void)c;
    out->rho = renyi_rr_mean_loss(ball_mul_d(response_epsilon(p), p->group));
    return true;
}

static bool response_renyi(mechanism_renyi_bound *out, ball order,
    const part *p, const mechanism_context *c)
{
    (void)c;
    ball eps = response_epsilon(p);
    out->lower = renyi_rr(order, eps, part_parameter(p, 1));
    out->upper = p->group == 1 ? out->lower
                               : renyi_rr(order, ball_mul_d(eps, p->group), 2);
    out->is_smooth = true;
    return true;
}

static bool response_worst_pair(
    chi_law *out, bool *is_attained, ball eps, const part *p)
{
    if (p->group > 1)
        return false;
    *out = chi_response(eps, part_parameter(p, 1));
    *is_attained = true;
    return true;
}

const mechanism_type mechanism_randomized_response = {
    .flag = ATTAINED_BY_MECHANISM,
    .assumption = "each answer is drawn with exactly the stated odds",
    .support = SUPPORT_FINITE,
    .curve = CURVE_OF_PAIR,
    .profile = response_profile,
    .loss = response_loss,
    .product = response_product,
    .guarantee = response_guarantee,
    .zcdp = response_zcdp,
    .renyi = response_renyi,
    .worst_pair = response_worst_pair,
};
