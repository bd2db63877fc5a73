/*
 * Random numbers of benchmarks that draw plans: seeded by state.
 */
#ifndef DOSI_BENCH_BENCH_RANDOM_H
#define DOSI_BENCH_BENCH_RANDOM_H

#include <math.h>
#include <stdint.h>

static uint64_t state;

/* Uniform on [0, 1): splitmix64 (Steele, Lea, Flood 2014). */
static double uniform(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int below(int n)
{
    return (int)(uniform() * n);
}

static double log_uniform(double a, double b)
{
    return a * pow(b / a, uniform());
}

#endif
