/*
 * Numbers as text, the same in every locale. The printing half is public:
 * dosi_print_lower, dosi_print_upper and dosi_print_exact of dosimeter.h.
 */
#ifndef DOSI_NUM_DECIMAL_H
#define DOSI_NUM_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

#include "dosimeter.h"

/**
 * Reads the longest decimal number that starts at text[0].
 *
 *     [+-] (digits [. [digits]] | . digits) [(e|E) [+-] digits]
 *
 * No spaces, no hexadecimal, no "inf" or "nan". *out is the double nearest to
 * the decimal, ties to even, whatever its length; +-HUGE_VAL if that is beyond
 * the largest double (the caller reports it); +-0 or a subnormal number if it
 * is tiny. *n_used is the number of bytes read; an exponent without digits is
 * left unread, as by strtod.
 *
 * Returns false, *out = 0 and *n_used = 0, if no number starts there.
 *
 * cost      no allocation, no locale; one strtod
 */
bool decimal_read(double *out, const char *text, size_t n, size_t *n_used);

/* Significant digits that suffice for the midpoint of two neighbouring
 * doubles, (2^54 - 1) 2^-1075. */
#define DECIMAL_TIE_DIGITS 768

/* The double nearest to 0.digits * 10^point, for n <= DECIMAL_TIE_DIGITS + 1
 * digits. */
double decimal_value(const char *digits, int n, int point);

#endif
