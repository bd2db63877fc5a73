/* Numbers as they are written in a table, exactly. */
#include "number.h"

#include <string.h>

/* Exponents beyond it decide nothing: texts have at most 2^40 digits, and
 * what is compared or counted lies far within 10^(+-2^60). */
#define MAX_EXPONENT ((int64_t)1 << 60)

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The exponent that starts at s, after the e; false if there is none or
 * something follows it. */
static bool exponent_read(int64_t *out, const char *s, const char *end)
{
    bool is_negative = false;
    int64_t e = 0;
    if (s < end && (*s == '+' || *s == '-'))
        is_negative = *s++ == '-';
    if (s == end)
        return false;
    for (; s < end && is_digit(*s); s++)
        e = e < MAX_EXPONENT / 10 ? 10 * e + (*s - '0') : MAX_EXPONENT;
    *out = is_negative ? -e : e;
    return s == end;
}

/* The digits at s, up to what is no digit and no first decimal sign. Leading
 * zeros are passed over. */
static const char *digits_read(
    struct number *x, const char *s, const char *end, char sign, size_t *n_seen)
{
    const char *mark = NULL, *first = NULL;
    uint64_t mantissa = 0;
    size_t n = 0, seen = 0, zeros = 0; /* zeros: after the sign, leading */
    size_t sign_at = 0;
    for (; s < end; s++) {
        unsigned d = (unsigned)(unsigned char)*s - '0';
        if (d <= 9) {
            seen++;
            if (first == NULL) {
                if (d == 0) {
                    zeros += mark != NULL;
                    continue;
                }
                first = s;
            }
            mantissa = 10 * mantissa + d; /* wraps if it is not short */
            n++;
        } else if (*s == sign && mark == NULL) {
            mark = s;
            sign_at = n;
        } else {
            break;
        }
    }
    x->first = first;
    x->n = n;
    x->mantissa = mantissa;
    x->is_short = n <= NUMBER_SHORT;
    x->sign_at = mark == NULL || n == 0 || sign_at == 0 ? n : sign_at;
    x->point = mark == NULL ? (int64_t)n : (int64_t)sign_at - (int64_t)zeros;
    *n_seen = seen;
    return s;
}

bool number_read(struct number *out, const char *text, size_t n, char sign)
{
    const char *s = text, *end = text + n;
    size_t n_seen;
    while (s < end && is_blank(*s))
        s++;
    while (s < end && is_blank(end[-1]))
        end--;
    out->is_negative = false;
    if (s < end && (*s == '+' || *s == '-'))
        out->is_negative = *s++ == '-';
    s = digits_read(out, s, end, sign, &n_seen);
    if (n_seen == 0)
        return false;
    if (s == end)
        return true;
    int64_t e;
    if ((*s != 'e' && *s != 'E') || !exponent_read(&e, s + 1, end))
        return false;
    out->point += e;
    return true;
}

/* |a| against |b|. */
static int magnitude_compare(const struct number *a, const struct number *b)
{
    if (a->n == 0 || b->n == 0)
        return (a->n > 0) - (b->n > 0);
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    size_t n = a->n > b->n ? a->n : b->n;
    for (size_t i = 0; i < n; i++) {
        unsigned c = i < a->n ? number_digit(a, i) : 0;
        unsigned d = i < b->n ? number_digit(b, i) : 0;
        if (c != d)
            return c < d ? -1 : 1;
    }
    return 0;
}

int number_compare(const struct number *a, const struct number *b)
{
    int side_a = a->n == 0 ? 0 : a->is_negative ? -1 : 1;
    int side_b = b->n == 0 ? 0 : b->is_negative ? -1 : 1;
    if (side_a != side_b)
        return side_a < side_b ? -1 : 1;
    int c = magnitude_compare(a, b);
    return side_a < 0 ? -c : c;
}

int128 number_floor(bool *is_exact, const struct number *x)
{
    int128 whole = 0;
    bool has_part = false;
    int64_t n_whole = x->n == 0 || x->point < 0 ? 0 : x->point;
    if (n_whole > 30) { /* 10^30 < 2^100 */
        whole = NUMBER_FAR;
    } else {
        for (int64_t i = 0; i < n_whole; i++)
            whole = 10 * whole +
                    ((uint64_t)i < x->n ? number_digit(x, (size_t)i) : 0);
    }
    for (size_t i = (size_t)n_whole; i < x->n; i++)
        has_part |= number_digit(x, i) > 0;
    *is_exact = !has_part;
    return x->is_negative ? -whole - has_part : whole;
}

bool number_integer(int64_t *out, const struct number *x)
{
    bool is_exact;
    int128 whole = number_floor(&is_exact, x);
    *out = whole < INT64_MIN   ? INT64_MIN
           : whole > INT64_MAX ? INT64_MAX
                               : (int64_t)whole;
    return is_exact;
}
