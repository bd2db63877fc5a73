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

/* ---- Rows of discs ------------------------------------------------------ */

/* Puts a random disc into a row, and a point of it into exact. */
static void put_random(
    jump_row *row, size_t j, acb_t exact, double size, double share)
{
    double angle = prop_uniform(&source, 0, 6.2831);
    double way = prop_uniform(&source, 0, 6.2831);
    row->re[j] = size * cos(angle);
    row->im[j] = size * sin(angle);
    row->rad[j] = share * size;
    acb_t off;
    acb_init(off);
    acb_set_d_d(exact, row->re[j], row->im[j]);
    acb_set_d_d(off, 0.999 * row->rad[j] * cos(way),
        0.999 * row->rad[j] * sin(way));
    acb_add(exact, exact, off, 300);
    acb_clear(off);
}

/* How far out a point lies, over the radius. */
static double place(const jump_row *row, size_t j, const acb_t exact)
{
    acb_t gap;
    arb_t size, rad;
    acb_init(gap);
    arb_init(size);
    arb_init(rad);
    acb_set_d_d(gap, row->re[j], row->im[j]);
    acb_sub(gap, exact, gap, 1000);
    acb_abs(size, gap, 1000);
    arb_set_d(rad, row->rad[j]);
    arb_div(size, size, rad, 300);
    double found = acb_is_zero(gap)
                       ? 0
                       : arf_get_d(arb_midref(size), ARF_RND_NEAR);
    acb_clear(gap);
    arb_clear(size);
    arb_clear(rad);
    return found;
}

static acb_ptr row_of_points(void)
{
    return _acb_vec_init(JUMP_ROW);
}

static void turns_hold(void **state)
{
    (void)state;
    acb_ptr x = row_of_points(), y = row_of_points();
    double worst = 0;
    for (int i = 0; i < 100; i++) {
        jump_row a, b;
        double share = i % 3 ? log_uniform(1e-25, 0.5) : 0;
        for (size_t j = 0; j < JUMP_ROW; j++) {
            put_random(&a, j, x + j, log_uniform(1e-9, 1e9), share);
            put_random(&b, j, y + j, log_uniform(0.5, 2), share);
            acb_mul(x + j, x + j, y + j, 300);
        }
        jump_row both = a;
        jump_row_turn(&both, &b);
        for (size_t j = 0; j < JUMP_ROW; j++) {
            double size = hypot(a.re[j], a.im[j]) * hypot(b.re[j], b.im[j]);
            double r = place(&both, j, x + j);
            assert_true(r <= 1);
            assert_true(both.rad[j] <= (2.6 * share + 0x1p-50) * size);
            worst = fmax(worst, r);
        }
    }
    _acb_vec_clear(x, JUMP_ROW);
    _acb_vec_clear(y, JUMP_ROW);
    assert_true(worst > 0.5);
}

/* (1 + z)^n in place of z, and (1 + z + w)^n - (1 + z)^n in place of w. */
static void exact_powers(acb_t z, acb_t w, double n)
{
    acb_add_ui(z, z, 1, 2000);
    acb_add(w, w, z, 2000);
    acb_pow_ui(w, w, (ulong)n, 2000);
    acb_pow_ui(z, z, (ulong)n, 2000);
    acb_sub(w, w, z, 2000);
}

typedef struct powers_case {
    jump_row z, w;
    acb_ptr of_z, of_w;
    double share, size, rare; /* of radii, and of both at most */
} powers_case;

/* Powers of a row whose bases shrink, or hardly move, where jumps are rare. */
static void random_powers(
    jump_powers_row *out, powers_case *c, double n, bool is_exact)
{
    c->share = is_exact ? 0 : log_uniform(1e-18, 1e-6);
    c->size = fmin(log_uniform(1e-3, 60) / n, 0.9);
    c->rare = fmin(log_uniform(1e-12, 3) / n, 0.1);
    for (size_t j = 0; j < JUMP_ROW; j++) {
        double size = c->size * prop_uniform(&source, 0.01, 1);
        put_random(&c->z, j, c->of_z + j, size, c->share);
        put_random(&c->w, j, c->of_w + j, c->rare, c->share);
        if (c->z.re[j] > 0) { /* no growth */
            acb_t gap;
            acb_init(gap);
            acb_set_d_d(gap, 2 * c->z.re[j], 0);
            acb_sub(c->of_z + j, c->of_z + j, gap, 300);
            c->z.re[j] = -c->z.re[j];
            acb_clear(gap);
        }
        exact_powers(c->of_z + j, c->of_w + j, n);
    }
    jump_row_power(out, &c->z, &c->w, n);
}

/* Both hold, and are as good as digits allow: relative to what they are at
 * most, which is n w for the second. */
static void powers_hold(void **state)
{
    (void)state;
    powers_case c = {.of_z = row_of_points(), .of_w = row_of_points()};
    double worst[2] = {0, 0};
    for (int i = 0; i < 400; i++) {
        static jump_powers_row out;
        double n = floor(log_uniform(1, i % 2 ? 40 : 1e5));
        random_powers(&out, &c, n, i % 3 == 0);
        jump_row all;
        jump_row_whole(&all, &out);
        double unit = c.share + 32 * 0x1p-52 * (1 + log2(n));
        double grown = exp(n * (c.rare + c.size * c.size));
        double moved = unit * n * c.size * 4 + 0x1p-50;
        for (size_t j = 0; j < JUMP_ROW; j++) {
            double r = place(&all, j, c.of_z + j);
            double s = place(&out.more, j, c.of_w + j);
            assert_true(r <= 1 && s <= 1);
            assert_true(all.rad[j] <= moved * grown);
            assert_true(out.more.rad[j] <=
                        n * c.rare * (moved + 4 * unit) * 4 * grown);
            worst[0] = fmax(worst[0], r);
            worst[1] = fmax(worst[1], s);
        }
    }
    assert_true(worst[0] > 0.3 && worst[1] > 0.3);
    _acb_vec_clear(c.of_z, JUMP_ROW);
    _acb_vec_clear(c.of_w, JUMP_ROW);
}

/* Of two parts. */
static void joined_powers_hold(void **state)
{
    (void)state;
    powers_case a = {.of_z = row_of_points(), .of_w = row_of_points()};
    powers_case b = {.of_z = row_of_points(), .of_w = row_of_points()};
    double worst = 0;
    for (int i = 0; i < 60; i++) {
        static jump_powers_row x, y;
        random_powers(&x, &a, floor(log_uniform(1, 3000)), i % 2);
        random_powers(&y, &b, floor(log_uniform(1, 3000)), i % 2);
        jump_row_join(&x, &y);
        jump_row all;
        jump_row_whole(&all, &x);
        for (size_t j = 0; j < JUMP_ROW; j++) {
            acb_add(a.of_w + j, a.of_w + j, a.of_z + j, 2000);
            acb_add(b.of_w + j, b.of_w + j, b.of_z + j, 2000);
            acb_mul(a.of_w + j, a.of_w + j, b.of_w + j, 2000);
            acb_mul(a.of_z + j, a.of_z + j, b.of_z + j, 2000);
            acb_sub(a.of_w + j, a.of_w + j, a.of_z + j, 2000);
            double r = fmax(place(&all, j, a.of_z + j),
                place(&x.more, j, a.of_w + j));
            assert_true(r <= 1);
            worst = fmax(worst, r);
        }
    }
    assert_true(worst > 0.3);
    acb_ptr rows[] = {a.of_z, a.of_w, b.of_z, b.of_w};
    for (int i = 0; i < 4; i++)
        _acb_vec_clear(rows[i], JUMP_ROW);
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
        cmocka_unit_test(turns_hold),
        cmocka_unit_test(powers_hold),
        cmocka_unit_test(joined_powers_hold),
        cmocka_unit_test(powers_do_not_vanish),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
