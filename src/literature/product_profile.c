/*
 * Profiles of compositions of two different laws. The Laplace loss has under Q
 * the atoms 1/2 at a and e^-a/2 at -a, and the density e^((l-a)/2)/4 between;
 * v = a - l runs from 0 to 2a. Derivation: docs/theory/tradeoff.md, section 7.
 */
#include "product_profile.h"

#include "noise/gaussian.h"
#include "special/binomial.h"
#include "special/excess.h"
#include "noise/base_profile.h"

ball product_gauss_approx(ball mu, ball eps0, ball delta0, ball eps)
{
    ball_coin c = ball_coin_of_log_odds(eps0);
    ball up = ball_mul(c.p, gauss_delta(mu, ball_sub(eps, eps0)));
    ball down = ball_mul(c.q, gauss_delta(mu, ball_add(eps, eps0)));
    ball keep = ball_sub(ball_of(1), delta0);
    return ball_add(delta0, ball_mul(keep, ball_add(up, down)));
}

/* ---- Laplace and Laplace ------------------------------------------------ */

static ball laplace_profile(ball b, ball s)
{
    const base_profile p = {.kind = BASE_PROFILE_LAPLACE, .parameter = b};
    return scaled_ball(base_profile_delta(&p, s));
}

static ball between(ball x, ball low, ball high)
{
    return ball_min(ball_max(x, low), high);
}

/*
 * int_0^2a e^(-v/2) delta_b(c + v) dv, c = eps - a, split at v1 = -b - c and
 * v2 = b - c:
 *   up to v1   2 (1 - e^(-v1/2)) (1 - e^(c + v1/2))
 *   to v2      e^-(b-c)/2 (2 e^(r/2) X(d/2) + d (e^(r/2) - 1)),
 * d = v2 - v1 the length after clamping to [0, 2a], r = b - c - v2, and
 * X(x) = e^x - 1 - x.
 */
static ball laplace_integral(ball a, ball b, ball c)
{
    ball zero = ball_of(0), end = ball_scale2(a, 1), top = ball_sub(b, c);
    ball v1 = between(ball_neg(ball_add(b, c)), zero, end);
    ball v2 = between(top, zero, end);
    ball half = ball_scale2(v1, -1);
    ball first =
        ball_mul(ball_expm1(ball_neg(half)), ball_expm1(ball_add(c, half)));
    ball d = ball_max(ball_sub(v2, v1), zero), r = ball_sub(top, v2);
    ball lift = ball_max(ball_scale2(r, -1), zero);
    ball second = ball_scale2(
        ball_mul(ball_exp(lift), excess_exp(ball_scale2(d, -1))), 1);
    second = ball_add(second, ball_mul(d, ball_expm1(lift)));
    second = ball_mul(second, ball_exp(ball_neg(ball_scale2(top, -1))));
    if (ball_less_equal(top, zero)) /* delta_b is 0 beyond b */
        second = zero;
    return ball_add(ball_scale2(first, 1), second);
}

ball product_laplace_laplace(ball a, ball b, ball eps)
{
    if (ball_less(b, a)) { /* commutes; the larger range has the profile */
        ball other = a;
        a = b;
        b = other;
    }
    ball c = ball_sub(eps, a);
    if (ball_less_equal(b, c)) /* beyond the largest loss */
        return ball_of(0);
    ball sum = ball_add(laplace_profile(b, c),
        ball_mul(ball_exp(ball_neg(a)), laplace_profile(b, ball_add(eps, a))));
    ball inner = laplace_integral(a, b, c);
    return ball_add(ball_scale2(sum, -1), ball_scale2(inner, -2));
}
