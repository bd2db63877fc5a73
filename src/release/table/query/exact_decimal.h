/*
 * Decimal numbers as they are written, exactly: bounds, grids and levels of
 * a query, and integers of a tally in the unit of their column.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_EXACT_DECIMAL_H
#define DOSI_RELEASE_TABLE_QUERY_EXACT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "release/int128.h"

#define EXACT_MAX_DIGITS 36
#define EXACT_MAX_PLACES 18 /* of a grid */
#define EXACT_MAX_UNITS ((int64_t)1 << 62)

/* num / den in lowest terms, den > 0 a divisor of a power of ten. */
struct exact_decimal {
    int128 num, den;
    int places; /* after the point, as it was written */
};

/* A grid of num / den, one of them 1; 10^places is a multiple of den. Squares
 * of numbers on it are printed with the power 2; 0 is 1. */
struct exact_grid {
    int64_t num, den;
    int places;
    int power;
};

/* [+-] digits [. digits] [e [+-] digits], all of the n bytes. False if it
 * is none, or has more than EXACT_MAX_DIGITS digits or places. */
bool exact_parse(struct exact_decimal *out, const char *text, size_t n);

/* A whole number without a sign; false when it is none or above most. */
bool exact_whole(int64_t *out, const char *text, size_t n, int64_t most);

/* The grid that a positive number is; false when it is none. */
bool exact_grid_of(struct exact_grid *out, const struct exact_decimal *x);

/* The grid of a last decimal place. */
struct exact_grid exact_grid_of_places(int places);

/* x in units of the grid: false when it is no multiple of it, or beyond
 * EXACT_MAX_UNITS. */
bool exact_units(int64_t *out, const struct exact_decimal *x,
    const struct exact_grid *grid);

/* floor(x / grid + 1/2), cut to lo .. hi; false when x has too many digits. */
bool exact_round(int64_t *out, const struct exact_decimal *x,
    const struct exact_grid *grid, int64_t lo, int64_t hi);

/* The largest double at most num / den. requires  0 <= num, den <= 2^53 */
double exact_ratio_lower(int64_t num, int64_t den);

/* units * grid, as it is. */
void exact_print(dosi_buffer *b, int128 units, const struct exact_grid *grid);

#endif
