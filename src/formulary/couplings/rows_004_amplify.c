/*
 * Amplification by sampling: the maps between the epsilons, and the profile
 * of a mechanism on a sample, for every sampler and relation that has a
 * theorem. Rows ending in _at are asked at the epsilon of the whole.
 */
#include "formulary/line_args.h"
#include "formulary/profile_args.h"
#include "sampling/amplify.h"
#include "special/binomial_mean.h"

/* ---- The maps, T004-2 ---------------------------------------------------- */

FORMULA_BALL(eps_out, amplify_map(ARG("eta"), ARG("eps")))
FORMULA_BALL(eps_in, amplify_map_back(ARG("eta"), ARG("epsp")))
FORMULA_BALL(beta, amplify_beta(ARG("eta"), ARG("eps")))
FORMULA_BALL(one_minus_beta, amplify_one_minus_beta(ARG("eta"), ARG("eps")))
FORMULA_BALL(twice, amplify_map(ball_mul(ARG("eta1"), ARG("eta2")), ARG("eps")))
FORMULA_BALL(add_pure_eps, amplify_epsilon_base_first(ARG("gamma"), ARG("eps")))

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
FORMULA(wr_log_pmf)
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
    FORMULA(function)                                                          \
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
    a.base = base_profile_of_group(&a.base, 2);
    return amplified_delta(&a, eps_out, LOG_LEAST);
}

SAMPLED_ROW(wor_two_steps, AMPLIFY_WITHOUT, false, give_probability,
    two_steps(a, ARG("epsp")))
SAMPLED_ROW(wr_two_steps, AMPLIFY_WITH, false, give_probability,
    two_steps(a, ARG("epsp")))
SAMPLED_ROW(sharp_two_steps, AMPLIFY_SHARP, false, give_probability,
    two_steps(a, ARG("epsp")))

/* ---- Curves -------------------------------------------------------------- */

PROFILE_ROW(
    base_curve, give_probability, base_profile_delta(&base, ARG("epsp")))
DELTA_AT(wr_white_curve, AMPLIFY_WITH, false)

static scaled black_of(amplified a, ball eps_out)
{
    a.group = BASE_PROFILE_BLACK;
    return amplified_delta(&a, eps_out, LOG_LEAST);
}

SAMPLED_ROW(wr_black_curve, AMPLIFY_WITH, false, give_probability,
    black_of(a, ARG("epsp")))
