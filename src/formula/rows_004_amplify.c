/*
 * Amplification by sampling: the maps between the epsilons, and the profile
 * of a mechanism on a sample, for every sampler and relation that has a
 * theorem. Rows ending in _at are asked at the epsilon of the whole.
 */
#include "line_args.h"
#include "profile_args.h"
#include "repr/amplify.h"
#include "repr/binomial_mix.h"

/* ---- The maps, T004-2 ---------------------------------------------------- */

FORMULA_BALL(eps_out, amplify_map(ARG("eta"), ARG("eps")))
FORMULA_BALL(eps_in, amplify_map_back(ARG("eta"), ARG("epsp")))
FORMULA_BALL(beta, amplify_beta(ARG("eta"), ARG("eps")))
FORMULA_BALL(one_minus_beta, amplify_one_minus_beta(ARG("eta"), ARG("eps")))
FORMULA_BALL(twice, amplify_map(ball_mul(ARG("eta1"), ARG("eta2")), ARG("eps")))
FORMULA_BALL(add_pure_eps, amplify_epsilon_removal(ARG("gamma"), ARG("eps")))

/* ---- Samplers ------------------------------------------------------------ */

FORMULA_BALL(eta_wor, ball_div(ARG("m"), ARG("n")))
FORMULA_BALL(eta_wr, amplify_rate_with_replacement(
                         formula_real(args, "n"), formula_real(args, "m")))

/* size log gamma + (n - size) log(1 - gamma), with 0 log 0 = 0 */
static ball poisson_set(double n, double size, ball gamma)
{
    ball sum = ball_of(0);
    if (size > 0)
        sum = ball_mul_d(ball_log(gamma), size);
    if (n > size)
        sum = ball_add(sum, ball_mul_d(ball_log1p(ball_neg(gamma)), n - size));
    return sum;
}

FORMULA_BALL(poisson_log_pmf, poisson_set(formula_real(args, "n"),
                                  formula_real(args, "size"), ARG("gamma")))
FORMULA_BALL(wor_log_pmf, ball_neg(ball_log_binomial(formula_real(args, "n"),
                              formula_real(args, "m"))))

/* log(m!/n^m) - sum log mult! */
static dosi_status wr_log_pmf(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    size_t size = 0;
    const double *mult = formula_list(args, "mult", &size);
    double n = formula_real(args, "n"), m = 0;
    if ((double)size > n)
        return formula_domain(
            err, "needs at most n multiplicities, got %zu, n = %.17g", size, n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < size; i++) {
        m += mult[i];
        sum = ball_sub(sum, ball_log_factorial(mult[i]));
    }
    if (!(m <= 0x1p53))
        return formula_domain(err, "needs at most 2^53 draws, got %.17g", m);
    sum = ball_add(sum, ball_log_factorial(m));
    return formula_give(
        out, ball_sub(sum, ball_mul_d(ball_log(ball_of(n)), m)), err);
}

static ball log_weight_of(const formula_args *args)
{
    binomial_mix mix =
        binomial_mix_of_size(formula_real(args, "m"), formula_real(args, "n"));
    return binomial_mix_log_weight(&mix, formula_real(args, "k"));
}

FORMULA_BALL(log_weight, log_weight_of(args))

/* ---- Amplified profiles -------------------------------------------------- */

/* Reads the base, the sampler's numbers, and the group if it is declared. */
static dosi_status sampled_read(amplified *a, const formula_args *args,
    amplify_theorem theorem, bool has_group, dosi_error *err)
{
    bool draws = theorem == AMPLIFY_WITHOUT || theorem == AMPLIFY_WITH;
    bool sized = draws || theorem == AMPLIFY_SHARP || theorem == AMPLIFY_SPLIT;
    *a = (amplified){.theorem = theorem, .gamma = ball_of(1)};
    dosi_status status = profile_read(&a->base, args, err);
    if (status == DOSI_OK && has_group)
        status = group_read(&a->group, args, err);
    if (status != DOSI_OK)
        return status;
    if (sized)
        a->n = formula_real(args, "n");
    if (draws)
        a->m = formula_real(args, "m");
    else
        a->gamma = ARG("gamma");
    return DOSI_OK;
}

/* Defines a row of one expression in a, the amplified profile. */
#define SAMPLED_ROW(function, theorem, has_group, give, expression)            \
    static dosi_status function(                                               \
        dosi_interval *out, const formula_args *args, dosi_error *err)         \
    {                                                                          \
        amplified a;                                                           \
        dosi_status status = sampled_read(&a, args, theorem, has_group, err);  \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        return give(out, (expression), err);                                   \
    }
#define DELTA_AT(function, theorem, has_group)                                 \
    SAMPLED_ROW(function, theorem, has_group, give_probability,                \
        amplified_delta(&a, ARG("epsp"), LOG_LEAST))
#define LOG_DELTA_AT(function, theorem, has_group)                             \
    SAMPLED_ROW(function, theorem, has_group, give_log_probability,            \
        amplified_delta(&a, ARG("epsp"), -HUGE_VAL))
#define PAIR_DELTA(function, theorem, has_group)                               \
    SAMPLED_ROW(function, theorem, has_group, give_probability,                \
        amplified_delta_at_base(&a, ARG("eps"), LOG_LEAST))
#define PAIR_EPS(function, theorem)                                            \
    SAMPLED_ROW(function, theorem, false, formula_give,                        \
        amplify_map(amplified_rate(&a), ARG("eps")))

DELTA_AT(poisson_at, AMPLIFY_POISSON, false)
LOG_DELTA_AT(poisson_log_at, AMPLIFY_POISSON, false)
PAIR_EPS(poisson_pair_eps, AMPLIFY_POISSON)
PAIR_DELTA(poisson_pair_delta, AMPLIFY_POISSON, false)
DELTA_AT(add_at, AMPLIFY_ADD, false)
LOG_DELTA_AT(add_log_at, AMPLIFY_ADD, false)
DELTA_AT(wor_at, AMPLIFY_WITHOUT, false)
LOG_DELTA_AT(wor_log_at, AMPLIFY_WITHOUT, false)
PAIR_EPS(wor_pair_eps, AMPLIFY_WITHOUT)
PAIR_DELTA(wor_pair_delta, AMPLIFY_WITHOUT, false)
DELTA_AT(wr_at, AMPLIFY_WITH, true)
LOG_DELTA_AT(wr_log_at, AMPLIFY_WITH, true)
PAIR_EPS(wr_pair_eps, AMPLIFY_WITH)
PAIR_DELTA(wr_pair_delta, AMPLIFY_WITH, true)
DELTA_AT(sharp_at, AMPLIFY_SHARP, false)
LOG_DELTA_AT(sharp_log_at, AMPLIFY_SHARP, false)
DELTA_AT(split_at, AMPLIFY_SPLIT, false)
LOG_DELTA_AT(split_log_at, AMPLIFY_SPLIT, false)
DELTA_AT(hybrid_at, AMPLIFY_HYBRID, false)
LOG_DELTA_AT(hybrid_log_at, AMPLIFY_HYBRID, false)

/* delta^S_k <= delta^R_2k: the base's groups of two are its steps. */
static scaled two_steps(amplified a, ball eps_out)
{
    a.base = profile_of_group(&a.base, 2);
    return amplified_delta(&a, eps_out, LOG_LEAST);
}

SAMPLED_ROW(wor_two_steps, AMPLIFY_WITHOUT, false, give_probability,
    two_steps(a, ARG("epsp")))
SAMPLED_ROW(wr_two_steps, AMPLIFY_WITH, false, give_probability,
    two_steps(a, ARG("epsp")))
SAMPLED_ROW(sharp_two_steps, AMPLIFY_SHARP, false, give_probability,
    two_steps(a, ARG("epsp")))

/* ---- Curves -------------------------------------------------------------- */

PROFILE_ROW(base_curve, give_probability, profile_delta(&base, ARG("epsp")))
DELTA_AT(wr_white_curve, AMPLIFY_WITH, false)

static scaled black_of(amplified a, ball eps_out)
{
    a.group = PROFILE_BLACK;
    return amplified_delta(&a, eps_out, LOG_LEAST);
}

SAMPLED_ROW(wr_black_curve, AMPLIFY_WITH, false, give_probability,
    black_of(a, ARG("epsp")))

#define AT PROFILE ";gamma;epsp"
#define AT_SIZED PROFILE ";n;gamma;epsp"
#define AT_DRAWS PROFILE ";n;m;epsp"
#define AT_GROUP PROFILE ";n;m;group{};epsp"
#define WHOLE_DRAWS ", n >= 1, n whole, m >= 1, m whole"
#define VALID_RATE VALID_PROFILE ", 0 < gamma <= 1"
#define VALID_AT VALID_RATE ", epsp >= 0"
#define VALID_SIZED VALID_RATE ", n >= 1, n whole, epsp >= 0"
#define VALID_SPLIT VALID_PROFILE ", 0 < gamma < 1, n >= 1, n whole, epsp >= 0"
#define VALID_WOR VALID_PROFILE WHOLE_DRAWS ", m <= n"
#define VALID_WR VALID_PROFILE WHOLE_DRAWS
#define VALID_WR_R VALID_PROFILE ", n >= 2, n whole, m >= 1, m whole, epsp >= 0"

static const formula_row rows[] = {
    {"T004-2.eps_out", "amplify.epsilon", "eta;eps", "exact",
        "0 <= eta <= 1, eps >= 0",
        "eps' = log(1 + eta (e^eps - 1)), eta the total variation of the "
        "samplings.",
        eps_out},
    {"T004-2.eps_in", "amplify.base_epsilon", "eta;epsp", "exact",
        "0 < eta <= 1, epsp >= 0", "The base's eps for a wanted eps'.", eps_in},
    {"T004-2.beta", "amplify.beta", "eta;eps", "exact",
        "0 <= eta <= 1, eps >= 0", "beta = eta + (1 - eta) e^-eps.", beta},
    {"T004-2.one_minus_beta", "amplify.one_minus_beta", "eta;eps", "exact",
        "0 <= eta <= 1, eps >= 0", "1 - beta, with its own digits.",
        one_minus_beta},
    {"X004-MULT", "amplify.twice", "eta1;eta2;eps", "exact",
        "0 <= eta1 <= 1, 0 <= eta2 <= 1, eps >= 0",
        "eps' after two independent samplings: the rates multiply.", twice},
    {"X004-8.add_pure_eps", "poisson.add_epsilon", "gamma;eps", "exact",
        "0 < gamma <= 1, eps >= 0",
        "eps' of a pure base in the adding direction alone.", add_pure_eps},
    {"T004-TAB1.eta_wor", "sampler.rate_without", "n;m", "exact",
        "n >= 1, n whole, m >= 1, m whole, m <= n",
        "eta of m out of n without replacement.", eta_wor},
    {"T004-TAB1.eta_wr", "sampler.rate_with", "n;m", "exact",
        "n >= 1, n whole, m >= 1, m whole",
        "eta of m draws out of n with replacement, 1 - (1 - 1/n)^m.", eta_wr},
    {"T004-S.poisson_logpmf_set", "sampler.poisson_log_probability",
        "gamma;n;size", "exact",
        "0 < gamma <= 1, n >= 0, n whole, size >= 0, size whole, size <= n",
        "log probability of one subset of this size.", poisson_log_pmf},
    {"T004-S.wor_logpmf_set", "sampler.without_log_probability", "n;m", "exact",
        "n >= 1, n whole, m >= 0, m whole, m <= n",
        "log probability of one subset of size m.", wor_log_pmf},
    {"T004-S.wr_logpmf_multiset", "sampler.with_log_probability", "n;mult[]",
        "exact",
        "n >= 1, n whole, mult >= 0, mult whole; at most n multiplicities",
        "log probability of one multiset with these multiplicities.",
        wr_log_pmf},
    {"T004-10.log_weight", "sampler.with_log_weight", "n;m;k", "exact",
        "n >= 1, n whole, m >= 1, m whole, k >= 0, k whole, k <= m",
        "log probability to draw one record k times.", log_weight},
    {"T004-8.delta_at", "poisson.delta", AT, "upper", VALID_AT,
        "Poisson sample; base and whole remove/add: gamma delta(eps); "
        "attained.",
        poisson_at},
    {"T004-8.log_delta_at", "poisson.log_delta", AT, "upper", VALID_AT,
        "Its logarithm, at any size.", poisson_log_at},
    {"T004-8.pair_eps", "poisson.pair_epsilon", PROFILE ";gamma;eps", "upper",
        VALID_RATE ", eps >= 0", "The same as a pair: eps' at the base's eps.",
        poisson_pair_eps},
    {"T004-8.pair_delta", "poisson.pair_delta", PROFILE ";gamma;eps", "upper",
        VALID_RATE ", eps >= 0", "delta' beside it.", poisson_pair_delta},
    {"X004-8.add_delta_at", "poisson.add_delta", AT, "exact", VALID_AT,
        "Poisson sample; the adding direction alone, exactly.", add_at},
    {"X004-8.add_log_delta_at", "poisson.add_log_delta", AT, "exact", VALID_AT,
        "Its logarithm, at any size.", add_log_at},
    {"T004-9.delta_at", "without.delta", AT_DRAWS, "upper",
        VALID_WOR ", epsp >= 0",
        "Without replacement; base and whole substitute: (m/n) delta(eps); "
        "attained.",
        wor_at},
    {"T004-9.log_delta_at", "without.log_delta", AT_DRAWS, "upper",
        VALID_WOR ", epsp >= 0", "Its logarithm, at any size.", wor_log_at},
    {"T004-9.pair_eps", "without.pair_epsilon", PROFILE ";n;m;eps", "upper",
        VALID_WOR ", eps >= 0", "As a pair: eps' at the base's eps.",
        wor_pair_eps},
    {"T004-9.pair_delta", "without.pair_delta", PROFILE ";n;m;eps", "upper",
        VALID_WOR ", eps >= 0", "delta' beside it.", wor_pair_delta},
    {"T004-10.delta_at", "with.delta", AT_GROUP, "upper",
        VALID_WR ", epsp >= 0",
        "With replacement; base and whole substitute: mean of delta_k over "
        "the draws; attained.",
        wr_at},
    {"T004-10.log_delta_at", "with.log_delta", AT_GROUP, "upper",
        VALID_WR ", epsp >= 0", "Its logarithm, at any size.", wr_log_at},
    {"T004-10.pair_eps", "with.pair_epsilon", PROFILE ";n;m;eps", "upper",
        VALID_WR ", eps >= 0", "As a pair: eps' at the base's eps.",
        wr_pair_eps},
    {"T004-10.pair_delta", "with.pair_delta", PROFILE ";n;m;group{};eps",
        "upper", VALID_WR ", eps >= 0", "delta' beside it.", wr_pair_delta},
    {"T004-11.delta_at", "with.remove_add_delta", AT_GROUP, "upper", VALID_WR_R,
        "With replacement from n records; base substitute, whole remove/add "
        "at this n.",
        wr_at},
    {"T004-11.log_delta_at", "with.remove_add_log_delta", AT_GROUP, "upper",
        VALID_WR_R, "Its logarithm, at any size.", wr_log_at},
    {"X004-PS.sharp_delta_at", "poisson.substitute_delta", AT_SIZED, "upper",
        VALID_SIZED,
        "Poisson sample of n; base and whole substitute; attained.", sharp_at},
    {"X004-PS.sharp_log_delta_at", "poisson.substitute_log_delta", AT_SIZED,
        "upper", VALID_SIZED, "Its logarithm, at any size.", sharp_log_at},
    {"X004-PS.split_delta_at", "poisson.substitute_split_delta", AT_SIZED,
        "upper", VALID_SPLIT,
        "The same by matching sizes; never below the sharp bound.", split_at},
    {"X004-PS.split_log_delta_at", "poisson.substitute_split_log_delta",
        AT_SIZED, "upper", VALID_SPLIT, "Its logarithm, at any size.",
        split_log_at},
    {"X004-PS.ra_delta_at", "poisson.hybrid_delta", AT, "upper", VALID_AT,
        "Poisson sample; base remove/add, whole substitute.", hybrid_at},
    {"X004-PS.ra_log_delta_at", "poisson.hybrid_log_delta", AT, "upper",
        VALID_AT, "Its logarithm, at any size.", hybrid_log_at},
    {"X004-RtoS.wor_delta_at", "without.two_step_delta", AT_DRAWS, "upper",
        VALID_WOR ", epsp >= 0",
        "Without replacement; base remove/add, whole substitute.",
        wor_two_steps},
    {"X004-RtoS.wr_delta_at", "with.two_step_delta", AT_DRAWS, "upper",
        VALID_WR ", epsp >= 0",
        "With replacement; base remove/add, whole substitute.", wr_two_steps},
    {"X004-RtoS.poisson_delta_at", "poisson.two_step_delta", AT_SIZED, "upper",
        VALID_SIZED, "Poisson sample of n; base remove/add, whole substitute.",
        sharp_two_steps},
    {"F004-3.base", "figure6.base", PROFILE ";epsp", "exact",
        VALID_PROFILE ", epsp >= 0", "Curve of the base alone.", base_curve},
    {"F004-3.poisson_or_wor", "figure6.poisson", AT, "upper", VALID_AT,
        "Curve of a Poisson sample, or without replacement.", poisson_at},
    {"F004-3.wr_white", "figure6.with_white", AT_DRAWS, "upper",
        VALID_WR ", epsp >= 0", "Curve with replacement, white box.",
        wr_white_curve},
    {"F004-3.wr_black", "figure6.with_black", AT_DRAWS, "upper",
        VALID_WR ", epsp >= 0", "Curve with replacement, black box.",
        wr_black_curve},
    {"F004-3.poisson_sub_sharp", "figure6.poisson_substitute", AT_SIZED,
        "upper", VALID_SIZED, "Curve of a Poisson sample under substitution.",
        sharp_at},
};

FORMULA_TABLE(formula_004_amplify, rows);
