/*
 * Decimal text from doubles: the public printers. "%.*e" of the C library
 * prints all digits of a double; the decimal point of the locale, which it
 * writes, is skipped.
 *
 * This file is separate because libdosimeter-release has a second copy of this
 * layer except for the files that define public functions.
 */
#include "decimal.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"

/* Significant digits that suffice for every double, (2^53 - 1) 2^-1074. */
#define ALL_DIGITS 767

/* Digits that suffice for most conversions; at least 2 more than 17. */
#define FIRST_DIGITS 25

/* 0.d1 d2 ... dn * 10^point, d1 not 0. */
typedef struct decimal {
    int point;
    int n;
    char digits[ALL_DIGITS + 1];
} decimal;

static void decimal_trim(decimal *d)
{
    while (d->n > 1 && d->digits[d->n - 1] == '0')
        d->n--;
}

/* All digits of an integer x, 0 < x < 2^53. */
static void decimal_of_integer(decimal *d, double x)
{
    char reversed[16];
    int n = 0;
    for (long long rest = (long long)x; rest > 0; rest /= 10)
        reversed[n++] = (char)('0' + rest % 10);
    d->point = d->n = n;
    for (int i = 0; i < n; i++)
        d->digits[i] = reversed[n - 1 - i];
    decimal_trim(d);
}

/* The n-digit decimal nearest to a finite x > 0, without trailing zeros; all
 * of x when it is an integer below 2^53. */
static void decimal_expand(decimal *d, double x, int n)
{
    if (x < 0x1p53 && x == floor(x)) {
        decimal_of_integer(d, x);
        return;
    }
    char text[ALL_DIGITS + 32];
    (void)snprintf(text, sizeof text, "%.*e", n - 1, x);
    d->n = 0;
    const char *s = text;
    for (; *s != 'e'; s++) /* skips the locale's point, however long */
        if (*s >= '0' && *s <= '9' && d->n < n)
            d->digits[d->n++] = *s;
    d->point = (int)strtol(s + 1, NULL, 10) + 1;
    decimal_trim(d);
}

/* An upper bound of the number of significant digits of x > 0. */
static int decimal_length(double x)
{
    int e = 0;
    (void)frexp(x, &e); /* 2^(e-1) <= x < 2^e; the last bit is >= 2^(e-53) */
    if (e >= 53)
        return e * 3 / 10 + 4; /* an integer; e log10 2 < 0.3 e + 1.1 */
    /* 53 - e decimals; before the first digit, 0.3 (-e) of them are 0 */
    int n = 53 - e + (e > 0 ? e * 3 / 10 + 2 : e * 3 / 10 + 1);
    return n < ALL_DIGITS ? n : ALL_DIGITS;
}

/* Keeps n digits: towards 0, or away from 0 if anything is dropped. */
static void decimal_cut(decimal *d, int n, bool away)
{
    if (d->n > n) {
        d->n = n;
        if (away) {
            while (d->n > 0 && d->digits[d->n - 1] == '9')
                d->n--;
            if (d->n == 0) { /* 9.99 -> 10 */
                d->digits[d->n++] = '1';
                d->point++;
            } else {
                d->digits[d->n - 1]++;
            }
        }
    }
    decimal_trim(d);
}

/* Writes as %g does: plain for a leading digit at 10^-4 to 10^16, else
 * d.ddde-30. */
static size_t decimal_write(char *text, const decimal *d, bool negative)
{
    char *s = text;
    if (negative)
        *s++ = '-';
    int exponent = d->point - 1;
    bool plain = exponent >= -4 && exponent <= 16;
    int point = plain ? d->point : 1;
    if (point <= 0) {
        *s++ = '0';
        *s++ = '.';
        for (int i = point; i < 0; i++)
            *s++ = '0';
    }
    for (int i = 0; i < d->n || i < point; i++) {
        if (i == point && i > 0)
            *s++ = '.';
        *s++ = i < d->n ? d->digits[i] : '0';
    }
    *s = '\0';
    if (!plain)
        s += snprintf(s, 8, "e%d", exponent);
    assert(s - text < DOSI_NUMBER_BYTES);
    return (size_t)(s - text);
}

static size_t text_copy(char *text, const char *from)
{
    size_t length = strlen(from);
    memcpy(text, from, length + 1);
    return length;
}

static size_t print_directed(char *text, double x, int n_digits, bool up)
{
    if (isnan(x))
        x = up ? HUGE_VAL : -HUGE_VAL;
    if (isinf(x))
        return text_copy(text, x > 0 ? "inf" : "-inf");
    if (x == 0)
        return text_copy(text, "0");
    int n = n_digits < 1 ? 1 : n_digits > 17 ? 17 : n_digits;
    decimal d;
    decimal_expand(&d, fabs(x), FIRST_DIGITS);
    /* Half a unit of the last of FIRST_DIGITS cannot cross an n-digit
     * decimal unless the digits after the n-th are all 0: then all digits of
     * x decide. */
    if (d.n <= n)
        decimal_expand(&d, fabs(x), decimal_length(fabs(x)));
    decimal_cut(&d, n, (x > 0) == up);
    return decimal_write(text, &d, x < 0);
}

size_t dosi_print_lower(char *text, double x, int n_digits)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(x);
    return print_directed(text, x, n_digits, false);
}

size_t dosi_print_upper(char *text, double x, int n_digits)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(x);
    return print_directed(text, x, n_digits, true);
}

/* Leaves in *d the nearer of the two n-digit neighbours of x > 0 that reads
 * back as x, if any does. The farther one alone can, if it lies on the wide
 * side of a power of 2. x is given by FIRST_DIGITS: if these have only zeros
 * after the n-th, the nearer one is near enough to read back. */
static bool decimal_fits(decimal *d, const decimal *first, int n, double x)
{
    bool up = false;
    if (first->n > n) { /* to nearest, ties to even */
        bool tie = first->digits[n] == '5' && first->n == n + 1;
        up = tie ? first->digits[n - 1] % 2 == 1 : first->digits[n] >= '5';
    }
    for (int i = 0; i < 2; i++) {
        d->point = first->point;
        d->n = first->n;
        memcpy(d->digits, first->digits, (size_t)first->n);
        decimal_cut(d, n, i == 0 ? up : !up);
        if (decimal_value(d->digits, d->n, d->point) == x)
            return true;
    }
    return false;
}

size_t dosi_print_exact(char *text, double x)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(x);
    if (isnan(x))
        return text_copy(text, "nan");
    if (isinf(x))
        return text_copy(text, x > 0 ? "inf" : "-inf");
    if (x == 0)
        return text_copy(text, signbit(x) ? "-0" : "0");
    decimal first, d;
    decimal_expand(&first, fabs(x), FIRST_DIGITS);
    /* A decimal of up to 15 digits survives the way through a normal double and
     * back, so if any reads as x, the 15-digit one is it. 17 digits always
     * suffice. */
    int n = fabs(x) >= DBL_MIN ? DBL_DIG : 1;
    while (!decimal_fits(&d, &first, n, fabs(x)) && n < DBL_DECIMAL_DIG)
        n++;
    return decimal_write(text, &d, x < 0);
}
