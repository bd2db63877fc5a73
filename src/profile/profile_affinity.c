/*
 * Lower bounds of a profile by the Hellinger affinity A = sum sqrt(P Q).
 * sum min(P, x Q) <= sum sqrt(x P Q) = sqrt(x) A, so that
 *
 *     delta(eps) >= 1 - e^(eps/2) A,
 *
 * and the test that rejects Q where P > x Q has both errors at most
 * A/sqrt(x) and A sqrt(x): with x = (A/alpha)^2, beta <= A^2/alpha. The
 * affinity of several runs is the product of theirs. Derivation:
 * docs/theory/account.md, "Affinities".
 */
#include "profile.h"

static dosi_interval affinity_log_delta(const privacy_profile *self, ball eps)
{
    ball t = ball_add(ball_scale2(eps, -1), self->as.affinity.log_affinity);
    if (!ball_is_negative(t))
        return (dosi_interval){-HUGE_VAL, 0};
    return (dosi_interval){ball_lower(ball_log1mexp(t)), 0};
}

/* delta < 1 - e^(eps/2) A for every eps below the returned end */
static dosi_interval affinity_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)log_delta;
    ball rest = ball_sub(
        ball_log1p(ball_neg(delta)), self->as.affinity.log_affinity);
    return (dosi_interval){
        fmax(ball_lower(ball_scale2(rest, 1)), 0), HUGE_VAL};
}

static dosi_interval affinity_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    ball square = ball_scale2(self->as.affinity.log_affinity, 1);
    ball most = ball_sub(square, ball_log(ball_of(alpha)));
    return (dosi_interval){
        0, fmin(ball_upper(ball_exp(most)), 1)}; /* not for a NaN */
}

static const profile_type affinity_type = {
    .theorem = "Hellinger affinity (docs/theory/account.md)",
    .log_delta = affinity_log_delta,
    .epsilon = affinity_epsilon,
    .tradeoff = affinity_tradeoff};

privacy_profile profile_affinity(ball log_affinity, attainment flag)
{
    if (ball_is_unknown(log_affinity))
        return (privacy_profile){0};
    return (privacy_profile){
        .type = &affinity_type, .flag = flag, .as.affinity = {log_affinity}};
}
