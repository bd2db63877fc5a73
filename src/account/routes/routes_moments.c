/*
 * The routes that bound from above only, through sums of moments or of
 * stated guarantees: zCDP, (epsilon, delta), Renyi. Each is written as a law
 * whose profile is the bound itself.
 */
#include "route.h"

#include "renyi/composition_theorems.h"
#include "renyi/renyi.h"
#include "renyi/zcdp.h"

static const privacy_profile *with_leak(
    profile_pool *pool, const privacy_profile *core, ball log_keep)
{
    if (core == NULL || ball_is_zero(log_keep))
        return core;
    return profile_keep(pool, profile_leaky(core, log_keep));
}

/* ---- zCDP -------------------------------------------------------------- */

/* D_a <= xi + rho a is rho a at epsilon - xi. */
static dosi_interval zcdp_law_log_delta(const privacy_profile *self, ball eps)
{
    ball rest = ball_sub(eps, self->as.zcdp.xi);
    if (!ball_is_nonnegative(rest))
        return iv_point(0);
    return iv_point(zcdp_log_delta(self->as.zcdp.rho, rest).hi);
}

static dosi_interval zcdp_law_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    dosi_interval v = zcdp_epsilon_unclamped(self->as.zcdp.rho, log_delta);
    double most = ball_upper(ball_add_d(self->as.zcdp.xi, v.hi));
    return iv_point(fmax(most, 0));
}

static const profile_type zcdp_type = {
    .theorem = "T000-13, T000-14, D003-3.3-tightrho",
    .log_delta = zcdp_law_log_delta,
    .epsilon = zcdp_law_epsilon};

static void zcdp_laws(account_laws *out, const account_view *view)
{
    mechanism_zcdp_bound total;
    if (!total_zcdp(&total, view->normal, &view->c) ||
        ball_is_unknown(total.rho))
        return;
    privacy_profile made = {.type = &zcdp_type,
        .flag = ATTAINED_BY_NONE,
        .as.zcdp = {total.rho, total.xi}};
    const privacy_profile *core = profile_keep(view->c.pool, made);
    ball log_keep = ball_log1p(ball_neg(total.leak));
    account_add(out, with_leak(view->c.pool, core, log_keep), true, false,
        zcdp_type.theorem);
}

const account_route route_zcdp = {"zcdp", zcdp_laws};

/* ---- (epsilon, delta) -------------------------------------------------- */

static approx_total total_of(const privacy_profile *self)
{
    return (approx_total){self->as.approx.eps, self->as.approx.squares,
        self->as.approx.delta, self->as.approx.log_keep};
}

static dosi_interval approx_law_log_delta(const privacy_profile *self, ball eps)
{
    approx_total total = total_of(self);
    if (!ball_is_nonnegative(eps))
        return iv_point(0);
    return iv_point(approx_log_delta(&total, eps).hi);
}

static dosi_interval approx_law_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)log_delta;
    approx_total total = total_of(self);
    /* where delta underflows its slack is not certain: up to +inf */
    dosi_interval slack = approx_slack(&total, delta);
    dosi_interval product = approx_slack_product(&total, delta);
    double most = approx_epsilon(&total, slack).hi;
    most = fmin(most, approx_epsilon_cdp(&total, product).hi);
    return iv_point(fmax(most, 0));
}

static const profile_type approx_type = {.theorem = "T000-01, T000-22, T000-29",
    .log_delta = approx_law_log_delta,
    .epsilon = approx_law_epsilon};

static dosi_interval variation_log_delta(const privacy_profile *self, ball eps)
{
    if (ball_is_nonnegative(eps))
        return iv_point(self->as.variation.log_delta_at_zero);
    /* P(E) - e^eps Q(E) <= P(E) - Q(E) + (1 - e^eps) for eps < 0 */
    ball most = ball_sub(self->as.variation.delta_at_zero, ball_expm1(eps));
    return iv_point(fmin(0, ball_upper(ball_log(ball_of(ball_upper(most))))));
}

static dosi_interval variation_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    double at_zero = self->as.variation.log_delta_at_zero;
    return iv_point(at_zero <= ball_lower(log_delta) ? 0 : HUGE_VAL);
}

static const profile_type variation_type = {.theorem = "T000-22.product",
    .log_delta = variation_log_delta,
    .epsilon = variation_epsilon};

/* At least the total variation of one run, delta at epsilon 0. */
static double variation_of(const part *p, const mechanism_context *c)
{
    const mechanism_type *type = mechanism_of(p);
    profile_pool own; /* there may be many parts */
    profile_pool_init(&own);
    own.limits = c->pool->limits;
    mechanism_context alone = *c;
    alone.pool = &own;
    const privacy_profile *one =
        type->profile != NULL ? type->profile(p, &alone) : NULL;
    double variation = one != NULL ? profile_delta(one, ball_of(0)).hi : 1;
    c->pool->no_memory = c->pool->no_memory || own.no_memory;
    profile_pool_free(&own);
    return variation;
}

/* Every step is (0, delta)-DP with its total variation for delta, so that
 * the plan is (0, 1 - prod (1 - delta))-DP. It matters if steps are
 * sampled at tiny rates, so that epsilon is 0. */
static void add_variation(account_laws *out, const account_view *view)
{
    ball log_keep = ball_of(0);
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n && ball_lower(log_keep) > -0.5; i++) {
        part p = part_at(view->normal, i);
        ball keep = ball_log1p(ball_of(-variation_of(&p, &view->c)));
        log_keep = ball_add(log_keep, ball_mul_d(keep, p.count));
    }
    if (!(ball_lower(log_keep) > -0.5))
        return;
    double most = ball_upper(ball_neg(ball_expm1(log_keep)));
    privacy_profile made = {.type = &variation_type,
        .flag = ATTAINED_BY_NONE,
        .as.variation = {ball_of(most),
            ball_upper(ball_log(ball_of(most)))}};
    account_add(out, profile_keep(view->c.pool, made), true, false, NULL);
}

static void approx_laws(account_laws *out, const account_view *view)
{
    add_variation(out, view);
    approx_total total = approx_total_empty();
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(view->normal, i);
        const mechanism_type *type = mechanism_of(&p);
        ball eps, delta;
        if (type->guarantee == NULL ||
            !type->guarantee(&eps, &delta, &p, &view->c) ||
            ball_is_unknown(eps) || ball_is_unknown(delta))
            return;
        total = approx_total_add(total, eps, delta, ball_of(p.count));
    }
    privacy_profile made = {.type = &approx_type,
        .flag = ATTAINED_BY_NONE,
        .as.approx = {
            total.eps, total.squares, total.delta, total.log_keep}};
    account_add(out, profile_keep(view->c.pool, made), true, false, NULL);
}

const account_route route_approx = {"approx", approx_laws};
