/*
 * Group privacy of zCDP: the line for groups of k that follows from the line
 * for single changes. Derivation: docs/theory/concentrated.md, section 5.
 *
 * Counts are balls holding whole numbers, 1 <= k <= 2^53. Approximate zCDP
 * (delta > 0) has no such rule: convert to (epsilon, delta) first.
 */
#ifndef DOSI_LITERATURE_ZCDP_GROUP_H
#define DOSI_LITERATURE_ZCDP_GROUP_H

#include "zcdp_line.h"

/* 1 + 1/2 + ... + 1/k for a whole k >= 1. */
ball harmonic_number(double k);

/*
 * The line for groups of k: (xi k H_k, rho k^2) for xi >= 0, (k xi, rho k^2)
 * for xi < 0.
 *
 * requires  k whole, 1 <= k <= 2^53
 * source    docs/theory/concentrated.md, section 5
 */
cdp_line zcdp_group(cdp_line line, double k);

/*
 * xi k (1 + log k) >= xi k H_k.
 *
 * source  T003-5.3
 */
ball zcdp_group_xi_simple(ball xi, ball k);

#endif
