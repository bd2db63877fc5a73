/*
 * zcdp(rho, xi, delta): a stated guarantee without a dominating pair. The
 * mechanism that leaks with probability delta, and adds Gaussian noise of
 * mu = sqrt(2 rho) otherwise, is a member of the class and bounds the loss from
 * below. A group of k has (xi k H_k, k^2 rho) by T003-5.3, without a leak.
 */
#include "guarantee_law.h"

/* The intercept xi k H_k for groups of k; H_k <= 1 + log k. */
static ball group_xi(ball xi, double k)
{
    if (k == 1 || ball_is_zero(xi))
        return xi;
    ball harmonic = ball_of(0);
    if (k <= 64)
        for (int j = 1; j <= k; j++)
            harmonic = ball_add(harmonic, ball_div(ball_of(1), ball_of_int(j)));
    else
        harmonic = ball_add_d(ball_log(ball_of(k)), 1);
    return ball_mul(xi, ball_mul_d(harmonic, k));
}

static bool stated_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    out->leak = ball_of(part_parameter(p, 2));
    if (p->group > 1 && !ball_is_zero(out->leak))
        return mechanism_decline(
            c, "zcdp with delta > 0 has no bound for groups");
    ball size = ball_of(p->group);
    out->rho = ball_mul_d(ball_sqr(size), part_parameter(p, 0));
    out->xi = group_xi(ball_of(part_parameter(p, 1)), p->group);
    return true;
}

static bool stated_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    if (side == MECHANISM_UPPER)
        return mechanism_decline(c, "zcdp has no law, only conversions");
    ball mu2 = ball_mul_d(ball_of(2), part_parameter(p, 0));
    out->mu = ball_mul_d(ball_sqrt(mu2), p->group);
    out->delta0 = ball_of(part_parameter(p, 2));
    out->exact = false;
    return true;
}

/* The law of all runs at once, since guarantees are added before they are
 * converted; or that of one run of a member, without its leak. */
static bool stated_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    mechanism_zcdp_bound stated = {ball_of(0), ball_of(0), ball_of(0)};
    mechanism_product member = mechanism_product_nothing();
    if (c->attained)
        return stated_product(&member, MECHANISM_LOWER, p, c) &&
               mechanism_loss_member(out, member.mu, c);
    if (!stated_zcdp(&stated, p, c))
        return false;
    stated.rho = ball_mul_d(stated.rho, p->count);
    stated.xi = ball_mul_d(stated.xi, p->count);
    if (!ball_is_zero(stated.leak)) {
        ball log_keep = ball_mul_d(ball_log1p(ball_neg(stated.leak)), p->count);
        stated.leak = ball_neg(ball_expm1(log_keep));
    }
    bool found = mechanism_loss_finite(
        out, guarantee_law_zcdp(&stated, c), ATTAINED_BY_NONE);
    out->count = 1;
    return found;
}

static bool stated_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    mechanism_zcdp_bound stated = {ball_of(0), ball_of(0), ball_of(0)};
    if (!stated_zcdp(&stated, p, c))
        return false;
    out->lower = ball_mul(order, stated.rho);
    out->upper = ball_add(stated.xi, out->lower);
    out->leak = stated.leak;
    out->is_smooth = true;
    return true;
}

static const char *stated_unbounded(
    const part *p, bool is_sampled, const mechanism_context *c)
{
    (void)is_sampled;
    (void)c;
    return part_parameter(p, 0) > 0 || part_parameter(p, 2) > 0
               ? "a stated zCDP guarantee does not bound the privacy loss; ask "
                 "for a delta above 0"
               : NULL;
}

const mechanism_type mechanism_zcdp = {
    .flag = ATTAINED_BY_CLASS,
    .assumption = "the stated zCDP guarantee holds",
    .curve = CURVE_LINE,
    .is_converted = true,
    .has_many_pairs = true,
    .loss = stated_loss,
    .product = stated_product,
    .zcdp = stated_zcdp,
    .renyi = stated_renyi,
    .unbounded = stated_unbounded,
};
