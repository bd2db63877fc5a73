/*
 * nonprivate(): all mass at loss +inf.
 */
#include "mechanism.h"

static const privacy_profile *nonprivate_profile(
    const part *p, const mechanism_context *c)
{
    (void)p;
    return profile_keep(c->pool, profile_no_privacy());
}

static bool nonprivate_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    (void)side;
    (void)p;
    (void)c;
    out->delta0 = ball_of(1);
    return true;
}

static bool nonprivate_renyi(mechanism_renyi_bound *out, ball order,
    const part *p, const mechanism_context *c)
{
    (void)order;
    (void)p;
    (void)c;
    out->upper = out->lower = ball_of(HUGE_VAL);
    return true;
}

static const char *nonprivate_unbounded(
    const part *p, bool is_sampled, const mechanism_context *c)
{
    (void)is_sampled;
    (void)c;
    (void)p;
    return "nonprivate() protects nothing";
}

const mechanism_type mechanism_nonprivate = {
    .flag = ATTAINED_BY_MECHANISM,
    .profile = nonprivate_profile,
    .product = nonprivate_product,
    .renyi = nonprivate_renyi,
    .unbounded = nonprivate_unbounded,
};
