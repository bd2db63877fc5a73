/*
 * with_replacement(batch, population, M): records are drawn one by one, so that
 * a sample may hold one several times. T004-10 bounds it under replace, and
 * T004-11 under add_remove, where the pair itself is known over Gaussian and
 * Laplace noise. M is asked about under replace in either case. A population of
 * 1 is refused under add_remove.
 */
#include "mechanisms/mechanism.h"

#include "base/error.h"
#include "with_replacement_laws.h"
#include "sampling/amplify_profile.h"
#include "profile/profile_sampled.h"
#include "loss/loss_with_replacement.h"
#include "mechanisms/plan_total.h"

/* The greatest mean number of draws of one record. Beyond it sums take too
 * long, and hardly anything is protected. */
#define MAX_MEAN_DRAWS 1024

static const char group_reason[] =
    "a group over with_replacement is only bounded by its epsilon";

static const dosi_plan *sampled_plan(const part *p)
{
    return dosi_plan_child(p->node, 0);
}

/* ---- One run ----------------------------------------------------------- */

/* Reads a base whose groups have profiles in closed form. */
static bool read_base_profile(
    base_profile *out, const dosi_plan *plan, const mechanism_context *c)
{
    attainment flag;
    ball mu;
    if (total_gaussian(&mu, &flag, plan, c)) {
        *out = (base_profile){BASE_PROFILE_GAUSSIAN, mu, ball_of(0)};
        return true;
    }
    part p = part_at(plan, 0);
    dosi_kind kind = dosi_plan_kind(p.node);
    if (part_count(plan) > 1 || p.count > 1)
        return false;
    if (kind == DOSI_LAPLACE) {
        ball theta = ball_div(ball_of(p.group), ball_of(part_parameter(&p, 0)));
        *out = (base_profile){BASE_PROFILE_LAPLACE, theta, ball_of(0)};
        return true;
    }
    ball eps, delta;
    if ((kind != DOSI_PURE && kind != DOSI_APPROX) ||
        !total_guarantee(&eps, &delta, plan, c))
        return false;
    *out = (base_profile){BASE_PROFILE_APPROX, eps, delta};
    return true;
}

/* Whether it is additive noise: then one threshold is the best test for every
 * number of draws of a record. */
static bool is_counted(const base_profile *base)
{
    return base->kind == BASE_PROFILE_GAUSSIAN ||
           base->kind == BASE_PROFILE_LAPLACE;
}

/* The profile of a pair that some neighbours attain: over additive noise a
 * count, else the answer to whether the sample holds the record. */
static const privacy_profile *attained_profile(
    const base_profile *base, const part *p, const mechanism_context *c)
{
    const dosi_plan *plan = sampled_plan(p);
    double m = part_parameter(p, 0), n = part_parameter(p, 1);
    mechanism_context within = *c;
    within.neighbours = DOSI_REPLACE;
    const privacy_profile *own = total_exact(plan, &within);
    privacy_profile pair;
    if (own == NULL || n < 2)
        return profile_decline(
            c->pool, "with_replacement: no attained pair is known");
    if (base != NULL && is_counted(base)) {
        pair = profile_with_replacement_pair(base, m, n, c->add);
        pair.flag = own->flag;
    } else {
        ball rate = amplify_rate_with_replacement(n, m);
        pair = profile_poisson(own, rate, c->add);
    }
    if (pair.flag == ATTAINED_BY_MECHANISM && plan_noise(plan) != NOISE_REAL)
        pair.flag = ATTAINED_BY_CLASS;
    return profile_keep(c->pool, pair);
}

static const privacy_profile *drawn_profile(
    const part *p, const mechanism_context *c)
{
    double m = part_parameter(p, 0), n = part_parameter(p, 1);
    base_profile base;
    if (p->group > 1)
        return profile_decline(c->pool, group_reason);
    if (part_plan_is_asymmetric(sampled_plan(p)))
        return profile_decline(c->pool,
            "with_replacement over an asymmetric plan has no loss law");
    if (m / n > MAX_MEAN_DRAWS)
        return profile_decline(c->pool,
            "with_replacement: a batch this large draws one record too often");
    bool is_profile = read_base_profile(&base, sampled_plan(p), c);
    if (c->attained)
        return attained_profile(is_profile ? &base : NULL, p, c);
    if (is_profile) {
        bool pair =
            is_counted(&base) && n > 1 && c->neighbours == DOSI_ADD_REMOVE;
        if (!pair)
            return profile_keep(c->pool, profile_with_replacement(&base, m, n));
        privacy_profile exact =
            profile_with_replacement_pair(&base, m, n, c->add);
        if (plan_noise(sampled_plan(p)) != NOISE_REAL)
            exact.flag = ATTAINED_BY_CLASS;
        return profile_keep(c->pool, exact);
    }
    loss_law found = {.count = 0};
    if (!with_replacement_loss(&found, p, c) || found.noise != LOSS_FINITE)
        return NULL;
    return profile_keep(
        c->pool, profile_finite(found.finite, ATTAINED_BY_NONE));
}

/* ---- Composed ---------------------------------------------------------- */

static bool drawn_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    loss_law found = {.count = 0};
    if (p->group > 1 || side == MECHANISM_LOWER)
        return mechanism_decline(c, group_reason);
    if (!with_replacement_loss(&found, p, c))
        return false;
    if (found.noise != LOSS_FINITE)
        return mechanism_decline(c, "the sampled law is not finite");
    out->finite = found.finite;
    out->exact = false;
    return true;
}

/*
 * At eps = K eps0 groups of k <= K records are (eps, delta_k)-DP by
 * mechanism_group_guarantee; delta of more draws is at most 1.
 */
static bool drawn_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    ball eps0, delta0, w[LOSS_MAX_GROUP + 1];
    double m = part_parameter(p, 0), n = part_parameter(p, 1);
    unsigned terms = n > 1 ? with_replacement_terms(p) : 0;
    if (terms == 0)
        return mechanism_decline(
            c, "with_replacement: a batch this large has no bound here");
    if (!total_guarantee(&eps0, &delta0, sampled_plan(p), c))
        return false;
    ball sum = loss_with_replacement_weights(w, terms, m, n);
    for (unsigned k = 1; k <= terms; k++) {
        ball eps_k = eps0, delta_k = delta0;
        mechanism_group_guarantee(&eps_k, &delta_k, k);
        sum = ball_add(sum, ball_mul(w[k], delta_k));
        *eps = eps_k;
    }
    *eps = amplify_map(amplify_rate_with_replacement(n, m), *eps);
    *delta = sum;
    mechanism_group_guarantee(eps, delta, p->group);
    return true;
}

/* ---- Renyi divergence -------------------------------------------------- */

/* The greatest batch whose terms are summed, and the logarithm of the share of
 * a sum that its rest may be. */
#define MAX_DRAWS 1000
#define LOG_REST (-50)

/*
 * log of the sum over k = 1 .. m of w_k (e^(c k^2) - 1). The sum ends early
 * once the weights fall by halves and the rest, each term of which is at most
 * w e^(c m^2), is negligible; the rest is added.
 */
static ball log_excess(double m, double n, ball c)
{
    ball odds = ball_neg(ball_log(ball_of(n - 1)));
    ball log_w =
        ball_mul_d(ball_log1p(ball_neg(ball_div(ball_of(1), ball_of(n)))), m);
    ball sum = ball_of(-HUGE_VAL), most = ball_mul_d(c, m * m);
    for (double k = 1; k <= m; k++) {
        ball step = ball_div_d(ball_of(m - k + 1), k);
        log_w = ball_add(log_w, ball_add(ball_log(step), odds));
        sum = ball_logaddexp(
            sum, ball_add(log_w, ball_logexpm1(ball_mul_d(c, k * k))));
        /* the next ratio of weights, (m - k)/((k + 1)(n - 1)), and all that
         * follow are below a half: what is left weighs less than w_k */
        ball rest = ball_add(log_w, most);
        if (2 * (m - k) < (k + 1) * (n - 1) &&
            ball_upper(rest) < ball_lower(sum) + LOG_REST)
            return ball_logaddexp(sum, rest);
    }
    return sum;
}

/* Samples that draw the record k times differ by k records replaced, and
 * e^((a-1) D) is jointly convex: e^((a-1) D) <= sum w_k e^((a-1) D_k),
 * D_k = a k^2 mu^2/2. */
static bool drawn_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c)
{
    double m = part_parameter(p, 0), n = part_parameter(p, 1);
    ball mu, t = ball_sub_d(order, 1);
    attainment flag;
    if (p->group > 1)
        return mechanism_decline(c, group_reason);
    if (m > MAX_DRAWS || !(n > 1) ||
        !total_gaussian(&mu, &flag, sampled_plan(p), c))
        return mechanism_decline(c, "with_replacement has a Renyi curve over "
                                    "Gaussian noise and up to 1000 draws");
    ball cost = ball_scale2(ball_mul(ball_mul(order, t), ball_sqr(mu)), -1);
    ball excess = log_excess(m, n, cost);
    ball k = ball_is_negative(excess) ? ball_log1p(ball_exp(excess))
                                      : ball_logaddexp(ball_of(0), excess);
    out->upper = ball_div(k, t);
    out->lower = out->leak = ball_of(0);
    return !ball_is_unknown(out->upper);
}

static dosi_status drawn_refuse(
    const dosi_plan *node, dosi_neighbours neighbours, dosi_error *err)
{
    if (neighbours != DOSI_ADD_REMOVE || dosi_plan_parameter(node, 1) >= 2)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EUNSUPPORTED,
        "with_replacement has no theorem under add_remove for a population of "
        "1, whose neighbour is empty; ask under replace");
}

const mechanism_type mechanism_with_replacement = {
    .flag = ATTAINED_BY_MECHANISM,
    .assumption = "every batch was drawn uniformly with replacement, anew in "
                  "each step, and the mechanism run on it is stated for one "
                  "record replaced",
    .has_many_pairs = true,
    .refuse = drawn_refuse,
    .profile = drawn_profile,
    .loss = with_replacement_loss,
    .product = drawn_product,
    .guarantee = drawn_guarantee,
    .renyi = drawn_renyi,
};
