/*
 * Laws of samples with replacement by the number of times k that a sample draws
 * one record: mixtures over k of Gaussian or Laplace noise, and of the atoms of
 * finite laws.
 */
#include "with_replacement_laws.h"

#include <stdlib.h>

#include "mechanisms/without_replacement/without_replacement_laws.h"
#include "sampling/amplify_profile.h"
#include "loss/loss_with_replacement.h"
#include "sampling/with_replacement_laplace.h"
#include "mechanisms/plan_normal.h"
#include "mechanisms/plan_total.h"

/* Draws beyond the terms of a mixture have a probability of at most
 * e^LOG_TRUNCATED in all runs together, which goes to +inf. */
#define LOG_TRUNCATED (-36.0)

/* The greatest number of atoms of a mixture. */
#define MAX_ATOMS ((size_t)1 << 15)

/* The greatest shift over the scale of Laplace noise that is divided into
 * cells. */
#define MAX_SHIFT_OVER_SCALE 300.0

static const char many_reason[] =
    "with_replacement: a batch this large draws one record too often";

unsigned with_replacement_terms(const part *p)
{
    double log_truncated = LOG_TRUNCATED - log(p->count); /* in one run */
    return loss_with_replacement_terms(
        part_parameter(p, 0), part_parameter(p, 1), log_truncated);
}

static ball drawn_rate(const part *p)
{
    return amplify_rate_with_replacement(
        part_parameter(p, 1), part_parameter(p, 0));
}

/* ---- Mixtures of atoms ------------------------------------------------- */

typedef struct atom_list {
    size_t n;
    ball *at, *log_mass; /* room for MAX_ATOMS each */
    ball lost;
} atom_list;

static bool list_add(atom_list *l, const finite_law *from, ball share)
{
    size_t n = finite_count(from);
    if (n > MAX_ATOMS - 1 - l->n)
        return false;
    ball log_share = ball_log(share);
    for (size_t i = 0; i < n; i++, l->n++) {
        l->at[l->n] = finite_loss(from, i);
        l->log_mass[l->n] = ball_add(finite_log_mass(from, i), log_share);
    }
    l->lost = ball_add(l->lost, ball_mul(finite_p_inf(from), share));
    return true;
}

/* The law of the sampled plan for neighbours that differ in k records. */
static bool group_loss(
    loss_law *out, const dosi_plan *plan, double k, const mechanism_context *c)
{
    const dosi_plan *normal = NULL;
    dosi_status status = plan_for_group(&normal, plan, k, NULL);
    if (status != DOSI_OK) {
        c->pool->no_memory = c->pool->no_memory || status == DOSI_ENOMEM;
        return false;
    }
    bool found = plan_laws_base(out, normal, c);
    dosi_plan_free(normal);
    return found;
}

/* Adds the atoms of samples that draw the record k times: those of a fixed-size
 * sample of rate eta over the group law of k records. */
static bool list_add_draws(atom_list *l, const part *p, unsigned k, ball share,
    const mechanism_context *c)
{
    profile_pool *pool = malloc(sizeof *pool); /* for this k alone */
    if (pool == NULL) {
        c->pool->no_memory = true;
        return false;
    }
    profile_pool_init(pool);
    pool->limits = c->pool->limits;
    mechanism_context own = *c;
    own.pool = pool;
    loss_law base = {.count = 0};
    bool found = group_loss(&base, dosi_plan_child(p->node, 0), k, &own);
    if (found && base.noise != LOSS_FINITE)
        found =
            mechanism_decline(&own, "with_replacement: the sampled mechanism "
                                    "has no finite law");
    const finite_law *fixed =
        found ? without_replacement_finite(base.finite, drawn_rate(p), &own)
              : NULL;
    found = fixed != NULL && list_add(l, fixed, share);
    c->pool->no_memory = c->pool->no_memory || pool->no_memory;
    if (!found)
        c->pool->reason = pool->reason != NULL
                              ? pool->reason
                              : "with_replacement: too many atoms";
    profile_pool_free(pool);
    free(pool);
    return found;
}

/* Adds all terms k <= n. The others have delta_k <= 1, for which T004-10 puts
 * 1 - eta at loss 0 and eta at +inf. */
static bool list_fill(
    atom_list *l, const part *p, unsigned n, const mechanism_context *c)
{
    ball w[LOSS_MAX_GROUP + 1], rate = drawn_rate(p);
    ball rest = loss_with_replacement_weights(
        w, n, part_parameter(p, 0), part_parameter(p, 1));
    for (unsigned k = 1; k <= n; k++)
        if (!list_add_draws(l, p, k, ball_div(w[k], rate), c))
            return false;
    l->lost = ball_add(l->lost, rest);
    ball zero = ball_mul(ball_div(rest, rate), ball_sub(ball_of(1), rate));
    if (ball_is_positive(zero)) {
        l->at[l->n] = ball_of(0);
        l->log_mass[l->n++] = ball_log(zero);
    }
    return true;
}

const finite_law *with_replacement_finite(
    const part *p, const mechanism_context *c)
{
    unsigned n = with_replacement_terms(p);
    if (n == 0) {
        (void)mechanism_decline(c, many_reason);
        return NULL;
    }
    atom_list l = {
        .at = malloc(2 * MAX_ATOMS * sizeof(ball)), .lost = ball_of(0)};
    if (l.at == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    l.log_mass = l.at + MAX_ATOMS;
    const finite_law *found = NULL;
    if (list_fill(&l, p, n, c)) {
        finite_law *made = NULL;
        dosi_status status = finite_from_losses(
            &made, l.at, l.log_mass, l.n, l.lost, l.lost, NULL);
        found =
            profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL;
    }
    free(l.at);
    return found;
}

/* ---- Noise on a line --------------------------------------------------- */

static void of_sample(loss_law *out, const loss_law *base, const part *p)
{
    *out = *base;
    out->draws = part_parameter(p, 0);
    out->population = part_parameter(p, 1);
}

/* One record that the sample holds k times, against none: sum w_k N(k mu)
 * and N(0) (X004-11.gauss). */
static bool drawn_pair(loss_law *out, const loss_law *base, const part *p,
    unsigned n, const mechanism_context *c)
{
    if (part_parameter(p, 0) == 1) /* one draw takes the record or not */
        return plan_laws_mixture(out, base, drawn_rate(p), c);
    of_sample(out, base, p);
    out->map = LOSS_GROUP;
    out->rate = ball_div(ball_of(1), ball_of(out->population));
    out->removed = c->add ? 0 : n;
    out->added = c->add ? n : 0;
    return true;
}

/* The pair sum w_k Lap(k) and Lap(0) over Laplace noise that is divided into
 * cells. */
static const finite_law *counted_atoms(const loss_law *base, const part *p,
    unsigned n_draws, const mechanism_context *c)
{
    size_t room = WITH_REPLACEMENT_OUTCOMES(n_draws);
    ball *at = malloc(2 * room * sizeof *at);
    if (at == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    size_t n = with_replacement_laplace_cells(at, at + room,
        c->add ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST,
        part_parameter(p, 1), part_parameter(p, 0), base->parameter, n_draws,
        !c->attained);
    finite_law *made = NULL;
    dosi_status status = finite_from_losses(
        &made, at, at + room, n, ball_of(0), ball_of(0), NULL);
    free(at);
    return profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL;
}

/* Only of additive noise is it known that the mechanism itself attains it. */
static bool at_most_class(loss_law *out, const dosi_plan *plan)
{
    return plan_noise(plan) == NOISE_REAL || mechanism_loss_of_class(out);
}

/* The mixture over k of fixed-size samples (T004-10). */
static bool drawn_mixture(
    loss_law *out, const loss_law *base, const part *p, unsigned n)
{
    bool is_one = part_parameter(p, 0) == 1; /* a fixed-size sample */
    if (is_one)
        *out = *base;
    else
        of_sample(out, base, p);
    out->map = is_one ? LOSS_WITHOUT_REPLACEMENT : LOSS_WITH_REPLACEMENT;
    out->rate = drawn_rate(p);
    out->removed = is_one ? 0 : n;
    out->flag = out->composed = ATTAINED_BY_NONE;
    return true;
}

bool with_replacement_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    const dosi_plan *plan = dosi_plan_child(p->node, 0);
    loss_law base = {.count = 0};
    if (p->group > 1)
        return mechanism_decline(
            c, "a group over with_replacement has no loss law");
    if (part_plan_is_asymmetric(plan))
        return mechanism_decline(
            c, "with_replacement over an asymmetric plan has no loss law");
    if (part_parameter(p, 1) == 1) /* all draws are the one record */
        return group_loss(out, plan, part_parameter(p, 0), c);
    if (!plan_laws_base(&base, plan, c))
        return false;
    unsigned n = with_replacement_terms(p);
    if (n == 0)
        return mechanism_decline(c, many_reason);
    bool plain = base.noise != LOSS_FINITE && base.map == LOSS_PLAIN;
    bool is_counted = plain && base.noise == LOSS_LAPLACE &&
                      c->neighbours == DOSI_ADD_REMOVE &&
                      part_parameter(p, 0) > 1 &&
                      ball_upper(base.parameter) <= MAX_SHIFT_OVER_SCALE;
    if (is_counted)
        return mechanism_loss_finite(out, counted_atoms(&base, p, n, c),
                   c->attained ? ATTAINED_BY_MECHANISM : ATTAINED_BY_NONE) &&
               at_most_class(out, plan);
    if (c->attained) /* by an answer to whether the record is there */
        return plan_laws_mixture(out, &base, drawn_rate(p), c) &&
               at_most_class(out, plan);
    if (plain && c->neighbours == DOSI_ADD_REMOVE &&
        (base.noise == LOSS_GAUSSIAN || part_parameter(p, 0) == 1))
        return drawn_pair(out, &base, p, n, c) && at_most_class(out, plan);
    if (plain)
        return drawn_mixture(out, &base, p, n);
    if (base.noise != LOSS_FINITE)
        return mechanism_decline(c, "the sampled mechanism has no loss law");
    return mechanism_loss_finite(
        out, with_replacement_finite(p, c), ATTAINED_BY_NONE);
}
