/*
 * Exponential families and normal laws, and the limits of sampling for one
 * data set, which are approximations.
 */
#include "formulary/formula.h"

#include <string.h>

#include "num/decimal.h"
#include "literature/exponential_families.h"

/* ---- Exponential families ---------------------------------------------- */

static bool text_is(const char *text, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(text, word, n) == 0;
}

/* A number, or logit(p) for log(p/(1-p)), either with a sign in front. */
static dosi_status read_log_odds(
    ball *out, const formula_args *args, const char *name, dosi_error *err)
{
    size_t n = 0, used = 0;
    const char *text = formula_text(args, name, &n);
    bool negative = n > 0 && text[0] == '-';
    const char *rest = text + negative;
    size_t left = n - negative;
    bool is_logit = left > 7 && memcmp(rest, "logit(", 6) == 0;
    if (is_logit) {
        rest += 6;
        left -= 6;
    }
    double x = 0;
    bool good =
        left > 0 && decimal_read(&x, rest, left, &used) && isfinite(x) &&
        (is_logit ? used + 1 == left && rest[used] == ')' : used == left);
    if (!good)
        return dosi_fail(err, DOSI_EINVAL,
            "%s is a number or logit(p), got '%.*s'", name,
            n > 40 ? 40 : (int)n, text);
    if (is_logit && !(x > 0 && x < 1))
        return formula_domain(err, "needs logit(p) with 0 < p < 1");
    *out = ball_of(x);
    if (is_logit)
        *out = ball_log(ball_div(*out, ball_sub(ball_of(1), *out)));
    if (negative)
        *out = ball_neg(*out);
    return DOSI_OK;
}

static dosi_status read_family(
    family *f, ball *x, ball *y, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const char *name = formula_text(args, "family", &n);
    bool by_odds = text_is(name, n, "bernoulli");
    if (!by_odds && !text_is(name, n, "poisson") &&
        !text_is(name, n, "exponential"))
        return dosi_fail(err, DOSI_EINVAL,
            "family is one of bernoulli, poisson and exponential");
    if (formula_given(args, "eta1") != by_odds ||
        formula_given(args, "eta2") != by_odds ||
        formula_given(args, "rate1") == by_odds ||
        formula_given(args, "rate2") == by_odds)
        return dosi_fail(err, DOSI_EINVAL,
            "bernoulli takes eta1 and eta2, the others rate1 and rate2");
    *f = by_odds          ? FAMILY_BERNOULLI
         : name[0] == 'p' ? FAMILY_POISSON
                          : FAMILY_EXPONENTIAL;
    if (!by_odds) {
        *x = ARG("rate1");
        *y = ARG("rate2");
        return DOSI_OK;
    }
    dosi_status status = read_log_odds(x, args, "eta1", err);
    return status == DOSI_OK ? read_log_odds(y, args, "eta2", err) : status;
}

static dosi_status give_family(
    dosi_interval *out, const formula_args *args, ball order, dosi_error *err)
{
    family f = FAMILY_BERNOULLI;
    ball x = ball_unknown(), y = ball_unknown();
    dosi_status status = read_family(&f, &x, &y, args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, family_divergence(f, x, y, order), err);
}

FORMULA(family_renyi)
{
    return give_family(out, args, ARG("alpha"), err);
}

FORMULA(family_kl)
{
    return give_family(out, args, ball_of(1), err);
}

/* ---- Smooth log-partitions --------------------------------------------- */

FORMULA_BALL(local_bound,
    family_local_bound(ARG("alpha"), ARG("Delta"), ARG("B"), ARG("L")))

/* The source's own smoothness constant is half of what the proof needs. */
FORMULA_BALL(local_bound_printed, family_local_bound(ARG("alpha"), ARG("Delta"),
                                      ARG("B"), ball_scale2(ARG("L"), 1)))

/* B = L = e^(eta_hi + kappa), for the log-partition e^eta. */
static ball exp_constant(const formula_args *args, ball kappa)
{
    return ball_exp(ball_add(ARG("eta_hi"), kappa));
}

static ball reach(const formula_args *args)
{
    return ball_mul(ball_sub_d(ARG("alpha"), 1), ARG("Delta"));
}

static dosi_status check_exp(const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const char *name = formula_text(args, "A", &n);
    if (text_is(name, n, "exp"))
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL, "A is exp, the log-partition e^eta");
}

FORMULA(widened_bound)
{
    dosi_status status = check_exp(args, err);
    if (status != DOSI_OK)
        return status;
    ball kappa = ball_max(reach(args), ARG("Delta"));
    ball c = exp_constant(args, kappa);
    return formula_give(
        out, family_local_bound(ARG("alpha"), ARG("Delta"), c, c), err);
}

FORMULA(split_bound)
{
    dosi_status status = check_exp(args, err);
    if (status != DOSI_OK)
        return status;
    ball far = exp_constant(args, reach(args));
    ball near = exp_constant(args, ARG("Delta"));
    return formula_give(out,
        family_split_bound(ARG("alpha"), ARG("Delta"), far, near, far, near),
        err);
}

/* ---- Normal laws ------------------------------------------------------- */

static bool is_symmetric(const double *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (s[i * n + j] != s[j * n + i])
                return false;
    return true;
}

FORMULA(normal_renyi)
{
    size_t n = 0, n2 = 0, n_s1 = 0, n_s2 = 0;
    const double *mean1 = formula_list(args, "mu1", &n);
    const double *mean2 = formula_list(args, "mu2", &n2);
    const double *s1 = formula_list(args, "S1", &n_s1);
    const double *s2 = formula_list(args, "S2", &n_s2);
    if (n > 256 || n2 != n || n_s1 != n * n || n_s2 != n * n)
        return formula_domain(err,
            "needs means of one length d <= 256 and covariances of d^2, got "
            "%zu, %zu, %zu and %zu numbers",
            n, n2, n_s1, n_s2);
    if (!is_symmetric(s1, n) || !is_symmetric(s2, n))
        return formula_domain(err, "needs symmetric covariances");
    ball d;
    dosi_status status =
        family_normal(&d, mean1, s1, mean2, s2, n, ARG("alpha"), err);
    return status == DOSI_OK ? formula_give(out, d, err) : status;
}

/* ---- One data set under sampling --------------------------------------- */

FORMULA_BALL(bad_pole, family_bad_pole(ARG("sigma"), ARG("gamma"), ARG("n")))
FORMULA_BALL(bad_data,
    family_bad_approx(ARG("sigma"), ARG("gamma"), ARG("n"), ARG("alpha")))
FORMULA_BALL(good_data,
    family_good_approx(ARG("sigma"), ARG("gamma"), ARG("n"), ARG("alpha")))

FORMULA(sample_mean)
{
    size_t n = 0;
    const double *x = formula_list(args, "x", &n);
    return formula_give(out,
        family_sample_mean_approx(x, n, formula_real(args, "xlast_prime"),
            ARG("sigma"), ARG("gamma"), ARG("alpha")),
        err);
}
