/*
 * Groups of k: the white box, which looks at the mechanism, and the black
 * box, which knows its profile alone; and the mechanism that attains the
 * amplification bounds, randomized response on membership.
 */
#include "line_args.h"
#include "profile_args.h"

/* ---- Groups -------------------------------------------------------------- */

PROFILE_ROW(white, give_probability,
    profile_group_delta(
        &base, PROFILE_WHITE, formula_real(args, "k"), ARG("eps")))
PROFILE_ROW(black, give_probability,
    profile_group_delta(
        &base, PROFILE_BLACK, formula_real(args, "k"), ARG("eps")))

PROFILE_ROW(black_least, give_probability,
    profile_group_least(&base, formula_real(args, "k"), ARG("eps")))

FORMULA_BALL(pair_eps, ball_mul(ARG("k"), ARG("eps")))

static dosi_status pair_delta(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static profile membership(const formula_args *args)
{
    return (profile){PROFILE_RESPONSE, ARG("p"), ball_of(0)};
}

FORMULA_BALL(membership_eps, amplify_map(ARG("eta"), ARG("eps")))

static dosi_status membership_delta(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    profile base = membership(args);
    scaled delta = profile_delta(&base, ARG("eps"));
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

static dosi_status membership_q(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return membership_at(out, args, "q", err);
}

static dosi_status membership_eta(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return membership_at(out, args, "eta", err);
}

static dosi_status membership_base(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    profile base = membership(args);
    return give_probability(out, profile_delta(&base, ARG("eps")), err);
}

#define AT PROFILE ";k;eps"
#define VALID VALID_PROFILE ", k >= 1, k whole, eps >= 0"
#define VALID_PAIR "k >= 1, k whole, eps >= 0, 0 <= delta <= 1"
#define VALID_MEMBER "0.5 <= p <= 1, 0 <= eta <= 1, eps >= 0"

static const formula_row rows[] = {
    {"T004-GPROF.delta", "profile.group_delta", AT, "exact", VALID,
        "Profile at distance k, where the sensitivity is attained.", white},
    {"T004-GW.delta", "group.white_delta", AT, "upper", VALID,
        "Profile at distance k, white box.", white},
    {"X004-GW.dp", "group.approx_delta", AT, "upper", VALID,
        "The same, for mech=dp from (k eps0, delta0 grown over k steps).",
        white},
    {"T004-GB.delta", "group.black_delta", AT, "upper", VALID,
        "Profile at distance k from the profile alone, at most 1.", black},
    {"X004-GB.mono", "group.black_least", AT, "upper", VALID,
        "The least of it up to eps: valid too, and less where it rises.",
        black_least},
    {"T004-GB.eps_pair", "group.pair_epsilon", "k;eps;delta", "upper",
        VALID_PAIR, "k eps: what (eps, delta)-DP is at distance k.", pair_eps},
    {"T004-GB.delta_pair", "group.pair_delta", "k;eps;delta", "upper",
        VALID_PAIR, "delta beside it, delta (e^(k eps) - 1)/(e^eps - 1).",
        pair_delta},
    {"T004-M.delta", "membership.profile", "p;k;eps", "exact",
        "0.5 <= p <= 1, k >= 1, k whole, eps >= 0",
        "Randomized response on membership: the same at every distance.",
        membership_base},
    {"T004-12.eps", "membership.epsilon", "p;eta;eps", "exact", VALID_MEMBER,
        "eps' at which a sample of it is compared.", membership_eps},
    {"T004-12.delta", "membership.delta", "p;eta;eps", "exact", VALID_MEMBER,
        "Its profile on a sample at that eps': eta psi_p(eps), which attains "
        "the bounds.",
        membership_delta},
    {"X004-12.q", "membership.pair_delta", "p;q;epsp", "exact",
        "0.5 <= p <= 1, 0 < q <= 1, epsp >= 0",
        "At eps' for one pair whose record is sampled with probability q.",
        membership_q},
    {"T004-13.delta_at", "membership.delta_at", "p;eta;epsp", "exact",
        "0.5 <= p <= 1, 0 < eta <= 1, epsp >= 0",
        "The value that T004-8, T004-9 and T004-10 attain at eps'.",
        membership_eta},
    {"F004-2.white", "figure5.white", AT, "upper", VALID,
        "Curve of groups, white box.", white},
    {"F004-2.black", "figure5.black", AT, "upper", VALID,
        "Curve of groups, black box.", black},
};

FORMULA_TABLE(formula_004_group, rows);
