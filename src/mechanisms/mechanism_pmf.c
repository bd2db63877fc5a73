/*
 * pmf(p, q): any finite pair of laws, in the context's direction. A group has
 * no closed form; k times the greatest loss bounds it.
 */
#include "mechanism.h"

#include "renyi/renyi.h"

typedef struct lists {
    const double *p, *q;
    size_t n;
} lists;

static lists pmf_lists(const part *p, bool add)
{
    lists l = {0};
    l.p = dosi_plan_list(p->node, add ? 1 : 0, &l.n);
    l.q = dosi_plan_list(p->node, add ? 0 : 1, &l.n);
    return l;
}

static const finite_law *pmf_atoms(const part *p, const mechanism_context *c)
{
    lists l = pmf_lists(p, c->add);
    finite_law *made = NULL;
    dosi_status status = finite_from_pair(&made, l.p, l.q, l.n, NULL);
    return profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL;
}

static const privacy_profile *pmf_profile(
    const part *p, const mechanism_context *c)
{
    if (p->group > 1)
        return profile_decline(
            c->pool, "pmf: a group has only bounds, no closed form");
    return profile_keep(
        c->pool, profile_finite(pmf_atoms(p, c), ATTAINED_BY_MECHANISM));
}

/* The divergence at an order, or the greatest loss of either direction, which
 * may be infinite; unknown without memory. */
static ball pmf_ask(
    const ball *order, const part *p, const mechanism_context *c)
{
    lists l = pmf_lists(p, c->add);
    finite_law *made = NULL;
    dosi_status status = finite_from_pair(&made, l.p, l.q, l.n, NULL);
    ball found = ball_unknown();
    if (profile_made(c->pool, status))
        found = order != NULL ? finite_renyi(made, *order)
                              : finite_pure_epsilon(made);
    finite_free(made);
    return found;
}

static ball pmf_range(const part *p, const mechanism_context *c)
{
    return pmf_ask(NULL, p, c);
}

static bool pmf_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    ball most = pmf_range(p, c);
    if (!(ball_upper(most) < HUGE_VAL))
        return mechanism_decline(c, "pmf has an infinite loss");
    *eps = ball_mul_d(most, p->group);
    *delta = ball_of(0);
    return true;
}

static bool pmf_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    if (p->group > 1) {
        out->exact = false;
        if (side == MECHANISM_UPPER)
            return pmf_guarantee(&out->eps0, &out->delta0, p, c);
    }
    out->finite = pmf_atoms(p, c);
    return out->finite != NULL;
}

static bool pmf_loss(loss_law *out, const part *p, const mechanism_context *c)
{
    if (p->group == 1)
        return mechanism_loss_finite(
            out, pmf_atoms(p, c), ATTAINED_BY_MECHANISM);
    ball eps = ball_of(0), delta = ball_of(0);
    return pmf_guarantee(&eps, &delta, p, c) &&
           mechanism_loss_response(out, eps, delta, ATTAINED_BY_NONE, c);
}

static bool pmf_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    ball top = pmf_range(p, c);
    if (!(ball_upper(top) < HUGE_VAL))
        return mechanism_decline(c, "pmf has an infinite loss");
    out->rho = renyi_rr_mean_loss(ball_mul_d(top, p->group));
    return true;
}

static bool pmf_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    out->upper = out->lower = pmf_ask(&order, p, c);
    if (p->group > 1) {
        ball top = pmf_range(p, c);
        if (!(ball_upper(top) < HUGE_VAL))
            out->upper = ball_of(HUGE_VAL);
        else
            out->upper = renyi_rr(order, ball_mul_d(top, p->group), 2);
    }
    return !ball_is_unknown(out->upper) && !ball_is_unknown(out->lower);
}

static const char *pmf_unbounded(
    const part *p, bool is_sampled, const mechanism_context *c)
{
    lists l = pmf_lists(p, c->add);
    for (size_t i = 0; i < l.n && !is_sampled; i++)
        if ((l.p[i] > 0) != (l.q[i] > 0))
            return "pmf has an outcome that only one of its laws has";
    return NULL;
}

const mechanism_type mechanism_pmf = {
    .flag = ATTAINED_BY_MECHANISM,
    .assumption = "the lists are the worst pair of neighbours' laws",
    .support = SUPPORT_FINITE,
    .profile = pmf_profile,
    .loss = pmf_loss,
    .product = pmf_product,
    .guarantee = pmf_guarantee,
    .zcdp = pmf_zcdp,
    .renyi = pmf_renyi,
    .unbounded = pmf_unbounded,
};
