/*
 * The product of a double and a whole number of 128 bits, formed in 192 bits
 * and rounded up once. Derivation: docs/theory/release.md, R105-3.
 */
#include "scale.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* floor(p / 2^bits) for the 192 bits of p, and whether a bit is lost.
 * requires  the result below 2^64 */
static uint64_t product_shift(const uint64_t p[3], int bits, bool *is_exact)
{
    uint64_t kept = 0;
    *is_exact = true;
    for (int i = 0; i < 3; i++) {
        int place = 64 * i - bits; /* of the lowest bit of p[i] */
        if (place >= 64)
            continue; /* 0 there, as the result is below 2^64 */
        if (place >= 0)
            kept |= p[i] << place;
        else if (place > -64)
            kept |= p[i] >> -place;
        if (place <= -64 ? p[i] != 0
                         : place < 0 && p[i] << (64 + place) != 0)
            *is_exact = false;
    }
    return kept;
}

double scale_upper(double sigma, uint128 distance)
{
    int e = 0;
    /* sigma = m 2^(e - 53), m < 2^53 */
    uint64_t m = (uint64_t)ldexp(frexp(sigma, &e), DBL_MANT_DIG);
    e -= DBL_MANT_DIG;

    uint128 low = (uint128)m * (uint64_t)distance;
    uint128 high = (uint128)m * (uint64_t)(distance >> 64) + (low >> 64);
    uint64_t p[3] = {(uint64_t)low, (uint64_t)high, (uint64_t)(high >> 64)};
    int length = 0;
    for (int i = 0; i < 3; i++)
        if (p[i] != 0)
            length = 64 * (i + 1) - __builtin_clzll(p[i]);

    /* The first 53 digits of p 2^e. If their last place is below 2^-1074, it
     * and all that follow are 0, as p 2^e is a multiple of sigma. */
    int bits = length > DBL_MANT_DIG ? length - DBL_MANT_DIG : 0;
    bool is_exact = true;
    uint64_t units = product_shift(p, bits, &is_exact);
    if (!is_exact)
        units++; /* at most 2^53, a double */
    return ldexp((double)units, bits + e);
}
