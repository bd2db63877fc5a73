/*
 * Sums over the parts of a plan. Renyi divergences, zCDP guarantees and
 * epsilons add; the probabilities that a part does not leak multiply.
 */
#include "plan_total.h"

/* Operations that one value of a part's Renyi curve takes. That of a sampler
 * is a sum over orders or nodes. */
#define CURVE_OPERATIONS 1000
#define SAMPLED_CURVE_OPERATIONS 5e4

/* Counts the work on a value of a part's curve; false if it must stop. */
static bool count_curve(const part *p, const mechanism_context *c)
{
    work_limits *limits = c->pool->limits;
    if (dosi_plan_child_count(p->node) == 0)
        work_spend(limits, CURVE_OPERATIONS);
    else if (work_spent(limits, SAMPLED_CURVE_OPERATIONS))
        return mechanism_decline(c, DOSI_STOPPED);
    return true;
}

/* log of the probability that no part leaks, with count runs more, each of
 * which leaks with probability leak. */
static ball keep_more(ball log_keep, ball leak, double count)
{
    if (ball_is_zero(leak))
        return log_keep;
    return ball_add(log_keep, ball_mul_d(ball_log1p(ball_neg(leak)), count));
}

bool total_renyi(mechanism_renyi_bound *out, ball order,
    const dosi_plan *normal, const mechanism_context *c)
{
    ball log_keep = ball_of(0);
    *out = (mechanism_renyi_bound){.leak = ball_of(0)};
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        mechanism_renyi_bound one = {.leak = ball_of(0)};
        if (type->renyi == NULL)
            return mechanism_decline(c, "a part has no Renyi curve here");
        if (!count_curve(&p, c) || !type->renyi(&one, order, &p, c))
            return false;
        out->upper = ball_add(out->upper, ball_mul_d(one.upper, p.count));
        out->lower = ball_add(out->lower, ball_mul_d(one.lower, p.count));
        log_keep = keep_more(log_keep, one.leak, p.count);
    }
    if (!ball_is_zero(log_keep))
        out->leak = ball_neg(ball_expm1(log_keep));
    return true;
}

double total_renyi_least(
    ball order, const dosi_plan *normal, const mechanism_context *c)
{
    ball sum = ball_of(0);
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        mechanism_renyi_bound one = {.leak = ball_of(0)};
        if (type->renyi == NULL || !type->renyi(&one, order, &p, c))
            continue;
        if (ball_is_positive(one.leak))
            return HUGE_VAL;
        double least = fmax(ball_lower(one.lower), 0);
        sum = ball_add(sum, ball_mul_d(ball_of(least), p.count));
    }
    return fmax(ball_lower(sum), 0);
}

/* log of sum sqrt(P Q) of one run, from factors that the part dominates:
 * e^(-mu^2/8) of a Gaussian, sech(eps0/2) of a response. */
static ball log_affinity(const mechanism_product *m)
{
    ball sum = ball_neg(ball_scale2(ball_sqr(m->mu), -3));
    ball half = ball_scale2(m->eps0, -1);
    ball response =
        ball_sub(ball_sub(ball_ln2(), half), ball_log1pexp(ball_neg(m->eps0)));
    if (!ball_is_zero(m->eps0))
        sum = ball_add(sum, response);
    if (!ball_is_zero(m->delta0))
        sum = ball_add(sum, ball_log1p(ball_neg(m->delta0)));
    if (m->finite != NULL)
        sum = ball_sub(
            sum, ball_scale2(finite_renyi(m->finite, ball_of(0.5)), -1));
    return sum;
}

const privacy_profile *total_affinity(
    const dosi_plan *normal, const mechanism_context *c)
{
    ball sum = ball_of(0);
    attainment flag = ATTAINED_BY_MECHANISM;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        mechanism_product m = mechanism_product_nothing();
        profile_pool own; /* there may be many parts */
        profile_pool_init(&own);
        own.limits = c->pool->limits;
        mechanism_context alone = *c;
        alone.pool = &own;
        bool found = type->product != NULL &&
                     type->product(&m, MECHANISM_LOWER, &p, &alone);
        double most = found ? ball_upper(log_affinity(&m)) : 0;
        c->pool->no_memory = c->pool->no_memory || own.no_memory;
        profile_pool_free(&own);
        if (!(most < 0)) /* nor does a NaN */
            continue;
        sum = ball_add(sum, ball_mul_d(ball_of(most), p.count));
        flag = type->flag > flag ? type->flag : flag;
    }
    return ball_is_negative(sum)
               ? profile_keep(c->pool, profile_affinity(sum, flag))
               : NULL;
}

double total_renyi_approx(
    double order, const dosi_plan *normal, const mechanism_context *c)
{
    double sum = 0;
    size_t n = part_count(normal);
    mechanism_context quick = *c;
    quick.few_digits = true;
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        mechanism_renyi_bound one = {.leak = ball_of(0)};
        if (type->renyi == NULL ||
            !type->renyi(&one, ball_of(order), &p, &quick) || !one.is_smooth)
            return NAN;
        sum += p.count * ball_mid(one.upper);
    }
    return sum;
}

bool total_zcdp(mechanism_zcdp_bound *out, const dosi_plan *normal,
    const mechanism_context *c)
{
    ball log_keep = ball_of(0);
    *out = (mechanism_zcdp_bound){ball_of(0), ball_of(0), ball_of(0)};
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        mechanism_zcdp_bound one = {ball_of(0), ball_of(0), ball_of(0)};
        if (type->zcdp == NULL)
            return mechanism_decline(c, "a part has no zCDP guarantee");
        if (!type->zcdp(&one, &p, c))
            return false;
        out->rho = ball_add(out->rho, ball_mul_d(one.rho, p.count));
        out->xi = ball_add(out->xi, ball_mul_d(one.xi, p.count));
        log_keep = keep_more(log_keep, one.leak, p.count);
    }
    if (!ball_is_zero(log_keep))
        out->leak = ball_neg(ball_expm1(log_keep));
    return true;
}

bool total_sampled_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    if (p->group > 1)
        return mechanism_decline(c, "a group over a sampler has no zCDP bound");
    if (!total_zcdp(out, dosi_plan_child(p->node, 0), c))
        return false;
    if (!ball_is_zero(out->leak))
        return mechanism_decline(
            c, "a leak inside a sampler has no zCDP bound");
    return true;
}

bool total_guarantee(
    ball *eps, ball *delta, const dosi_plan *normal, const mechanism_context *c)
{
    ball log_keep = ball_of(0);
    *eps = ball_of(0);
    *delta = ball_of(0);
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        ball e, d;
        if (type->guarantee == NULL || !type->guarantee(&e, &d, &p, c))
            return mechanism_decline(c, "a part has no (epsilon, delta)");
        *eps = ball_add(*eps, ball_mul_d(e, p.count));
        log_keep = keep_more(log_keep, d, p.count);
    }
    if (!ball_is_zero(log_keep))
        *delta = ball_neg(ball_expm1(log_keep));
    return true;
}
