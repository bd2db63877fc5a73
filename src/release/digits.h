/*
 * The binary digits of a probability that is a double: rate =
 * 0.d1 d2 d3 ... in base 2, or 1.
 */
#ifndef DOSI_RELEASE_DIGITS_H
#define DOSI_RELEASE_DIGITS_H

#include <math.h>
#include <stdint.h>

struct digits {
    uint64_t mantissa; /* rate = mantissa 2^-n */
    int n;             /* digits after the n-th one are 0 */
};

/* requires  rate in [0, 1) */
static inline struct digits digits_of(double rate)
{
    int e = 0;
    double fraction = frexp(rate, &e);
    uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
    int zeros = mantissa == 0 ? 0 : __builtin_ctzll(mantissa);
    return (struct digits){
        mantissa >> zeros, mantissa == 0 ? 0 : 53 - e - zeros};
}

/* The 64 digits after the first `from` ones: floor(rate 2^(from + 64)) modulo
 * 2^64. requires  0 <= from <= 2^20 */
static inline uint64_t digits_word(struct digits d, int from)
{
    int shift = from + 64 - d.n;
    if (shift >= 64 || shift <= -64)
        return 0;
    return shift >= 0 ? d.mantissa << shift : d.mantissa >> -shift;
}

#endif
