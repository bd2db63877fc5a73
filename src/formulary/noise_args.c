/*
 * Readers of the laws of integer noise and of exact ratios, which are kept as
 * whole numbers or rounded once.
 */
#include "noise_args.h"

#include <string.h>

#include "num/decimal.h"
#include "profile_args.h"

#define MAX_DIGITS 18

static const char *const law_names[] = {
    [DOSI_NOISE_ROUND_GAUSSIAN] = "rgauss",
    [DOSI_NOISE_ROUND_LAPLACE] = "rlaplace",
    [DOSI_NOISE_DISCRETE_GAUSSIAN] = "dgauss",
    [DOSI_NOISE_DISCRETE_LAPLACE] = "dlaplace",
};

dosi_status noise_law_read(
    dosi_noise_law *out, const formula_args *args, dosi_error *err)
{
    for (size_t i = 0; i < sizeof law_names / sizeof *law_names; i++)
        if (formula_text_is(args, "law", law_names[i])) {
            *out = (dosi_noise_law)i;
            return DOSI_OK;
        }
    return dosi_fail(
        err, DOSI_EINVAL, "law is rgauss, rlaplace, dgauss or dlaplace");
}

/* Reads "12" or "12.5": all digits as one number, and the number of digits
 * after the point. */
static bool read_digits(
    int64_t *number, int *places, const char *text, size_t n)
{
    bool is_behind = false;
    int digits = 0;
    *number = 0;
    *places = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '.' && !is_behind) {
            is_behind = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || ++digits > MAX_DIGITS)
            return false;
        *number = *number * 10 + (text[i] - '0');
        *places += is_behind;
    }
    return digits > 0;
}

/* A whole number, or a decimal with a power of ten below. */
static bool read_decimal(envelope_ratio *out, const char *text, size_t n)
{
    const char *mark = memchr(text, 'e', n);
    size_t n_digits = mark == NULL ? n : (size_t)(mark - text);
    int places = 0, none = 0;
    int64_t power = 0;
    if (!read_digits(&out->over, &places, text, n_digits))
        return false;
    if (mark != NULL) {
        if (n - n_digits < 3 || mark[1] != '-' ||
            !read_digits(&power, &none, mark + 2, n - n_digits - 2) ||
            none > 0 || power > MAX_DIGITS)
            return false;
    }
    out->under = 1;
    for (int64_t i = 0; i < places + power; i++) {
        if (i == MAX_DIGITS)
            return false;
        out->under *= 10;
    }
    return true;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Reduces over / under to lowest terms; false if it is not positive. */
static bool read_ratio(envelope_ratio *out, const char *text, size_t n)
{
    const char *slash = memchr(text, '/', n);
    if (slash == NULL) {
        if (!read_decimal(out, text, n))
            return false;
    } else {
        size_t n_over = (size_t)(slash - text);
        int places = 0, more = 0;
        if (!read_digits(&out->over, &places, text, n_over) ||
            !read_digits(&out->under, &more, slash + 1, n - n_over - 1) ||
            places > 0 || more > 0)
            return false;
    }
    if (out->over == 0 || out->under == 0)
        return false;
    int64_t divisor = common_divisor(out->over, out->under);
    out->over /= divisor;
    out->under /= divisor;
    return true;
}

dosi_status noise_ratio_read(envelope_ratio *out, const formula_args *args,
    const char *name, dosi_error *err)
{
    size_t n = 0;
    const char *text = formula_text(args, name, &n);
    if (read_ratio(out, text, n))
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "%s is a positive ratio A/B or a decimal, of at most %d digits", name,
        MAX_DIGITS);
}

dosi_status noise_rate_read(
    double *out, const formula_args *args, const char *name, dosi_error *err)
{
    size_t n = 0, used = 0;
    const char *text = formula_text(args, name, &n);
    envelope_ratio r;
    if (decimal_read(out, text, n, &used) && used == n && *out >= 0)
        return DOSI_OK;
    if (memchr(text, '/', n) != NULL && read_ratio(&r, text, n) &&
        r.over <= (int64_t)1 << 53 && r.under <= (int64_t)1 << 53) {
        *out = (double)r.over / (double)r.under; /* correctly rounded */
        return DOSI_OK;
    }
    return dosi_fail(err, DOSI_EINVAL,
        "%s is a ratio A/B of numbers up to 2^53, or a decimal", name);
}
