/*
 * Contours in double-doubles, for plans of sampled Gaussian noise and mixtures
 * of shifts, and Gaussian noise beside them. Internal to the spectral files.
 */
#ifndef DOSI_CONTOUR_CORE_CONTOUR_DD_H
#define DOSI_CONTOUR_CORE_CONTOUR_DD_H

#include "contour.h"
#include "contour/part/part_dd.h"

/* Fills the terms of a contour whose parts have been tilted so; drift is
 * what they are centred by, less epsilon. False when it was stopped. */
bool dd_rule_fill(contour *c, const contour_parts *parts,
    ball drift, work_limits *limits);

/* (D/pi) Re sum of the terms at epsilon, over e^{K(t) - t eps}. */
dosi_interval dd_rule_sum(const contour *c, double epsilon);

#endif
