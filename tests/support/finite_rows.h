/*
 * The reference values of oracles/finite.csv: lines "id,params,value" with
 * params "k=v;k=v", lists as "a|b|c". A value carries 20 digits or more.
 */
#ifndef DOSI_TESTS_SUPPORT_FINITE_ROWS_H
#define DOSI_TESTS_SUPPORT_FINITE_ROWS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finite_pair.h"

typedef struct finite_row {
    char line[1024]; /* cut at the commas */
    const char *id;
    const char *params;
    const char *value;
} finite_row;

/* Calls check for every row; returns how many it took (those for which it
 * returns true). */
static inline int rows_each(bool (*check)(const finite_row *row))
{
    FILE *file = fopen(DOSI_TEST_DATA "/oracles/finite.csv", "r");
    if (file == NULL)
        return -1;
    int n = 0;
    finite_row row;
    while (fgets(row.line, sizeof row.line, file) != NULL) {
        row.line[strcspn(row.line, "\r\n")] = '\0';
        char *params = strchr(row.line, ',');
        char *value = params != NULL ? strrchr(row.line, ',') : NULL;
        if (value == NULL || value == params)
            continue;
        *params++ = '\0';
        *value++ = '\0';
        row.id = row.line;
        row.params = params;
        row.value = value;
        n += check(&row);
    }
    fclose(file);
    return n;
}

/* The list of a parameter; returns its length, 0 if it is not there. */
static inline size_t row_list(
    const finite_row *row, const char *name, double *out, size_t most)
{
    size_t length = strlen(name), n = 0;
    const char *s = row->params;
    while (s != NULL && !(strncmp(s, name, length) == 0 && s[length] == '=')) {
        s = strchr(s, ';');
        s = s != NULL ? s + 1 : NULL;
    }
    if (s == NULL)
        return 0;
    s += length;
    do {
        char *end = NULL;
        if (n < most)
            out[n++] = strtod(s + 1, &end);
        s = end;
    } while (s != NULL && *s == '|');
    return n;
}

static inline double row_real(const finite_row *row, const char *name)
{
    double x = NAN;
    row_list(row, name, &x, 1);
    return x;
}

/* The printed value, with an allowance for its last digits. */
static inline void row_value(arb_t y, const finite_row *row)
{
    arb_set_str(y, row->value, PAIR_BITS);
    mag_t error;
    mag_init(error);
    arb_get_mag(error, y);
    mag_mul_2exp_si(error, error, -64);
    mag_add(arb_radref(y), arb_radref(y), error);
    mag_clear(error);
}

/* Inside the enclosure, which is no wider than asked; says so if not. */
static inline bool row_holds(
    const finite_row *row, dosi_interval x, double width)
{
    arb_t y;
    arb_init(y);
    row_value(y, row);
    bool inside = pair_in_interval(x, y), narrow = pair_width(x) <= width;
    if (!inside || !narrow)
        printf("%s %s: %s is %s [%.17g, %.17g]\n", row->id, row->params,
            row->value, inside ? "too loosely in" : "not in", x.lo, x.hi);
    arb_clear(y);
    return inside && narrow;
}

#endif
