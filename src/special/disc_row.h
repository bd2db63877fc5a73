/*
 * Rows of discs in doubles of any size, for terms that need a dozen digits: |z
 * - (re + i im)| <= rad. A product of midpoints errs by at most sqrt(5) units
 * of its modulus, a sum by one; radii are rounded up. Derivation:
 * docs/theory/contour.md, "Powers in rows".
 */
#ifndef DOSI_SPECIAL_DISC_ROW_H
#define DOSI_SPECIAL_DISC_ROW_H

#include "phase_sums.h"
#include "num/trig.h"

#define DISC_ROW PHASE_ROW

typedef struct disc_row {
    double re[DISC_ROW], im[DISC_ROW], rad[DISC_ROW];
} disc_row;

/*
 * Encloses (1 + z)^count for the first n discs of a row.
 *
 * requires  count >= 1 an integer; the exact |1 + z| is at most 1
 * cost      O(log count) products for each disc
 */
void disc_row_powers(disc *out, const disc_row *z, double count, size_t n);

#endif
