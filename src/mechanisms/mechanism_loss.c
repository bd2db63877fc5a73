/*
 * loss(losses, masses): a loss law by points, in the context's direction. If
 * no law of adding a record is given, it is that of removing one with P and Q
 * exchanged. A group has no closed form; k times the greatest loss bounds it.
 */
#include "mechanism.h"

#include "renyi/renyi.h"

/* The law of a direction, which the caller frees; NULL with the reason in the
 * pool. */
static finite_law *points_make(
    const part *p, bool add, const mechanism_context *c)
{
    size_t n = 0;
    const double *at = dosi_plan_list(p->node, add ? 2 : 0, &n);
    bool reversed = add && at == NULL;
    if (reversed)
        at = dosi_plan_list(p->node, 0, &n);
    finite_law *made = NULL, *back = NULL;
    dosi_status status = finite_from_points(&made, at, at + n, n, NULL);
    if (reversed && status == DOSI_OK) {
        status = finite_reverse(&back, made, NULL);
        finite_free(made);
        made = back;
    }
    return profile_made(c->pool, status) ? made : NULL;
}

static const finite_law *points_atoms(const part *p, const mechanism_context *c)
{
    return profile_own(c->pool, points_make(p, c->add, c));
}

static const privacy_profile *points_profile(
    const part *p, const mechanism_context *c)
{
    if (p->group > 1)
        return profile_decline(
            c->pool, "loss: a group has only bounds, no closed form");
    return profile_keep(
        c->pool, profile_finite(points_atoms(p, c), ATTAINED_BY_MECHANISM));
}

/* The range of the laws of both directions together. */
typedef struct extent {
    ball most;   /* the greatest finite loss, or 0 */
    ball size;   /* the greatest absolute value of a finite loss */
    ball leak;   /* the greatest mass at +inf */
    ball beyond; /* the greatest mass at +inf or at -inf */
} extent;

static bool points_extent(
    extent *out, const part *p, const mechanism_context *c)
{
    *out = (extent){ball_of(0), ball_of(0), ball_of(0), ball_of(0)};
    for (int add = 0; add < 2; add++) {
        finite_law *a = points_make(p, add == 1, c);
        if (a == NULL)
            return false;
        out->most = ball_max(out->most, finite_loss(a, finite_count(a) - 1));
        out->size = ball_max(out->size, ball_neg(finite_loss(a, 0)));
        out->leak = ball_max(out->leak, finite_p_inf(a));
        out->beyond = ball_max(out->beyond, finite_q_inf(a));
        finite_free(a);
    }
    out->size = ball_max(out->size, out->most);
    out->beyond = ball_max(out->beyond, out->leak);
    return true;
}

/* Each law is within +-eps, except for a mass delta of P and of Q. The laws of
 * the two directions may be of different pairs, so that neither bounds the
 * losses of the other from below. */
static bool points_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    extent e;
    if (!points_extent(&e, p, c))
        return false;
    *eps = e.size;
    *delta = e.beyond;
    mechanism_group_guarantee(eps, delta, p->group);
    return true;
}

static bool points_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    if (p->group > 1) {
        out->exact = false;
        if (side == MECHANISM_UPPER)
            return points_guarantee(&out->eps0, &out->delta0, p, c);
    }
    out->finite = points_atoms(p, c);
    return out->finite != NULL;
}

static bool points_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    if (p->group == 1)
        return mechanism_loss_finite(
            out, points_atoms(p, c), ATTAINED_BY_MECHANISM);
    ball eps = ball_of(0), delta = ball_of(0);
    return points_guarantee(&eps, &delta, p, c) &&
           mechanism_loss_response(out, eps, delta, ATTAINED_BY_NONE, c);
}

/* D <= the greatest loss <= order times it; or the zCDP of a loss within
 * +-eps. */
static bool points_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    extent e;
    if (!points_extent(&e, p, c))
        return false;
    out->leak = e.leak;
    if (!ball_is_zero(e.leak))
        return mechanism_decline(c, "loss: mass at +inf has no zCDP bound");
    if (p->group > 1 && !ball_is_zero(e.beyond))
        return mechanism_decline(c,
            "loss: a group of laws with mass at -inf has "
            "no zCDP bound");
    out->rho = ball_mul_d(e.most, p->group);
    if (ball_is_zero(e.beyond))
        out->rho = ball_min(
            out->rho, renyi_rr_mean_loss(ball_mul_d(e.size, p->group)));
    return true;
}

/* log sum m e^(t L), by sum m (e^(t L) - 1), which keeps digits, or by
 * logarithms if e^(t L) may overflow. */
static ball log_moment(const finite_law *a, ball t)
{
    size_t n = finite_count(a);
    bool is_far = ball_upper(ball_mul(t, finite_loss(a, n - 1))) > 300;
    ball sum = ball_of(is_far ? -HUGE_VAL : 0);
    for (size_t i = 0; i < n; i++) {
        ball log_mass = finite_log_mass(a, i);
        ball at = ball_mul(t, finite_loss(a, i));
        if (!is_far)
            sum = ball_add(sum, ball_mul(ball_exp(log_mass), ball_expm1(at)));
        else if (i == 0)
            sum = ball_add(log_mass, at);
        else
            sum = ball_logaddexp(sum, ball_add(log_mass, at));
    }
    return is_far ? sum : ball_log1p(ball_sub(sum, finite_p_inf(a)));
}

/*
 * With the mass d at +inf apart, P' = P/(1 - d) and t = order - 1,
 *
 *     sum P'^order Q^-t = (1 - d)^-order sum m e^(t L),
 *
 * and sum m e^(t L) = 1 - d + sum m (e^(t L) - 1).
 */
static bool points_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    finite_law *a = points_make(p, c->add, c);
    if (a == NULL)
        return false;
    ball t = ball_sub_d(order, 1);
    ball log_sum = log_moment(a, t);
    ball d = finite_p_inf(a);
    finite_free(a);
    ball keep = ball_mul(order, ball_log1p(ball_neg(d)));
    out->upper = out->lower = ball_div(ball_sub(log_sum, keep), t);
    out->leak = d;
    if (p->group == 1 && !ball_is_unknown(out->upper))
        return true;
    ball eps = ball_of(0), delta = ball_of(0);
    if (!points_guarantee(&eps, &delta, p, c))
        return false;
    out->upper =
        ball_is_zero(delta) ? renyi_rr(order, eps, 2) : ball_of(HUGE_VAL);
    out->lower = ball_of(0);
    return true;
}

static const char *points_unbounded(
    const part *p, bool is_sampled, const mechanism_context *c)
{
    extent e;
    bool leaks = !is_sampled && points_extent(&e, p, c) &&
                 ball_lower(e.leak) > 0;
    return leaks ? "loss has mass at +inf; ask for a delta above 0" : NULL;
}

const mechanism_type mechanism_loss = {
    .flag = ATTAINED_BY_MECHANISM,
    .assumption = "the loss laws are those of the worst pair of neighbours",
    .support = SUPPORT_LATTICE,
    .profile = points_profile,
    .loss = points_loss,
    .product = points_product,
    .guarantee = points_guarantee,
    .zcdp = points_zcdp,
    .renyi = points_renyi,
    .unbounded = points_unbounded,
};
