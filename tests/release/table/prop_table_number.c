/*
 * Texts of numbers against exact integers (FLINT): units of a grid by
 * floor(v/g + 1/2), saturated; comparisons; floors. Decimals of 128 bits and
 * integers take other paths and must give the same.
 */
#include <arb.h>
#include <string.h>

#include "support/random.h"
#include "release/table/reader/units.h"

#define MAX_TEXT 256

static void require(bool condition, const char *what, const char *text)
{
    if (condition)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

/* Digits that like 0, 5 and 9. */
static char digit(prop_random *r)
{
    static const char liked[] = "000559944";
    int i = prop_below(r, 19);
    return i < 9 ? liked[i] : (char)('0' + i - 9);
}

/* A text, and its value as digits * 10^exponent. */
static void draw(char *text, fmpz_t digits, slong *exponent, prop_random *r)
{
    char all[MAX_TEXT], *s = text;
    int n_all = 0,
        whole = prop_below(r, 3) == 0 ? prop_below(r, 40) : prop_below(r, 8);
    int part = prop_below(r, 3) == 0 ? prop_below(r, 45) : prop_below(r, 8);
    bool is_negative = prop_below(r, 2) == 0;
    if (whole + part == 0)
        whole = 1;
    if (prop_below(r, 5) == 0)
        *s++ = ' ';
    if (is_negative || prop_below(r, 4) == 0)
        *s++ = is_negative ? '-' : '+';
    for (int i = 0; i < whole; i++)
        *s++ = all[n_all++] = digit(r);
    if (part > 0 || prop_below(r, 8) == 0)
        *s++ = '.';
    for (int i = 0; i < part; i++)
        *s++ = all[n_all++] = digit(r);
    *exponent = -part;
    if (prop_below(r, 3) == 0) {
        int e = prop_below(r, 4) == 0 ? prop_below(r, 120) - 60
                                      : prop_below(r, 13) - 6;
        s += sprintf(s, "%c%+d", prop_below(r, 2) == 0 ? 'e' : 'E', e);
        *exponent += e;
    }
    if (prop_below(r, 6) == 0)
        *s++ = '\t';
    *s = '\0';
    all[n_all] = '\0';
    fmpz_set_str(digits, all, 10);
    if (is_negative)
        fmpz_neg(digits, digits);
}

/* digits * 10^exponent * den / num as a fraction. */
static void fraction(fmpz_t top, fmpz_t under, const fmpz_t digits,
    slong exponent, int64_t num, int64_t den)
{
    fmpz_t ten;
    fmpz_init(ten);
    fmpz_set_ui(ten, 10);
    fmpz_pow_ui(ten, ten, (ulong)(exponent < 0 ? -exponent : exponent));
    fmpz_mul_si(top, digits, den);
    fmpz_set_si(under, num);
    fmpz_mul(exponent < 0 ? under : top, exponent < 0 ? under : top, ten);
    fmpz_clear(ten);
}

static int64_t saturated(const fmpz_t z)
{
    const int64_t most = (int64_t)1 << 62;
    if (fmpz_cmp_si(z, most) >= 0)
        return most;
    if (fmpz_cmp_si(z, -most) <= 0)
        return -most;
    return fmpz_get_si(z);
}

/* num = 1 or den = 1, up to 2^53. */
static void grid_draw(int64_t *num, int64_t *den, prop_random *r)
{
    static const int64_t liked[] = {1, 2, 5, 10, 20, 100, 1000, 1024, 3, 7,
        1000000, (int64_t)1 << 53, 9007199254740991, 4503599627370497};
    int64_t g = prop_below(r, 3) == 0 ? 1 + (int64_t)(prop_bits(r) >> 11)
                                      : liked[prop_below(r, 14)];
    *num = *den = 1;
    *(prop_below(r, 2) == 0 ? num : den) = g;
}

static void units(prop_random *r)
{
    char text[MAX_TEXT];
    fmpz_t digits, top, under, z;
    slong exponent;
    struct table_value value = {.lo = -1, .hi = 1};
    struct units u;
    struct number x;
    fmpz_init(digits);
    fmpz_init(top);
    fmpz_init(under);
    fmpz_init(z);
    draw(text, digits, &exponent, r);
    grid_draw(&value.num, &value.den, r);
    units_new(&u, &value);
    fraction(top, under, digits, exponent, value.num, value.den);
    fmpz_mul_2exp(top, top, 1); /* floor((2 a + b) / (2 b)) */
    fmpz_add(top, top, under);
    fmpz_mul_2exp(under, under, 1);
    fmpz_fdiv_q(z, top, under);
    require(number_read(&x, text, strlen(text), '.'), "a number", text);
    require(units_of_number(&u, &x) == saturated(z), "units", text);
    if (fmpz_sizeinbase(digits, 2) <= 124 && exponent >= -70 &&
        exponent <= 70) {
        fmpz_t low;
        fmpz_init(low);
        fmpz_fdiv_r_2exp(low, digits, 62);
        int128 v = fmpz_get_si(low);
        fmpz_fdiv_q_2exp(low, digits, 62);
        v += (int128)fmpz_get_si(low) * ((int128)1 << 62);
        require(units_of_decimal(&u, v, (int)-exponent) == saturated(z),
            "units of a decimal", text);
        if (exponent == 0 && fmpz_sizeinbase(digits, 2) <= 64)
            require(units_of_integer(&u, v) == saturated(z),
                "units of an integer", text);
        fmpz_clear(low);
    }
    fmpz_clear(digits);
    fmpz_clear(top);
    fmpz_clear(under);
    fmpz_clear(z);
}

static void compare(prop_random *r)
{
    char texts[2][MAX_TEXT];
    fmpz_t digits[2], top[2], under[2];
    struct number x[2];
    for (size_t i = 0; i < 2; i++) {
        slong exponent;
        fmpz_init(digits[i]);
        fmpz_init(top[i]);
        fmpz_init(under[i]);
        draw(texts[i], digits[i], &exponent, r);
        if (i == 1 && prop_below(r, 4) == 0) { /* near the other one */
            (void)strcpy(texts[1], texts[0]);
            fmpz_set(top[1], top[0]);
            fmpz_set(under[1], under[0]);
        } else {
            fraction(top[i], under[i], digits[i], exponent, 1, 1);
        }
        require(number_read(&x[i], texts[i], strlen(texts[i]), '.'), "a number",
            texts[i]);
        bool is_exact;
        int128 floor = number_floor(&is_exact, &x[i]);
        fmpz_fdiv_q(digits[i], top[i], under[i]);
        if (fmpz_sizeinbase(digits[i], 2) < 62)
            require(floor == fmpz_get_si(digits[i]), "floor", texts[i]);
        require(is_exact == (fmpz_divisible(top[i], under[i]) != 0),
            "an integer", texts[i]);
    }
    fmpz_mul(top[0], top[0], under[1]);
    fmpz_mul(top[1], top[1], under[0]);
    int side = fmpz_cmp(top[0], top[1]);
    int got = number_compare(&x[0], &x[1]);
    require(got == (side > 0) - (side < 0), "comparison", texts[0]);
    for (size_t i = 0; i < 2; i++) {
        fmpz_clear(digits[i]);
        fmpz_clear(top[i]);
        fmpz_clear(under[i]);
    }
}

/* The nearest doubles of bounds, and doubles on half grid points. */
static void doubles(prop_random *r)
{
    struct table_value value = {.lo = 0};
    struct units u;
    grid_draw(&value.num, &value.den, r);
    value.hi = (int64_t)(prop_bits(r) >> (2 + prop_below(r, 60)));
    value.lo = -(int64_t)(prop_bits(r) >> (2 + prop_below(r, 60)));
    units_new(&u, &value);
    for (int i = 0; i < 2; i++) {
        fmpz_t top, under;
        fmpz_init_set_si(top, i == 0 ? value.lo : value.hi);
        fmpz_init_set_si(under, value.den);
        fmpz_mul_si(top, top, value.num);
        arf_t a;
        arf_init(a);
        arf_fmpz_div_fmpz(a, top, under, 53, ARF_RND_NEAR);
        require(arf_get_d(a, ARF_RND_NEAR) == (i == 0 ? u.low : u.high),
            "the double nearest to a bound", "");
        arf_clear(a);
        fmpz_clear(top);
        fmpz_clear(under);
    }
    double v = prop_sign(r, prop_scaled(r, -80, 90));
    int64_t z;
    require(units_of_double(&z, &u, v), "a number", "");
    require(z >= value.lo && z <= value.hi, "a clamped number", "");
    if (value.den == 1 && value.num <= 1024 && fabs(v) < 0x1p40 &&
        fabs(v) > 0x1p-10) { /* exact but for the rounding of v + num/2 */
        double exact = floor((v + (double)value.num / 2) / (double)value.num);
        double clamped = fmin(fmax(exact, (double)value.lo), (double)value.hi);
        require(fabs((double)z - clamped) <= 1, "units of a double", "");
    }
}

int main(void)
{
    prop_random r = prop_start("prop_table_number");
    const prop_property properties[] = {
        {units, 100000}, {compare, 50000}, {doubles, 50000}};
    prop_run(&r, properties, sizeof properties / sizeof properties[0]);
    return 0;
}
