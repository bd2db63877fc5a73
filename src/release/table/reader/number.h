/*
 * Numbers as they are written in a table, exactly. A number is
 *
 *     blanks [+-] (digits [sign [digits]] | sign digits) [(e|E) [+-] digits]
 *     blanks
 *
 * with the decimal sign that was declared, spaces and tabs as blanks, and
 * nothing else: "nan", "inf", "1 000" and the empty text are no numbers.
 * Any length and any exponent is read.
 */
#ifndef DOSI_RELEASE_TABLE_READER_NUMBER_H
#define DOSI_RELEASE_TABLE_READER_NUMBER_H

#include "compiled_query.h"

#define NUMBER_SHORT 18 /* digits whose mantissa is kept as an integer */

/*
 * The value is 0.d_0 d_1 d_2 ... * 10^point, with d_0 > 0 unless n = 0, which
 * is zero. The digits are those of the text, which stays the caller's.
 */
struct number {
    bool is_negative; /* also of -0 */
    bool is_short;    /* n <= NUMBER_SHORT, and mantissa is d_0 .. d_{n-1} */
    uint64_t mantissa;
    const char *first; /* d_0 */
    size_t n;          /* digits from d_0 on */
    size_t sign_at;    /* digits before the decimal sign, n if it is not among
                          them */
    int64_t point;
};

/* False if the text is no number. */
bool number_read(struct number *out, const char *text, size_t n, char sign);

/* Digit i, requires  i < x->n */
static inline unsigned number_digit(const struct number *x, size_t i)
{
    return (unsigned)(x->first[i < x->sign_at ? i : i + 1] - '0');
}

/* -1, 0 or 1 as a is less than, equal to or greater than b, exactly. */
int number_compare(const struct number *a, const struct number *b);

/* An integer number, at the ends of int64_t if it is beyond them; false if
 * the number is no integer. */
bool number_integer(int64_t *out, const struct number *x);

#define NUMBER_FAR ((int128)1 << 100)

/* The greatest integer that is not above the number, NUMBER_FAR from 10^30
 * on and at most -NUMBER_FAR from -10^30 down; *is_exact says whether the
 * number is an integer. */
int128 number_floor(bool *is_exact, const struct number *x);

#endif
