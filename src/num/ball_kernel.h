/*
 * Kernels of elementary functions in double-doubles without branches, shared by
 * single balls (ball_exp.c) and rows of balls (ball_row.c). Internal to those
 * files. Derivation of the error bounds: docs/theory/num.md; u is 2^-53.
 */
#ifndef DOSI_NUM_BALL_KERNEL_H
#define DOSI_NUM_BALL_KERNEL_H

#include "ball.h"
#include "exp_table.h"

/* Relative charge of expm1_kernel, 64 u^2, and of log1p_kernel, 128 u^2. */
#define EXPM1_UNIT 0x1p-100
#define LOG1P_UNIT 0x1p-99

/* The integer nearest to x, for |x| < 2^51. */
static inline double nearest_integer(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

/* x y and x + y without normalising, for operands with |lo| <= 4u |hi|, which
 * sums with |y| < 2^-8 |x| preserve for normalised x; products have |lo| <= 9u
 * |hi|. Relative errors <= 2^-100. */
static inline dd mul_unnormalised(dd x, dd y)
{
    dd p = dd_two_product(x.hi, y.hi);
    return (dd){p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi)};
}

static inline dd add_unnormalised(dd x, dd y)
{
    dd s = dd_fast_two_sum(x.hi, y.hi);
    return (dd){s.hi, s.lo + (x.lo + y.lo)};
}

/* e^t - 1 for |t| <= 2^-9(1 + 2^-20), relative error <= 5 u^2. */
static inline dd expm1_series(dd t)
{
    /* 1/3!, 1/4!, 1/5! (exact division by mpmath) */
    static const dd third = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
    static const dd fourth = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
    static const dd fifth = {0x1.1111111111111p-7, 0x1.1111111111111p-63};
    /* terms 6 to 10: below 2^-54 of the sum; term 11 is below 2^-115 */
    double x = t.hi;
    double tail = 1 / 362880.0 + x * (1 / 3628800.0);
    tail = 1 / 720.0 + x * (1 / 5040.0 + x * (1 / 40320.0 + x * tail));
    dd s = add_unnormalised(fifth, (dd){x * tail, 0});
    s = add_unnormalised(fourth, mul_unnormalised(t, s));
    s = add_unnormalised(third, mul_unnormalised(t, s));
    s = add_unnormalised((dd){0.5, 0}, mul_unnormalised(t, s));
    return dd_add_small(t, mul_unnormalised(mul_unnormalised(t, t), s));
}

/* e^r - 1 for |r| <= 0.353, relative error below EXPM1_UNIT: j is the index of
 * the table entry next to r, b that entry. */
static inline double expm1_number(dd r)
{
    return nearest_integer(r.hi * EXP_TABLE_STEPS);
}

static inline dd expm1_entry(double j)
{
    return exp_table[(int)j + EXP_TABLE_REACH];
}

static inline dd expm1_from(dd r, double j, dd b)
{
    /* the difference is exact: j = 0, or its terms are within a factor 2 */
    dd t = dd_two_sum(r.hi - j / EXP_TABLE_STEPS, r.lo);
    dd p = expm1_series(t);
    /* (1 + b)(1 + p) - 1, |b| < 0.43, |p (1 + b)| < 0.52 |b|, or b = 0, for
     * which the result is p */
    return dd_add_small(b, dd_add_small(p, mul_unnormalised(b, p)));
}

/* ln 2 = L1 + L2 + L3 + rest, |rest| < 2^-157; L1 has 42 bits, so that k L1
 * is exact for |k| < 2^11. Digits: mpmath at 600 bits. */
static const double ln2_1 = 0x1.62e42fefa3800p-1;
static const double ln2_2 = 0x1.ef35793c76730p-45;
static const double ln2_3 = 0x1.f97b57a079a19p-103;

/* x = k ln 2 + r with |r| <= 0.35, for |x| < 760; r errs by 2^-105. */
static inline dd exp_reduce(dd x, double *k)
{
    double n = nearest_integer(x.hi * 0x1.71547652b82fep+0); /* 1 / ln 2 */
    *k = n;
    /* the difference is exact: n = 0, or its terms are within a factor 2 */
    dd r = dd_two_sum(x.hi - n * ln2_1, x.lo);
    dd c = dd_two_product(n, ln2_2);
    c = dd_fast_two_sum(c.hi, c.lo + n * ln2_3);
    return dd_sub(r, c);
}

#endif
