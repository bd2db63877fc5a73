/* From a value to units of its grid. */
#include "units.h"

#include <math.h>

/* ---- Exact maps -------------------------------------------------------- */

/* floor((2 a + b)/(2 b)) for a positive number, and -ceil((2 a - b)/(2 b))
 * for a negative one, which is floor(-a/b + 1/2). requires  a < 2^126,
 * 0 < b < 2^126 */
static int64_t round_half_up(uint128 a, uint128 b, bool is_negative)
{
    uint128 q = a / b, twice = 2 * (a - q * b);
    if (is_negative ? twice > b : twice >= b)
        q++;
    if (q >= (uint128)UNITS_MAX)
        q = (uint128)UNITS_MAX;
    return is_negative ? -(int64_t)q : (int64_t)q;
}

/* mantissa * 10^-j, j <= NUMBER_SHORT */
static int64_t units_of_short(
    const struct units *u, uint64_t mantissa, size_t j, bool is_negative)
{
    uint64_t times = u->times[j], over = u->over[j];
    uint128 a = (uint128)mantissa * times;
    if (over == 1) {
        int64_t z = a >= (uint128)UNITS_MAX ? UNITS_MAX : (int64_t)a;
        return is_negative ? -z : z;
    }
    if (a >> 63 == 0) {
        uint64_t q = (uint64_t)a / over, rest = (uint64_t)a - q * over;
        uint64_t other = over - rest; /* rest against half of over */
        q += is_negative ? rest > other : rest >= other;
        if (q >= (uint64_t)UNITS_MAX)
            q = (uint64_t)UNITS_MAX;
        return is_negative ? -(int64_t)q : (int64_t)q;
    }
    return round_half_up(a, over, is_negative);
}

/* The fractional digits of a number, or of a product: the first of them, and
 * whether a later one is not 0. */
struct part {
    unsigned first;
    bool has_more;
};

/* Whether the rest counts as one more, half up: floor(v + 1/2) of a negative
 * number goes up only beyond a half. */
static bool part_rounds(struct part rest, bool is_negative)
{
    return is_negative ? rest.first > 5 || (rest.first == 5 && rest.has_more)
                       : rest.first >= 5;
}

/* Digit i of the number if it is written with zeros on both sides; i counts
 * from the point, negative to the left of it. */
static unsigned digit_at(const struct number *x, int64_t i)
{
    int64_t at = x->point + i;
    return at < 0 || (uint64_t)at >= x->n ? 0 : number_digit(x, (size_t)at);
}

/* The first digits that are not zeros by position lie before `end`. */
static int64_t digits_end(const struct number *x)
{
    return (int64_t)x->n - x->point; /* positions after the point */
}

/* |v| * den: whole part and rest. The digits after the point are multiplied
 * from the right: carry < den <= 2^53, so 10 den fits. */
static uint128 times_den(
    struct part *rest, const struct number *x, uint64_t den)
{
    uint128 whole = 0;
    uint64_t carry = 0;
    int64_t i = digits_end(x);
    *rest = (struct part){0, false};
    for (; i > 0; i--) {
        uint64_t t = digit_at(x, i - 1) * den + carry;
        rest->has_more |= rest->first > 0;
        rest->first = (unsigned)(t % 10);
        carry = t / 10;
    }
    for (int64_t j = x->point; j > 0; j--)
        whole = 10 * whole + digit_at(x, -j);
    return whole * den + carry;
}

/* |v| / num, rounded: 2 (r + f) against num, for the remainder r of the
 * whole part and the part f after the point. */
static uint128 over_num(const struct number *x, uint64_t num, bool is_negative)
{
    uint128 whole = 0;
    struct part rest = {digit_at(x, 0), false};
    for (int64_t j = x->point; j > 0; j--)
        whole = 10 * whole + digit_at(x, -j);
    for (int64_t i = 1; i < digits_end(x); i++)
        rest.has_more |= digit_at(x, i) > 0;
    uint128 q = whole / num;
    uint64_t r = (uint64_t)(whole - q * num);
    int64_t short_of = (int64_t)num - 2 * (int64_t)r; /* 2 f >= or > it? */
    bool is_up =
        short_of < 0 ||
        (short_of == 0 && (!is_negative || rest.first > 0 || rest.has_more)) ||
        (short_of == 1 && part_rounds(rest, is_negative));
    return q + is_up;
}

static int64_t units_of_long(const struct units *u, const struct number *x)
{
    bool is_negative = x->is_negative;
    /* 10^36 > 2^62 * 2^53 = the greatest number below saturation; and
     * 10^-17 * 2^53 < 1/2 */
    if (x->n == 0 || x->point < -17)
        return 0;
    uint128 q = (uint128)UNITS_MAX;
    if (x->point <= 36) {
        if (u->num == 1) {
            struct part rest;
            /* 10^36 * 2^53 is beyond 2^128: the whole part first */
            if (x->point <= 20) {
                q = times_den(&rest, x, (uint64_t)u->den);
                q += part_rounds(rest, is_negative);
            }
        } else {
            q = over_num(x, (uint64_t)u->num, is_negative);
        }
    }
    if (q >= (uint128)UNITS_MAX)
        q = (uint128)UNITS_MAX;
    return is_negative ? -(int64_t)q : (int64_t)q;
}

int64_t units_of_number(const struct units *u, const struct number *x)
{
    int64_t j = (int64_t)x->n - x->point; /* decimal places */
    if (x->is_short && j >= 0 && j <= NUMBER_SHORT && u->over[j] > 0)
        return units_of_short(u, x->mantissa, (size_t)j, x->is_negative);
    return units_of_long(u, x);
}

int64_t units_of_integer(const struct units *u, int128 v)
{
    bool is_negative = v < 0;
    uint128 a = is_negative ? -(uint128)v : (uint128)v;
    if (a >> 60 == 0)
        return units_of_short(u, (uint64_t)a, 0, is_negative);
    return round_half_up(a * (uint64_t)u->den, (uint64_t)u->num, is_negative);
}

int64_t units_of_decimal(const struct units *u, int128 v, int scale)
{
    bool is_negative = v < 0;
    uint128 a = is_negative ? -(uint128)v : (uint128)v;
    if (a >> 60 == 0 && scale >= 0 && scale <= NUMBER_SHORT &&
        u->over[scale] > 0)
        return units_of_short(u, (uint64_t)a, (size_t)scale, is_negative);
    char digits[40];
    size_t n = 0;
    for (; a > 0; a /= 10)
        digits[sizeof digits - ++n] = (char)('0' + (int)(a % 10));
    struct number x = {.is_negative = is_negative,
        .first = digits + sizeof digits - n,
        .n = n,
        .sign_at = n,
        .point = (int64_t)n - scale};
    return units_of_long(u, &x);
}

/* ---- Doubles ----------------------------------------------------------- */

/* The double nearest to a/b. requires  0 < b <= 2^53. The quotient has 73
 * bits or more, and its last bit stands for all that follow it, so that the
 * conversion rounds once. */
static double nearest_ratio(int64_t a, int64_t b)
{
    uint128 m = a < 0 ? -(uint128)a : (uint128)a;
    int shift = 0;
    if (a == 0)
        return 0;
    for (; m >> 126 == 0; shift++)
        m <<= 1;
    uint128 q = m / (uint64_t)b;
    if (q * (uint64_t)b != m)
        q |= 1;
    double x = ldexp((double)q, -shift);
    return a < 0 ? -x : x;
}

bool units_of_double(int64_t *out, const struct units *u, double v)
{
    if (!isfinite(v))
        return false;
    /* |w den| <= 2^62 (1 + 2^-52): no overflow of the cast. The half is
     * added before the division, so that nothing underflows. */
    double w = v < u->low ? u->low : v > u->high ? u->high : v;
    double z = u->num == 1 ? floor(w * u->scale + 0.5)
                           : floor((w + u->half) / u->scale);
    *out = units_clamp(u, (int64_t)z);
    return true;
}

/* ---- The grid ---------------------------------------------------------- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

void units_new(struct units *out, const struct table_value *value)
{
    uint64_t ten = 1;
    *out = (struct units){.num = value->num,
        .den = value->den,
        .lo = value->lo,
        .hi = value->hi,
        .low = value->num == 1 ? nearest_ratio(value->lo, value->den)
                               : (double)((int128)value->lo * value->num),
        .high = value->num == 1 ? nearest_ratio(value->hi, value->den)
                                : (double)((int128)value->hi * value->num),
        .scale = (double)(value->num == 1 ? value->den : value->num),
        .half = (double)value->num / 2};
    for (size_t j = 0; j <= NUMBER_SHORT; j++, ten *= 10) {
        uint64_t d = common_divisor((uint64_t)value->den, ten);
        uint128 over = (uint128)(ten / d) * (uint64_t)value->num;
        if (over >> 62 != 0)
            break; /* over stays 0 */
        out->times[j] = (uint64_t)value->den / d;
        out->over[j] = (uint64_t)over;
    }
}
