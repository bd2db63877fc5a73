/*
 * Powers of discs.
 */
#include "spectral_jumps_quick.h"

jump_quick jump_quick_power(jump_quick z, double n)
{
    jump_quick out = {1, 0, 0};
    for (;;) {
        double half = floor(n / 2);
        if (n - 2 * half > 0)
            out = jump_quick_mul(out, z);
        if (half == 0)
            return out;
        z = jump_quick_mul(z, z);
        n = half;
    }
}

jump_quick jump_quick_power_less_one(jump_quick z, double n)
{
    jump_quick out = {0, 0, 0};
    for (;;) {
        double half = floor(n / 2);
        if (n - 2 * half > 0)
            out = jump_quick_add(
                jump_quick_add(out, z), jump_quick_mul(out, z));
        if (half == 0)
            return out;
        z = jump_quick_mul(
            z, (jump_quick){2 + z.re, z.im,
                   z.rad + 0x1p-52 * (2 + fabs(z.re))});
        n = half;
    }
}

disc jump_disc_join(disc a, disc b)
{
    return disc_add(disc_add(a, b), disc_mul(a, b));
}
