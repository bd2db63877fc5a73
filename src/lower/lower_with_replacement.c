/*
 * with_replacement(batch, population, M): draws one by one, so that a record
 * may be met several times. T004-10 under replace, and under add_remove
 * T004-11, or X004-11.gauss over Gaussian noise; M is known under replace in
 * either case. The account refuses a population of 1 under add_remove before
 * it comes here.
 */
#include "lower.h"

#include "losses_drawn.h"
#include "repr/amplify_profile.h"
#include "repr/law_sampled.h"
#include "repr/loss_drawn.h"
#include "total.h"

/* Draws of one record on average beyond which sums take too long, and next
 * to nothing is protected. */
#define MOST_HITS 1024

static const char group_reason[] =
    "a group over with_replacement is only bounded by its epsilon";

static const dosi_plan *sampled_plan(const part *p)
{
    return dosi_plan_child(p->node, 0);
}

/* ---- One run ----------------------------------------------------------- */

/* Bases whose groups have profiles in closed form. */
static bool base_profile(
    profile *out, const dosi_plan *plan, const lower_context *c)
{
    law_flag flag;
    ball mu;
    if (total_gaussian(&mu, &flag, plan, c)) {
        *out = (profile){PROFILE_GAUSSIAN, mu, ball_of(0)};
        return true;
    }
    part p = part_at(plan, 0);
    dosi_kind kind = dosi_plan_kind(p.node);
    if (part_count(plan) > 1 || p.count > 1)
        return false;
    if (kind == DOSI_LAPLACE) {
        ball theta = ball_div(ball_of(p.group), ball_of(part_parameter(&p, 0)));
        *out = (profile){PROFILE_LAPLACE, theta, ball_of(0)};
        return true;
    }
    ball eps, delta;
    if ((kind != DOSI_PURE && kind != DOSI_APPROX) ||
        !total_box(&eps, &delta, plan, c))
        return false;
    *out = (profile){PROFILE_APPROX, eps, delta};
    return true;
}

/* What some pair of neighbours attains under replace: a count over Gaussian
 * noise, else an answer to whether the record is there. */
static const law *attained_one(
    const profile *base, const part *p, const lower_context *c)
{
    const dosi_plan *plan = sampled_plan(p);
    double m = part_parameter(p, 0), n = part_parameter(p, 1);
    const law *own = total_exact(plan, c);
    law pair;
    if (own == NULL || n < 2 || c->neighbours != DOSI_REPLACE)
        return law_decline(c->pool, "with_replacement: no pair is known");
    if (base != NULL && base->kind == PROFILE_GAUSSIAN) {
        pair = law_with_replacement_gaussian(base->x, m, n, c->add);
        pair.flag = own->flag;
    } else {
        ball rate = amplify_rate_with_replacement(n, m);
        pair = law_poisson(own, rate, c->add);
    }
    if (pair.flag == LAW_EXACT && !losses_is_additive(plan))
        pair.flag = LAW_CLASS;
    return law_keep(c->pool, pair);
}

static const law *drawn_one(const part *p, const lower_context *c)
{
    double m = part_parameter(p, 0), n = part_parameter(p, 1);
    profile base;
    if (p->group > 1)
        return law_decline(c->pool, group_reason);
    if (part_plan_is_asymmetric(sampled_plan(p)))
        return law_decline(c->pool,
            "with_replacement over an asymmetric plan has no loss law");
    if (m / n > MOST_HITS)
        return law_decline(c->pool,
            "with_replacement: a batch this large meets one record too often");
    bool is_profile = base_profile(&base, sampled_plan(p), c);
    if (c->attained)
        return attained_one(is_profile ? &base : NULL, p, c);
    if (is_profile) {
        bool pair = base.kind == PROFILE_GAUSSIAN && n > 1 &&
                    c->neighbours == DOSI_ADD_REMOVE;
        if (!pair)
            return law_keep(c->pool, law_with_replacement(&base, m, n));
        law exact = law_with_replacement_gaussian(base.x, m, n, c->add);
        if (!losses_is_additive(sampled_plan(p)))
            exact.flag = LAW_CLASS;
        return law_keep(c->pool, exact);
    }
    loss found = {.count = 0};
    if (!losses_drawn(&found, p, c) || found.noise != LOSS_FINITE)
        return NULL;
    return law_keep(c->pool, law_atoms(found.finite, LAW_BOUND));
}

/* ---- Composed ---------------------------------------------------------- */

static bool drawn_mix(
    lower_mix *out, lower_side side, const part *p, const lower_context *c)
{
    loss found = {.count = 0};
    if (p->group > 1 || side == LOWER_BELOW)
        return lower_decline(c, group_reason);
    if (!losses_drawn(&found, p, c))
        return false;
    if (found.noise != LOSS_FINITE)
        return lower_decline(c, "the sampled law is not finite");
    out->finite = found.finite;
    out->exact = false;
    return true;
}

/*
 * At eps = K eps0, which covers groups of up to K records: for k <= K they
 * are (eps, delta_k)-DP by lower_group_box, and more hits cost at most 1.
 */
static bool drawn_box(
    ball *eps, ball *delta, const part *p, const lower_context *c)
{
    ball eps0, delta0, w[LOSS_MAX_SPLIT + 1];
    double m = part_parameter(p, 0), n = part_parameter(p, 1);
    unsigned terms = n > 1 ? losses_drawn_terms(p) : 0;
    if (terms == 0)
        return lower_decline(
            c, "with_replacement: a batch this large has no bound here");
    if (!total_box(&eps0, &delta0, sampled_plan(p), c))
        return false;
    ball sum = loss_drawn_weights(w, terms, m, n);
    for (unsigned k = 1; k <= terms; k++) {
        ball eps_k = eps0, delta_k = delta0;
        lower_group_box(&eps_k, &delta_k, k);
        sum = ball_add(sum, ball_mul(w[k], delta_k));
        *eps = eps_k;
    }
    *eps = amplify_map(amplify_rate_with_replacement(n, m), *eps);
    *delta = sum;
    lower_group_box(eps, delta, p->group);
    return true;
}

const lowering lower_with_replacement = {
    .flag = LAW_EXACT,
    .assumption = "every batch was drawn uniformly with replacement, anew in "
                  "each step, and what is run on it is stated for one record "
                  "replaced",
    .one = drawn_one,
    .loss = losses_drawn,
    .mix = drawn_mix,
    .box = drawn_box,
};
