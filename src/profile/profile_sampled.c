/*
 * Profiles of samples with replacement, by T004-10 and T004-11 over the profile
 * of the base or exactly over noise on a line, and of Poisson samples of
 * Gaussian noise under replace. Derivation: docs/theory/sampling.md, section 8,
 * and docs/theory/couplings.md.
 */
#include "profile_sampled.h"

#include "sampling/amplify_profile.h"
#include "loss/loss_tails.h"
#include "sampling/with_replacement_gaussian.h"
#include "sampling/with_replacement_laplace.h"

/* The profile at eps < 0, 1 - e^eps (1 - d), where d is the profile of the pair
 * in the reverse order at -eps: X004-EXT. */
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
        .base = self->as.with_replacement.base,
        .group = BASE_PROFILE_WHITE,
        .n = self->as.with_replacement.n_records,
        .m = self->as.with_replacement.n_draws,
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

/* Only stated (eps0, delta0) has mass at +inf, whose total is the profile at an
 * epsilon beyond all finite losses. */
static dosi_interval drawn_log_floor(const privacy_profile *self)
{
    if (ball_is_zero(base_profile_floor(&self->as.with_replacement.base)))
        return iv_point(-HUGE_VAL);
    return drawn_log_delta(self, ball_of(1e6));
}

static const profile_type drawn_type = {.theorem = "T004-10",
    .log_delta = drawn_log_delta,
    .log_floor = drawn_log_floor};

privacy_profile profile_with_replacement(
    const base_profile *base, double m, double n)
{
    return (privacy_profile){.type = &drawn_type,
        .flag = ATTAINED_BY_NONE,
        .as.with_replacement = {*base, .n_draws = m, .n_records = n}};
}

/* ---- With replacement, noise on a line, add/remove ---------------------- */

static scaled pair_scaled(
    const privacy_profile *self, ball eps, bool is_reverse)
{
    const struct profile_with_replacement_pair_parameters *p =
        &self->as.with_replacement_pair;
    bool add = p->is_added != is_reverse;
    sampled_side side = add ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST;
    work_limits *limits = limits_of(self);
    return p->is_laplace
               ? with_replacement_laplace_delta(side, p->n_records, p->n_draws,
                     p->theta, eps, limits)
               : with_replacement_gaussian_delta(side, p->n_records, p->n_draws,
                     p->theta, eps, limits);
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
    const base_profile *base, double m, double n, bool is_added)
{
    bool is_laplace = base->kind == BASE_PROFILE_LAPLACE;
    const profile_type *type = is_laplace ? &laplace_pair : &gaussian_pair;
    return (privacy_profile){.type = type,
        .flag = ATTAINED_BY_MECHANISM,
        .as.with_replacement_pair = {.theta = base->parameter,
            .n_draws = m,
            .n_records = n,
            .is_laplace = is_laplace,
            .is_added = is_added}};
}

/* ---- Poisson samples under replace -------------------------------------- */

static ball replaced_positive(const privacy_profile *self, ball eps)
{
    loss_law pair = {.noise = LOSS_GAUSSIAN,
        .map = LOSS_GROUP,
        .parameter = self->as.poisson_replace.theta,
        .rate = self->as.poisson_replace.rate,
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
        .as.poisson_replace = {theta, rate}};
}
