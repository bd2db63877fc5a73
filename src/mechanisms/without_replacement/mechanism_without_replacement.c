/*
 * without_replacement(batch, population, M): a batch of fixed size, under
 * replace. Its law is T004-9 with rate batch/population on M's law under
 * replace. The law may be composed, but whether neighbours attain it in two
 * steps or more is open. It is refused under add_remove.
 */
#include "mechanisms/mechanism.h"

#include "base/error.h"
#include "mechanisms/base_law.h"
#include "without_replacement_laws.h"
#include "sampling/amplify.h"
#include "renyi/without_replacement_renyi.h"
#include "mechanisms/plan_total.h"

/* The greatest orders of the sum of T002-9, over a law, over a law with few
 * digits, and over a curve. */
#define MAX_LAW_ORDER 0x1p30
#define MAX_FEW_DIGITS_ORDER 0x1p17
#define MAX_CURVE_ORDER 1024

/* The greatest orders of the sum of T002-19, over Gaussian noise and over
 * other laws. */
#define MAX_GAUSSIAN_LEAST_ORDER 12
#define MAX_LEAST_ORDER 64

static ball batch_rate(const part *p)
{
    return ball_div(
        ball_of(part_parameter(p, 0)), ball_of(part_parameter(p, 1)));
}

static const dosi_plan *sampled_plan(const part *p)
{
    return dosi_plan_child(p->node, 0);
}

static const char group_reason[] =
    "a group over a sampler is only bounded by its epsilon";

static const privacy_profile *batch_profile(
    const part *p, const mechanism_context *c)
{
    if (p->group > 1)
        return profile_decline(c->pool, group_reason);
    const privacy_profile *base = total_exact(sampled_plan(p), c),
                          *other = base;
    if (base != NULL && part_plan_is_asymmetric(sampled_plan(p))) {
        mechanism_context back = *c;
        back.add = !back.add;
        other = total_exact(sampled_plan(p), &back);
    }
    privacy_profile sampled =
        profile_without_replacement(base, other, batch_rate(p));
    if (sampled.flag == ATTAINED_BY_MECHANISM &&
        plan_noise(sampled_plan(p)) != NOISE_REAL)
        sampled.flag = ATTAINED_BY_CLASS;
    return profile_keep(c->pool, sampled);
}

static bool batch_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    if (p->group > 1 || (side == MECHANISM_LOWER && !c->attained))
        return mechanism_decline(c, group_reason);
    if (part_plan_is_asymmetric(sampled_plan(p)))
        return mechanism_decline(
            c, "without_replacement over an asymmetric pmf is not composed");
    bool exact = false;
    mechanism_context coarse = *c; /* sampling moves atoms off every lattice */
    coarse.allow_lattices = false;
    const finite_law *base =
        total_finite(&exact, side, sampled_plan(p), &coarse);
    if (base == NULL)
        return false;
    out->finite = c->attained
                      ? plan_laws_finite_mixture(base, batch_rate(p), c)
                      : without_replacement_finite(base, batch_rate(p), c);
    out->exact = false;
    return out->finite != NULL;
}

static bool batch_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    if (!total_guarantee(eps, delta, sampled_plan(p), c))
        return false;
    *eps = amplify_epsilon(batch_rate(p), *eps);
    *delta = amplify_delta(batch_rate(p), *delta);
    mechanism_group_guarantee(eps, delta, p->group);
    return true;
}

/* ---- Renyi ------------------------------------------------------------- */

typedef struct base_curve {
    const dosi_plan *plan;
    mechanism_context c;
    bool failed;
} base_curve;

/* The divergence of the worse direction: under replace both are neighbours. */
static bool base_divergence(ball *out, ball order, const base_curve *b)
{
    mechanism_context back = b->c;
    back.add = !back.add;
    mechanism_renyi_bound r, s;
    if (!total_renyi(&r, order, b->plan, &b->c) || !ball_is_zero(r.leak))
        return false;
    *out = r.upper;
    if (!part_plan_is_asymmetric(b->plan))
        return true;
    if (!total_renyi(&s, order, b->plan, &back) || !ball_is_zero(s.leak))
        return false;
    *out = ball_max(r.upper, s.upper);
    return true;
}

static ball base_curve_at(double order, const void *context)
{
    base_curve *b = *(base_curve *const *)context;
    ball d = ball_of(HUGE_VAL);
    if (!base_divergence(&d, ball_of(order), b))
        b->failed = true;
    return d;
}

/* (order - 1) D by the sum of T002-9, and by T002-19 up to its greatest order;
 * +inf if the base's curve ends before the order. */
static ball batch_sum(
    ball order, const base_law *base, const part *p, const mechanism_context *c)
{
    base_curve b = {sampled_plan(p), *c, false};
    base_curve *context = &b;
    wr_base w = base->is_law
                    ? wr_base_of_law(&base->law)
                    : wr_base_of_curve(base_curve_at, &context, base->pure);
    ball t = ball_sub_d(order, 1), best, other;
    double by_law = c->few_digits ? MAX_FEW_DIGITS_ORDER : MAX_LAW_ORDER;
    double most = base->is_law ? by_law : MAX_CURVE_ORDER;
    if (!(ball_upper(order) <= most))
        return ball_of(HUGE_VAL);
    dosi_status status =
        wr_cumulant_real(&best, &w, batch_rate(p), WR_GENERAL, t, NULL);
    bool fast = base->law.kind != CHI_GAUSSIAN;
    if (status == DOSI_OK && base->is_consistent &&
        ball_upper(order) <=
            (fast ? MAX_LEAST_ORDER : MAX_GAUSSIAN_LEAST_ORDER)) {
        status = wr_cumulant_real(&other, &w, batch_rate(p), WR_LEAST, t, NULL);
        if (status == DOSI_OK)
            best = ball_min(best, other);
    }
    if (status == DOSI_ENOMEM)
        c->pool->no_memory = true;
    if (status != DOSI_OK || b.failed || ball_is_unknown(best))
        return ball_of(HUGE_VAL);
    return best;
}

/* A divergence that is attained: P002-20 at the whole order below. */
static ball batch_attained(ball order, const base_law *base, const part *p)
{
    double below = floor(ball_lower(order));
    if (!base->is_law || below < 2 || !(below <= MAX_LAW_ORDER))
        return ball_of(0);
    ball k = wr_cumulant_at(&base->law, batch_rate(p), WR_LOWER, below);
    ball d = ball_div_d(k, below - 1);
    return ball_is_unknown(d) ? ball_of(0) : d;
}

static bool batch_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    if (p->group > 1)
        return mechanism_decline(c, group_reason);
    ball rate = batch_rate(p), t = ball_sub_d(order, 1), d;
    base_curve curve = {sampled_plan(p), *c, false};
    if (!base_divergence(&d, order, &curve))
        return mechanism_decline(
            c, "without_replacement: the sampled plan has no Renyi curve");
    base_law base = base_law_of(sampled_plan(p), c);
    ball k = batch_sum(order, &base, p, c);
    k = ball_min(k, wr_jensen(rate, ball_mul(t, d)));
    out->upper = ball_div(k, t);
    if (ball_upper(base.pure) < HUGE_VAL)
        out->upper = ball_min(out->upper, amplify_epsilon(rate, base.pure));
    out->lower = c->few_digits ? ball_of(0) : batch_attained(order, &base, p);
    return !ball_is_unknown(out->upper);
}

static bool batch_moments(
    mechanism_moments *out, const part *p, const mechanism_context *c)
{
    ball mu;
    attainment flag;
    if (p->group > 1 || !total_gaussian(&mu, &flag, sampled_plan(p), c))
        return false;
    out->of_run = moments_of_sampled_gauss(batch_rate(p), mu, false);
    return true;
}

static dosi_status batch_refuse(
    const dosi_plan *node, dosi_neighbours neighbours, dosi_error *err)
{
    (void)node;
    if (neighbours != DOSI_ADD_REMOVE)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EUNSUPPORTED,
        "without_replacement has no theorem under add_remove, where the "
        "population's size is private; ask under replace, or use "
        "poisson(batch/population, M)");
}

static const mechanism_renyi_source batch_source = {.rank = 2,
    .divergence = "T002-9, T002-19, C002-10, T000-33.2",
    .conversion = "T002-9, T002-19, C002-10, T000-33.2, T000-33.8"};

const mechanism_type mechanism_without_replacement = {
    .flag = ATTAINED_BY_CLASS,
    .assumption = "every batch was drawn uniformly without replacement, anew "
                  "in each step",
    .has_many_pairs = true,
    .draws_once = true,
    .renyi_source = &batch_source,
    .refuse = batch_refuse,
    .profile = batch_profile,
    .loss = without_replacement_loss,
    .product = batch_product,
    .guarantee = batch_guarantee,
    .zcdp = total_sampled_zcdp,
    .renyi = batch_renyi,
    .moments = batch_moments,
};
