#include "discrete_gaussian.h"

#include "num/elem.h"
#include "num/special.h"

/* Below this sigma sums are direct. */
#define FINE_SIGMA 16
/* ... and where consecutive terms fall faster than exp(-STEEP). */
#define STEEP 0.1

/* Points that a window may have. */
#define MAX_WINDOW 8192.0

/* The noise: v = 1/sigma^2, and sigma with its double. */
typedef struct lattice {
    ball v;
    ball sigma;
    double s;
    ball log_all; /* log of the sum over all j of exp(-j^2 v/2) */
} lattice;

/* sum over i >= 0 of exp(-(2 m i + i^2) / (2 sigma^2)), term by term; every
 * ratio is exp(-(2 m + 2 i + 1) v / 2), v = 1/sigma^2. */
static ball direct_tail(ball v, double m)
{
    ball half = ball_scale2(v, -1);
    ball ratio = ball_exp(ball_neg(ball_mul_d(half, 2 * m + 1)));
    ball fall = ball_exp(ball_neg(v));
    ball term = ball_of(1), sum = ball_of(1);
    for (int i = 0; i < 2000; i++) {
        term = ball_mul(term, ratio);
        ratio = ball_mul(ratio, fall);
        if (ball_upper(term) < 0x1p-112)
            break;
        sum = ball_add(sum, term);
    }
    /* ratios fall, so the rest is at most a geometric series from term */
    double rest = ball_upper(term) / (1 - ball_upper(ratio));
    return ball_widen(sum, rest >= 0 ? round_up(rest) * 2 : HUGE_VAL);
}

/* B_2i / (2i)!, i = 1..14: exact quotients, rounded to double-double. */
static const struct {
    double hi, lo;
} bernoulli_quotient[] = {
    {0x1.5555555555555p-4, 0x1.5555555555555p-58},
    {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
    {0x1.1566abc011567p-15, -0x1.50ffbaa655100p-69},
    {-0x1.bbd779334ef0bp-21, 0x1.4e65f77088199p-75},
    {0x1.66a8f2bf70ebep-26, -0x1.75a7bb0599f07p-80},
    {-0x1.22805d644267fp-31, 0x1.16a73200360d2p-88},
    {0x1.d6db2c4e09162p-37, -0x1.1ed444b9ec588p-95},
    {-0x1.7da4e1f79955cp-42, -0x1.2ff894d037a17p-96},
    {0x1.355871d652e9ep-47, -0x1.88d4ccd141422p-101},
    {-0x1.f57d968caacf1p-53, 0x1.9c31f0af5255fp-108},
    {0x1.967e1f09c376fp-58, -0x1.3ea5a927db8abp-116},
    {-0x1.497d9033a2b5cp-63, -0x1.b843f32aad364p-117},
    {0x1.0b132d7c6ad06p-68, 0x1.01d4526c8e75ep-122},
    {-0x1.b0f72d59f1c16p-74, -0x1.f30b7489fb679p-128},
};

/*
 * The same sum by Euler-Maclaurin with 14 corrections. With g(x) =
 * exp(-x^2/(2 s^2)) the remainder is at most 2 zeta(28)/(2 pi)^28 times the
 * integral of |g^(28)| from m, and by Cauchy on a circle of radius r
 *
 *     |g^(28)(x)| <= 28! r^-28 g(x) exp((2 x r + r^2)/(2 s^2)),
 *
 * whose integral is at most g(m) exp(m r/s^2 + r^2/s^2) s sqrt(2 pi). So the
 * remainder is below g(m) |B_28| r^-28 exp(m r/s^2 + r^2/s^2) s sqrt(2 pi),
 * |B_28| sqrt(2 pi) < 6.9e7, for any r.
 */
static ball smooth_tail(const lattice *l, double m)
{
    ball v = l->v, w = ball_mul_d(v, m);
    double sigma = l->s;
    ball before = ball_of(1), h = w; /* He_0, He_1(m/s)/s */
    ball sum = ball_mul(ball_mills(ball_div(ball_of(m), l->sigma)), l->sigma);
    sum = ball_add_d(sum, 0.5);
    size_t n_terms = sizeof bernoulli_quotient / sizeof *bernoulli_quotient;
    for (size_t i = 0; i < n_terms; i++) {
        ball b = {bernoulli_quotient[i].hi, bernoulli_quotient[i].lo,
            fabs(bernoulli_quotient[i].hi) * 0x1p-105};
        /* -B/(2n)! g^(2n-1)(m) = +B/(2n)! He_(2n-1)(m/s) s^-(2n-1) g(m) */
        sum = ball_add(sum, ball_mul(b, h));
        for (int step = 0; step < 2; step++) {
            /* He_(n+1)(u) = u He_n(u) - n He_(n-1)(u), each over s^n */
            double n = (double)(2 * i) + 1 + step;
            ball next = ball_sub(
                ball_mul(w, h), ball_mul(ball_mul_d(v, n), before));
            before = h;
            h = next;
        }
    }
    double ratio = m / sigma / sigma;
    double r = fmin(3.7 * sigma, ratio > 0 ? 20 / ratio : HUGE_VAL);
    double exponent = ratio * r + (r / sigma) * (r / sigma);
    dosi_interval log_rest = iv_sub(
        iv_add(iv_log(iv_point(6.9e7 * sigma)), iv_point(exponent + 1)),
        iv_mul(iv_point(28), iv_log(iv_point(r)))); /* 1: for rounding */
    return ball_widen(sum, iv_exp(log_rest).hi);
}

/* sum over j >= m of exp(-(j^2 - m^2) / (2 sigma^2)), m >= 0. */
static ball scaled_tail(const lattice *l, double m)
{
    if (l->s < FINE_SIGMA || m / l->s / l->s > STEEP)
        return direct_tail(l->v, m);
    return smooth_tail(l, m);
}

/* log of the sum over all j of exp(-j^2 / (2 sigma^2)). */
static ball log_total(const lattice *l)
{
    if (l->s < 2.01) {
        ball tail = direct_tail(l->v, 0);
        return ball_log(ball_sub_d(ball_scale2(tail, 1), 1));
    }
    /* Poisson summation: sigma sqrt(2 pi) (1 + e) with
     * 0 < e <= 2.01 exp(-2 pi^2 sigma^2) < 2^-112 for sigma >= 2 */
    ball log_main = ball_add(
        ball_log(l->sigma), ball_scale2(ball_log_2pi(), -1));
    return ball_widen(log_main, 0x1p-112);
}

static lattice lattice_of(ball variance)
{
    lattice l = {.v = ball_div(ball_of(1), variance),
        .sigma = ball_sqrt(variance)};
    l.s = ball_mid(l.sigma);
    l.log_all = log_total(&l);
    return l;
}

/* The lattice: L(j) = shift (2 j - shift) v / 2. */
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
static ball log_noise_tail(const lattice *l, double n)
{
    ball exponent = ball_scale2(ball_mul(l->v, ball_sqr(ball_of(n))), -1);
    ball tail = ball_log(scaled_tail(l, n));
    return ball_sub(ball_sub(tail, exponent), l->log_all);
}

/* From the complement, where P puts half its mass or more on the event:
 * delta = 1 - P[j < m] - e^eps Q[j >= m]. */
static ball log_delta_by_complement(
    const lattice *l, double shift, double m, ball eps)
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
        /* every loss but -L(0) and below is at least 2^978: delta lies
         * within exp(eps - 2^978) of 1 */
        return ball_upper(eps) < 0x1p900 ? ball_widen(ball_of(0), 0x1p-1000)
                                         : ball_unknown();
    }
    const lattice l = lattice_of(variance);
    double m = 0;
    if (!first_index(&m, l.v, shift, eps))
        return ball_unknown();
    if (m <= shift)
        return log_delta_by_complement(&l, shift, m, eps);
    /* P[j >= m] - e^eps Q[j >= m], both in units of P(m) */
    ball behind = ball_sub(eps, loss_at(l.v, shift, m));
    ball core = ball_sub(scaled_tail(&l, m - shift),
        ball_mul(ball_exp(behind), scaled_tail(&l, m)));
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
        /* 2 pi^2 > 19.739; the rounding of v is far below the slack */
        double v = sigma * sigma * (j / (j + 1.0)) * (1 - 0x1p-40);
        double e = iv_exp(iv_point(-19.739 * v)).hi;
        e = 2 * e / (1 - e * e) * (1 + 0x1p-40); /* n^2 >= 2 n - 1 */
        if (!(e < 0.5))
            return HUGE_VAL;
        double step = (2 * e / (1 - e)) * (1 + 0x1p-40); /* log1p(x) <= x */
        if (j == 256) { /* e_j falls with j */
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
    const lattice l = lattice_of(ball_sqr(ball_of(sigma)));
    /* theta(f) <= theta(0), and theta(f) >= exp(-v/8): j nearest to f */
    ball drop = ball_neg(ball_scale2(l.v, -3));
    if (fabs(ball_mid(f)) < 0x1p50 && sigma > 0.01) {
        ball log_f = ball_log(theta(l.v, f));
        drop = ball_sub(log_f, l.log_all);
    } else {
        drop = ball_of_interval(
            iv_make(ball_lower(ball_sub_d(drop, 2)), 0));
    }
    return ball_add(first, ball_div(drop, above));
}

ball discrete_gaussian_binary_epsilon(double sigma, double shift)
{
    if (fmod(shift, 2) != 1 || sigma > 0x1p40 || sigma < 0x1p-490)
        return ball_of(0);
    const lattice l = lattice_of(ball_sqr(ball_of(sigma)));
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
    const lattice l = lattice_of(ball_sqr(ball_of(sigma)));
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
