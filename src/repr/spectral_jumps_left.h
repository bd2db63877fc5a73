/*
 * What losses far below make of classes of jumps where records are added.
 * Derivation: docs/theory/spectral.md, section 11. Internal to those files.
 *
 * Over runs of which some is marked beyond the cuts, or without cuts over all,
 *
 *     int (e^(-x - Z) - 1)_+ dP <= e^(far - x) + C(a-1) e^(near - ax),  a > 1.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_LEFT_H
#define DOSI_REPR_SPECTRAL_JUMPS_LEFT_H

#include "spectral_jumps_steer.h"

/* The same line from a number of taus on; nothing to free. */
jump_line jump_line_from(const jump_line *line, double from);

/* >= far, of runs left of these places, in taus; cuts may be NULL. Ends, unless
 * NULL, says which parts have no marks. */
double jump_left_log_far(const jump_choice *c, const double *left,
    const double *cuts, const bool *ends);

/* >= near, of runs that are not, but for noise that is not sampled. Lines begin
 * no further right than the places. */
double jump_left_log_near(const jump_choice *c, const jump_line *lines,
    const double *left, const double *cuts, const bool *ends, double a);

/* Steers: places with so little mass to the left; false where these are none.
 * And roughly log of how many runs are marked under Q. */
bool jump_left_places(double *left, const jump_choice *c, double nats);
double jump_rough_marked(
    const jump_choice *c, const double *cuts, const bool *ends);

#endif
