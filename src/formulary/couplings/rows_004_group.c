/*
 * Groups of k: bounds from the mechanism (white box) and from its profile alone
 * (black box); and the mechanism that attains the
 * amplification bounds, randomized response on membership.
 */
#include "formulary/line_args.h"
#include "formulary/profile_args.h"

/* ---- Groups -------------------------------------------------------------- */

PROFILE_ROW(white, give_probability,
    base_profile_group_delta(
        &base, BASE_PROFILE_WHITE, formula_real(args, "k"), ARG("eps")))
PROFILE_ROW(black, give_probability,
    base_profile_group_delta(
        &base, BASE_PROFILE_BLACK, formula_real(args, "k"), ARG("eps")))

PROFILE_ROW(black_least, give_probability,
    base_profile_group_least(&base, formula_real(args, "k"), ARG("eps")))

FORMULA_BALL(pair_eps, ball_mul(ARG("k"), ARG("eps")))

FORMULA(group_pair_delta)
{
    if (ball_is_zero(ARG("delta")))
        return formula_give(out, ball_of(0), err);
    scaled delta = scaled_mul_ball(
        profile_steps(formula_real(args, "k"), ARG("eps")), ARG("delta"));
    ball value = scaled_ball(delta);
    if (!ball_is_unknown(value))
        return formula_give(out, value, err);
    return formula_give_interval(out, exp_or_above(scaled_log(delta)), err);
}

/* ---- Membership, T004-12 ------------------------------------------------- */

static base_profile membership(const formula_args *args)
{
    return (base_profile){BASE_PROFILE_RESPONSE, ARG("p"), ball_of(0)};
}

FORMULA_BALL(membership_eps, amplify_map(ARG("eta"), ARG("eps")))

FORMULA(membership_delta)
{
    base_profile base = membership(args);
    scaled delta = base_profile_delta(&base, ARG("eps"));
    return give_probability(out, scaled_mul_ball(delta, ARG("eta")), err);
}

/* delta' at eps': q psi_p(log(1 + (e^eps' - 1)/q)) */
static dosi_status membership_at(dosi_interval *out, const formula_args *args,
    const char *rate, dosi_error *err)
{
    amplified a = {.theorem = AMPLIFY_POISSON,
        .base = membership(args),
        .gamma = ARG(rate)};
    return give_probability(
        out, amplified_delta(&a, ARG("epsp"), LOG_LEAST), err);
}

FORMULA(membership_q)
{
    return membership_at(out, args, "q", err);
}

FORMULA(membership_eta)
{
    return membership_at(out, args, "eta", err);
}

FORMULA(membership_base)
{
    base_profile base = membership(args);
    return give_probability(out, base_profile_delta(&base, ARG("eps")), err);
}
