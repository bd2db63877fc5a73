/*
 * Sine and cosine of balls, and discs: complex numbers as a double-double
 * midpoint with one radius,
 *
 *     |z - (re + i im)| <= rad.
 *
 * One radius for both parts, because a product of many rotations would make
 * two separate radii grow by sqrt(2) each time.
 */
#ifndef DOSI_NUM_TRIG_H
#define DOSI_NUM_TRIG_H

#include "ball.h"
#include "dd.h"

/* Encloses sine and cosine of x; radius at most 2^-96 (1 + |x|) for an exact x
 * with |x| < 2^40, else 1. */
void ball_sin_cos(ball *sine, ball *cosine, ball x);

typedef struct disc {
    dd re;
    dd im;
    double rad;
} disc;

/* Encloses re + i im. */
disc disc_of(ball re, ball im);

/* Encloses e^{ix}. */
disc disc_phase(ball x);

/* Real and imaginary part as balls. */
static inline ball disc_re(disc z)
{
    return (ball){z.re.hi, z.re.lo, z.rad};
}
static inline ball disc_im(disc z)
{
    return (ball){z.im.hi, z.im.lo, z.rad};
}

/* >= the modulus of the midpoint; the last term covers the underflow of
 * squares. */
static inline double disc_size(disc z)
{
    return sqrt(z.re.hi * z.re.hi + z.im.hi * z.im.hi) * (1 + 0x1p-50) +
           0x1p-510;
}

/* Each part of the product errs by 5u^2 of the two terms and 3u^2 of their
 * sum: at most 9u^2 |a| |b|, both parts together 13u^2, charged as 32u^2. */
static inline disc disc_mul(disc a, disc b)
{
    double size_a = disc_size(a), size_b = disc_size(b);
    disc z;
    z.re = dd_sub(dd_mul(a.re, b.re), dd_mul(a.im, b.im));
    z.im = dd_add(dd_mul(a.re, b.im), dd_mul(a.im, b.re));
    z.rad = (size_a * b.rad + size_b * a.rad + a.rad * b.rad +
                size_a * size_b * BALL_UNIT + BALL_TINY) *
            (1 + 0x1p-45);
    return z;
}

static inline disc disc_add(disc a, disc b)
{
    disc z = {dd_add(a.re, b.re), dd_add(a.im, b.im), 0};
    z.rad = (a.rad + b.rad + disc_size(z) * BALL_UNIT) * (1 + 0x1p-45);
    return z;
}

/* Encloses z / x for a real x. */
disc disc_div(disc z, ball x);

/*
 * Encloses z^n by squaring.
 *
 * requires  n an integer, 0 <= n <= 2^53
 */
disc disc_power(disc z, double n);

#endif
