/*
 * Amplification theorems over the profile of the base; sums over a binomial law
 * are those of special/binomial_mean.h. Derivation: docs/theory/couplings.md,
 * sections 3 to 5.
 */
#include "amplify_profile.h"

#include "amplify.h"
#include "special/binomial_mean.h"

/* ---- Maps -------------------------------------------------------------- */

static bool is_one(ball rate)
{
    return ball_is_zero(ball_sub_d(rate, 1));
}

ball amplify_map(ball rate, ball eps)
{
    return is_one(rate) ? eps : amplify_epsilon(rate, eps);
}

ball amplify_map_back(ball rate, ball eps_out)
{
    if (is_one(rate) || ball_is_zero(eps_out))
        return eps_out;
    return amplify_base_epsilon(rate, eps_out);
}

ball amplify_beta(ball rate, ball eps)
{
    ball rest = ball_sub(ball_of(1), rate);
    return ball_add(rate, ball_mul(rest, ball_exp(ball_neg(eps))));
}

ball amplify_one_minus_beta(ball rate, ball eps)
{
    ball rest = ball_sub(rate, ball_of(1));
    return ball_mul(rest, ball_expm1(ball_neg(eps)));
}

ball amplify_rate_with_replacement(double n, double m)
{
    if (n == 1 || m == 1)
        return ball_div(ball_of(1), ball_of(n));
    ball p = ball_div(ball_of(1), ball_of(n));
    return ball_neg(ball_expm1(ball_mul_d(ball_log1p(ball_neg(p)), m)));
}

ball amplified_rate(const amplified *a)
{
    if (a->theorem == AMPLIFY_WITHOUT)
        return ball_div(ball_of(a->m), ball_of(a->n));
    if (a->theorem == AMPLIFY_WITH)
        return amplify_rate_with_replacement(a->n, a->m);
    return a->gamma;
}

/* ---- With replacement -------------------------------------------------- */

typedef struct group_terms {
    const amplified *a;
    ball eps;
} group_terms;

static scaled group_term(double k, const void *context)
{
    const group_terms *g = context;
    return base_profile_group_delta(&g->a->base, g->a->group, k, g->eps);
}

/* sum_k Bin(k; m, 1/n) delta_k(eps). For a response delta_k = delta_1, and the
 * weights add up to eta. */
static scaled with_replacement(const amplified *a, ball eps, double log_floor)
{
    if (a->base.kind == BASE_PROFILE_RESPONSE && a->group == BASE_PROFILE_WHITE)
        return scaled_mul_ball(
            base_profile_delta(&a->base, eps), amplified_rate(a));
    group_terms g = {a, eps};
    binomial_mix mix = binomial_mix_of_size(a->m, a->n);
    mix.limits = a->limits;
    return binomial_mix_sum(&mix, 1, group_term, &g, log_floor);
}

/* ---- Poisson under substitution ---------------------------------------- */

typedef struct sharp_terms {
    const amplified *a;
    ball growth; /* e^eps' - 1 */
    ball eps_out;
} sharp_terms;

/* delta(log(1 + (n/k)(e^eps' - 1))), k = j + 1 the size of the sample. */
static scaled sharp_term(double j, const void *context)
{
    const sharp_terms *s = context;
    ball k = ball_of(j + 1), n = ball_of(s->a->n);
    if (j + 1 == s->a->n)
        return base_profile_delta(&s->a->base, s->eps_out);
    if (ball_is_unknown(s->growth))
        return base_profile_delta(
            &s->a->base, amplify_map_back(ball_div(k, n), s->eps_out));
    ball x = ball_mul(ball_div(n, k), s->growth);
    return base_profile_delta(&s->a->base, ball_log1p(x));
}

/* C(n,k) (k/n) = C(n-1,k-1): a mean over the n - 1 other records. */
static scaled poisson_sharp(const amplified *a, ball eps_out, double log_floor)
{
    sharp_terms s = {a, ball_expm1(eps_out), eps_out};
    binomial_mix mix = binomial_mix_of_rate(a->n - 1, a->gamma);
    mix.limits = a->limits;
    scaled sum = binomial_mix_sum(&mix, 0, sharp_term, &s, log_floor);
    return scaled_mul_ball(sum, a->gamma);
}

typedef struct split_terms {
    const amplified *a;
    ball base; /* eps + log(gamma/(1 - gamma)) */
} split_terms;

/* delta(eps + log(gamma/(1-gamma) (n/k - 1))), k = j + 1; 1 at k = n. */
static scaled split_term(double j, const void *context)
{
    const split_terms *s = context;
    double k = j + 1, n = s->a->n;
    if (k == n)
        return scaled_of(ball_of(1));
    ball ratio = ball_div(ball_sub(ball_of(n), ball_of(k)), ball_of(k));
    return base_profile_delta(&s->a->base, ball_add(s->base, ball_log(ratio)));
}

/* gamma beta delta(eps) + gamma (1-beta) (mean of the split terms) */
static scaled poisson_split(const amplified *a, ball eps_out, double log_floor)
{
    ball eps = amplify_map_back(a->gamma, eps_out);
    ball odds = ball_sub(ball_log(a->gamma), ball_log1p(ball_neg(a->gamma)));
    split_terms s = {a, ball_add(eps, odds)};
    binomial_mix mix = binomial_mix_of_rate(a->n - 1, a->gamma);
    mix.limits = a->limits;
    scaled same = scaled_mul_ball(
        base_profile_delta(&a->base, eps), amplify_beta(a->gamma, eps));
    ball weight = amplify_one_minus_beta(a->gamma, eps);
    if (!ball_is_zero(weight)) {
        scaled other = binomial_mix_sum(&mix, 0, split_term, &s, log_floor);
        same = scaled_add(same, scaled_mul_ball(other, weight));
    }
    return scaled_mul_ball(same, a->gamma);
}

/* ---- All theorems ------------------------------------------------------ */

/* c delta(eps' - log(c/gamma)) with c/gamma = 1 - (1-gamma)(e^eps' - 1)/gamma.
 * As c -> 0 the argument of delta tends to +inf. */
static scaled poisson_add(const amplified *a, ball eps_out)
{
    if (is_one(a->gamma))
        return base_profile_delta(&a->base, eps_out);
    ball rest = ball_sub(ball_of(1), a->gamma);
    ball x = ball_mul(rest, ball_div(ball_expm1(eps_out), a->gamma));
    ball share = ball_sub(ball_of(1), x); /* c/gamma <= 1 */
    if (ball_is_unknown(share) || !ball_is_positive(share)) {
        ball end = ball_neg(ball_log1p(ball_neg(a->gamma)));
        if (ball_less_equal(end, eps_out))
            return (scaled){ball_of(0), 0};
        /* 0 <= c delta <= c */
        double c = ball_upper(ball_mul(a->gamma, share));
        return scaled_of(ball_of_interval(iv_make(0, fmax(c, 0))));
    }
    ball eps = ball_sub(eps_out, ball_log1p(ball_neg(x)));
    scaled d = base_profile_delta(&a->base, eps);
    return scaled_mul_ball(d, ball_mul(a->gamma, share));
}

scaled amplified_delta_at_base(const amplified *a, ball eps, double log_floor)
{
    if (a->theorem == AMPLIFY_WITH)
        return with_replacement(a, eps, log_floor);
    ball rate = amplified_rate(a);
    scaled d = base_profile_delta(&a->base, eps);
    if (a->theorem == AMPLIFY_HYBRID) {
        scaled two =
            base_profile_group_delta(&a->base, BASE_PROFILE_WHITE, 2, eps);
        d = scaled_add(scaled_mul_ball(d, amplify_one_minus_beta(rate, eps)),
            scaled_mul_ball(two, amplify_beta(rate, eps)));
    }
    return scaled_mul_ball(d, rate);
}

scaled amplified_delta(const amplified *a, ball eps_out, double log_floor)
{
    switch (a->theorem) {
    case AMPLIFY_ADD:
        return poisson_add(a, eps_out);
    case AMPLIFY_SHARP:
        return poisson_sharp(a, eps_out, log_floor);
    case AMPLIFY_SPLIT:
        return is_one(a->gamma) ? base_profile_delta(&a->base, eps_out)
                                : poisson_split(a, eps_out, log_floor);
    case AMPLIFY_POISSON:
    case AMPLIFY_WITHOUT:
    case AMPLIFY_WITH:
    case AMPLIFY_HYBRID:
        break;
    }
    ball eps = amplify_map_back(amplified_rate(a), eps_out);
    return amplified_delta_at_base(a, eps, log_floor);
}
