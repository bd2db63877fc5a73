/*
 * Double-double kernels: a real number as an unevaluated sum of two doubles
 * with hi = fl(hi + lo). They carry no error bound; the callers charge one.
 * With u = 2^-53 and barring underflow and overflow the relative errors of
 * [JMP17] hold. Derivations: docs/theory/num.md.
 */
#ifndef DOSI_NUM_DD_H
#define DOSI_NUM_DD_H

#include "round.h"

/* For functions of many double-doubles: clones run the same operations in the
 * same order, with fma as one instruction if the machine has it. Their
 * resolvers run before a sanitizer's. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define DD_FUSED __attribute__((target_clones("fma", "default")))
#else
#define DD_FUSED
#endif

typedef struct dd {
    double hi;
    double lo;
} dd;

/* s + e = a + b exactly for all a and b, barring overflow (Knuth). */
static inline dd dd_two_sum(double a, double b)
{
    double s = a + b;
    double t = s - a;
    return (dd){s, (a - (s - t)) + (b - t)};
}

/* s + e = a + b exactly for |a| >= |b| or a = 0 (Dekker). */
static inline dd dd_fast_two_sum(double a, double b)
{
    double s = a + b;
    return (dd){s, b - (s - a)};
}

/* p + e = a b exactly when |a b| >= 2^-969. */
static inline dd dd_two_product(double a, double b)
{
    double p = a * b;
    return (dd){p, fma(a, b, -p)};
}

/* [JMP17] algorithm 6, relative error <= 3u^2 + 13u^3. */
static inline dd dd_add(dd x, dd y)
{
    dd s = dd_two_sum(x.hi, y.hi);
    dd t = dd_two_sum(x.lo, y.lo);
    dd v = dd_fast_two_sum(s.hi, s.lo + t.hi);
    return dd_fast_two_sum(v.hi, t.lo + v.lo);
}

/* x + y for |y| <= |x|, cheaper. The two rounded sums err by u^2 (|x| + |y|)
 * and 2u^2 (|x| + |y|): in all 3u^2 of x + y when the signs agree, 9u^2 when
 * |y| <= |x| / 2, since then |x + y| >= (|x| + |y|) / 3. */
static inline dd dd_add_small(dd x, dd y)
{
    dd s = dd_fast_two_sum(x.hi, y.hi);
    return dd_fast_two_sum(s.hi, s.lo + (x.lo + y.lo));
}

static inline dd dd_neg(dd x)
{
    return (dd){-x.hi, -x.lo};
}

static inline dd dd_sub(dd x, dd y)
{
    return dd_add(x, dd_neg(y));
}

/* [JMP17] algorithm 12, relative error <= 4u^2 (5u^2 is used). */
static inline dd dd_mul(dd x, dd y)
{
    dd c = dd_two_product(x.hi, y.hi);
    double t = fma(x.hi, y.lo, x.lo * y.lo);
    return dd_fast_two_sum(c.hi, c.lo + fma(x.lo, y.hi, t));
}

/* [JMP17] algorithm 7, relative error <= 2u^2. */
static inline dd dd_mul_d(dd x, double y)
{
    dd c = dd_two_product(x.hi, y);
    dd t = dd_fast_two_sum(c.hi, x.lo * y);
    return dd_fast_two_sum(t.hi, t.lo + c.lo);
}

/* [JMP17] algorithm 17, relative error <= 15u^2 + 56u^3. */
static inline dd dd_div(dd x, dd y)
{
    double t = x.hi / y.hi;
    dd r = dd_mul_d(y, t);
    double d = (x.hi - r.hi) + (x.lo - r.lo);
    return dd_fast_two_sum(t, d / y.hi);
}

#endif
