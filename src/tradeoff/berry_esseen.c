/*
 * Moments of the losses of named trade-off functions, the Berry-Esseen band of
 * their composition, and the constants of the limit theorems of sampled
 * compositions. Derivation: docs/theory/tradeoff.md, section 6.
 */
#include "berry_esseen.h"

#include "sampling/amplify.h"
#include "noise/gaussian.h"
#include "special/binomial.h"
#include "num/bracket.h"
#include "num/ends.h"
#include "special/excess.h"
#include "special/special.h"
#include "tradeoff.h"

static ball one_minus(ball x)
{
    return ball_sub(ball_of(1), x);
}

static ball cube(ball x)
{
    return ball_mul(x, ball_sqr(x));
}

/* ---- Moments ------------------------------------------------------------ */

static loss_moments moments_zero(void)
{
    ball zero = ball_of(0);
    return (loss_moments){zero, zero, zero, zero, zero};
}

/* E|N(m, s^2)|^3 with m = mu^2/2, s = mu: s^3 times
 * (r^3 + 3r) erf(r/sqrt 2) + 2 phi(r) (r^2 + 2), r = m/s = mu/2. */
loss_moments moments_of_gauss(ball mu)
{
    ball square = ball_sqr(mu), r = ball_scale2(mu, -1);
    loss_moments m;
    m.mean = ball_scale2(square, -1);
    m.variance = square;
    m.square = ball_add(square, ball_sqr(m.mean));
    ball odd = ball_mul(r, ball_add_d(ball_sqr(r), 3));
    ball even = ball_scale2(ball_add_d(ball_sqr(r), 2), 1);
    ball inner = ball_add(ball_mul(odd, tradeoff_gauss_tv(mu)),
        ball_mul(even, ball_normal_pdf(r)));
    m.cube = ball_mul(cube(mu), inner);
    /* 2 sqrt(2/pi) mu^3 */
    ball root = ball_sqrt(ball_div(ball_of(8), ball_pi()));
    m.central = ball_mul(root, cube(mu));
    return m;
}

/*
 * 2^(n+1) n! times the remainder e^y - sum_{i<=n} y^i/i! of the exponential
 * series, over e^y for y > 0. With y = x/2 it is int_0^x v^n e^(-v/2) dv; with
 * y = -x/2 it is (-1)^(n+1) e^(-x/2) int_0^x v^n e^(v/2) dv.
 */
static ball exp_remainder(int n, ball y)
{
    ball term = ball_of(1), sum = term, rest = ball_of(0);
    bool grows = y.hi > 0;
    ball decay = ball_exp(grows ? ball_neg(y) : y);
    double scale = 2;
    for (int i = 1; i <= n; i++) {
        term = ball_div_d(ball_mul(term, y), i);
        sum = ball_add(sum, term);
        scale *= 2.0 * i;
    }
    if (fabs(y.hi) >= 1) /* one or two digits cancel */
        return ball_mul_d(grows ? one_minus(ball_mul(decay, sum))
                                : ball_sub(decay, sum), scale);
    for (int i = n + 1; i <= n + 24; i++) {
        term = ball_div_d(ball_mul(term, y), i);
        rest = ball_add(rest, term);
    }
    /* |y| < 2: each further term is below 1/12 of the one before */
    rest = ball_widen(rest, ball_magnitude(term));
    return ball_mul_d(grows ? ball_mul(rest, decay) : rest, scale);
}

/*
 * E |L + c|^n of the Laplace loss under P: atoms 1/2 at -a and e^-a/2 at a, and
 * the density e^(-(a+l)/2)/4 between. With v = l + c from -(a-c) to a+c,
 * e^(-(a+l)/2) = e^(-(a-c)/2) e^(-v/2).
 */
static ball laplace_moment(ball a, ball c, int n)
{
    ball low = ball_sub(a, c), high = ball_add(a, c);
    ball low_n = low, high_n = high;
    for (int i = 1; i < n; i++) {
        low_n = ball_mul(low_n, low);
        high_n = ball_mul(high_n, high);
    }
    ball atoms = ball_scale2(
        ball_add(low_n, ball_mul(ball_exp(ball_neg(a)), high_n)), -1);
    ball half = ball_neg(ball_scale2(low, -1));
    ball growing = exp_remainder(n, half);
    ball inner = ball_add(n % 2 == 0 ? ball_neg(growing) : growing,
        ball_mul(ball_exp(half), exp_remainder(n, ball_scale2(high, -1))));
    return ball_add(atoms, ball_scale2(inner, -2));
}

loss_moments moments_of_laplace(ball mu)
{
    if (ball_is_zero(mu))
        return moments_zero();
    loss_moments m;
    ball zero = ball_of(0);
    m.mean = excess_exp(ball_neg(mu)); /* mu + e^-mu - 1 */
    m.square = laplace_moment(mu, zero, 2);
    m.variance = laplace_moment(mu, m.mean, 2);
    m.cube = laplace_moment(mu, zero, 3);
    m.central = laplace_moment(mu, m.mean, 3);
    return m;
}

/* Losses e' with mass x, -e' with mass y, else 0: x = 1/(1+e^eps),
 * y = x e^e', e' = log(1 + p (e^eps - 1)). */
loss_moments moments_of_sampled_pure(ball rate, ball eps)
{
    ball loss = amplify_epsilon(rate, eps);
    ball_coin c = ball_coin_of_log_odds(eps);
    ball x = c.q;
    /* x e^e' = x (1-p) + p e^eps x */
    ball y = ball_add(ball_mul(one_minus(rate), x), ball_mul(rate, c.p));
    ball both = ball_add(x, y);
    loss_moments m;
    m.mean = ball_mul(loss, ball_mul(rate, ball_tanh(ball_scale2(eps, -1))));
    m.square = ball_mul(ball_sqr(loss), both);
    /* e'^2 (x + y - (p tanh)^2), in positive terms, as tanh = 1 - 2x:
     * e'^2 ((1-p) (p + 2x) + 4 p^2 x (1-x)) */
    ball mixed = ball_mul(one_minus(rate), ball_add(rate, ball_scale2(x, 1)));
    ball whole = ball_scale2(ball_mul(ball_sqr(rate), ball_mul(c.p, x)), 2);
    m.variance = ball_mul(ball_sqr(loss), ball_add(mixed, whole));
    m.cube = ball_mul(cube(loss), both);
    ball up = ball_mul(x, cube(ball_add(loss, m.mean)));
    /* e' (1 - p tanh) */
    ball below = ball_add(one_minus(rate), ball_scale2(ball_mul(rate, x), 1));
    ball down = ball_mul(y, cube(ball_mul(loss, below)));
    /* 1 - x - y = (1-p) tanh(eps/2) */
    ball flat = ball_mul(one_minus(rate), ball_tanh(ball_scale2(eps, -1)));
    m.central = ball_add(ball_add(up, down), ball_mul(flat, cube(m.mean)));
    return m;
}

loss_moments moments_of_pure(ball eps)
{
    return moments_of_sampled_pure(ball_of(1), eps);
}

loss_moments moments_of_sampled_gauss(ball rate, ball mu, bool printed)
{
    loss_moments m = moments_zero();
    if (ball_is_zero(rate) || ball_is_zero(mu))
        return m;
    fixed_sample s = {rate, mu};
    m.mean = fixed_sample_mean(&s);
    m.square = fixed_sample_square(&s);
    m.variance = ball_sub(m.square, ball_sqr(m.mean));
    m.central = fixed_sample_central(&s, m.mean, printed);
    return m;
}

void moments_add(loss_moments *sum, const loss_moments *one, double count)
{
    sum->mean = ball_add(sum->mean, ball_mul_d(one->mean, count));
    sum->square = ball_add(sum->square, ball_mul_d(one->square, count));
    sum->variance = ball_add(sum->variance, ball_mul_d(one->variance, count));
    sum->cube = ball_add(sum->cube, ball_mul_d(one->cube, count));
    sum->central = ball_add(sum->central, ball_mul_d(one->central, count));
}

/* ---- The band ----------------------------------------------------------- */

clt_band clt_band_of(const loss_moments *m, ball n)
{
    ball root = ball_sqrt(n), deviation = ball_sqrt(m->variance);
    clt_band b;
    b.mu = ball_div(ball_scale2(ball_mul(root, m->mean), 1), deviation);
    ball third = ball_mul(deviation, m->variance);
    /* 0.56 = 14/25 */
    b.gamma = ball_div(ball_mul_d(m->central, 14), ball_mul_d(root, 25));
    b.gamma = ball_div(b.gamma, third);
    return b;
}

ball clt_lower(const clt_band *b, double alpha)
{
    ball level = ball_add_d(b->gamma, alpha);
    if (ball_less_equal(ball_of(1), level))
        return ball_of(0);
    share at = {level, one_minus(level)};
    ball f = ball_sub(tradeoff_gauss(b->mu, at).value, b->gamma);
    return ball_max(f, ball_of(0));
}

ball clt_upper(const clt_band *b, double alpha)
{
    ball level = ball_sub(ball_of(alpha), b->gamma);
    share at = {level, one_minus(level)};
    return ball_add(tradeoff_gauss(b->mu, at).value, b->gamma);
}

/* gamma (1 + e^eps); unknown on overflow. */
static ball band_width(const clt_band *b, ball eps)
{
    return ball_mul(b->gamma, ball_add_d(ball_exp(eps), 1));
}

ball clt_delta_floor(const clt_band *b)
{
    ball vertex = ball_normal_sf(ball_scale2(b->mu, -1));
    if (ball_less_equal(vertex, b->gamma))
        return ball_of(1);
    share at = {b->gamma, one_minus(b->gamma)};
    ball floor = ball_add(tradeoff_gauss(b->mu, at).rest, b->gamma);
    if (ball_less(b->gamma, vertex))
        return floor;
    return ball_hull(floor, ball_of(1));
}

ball clt_delta_upper(const clt_band *b, ball eps)
{
    ball floor = clt_delta_floor(b);
    ball vertex = ball_normal_sf(ball_scale2(b->mu, -1));
    ball u =
        ball_normal_sf(ball_add(ball_div(eps, b->mu), ball_scale2(b->mu, -1)));
    if (!ball_less(b->gamma, vertex) || ball_less(u, b->gamma))
        return floor;
    ball sum = ball_add(gauss_delta(b->mu, eps), band_width(b, eps));
    return ball_less_equal(b->gamma, u) ? sum : ball_hull(sum, floor);
}

ball clt_delta_lower(const clt_band *b, ball eps)
{
    ball log_width = ball_add(ball_log(b->gamma), eps);
    if (ball_is_positive(log_width)) /* gamma e^eps > 1 */
        return ball_of(0);
    ball x = ball_sub(gauss_delta(b->mu, eps), band_width(b, eps));
    return ball_max(x, ball_of(0));
}

/* ---- Sampled limits ----------------------------------------------------- */

/*
 * (e^(mu^2) - 1) Phi(3 mu/2) + (erf(3a) - 3 erf(a))/2 with a = mu/sqrt 8. The
 * slope of the second difference is 6/sqrt(pi) (e^(-9 a^2) - e^(-a^2)), between
 * -48 a^2/sqrt(pi) and 0: it is in [-16 a^3/sqrt(pi), 0].
 */
static ball chi_gauss(ball mu)
{
    ball upper = ball_normal_cdf(ball_mul_d(mu, 1.5));
    ball main = ball_mul(ball_expm1(ball_sqr(mu)), upper);
    ball a = ball_div(mu, ball_sqrt(ball_of(8)));
    ball bend = ball_mul_d(ball_div(cube(a), ball_sqrt(ball_pi())), -16);
    if (mu.hi > 0x1p-50) /* else too many digits cancel */
        bend = ball_sub(ball_erf(ball_mul_d(a, 3)), ball_mul_d(ball_erf(a), 3));
    else
        bend = ball_hull(bend, ball_of(0));
    return ball_add(main, ball_scale2(bend, -1));
}

ball limit_log_chi_gauss(ball mu)
{
    if (mu.hi < 6)
        return ball_log(chi_gauss(mu));
    ball square = ball_sqr(mu);
    ball lower = ball_normal_sf(ball_scale2(mu, -1));
    ball rest = ball_mul(
        ball_sub_d(ball_mul_d(lower, 3), 2), ball_exp(ball_neg(square)));
    ball upper = ball_normal_sf(ball_mul_d(mu, 1.5));
    return ball_add(square, ball_log1p(ball_sub(rest, upper)));
}

/* (e^eps - 1)^2/(1 + e^eps) = (e^eps - 1) tanh(eps/2) */
ball limit_chi_pure(ball eps)
{
    return ball_mul(ball_expm1(eps), ball_tanh(ball_scale2(eps, -1)));
}

/*
 * Substituting the slope z in [0, mu] of the loss: the atom e^-mu/2 at mu and
 * the density e^(-(mu+z)/2)/4 give
 *     (e^mu-1)^2 e^-mu/2 + int_0^mu (e^z - 1)^2 e^(-(mu+z)/2)/4 dz,
 * and with h = e^(z/2), e^(-mu/2)/2 (h^3/3 - 2h - 1/h) between 1 and e^(mu/2)
 * for the integral. In u = e^(mu/2) - 1 that polynomial is
 *     (u^4 + 4 u^3)/(3 (1 + u)).
 */
ball limit_chi_laplace(ball mu)
{
    ball half = ball_scale2(mu, -1);
    ball atom = ball_scale2(
        ball_mul(ball_expm1(mu), ball_neg(ball_expm1(ball_neg(mu)))), -1);
    ball u = ball_expm1(half), third = cube(u);
    ball top = ball_mul(third, ball_add_d(u, 4));
    ball body = ball_div(top, ball_mul_d(ball_add_d(u, 1), 3));
    body = ball_scale2(ball_mul(body, ball_exp(ball_neg(half))), -1);
    return ball_add(atom, body);
}

static ball chi_gap(ball mu, const void *context)
{
    const ball *target = context;
    return ball_sub(limit_log_chi_gauss(mu), *target);
}

dosi_interval limit_chi_gauss_inverse(ball log_chi)
{
    return bracket_root_of(chi_gap, &log_chi, 1e-150, 1e150);
}
