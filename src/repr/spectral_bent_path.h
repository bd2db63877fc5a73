/*
 * What a bent contour leaves out, and how it is chosen. Internal to the bent
 * contours.
 */
#ifndef DOSI_REPR_SPECTRAL_BENT_PATH_H
#define DOSI_REPR_SPECTRAL_BENT_PATH_H

#include "spectral_bent_line.h"

typedef struct bent_lines {
    size_t n;
    bent_line *items;
} bent_lines;

/* The next end of a stretch of the contour that is bounded at once. */
double bent_path_next(const bent_choice *c, double u);

/* z(u + i shift) for u in [from, to]. */
bent_box bent_path_box(
    const bent_choice *c, double shift, double from, double to);

/* >= log of |F(z) z'| on both edges of the strip, added up, for Re u in
 * [from, to]. */
double bent_path_log_edges(const bent_choice *c, const bent_lines *lines,
    double from, double to);

/* >= log of what lies beyond Re u = end: the sides of the strip, and the
 * integral straight up from z(end). */
double bent_path_log_end(
    const bent_choice *c, const bent_lines *lines, double end);

/* Chooses a contour with its lines, which are to be freed. False when none
 * was found, *no_memory for lack of it. */
bool bent_path_choose(bent_choice *out, bent_lines *lines,
    const spectral_parts *parts, double epsilon, double log_delta,
    bool *no_memory);

/* From the choice in b to its terms; false where the errors exceed the given
 * share of delta, or it was stopped, *no_memory for lack of it. */
bool bent_path_build(spectral_bent *b, bent_lines *lines,
    const spectral_parts *parts, double use, work_limits *limits,
    bool *no_memory);

#endif
