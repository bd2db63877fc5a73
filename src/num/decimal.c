/*
 * Doubles from decimal text. strtod rounds to nearest but expects the decimal
 * point of the locale, so that no text with a point is passed to it.
 */
#include "decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double decimal_value(const char *digits, int n, int point)
{
    char text[DECIMAL_TIE_DIGITS + 17];
    memcpy(text, digits, (size_t)n);
    /* no decimal point, so no locale */
    (void)snprintf(text + n, 16, "e%d", point - n);
    return strtod(text, NULL);
}

/* The value of an exponent, far below the limits of long long. */
static long long exponent_read(const char *text, size_t n, size_t *n_used)
{
    size_t i = 0;
    bool negative = false;
    if (i < n && (text[i] == '+' || text[i] == '-'))
        negative = text[i++] == '-';
    size_t first = i;
    long long value = 0;
    for (; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        if (value < 1000000000000000000 / 10)
            value = 10 * value + (text[i] - '0');
    *n_used = i > first ? i : 0;
    return negative ? -value : value;
}

bool decimal_read(double *out, const char *text, size_t n, size_t *n_used)
{
    char digits[DECIMAL_TIE_DIGITS + 1];
    int n_digits = 0;
    bool any = false, after_point = false, negative = false;
    long long point = 0; /* value = 0.digits * 10^point */
    size_t i = 0;

    *out = 0;
    *n_used = 0;
    if (i < n && (text[i] == '+' || text[i] == '-'))
        negative = text[i++] == '-';
    for (; i < n; i++) {
        char c = text[i];
        if (c == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (c < '0' || c > '9')
            break;
        any = true;
        bool leading_zero = c == '0' && n_digits == 0;
        if (after_point ? leading_zero : !leading_zero)
            point += after_point ? -1 : 1;
        if (leading_zero)
            continue;
        if (n_digits < DECIMAL_TIE_DIGITS)
            digits[n_digits++] = c;
        else if (n_digits == DECIMAL_TIE_DIGITS && c != '0')
            digits[n_digits++] = '1'; /* above any tie before it */
    }
    if (!any)
        return false;
    if (i < n && (text[i] == 'e' || text[i] == 'E')) {
        size_t used = 0;
        long long e = exponent_read(text + i + 1, n - i - 1, &used);
        if (used > 0) {
            point += e;
            i += 1 + used;
        }
    }
    *n_used = i;
    double x = 0;
    if (n_digits > 0 && point > 400)
        x = HUGE_VAL;
    else if (n_digits > 0 && point > -400)
        x = decimal_value(digits, n_digits, (int)point);
    *out = negative ? -x : x;
    return true;
}
