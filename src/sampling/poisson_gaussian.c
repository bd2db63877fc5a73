/*
 * The profile of one sampled Gaussian round by the theorems of
 * amplify_profile.h. Derivation: docs/theory/sampling.md, section 5.
 */
#include "poisson_gaussian.h"

#include "amplify_profile.h"

/* The two directions are T004-8 and X004-8.add of the Gaussian. */
static scaled sampled_delta(sampled_side side, ball rate, ball mu, ball eps)
{
    const amplified a = {.theorem = side == SAMPLED_MIXTURE_FIRST
                                        ? AMPLIFY_POISSON
                                        : AMPLIFY_ADD,
        .base = {.kind = BASE_PROFILE_GAUSSIAN, .parameter = mu},
        .gamma = rate};
    if (ball_is_zero(rate) || isinf(eps.hi))
        return (scaled){ball_of(0), 0};
    return amplified_delta(&a, eps, -HUGE_VAL);
}

ball sampled_gaussian_log_delta(sampled_side side, ball rate, ball mu, ball eps)
{
    scaled delta = sampled_delta(side, rate, mu, eps);
    return ball_is_zero(delta.m) ? ball_of(-HUGE_VAL) : scaled_log(delta);
}

ball sampled_gaussian_delta(sampled_side side, ball rate, ball mu, ball eps)
{
    return ball_clamp(scaled_ball(sampled_delta(side, rate, mu, eps)), 0, 1);
}
