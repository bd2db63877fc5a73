/*
 * Functions of the C library, and intervals over them, against Arb: on 10^6
 * points a function, corners included, the error of the library stays below
 * the declared allowance, and the interval contains the exact value and is no
 * wider than declared; on intervals, the values at inner points are contained.
 */
#include <arb.h>

#include "num/elem.h"
#include "support/random.h"

#define PRECISION 100
#define HALF_PI 1.5707963267948966

typedef double (*draw_point)(prop_random *r);

typedef struct row {
    const char *name;
    dosi_interval (*interval)(dosi_interval); /* NULL: the library alone */
    double (*library)(double);
    void (*exact)(arb_t, const arb_t, slong);
    draw_point draw;
} row;

/* ---- Points ------------------------------------------------------------ */

static double draw_any(prop_random *r)
{
    switch (prop_below(r, 8)) {
    case 0: /* subnormal */
        return prop_sign(r,
            (double)(prop_bits(r) >> prop_below(r, 64)) * 0x1p-1074 * 0x1p-12);
    case 1:
        return prop_sign(r, prop_scaled(r, -1074, 1024));
    case 2:
        return prop_sign(r, prop_scaled(r, -60, 2));
    case 3:
        return prop_near(r, prop_sign(r, (double)prop_below(r, 3)));
    default:
        return prop_uniform(r, -40, 40);
    }
}

static double draw_exp(prop_random *r)
{
    switch (prop_below(r, 8)) {
    case 0: /* overflow, underflow, the last normal number */
        return prop_uniform(r, 709.7, 709.8);
    case 1:
        return prop_uniform(r, -745.2, -708.3);
    case 2: /* expm1 turns to -1 */
        return prop_uniform(r, -38, -36);
    case 3:
        return prop_uniform(r, -740, 709);
    default:
        return draw_any(r);
    }
}

static double draw_log(prop_random *r)
{
    double x = fabs(draw_any(r));
    switch (prop_below(r, 4)) {
    case 0: /* near 1 on all scales */
        return 1 + prop_sign(r, prop_scaled(r, -53, -1));
    case 1:
        return prop_scaled(r, -1074, 1024);
    default:
        return x;
    }
}

static double draw_log1p(prop_random *r)
{
    double x = draw_log(r);
    return prop_bits(r) & 1 ? x : x < 1 ? -x : x - 1;
}

static double draw_wave(prop_random *r)
{
    switch (prop_below(r, 4)) {
    case 0: /* near multiples of pi / 2 */
        return prop_near(r, (double)prop_below(r, 1 << 20) * HALF_PI / 2);
    case 1:
        return prop_near(r, (double)prop_below(r, 200) * HALF_PI);
    case 2:
        return prop_uniform(r, -0x1p20, 0x1p20);
    default:
        return draw_any(r);
    }
}

static double draw_hyperbolic(prop_random *r)
{
    return prop_below(r, 8) == 0 ? prop_sign(r, prop_uniform(r, 710, 710.6))
                                 : draw_exp(r);
}

static const row rows[] = {
    {"exp", iv_exp, exp, arb_exp, draw_exp},
    {"expm1", NULL, expm1, arb_expm1, draw_exp},
    {"log", iv_log, log, arb_log, draw_log},
    {"log1p", NULL, log1p, arb_log1p, draw_log1p},
    {"sin", NULL, sin, arb_sin, draw_wave},
    {"cos", NULL, cos, arb_cos, draw_wave},
    {"sinh", NULL, sinh, arb_sinh, draw_hyperbolic},
    {"cosh", NULL, cosh, arb_cosh, draw_hyperbolic},
    {"tanh", NULL, tanh, arb_tanh, draw_exp},
};

/* ---- Checks ------------------------------------------------------------ */

static int64_t steps_between(dosi_interval x)
{
    int64_t i, j;
    memcpy(&i, &x.lo, sizeof i);
    memcpy(&j, &x.hi, sizeof j);
    i = i < 0 ? INT64_MIN - i : i;
    j = j < 0 ? INT64_MIN - j : j;
    return j - i;
}

/* y, a ball much smaller than the interval, meets it. */
static int contains(dosi_interval x, const arb_t y, arf_t t)
{
    arb_get_ubound_arf(t, y, PRECISION);
    if (arf_cmp_d(t, x.lo) < 0)
        return 0;
    arb_get_lbound_arf(t, y, PRECISION);
    return arf_cmp_d(t, x.hi) <= 0;
}

/* |x - y| in units of the distance from x to its neighbour on that side. */
static double error_in_steps(double x, const arb_t y, arf_t t)
{
    if (isinf(x)) { /* it stands for 2^1024 and all beyond */
        arf_set_si_2exp_si(t, x > 0 ? 1 : -1, 1024);
        if (arf_cmpabs(arb_midref(y), t) >= 0)
            return 0;
    } else {
        arf_set_d(t, x);
    }
    int side = -arf_cmp(t, arb_midref(y));
    double next = nextafter(x, side > 0 ? HUGE_VAL : -HUGE_VAL);
    int e = 972; /* beyond the largest numbers */
    if (!isinf(x) && !isinf(next))
        (void)frexp(x - next, &e); /* a power of 2: 2^(e-1) */
    arf_sub(t, t, arb_midref(y), 53, ARF_RND_NEAR);
    arf_mul_2exp_si(t, t, 1 - e);
    return fabs(arf_get_d(t, ARF_RND_NEAR));
}

static int fail(const char *name, double x, double y, dosi_interval z)
{
    printf("FAILED %s at %a, %a: [%a, %a]\n", name, x, y, z.lo, z.hi);
    return 1;
}

/* f(p), with at least 64 good bits where it is finite. */
static void exact_at(arb_t y, const row *f, double p, arb_t x)
{
    arb_set_d(x, p);
    f->exact(y, x, PRECISION);
    if (arb_rel_accuracy_bits(y) < 64 && arb_is_finite(y))
        f->exact(y, x, 4 * PRECISION);
}

static int check_points(const row *f, prop_random *r)
{
    arb_t x, y;
    arf_t t;
    arb_init(x);
    arb_init(y);
    arf_init(t);
    double worst = 0, worst_at = 0;
    int failed = 0;
    for (long i = prop_count(1000000); i > 0 && !failed; i--) {
        double p = f->draw(r);
        exact_at(y, f, p, x);
        if (f->interval != NULL) {
            dosi_interval z = f->interval((dosi_interval){p, p});
            if (!contains(z, y, t) && !(isinf(p) || !arb_is_finite(y)))
                failed = fail(f->name, p, p, z);
            if (steps_between(z) > 2 * ELEM_ULPS)
                failed = fail(f->name, p, p, z);
        }
        int outside = f->draw == draw_wave && fabs(p) > 0x1p20;
        if (outside || !arb_is_finite(y))
            continue;
        double error = error_in_steps(f->library(p), y, t);
        if (!(error <= worst)) {
            worst = error;
            worst_at = p;
        }
    }
    printf("%-8s worst error %.3f steps at %.17g\n", f->name, worst, worst_at);
    if (!(worst < ELEM_ULPS))
        failed = 1;
    arb_clear(x);
    arb_clear(y);
    arf_clear(t);
    return failed;
}

/* Values at the ends and at inner points lie in the image of an interval. */
static int check_intervals(const row *f, prop_random *r)
{
    arb_t x, y;
    arf_t t;
    arb_init(x);
    arb_init(y);
    arf_init(t);
    int failed = 0;
    for (long i = prop_count(20000); i > 0 && !failed; i--) {
        double a = f->draw(r);
        double b = prop_bits(r) & 1 ? f->draw(r) : a + prop_uniform(r, 0, 3.2);
        dosi_interval range = {fmin(a, b), fmax(a, b)};
        dosi_interval z = f->interval(range);
        for (int j = 0; j < 4; j++) {
            double p = j == 0   ? a
                       : j == 1 ? b
                                : prop_uniform(r, range.lo, range.hi);
            p = fmin(fmax(p, range.lo), range.hi);
            exact_at(y, f, p, x);
            if (arb_is_finite(y) && !contains(z, y, t))
                failed = fail(f->name, range.lo, range.hi, z);
        }
    }
    arb_clear(x);
    arb_clear(y);
    arf_clear(t);
    return failed;
}

static int check_pow(prop_random *r)
{
    arb_t x, y, z;
    arf_t t;
    arb_init(x);
    arb_init(y);
    arb_init(z);
    arf_init(t);
    double worst = 0;
    for (long i = prop_count(1000000); i > 0;) {
        double a = draw_log(r), b = draw_any(r);
        if (a > 0 && a != 1 && prop_bits(r) & 1) /* within the range */
            b = prop_uniform(r, -745, 710) / log(a);
        if (!(fabs(b * log(a)) < 800) || a == 0)
            continue;
        i--;
        arb_set_d(x, a);
        arb_set_d(y, b);
        arb_pow(z, x, y, PRECISION);
        worst = fmax(worst, error_in_steps(pow(a, b), z, t));
    }
    printf("%-8s worst error %.3f steps\n", "pow", worst);
    arb_clear(x);
    arb_clear(y);
    arb_clear(z);
    arf_clear(t);
    return !(worst < ELEM_ULPS);
}

int main(void)
{
    prop_random r = prop_start("prop_elem");
    int failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        failed |= check_points(&rows[i], &r) |
                  (rows[i].interval != NULL && check_intervals(&rows[i], &r));
    failed |= check_pow(&r);
    flint_cleanup();
    return failed;
}
