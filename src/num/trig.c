#include "trig.h"

/* sum_{j>=0} (-1)^j first r^{2j} / (next (next+1) ... ): the sine for
 * first = r, next = 2, the cosine for first = 1, next = 1. The series is
 * alternating with falling terms for |r| < 1, so the remainder is at most
 * the first term left out. */
static ball trig_series(ball first, ball r2, int next)
{
    ball term = first, sum = first;
    for (int j = 0; j < 15; j++, next += 2) {
        term = ball_div_d(ball_mul(term, r2), -(double)(next * (next + 1)));
        sum = ball_add(sum, term);
    }
    return ball_widen(sum, fabs(term.hi) + term.rad);
}

void ball_sin_cos(ball *sine, ball *cosine, ball x)
{
    if (!(fabs(x.hi) < 0x1p40 && x.rad < 0x1p-4)) {
        *sine = *cosine = (ball){0, 0, 1}; /* |sin|, |cos| <= 1 */
        return;
    }
    ball quarter = ball_scale2(ball_pi(), -1);
    double n = floor(x.hi / quarter.hi + 0.5);
    ball r = ball_sub(x, ball_mul_d(quarter, n)); /* |r| < 0.79 + rad */
    ball r2 = ball_sqr(r);
    ball s = trig_series(r, r2, 2);
    ball c = trig_series(ball_of(1), r2, 1);
    switch ((int)(n - 4 * floor(n / 4))) {
    case 0:
        *sine = s;
        *cosine = c;
        break;
    case 1:
        *sine = c;
        *cosine = ball_neg(s);
        break;
    case 2:
        *sine = ball_neg(s);
        *cosine = ball_neg(c);
        break;
    default:
        *sine = ball_neg(c);
        *cosine = s;
        break;
    }
}

disc disc_of(ball re, ball im)
{
    /* sqrt(r^2 + s^2) <= r + s */
    return (disc){{re.hi, re.lo}, {im.hi, im.lo},
        (re.rad + im.rad) * (1 + 0x1p-45)};
}

disc disc_turn(ball x)
{
    ball sine, cosine;
    ball_sin_cos(&sine, &cosine, x);
    return disc_of(cosine, sine);
}

disc disc_div(disc z, ball x)
{
    /* a shared radius is right for each part, and both parts share x */
    ball re = ball_div(disc_re(z), x), im = ball_div(disc_im(z), x);
    return disc_of(re, im);
}

disc disc_power(disc z, double n)
{
    disc result = {{1, 0}, {0, 0}, 0};
    for (;;) {
        double half = floor(n / 2);
        if (n - 2 * half == 1)
            result = disc_mul(result, z);
        if (half == 0)
            return result;
        n = half;
        z = disc_mul(z, z);
    }
}
