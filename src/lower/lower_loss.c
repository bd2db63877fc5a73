/*
 * loss(losses, masses): a loss law by points, in the direction asked for;
 * without a law of adding, that of removing with its parts exchanged. A
 * group has no closed form; k times its greatest loss bounds it.
 */
#include "lower.h"

#include "repr/renyi.h"

/* The law of a direction, to be freed; NULL with the reason in the pool. */
static atoms *points_make(const part *p, bool add, const lower_context *c)
{
    size_t n = 0;
    const double *at = dosi_plan_list(p->node, add ? 2 : 0, &n);
    bool reversed = add && at == NULL;
    if (reversed)
        at = dosi_plan_list(p->node, 0, &n);
    atoms *made = NULL, *back = NULL;
    dosi_status status = atoms_from_points(&made, at, at + n, n, NULL);
    if (reversed && status == DOSI_OK) {
        status = atoms_reverse(&back, made, NULL);
        atoms_free(made);
        made = back;
    }
    return law_made(c->pool, status) ? made : NULL;
}

static const atoms *points_atoms(const part *p, const lower_context *c)
{
    return law_own(c->pool, points_make(p, c->add, c));
}

static const law *points_one(const part *p, const lower_context *c)
{
    if (p->group > 1)
        return law_decline(
            c->pool, "loss: a group has only bounds, no closed form");
    return law_keep(c->pool, law_atoms(points_atoms(p, c), LAW_EXACT));
}

/* Both directions: the greatest finite loss, and the mass at +inf. */
static bool points_box(
    ball *eps, ball *delta, const part *p, const lower_context *c)
{
    *eps = *delta = ball_of(0);
    for (int add = 0; add < 2; add++) {
        atoms *a = points_make(p, add == 1, c);
        if (a == NULL)
            return false;
        *eps = ball_max(*eps, atoms_loss(a, atoms_count(a) - 1));
        *delta = ball_max(*delta, atoms_p_inf(a));
        atoms_free(a);
    }
    lower_group_box(eps, delta, p->group);
    return true;
}

static bool points_mix(
    lower_mix *out, lower_side side, const part *p, const lower_context *c)
{
    if (p->group > 1) {
        out->exact = false;
        if (side == LOWER_ABOVE)
            return points_box(&out->eps0, &out->delta0, p, c);
    }
    out->finite = points_atoms(p, c);
    return out->finite != NULL;
}

static bool points_loss(loss *out, const part *p, const lower_context *c)
{
    if (p->group == 1)
        return lower_loss_finite(out, points_atoms(p, c), LAW_EXACT);
    ball eps = ball_of(0), delta = ball_of(0);
    return points_box(&eps, &delta, p, c) &&
           lower_loss_response(out, eps, delta, LAW_BOUND, c);
}

/* A law within +-eps but for what is at infinity. */
static bool points_zcdp(
    lower_zcdp *out, const part *p, const lower_context *c)
{
    ball eps = ball_of(0);
    if (!points_box(&eps, &out->leak, p, c))
        return false;
    if (!ball_is_zero(out->leak))
        return lower_decline(c, "loss: mass at +inf has no zCDP bound");
    out->rho = renyi_rr_mean_loss(eps);
    return true;
}

/*
 * With the mass d at +inf apart, P' = P/(1 - d) and t = order - 1,
 *
 *     sum P'^order Q^-t = (1 - d)^-order (1 - d + sum m (e^(t L) - 1)).
 */
static bool points_renyi(
    lower_renyi *out, ball order, const part *p, const lower_context *c)
{
    atoms *a = points_make(p, c->add, c);
    if (a == NULL)
        return false;
    ball t = ball_sub_d(order, 1), sum = ball_of(0);
    size_t n = atoms_count(a);
    for (size_t i = 0; i < n; i++) {
        ball mass = ball_exp(atoms_log_mass(a, i));
        sum = ball_add(sum,
            ball_mul(mass, ball_expm1(ball_mul(t, atoms_loss(a, i)))));
    }
    ball d = atoms_p_inf(a);
    atoms_free(a);
    ball log_sum = ball_log1p(ball_sub(sum, d));
    ball keep = ball_mul(order, ball_log1p(ball_neg(d)));
    out->upper = out->lower = ball_div(ball_sub(log_sum, keep), t);
    out->leak = d;
    if (p->group == 1 && !ball_is_unknown(out->upper))
        return true;
    ball eps = ball_of(0);
    if (!points_box(&eps, &out->leak, p, c))
        return false;
    out->upper = renyi_rr(order, eps, 2);
    out->lower = ball_of(0);
    return true;
}

const lowering lower_loss = {
    .flag = LAW_EXACT,
    .assumption = "the loss laws are those of the worst pair of neighbours",
    .one = points_one,
    .loss = points_loss,
    .mix = points_mix,
    .box = points_box,
    .zcdp = points_zcdp,
    .renyi = points_renyi,
};
