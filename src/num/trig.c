/*
 * Sine and cosine of balls by Taylor series, and arithmetic of discs.
 */
#include "trig.h"

#define TERMS 15

/* (-1)^j/(2j)! and (-1)^j/(2j+1)!, j = 0, 1, ...: nearest double-doubles of
 * the exact fractions. */
static const dd even[TERMS] = {
    {0x1p+0, 0},
    {-0x1p-1, 0},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {-0x1.27e4fb7789f5cp-22, -0x1.cbbc05b4fa99ap-76},
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
    {-0x1.93974a8c07c9dp-37, -0x1.05d6f8a2efd1fp-92},
    {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
    {-0x1.6827863b97d97p-53, -0x1.eec01221a8b0bp-107},
    {0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},
    {-0x1.0ce396db7f853p-70, 0x1.aebcdbd20331cp-124},
    {0x1.f2cf01972f578p-80, -0x1.9ada5fcc1ab14p-135},
    {-0x1.88e85fc6a4e5ap-89, 0x1.71c37ebd16540p-143},
    {0x1.0a18a2635085dp-98, 0x1.b9e2e28e1aa54p-153},
};

static const dd odd[TERMS] = {
    {0x1p+0, 0},
    {-0x1.5555555555555p-3, -0x1.5555555555555p-57},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {-0x1.a01a01a01a01ap-13, -0x1.a01a01a01a01ap-73},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
    {-0x1.ae64567f544e4p-26, 0x1.c062e06d1f209p-80},
    {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
    {-0x1.ae7f3e733b81fp-41, -0x1.1d8656b0ee8cbp-97},
    {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
    {-0x1.2f49b46814157p-57, -0x1.2650f61dbdcb4p-112},
    {0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120},
    {-0x1.761b41316381ap-75, 0x1.3423c7d91404fp-130},
    {0x1.3f3ccdd165fa9p-84, -0x1.58ddadf344487p-139},
    {-0x1.d1ab1c2dccea3p-94, -0x1.054d0c78aea14p-149},
    {0x1.259f98b4358adp-103, 0x1.eaf8c39dd9bc5p-157},
};

/*
 * sum c_j s^j for 0 <= s <= 0.63 and one of the tables, by Horner's rule,
 * within 2^-101 of the infinite series: with |c_(j+1)| <= |c_j|/2 and s
 * |c_(j+1)| <= |c_j|/3 each step adds at most 10u^2 |c_j| (the product 5u^2, s
 * 5u^2 and the coefficient u^2 of their values, the sum 3u^2), and inherits at
 * most a third of the error of the last step: 15u^2 in all. The omitted terms,
 * alternating and falling, are below 2^-117.
 */
static dd trig_series(const dd *c, dd s)
{
    dd sum = c[TERMS - 1];
    for (int j = TERMS - 2; j >= 0; j--)
        sum = dd_add(c[j], dd_mul(s, sum));
    return sum;
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
    /* at the midpoint; neither changes by more than the argument */
    dd square = dd_mul(ball_dd(r), ball_dd(r));
    dd over = dd_mul(ball_dd(r), trig_series(odd, square));
    ball s = ball_from(over, r.rad + fabs(r.hi) * BALL_UNIT + BALL_TINY);
    ball c = ball_from(trig_series(even, square), r.rad + BALL_UNIT);
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

disc disc_phase(ball x)
{
    ball sine, cosine;
    ball_sin_cos(&sine, &cosine, x);
    return disc_of(cosine, sine);
}

disc disc_div(disc z, ball x)
{
    /* a shared radius is valid for each part, and both parts share x */
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
