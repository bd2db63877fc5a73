/*
 * From a value to units of its grid: floor(v/g + 1/2), clamped to lo .. hi.
 * Text, integers and decimals are mapped exactly; doubles by a fixed sequence
 * of IEEE operations that all engines share. docs/theory/release.md.
 */
#ifndef DOSI_RELEASE_TABLE_READER_UNITS_H
#define DOSI_RELEASE_TABLE_READER_UNITS_H

#include "number.h"

#define UNITS_MAX ((int64_t)1 << 62) /* where exact maps saturate */

/* A table_value with what its maps need. */
struct units {
    int64_t num, den, lo, hi;
    /* v = mantissa * 10^-j is mantissa * times[j] / over[j] units, in lowest
     * terms; over[j] = 0 if that does not fit 64 bits */
    uint64_t times[NUMBER_SHORT + 1], over[NUMBER_SHORT + 1];
    double low, high; /* the doubles nearest to lo * g and hi * g */
    double scale;     /* den if num = 1, else num */
    double half;      /* num / 2 */
};

void units_new(struct units *out, const struct table_value *value);

/* Exact maps: units, saturated at +-2^62 and not yet clamped. */
int64_t units_of_number(const struct units *u, const struct number *x);
int64_t units_of_integer(const struct units *u, int128 v); /* |v| <= 2^64 */
int64_t units_of_decimal(const struct units *u, int128 v, int scale);

/* False if v is no finite number; *out is clamped. */
bool units_of_double(int64_t *out, const struct units *u, double v);

static inline int64_t units_clamp(const struct units *u, int64_t z)
{
    return z < u->lo ? u->lo : z > u->hi ? u->hi : z;
}

#endif
