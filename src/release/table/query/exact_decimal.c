/*
 * Exact decimal numbers: parsing, conversion to units of a grid, rounding and
 * printing, in whole numbers of 128 bits.
 */
#include "exact_decimal.h"

#include <math.h>

#include "big_whole.h"
#include "num/round.h"

static int128 power_of_ten(int n)
{
    int128 power = 1;
    for (; n > 0; n--)
        power *= 10;
    return power;
}

static int128 greatest_divisor(int128 a, int128 b)
{
    a = a < 0 ? -a : a;
    while (b != 0) {
        int128 rest = a % b;
        a = b;
        b = rest;
    }
    return a == 0 ? 1 : a;
}

/* The exponent after the digits; false when there is something else. */
static bool parse_exponent(int *out, const char *text, size_t n)
{
    size_t i = 1;
    bool negative = false;
    *out = 0;
    if (n == 0)
        return true;
    if (text[0] != 'e' && text[0] != 'E')
        return false;
    if (i < n && (text[i] == '+' || text[i] == '-'))
        negative = text[i++] == '-';
    if (i == n || n - i > 3)
        return false;
    for (; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *out = *out * 10 + (text[i] - '0');
    }
    *out = negative ? -*out : *out;
    return true;
}

bool exact_parse(struct exact_decimal *out, const char *text, size_t n)
{
    size_t i = 0;
    int n_digits = 0, places = 0, exponent;
    bool negative = false, has_point = false, has_digit = false;
    int128 digits = 0;
    if (i < n && (text[i] == '+' || text[i] == '-'))
        negative = text[i++] == '-';
    for (; i < n; i++) {
        if (text[i] == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9')
            break;
        has_digit = true;
        places += has_point;
        n_digits += n_digits > 0 || text[i] != '0';
        if (n_digits > EXACT_MAX_DIGITS || places > EXACT_MAX_DIGITS)
            return false;
        digits = digits * 10 + (text[i] - '0');
    }
    if (!has_digit || !parse_exponent(&exponent, text + i, n - i))
        return false;
    places -= exponent;
    if (places > EXACT_MAX_DIGITS ||
        (digits != 0 && n_digits - places > EXACT_MAX_DIGITS))
        return false;
    if (places < 0) {
        digits = digits == 0 ? 0 : digits * power_of_ten(-places);
        places = 0;
    }
    int128 den = power_of_ten(places);
    int128 common = greatest_divisor(digits, den);
    out->num = (negative ? -digits : digits) / common;
    out->den = den / common;
    out->places = places;
    return true;
}

bool exact_whole(int64_t *out, const char *text, size_t n, int64_t most)
{
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        int64_t digit = text[i] - '0';
        if (*out > (most - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return n > 0;
}

bool exact_grid_of(struct exact_grid *out, const struct exact_decimal *x)
{
    const int128 most = (int128)1 << 53;
    int places = 0;
    if (x->num <= 0 || (x->num != 1 && x->den != 1) || x->num > most ||
        x->den > most)
        return false;
    while (places < EXACT_MAX_PLACES && power_of_ten(places) % x->den != 0)
        places++;
    if (power_of_ten(places) % x->den != 0)
        return false;
    *out = (struct exact_grid){(int64_t)x->num, (int64_t)x->den, places, 1};
    return true;
}

struct exact_grid exact_grid_of_places(int places)
{
    return (struct exact_grid){1, (int64_t)power_of_ten(places), places, 1};
}

/* x / grid = (x.num grid.den) / (x.den grid.num); all in lowest terms, and
 * one of the grid's is 1: whole iff x.den | grid.den and grid.num | x.num. */
bool exact_units(int64_t *out, const struct exact_decimal *x,
    const struct exact_grid *grid)
{
    if (grid->den % x->den != 0 || x->num % grid->num != 0)
        return false;
    int128 whole = x->num / grid->num, factor = grid->den / x->den;
    int128 most = (int128)EXACT_MAX_UNITS / factor;
    if (whole > most || whole < -most)
        return false;
    *out = (int64_t)(whole * factor);
    return true;
}

bool exact_round(int64_t *out, const struct exact_decimal *x,
    const struct exact_grid *grid, int64_t lo, int64_t hi)
{
    const int128 most = power_of_ten(EXACT_MAX_PLACES);
    if (x->num > most || x->num < -most || x->den > most)
        return false;
    /* floor((2 x.num grid.den + d) / (2 d)), d = x.den grid.num, both below
     * 2^117 */
    int128 d = x->den * grid->num;
    int128 n = 2 * x->num * grid->den + d;
    int128 units = n / (2 * d) - (n % (2 * d) < 0);
    *out = units < lo ? lo : units > hi ? hi : (int64_t)units;
    return true;
}

double exact_ratio_lower(int64_t num, int64_t den)
{
    double n = (double)num, d = (double)den, ratio = n / d;
    return fma(ratio, d, -n) > 0 ? round_down(ratio) : ratio;
}

void exact_print(dosi_buffer *b, int128 units, const struct exact_grid *grid)
{
    uint128 magnitude = units < 0 ? -(uint128)units : (uint128)units;
    struct big x = big_of(magnitude);
    int power = grid->power == 2 ? 2 : 1;
    for (int i = 0; i < power; i++) {
        x = big_mul(x, (uint64_t)grid->num);
        x = big_mul(x, (uint64_t)(power_of_ten(grid->places) / grid->den));
    }
    big_print(b, &x, power * grid->places, units < 0, false);
}
