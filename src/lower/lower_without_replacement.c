/*
 * without_replacement(batch, population, M): a batch of fixed size, under
 * replace. T004-9 with rate batch/population on M's law under replace; the
 * law may be composed, but what it is attained by is open for two steps and
 * more. The account refuses add_remove before it comes here.
 */
#include "lower.h"

#include <stdlib.h>

#include "repr/amplify.h"
#include "repr/sampled_renyi.h"
#include "total.h"

#define MAX_ORDER 32

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

static bool is_additive_noise(const dosi_plan *plan)
{
    if (part_count(plan) > 1)
        return false;
    part p = part_at(plan, 0);
    dosi_kind kind = dosi_plan_kind(p.node);
    return p.count == 1 &&
           (kind == DOSI_GAUSSIAN || kind == DOSI_LAPLACE ||
               kind == DOSI_DISCRETE_GAUSSIAN ||
               kind == DOSI_DISCRETE_LAPLACE);
}

static const law *batch_one(const part *p, const lower_context *c)
{
    if (p->group > 1)
        return law_decline(c->pool, group_reason);
    const law *base = total_exact(sampled_plan(p), c), *other = base;
    if (base != NULL && part_plan_is_asymmetric(sampled_plan(p))) {
        lower_context back = *c;
        back.add = !back.add;
        other = total_exact(sampled_plan(p), &back);
    }
    law sampled = law_without_replacement(base, other, batch_rate(p));
    if (sampled.flag == LAW_EXACT && !is_additive_noise(sampled_plan(p)))
        sampled.flag = LAW_CLASS;
    return law_keep(c->pool, sampled);
}

/* Atoms of the sampled law from those of a symmetric base. */
typedef struct batch_atoms {
    ball *loss, *log_mass;
    size_t n;
    ball at_zero;
} batch_atoms;

/* An atom of the base with L > 0 goes to +-log(1 + p (e^L - 1)): P-mass
 * e^(L') Q there, and Q at the mirror image. */
static void batch_add(batch_atoms *out, ball rate, ball loss, ball log_mass)
{
    ball log_q = ball_sub(log_mass, loss);
    ball moved = amplify_epsilon(rate, loss);
    out->loss[out->n] = moved;
    out->log_mass[out->n++] = ball_add(log_q, moved);
    out->loss[out->n] = ball_neg(moved);
    out->log_mass[out->n++] = log_q;
}

static const atoms *batch_law(
    const atoms *base, ball rate, const lower_context *c)
{
    size_t n = atoms_count(base);
    ball *space = malloc((4 * n + 2) * sizeof *space);
    if (space == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    ball p_inf = ball_mul(rate, atoms_p_inf(base));
    batch_atoms out = {space, space + 2 * n + 1, 0, {0, 0, 0}};
    ball rest = ball_sub(ball_of(1), rate);
    out.at_zero = ball_mul(rest, atoms_delta(base, ball_of(0)));
    for (size_t i = 0; i < n; i++) {
        ball loss = atoms_loss(base, i);
        if (ball_is_positive(loss))
            batch_add(&out, rate, loss, atoms_log_mass(base, i));
        else if (!ball_is_negative(loss))
            out.at_zero = ball_add(
                out.at_zero, ball_exp(atoms_log_mass(base, i)));
    }
    if (ball_is_positive(out.at_zero)) {
        out.loss[out.n] = ball_of(0);
        out.log_mass[out.n++] = ball_log(out.at_zero);
    }
    atoms *made = NULL;
    dosi_status status = atoms_from_losses(
        &made, out.loss, out.log_mass, out.n, p_inf, p_inf, NULL);
    free(space);
    return law_made(c->pool, status) ? law_own(c->pool, made) : NULL;
}

static bool batch_mix(
    lower_mix *out, lower_side side, const part *p, const lower_context *c)
{
    if (p->group > 1 || side == LOWER_BELOW)
        return lower_decline(c, group_reason);
    if (part_plan_is_asymmetric(sampled_plan(p)))
        return lower_decline(
            c, "without_replacement over an asymmetric pmf is not composed");
    bool exact = false;
    lower_context coarse = *c; /* sampling moves atoms off every lattice */
    coarse.fine = false;
    const atoms *base =
        total_finite(&exact, side, sampled_plan(p), &coarse);
    if (base == NULL)
        return false;
    out->finite = batch_law(base, batch_rate(p), c);
    out->exact = false;
    return out->finite != NULL;
}

static bool batch_box(
    ball *eps, ball *delta, const part *p, const lower_context *c)
{
    if (!total_box(eps, delta, sampled_plan(p), c))
        return false;
    *eps = amplify_epsilon(batch_rate(p), *eps);
    *delta = amplify_delta(batch_rate(p), *delta);
    lower_group_box(eps, delta, p->group);
    return true;
}

typedef struct base_curve {
    const dosi_plan *plan;
    lower_context c;
    bool failed;
} base_curve;

static ball base_curve_at(double order, const void *context)
{
    base_curve *b = *(base_curve *const *)context;
    lower_context back = b->c;
    back.add = !back.add;
    lower_renyi r, s;
    if (!total_renyi(&r, ball_of(order), b->plan, &b->c) ||
        !total_renyi(&s, ball_of(order), b->plan, &back) ||
        !ball_is_zero(r.leak) || !ball_is_zero(s.leak)) {
        b->failed = true;
        return ball_of(HUGE_VAL);
    }
    return ball_max(r.upper, s.upper);
}

static bool batch_renyi(
    lower_renyi *out, ball order, const part *p, const lower_context *c)
{
    double whole = fmax(ceil(ball_upper(order)), 2);
    if (p->group > 1)
        return lower_decline(c, group_reason);
    if (!(whole <= MAX_ORDER))
        return lower_decline(c, "without_replacement: Renyi orders above 32");
    base_curve b = {sampled_plan(p), *c, false};
    base_curve *context = &b;
    dosi_status status = sampled_renyi_replace(&out->upper, batch_rate(p),
        whole, base_curve_at, &context, NULL);
    if (status == DOSI_ENOMEM)
        c->pool->no_memory = true;
    out->lower = ball_of(0);
    return status == DOSI_OK && !b.failed;
}

const lowering lower_without_replacement = {
    .flag = LAW_CLASS,
    .assumption = "every batch was drawn uniformly without replacement, anew "
                  "in each step",
    .one = batch_one,
    .mix = batch_mix,
    .box = batch_box,
    .renyi = batch_renyi,
};
