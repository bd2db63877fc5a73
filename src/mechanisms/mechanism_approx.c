/*
 * approx(epsilon, delta): a stated guarantee; the leaky response of T000-24
 * is the worst of its class and a member of it. A group of k is bounded by
 * T004-GB and holds the member with leak delta and response k epsilon.
 */
#include "mechanism.h"

#include "renyi/renyi_guess.h"

static bool approx_box(
    ball *eps, ball *delta, const part *p, const lower_context *c)
{
    (void)c;
    *eps = ball_of(part_parameter(p, 0));
    *delta = ball_of(part_parameter(p, 1));
    lower_group_box(eps, delta, p->group);
    return true;
}

static bool approx_mix(
    lower_mix *out, lower_side side, const part *p, const lower_context *c)
{
    (void)approx_box(&out->eps0, &out->delta0, p, c);
    if (p->group > 1) {
        out->exact = false;
        if (side == LOWER_BELOW)
            out->delta0 = ball_of(part_parameter(p, 1));
    }
    return true;
}

static bool approx_loss(loss *out, const part *p, const lower_context *c)
{
    ball eps, delta;
    (void)approx_box(&eps, &delta, p, c);
    return lower_loss_response(
        out, eps, delta, p->group > 1 ? LAW_BOUND : LAW_CLASS, c);
}

static const law *approx_one(const part *p, const lower_context *c)
{
    ball eps, delta;
    (void)approx_box(&eps, &delta, p, c);
    return law_keep(c->pool,
        law_response(eps, delta, 1, c->max_terms,
            p->group > 1 ? LAW_BOUND : LAW_CLASS));
}

/* No zCDP follows from it, but all of it but the leak has one. */
static bool approx_zcdp(
    lower_zcdp *out, const part *p, const lower_context *c)
{
    ball eps;
    (void)approx_box(&eps, &out->leak, p, c);
    out->rho = ball_scale2(ball_sqr(eps), -1);
    return true;
}

static bool approx_renyi(
    lower_renyi *out, ball order, const part *p, const lower_context *c)
{
    ball eps, delta;
    (void)approx_box(&eps, &delta, p, c);
    return lower_renyi_response(out, order, eps, delta);
}

static double approx_renyi_approx(
    double order, const part *p, const lower_context *c)
{
    (void)c;
    return renyi_rr_approx(order, p->group * part_parameter(p, 0), 2);
}

const lowering lower_approx = {
    .flag = LAW_CLASS,
    .assumption = "the stated (epsilon, delta)-DP guarantee holds",
    .one = approx_one,
    .loss = approx_loss,
    .mix = approx_mix,
    .box = approx_box,
    .zcdp = approx_zcdp,
    .renyi = approx_renyi,
    .renyi_approx = approx_renyi_approx,
};
