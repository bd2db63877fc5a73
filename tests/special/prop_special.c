/*
 * The normal law against Arb: on 10^5 double-double points, corners
 * included, every ball contains the exact value and is as small as promised;
 * a ball given contains the values at its ends and inside.
 */
#include "special/special.h"
#include "support/exact_normal.h"
#include "support/random.h"

#define PRECISION 160

/* Exact values at one point. */
typedef struct exact {
    arb_t x, pdf, sf, cdf, log_sf, mills, slope, erf;
} exact;

static void exact_init(exact *e)
{
    arb_ptr all[] = {
        e->x, e->pdf, e->sf, e->cdf, e->log_sf, e->mills, e->slope, e->erf};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_init(all[i]);
}

static void exact_clear(exact *e)
{
    arb_ptr all[] = {
        e->x, e->pdf, e->sf, e->cdf, e->log_sf, e->mills, e->slope, e->erf};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_clear(all[i]);
}

/* All values at the point in e->x, near the double x, from one of the tails:
 * the smaller one, as phi R where it may leave even Arb's range. S loses
 * 2 log2 x digits. */
static void exact_values(exact *e, double x)
{
    slong precision = PRECISION + (fabs(x) > 1 ? 4 * (slong)ilogb(x) : 0);
    arb_ptr small = x < 0 ? e->cdf : e->sf, large = x < 0 ? e->sf : e->cdf;
    arb_t t;
    arb_init(t);
    exact_log_pdf(e->log_sf, e->x, precision);
    arb_exp(e->pdf, e->log_sf, precision);
    arb_abs(t, e->x);
    exact_mills(e->mills, t, precision);
    arb_mul(small, e->mills, e->pdf, precision);
    arb_sub_ui(large, small, 1, precision);
    arb_neg(large, large);
    if (x < 0) {
        arb_div(e->mills, e->sf, e->pdf, precision);
        arb_neg(t, e->cdf);
        arb_log1p(e->log_sf, t, precision);
    } else {
        arb_log(t, e->mills, precision);
        arb_add(e->log_sf, e->log_sf, t, precision);
    }
    arb_mul(e->slope, e->x, e->mills, precision);
    arb_sub_ui(e->slope, e->slope, 1, precision);
    arb_neg(e->slope, e->slope);
    arb_hypgeom_erf(e->erf, e->x, precision);
    arb_clear(t);
}

static ball draw(prop_random *r)
{
    double x = 0;
    switch (prop_below(r, 8)) {
    case 0: /* the edges of the Taylor rows */
        x = prop_near(r, (double)prop_below(r, 27) / 4 - 0.25);
        break;
    case 1:
        x = prop_sign(r, prop_scaled(r, -60, 3));
        break;
    case 2:
        x = prop_scaled(r, 2, 130);
        break;
    case 3:
        x = prop_uniform(r, -40, 60);
        break;
    case 4:
        x = prop_uniform(r, 6, 12);
        break;
    case 5:
        x = -prop_scaled(r, 2, 20);
        break;
    default:
        x = prop_uniform(r, -4, 7);
        break;
    }
    ball b = ball_of(x);
    if (prop_bits(r) & 1)
        b.lo = prop_uniform(r, -0.49, 0.49) *
               (nextafter(fabs(x), 1e300) - fabs(x));
    return b;
}

/* Values at exact points; the arguments of the widths are documented. */
static int check_point(exact *e, ball x)
{
    int failed = 0;
    arb_set_ball(e->x, x);
    exact_values(e, x.hi);
    const double tiny = 32 * BALL_TINY, unit = 5e-28;
    double h = x.hi;
    failed |= check_ball_at("pdf", ball_normal_pdf(x), e->pdf, unit, tiny);
    failed |= check_ball_at("sf", ball_normal_sf(x), e->sf, unit, tiny);
    failed |= check_ball_at("cdf", ball_normal_cdf(x), e->cdf, unit, tiny);
    failed |=
        check_ball_at("log_sf", ball_log_normal_sf(x), e->log_sf, unit, tiny);
    failed |= check_ball_at("erf", ball_erf(x), e->erf, unit, tiny);
    if (h > -37) {
        failed |= check_ball_at("mills", ball_mills(x), e->mills, unit, tiny);
        failed |=
            check_ball_at("slope", ball_mills_slope(x), e->slope, unit, tiny);
    }
    return failed;
}

static int check_points(prop_random *r)
{
    exact e;
    exact_init(&e);
    int failed = 0;
    for (long i = prop_count(100000); i > 0 && !failed; i--)
        failed = check_point(&e, draw(r));
    exact_clear(&e);
    return failed;
}

/* A ball given: values at mid + s rad, |s| <= 1, are contained, and the
 * image is not much wider than the values at the ends say. */
static int check_ball(exact *e, exact *low, exact *high, prop_random *r)
{
    ball x = draw(r);
    while (fabs(x.hi) > 200)
        x = draw(r);
    x.rad = prop_bits(r) & 1 ? prop_scaled(r, -100, 4)
                             : fabs(x.hi) * prop_scaled(r, -100, 3);
    const ball image[] = {ball_normal_pdf(x), ball_normal_sf(x),
        ball_normal_cdf(x), ball_log_normal_sf(x), ball_erf(x), ball_mills(x),
        ball_mills_slope(x)};
    static const char *const names[] = {
        "pdf", "sf", "cdf", "log_sf", "erf", "mills", "slope"};
    int failed = 0;
    arf_t t;
    arf_init(t);
    exact *const points[] = {low, high, e};
    for (int i = 0; i < 3; i++) {
        double s = i == 0 ? -1 : i == 1 ? 1 : prop_uniform(r, -1, 1);
        arb_set_ball(points[i]->x, x);
        arf_set_d(t, x.rad);
        arf_mul_fmpz(
            t, t, (fmpz[]){(fmpz)(s * 0x1p40)}, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_mul_2exp_si(t, t, -40);
        arb_add_arf(points[i]->x, points[i]->x, t, ARF_PREC_EXACT);
        exact_values(points[i], x.hi + s * x.rad);
        exact *q = points[i];
        const arb_srcptr value[] = {
            q->pdf, q->sf, q->cdf, q->log_sf, q->erf, q->mills, q->slope};
        for (int f = 0; f < 7; f++)
            failed |= check_ball_at(names[f], image[f], value[f], 0, HUGE_VAL);
    }
    if (x.rad < 1e-3) { /* monotone ones: at most twice their spread */
        const arb_srcptr a[] = {low->sf, low->log_sf, low->mills, low->slope};
        const arb_srcptr b[] = {
            high->sf, high->log_sf, high->mills, high->slope};
        const int index[] = {1, 3, 5, 6};
        for (int f = 0; f < 4 && x.hi > -30; f++) {
            arb_sub(e->x, a[f], b[f], PRECISION);
            double spread = fabs(arf_get_d(arb_midref(e->x), ARF_RND_NEAR));
            failed |= check_ball_at(names[index[f]], image[index[f]], a[f],
                1e-27, 2 * spread + 32 * BALL_TINY);
        }
    }
    arf_clear(t);
    return failed;
}

static int check_balls(prop_random *r)
{
    exact e, low, high;
    exact_init(&e);
    exact_init(&low);
    exact_init(&high);
    int failed = 0;
    for (long i = prop_count(10000); i > 0 && !failed; i--)
        failed = check_ball(&e, &low, &high, r);
    exact_clear(&e);
    exact_clear(&low);
    exact_clear(&high);
    return failed;
}

/* R(a) - R(a + w) on all scales of w, and over balls. */
static int check_drop(exact *e, exact *f, prop_random *r)
{
    ball a = draw(r);
    while (a.hi < -30 || a.hi > 0x1p90 || fabs(a.hi) < 0x1p-99)
        a = draw(r);
    ball w = ball_of(prop_bits(r) & 1 ? prop_scaled(r, -100, 5)
                                      : fabs(a.hi) * prop_scaled(r, -60, 3));
    slong precision = 900;
    arb_set_ball(e->x, a);
    exact_mills(e->mills, e->x, precision);
    arb_set_ball(f->x, w);
    arb_add(f->x, f->x, e->x, ARF_PREC_EXACT);
    exact_mills(f->mills, f->x, precision);
    arb_sub(e->pdf, e->mills, f->mills, precision);
    int failed =
        check_ball_at("drop", ball_mills_drop(a, w), e->pdf, 2e-27, BALL_TINY);
    /* the same value from a ball that holds these points at its edge */
    ball wide_a = a, wide_w = w;
    wide_a.rad = fabs(a.hi) * prop_scaled(r, -90, 2);
    wide_w.rad = w.hi * prop_scaled(r, -90, 1);
    failed |= check_ball_at(
        "drop ball", ball_mills_drop(wide_a, wide_w), e->pdf, 0, HUGE_VAL);
    return failed;
}

static int check_drops(prop_random *r)
{
    exact e, f;
    exact_init(&e);
    exact_init(&f);
    int failed = 0;
    for (long i = prop_count(5000); i > 0 && !failed; i--)
        failed = check_drop(&e, &f, r);
    exact_clear(&e);
    exact_clear(&f);
    return failed;
}

/* log sf at both ends of the quantile brackets log p. */
static int check_quantile(exact *e, ball log_p, ball x, double tolerance)
{
    arb_t end, target;
    arb_init(end);
    arb_init(target);
    int failed = !(x.rad <= tolerance * fabs(x.hi));
    arb_set_ball(target, log_p);
    for (int side = -1; side <= 1; side += 2) {
        arb_set_ball(e->x, x);
        arb_set_d(end, side * x.rad);
        arb_add(e->x, e->x, end, ARF_PREC_EXACT);
        exact_values(e, x.hi);
        /* log sf falls: above log p at the left end, below at the right */
        arb_sub(end, e->log_sf, target, PRECISION);
        if (side < 0 ? arb_is_negative(end) : arb_is_positive(end))
            failed = 1;
    }
    if (failed)
        printf(
            "FAILED isf_log at %.17g: %a %a %a\n", log_p.hi, x.hi, x.lo, x.rad);
    arb_clear(end);
    arb_clear(target);
    return failed;
}

static int check_quantiles(prop_random *r)
{
    exact e;
    exact_init(&e);
    arb_t p;
    arb_init(p);
    int failed = 0;
    for (long i = prop_count(10000); i > 0 && !failed; i--) {
        ball log_p = ball_of(-prop_scaled(r, -30, 60));
        ball x = ball_normal_isf_log(log_p);
        /* where x passes through 0 the accuracy is absolute */
        double near_zero = fabs(log_p.hi + 0.6931471805599453);
        failed |= check_quantile(
            &e, log_p, x, 1e-27 * (1 + 1 / fmax(near_zero, 1e-17)));
        /* p as it is, central values included */
        ball q = ball_of(prop_bits(r) & 1
                             ? 0.5 + prop_sign(r, prop_scaled(r, -54, -1))
                             : prop_scaled(r, -1022, 0));
        if (!(q.hi > 0 && q.hi < 1))
            continue;
        ball y = ball_normal_isf(q);
        arb_set_d(p, q.hi);
        for (int side = -1; side <= 1; side += 2) {
            arb_set_ball(e.x, y);
            arb_set_d(e.pdf, side * y.rad);
            arb_add(e.x, e.x, e.pdf, ARF_PREC_EXACT);
            exact_values(&e, y.hi);
            arb_sub(e.pdf, e.sf, p, PRECISION);
            if (side < 0 ? arb_is_negative(e.pdf) : arb_is_positive(e.pdf))
                failed = 1;
        }
        if (failed || !(y.rad <= 1e-26 * fabs(y.hi))) {
            printf("FAILED isf at %a: %a %a %a\n", q.hi, y.hi, y.lo, y.rad);
            failed = 1;
        }
    }
    arb_clear(p);
    exact_clear(&e);
    return failed;
}

int main(void)
{
    prop_random r = prop_start("prop_special");
    int failed = check_points(&r);
    failed |= check_balls(&r);
    failed |= check_drops(&r);
    failed |= check_quantiles(&r);
    flint_cleanup();
    return failed;
}
