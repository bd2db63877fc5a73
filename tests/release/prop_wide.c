/*
 * Every operation of the fixed point of 1088 bits against Arb at 2600 bits:
 * the exact result lies between the two ends, which are as near to each other
 * as wide.h declares, and exp(-y) in widths of 2 to 70 limbs as limbs.h does.
 * Operands are biased to corners: 0, 1, all bits set, single bits, the ends
 * of the range.
 */
#include <arb.h>
#include <string.h>

#include "support/random.h"
#include "release/limbs.h"
#include "release/wide.h"

#define PRECISION 5200
#define MOST_LIMBS 70

static void require(bool is_right, const char *what)
{
    if (is_right)
        return;
    printf("wrong: %s\n", what);
    exit(1);
}

/* ---- Numbers ----------------------------------------------------------- */

static void arb_of_limbs(arb_t x, const uint64_t *limb, size_t n)
{
    fmpz_t z;
    fmpz_init(z);
    fmpz_set_ui_array(z, (const ulong *)limb, (slong)n);
    arb_set_fmpz(x, z);
    arb_mul_2exp_si(x, x, -64 * ((slong)n - 1));
    fmpz_clear(z);
}

static void draw_limbs(uint64_t *limb, size_t n, prop_random *r)
{
    int kind = prop_below(r, 5);
    for (size_t i = 0; i < n; i++)
        limb[i] = kind == 0   ? 0
                  : kind == 1 ? UINT64_MAX
                  : kind == 2 ? (prop_below(r, 3) ? 0 : prop_bits(r))
                              : prop_bits(r);
    if (kind == 0)
        limb[prop_below(r, (int)n)] |= (uint64_t)1 << prop_below(r, 64);
    /* integer parts of all sizes below 2^63 */
    limb[n - 1] = prop_bits(r) >> (1 + prop_below(r, 63));
    if (prop_below(r, 3) == 0)
        limb[n - 1] = 0;
}

static struct wide_range draw_range(prop_random *r)
{
    struct wide_range x;
    draw_limbs(x.lo.limb, WIDE_LIMBS, r);
    x.hi = x.lo;
    if (prop_below(r, 2) == 0)
        draw_limbs(x.hi.limb, WIDE_LIMBS, r);
    if (wide_compare(&x.lo, &x.hi) > 0) {
        struct wide kept = x.lo;
        x.lo = x.hi;
        x.hi = kept;
    }
    return x;
}

static bool is_top(const struct wide *x)
{
    return x->limb[WIDE_LIMBS - 1] >> 63;
}

/* One exact end against the end that was found: on its side, and not more
 * than 2^width_bits away. A saturated end must have been out of range. */
static void check_end(const struct wide *end, const arb_t exact, bool is_upper,
    long width_bits, const char *what)
{
    arb_t x, distance;
    arb_init(x);
    arb_init(distance);
    arb_of_limbs(x, end->limb, WIDE_LIMBS);
    arb_sub(distance, x, exact, PRECISION);
    if (!is_upper)
        arb_neg(distance, distance);
    if (is_top(end)) { /* the exact end is above 2^63, or so near to it */
        arb_set_si(x, 1);
        arb_mul_2exp_si(x, x, 63);
        arb_sub(x, x, exact, PRECISION);
        arb_set_si(distance, 1);
        arb_mul_2exp_si(distance, distance, width_bits);
        require(!arb_gt(x, distance), what);
    } else {
        require(!arb_is_negative(distance), what);
        arb_set_si(x, 1);
        arb_mul_2exp_si(x, x, width_bits);
        require(!arb_gt(distance, x), what);
    }
    arb_clear(x);
    arb_clear(distance);
}

/* ---- Properties -------------------------------------------------------- */

typedef struct wide_range binary(
    const struct wide_range *a, const struct wide_range *b);
typedef void arb_binary(arb_t z, const arb_t x, const arb_t y, slong prec);

static void check_binary(binary *ours, arb_binary *truth, const char *what,
    long width_bits, prop_random *r)
{
    struct wide_range a = draw_range(r), b = draw_range(r), c = ours(&a, &b);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    arb_of_limbs(x, a.lo.limb, WIDE_LIMBS);
    arb_of_limbs(y, b.lo.limb, WIDE_LIMBS);
    truth(x, x, y, PRECISION);
    check_end(&c.lo, x, false, width_bits, what);
    arb_of_limbs(x, a.hi.limb, WIDE_LIMBS);
    arb_of_limbs(y, b.hi.limb, WIDE_LIMBS);
    truth(x, x, y, PRECISION);
    check_end(&c.hi, x, true, width_bits, what);
    arb_clear(x);
    arb_clear(y);
}

static void property_add(prop_random *r)
{
    check_binary(wide_add, arb_add, "add", -2000, r);
}

static void property_mul(prop_random *r)
{
    check_binary(wide_mul, arb_mul, "mul", -1024, r);
}

static void property_shift(prop_random *r)
{
    struct wide_range a = draw_range(r);
    int bits = prop_below(r, 2300) - 1150;
    if (prop_below(r, 2) == 0)
        bits = 64 * (bits / 64);
    struct wide_range c = wide_shift(&a, bits);
    arb_t x;
    arb_init(x);
    arb_of_limbs(x, a.lo.limb, WIDE_LIMBS);
    arb_mul_2exp_si(x, x, bits);
    check_end(&c.lo, x, false, bits < 0 ? -1024 : -2000, "shift, lower");
    arb_of_limbs(x, a.hi.limb, WIDE_LIMBS);
    arb_mul_2exp_si(x, x, bits);
    check_end(&c.hi, x, true, bits < 0 ? -1024 : -2000, "shift, upper");
    arb_clear(x);
}

static uint128 draw_128(prop_random *r)
{
    uint128 x = (uint128)prop_bits(r) << 64 | prop_bits(r);
    x >>= prop_below(r, 128);
    switch (prop_below(r, 6)) {
    case 0:
        return ~(uint128)0 >> prop_below(r, 128);
    case 1:
        return (uint128)1 << prop_below(r, 128);
    default:
        return x;
    }
}

static void arb_of_128(arb_t x, uint128 a)
{
    uint64_t limb[2] = {(uint64_t)a, (uint64_t)(a >> 64)};
    arb_of_limbs(x, limb, 2);
    arb_mul_2exp_si(x, x, 64);
}

static void property_ratio(prop_random *r)
{
    uint128 numerator = prop_below(r, 20) ? draw_128(r) : 0;
    uint128 denominator = draw_128(r) | (prop_below(r, 2) ? 1 : 0);
    if (denominator == 0)
        denominator = 3;
    int shift = prop_below(r, 3) ? prop_below(r, 260) - 130
                                 : prop_below(r, 5000) - 2500;
    struct wide_range c = wide_ratio(numerator, shift, denominator);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    arb_of_128(x, numerator);
    arb_of_128(y, denominator);
    arb_div(x, x, y, PRECISION);
    arb_mul_2exp_si(x, x, shift);
    /* a dyadic quotient is exact in Arb and here, unless it is cut off */
    check_end(&c.lo, x, false, -1024, "ratio, lower");
    check_end(&c.hi, x, true, -1024, "ratio, upper");
    if (arb_is_exact(x) && shift > -700)
        require(wide_compare(&c.lo, &c.hi) == 0, "ratio, exact");
    arb_clear(x);
    arb_clear(y);
}

static void property_words(prop_random *r)
{
    uint64_t words[WIDE_LIMBS - 1] = {0};
    size_t n = (size_t)prop_below(r, WIDE_LIMBS);
    bool is_full = prop_below(r, 3) == 0;
    uint64_t whole = prop_bits(r) >> (1 + prop_below(r, 63));
    for (size_t i = 0; i < n; i++)
        words[i] = is_full ? UINT64_MAX : prop_bits(r);
    struct wide_range c = wide_words(words, n, whole);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    arb_set_ui(x, whole);
    for (size_t i = 0; i < n; i++) {
        arb_set_ui(y, words[i]);
        arb_mul_2exp_si(y, y, -64 * ((slong)i + 1));
        arb_add(x, x, y, PRECISION);
    }
    check_end(&c.lo, x, false, -2000, "words, lower");
    arb_set_ui(y, 1);
    arb_mul_2exp_si(y, y, -64 * (slong)n);
    arb_add(x, x, y, PRECISION);
    check_end(&c.hi, x, true, -2000, "words, upper");
    arb_clear(x);
    arb_clear(y);
}

static void property_exp(prop_random *r)
{
    struct wide_range y = draw_range(r);
    int size = prop_below(r, 5); /* from y near 0 to y beyond the range */
    if (size > 0) {
        y.lo.limb[WIDE_LIMBS - 1] = prop_bits(r) >> (50 + 3 * size);
        y.hi.limb[WIDE_LIMBS - 1] = y.lo.limb[WIDE_LIMBS - 1];
    }
    if (wide_compare(&y.lo, &y.hi) > 0)
        y.hi = y.lo;
    if (size == 4)
        y = wide_shift(&y, -prop_below(r, 1100));
    struct wide_range e = wide_exp_neg(&y);
    arb_t x;
    arb_init(x);
    arb_of_limbs(x, y.hi.limb, WIDE_LIMBS);
    arb_neg(x, x);
    arb_exp(x, x, PRECISION);
    check_end(&e.lo, x, false, -1022, "exp, lower");
    arb_of_limbs(x, y.lo.limb, WIDE_LIMBS);
    arb_neg(x, x);
    arb_exp(x, x, PRECISION);
    check_end(&e.hi, x, true, -1022, "exp, upper");
    arb_clear(x);
}

static void property_exp_width(prop_random *r)
{
    static uint64_t y[MOST_LIMBS], lo[MOST_LIMBS], hi[MOST_LIMBS];
    static uint64_t work[LIMBS_EXP_WORK(MOST_LIMBS)];
    size_t n = 2 + (size_t)prop_below(r, MOST_LIMBS - 1);
    draw_limbs(y, n, r);
    y[n - 1] = prop_below(r, 2) ? (uint64_t)prop_below(r, (int)(64 * n)) : 0;
    limbs_exp_neg(lo, hi, y, n, work);
    arb_t e, x;
    arb_init(e);
    arb_init(x);
    arb_of_limbs(e, y, n);
    arb_neg(e, e);
    arb_exp(e, e, PRECISION);
    arb_of_limbs(x, lo, n);
    require(!arb_gt(x, e), "exp in n limbs, lower");
    arb_of_limbs(x, hi, n);
    require(!arb_lt(x, e), "exp in n limbs, upper");
    require(limbs_sub(hi, hi, lo, n) == 0, "exp in n limbs, order");
    require(hi[0] <= 2, "exp in n limbs, width");
    hi[0] = 0;
    require(limbs_is_zero(hi, n), "exp in n limbs, width");
    arb_clear(e);
    arb_clear(x);
}

static void property_div(prop_random *r)
{
    uint64_t a[4], q[4], divisor = prop_bits(r) >> prop_below(r, 64) | 1;
    size_t n = 2 + (size_t)prop_below(r, 3);
    bool is_upper = prop_below(r, 2);
    fmpz_t x, y, z;
    fmpz_init(x);
    fmpz_init(y);
    fmpz_init(z);
    draw_limbs(a, n, r);
    require(limbs_div(q, a, divisor, n, is_upper), "div, range");
    fmpz_set_ui_array(x, a, (slong)n);
    fmpz_set_ui(y, divisor);
    if (is_upper)
        fmpz_cdiv_q(z, x, y);
    else
        fmpz_fdiv_q(z, x, y);
    fmpz_set_ui_array(x, q, (slong)n);
    require(fmpz_equal(x, z), "div");
    fmpz_clear(x);
    fmpz_clear(y);
    fmpz_clear(z);
}

static void check_known(void)
{
    struct wide_range zero = wide_words(NULL, 0, 0);
    zero.hi = zero.lo;
    struct wide_range one = wide_exp_neg(&zero);
    require(wide_compare(&one.lo, &one.hi) == 0, "exp(0), width");
    require(one.lo.limb[WIDE_LIMBS - 1] == 1, "exp(0)");
    struct wide_range top = wide_ratio(1, 62, 1), big = wide_ratio(1, 90, 1);
    require(top.hi.limb[WIDE_LIMBS - 1] == (uint64_t)1 << 62, "2^62");
    require(is_top(&big.lo) && is_top(&big.hi), "2^90");
    /* what is unknown from above stays so, though it is multiplied by 0 */
    struct wide_range unknown = wide_mul(&big, &zero);
    require(is_top(&unknown.hi), "unknown times 0");
    unknown = wide_shift(&big, -80);
    require(is_top(&unknown.hi), "unknown shifted");
    struct wide_range small = wide_exp_neg(&big);
    require(limbs_is_zero(small.lo.limb, WIDE_LIMBS), "exp(-unknown)");
    require(small.hi.limb[0] == 1, "exp(-2^63)");
}

int main(void)
{
    static const prop_property properties[] = {
        {property_add, 3000},
        {property_mul, 3000},
        {property_shift, 6000},
        {property_ratio, 3000},
        {property_words, 2000},
        {property_div, 2000},
        {property_exp, 500},
        {property_exp_width, 120},
    };
    prop_random r = prop_start("prop_wide");
    check_known();
    prop_run(&r, properties, sizeof properties / sizeof *properties);
    flint_cleanup();
    return 0;
}
