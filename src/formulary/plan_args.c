/*
 * Reads compositions into terms of the moments accountant: the cumulant of a
 * mechanism, or the bound of a sample, linear between whole lambda (C002-10).
 */
#include "plan_args.h"

#include <stdlib.h>

#include "mech_args.h"
#include "num/decimal.h"
#include "sampling/amplify.h"

static ball sampled_cumulant(ball lambda, const void *context)
{
    const plan_part *part = context;
    double below = floor(ball_lower(lambda)), above = ceil(ball_upper(lambda));
    if (!(above <= PLAN_MAX_ORDER - 1))
        return ball_of(HUGE_VAL);
    /* K'(t) is at index t - 1 */
    ball low = below < 1 ? ball_of(0) : part->cumulants[(size_t)below - 1];
    if (above == below)
        return low;
    ball high = part->cumulants[(size_t)above - 1];
    ball share = ball_div_d(ball_sub_d(lambda, below), above - below);
    return ball_add(low, ball_mul(share, ball_sub(high, low)));
}

static moments_term term_of(const plan_part *part)
{
    ball kl = chi_divergence(&part->law, ball_of(1));
    ball pure = chi_pure(&part->law);
    if (!part->is_sampled)
        return (moments_term){mech_cumulant, &part->law, part->count, kl, pure,
            mech_log_atom(&part->law)};
    return (moments_term){sampled_cumulant, part, part->count,
        ball_mul(part->rate, kl), amplify_epsilon(part->rate, pure),
        ball_of(-HUGE_VAL)};
}

/* Reads a number at *text, and moves past it. */
static bool read_number(double *x, const char **text, const char *end)
{
    size_t used = 0, n = (size_t)(end - *text);
    if (n == 0 || !decimal_read(x, *text, n, &used) || !isfinite(*x))
        return false;
    *text += used;
    return true;
}

static dosi_status wrong(dosi_error *err)
{
    return dosi_fail(
        err, DOSI_EINVAL, "mechs is written like 1000*gauss5@0.01+3*laplace2");
}

/* Reads count*name parameter [@rate], and moves past it. */
static dosi_status read_part(
    plan_part *part, const char **text, const char *end, dosi_error *err)
{
    double x = 0, rate = 0;
    if (!read_number(&part->count, text, end) || *text == end || **text != '*')
        return wrong(err);
    const char *name = ++*text;
    while (*text < end && **text >= 'a' && **text <= 'z')
        ++*text;
    size_t n = (size_t)(*text - name);
    if (!read_number(&x, text, end))
        return wrong(err);
    dosi_status status = mech_named(&part->law, name, n, x, err);
    if (status != DOSI_OK)
        return status;
    part->is_sampled = *text < end && **text == '@';
    if (part->is_sampled) {
        ++*text;
        if (!read_number(&rate, text, end))
            return wrong(err);
        part->rate = ball_of(rate);
    }
    if (!(part->count >= 0) || (part->is_sampled && !(rate > 0 && rate <= 1)))
        return formula_domain(err,
            "needs counts >= 0 and rates in (0, 1], got %g and %g", part->count,
            rate);
    return DOSI_OK;
}

moments_sum plan_sum(const plan_args *plan)
{
    return (moments_sum){plan->terms, plan->n_parts};
}

static dosi_status bound_part(plan_part *part, dosi_error *err)
{
    if (!part->is_sampled)
        return DOSI_OK;
    return mech_sampled(&part->cumulants, &part->law, part->rate, WR_GENERAL,
        NULL, 0, PLAN_MAX_ORDER, err);
}

dosi_status plan_args_read(
    plan_args *plan, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const char *text = formula_text(args, "mechs", &n), *end = text + n;
    *plan = (plan_args){.n_parts = 0};
    for (;;) {
        if (plan->n_parts == PLAN_MAX_PARTS)
            return dosi_fail(err, DOSI_EINVAL,
                "mechs takes at most %d mechanisms", PLAN_MAX_PARTS);
        plan_part *part = &plan->parts[plan->n_parts];
        *part = (plan_part){.cumulants = NULL};
        dosi_status status = read_part(part, &text, end, err);
        if (status == DOSI_OK)
            status = bound_part(part, err);
        if (status != DOSI_OK)
            return status;
        plan->terms[plan->n_parts++] = term_of(part);
        if (text == end)
            return DOSI_OK;
        if (*text++ != '+')
            return wrong(err);
    }
}

void plan_args_free(plan_args *plan)
{
    for (size_t i = 0; i < plan->n_parts; i++)
        free(plan->parts[i].cumulants);
    plan->n_parts = 0;
}
