/*
 * Limits of private means: the lower bound of their error with its conditions,
 * the steps of its proof, and the comparison that meets it.
 */
#include "formulary/formula.h"

#include "special/binomial.h"

/* ---- T000-25 ----------------------------------------------------------- */

/* Whether delta <= 1/(100 n) and k >= 200 (e^eps - 1)^2 n; 0 when it cannot
 * be told, else -1 or 1, with the condition that failed. */
static int lower_bound_applies(const formula_args *args, const char **condition)
{
    ball n = ARG("n"), k = ARG("k");
    *condition = "delta <= 1/(100 n)";
    ball leak = ball_mul(ball_mul_d(n, 100), ARG("delta"));
    if (ball_less(ball_of(1), leak))
        return -1;
    if (!ball_less_equal(leak, ball_of(1)))
        return 0;
    *condition = "k >= 200 (e^eps - 1)^2 n";
    ball growth = ball_sqr(ball_expm1(ARG("eps")));
    ball least = ball_mul(ball_mul_d(n, 200), growth);
    if (ball_is_unknown(least) || ball_less(k, least))
        return -1; /* unknown: e^eps overflows */
    return ball_less_equal(least, k) ? 1 : 0;
}

static dosi_status cannot_tell(const char *condition, dosi_error *err)
{
    return dosi_fail(err, DOSI_EUNABLE, "cannot tell whether %s", condition);
}

FORMULA(rmse_applies)
{
    const char *condition = NULL;
    int applies = lower_bound_applies(args, &condition);
    if (applies == 0)
        return cannot_tell(condition, err);
    return formula_give(out, ball_of(applies > 0), err);
}

FORMULA(rmse_lower)
{
    const char *condition = NULL;
    int applies = lower_bound_applies(args, &condition);
    if (applies == 0)
        return cannot_tell(condition, err);
    if (applies < 0)
        return formula_domain(err,
            "needs %s, got n = %.17g, k = %.17g, eps = %.17g, "
            "delta = %.17g",
            condition, formula_real(args, "n"), formula_real(args, "k"),
            formula_real(args, "eps"), formula_real(args, "delta"));
    ball tenth = ball_div(ball_of(1), ball_of(10));
    if (formula_real(args, "eps") == 0)
        return formula_give(out, tenth, err);
    ball below = ball_mul(ball_mul_d(ARG("n"), 16), ball_expm1(ARG("eps")));
    ball error = ball_div(ball_sqrt(ARG("k")), below);
    return formula_give(out, ball_min(error, tenth), err);
}

/*
 * The root a in [0, 1/sqrt 12] of
 *
 *     a^2 + 1/(6n) = C max(0, m - 2 a^2)^2,
 *     m = 1/6 - 4 n delta,  C = k / (2 n^2 (e^eps - 1)^2),
 *
 * or 0 where C m^2 <= 1/(6n) or m <= 0. It is a quadratic in s = a^2 whose
 * smaller root, the one with 2s <= m, is free of cancellation as
 *
 *     s = 2 (C m^2 - 1/(6n)) / (4 C m + 1 + sqrt(1 + 8 C m + 8 C/(3n))).
 *
 * Divided through by C, so that eps = 0 (C infinite) is no exception.
 */
static ball implicit_rmse(const formula_args *args)
{
    ball n = ARG("n");
    ball sixth = ball_div(ball_of(1), ball_of(6));
    ball m = ball_sub(sixth, ball_scale2(ball_mul(n, ARG("delta")), 2));
    if (!ball_is_positive(m))
        return ball_is_negative(m) || ball_is_zero(m) ? ball_of(0)
                                                      : ball_unknown();
    ball growth = ball_mul(n, ball_expm1(ARG("eps")));
    if (ball_is_unknown(growth) || ball_lower(growth) > 0x1p400)
        return ball_of(0); /* C < 2^-700 by k <= 2^53: C m^2 < 1/(6n) */
    ball inverse =         /* 1/C */
        ball_div(ball_scale2(ball_sqr(growth), 1), ARG("k"));
    ball top = ball_sub(ball_sqr(m), ball_div(inverse, ball_mul_d(n, 6)));
    if (ball_is_negative(top))
        return ball_of(0);
    ball middle = ball_add(m, ball_div(ball_of(1), ball_mul_d(n, 3)));
    ball inner = ball_mul(inverse, ball_add(inverse, ball_scale2(middle, 3)));
    ball below = ball_add(ball_scale2(m, 2), inverse);
    below = ball_add(below, ball_sqrt(inner));
    return ball_sqrt(ball_div(ball_scale2(top, 1), below));
}

FORMULA_BALL(rmse_lower_implicit, implicit_rmse(args))
FORMULA_BALL(sample_rmse,
    ball_div(ball_of(1), ball_sqrt(ball_mul(ARG("n"), ARG("delta")))))

/* ---- T000-26 ----------------------------------------------------------- */

/* The integral of p^a (1-p)^b over [0, 1]: 1 / ((a+b+1) C(a+b, a)). */
static ball beta_integral(double a, double b)
{
    ball log_count = ball_log_binomial(a + b, a);
    return ball_div_d(ball_exp(ball_neg(log_count)), a + b + 1);
}

/*
 * E[(f(X) - P) sum (X_i - P)] + E_P[(E_X f(X) - P)^2] for P uniform and X n
 * coins of bias P. Only the sums F_s of f over the points with s ones
 * matter: h(p) = E_X f(X) = sum_s F_s p^s (1-p)^(n-s).
 */
static ball correlation(const ball *ones, size_t n)
{
    double count = (double)n;
    ball sum = ball_div(ball_of(1), ball_of(3)); /* E[P^2] */
    for (size_t s = 0; s <= n; s++) {
        double up = (double)s;
        /* E[P sum (X_i - P)] = 0; the integral of
         * p^s (1-p)^(n-s) (s - n p) */
        ball score = ball_mul_d(beta_integral(up, count - up), up);
        ball shift = beta_integral(up + 1, count - up);
        score = ball_sub(score, ball_mul_d(shift, count));
        /* - 2 E[P h(P)] */
        score = ball_sub(score, ball_scale2(shift, 1));
        sum = ball_add(sum, ball_mul(ones[s], score));
        for (size_t r = 0; r <= n; r++) {
            double both = (double)(s + r);
            ball weight = beta_integral(both, 2 * count - both);
            ball pair = ball_mul(ones[s], ones[r]);
            sum = ball_add(sum, ball_mul(pair, weight));
        }
    }
    return sum;
}

#define MAX_COINS 20

FORMULA(correlation_lhs)
{
    size_t n_values = 0, n = (size_t)formula_real(args, "n");
    const double *f = formula_list(args, "f", &n_values);
    if (n_values != (size_t)1 << n)
        return formula_domain(err,
            "needs 2^n values of f, got %zu values for n = %zu", n_values, n);
    ball ones[MAX_COINS + 1];
    for (size_t s = 0; s <= n; s++)
        ones[s] = ball_of(0);
    for (size_t x = 0; x < n_values; x++) {
        size_t s = 0;
        for (size_t bits = x; bits != 0; bits >>= 1)
            s += bits & 1;
        ones[s] = ball_add_d(ones[s], f[x]);
    }
    return formula_give(out, correlation(ones, n), err);
}

/* ---- T000-27 ----------------------------------------------------------- */

FORMULA(mean_shift)
{
    double mean = formula_real(args, "EY");
    double size = formula_real(args, "EabsY");
    if (fabs(mean) > size)
        return formula_domain(err,
            "needs |EY| <= EabsY, got EY = %.17g, EabsY = %.17g", mean, size);
    ball shift = ball_mul(ball_expm1(ARG("eps")), ball_of(size));
    ball leak = ball_scale2(ball_mul(ARG("delta"), ARG("Delta")), 1);
    return formula_give(out, ball_add(ball_add_d(shift, mean), leak), err);
}
