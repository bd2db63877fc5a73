/*
 * Sums of exp(-j^2 / (2 sigma^2)) over the integers from m on: term by term, or
 * by Euler-Maclaurin on a fine lattice, and the whole sum by Poisson summation.
 * Derivation: docs/theory/account.md, "Discrete Gaussian".
 */
#include "gaussian_lattice.h"

#include "num/elem.h"
#include "special.h"

/* Sums are direct below this sigma, */
#define MIN_SMOOTH_SIGMA 16
/* and if consecutive terms fall faster than by exp(-MAX_SMOOTH_FALL). */
#define MAX_SMOOTH_FALL 0.1

/* Encloses the sum over i >= 0 of exp(-(2 m i + i^2) / (2 sigma^2)), term by
 * term; every ratio is exp(-(2 m + 2 i + 1) v / 2), v = 1/sigma^2. */
static ball direct_tail(ball v, ball m)
{
    ball half = ball_scale2(v, -1);
    ball twice = ball_add_d(ball_scale2(m, 1), 1); /* 2 m + 1 */
    ball ratio = ball_exp(ball_neg(ball_mul(half, twice)));
    ball fall = ball_exp(ball_neg(v));
    ball term = ball_of(1), sum = ball_of(1);
    for (int i = 0; i < 2000; i++) {
        term = ball_mul(term, ratio);
        ratio = ball_mul(ratio, fall);
        if (ball_upper(term) < 0x1p-112)
            break;
        sum = ball_add(sum, term);
    }
    /* ratios fall, so the remainder is at most a geometric series from term */
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
 * Encloses the sum of direct_tail by Euler-Maclaurin with 14 corrections. With
 * g(x) = exp(-x^2/(2 s^2)) the remainder is at most 2 zeta(28)/(2 pi)^28 times
 * the integral of |g^(28)| from m, and by Cauchy on a circle of radius r
 *
 *     |g^(28)(x)| <= 28! r^-28 g(x) exp((2 x r + r^2)/(2 s^2)),
 *
 * whose integral is at most g(m) exp(m r/s^2 + r^2/s^2) s sqrt(2 pi). So the
 * remainder is below g(m) |B_28| r^-28 exp(m r/s^2 + r^2/s^2) s sqrt(2 pi),
 * |B_28| sqrt(2 pi) < 6.9e7, for any r.
 */
static ball smooth_tail(const gaussian_lattice *l, ball m)
{
    ball v = l->v, w = ball_mul(v, m);
    double sigma = l->s;
    ball before = ball_of(1), h = w; /* He_0, He_1(m/s)/s */
    ball sum = ball_mul(ball_mills(ball_div(m, l->sigma)), l->sigma);
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
    double ratio = ball_mid(m) / sigma / sigma;
    double r = fmin(3.7 * sigma, ratio > 0 ? 20 / ratio : HUGE_VAL);
    double exponent = ratio * r + (r / sigma) * (r / sigma);
    dosi_interval log_rest = iv_sub(
        iv_add(iv_log(iv_point(6.9e7 * sigma)), iv_point(exponent + 1)),
        iv_mul(iv_point(28), iv_log(iv_point(r)))); /* 1: for rounding */
    return ball_widen(sum, iv_exp(log_rest).hi);
}

/* Encloses log of the sum over all j of exp(-j^2 / (2 sigma^2)). */
static ball log_total(const gaussian_lattice *l)
{
    if (l->s < 2.01) {
        ball tail = direct_tail(l->v, ball_of(0));
        return ball_log(ball_sub_d(ball_scale2(tail, 1), 1));
    }
    /* Poisson summation: sigma sqrt(2 pi) (1 + e) with
     * 0 < e <= 2.01 exp(-2 pi^2 sigma^2) < 2^-112 for sigma >= 2 */
    ball log_main = ball_add(
        ball_log(l->sigma), ball_scale2(ball_log_2pi(), -1));
    return ball_widen(log_main, 0x1p-112);
}

gaussian_lattice gaussian_lattice_of(ball variance)
{
    gaussian_lattice l = {.v = ball_div(ball_of(1), variance),
        .sigma = ball_sqrt(variance)};
    l.s = ball_mid(l.sigma);
    l.log_all = log_total(&l);
    return l;
}

ball gaussian_lattice_tail(const gaussian_lattice *l, ball m)
{
    if (l->s < MIN_SMOOTH_SIGMA || ball_mid(m) / l->s / l->s > MAX_SMOOTH_FALL)
        return direct_tail(l->v, m);
    return smooth_tail(l, m);
}

ball gaussian_lattice_log_share(const gaussian_lattice *l, ball m)
{
    ball exponent = ball_scale2(ball_mul(l->v, ball_sqr(m)), -1);
    ball tail = ball_log(gaussian_lattice_tail(l, m));
    return ball_sub(ball_sub(tail, exponent), l->log_all);
}
