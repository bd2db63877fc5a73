#include "profile_sampled.h"

#include "sampling/amplify_profile.h"
#include "loss/loss_tails.h"
#include "sampling/with_replacement_gaussian.h"
#include "sampling/with_replacement_laplace.h"

/* For eps < 0, 1 - e^eps (1 - d), d the profile of the pair in the other
 * order at -eps: X004-EXT. */
static dosi_interval extended(ball eps, dosi_interval d)
{
    ball most = ball_add(eps, ball_log1mexp(ball_of(d.lo)));
    ball least = ball_add(eps, ball_log1mexp(ball_of(d.hi)));
    return (dosi_interval){ball_lower(ball_log1mexp(most)),
        ball_upper(ball_log1mexp(least))};
}

static dosi_interval log_of(scaled delta)
{
    return ball_is_zero(delta.m) ? iv_point(-HUGE_VAL)
                                 : ball_interval(scaled_log(delta));
}

/* ---- With replacement, by profiles ------------------------------------- */

static work_limits *limits_of(const privacy_profile *self)
{
    return self->pool != NULL ? self->pool->limits : NULL;
}

static scaled drawn_scaled(const privacy_profile *self, ball eps)
{
    amplified a = {.theorem = AMPLIFY_WITH,
        .base = {(base_profile_kind)self->max_terms, self->x, self->y},
        .group = BASE_PROFILE_WHITE,
        .n = self->n,
        .m = self->s,
        .limits = limits_of(self)};
    return amplified_delta(&a, eps, -HUGE_VAL);
}

static dosi_interval drawn_log_delta(const privacy_profile *self, ball eps)
{
    if (ball_is_nonnegative(eps))
        return log_of(drawn_scaled(self, eps));
    if (!ball_is_negative(eps))
        return iv_unknown();
    ball back = ball_neg(eps);
    return extended(eps, log_of(drawn_scaled(self, back)));
}

static ball drawn_delta(const privacy_profile *self, ball eps)
{
    if (ball_is_nonnegative(eps))
        return scaled_ball(drawn_scaled(self, eps));
    if (!ball_is_negative(eps))
        return ball_unknown();
    ball d = scaled_ball(drawn_scaled(self, ball_neg(eps)));
    ball rest = ball_mul(ball_exp(eps), ball_sub(ball_of(1), d));
    return ball_sub(ball_of(1), rest);
}

/* Where all but delta0 of each group's law is finite: sum of its leaks. */
static dosi_interval drawn_log_floor(const privacy_profile *self)
{
    base_profile base = {(base_profile_kind)self->max_terms, self->x, self->y};
    if (ball_is_zero(base_profile_floor(&base)))
        return iv_point(-HUGE_VAL);
    return drawn_log_delta(self, ball_of(1e6));
}

static const profile_type drawn_type = {.theorem = "T004-10",
    .log_delta = drawn_log_delta,
    .delta = drawn_delta,
    .log_floor = drawn_log_floor};

privacy_profile profile_with_replacement(
    const base_profile *base, double m, double n)
{
    return (privacy_profile){.type = &drawn_type,
        .flag = ATTAINED_BY_NONE,
        .x = base->parameter,
        .y = base->delta0,
        .max_terms = (size_t)base->kind,
        .n = n,
        .s = m};
}

/* ---- With replacement, noise on a line, add/remove ---------------------- */

static scaled pair_scaled(const privacy_profile *self, ball eps, bool other)
{
    bool add = !ball_is_zero(self->y) != other;
    sampled_side side = add ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST;
    work_limits *limits = limits_of(self);
    return (base_profile_kind)self->max_terms == BASE_PROFILE_LAPLACE
               ? with_replacement_laplace_delta(
                     side, self->n, self->s, self->x, eps, limits)
               : with_replacement_gaussian_delta(
                     side, self->n, self->s, self->x, eps, limits);
}

static dosi_interval pair_log_delta(const privacy_profile *self, ball eps)
{
    if (ball_is_nonnegative(eps))
        return log_of(pair_scaled(self, eps, false));
    if (!ball_is_negative(eps))
        return iv_unknown();
    ball back = ball_neg(eps);
    return extended(eps, log_of(pair_scaled(self, back, true)));
}

static const profile_type gaussian_pair = {.theorem = "X004-11.gauss",
    .log_delta = pair_log_delta,
    .log_floor = profile_no_floor};
static const profile_type laplace_pair = {
    .theorem = "counting lemma (docs/theory/couplings.md)",
    .log_delta = pair_log_delta,
    .log_floor = profile_no_floor};

privacy_profile profile_with_replacement_pair(
    const base_profile *base, double m, double n, bool add)
{
    return (privacy_profile){.type = base->kind == BASE_PROFILE_LAPLACE
                                         ? &laplace_pair
                                         : &gaussian_pair,
        .flag = ATTAINED_BY_MECHANISM,
        .x = base->parameter,
        .y = ball_of(add ? 1 : 0),
        .max_terms = (size_t)base->kind,
        .n = n,
        .s = m};
}

/* ---- Poisson samples under replace -------------------------------------- */

static ball replaced_positive(const privacy_profile *self, ball eps)
{
    loss_law pair = {.noise = LOSS_GAUSSIAN,
        .map = LOSS_GROUP,
        .parameter = self->x,
        .rate = self->y,
        .removed = 1,
        .added = 1,
        .count = 1};
    loss_tails c;
    loss_tails_init(&c, &pair);
    loss_tail t = loss_upper(&c, eps);
    return ball_sub(t.p, t.xq);
}

static dosi_interval replaced_log_delta(const privacy_profile *self, ball eps)
{
    if (ball_is_nonnegative(eps))
        return profile_log_mass(replaced_positive(self, eps));
    if (!ball_is_negative(eps))
        return iv_unknown();
    ball d = replaced_positive(self, ball_neg(eps));
    return extended(eps, profile_log_mass(d));
}

static const profile_type replaced_type = {
    .theorem = "splitting lemma (docs/theory/loss.md)",
    .log_delta = replaced_log_delta,
    .log_floor = profile_no_floor};

privacy_profile profile_poisson_replace(ball theta, ball rate)
{
    return (privacy_profile){.type = &replaced_type,
        .flag = ATTAINED_BY_MECHANISM,
        .x = theta,
        .y = rate};
}
