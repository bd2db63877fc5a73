/*
 * renyi(order, epsilon): a stated guarantee at one order, valid at smaller
 * ones (T000-33.3). A Gaussian with order mu^2/2 = epsilon is a member of the
 * class, which bounds the loss from below.
 */
#include "guarantee_law.h"

static bool stated_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    if (side == MECHANISM_UPPER)
        return mechanism_decline(c, "renyi has no law, only conversions");
    ball mu2 = ball_div(ball_mul_d(ball_of(2), part_parameter(p, 1)),
        ball_of(part_parameter(p, 0)));
    out->mu = ball_mul_d(ball_sqrt(mu2), p->group);
    out->exact = false;
    return true;
}

/* The law of all runs at once, since guarantees are added before they are
 * converted; or that of one run of a member. */
static bool stated_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    mechanism_product member = mechanism_product_nothing();
    if (c->attained)
        return stated_product(&member, MECHANISM_LOWER, p, c) &&
               mechanism_loss_member(out, member.mu, c);
    if (p->group > 1)
        return mechanism_decline(
            c, "renyi at one order has no bound for groups");
    ball divergence = ball_mul_d(ball_of(part_parameter(p, 1)), p->count);
    bool found = mechanism_loss_finite(out,
        guarantee_law_renyi(part_parameter(p, 0), divergence, c),
        ATTAINED_BY_NONE);
    out->count = 1;
    return found;
}

static bool stated_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    (void)out;
    (void)p;
    return mechanism_decline(c,
        "renyi bounds no order above its own: a plan with "
        "it has no zCDP guarantee");
}

static bool stated_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    ball last = ball_of(part_parameter(p, 0));
    ball eps = ball_of(part_parameter(p, 1));
    ball size2 = ball_sqr(ball_of(p->group));
    out->lower = ball_mul(ball_div(ball_mul(order, eps), last), size2);
    out->upper = eps;
    if (p->group > 1) {
        c->pool->reason = "renyi at one order has no bound for groups";
        out->upper = ball_of(HUGE_VAL);
    } else if (!ball_less_equal(order, last)) {
        c->pool->reason = "renyi bounds no order above its own";
        out->upper = ball_of(HUGE_VAL);
    }
    return true;
}

static const char *stated_unbounded(
    const part *p, bool is_sampled, const mechanism_context *c)
{
    (void)is_sampled;
    (void)c;
    return part_parameter(p, 1) > 0
               ? "a stated Renyi guarantee does not bound the privacy loss; "
                 "ask for a delta above 0"
               : NULL;
}

static double stated_greatest_order(const part *p)
{
    return part_parameter(p, 0);
}

const mechanism_type mechanism_renyi = {
    .flag = ATTAINED_BY_CLASS,
    .assumption = "the stated Renyi guarantee holds",
    .is_converted = true,
    .has_many_pairs = true,
    .loss = stated_loss,
    .product = stated_product,
    .zcdp = stated_zcdp,
    .renyi = stated_renyi,
    .unbounded = stated_unbounded,
    .greatest_order = stated_greatest_order,
};
