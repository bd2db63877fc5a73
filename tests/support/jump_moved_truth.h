/*
 * W on the moved line at some nodes of a row, as a share of what it may err by
 * at most.
 */
#ifndef DOSI_TESTS_SUPPORT_JUMP_MOVED_TRUTH_H
#define DOSI_TESTS_SUPPORT_JUMP_MOVED_TRUTH_H

#include "repr/spectral_jumps_moved.h"
#include "support/jump_integrals.h"

static inline double jump_worst_moved(double *error, const jump_law *own,
    const jump_law *left, double t, double outer)
{
    jump_points exact = jump_integral(own, t + outer), more = {.n = 0};
    if (left != NULL)
        more = jump_integral(left, t + outer);
    double mean, step = ldexp(floor(ldexp(outer, 10)), -10) / 64;
    double scale = jump_log_sum(&mean, own, t);
    if (left != NULL)
        scale = jump_log_add(scale, jump_log_sum(&mean, left, t));
    jump_moved moved = {.least = 0};
    assert_true(jump_moved_make(&moved, own, left, t, step, scale, 32));
    spectral_quick row[FAR_ROW];
    double worst = 0;
    acb_t z, f;
    arb_t a;
    acb_init(z);
    acb_init(f);
    arb_init(a);
    for (int i = 0; i < 2; i++) {
        spectral_far_sums(
            row, &moved.far, moved.least, FAR_ROW * i * step, FAR_ROW);
        for (int j = 0; j < FAR_ROW; j += 31) {
            double u = (FAR_ROW * i + j) * step;
            jump_points_at(z, &exact, t, u);
            if (left != NULL) {
                jump_points_at(f, &more, t, u);
                acb_add(z, z, f, JUMP_BITS);
            }
            /* e^(-iu log(1-q) - scale), for each that is removed */
            const jump_part *part = own->line.part;
            arb_set_d(a, -part->q);
            arb_log1p(a, a, JUMP_BITS);
            acb_set_d_d(f, 0, -u * (part->removed - part->added));
            acb_mul_arb(f, f, a, JUMP_BITS);
            arb_set_d(a, scale);
            acb_sub_arb(f, f, a, JUMP_BITS);
            acb_exp(f, f, JUMP_BITS);
            acb_mul(z, z, f, JUMP_BITS);
            acb_set_d_d(f, row[j].re, row[j].im);
            double over = jump_above_gap(log(row[j].rad), z, f);
            worst = fmax(worst, exp(-over));
        }
    }
    *error = moved.far.error;
    acb_clear(z);
    acb_clear(f);
    arb_clear(a);
    free(moved.far.storage);
    jump_points_free(&exact);
    if (left != NULL)
        jump_points_free(&more);
    return worst;
}

#endif
