/*
 * Closed forms of the rounded laws and of the discrete Laplace law, lattice
 * sums of the discrete Gaussian. P[K = k] is symmetric, so that everything is
 * computed at k >= 0 (tails at k >= 1) and reflected:
 *
 *     P[K >= k] = 1 - P[K >= 1 - k].
 *
 * Derivations: docs/theory/release_laws.md.
 */
#include "integer_law.h"

#include "special/gaussian_lattice.h"
#include "special/special.h"

/* Scales of the searches, whose indices then stay below 2^60. */
#define SEARCH_MAX_SCALE 0x1p50
/* P[K >= k] < e^-800 < 2^-1100 for k beyond so many scales. */
#define SEARCH_SCALES 800

/* From this scale on Poisson summation has one term: the others add less than
 * 16 exp(-2 pi^2 scale^2) < 2^-108 to a variance. */
#define SMOOTH_SCALE 2.01
/* Terms of the sums below it. */
#define DIRECT_TERMS 64

static bool is_known(double scale)
{
    return scale >= INTEGER_LAW_MIN_SCALE && scale <= INTEGER_LAW_MAX_SCALE;
}

/* >= what a direct sum leaves out: its terms fall by more than 2^-700 from
 * the first to the last and go on falling faster than by halves. */
static double rest_after(ball sum)
{
    return ball_upper(sum) * 0x1p-600 + 0x1p-1074;
}

/* ---- Rounded Gaussian -------------------------------------------------- */

static ball round_gaussian_log_tail(double scale, ball k)
{
    ball edge = ball_sub_d(k, 0.5);
    return ball_log_normal_sf(ball_div_d(edge, scale));
}

/*
 * With a = (k - 1/2)/s, w = 1/s, and R the Mills ratio
 *
 *     sf(a) - sf(a + w)
 *         = phi(a) (R(a) - R(a + w) + R(a + w) (1 - exp(-k/s^2))),
 *
 * a sum of two terms > 0; at 0 it is erf(1/(sqrt(8) s)) = 1 - 2 sf(1/(2 s)).
 */
static ball round_gaussian_log_pmf(double scale, ball k)
{
    ball w = ball_div_d(ball_of(1), scale);
    if (ball_is_zero(k)) {
        ball half = ball_scale2(w, -1);
        if (scale >= 1)
            return ball_log(ball_erf(ball_div(half, ball_sqrt(ball_of(2)))));
        return ball_log1mexp(ball_add(ball_log_normal_sf(half), ball_ln2()));
    }
    ball a = ball_div_d(ball_sub_d(k, 0.5), scale);
    ball fall = ball_neg(ball_mul(ball_div_d(k, scale), w));
    ball mills = ball_mills(ball_add(a, w));
    ball core = ball_sub(
        ball_mills_drop(a, w), ball_mul(mills, ball_expm1(fall)));
    return ball_add(ball_log_normal_pdf(a), ball_log(core));
}

/* E[K^2] = 2 sum over k >= 1 of (2 k - 1) P[K >= k]; for large s it is
 * s^2 + 1/12 + sum over n >= 1 of (-1)^n q^(n^2) (4 s^2 + 1/(pi n)^2),
 * q = exp(-2 pi^2 s^2). */
static ball round_gaussian_variance(double scale)
{
    if (scale >= SMOOTH_SCALE) {
        ball square = ball_sqr(ball_of(scale));
        ball sum = ball_add(square, ball_div_d(ball_of(1), 12));
        return ball_widen(sum, scale * scale * 0x1p-106);
    }
    ball sum = ball_of(0);
    for (int k = 1; k < DIRECT_TERMS; k++) {
        ball tail = ball_exp(round_gaussian_log_tail(scale, ball_of(k)));
        sum = ball_add(sum, ball_mul_d(tail, 2 * k - 1));
    }
    return ball_widen(ball_scale2(sum, 1), rest_after(sum));
}

/* ---- Rounded Laplace --------------------------------------------------- */

/* P[K >= k] = exp(-(k - 1/2)/s) / 2, k >= 1. */
static ball round_laplace_log_tail(double scale, ball k)
{
    ball edge = ball_div_d(ball_sub_d(k, 0.5), scale);
    return ball_neg(ball_add(edge, ball_ln2()));
}

static ball round_laplace_log_pmf(double scale, ball k)
{
    ball w = ball_div_d(ball_of(1), scale);
    if (ball_is_zero(k))
        return ball_log1mexp(ball_neg(ball_scale2(w, -1)));
    return ball_add(
        round_laplace_log_tail(scale, k), ball_log1mexp(ball_neg(w)));
}

/* sqrt(p) (1 + p) / (1 - p)^2 with p = exp(-1/s). */
static ball round_laplace_variance(double scale)
{
    ball w = ball_div_d(ball_of(-1), scale);
    ball sum = ball_add_d(ball_exp(w), 1);
    ball top = ball_mul(ball_exp(ball_scale2(w, -1)), sum);
    return ball_div(top, ball_sqr(ball_expm1(w)));
}

/* ---- Discrete Gaussian ------------------------------------------------- */

static gaussian_lattice lattice_of(double scale)
{
    return gaussian_lattice_of(ball_sqr(ball_of(scale)));
}

static ball discrete_gaussian_log_tail(double scale, ball k)
{
    const gaussian_lattice l = lattice_of(scale);
    return gaussian_lattice_log_share(&l, k);
}

static ball discrete_gaussian_log_pmf(double scale, ball k)
{
    const gaussian_lattice l = lattice_of(scale);
    ball exponent = ball_scale2(ball_sqr(ball_div_d(k, scale)), -1);
    return ball_neg(ball_add(exponent, l.log_all));
}

/* sum of k^2 P[K = k]; for large s it is s^2 (1 - e) with
 * 0 <= e <= 8.1 pi^2 s^2 exp(-2 pi^2 s^2). */
static ball discrete_gaussian_variance(double scale)
{
    if (scale >= SMOOTH_SCALE)
        return ball_widen(ball_sqr(ball_of(scale)), scale * scale * 0x1p-102);
    const gaussian_lattice l = lattice_of(scale);
    ball sum = ball_of(0);
    for (int k = 1; k < DIRECT_TERMS; k++) {
        ball exponent = ball_mul_d(ball_scale2(l.v, -1), k * k);
        ball mass = ball_exp(ball_neg(ball_add(exponent, l.log_all)));
        sum = ball_add(sum, ball_mul_d(mass, k * k));
    }
    return ball_widen(ball_scale2(sum, 1), rest_after(sum));
}

/* ---- Discrete Laplace -------------------------------------------------- */

/* With p = exp(-1/s): P[K >= k] = p^k / (1 + p), k >= 1, and
 * P[K = k] = p^k (1 - p) / (1 + p), k >= 0. */
static ball discrete_laplace_log_tail(double scale, ball k)
{
    ball w = ball_div_d(ball_of(-1), scale);
    ball power = ball_neg(ball_div_d(k, scale));
    return ball_sub(power, ball_log1pexp(w));
}

static ball discrete_laplace_log_pmf(double scale, ball k)
{
    ball w = ball_div_d(ball_of(-1), scale);
    return ball_add(discrete_laplace_log_tail(scale, k), ball_log1mexp(w));
}

/* 2 p / (1 - p)^2. */
static ball discrete_laplace_variance(double scale)
{
    ball w = ball_div_d(ball_of(-1), scale);
    return ball_div(ball_scale2(ball_exp(w), 1), ball_sqr(ball_expm1(w)));
}

/* ---- One law ----------------------------------------------------------- */

typedef struct law_row {
    ball (*log_pmf)(double scale, ball k);  /* k >= 0 */
    ball (*log_tail)(double scale, ball k); /* k >= 1 */
    ball (*variance)(double scale);
} law_row;

static const law_row laws[] = {
    [DOSI_NOISE_ROUND_GAUSSIAN] = {round_gaussian_log_pmf,
        round_gaussian_log_tail, round_gaussian_variance},
    [DOSI_NOISE_ROUND_LAPLACE] = {round_laplace_log_pmf,
        round_laplace_log_tail, round_laplace_variance},
    [DOSI_NOISE_DISCRETE_GAUSSIAN] = {discrete_gaussian_log_pmf,
        discrete_gaussian_log_tail, discrete_gaussian_variance},
    [DOSI_NOISE_DISCRETE_LAPLACE] = {discrete_laplace_log_pmf,
        discrete_laplace_log_tail, discrete_laplace_variance},
};

ball integer_law_log_pmf(dosi_noise_law law, double scale, int64_t k)
{
    if (!is_known(scale))
        return ball_unknown();
    return laws[law].log_pmf(scale, ball_abs(ball_of_int(k)));
}

ball integer_law_log_tail(dosi_noise_law law, double scale, int64_t k)
{
    if (!is_known(scale))
        return ball_unknown();
    ball x = ball_of_int(k);
    if (k >= 1)
        return laws[law].log_tail(scale, x);
    return ball_log1mexp(laws[law].log_tail(scale, ball_sub(ball_of(1), x)));
}

ball integer_law_variance(dosi_noise_law law, double scale)
{
    return is_known(scale) ? laws[law].variance(scale) : ball_unknown();
}

static ball probability_of(ball log_p)
{
    if (ball_is_unknown(log_p))
        return log_p;
    return ball_clamp(ball_exp(log_p), 0, 1);
}

ball integer_law_pmf(dosi_noise_law law, double scale, int64_t k)
{
    return probability_of(integer_law_log_pmf(law, scale, k));
}

ball integer_law_tail(dosi_noise_law law, double scale, int64_t k)
{
    return probability_of(integer_law_log_tail(law, scale, k));
}

double integer_law_tail_upper(dosi_noise_law law, double scale, int64_t k)
{
    return fmin(ball_upper(integer_law_tail(law, scale, k)), 1);
}

/* ---- Searches ---------------------------------------------------------- */

static int64_t search_end(double scale)
{
    return (int64_t)ceil(SEARCH_SCALES * scale) + 1;
}

/*
 * The smallest k > low with P[K >= k] <= bound, certainly: bisection between
 * indices where that is not certain and where it is.
 *
 * requires  low <= k <= search_end(scale), the bound > e^-800
 */
static int64_t first_below(
    dosi_noise_law law, double scale, int64_t low, ball log_bound)
{
    int64_t high = search_end(scale);
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        ball log_tail = integer_law_log_tail(law, scale, middle);
        if (ball_less_equal(log_tail, log_bound))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static dosi_status check_scale(double scale, dosi_error *err)
{
    if (is_known(scale) && scale <= SEARCH_MAX_SCALE)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "noise: the scale must be from 2^-60 to 2^50, got %.17g", scale);
}

dosi_status integer_law_half_width(int64_t *out, dosi_noise_law law,
    double scale, double beta_lower, dosi_error *err)
{
    *out = 0;
    dosi_status status = check_scale(scale, err);
    if (status != DOSI_OK)
        return status;
    if (!(beta_lower > 0 && beta_lower < 1))
        return dosi_fail(err, DOSI_EINVAL,
            "noise: beta must lie between 0 and 1, got %.17g", beta_lower);
    /* P[|K| > a] = 2 P[K >= a + 1] */
    ball log_bound = ball_sub(ball_log(ball_of(beta_lower)), ball_ln2());
    *out = first_below(law, scale, 0, log_bound) - 1;
    return DOSI_OK;
}

dosi_status integer_law_threshold(int64_t *tau, double *d, dosi_noise_law law,
    double scale, int64_t m, double most, dosi_error *err)
{
    *tau = 0;
    *d = 1;
    dosi_status status = check_scale(scale, err);
    if (status != DOSI_OK)
        return status;
    if (!(most >= 0x1p-1000 && most < 1))
        return dosi_fail(err, DOSI_EINVAL,
            "noise: the probability of a threshold must be at least 2^-1000 "
            "and below 1, got %.17g",
            most);
    if (m < -((int64_t)1 << 61) || m > (int64_t)1 << 61)
        return dosi_fail(err, DOSI_EINVAL,
            "noise: a count must be at most 2^61 in size, got %lld",
            (long long)m);
    int64_t low = -search_end(scale);
    int64_t k = first_below(law, scale, low, ball_log(ball_of(most)));
    double upper = integer_law_tail_upper(law, scale, k);
    while (!(upper <= most)) /* the exponential may have rounded it up */
        upper = integer_law_tail_upper(law, scale, ++k);
    *tau = m + k;
    *d = upper;
    return DOSI_OK;
}
