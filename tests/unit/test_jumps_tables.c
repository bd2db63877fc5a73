/*
 * Tables and arithmetic of classes of jumps against Arb: the normal
 * distribution in steps, real and turned, and discs in doubles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <acb_hypgeom.h>

#include "prop/random.h"
#include "repr/normal_steps.h"
#include "repr/spectral_jumps_line.h"
#include "repr/normal_turned.h"
#include "repr/spectral_jumps_quick.h"

static prop_random source;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

/* ---- Tables ------------------------------------------------------------ */

/* |hi + lo - x| over |x|. */
static double relative_gap(double hi, double lo, const arb_t x)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_set_d(a, hi);
    arb_set_d(b, lo);
    arb_add(a, a, b, 300);
    arb_sub(a, a, x, 300);
    arb_div(a, a, x, 300);
    double found = fabs(arf_get_d(arb_midref(a), ARF_RND_NEAR));
    arb_clear(a);
    arb_clear(b);
    return found;
}

static void tables_are_right(void **state)
{
    (void)state;
    acb_t z;
    arb_t root;
    acb_init(z);
    arb_init(root);
    arb_set_ui(root, 2);
    arb_rsqrt(root, root, 300);
    assert_int_equal(
        sizeof normal_turned / sizeof *normal_turned, NORMAL_LAST + 1);
    for (int j = 0; j <= NORMAL_LAST; j++)
        for (int turn = 0; turn <= NORMAL_TURN; turn += NORMAL_TURN) {
            acb_set_si(z, j);
            acb_div_ui(z, z, NORMAL_STEPS, 300);
            arb_set_si(acb_imagref(z), turn);
            acb_mul_arb(z, z, root, 300);
            acb_hypgeom_erfc(z, z, 300);
            acb_mul_2exp_si(z, z, -1);
            const double *v = normal_turned[j];
            dd steps = normal_steps[j];
            if (turn == 0) {
                assert_true(relative_gap(steps.hi, steps.lo,
                                acb_realref(z)) <= 0x1p-105);
                continue;
            }
            assert_true(relative_gap(v[0], 0, acb_realref(z)) <= 0x1p-53);
            assert_true(relative_gap(v[1], 0, acb_imagref(z)) <= 0x1p-53);
        }
    acb_clear(z);
    arb_clear(root);
}

/* ---- Discs ------------------------------------------------------------- */

/* A midpoint, and a point of its disc. */
static jump_quick random_disc(acb_t exact, double size, double share)
{
    double angle = prop_uniform(&source, 0, 6.2831);
    double way = prop_uniform(&source, 0, 6.2831);
    jump_quick z = {size * cos(angle), size * sin(angle), share * size};
    acb_t off;
    acb_init(off);
    acb_set_d_d(exact, z.re, z.im);
    acb_set_d_d(off, 0.999 * z.rad * cos(way), 0.999 * z.rad * sin(way));
    acb_add(exact, exact, off, 300);
    acb_clear(off);
    return z;
}

/* How far out a point lies, over the radius. */
static double place(jump_quick z, double re_lo, double im_lo, const acb_t exact)
{
    acb_t gap;
    arb_t size;
    acb_init(gap);
    arb_init(size);
    acb_set_d_d(gap, z.re, z.im);
    acb_sub(gap, exact, gap, 300);
    arb_set_d(size, re_lo);
    arb_sub(acb_realref(gap), acb_realref(gap), size, 300);
    arb_set_d(size, im_lo);
    arb_sub(acb_imagref(gap), acb_imagref(gap), size, 300);
    acb_abs(size, gap, 300);
    arb_t rad;
    arb_init(rad);
    arb_set_d(rad, z.rad);
    arb_div(size, size, rad, 300);
    double found = arf_get_d(arb_midref(size), ARF_RND_NEAR);
    acb_clear(gap);
    arb_clear(size);
    arb_clear(rad);
    return found;
}

static void inverses_hold(void **state)
{
    (void)state;
    acb_t x;
    acb_init(x);
    for (int i = 0; i < 2000; i++) {
        double share = i % 3 ? log_uniform(1e-33, 0.4) : 0;
        double size = log_uniform(1e-30, 1e30);
        jump_quick z = random_disc(x, size, share);
        disc d = {{z.re, 0}, {z.im, 0}, z.rad};
        acb_inv(x, x, 300);
        d = disc_inverse(d);
        jump_quick out = {d.re.hi, d.im.hi, d.rad};
        assert_true(place(out, d.re.lo, d.im.lo, x) <= 1);
        assert_true(d.rad <= (2.1 * share + 0x1p-94) / size);
        out = jump_quick_inverse(z);
        assert_true(place(out, 0, 0, x) <= 1);
        assert_true(out.rad <= (2.1 * share + 0x1p-49) / size);
    }
    acb_clear(x);
    assert_true(disc_inverse((disc){{1, 0}, {0, 0}, 0.6}).rad == HUGE_VAL);
    assert_true(jump_quick_inverse((jump_quick){1, 0, 0.6}).rad == HUGE_VAL);
}

static void sums_and_products_hold(void **state)
{
    (void)state;
    acb_t x, y, z;
    acb_init(x);
    acb_init(y);
    acb_init(z);
    double worst[2] = {0, 0};
    for (int i = 0; i < 4000; i++) {
        double share = i % 3 ? log_uniform(1e-25, 0.5) : 0;
        double of_a = log_uniform(1e-9, 1e9), of_b = log_uniform(1e-9, 1e9);
        jump_quick a = random_disc(x, of_a, share);
        jump_quick b = random_disc(y, of_b, share);
        acb_add(z, x, y, 300);
        jump_quick sum = jump_quick_add(a, b);
        double r = place(sum, 0, 0, z);
        assert_true(r <= 1);
        assert_true(sum.rad <= 1.01 * (share + 0x1p-51) * (of_a + of_b));
        worst[0] = fmax(worst[0], r);
        acb_mul(z, x, y, 300);
        jump_quick both = jump_quick_mul(a, b);
        r = place(both, 0, 0, z);
        assert_true(r <= 1);
        assert_true(both.rad <= (2.6 * share + 0x1p-50) * of_a * of_b);
        worst[1] = fmax(worst[1], r);
    }
    assert_true(worst[0] > 0.5 && worst[1] > 0.5);
    acb_clear(x);
    acb_clear(y);
    acb_clear(z);
}

/* z^n, and (1 + z)^n - 1 for z of every size. */
static void powers_hold(void **state)
{
    (void)state;
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    for (int i = 0; i < 3000; i++) {
        double n = floor(log_uniform(1, 4097));
        double share = i % 3 ? log_uniform(1e-18, 1e-6) : 0;
        double size = i % 2 ? log_uniform(1e-200, 1) : 1 / n;
        size = fmin(size, 30 / n);
        jump_quick z = random_disc(x, size, share);
        acb_add_ui(y, x, 1, 1000);
        acb_pow_ui(y, y, (ulong)n, 1000);
        acb_sub_ui(y, y, 1, 1000);
        jump_quick out = jump_quick_power_less_one(z, n);
        assert_true(place(out, 0, 0, y) <= 1);
        double most = expm1(n * log1p(size));
        double rough = 4 * n * size * exp(n * log1p(size));
        assert_true(out.rad <= (share + 64 * 0x1p-52 * (1 + log2(n))) *
                                       fmax(rough, most) + 1e-140);
        z.re = 1 + z.re / 2;
        acb_set_d_d(x, z.re, z.im);
        acb_pow_ui(y, x, (ulong)n, 300);
        out = jump_quick_power(z, n);
        assert_true(place(out, 0, 0, y) <= 1);
    }
    acb_clear(x);
    acb_clear(y);
}

/* However small W is, its powers are there; what is no number is infinite. */
static void powers_do_not_vanish(void **state)
{
    (void)state;
    jump_powers p = jump_powers_none();
    jump_powers_add(&p, 10, 0.5, -2000);
    double exact = 10 * 0.5 + log(10) - 2000.5; /* k S^(k-1) W */
    assert_true(jump_powers_log(&p) >= exact);
    assert_true(jump_powers_log(&p) <= exact + 2e-9);
    jump_powers_add(&p, 3, 0, log(0.5)); /* S^10 (1.5^3 - 1), and next to 0 */
    exact = 5 + log(1.5 * 1.5 * 1.5 - 1);
    assert_true(jump_powers_log(&p) >= exact);
    assert_true(jump_powers_log(&p) <= exact + 1e-8);
    jump_powers_add(&p, 1, 0, 800);
    assert_true(fabs(jump_powers_log(&p) - (5 + 3 * log(1.5) + 800)) < 1e-5);
    jump_powers_add(&p, 1, 0, NAN);
    assert_true(jump_powers_log(&p) == HUGE_VAL);
    assert_true(jump_log_add(-HUGE_VAL, NAN) == HUGE_VAL);
    assert_true(jump_log_add(NAN, 1) == HUGE_VAL);
    assert_true(jump_log_add(-HUGE_VAL, -3) == -3);
}

int main(void)
{
    source = prop_start("test_jumps_tables");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_right),
        cmocka_unit_test(inverses_hold),
        cmocka_unit_test(sums_and_products_hold),
        cmocka_unit_test(powers_hold),
        cmocka_unit_test(powers_do_not_vanish),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
