/*
 * exp(-y) in doubles without a branch, a table or a function of the C
 * library. With n = round(y / log 2) and r = n log 2 - y, |r| < 0.3467,
 *
 *     exp(-y) = 2^-n exp(r),    exp(r) = sum_{i <= 13} r^i / i! + R,
 *     |R| <= 1.5 |r|^14 / 14! < 2^-56.
 *
 * n LN2_HIGH and its difference to y are exact; r is wrong by less than
 * 2^-54. In units of 2^-53, which is the last place of a result in [1/2, 1):
 * the even powers are wrong by 1.2, r times the odd ones by 0.8, r by 0.7,
 * the sum by 1/2 or 1, R by 1/8. Together less than 4 ulp; measured, 2.2
 * (prop_noise_tiers). docs/theory/release.md, 3.3.
 */
#ifndef DOSI_RELEASE_QUICK_EXP_H
#define DOSI_RELEASE_QUICK_EXP_H

#include <stdint.h>
#include <string.h>

/* requires  0 <= y <= 700 */
static inline double quick_exp_neg(double y)
{
    const double inverse_ln2 = 0x1.71547652b82fep0;
    const double ln2_high = 0x1.62e42feep-1; /* log 2 = high + low + 2^-87 */
    const double ln2_low = 0x1.a39ef35793c76p-33;
    const double to_integer = 0x1.8p52; /* after it, the low bits are n */
    double shifted = y * inverse_ln2 + to_integer;
    double n = shifted - to_integer;
    double r = (n * ln2_high - y) + n * ln2_low;
    double t = r * r;
    double even = 1.0 / 479001600;
    double odd = 1.0 / 6227020800;
    even = even * t + 1.0 / 3628800;
    odd = odd * t + 1.0 / 39916800;
    even = even * t + 1.0 / 40320;
    odd = odd * t + 1.0 / 362880;
    even = even * t + 1.0 / 720;
    odd = odd * t + 1.0 / 5040;
    even = even * t + 1.0 / 24;
    odd = odd * t + 1.0 / 120;
    even = even * t + 0.5;
    odd = odd * t + 1.0 / 6;
    even = even * t + 1;
    odd = odd * t + 1;
    double p = r * odd + even;
    uint64_t bits;
    double power;
    memcpy(&bits, &shifted, sizeof bits);
    bits = ((uint64_t)1023 << 52) - (bits << 52); /* 2^-n */
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

#endif
