/*
 * Whether an interval of doubles contains a decimal number of any length,
 * judged exactly: both are written as signed digits and compared as texts.
 * The number is taken as rounded at its last digit, so what is compared is
 * the interval [v - h, v + h], h being half a unit of that digit. A text of
 * fewer than 17 digits ("0.1") is taken as 17 digits, and also as the double
 * that it names.
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_DIGITS 17
/* A double has at most 767 significant digits. */
#define MOST_DIGITS 800

/* sign * 0.d1 d2 ... dn * 10^exponent with d1 > 0; sign 0: zero. */
struct decimal {
    int sign;
    long exponent;
    size_t n;
    char digits[MOST_DIGITS + 2];
};

/* Appends a digit that stands before or behind the point. */
static void digit_append(struct decimal *d, char c, bool behind)
{
    if (d->n > 0 || c != '0') {
        d->digits[d->n++] = c;
        if (!behind)
            d->exponent++;
    } else if (behind) {
        d->exponent--;
    }
}

static bool decimal_parse(struct decimal *d, const char *text, size_t n)
{
    size_t i = 0;
    size_t n_seen = 0;
    bool behind = false;

    *d = (struct decimal){.sign = 1};
    if (n > MOST_DIGITS)
        return false;
    if (i < n && (text[i] == '-' || text[i] == '+'))
        d->sign = text[i++] == '-' ? -1 : 1;
    for (; i < n && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9'));
         i++) {
        if (text[i] != '.') {
            digit_append(d, text[i], behind);
            n_seen++;
        } else if (behind) {
            return false;
        } else {
            behind = true;
        }
    }
    if (n_seen == 0)
        return false;
    if (i < n && (text[i] == 'e' || text[i] == 'E')) {
        char exponent[12] = "";
        char *end;
        if (n - i - 1 == 0 || n - i - 1 >= sizeof exponent ||
            strchr("+-0123456789", text[i + 1]) == NULL)
            return false;
        memcpy(exponent, text + i + 1, n - i - 1);
        d->exponent += strtol(exponent, &end, 10);
        i = *end == '\0' ? n : i;
    }
    if (d->n == 0)
        d->sign = 0;
    return i == n;
}

/* Adds direction (+1 or -1) half units of the last digit to d's size. */
static void half_unit_add(struct decimal *d, int direction)
{
    if (d->sign == 0)
        return;
    while (d->n < LEAST_DIGITS)
        d->digits[d->n++] = '0';
    d->digits[d->n++] = '5';
    if (direction > 0)
        return;          /* ...d + 0.5: the digits as they stand, and a 5 */
    size_t i = d->n - 1; /* ...d - 0.5 = (...d - 1) + 0.5: borrow one */
    while (d->digits[i - 1] == '0')
        d->digits[--i] = '9';
    d->digits[i - 1]--;
    if (d->digits[0] == '0') { /* 1000... became 0999... */
        memmove(d->digits, d->digits + 1, --d->n);
        d->exponent--;
    }
}

/* Sign of a - b for sizes, both of them nonzero. */
static int compare_sizes(const struct decimal *a, const struct decimal *b)
{
    if (a->exponent != b->exponent)
        return a->exponent < b->exponent ? -1 : 1;
    for (size_t i = 0; i < a->n || i < b->n; i++) {
        char x = i < a->n ? a->digits[i] : '0';
        char y = i < b->n ? b->digits[i] : '0';
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* Sign of x - v, exactly. */
static int compare(double x, const struct decimal *v)
{
    struct decimal d;
    char text[MOST_DIGITS];

    if (isinf(x))
        return x < 0 ? -1 : 1;
    /* 767 digits are enough for every double: glibc prints them exactly. */
    int n = snprintf(text, sizeof text, "%.766e", x);
    if (n < 0 || !decimal_parse(&d, text, (size_t)n))
        return 0;
    if (d.sign != v->sign)
        return d.sign < v->sign ? -1 : 1;
    return d.sign == 0 ? 0 : d.sign * compare_sizes(&d, v);
}

bool cli_contains(dosi_interval x, const char *text, bool *ok)
{
    struct decimal low;

    *ok = true;
    if (strcmp(text, "inf") == 0)
        return x.hi == HUGE_VAL;
    if (strcmp(text, "-inf") == 0)
        return x.lo == -HUGE_VAL;
    *ok = decimal_parse(&low, text, strlen(text));
    if (!*ok)
        return false;
    if (low.n < LEAST_DIGITS) {
        double named = strtod(text, NULL);
        if (x.lo <= named && named <= x.hi)
            return true;
    }
    struct decimal high = low;
    half_unit_add(&low, -low.sign);
    half_unit_add(&high, high.sign);
    return compare(x.lo, &high) <= 0 && compare(x.hi, &low) >= 0;
}
