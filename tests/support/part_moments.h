/*
 * What tests of single parts on a contour compare with, from the moment
 * function by Arb: cumulants, decay, and the discs of powers. Include the
 * header that defines exact_moment and precision first.
 */
#ifndef DOSI_TESTS_SUPPORT_PART_MOMENTS_H
#define DOSI_TESTS_SUPPORT_PART_MOMENTS_H

#include <acb.h>
#include <arb.h>
#include <cmocka.h>

#include "contour/part/part.h"

/* log |M(t + iu)| */
static inline double exact_log_size(const loss_law *pair, double t, double u)
{
    acb_t m;
    arb_t a;
    acb_init(m);
    arb_init(a);
    exact_moment(m, pair, t, u);
    acb_abs(a, m, precision);
    arb_log(a, a, precision);
    double found = arf_get_d(arb_midref(a), ARF_RND_NEAR);
    acb_clear(m);
    arb_clear(a);
    return found;
}

static inline double exact_cumulant(const loss_law *pair, double t)
{
    return exact_log_size(pair, t, 0);
}

/* log |chi(u)| */
static inline double exact_decay(const loss_law *pair, double t, double u)
{
    return exact_log_size(pair, t, u) - exact_cumulant(pair, t);
}

/* |m - d| over the radius of d. */
static inline double exact_miss(const acb_t m, disc d)
{
    acb_t e;
    arb_t a;
    acb_init(e);
    arb_init(a);
    acb_set_d_d(e, d.re.hi, d.im.hi);
    acb_sub(e, m, e, precision);
    arb_set_d(a, d.re.lo);
    arb_sub(acb_realref(e), acb_realref(e), a, precision);
    arb_set_d(a, d.im.lo);
    arb_sub(acb_imagref(e), acb_imagref(e), a, precision);
    acb_abs(a, e, precision);
    double gap = arf_get_d(arb_midref(a), ARF_RND_NEAR);
    acb_clear(e);
    arb_clear(a);
    return gap / (d.rad + 1e-60);
}

/* |d - chi(u)^count e^{-i u count mean}| over the radius; that of the mean is
 * far below it. */
static inline double power_miss(
    const contour_part *part, disc d, ball mean, double u)
{
    acb_t m, e;
    arb_t a, b;
    acb_init(m);
    acb_init(e);
    arb_init(a);
    arb_init(b);
    exact_moment(m, part->law, part->want.t, u);
    exact_moment(e, part->law, part->want.t, 0);
    acb_div(m, m, e, precision);
    arb_set_d(a, mean.hi);
    arb_set_d(b, mean.lo);
    arb_add(a, a, b, precision);
    arb_set_d(b, -u);
    arb_mul(a, a, b, precision);
    arb_sin_cos(acb_imagref(e), acb_realref(e), a, precision);
    acb_mul(m, m, e, precision);
    acb_pow_ui(m, m, (ulong)part->count, precision);
    double miss = exact_miss(m, d);
    acb_clear(m);
    acb_clear(e);
    arb_clear(a);
    arb_clear(b);
    return miss;
}

/* The same of the part's own power. */
static inline double power_ratio(const contour_part *part, double u)
{
    return power_miss(part, part->type->power(part, u), part->mean, u);
}

/* Gaussian noise on a Poisson sample, one run. */
static inline loss_law sampled_law(double q, double mu, bool add)
{
    return (loss_law){.noise = LOSS_GAUSSIAN,
        .map = add ? LOSS_BASE_FIRST : LOSS_MIXTURE_FIRST,
        .parameter = ball_of(mu),
        .rate = ball_of(q),
        .count = 1};
}

/* Opens a part and tilts it; to be freed in any case. */
static inline bool tilted(
    contour_part *part, const loss_law *pair, const part_request *w)
{
    cumulant_guess rough;
    bool found = false;
    assert_true(contour_part_init(part, pair));
    assert_true(part->type->guess_cumulant(&rough, part, w->t));
    assert_int_equal(part->type->tilt(&found, part, w, NULL), DOSI_OK);
    return found;
}

#endif
