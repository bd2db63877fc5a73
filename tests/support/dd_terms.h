/*
 * The terms of contours in double-doubles against Arb. Include the header that
 * defines exact_moment and precision first.
 */
#ifndef DOSI_TESTS_SUPPORT_DD_TERMS_H
#define DOSI_TESTS_SUPPORT_DD_TERMS_H

#include "part_moments.h"
#include "contour/core/contour_dd.h"

#define TERMS 48

/* The term at u without e^{K(t) - t eps}: chi^count e^{-iu eps}/(z(z+1)). */
static inline void exact_term(
    acb_t out, const contour_part *part, double epsilon, double u)
{
    acb_t z, a;
    arb_t angle;
    acb_init(z);
    acb_init(a);
    arb_init(angle);
    exact_moment(out, part->law, part->want.t, u);
    exact_moment(a, part->law, part->want.t, 0);
    acb_div(out, out, a, precision);
    acb_pow_ui(out, out, (ulong)part->count, precision);
    arb_set_d(angle, -u);
    arb_set_d(acb_realref(z), epsilon);
    arb_mul(angle, angle, acb_realref(z), precision);
    arb_sin_cos(acb_imagref(a), acb_realref(a), angle, precision);
    acb_mul(out, out, a, precision);
    acb_set_d_d(z, part->want.t, u);
    acb_add_ui(a, z, 1, precision);
    acb_mul(a, a, z, precision);
    acb_div(out, out, a, precision);
    acb_clear(z);
    acb_clear(a);
    arb_clear(angle);
}

/* |d - the exact term| / radius */
static inline double term_miss(
    disc d, const contour_part *part, double epsilon, double u)
{
    acb_t m;
    acb_init(m);
    exact_term(m, part, epsilon, u);
    double found = exact_miss(m, d);
    acb_clear(m);
    return found;
}

/* The worst miss of some terms of a part that has been tilted and is centred
 * by mean; the widest disc over its kernel. */
static inline double worst_miss(
    double *widest, contour_part *part, ball mean, double epsilon)
{
    disc terms[TERMS];
    contour_parts parts = {1, part, NULL};
    contour c = {.choice = {.t = part->want.t,
                              .step = part->want.step,
                              .epsilon = epsilon,
                              .use_dd = true},
        .n = TERMS, .dd_terms = terms};
    ball drift = ball_sub_d(ball_mul_d(mean, part->count), epsilon);
    assert_true(dd_rule_fill(&c, &parts, drift, NULL));
    double worst = 0, t = part->want.t;
    *widest = 0;
    for (size_t n = 0; n < TERMS; n += n < 3 ? 1 : 11) {
        double u = (double)n * part->want.step;
        worst = fmax(worst, term_miss(terms[n], part, epsilon, u));
        *widest = fmax(*widest, terms[n].rad * (u * u + t * (t + 1)));
    }
    return worst;
}

#endif
