/*
 * Sums of doubles without rounding, as expansions of parts that do not overlap.
 */
#ifndef DOSI_NUM_EXACT_SUM_H
#define DOSI_NUM_EXACT_SUM_H

#include <string.h>

#include "ball.h"
#include "dd.h"

/* An exact sum of doubles: parts that do not overlap, smallest first
 * (Shewchuk 1997). */
typedef struct exact_sum {
    size_t n;
    double part[128];
} exact_sum;

/* Compresses the expansion: from the largest part on, each becomes the rounded
 * sum of the remaining parts, so that the next is at most half its last place:
 * the range of binary64 holds fewer than 42 such parts. */
static inline void exact_sum_compress(exact_sum *s)
{
    size_t m = s->n;
    double sum = s->part[s->n - 1];
    for (size_t i = s->n - 1; i-- > 0;) {
        dd t = dd_two_sum(sum, s->part[i]);
        sum = t.hi;
        if (t.lo != 0) {
            s->part[--m] = t.hi;
            sum = t.lo;
        }
    }
    s->part[--m] = sum;
    s->n -= m;
    memmove(s->part, s->part + m, s->n * sizeof *s->part);
}

static inline void exact_sum_add(exact_sum *s, double x)
{
    size_t m = 0;
    for (size_t i = 0; i < s->n; i++) {
        dd t = dd_two_sum(x, s->part[i]);
        if (t.lo != 0)
            s->part[m++] = t.lo;
        x = t.hi;
    }
    if (x != 0)
        s->part[m++] = x;
    s->n = m;
    if (m == sizeof s->part / sizeof *s->part)
        exact_sum_compress(s);
}

/* Encloses the sum times 2^scale. */
static inline ball exact_sum_ball(const exact_sum *s, int scale)
{
    ball sum = ball_of(0);
    for (size_t i = 0; i < s->n; i++) { /* smallest first */
        double part = ldexp(s->part[i], scale);
        sum = ball_add_d(sum, part);
        if (fabs(part) < DBL_MIN) /* ldexp may have lost up to 2^-1075 */
            sum = ball_widen(sum, 0x1p-1070);
    }
    return sum;
}

#endif
