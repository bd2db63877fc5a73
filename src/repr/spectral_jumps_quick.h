/*
 * Discs in doubles of any size, for terms of which a dozen digits are enough:
 * |z - (re + i im)| <= rad. A product of midpoints errs by at most sqrt(5)
 * units of its size, a sum by one; radii are rounded up.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_QUICK_H
#define DOSI_REPR_SPECTRAL_JUMPS_QUICK_H

#include "spectral_part.h"

typedef spectral_quick jump_quick;

#define JUMP_QUICK_UP (1 + 0x1p-45)
#define JUMP_QUICK_TINY 0x1p-500 /* what sizes lose by underflow */

static inline double jump_quick_size(jump_quick z)
{
    return sqrt(z.re * z.re + z.im * z.im) * (1 + 0x1p-50) +
           JUMP_QUICK_TINY;
}

static inline jump_quick jump_quick_of(disc z)
{
    jump_quick out = {z.re.hi, z.im.hi, 0};
    out.rad = (z.rad + 0x1p-52 * jump_quick_size(out)) * JUMP_QUICK_UP;
    return out;
}

static inline jump_quick jump_quick_add(jump_quick a, jump_quick b)
{
    jump_quick out = {a.re + b.re, a.im + b.im, 0};
    out.rad = (a.rad + b.rad + 0x1p-52 * jump_quick_size(out)) *
              JUMP_QUICK_UP;
    return out;
}

static inline jump_quick jump_quick_mul(jump_quick a, jump_quick b)
{
    double size_a = jump_quick_size(a), size_b = jump_quick_size(b);
    return (jump_quick){a.re * b.re - a.im * b.im,
        a.re * b.im + a.im * b.re,
        (size_a * b.rad + (size_b + b.rad) * a.rad +
            0x1p-51 * size_a * size_b) * JUMP_QUICK_UP};
}

/* 1/z - 1/m = (m - z)/(z m); of infinite radius where z may be 0. The midpoint
 * errs by at most 6 units of its size. */
static inline jump_quick jump_quick_inverse(jump_quick z)
{
    double norm = z.re * z.re + z.im * z.im, size = sqrt(norm);
    if (!(size > 2 * z.rad && norm > 0x1p-900 && norm < 0x1p900))
        return (jump_quick){0, 0, HUGE_VAL};
    return (jump_quick){z.re / norm, -z.im / norm,
        (z.rad / (size * (size - z.rad)) + 0x1p-50 / size) *
            JUMP_QUICK_UP};
}

/* z^n and (1 + z)^n - 1 for a whole n >= 1, by squaring: with v = (1+z)^m - 1
 * the square is v (2 + v), and a product v + w + v w. */
jump_quick jump_quick_power(jump_quick z, double n);
jump_quick jump_quick_power_less_one(jump_quick z, double n);

/* (1 + a) (1 + b) - 1, in double-doubles. */
disc jump_disc_join(disc a, disc b);

#endif
