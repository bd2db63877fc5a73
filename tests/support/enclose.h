/*
 * A ball against a reference from Arb: it must hold the reference, and be
 * narrow.
 */
#ifndef DOSI_TESTS_SUPPORT_ENCLOSE_H
#define DOSI_TESTS_SUPPORT_ENCLOSE_H

#include <arb.h>
#include <stdio.h>

#include "num/ball.h"

#define ENCLOSE_BITS 512

/* Returns 1, after a line of output, when x misses the reference or is wider
 * than width relative to it; what and inputs say which case it was. */
static inline int enclose_fails(const char *what, ball x, const arb_t exact,
    double width, const double *inputs, size_t n_inputs)
{
    arb_t gap, radius;
    arb_init(gap);
    arb_init(radius);
    arb_set_d(radius, x.lo);
    arb_sub(gap, exact, radius, ENCLOSE_BITS);
    arb_set_d(radius, x.hi);
    arb_sub(gap, gap, radius, ENCLOSE_BITS);
    arb_abs(gap, gap);
    arb_set_d(radius, x.rad);
    int misses = ball_is_unknown(x) || arb_gt(gap, radius) != 0 ||
                 arb_rel_accuracy_bits(exact) < 100; /* no reference */
    arb_abs(gap, exact);
    arb_mul_2exp_si(radius, radius, 1);
    arf_t w;
    arf_init(w);
    arf_set_d(w, width);
    arb_mul_arf(gap, gap, w, ENCLOSE_BITS);
    arf_clear(w);
    int wide = arb_gt(radius, gap) != 0 && x.rad > 1e-300;
    if (misses || wide) {
        printf("%s(", what);
        for (size_t i = 0; i < n_inputs; i++)
            printf("%s%.17g", i == 0 ? "" : ", ", inputs[i]);
        printf("): %.17g + %g +- %.3g %s ", x.hi, x.lo, x.rad,
            misses ? "misses" : "is wide for");
        arb_printn(exact, 30, 0);
        printf("\n");
    }
    arb_clear(gap);
    arb_clear(radius);
    return misses || wide;
}

#endif
