/*
 * Group privacy of zCDP by the triangle inequality of Rényi divergences.
 * Derivation: docs/theory/concentrated.md, section 5.
 */
#include "zcdp_group.h"

/* Harmonic numbers below this index are summed term by term. */
#define SERIES_FROM 256

/*
 * From SERIES_FROM on, by Euler and Maclaurin,
 *     H_k = log k + gamma + 1/(2k) - 1/(12 k^2) + 1/(120 k^4)
 *           - 1/(252 k^6) + 1/(240 k^8) - 1/(132 k^10) + r,
 * where |r| is below the next term, 691/(32760 k^12).
 */
static ball harmonic_series(double k)
{
    /* Euler's constant (digits: mpmath at 600 bits) */
    static const ball gamma = {
        0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58, 0x1p-110};
    static const double term[] = {-12, 120, -252, 240, -132};
    ball y = ball_div(ball_of(1), ball_sqr(ball_of(k)));
    ball power = y, sum = ball_of(0);
    for (int i = 0; i < 5; i++) {
        sum = ball_add(sum, ball_div_d(power, term[i]));
        power = ball_mul(power, y);
    }
    sum = ball_widen(sum, ball_upper(ball_mul_d(power, 0.0211)));
    sum = ball_add(sum, ball_div(ball_of(0.5), ball_of(k)));
    return ball_add(sum, ball_add(ball_log(ball_of(k)), gamma));
}

ball harmonic_number(double k)
{
    if (k >= SERIES_FROM)
        return harmonic_series(k);
    ball sum = ball_of(0);
    for (int i = (int)k; i >= 1; i--)
        sum = ball_add(sum, ball_div(ball_of(1), ball_of(i)));
    return sum;
}

cdp_line zcdp_group(cdp_line line, double k)
{
    ball n = ball_of(k);
    ball xi = ball_mul(line.xi, n);
    if (!ball_is_negative(line.xi) && !ball_is_zero(line.xi))
        xi = ball_mul(xi, harmonic_number(k));
    return (cdp_line){xi, ball_mul(line.rho, ball_sqr(n))};
}

ball zcdp_group_xi_simple(ball xi, ball k)
{
    return ball_mul(ball_mul(xi, k), ball_add_d(ball_log(k), 1));
}
