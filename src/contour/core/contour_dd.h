/*
 * Contours in double-doubles, for plans of sampled Gaussian noise, mixtures of
 * shifts, and Gaussian noise composed with them. Internal to the contour
 * folders. Derivation: docs/theory/contour.md, section 4.
 */
#ifndef DOSI_CONTOUR_CORE_CONTOUR_DD_H
#define DOSI_CONTOUR_CORE_CONTOUR_DD_H

#include "contour.h"
#include "contour/part/part_dd.h"

/*
 * Fills the terms of a contour whose parts have been tilted for double-doubles;
 * drift is their centre less epsilon. False if the work was stopped.
 *
 * cost      in operations: 15 for each node of each part at each outer node
 */
bool dd_rule_fill(contour *c, const contour_parts *parts,
    ball drift, work_limits *limits);

/* Encloses (D/pi) Re sum of the terms at epsilon, over e^{K(t) - t eps}. */
dosi_interval dd_rule_sum(const contour *c, double epsilon);

#endif
