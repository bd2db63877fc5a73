/*
 * The law that dominates all neighbours maps each loss of the base by T004-9.
 * Pairs that some neighbours attain are mixtures of the base. Derivation:
 * docs/theory/loss.md, section 1.
 */
#include "without_replacement_laws.h"

#include <stdlib.h>

#include "sampling/amplify.h"

/* Atoms of the sampled law (T004-9) from those of a symmetric base: one with
 * L > 0 goes to +-log(1 + p (e^L - 1)), with P-mass e^(L') Q there and Q at
 * the mirror image. */
const finite_law *without_replacement_finite(
    const finite_law *base, ball rate, const mechanism_context *c)
{
    size_t n = finite_count(base), m = 0;
    ball *space = malloc((4 * n + 2) * sizeof *space);
    if (space == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    ball *at = space, *log_mass = space + 2 * n + 1;
    ball rest = ball_sub(ball_of(1), rate);
    ball zero = ball_mul(rest, finite_delta(base, ball_of(0)));
    for (size_t i = 0; i < n; i++) {
        ball l = finite_loss(base, i);
        ball log_p = finite_log_mass(base, i);
        if (ball_is_positive(l)) {
            ball log_q = ball_sub(log_p, l);
            at[m] = amplify_epsilon(rate, l);
            log_mass[m] = ball_add(log_q, at[m]);
            at[m + 1] = ball_neg(at[m]);
            log_mass[m + 1] = log_q;
            m += 2;
        } else if (!ball_is_negative(l)) {
            zero = ball_add(zero, ball_exp(log_p));
        }
    }
    if (ball_is_positive(zero)) {
        at[m] = ball_of(0);
        log_mass[m++] = ball_log(zero);
    }
    ball p_inf = ball_mul(rate, finite_p_inf(base));
    finite_law *made = NULL;
    dosi_status status =
        finite_from_losses(&made, at, log_mass, m, p_inf, p_inf, NULL);
    free(space);
    return profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL;
}

/* The law that dominates all neighbours (T004-9). */
static bool fixed_law(
    loss_law *out, const loss_law *base, ball rate, const mechanism_context *c)
{
    if (base->noise == LOSS_FINITE) {
        if (!mechanism_loss_finite(out,
                without_replacement_finite(base->finite, rate, c), base->flag))
            return false;
    } else if (base->map == LOSS_PLAIN) {
        *out = *base;
        out->map = LOSS_WITHOUT_REPLACEMENT;
        out->rate = rate;
    } else {
        return mechanism_decline(c, "the sampled mechanism has no loss law");
    }
    out->composed = ATTAINED_BY_NONE; /* two steps or more: not known */
    return true;
}

bool without_replacement_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    const dosi_plan *plan = dosi_plan_child(p->node, 0);
    loss_law base = {.count = 0};
    if (p->group > 1)
        return mechanism_decline(
            c, "a group over without_replacement has no loss law here");
    if (part_plan_is_asymmetric(plan))
        return mechanism_decline(
            c, "without_replacement over an asymmetric plan has no loss law");
    if (!plan_laws_base(&base, plan, c))
        return false;
    ball rate =
        ball_div(ball_of(part_parameter(p, 0)), ball_of(part_parameter(p, 1)));
    /* if all other records are equal to the one before it was replaced, the
     * answer has the base's law, or its mixture with the neighbour's */
    if (!(c->attained ? plan_laws_mixture : fixed_law)(out, &base, rate, c))
        return false;
    bool known = plan_noise(plan) == NOISE_REAL ||
                 (c->attained && plan_noise(plan) == NOISE_INTEGER);
    return known || mechanism_loss_of_class(out);
}
