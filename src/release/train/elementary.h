/*
 * exp, tanh and the logistic function as fixed sequences of IEEE operations
 * without branches: the same bits in every lane, batch and C library. They
 * carry no bound; errors are a few ulp, and absolute for tanh.
 */
#ifndef DOSI_RELEASE_TRAIN_ELEMENTARY_H
#define DOSI_RELEASE_TRAIN_ELEMENTARY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* exp(x), x cut to [-708, 709]; NaN stays NaN. */
static inline double element_exp(double x)
{
    const double shift = 0x1.8p52; /* x + shift has ulp 1 */
    const double ln2_high = 0x1.62e42feep-1; /* 20 trailing zeros */
    const double ln2_low = 0x1.a39ef35793c76p-33;

    x = x < -708 ? -708 : x;
    x = x > 709 ? 709 : x;
    double shifted = x * 0x1.71547652b82fep+0 + shift;
    double n = shifted - shift;
    double r = (x - n * ln2_high) - n * ln2_low; /* |r| < 0.35 */
    double p = 1.0 / 6227020800;                 /* 1/13! */
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1;
    p = p * r + 1;
    uint64_t bits;
    double power; /* 2^n, the low bits of shifted being n */
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

static inline double element_tanh(double x)
{
    double e = element_exp(2 * fabs(x));

    return copysign(1 - 2 / (e + 1), x);
}

static inline double element_logistic(double x)
{
    return 1 / (1 + element_exp(-x));
}

#endif
