/*
 * Loss laws of the parts, each made by its mechanism, and of samples of a
 * plan. Gaussians are merged, and stated zCDP guarantees are added before they
 * become one law.
 */
#include "plan_laws.h"

#include <stdlib.h>
#include <string.h>

#include "guarantee_law.h"
#include "loss/loss_tails.h"
#include "plan/kinds.h"
#include "plan_total.h"

/* The greatest number of atoms of a composition that is sampled. */
#define MAX_BASE_ATOMS 4096

/* A pool holds 48 objects, and a part makes few. */
#define PARTS_PER_POOL 8

/* ---- The law that is sampled ------------------------------------------- */

static bool adopt(const finite_law **into, dosi_status status, finite_law *made,
    const mechanism_context *c)
{
    *into = profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL;
    return *into != NULL;
}

/* The convolution of the finite laws of all parts. */
static bool finite_base(
    loss_law *out, const dosi_plan *plan, const mechanism_context *c)
{
    const finite_law *total = NULL;
    size_t n = part_count(plan);
    attainment flag = ATTAINED_BY_MECHANISM;
    for (size_t i = 0; i < n; i++) {
        part p = part_at(plan, i);
        loss_law one = {.count = 0};
        const mechanism_type *type = mechanism_of(&p);
        if (type->loss == NULL || !type->loss(&one, &p, c))
            return false;
        if (one.noise != LOSS_FINITE)
            return mechanism_decline(
                c, "a sampled composition has no loss law here");
        if (one.composed == ATTAINED_BY_NONE)
            return mechanism_decline(
                c, "the sampled mechanism is bounded, not exactly known");
        flag = one.flag > flag ? one.flag : flag;
        const finite_law *power = one.finite;
        double count = one.count > 0 ? one.count : p.count;
        dosi_status status = DOSI_OK;
        if (count > 1) {
            finite_law *made = NULL;
            status =
                finite_power(&made, one.finite, count, MAX_BASE_ATOMS, NULL);
            if (!adopt(&power, status, made, c))
                return false;
        }
        if (total != NULL) {
            finite_law *made = NULL;
            status = finite_convolve(&made, total, power, MAX_BASE_ATOMS, NULL);
            if (!adopt(&power, status, made, c))
                return false;
        }
        total = power;
    }
    return mechanism_loss_finite(out, total, flag);
}

bool plan_laws_base(
    loss_law *out, const dosi_plan *plan, const mechanism_context *c)
{
    ball mu;
    attainment flag;
    if (total_gaussian(&mu, &flag, plan, c))
        return mechanism_loss_noise(out, LOSS_GAUSSIAN, mu, flag);
    part p = part_at(plan, 0);
    const mechanism_type *type = mechanism_of(&p);
    if (part_count(plan) == 1 && p.count == 1)
        return type->loss != NULL
                   ? type->loss(out, &p, c)
                   : mechanism_decline(c, "the sampled mechanism has "
                                          "no loss law");
    return finite_base(out, plan, c);
}

/* ---- Mixtures ----------------------------------------------------------- */

const finite_law *plan_laws_finite_mixture(
    const finite_law *base, ball rate, const mechanism_context *c)
{
    finite_law *made = NULL;
    const finite_law *sampled = NULL;
    dosi_status status = finite_poisson(&made, base, rate,
        c->add ? FINITE_BASE_FIRST : FINITE_MIXTURE_FIRST, NULL);
    (void)adopt(&sampled, status, made, c);
    return sampled;
}

static bool mixed_finite(
    loss_law *out, const loss_law *base, ball rate, const mechanism_context *c)
{
    bool found = mechanism_loss_finite(
        out, plan_laws_finite_mixture(base->finite, rate, c), base->flag);
    out->composed = base->composed;
    return found;
}

bool plan_laws_mixture(
    loss_law *out, const loss_law *base, ball rate, const mechanism_context *c)
{
    if (base->noise == LOSS_FINITE)
        return mixed_finite(out, base, rate, c);
    loss_map map = c->add ? LOSS_BASE_FIRST : LOSS_MIXTURE_FIRST;
    if (base->map != LOSS_PLAIN && base->map != map)
        return mechanism_decline(c, "the sampled mechanism has no loss law");
    if (base->map == map) /* a sample of a sample: rates multiply */
        rate = ball_mul(rate, base->rate);
    *out = *base;
    out->map = map;
    out->rate = rate;
    return true;
}

/* ---- The plan ---------------------------------------------------------- */

static attainment worse_flag(attainment a, attainment b)
{
    return a > b ? a : b;
}

/*
 * Adds a stated zCDP guarantee without a leak to the sum of all of them: at
 * every order their divergences add, and the sum is converted to a law once.
 * Other parts may run between them: the answers of those are post-processed
 * from samples of their dominating pairs (Blackwell), given which the stated
 * parts compose adaptively. False for any other part.
 */
static bool add_stated(
    mechanism_zcdp_bound *sum, const part *p, const mechanism_context *c)
{
    mechanism_zcdp_bound one = {ball_of(0), ball_of(0), ball_of(0)};
    const mechanism_type *type = mechanism_of(p);
    if (!type->is_converted || type->curve != CURVE_LINE || c->attained ||
        !type->zcdp(&one, p, c) || !ball_is_zero(one.leak))
        return false;
    sum->rho = ball_add(sum->rho, ball_mul_d(one.rho, p->count));
    sum->xi = ball_add(sum->xi, ball_mul_d(one.xi, p->count));
    return true;
}

/* Merges a Gaussian into the Gaussian of the plan: mu^2 adds. */
static void add_gaussian(loss_law *gaussian, const loss_law *one, double count)
{
    ball mu2 = ball_sqr(gaussian->parameter);
    ball more = ball_mul_d(ball_sqr(one->parameter), count);
    if (gaussian->count == 0) {
        *gaussian = *one;
        if (count > 1)
            gaussian->parameter = ball_sqrt(more);
    } else {
        gaussian->parameter = ball_sqrt(ball_add(mu2, more));
        gaussian->flag = worse_flag(gaussian->flag, one->flag);
        gaussian->composed = worse_flag(gaussian->composed, one->composed);
    }
    gaussian->count = 1;
}

/* The index of the part that runs last, chosen after all other answers are
 * known: the one whose mechanism gains most by that. The number of parts if
 * none gains. */
static size_t last_part(const dosi_plan *normal)
{
    size_t n = part_count(normal), last = n;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        double gain = type->gain_of_last != NULL ? type->gain_of_last(&p) : 0;
        if (gain > most) {
            most = gain;
            last = i;
        }
    }
    return last;
}

static bool part_loss(loss_law *out, plan_laws *all, size_t i, const part *p,
    bool is_last, const mechanism_context *c)
{
    mechanism_context own = *c;
    own.is_last = is_last;
    own.runs = p->count;
    own.pool = &all->pools[i / PARTS_PER_POOL];
    own.pool->reason = NULL;
    const mechanism_type *type = mechanism_of(p);
    bool found = type->loss != NULL && type->loss(out, p, &own);
    c->pool->no_memory = c->pool->no_memory || own.pool->no_memory;
    if (!found)
        c->pool->reason = own.pool->reason != NULL
                              ? own.pool->reason
                              : "a part of the plan has no loss law";
    return found;
}

/* Makes one law of the sum of all stated guarantees. */
static bool keep_stated(plan_laws *out, const mechanism_zcdp_bound *stated,
    const mechanism_context *c)
{
    loss_law *one = &out->items[out->n];
    mechanism_context own = *c;
    own.pool = &out->pools[0];
    bool found = mechanism_loss_finite(
        one, guarantee_law_zcdp(stated, &own), ATTAINED_BY_NONE);
    c->pool->no_memory = c->pool->no_memory || own.pool->no_memory;
    if (!found)
        c->pool->reason = own.pool->reason;
    one->count = 1;
    out->flag = ATTAINED_BY_NONE;
    out->n += found ? 1 : 0;
    return found;
}

static bool plan_laws_start(
    plan_laws *out, size_t n, const mechanism_context *c)
{
    *out = (plan_laws){0};
    size_t n_pools = (n + PARTS_PER_POOL - 1) / PARTS_PER_POOL;
    out->items = calloc(n, sizeof *out->items);
    out->pools = malloc(n_pools * sizeof *out->pools);
    if (out->items == NULL || out->pools == NULL) {
        c->pool->no_memory = true;
        return false;
    }
    out->n_pools = n_pools;
    for (size_t i = 0; i < n_pools; i++) {
        profile_pool_init(&out->pools[i]);
        out->pools[i].limits = c->pool->limits;
    }
    return true;
}

/* Whether all parts are stated guarantees and one of them is converted: their
 * laws would bound hardly more than the sum of their Renyi curves. */
static bool is_stated(const dosi_plan *normal)
{
    size_t n = part_count(normal);
    bool converted = false;
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        if (dosi_kind_row(dosi_plan_kind(p.node))->role != KIND_GUARANTEE ||
            type->is_gaussian)
            return false;
        converted = converted || type->is_converted;
    }
    return converted;
}

bool plan_laws_of(
    plan_laws *out, const dosi_plan *normal, const mechanism_context *c)
{
    size_t n = part_count(normal);
    if (!plan_laws_start(out, n, c))
        return false;
    if (!c->attained && is_stated(normal))
        return mechanism_decline(c, "stated guarantees alone are added and "
                                    "converted, not composed as laws");
    loss_law gaussian = {.count = 0};
    mechanism_zcdp_bound stated = {ball_of(0), ball_of(0), ball_of(0)};
    bool has_stated = false;
    bool alone = n == 1 && part_at(normal, 0).count == 1;
    size_t last = c->attained ? last_part(normal) : n;
    out->flag = ATTAINED_BY_MECHANISM;
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        loss_law one = {.count = 0};
        if (add_stated(&stated, &p, c)) {
            has_stated = true;
            continue;
        }
        bool found = part_loss(&one, out, i, &p, i == last, c);
        if (!found && (!c->attained || c->pool->no_memory))
            return false;
        attainment flag = alone ? one.flag : one.composed;
        /* a plan without some parts is a post-processing of it, and never
         * loses more */
        if (c->attained && (!found || flag == ATTAINED_BY_NONE))
            continue;
        one.count = one.count > 0 ? one.count : p.count;
        out->flag = worse_flag(out->flag, flag);
        if (one.noise == LOSS_GAUSSIAN && one.map == LOSS_PLAIN)
            add_gaussian(&gaussian, &one, p.count);
        else
            out->items[out->n++] = one;
    }
    if (gaussian.count > 0)
        out->items[out->n++] = gaussian;
    if (has_stated && !keep_stated(out, &stated, c))
        return false;
    return out->n > 0;
}

void plan_laws_free(plan_laws *all)
{
    for (size_t i = 0; i < all->n_pools; i++)
        profile_pool_free(&all->pools[i]);
    free(all->pools);
    free(all->items);
    *all = (plan_laws){0};
}

size_t plan_laws_splits(const dosi_plan *normal, dosi_neighbours neighbours)
{
    double group = 0;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        if (!part_plan_has_directions(p.node, neighbours))
            continue;
        if (group != 0 && group != p.group)
            return 0;
        group = p.group;
    }
    return group == 0 ? 1 : group <= LOSS_MAX_GROUP ? (size_t)group + 1 : 0;
}

bool plan_laws_of_splits(plan_laws all[PLAN_LAWS_MAX_SPLITS], size_t *n,
    const dosi_plan *normal, const mechanism_context *c)
{
    size_t many = plan_laws_splits(normal, c->neighbours);
    size_t half = (many + 1) / 2, first = 0, end = 1;
    *n = 0;
    if (many == 0)
        return mechanism_decline(
            c, "groups over samplers must be of one size, at most 64");
    if (many > 2) {
        first = c->add ? half : 0;
        end = c->add ? many : half;
    }
    for (size_t i = first; i < end; i++) {
        mechanism_context own = *c;
        own.split = (double)i;
        if (!plan_laws_of(&all[(*n)++], normal, &own))
            return false;
    }
    return true;
}

/* ---- What a plan holds ------------------------------------------------ */

mechanism_noise plan_noise(const dosi_plan *plan)
{
    part p = part_at(plan, 0);
    bool is_one = part_count(plan) == 1 && p.count == 1;
    return is_one ? mechanism_of(&p)->noise : NOISE_OTHER;
}

/* Whether the plan holds a sampler whose law is a bound: every sampler, except
 * one that is stated and asked about for a record added or removed. */
static bool has_bounded_sample(
    const dosi_plan *plan, dosi_neighbours neighbours)
{
    const kind_row *row = dosi_kind_row(dosi_plan_kind(plan));
    size_t n = dosi_plan_child_count(plan);
    bool found = row->role == KIND_SAMPLER &&
                 (neighbours == DOSI_REPLACE ||
                     row->samples_under == DOSI_REPLACE);
    for (size_t i = 0; i < n && !found; i++)
        found = has_bounded_sample(dosi_plan_child(plan, i), neighbours);
    return found;
}

bool plan_has_attained_pairs(
    const dosi_plan *normal, dosi_neighbours neighbours)
{
    return has_bounded_sample(normal, neighbours) &&
           !plan_has_class_members(normal);
}

bool plan_has_class_members(const dosi_plan *normal)
{
    const mechanism_type *type = mechanism_of_node(normal);
    size_t n = dosi_plan_child_count(normal);
    bool found = type != NULL && type->has_members;
    for (size_t i = 0; i < n && !found; i++)
        found = plan_has_class_members(dosi_plan_child(normal, i));
    return found;
}
