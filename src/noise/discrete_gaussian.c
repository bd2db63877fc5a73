/*
 * The discrete Gaussian: privacy profile, Renyi divergence and atoms, from sums
 * over the lattice. Derivation: docs/theory/account.md, "Discrete Gaussian".
 */
#include "discrete_gaussian.h"

#include "num/elem.h"
#include "special/gaussian_lattice.h"

/* Greatest number of points of a window. */
#define MAX_WINDOW 8192.0

/* The loss on the lattice: L(j) = shift (2 j - shift) v / 2. */
static ball loss_at(ball v, double shift, double j)
{
    ball twice = ball_sub_d(ball_mul_d(ball_of(2), j), shift);
    return ball_mul(ball_mul(v, ball_of(shift)), ball_scale2(twice, -1));
}

/* The least m whose loss is not certainly <= eps; false beyond 2^50. */
static bool first_index(double *m, ball v, double shift, ball eps)
{
    ball guess = ball_add(
        ball_div(eps, ball_mul_d(v, shift)), ball_of(shift / 2));
    double j = ceil(ball_mid(guess));
    if (!(fabs(j) < 0x1p50 && shift < 0x1p50) || ball_is_unknown(guess))
        return false;
    for (int i = 0; i < 4; i++) {
        if (ball_less_equal(loss_at(v, shift, j), eps))
            j++;
        else if (!ball_less_equal(loss_at(v, shift, j - 1), eps))
            j--;
        else {
            *m = j;
            return true;
        }
    }
    return false;
}

/* log Pr[noise >= n], n >= 1. */
static ball log_noise_tail(const gaussian_lattice *l, double n)
{
    return gaussian_lattice_log_share(l, ball_of(n));
}

/* log delta from the complement, if P puts half its mass or more on the event:
 * delta = 1 - P[j < m] - e^eps Q[j >= m]. */
static ball log_delta_by_complement(
    const gaussian_lattice *l, double shift, double m, ball eps)
{
    ball miss = ball_exp(log_noise_tail(l, shift - m + 1));
    ball false_alarm;
    if (m >= 1) {
        ball log_q = log_noise_tail(l, m);
        false_alarm = ball_exp(ball_add(eps, log_q));
    } else {
        ball log_rest = log_noise_tail(l, 1 - m);
        false_alarm = ball_exp(ball_add(eps, ball_log1mexp(log_rest)));
    }
    return ball_log1p(ball_neg(ball_add(miss, false_alarm)));
}

ball discrete_gaussian_log_delta(ball variance, double shift, ball eps)
{
    if (!(ball_upper(variance) <= 0x1p80 && shift < 0x1p50))
        return ball_unknown();
    if (!(ball_lower(variance) >= 0x1p-980)) {
        /* every loss except -L(0) and below is at least 2^978: delta lies
         * within exp(eps - 2^978) of 1 */
        return ball_upper(eps) < 0x1p900 ? ball_widen(ball_of(0), 0x1p-1000)
                                         : ball_unknown();
    }
    const gaussian_lattice l = gaussian_lattice_of(variance);
    double m = 0;
    if (!first_index(&m, l.v, shift, eps))
        return ball_unknown();
    if (m <= shift)
        return log_delta_by_complement(&l, shift, m, eps);
    /* P[j >= m] - e^eps Q[j >= m], both in units of P(m) */
    ball behind = ball_sub(eps, loss_at(l.v, shift, m));
    ball core = ball_sub(gaussian_lattice_tail(&l, ball_of(m - shift)),
        ball_mul(ball_exp(behind), gaussian_lattice_tail(&l, ball_of(m))));
    /* if L(m) < eps after all, its term should be 0, not 1 - e^behind */
    double surplus = ball_upper(behind);
    if (surplus > 0)
        core = ball_widen(core, 2 * surplus);
    ball square = ball_sqr(ball_of(m - shift));
    ball exponent = ball_scale2(ball_mul(l.v, square), -1);
    return ball_sub(ball_sub(ball_log(core), exponent), l.log_all);
}

/*
 * With variances a and b the masses of a sum are
 *
 *     exp(-m^2/(2 (a + b))) sum_i exp(-(i - c_m)^2/(2 v)),  v = ab/(a + b),
 *
 * and by Poisson summation the second factor varies within 1 +- e of its
 * mean, e = 2 sum_n exp(-2 pi^2 v n^2). Adding the (j+1)-st run, v = sigma^2
 * j/(j+1), so the log of the ratio grows by log((1 + e_j)/(1 - e_j)).
 */
double discrete_gaussian_sum_distance(double sigma, double k)
{
    if (k == 1)
        return 0;
    double total = 0;
    for (int j = 1; j < k; j++) {
        /* 2 pi^2 > 19.739; the factor covers the rounding of v */
        double v = sigma * sigma * (j / (j + 1.0)) * (1 - 0x1p-40);
        double e = iv_exp(iv_point(-19.739 * v)).hi;
        e = 2 * e / (1 - e * e) * (1 + 0x1p-40); /* n^2 >= 2 n - 1 */
        if (!(e < 0.5))
            return HUGE_VAL;
        double step = (2 * e / (1 - e)) * (1 + 0x1p-40); /* log1p(x) <= x */
        if (j == 256) {                                  /* e_j falls with j */
            total += step * (k - j);
            break;
        }
        total += step;
    }
    return total * (1 + 0x1p-40) + 0x1p-1000;
}

/* theta(f) by direct summation around f, for sigma < 2. */
static ball theta(ball v, ball f)
{
    double centre = round(ball_mid(f));
    ball sum = ball_of(0);
    for (int side = 0; side < 2; side++) {
        for (int i = side; i < 60; i++) {
            ball away = ball_sub(ball_of(centre + (side ? -i : i)), f);
            ball square = ball_scale2(ball_mul(v, ball_sqr(away)), -1);
            sum = ball_add(sum, ball_exp(ball_neg(square)));
        }
    }
    /* beyond: distance >= 59, v >= 1/4, ratios below 1/2 */
    return ball_widen(sum, 0x1p-600);
}

ball discrete_gaussian_renyi(double sigma, double shift, ball order)
{
    ball ratio = ball_div(ball_of(shift), ball_of(sigma));
    ball first = ball_scale2(ball_mul(order, ball_sqr(ratio)), -1);
    ball f = ball_mul_d(order, shift);
    if (f.rad == 0 && f.lo == 0 && f.hi == floor(f.hi))
        return first;
    ball above = ball_sub_d(order, 1);
    if (sigma >= 2) /* theta varies by less than 2^-110 relatively */
        return ball_sub(first,
            ball_mul(ball_div(ball_of(1), above),
                ball_of_interval(iv_make(0, 0x1p-110))));
    const gaussian_lattice l = gaussian_lattice_of(ball_sqr(ball_of(sigma)));
    /* theta(f) <= theta(0), and theta(f) >= exp(-v/8): j nearest to f */
    ball drop = ball_neg(ball_scale2(l.v, -3));
    if (fabs(ball_mid(f)) < 0x1p50 && sigma > 0.01) {
        ball log_f = ball_log(theta(l.v, f));
        drop = ball_sub(log_f, l.log_all);
    } else {
        drop = ball_of_interval(iv_make(ball_lower(ball_sub_d(drop, 2)), 0));
    }
    return ball_add(first, ball_div(drop, above));
}

ball discrete_gaussian_binary_epsilon(double sigma, double shift)
{
    if (fmod(shift, 2) != 1 || sigma > 0x1p40 || sigma < 0x1p-490)
        return ball_of(0);
    const gaussian_lattice l = gaussian_lattice_of(ball_sqr(ball_of(sigma)));
    double n = (shift + 1) / 2; /* error: noise >= n */
    ball log_wrong = log_noise_tail(&l, n);
    return ball_sub(ball_log1mexp(log_wrong), log_wrong);
}

/* The window is symmetric around shift/2: j from first to shift - first. */
static double window_first(double sigma, double reach)
{
    return -ceil(reach * sigma) - 1;
}

size_t discrete_gaussian_window(double sigma, double shift, double reach)
{
    if (!(sigma >= 0x1p-400 && sigma <= MAX_WINDOW && shift <= MAX_WINDOW))
        return 0;
    double n = shift - 2 * window_first(sigma, reach) + 1;
    return n <= MAX_WINDOW ? (size_t)n : 0;
}

ball discrete_gaussian_atoms(ball *loss, ball *log_mass, size_t n,
    double sigma, double shift, double reach)
{
    const gaussian_lattice l = gaussian_lattice_of(ball_sqr(ball_of(sigma)));
    double first = window_first(sigma, reach);
    for (size_t i = 0; i < n; i++) {
        double j = first + (double)i;
        loss[i] = loss_at(l.v, shift, j);
        ball square = ball_sqr(ball_of(j - shift));
        log_mass[i] = ball_sub(
            ball_neg(ball_scale2(ball_mul(l.v, square), -1)), l.log_all);
    }
    /* outside, the noise of P is beyond 1 - first on either side */
    ball log_tail = log_noise_tail(&l, 1 - first);
    double most = ball_upper(ball_exp(ball_add_d(log_tail, 1)));
    return ball_of_interval(iv_make(0, most)); /* e > 2 sides */
}
