/*
 * Printing and reading of random doubles, checked in exact integer
 * arithmetic (FLINT): printed bounds lie on their side and are the nearest
 * decimals that do; the exact text reads back and is the shortest that does;
 * ties and their neighbours are read right.
 */
#include <arb.h>
#include <string.h>

#include "num/decimal.h"
#include "num/round.h"
#include "support/random.h"

static double draw(prop_random *r)
{
    double x = 0;
    switch (prop_below(r, 8)) {
    case 0: { /* any bits */
        uint64_t bits = prop_bits(r) >> 1;
        memcpy(&x, &bits, sizeof x);
        break;
    }
    case 1:
        x = (double)(prop_bits(r) >> prop_below(r, 64)) * 0x1p-1074 * 0x1p-12;
        break;
    case 2: /* short decimals */
        x = (double)prop_below(r, 100000) * pow(10, prop_below(r, 40) - 20);
        break;
    case 3: /* next to them */
        x = prop_near(r, pow(10, prop_below(r, 600) - 300));
        break;
    case 4:
        x = ldexp(1, prop_below(r, 2098) - 1074);
        break;
    case 5:
        x = (double)(prop_bits(r) >> prop_below(r, 60));
        break;
    default:
        x = prop_scaled(r, -60, 60);
        break;
    }
    return isfinite(x) ? prop_sign(r, fabs(x)) : 1;
}

/* The decimal text as an integer times 10^*exponent; its digit count. */
static int parse(fmpz_t digits, slong *exponent, const char *text)
{
    char all[64];
    int n = 0, significant = 0, after = 0;
    bool point = false;
    const char *s = text + (*text == '-');
    for (; *s != '\0' && *s != 'e'; s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        all[n++] = *s;
        after += point;
    }
    all[n] = '\0';
    *exponent = (*s == 'e' ? strtol(s + 1, NULL, 10) : 0) - after;
    fmpz_set_str(digits, all, 10);
    if (*text == '-')
        fmpz_neg(digits, digits);
    const char *first = all + strspn(all, "0");
    significant = (int)strlen(first);
    while (significant > 1 && first[significant - 1] == '0')
        significant--;
    return significant;
}

/* The sign of digits * 10^exponent - x, exactly. */
static int compare(const fmpz_t digits, slong exponent, double x)
{
    fmpz_t power;
    arf_t a, b, c;
    fmpz_init(power);
    arf_init(a);
    arf_init(b);
    arf_init(c);
    fmpz_ui_pow_ui(power, 10, (ulong)labs(exponent));
    arf_set_fmpz(c, power);
    arf_set_fmpz(a, digits);
    arf_set_d(b, x);
    if (exponent >= 0)
        arf_mul(a, a, c, ARF_PREC_EXACT, ARF_RND_DOWN);
    else
        arf_mul(b, b, c, ARF_PREC_EXACT, ARF_RND_DOWN);
    int sign = arf_cmp(a, b);
    fmpz_clear(power);
    arf_clear(a);
    arf_clear(b);
    arf_clear(c);
    return sign;
}

static int fail(const char *what, double x, int n, const char *text)
{
    printf("FAILED %s: %a with %d digits: %s\n", what, x, n, text);
    return 1;
}

/* One unit of the n-th digit of a text with an exponent of digits. */
static int check_side(double x, int n, bool up)
{
    char text[DOSI_NUMBER_BYTES];
    size_t length =
        up ? dosi_print_upper(text, x, n) : dosi_print_lower(text, x, n);
    if (length != strlen(text) || length >= DOSI_NUMBER_BYTES)
        return fail("length", x, n, text);
    fmpz_t digits, unit;
    slong exponent = 0;
    int failed = 0;
    fmpz_init(digits);
    fmpz_init(unit);
    int significant = parse(digits, &exponent, text);
    int side = compare(digits, exponent, x);
    if (significant > n || (up ? side < 0 : side > 0))
        failed = fail("wrong side", x, n, text);
    if (side != 0) {
        /* the next n-digit decimal towards x is on the other side: write it
         * with one digit more, so that 1000 is preceded by 999.9 */
        fmpz_ui_pow_ui(unit, 10, 20);
        fmpz_mul(digits, digits, unit);
        exponent -= 20;
        slong size = (slong)fmpz_sizeinbase(digits, 10);
        bool towards_zero = (x > 0) == up;
        fmpz_ui_pow_ui(unit, 10, (ulong)(size - 1));
        if (towards_zero && fmpz_cmpabs(digits, unit) == 0)
            size--; /* a power of 10 */
        fmpz_ui_pow_ui(unit, 10, (ulong)(size - n));
        if (up)
            fmpz_sub(digits, digits, unit);
        else
            fmpz_add(digits, digits, unit);
        side = compare(digits, exponent, x);
        if (up ? side >= 0 : side <= 0)
            failed = fail("not the nearest", x, n, text);
    }
    fmpz_clear(digits);
    fmpz_clear(unit);
    return failed;
}

static bool reads_back(const char *text, double x)
{
    double y;
    size_t used;
    return decimal_read(&y, text, strlen(text), &used) &&
           used == strlen(text) && y == x && signbit(y) == signbit(x);
}

static int check_exact(double x)
{
    char text[DOSI_NUMBER_BYTES], shorter[DOSI_NUMBER_BYTES];
    (void)dosi_print_exact(text, x);
    if (!reads_back(text, x) || strtod(text, NULL) != x)
        return fail("does not read back", x, 0, text);
    if (x == 0)
        return 0;
    fmpz_t digits;
    slong exponent = 0;
    fmpz_init(digits);
    int n = parse(digits, &exponent, text);
    if (n > 1) {
        (void)dosi_print_lower(shorter, x, n - 1);
        if (reads_back(shorter, x))
            return fail("not the shortest", x, n, text);
        (void)dosi_print_upper(shorter, x, n - 1);
        if (reads_back(shorter, x))
            return fail("not the shortest", x, n, text);
    }
    /* where the nearest n-digit decimal reads back, it is that one */
    char nearest[64];
    (void)snprintf(nearest, sizeof nearest, "%.*e", n - 1, x);
    if (strtod(nearest, NULL) == x) {
        fmpz_t other;
        slong e = 0;
        fmpz_init(other);
        (void)parse(digits, &exponent, text);
        (void)parse(other, &e, nearest);
        for (; exponent > e; exponent--)
            fmpz_mul_ui(digits, digits, 10);
        for (; e > exponent; e--)
            fmpz_mul_ui(other, other, 10);
        int same = fmpz_equal(digits, other);
        fmpz_clear(other);
        if (!same)
            return fail("not the nearest", x, n, text);
    }
    fmpz_clear(digits);
    return n > 17 ? fail("too long", x, n, text) : 0;
}

/* The middle of x and its upper neighbour as a full decimal: read as the even
 * one, and with a digit more or less as the one on that side. */
static int check_tie(double x)
{
    double next = nextafter(x, HUGE_VAL);
    if (!(x > 0 && next <= DBL_MAX))
        return 0;
    int e = 0;
    (void)frexp(x, &e);
    int shift = e - 53 < -1074 ? -1074 : e - 53;
    /* (2k + 1) 2^(shift - 1) = (2k + 1) 5^p / 10^p or an integer */
    fmpz_t k, power;
    fmpz_init(k);
    fmpz_init(power);
    fmpz_set_d(k, ldexp(ldexp(x, -shift / 2), -shift - -shift / 2));
    int is_odd = fmpz_is_odd(k);
    fmpz_mul_2exp(k, k, 1);
    fmpz_add_ui(k, k, 1);
    slong p = 1 - shift;
    if (p > 0) {
        fmpz_ui_pow_ui(power, 5, (ulong)p);
        fmpz_mul(k, k, power);
    } else {
        fmpz_mul_2exp(k, k, (ulong)-p);
        p = 0;
    }
    static char text[3000], digits[2000];
    fmpz_get_str(digits, 10, k);
    int failed = 0;
    (void)snprintf(text, sizeof text, "%se-%ld", digits, (long)p);
    failed |= !reads_back(text, is_odd ? next : x);
    (void)snprintf(text, sizeof text, "%s.%0*d1e-%ld", digits, 900, 0, (long)p);
    failed |= !reads_back(text, next);
    fmpz_sub_ui(k, k, 1);
    fmpz_get_str(digits, 10, k);
    fmpz_clear(k);
    fmpz_clear(power);
    (void)snprintf(text, sizeof text, "%s.99e-%ld", digits, (long)p);
    failed |= !reads_back(text, x);
    return failed ? fail("tie", x, 0, text) : 0;
}

/* Random texts against strtod, which is right in the C locale. */
static int check_text(prop_random *r)
{
    char text[80];
    int n = 0;
    if (prop_bits(r) & 1)
        text[n++] = '-';
    int before = prop_below(r, 22), after = prop_below(r, 22);
    for (int i = 0; i < before; i++)
        text[n++] = (char)('0' + prop_below(r, 10));
    if (before == 0 || prop_bits(r) & 1) {
        text[n++] = '.';
        for (int i = before == 0 ? -1 : 0; i < after; i++)
            text[n++] = (char)('0' + prop_below(r, 10));
    }
    n += snprintf(text + n, 16, "e%d", prop_below(r, 700) - 350);
    return reads_back(text, strtod(text, NULL)) ? 0
                                                : fail("strtod", 0, 0, text);
}

int main(void)
{
    prop_random r = prop_start("prop_decimal");
    int failed = 0;
    for (long i = prop_count(100000); i > 0 && failed < 10; i--) {
        double x = draw(&r);
        int n = 1 + prop_below(&r, 17);
        failed += check_side(x, n, true) + check_side(x, n, false);
        failed += check_exact(x) + check_text(&r);
        if (i % 8 == 0)
            failed += check_tie(fabs(x));
    }
    flint_cleanup();
    return failed > 0;
}
