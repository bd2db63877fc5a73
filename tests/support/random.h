/*
 * What every property test starts with: a printed, settable seed (DOSI_SEED),
 * a multiplier for its length (DOSI_EFFORT), and numbers biased to corners.
 */
#ifndef DOSI_TESTS_SUPPORT_RANDOM_H
#define DOSI_TESTS_SUPPORT_RANDOM_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct prop_random {
    uint64_t state;
} prop_random;

/* splitmix64 (Steele, Lea, Flood 2014). */
static inline uint64_t prop_bits(prop_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static inline prop_random prop_start(const char *name)
{
    const char *text = getenv("DOSI_SEED");
    uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : 1;
    printf("%s: DOSI_SEED=%llu\n", name, (unsigned long long)seed);
    return (prop_random){seed};
}

/* n times the effort that was asked for. */
static inline long prop_count(long n)
{
    const char *text = getenv("DOSI_EFFORT");
    double effort = text != NULL ? strtod(text, NULL) : 1;
    return effort > 0 ? (long)((double)n * effort) : n;
}

/* A property, and how often it is tried at an effort of 1. */
typedef struct prop_property {
    void (*run)(prop_random *r);
    long count;
} prop_property;

static inline void prop_run(
    prop_random *r, const prop_property *properties, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        long times = prop_count(properties[i].count);
        for (long j = 0; j < times; j++)
            properties[i].run(r);
    }
}

/* Uniform on 0, ..., n - 1. */
static inline int prop_below(prop_random *r, int n)
{
    return (int)(prop_bits(r) % (uint64_t)n);
}

/* Uniform on [a, b). */
static inline double prop_uniform(prop_random *r, double a, double b)
{
    return a + (b - a) * ((double)(prop_bits(r) >> 11) * 0x1p-53);
}

static inline double prop_sign(prop_random *r, double x)
{
    return prop_bits(r) & 1 ? -x : x;
}

/* Positive: exponent uniform on [low, high), mantissa random, or few bits, or
 * near a power of two. */
static inline double prop_scaled(prop_random *r, int low, int high)
{
    int e = low + prop_below(r, high - low);
    double m = 1;
    switch (prop_below(r, 6)) {
    case 0:
        m = 1 + (double)prop_below(r, 16) / 16;
        break;
    case 1:
        m = 1 + (double)prop_below(r, 8) * 0x1p-52;
        break;
    case 2:
        m = 2 - (double)(1 + prop_below(r, 8)) * 0x1p-52;
        break;
    default:
        m = prop_uniform(r, 1, 2);
        break;
    }
    return ldexp(m, e);
}

/* A few doubles away from x. */
static inline double prop_near(prop_random *r, double x)
{
    double to = prop_bits(r) & 1 ? HUGE_VAL : -HUGE_VAL;
    for (int n = prop_below(r, 6); n > 0; n--)
        x = nextafter(x, to);
    return x;
}

#endif
