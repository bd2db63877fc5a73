/*
 * Epsilon at a given delta on one contour: certain signs of log delta on
 * either side.
 */
#ifndef DOSI_CONTOUR_ENGINE_ENGINE_BRACKET_H
#define DOSI_CONTOUR_ENGINE_ENGINE_BRACKET_H

#include "engine_impl.h"

/* One contour, and the log delta whose epsilon is asked for. */
typedef struct inversion {
    const contour_engine *s;
    dosi_interval target;
    double ease;  /* relative distance from the root that ends may have */
    double x;     /* an epsilon near the root */
    double slope; /* about the slope of -log delta there */
    double slack; /* the width of log delta there */
} inversion;

/* Encloses log delta by the contour, or by the greatest loss of the plan. */
dosi_interval inversion_at(const inversion *in, double epsilon);

/* Moves in->x to the root by a Newton step with the slope of the saddle point,
 * then by secants. Certifies nothing. */
void inversion_polish(inversion *in);

/* An epsilon on the given side of the root, 1 or -1, where the sign of
 * log delta - target is certain; else the end of [0, most] on that side. */
double inversion_certain(const inversion *in, double side, double most);

/*
 * Narrows an interval with certain signs at its ends, by the Illinois variant
 * of regula falsi if log delta is known at both ends, else by its slope. It
 * ends where no sign is certain any more; in->x is that epsilon.
 *
 * cost  at most 80 readings of the contour
 */
dosi_interval inversion_narrow(
    inversion *in, dosi_interval known, double slope);

#endif
