/*
 * The bound on delta (X004-PS.ra) at points that are equally spaced in the
 * epsilon of the base, and the law of its convex hull.
 */
#include "poisson_replace_upper.h"

#include <stdlib.h>

#include "poisson_curve.h"
#include "sampling/amplify_profile.h"
#include "loss/dominating_law.h"
#include "mechanisms/plan_normal.h"
#include "mechanisms/plan_total.h"

#define POINTS 256
#define MOST_EPS 690.0

/* Points of a profile are no nearer: slopes between nearer ones would be
 * quotients of numbers that underflow has left few digits. */
#define APART 0x1p-900

/* The base for k records added or removed: its law in both directions, or a
 * stated pair, or both. */
typedef struct base_view {
    const privacy_profile *law[2];
    bool has_box;
    base_profile box;
} base_view;

static void view_init(
    base_view *v, const dosi_plan *plan, double k, const mechanism_context *c)
{
    const dosi_plan *normal = NULL;
    *v = (base_view){.box = {.kind = BASE_PROFILE_APPROX}};
    dosi_status status = plan_for_group(&normal, plan, k, NULL);
    c->pool->no_memory = c->pool->no_memory || status == DOSI_ENOMEM;
    if (status != DOSI_OK)
        return;
    for (int i = 0; i < 2; i++) {
        mechanism_context own = *c;
        own.add = i == 1;
        v->law[i] = total_exact(normal, &own);
    }
    v->has_box = total_guarantee(&v->box.parameter, &v->box.delta0, normal, c);
    dosi_plan_free(normal);
}

static bool view_is_known(const base_view *v)
{
    return v->has_box || (v->law[0] != NULL && v->law[1] != NULL);
}

/* At least delta at eps >= 0. */
static double view_delta(const base_view *v, ball eps)
{
    double least = 1;
    if (v->law[0] != NULL && v->law[1] != NULL)
        least = fmin(least, fmax(profile_delta(v->law[0], eps).hi,
                                profile_delta(v->law[1], eps).hi));
    if (v->has_box)
        least = fmin(
            least, ball_upper(scaled_ball(base_profile_delta(&v->box, eps))));
    return fmax(least, 0);
}

/* gamma ((1 - beta) delta_1 + beta delta_2), at most 1. */
static double bound_at(
    const base_view *one, const base_view *two, ball rate, double eps_out)
{
    ball eps = amplify_map_back(rate, ball_of(eps_out));
    ball first =
        ball_mul_d(amplify_one_minus_beta(rate, eps), view_delta(one, eps));
    ball second = ball_mul_d(amplify_beta(rate, eps), view_delta(two, eps));
    double bound = ball_upper(ball_mul(rate, ball_add(first, second)));
    return bound < 1 ? bound : 1;
}

/* Where the base's losses end, or nearly. */
static double last_eps(const base_view *two)
{
    if (two->has_box)
        return fmin(ball_upper(two->box.parameter), MOST_EPS);
    double eps = 1;
    while (eps < MOST_EPS / 2 && view_delta(two, ball_of(eps)) > 1e-40)
        eps *= 1.5;
    return eps;
}

/* The greatest loss where one record counts for a factor of at most e^eps:
 * log of (1 - rate + rate e^eps)/(1 - rate + rate e^-eps); or infinite. */
static double greatest_loss(const base_view *one, ball rate)
{
    if (!one->has_box || !ball_is_zero(one->box.delta0))
        return HUGE_VAL;
    ball up = ball_log1p(ball_mul(rate, ball_expm1(one->box.parameter)));
    ball down =
        ball_log1p(ball_mul(rate, ball_expm1(ball_neg(one->box.parameter))));
    double most = ball_upper(ball_sub(up, down));
    return most >= 0 ? most : HUGE_VAL;
}

static const finite_law *hybrid(
    const base_view *views, ball rate, const mechanism_context *c)
{
    profile_point *points = malloc((POINTS + 2) * sizeof *points);
    finite_law *made = NULL;
    size_t n = 0;
    if (points == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    double last = last_eps(&views[1]), before = -1;
    double most = greatest_loss(&views[0], rate);
    for (size_t i = 0; i <= POINTS; i++) {
        /* even in the base's eps: half of them is where delta_1 ends */
        ball eps = ball_of(last * (double)i / POINTS);
        double out = i == 0 ? 0 : ball_mid(amplify_map(rate, eps));
        if (i > 0)
            out = fmax(out, before + APART);
        if (!(out > before && out <= MOST_EPS && out < most))
            continue;
        points[n++] =
            (profile_point){out, bound_at(&views[0], &views[1], rate, out)};
        before = out;
    }
    if (most <= MOST_EPS) /* and beyond */
        points[n++] = (profile_point){fmax(most, before + APART), 0};
    bool found =
        n >= 2 &&
        profile_made(c->pool, dominating_law_make(&made, points, n, NULL));
    free(points);
    return found ? profile_own(c->pool, made) : NULL;
}

const finite_law *poisson_replace_upper(
    const part *p, const mechanism_context *c)
{
    const dosi_plan *plan = poisson_base(p);
    profile_pool *pool = malloc(sizeof *pool); /* for the base's laws */
    if (pool == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    profile_pool_init(pool);
    pool->limits = c->pool->limits;
    mechanism_context own = *c;
    own.pool = pool;
    own.neighbours = DOSI_ADD_REMOVE;
    base_view views[2];
    view_init(&views[0], plan, 1, &own);
    view_init(&views[1], plan, 2, &own);
    const finite_law *found = NULL;
    if (view_is_known(&views[0]) && view_is_known(&views[1]))
        found = hybrid(views, sample_rate(p), c);
    else
        (void)mechanism_decline(c,
            "poisson under replace: the sampled mechanism "
            "has no profile for one record and for two");
    c->pool->no_memory = c->pool->no_memory || pool->no_memory;
    profile_pool_free(pool);
    free(pool);
    return found;
}
