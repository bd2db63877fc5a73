/*
 * Epsilon at a given delta on one contour: certain signs of log delta on
 * either side.
 */
#ifndef DOSI_CONTOUR_ENGINE_ENGINE_BRACKET_H
#define DOSI_CONTOUR_ENGINE_ENGINE_BRACKET_H

#include "engine_impl.h"

/* One contour, and log delta that is looked for. */
typedef struct inversion {
    const contour_engine *s;
    dosi_interval target;
    double ease;  /* relative, that ends may be off without harm */
    double x;     /* where it nearly is */
    double slope; /* of -log delta there, roughly */
    double slack; /* width of log delta there */
} inversion;

/* log delta by the contour, or where it is known beforehand. */
dosi_interval inversion_at(const inversion *in, double epsilon);

/* Newton steps with the slope of the saddle, then secants: steers. */
void inversion_polish(inversion *in);

/* An epsilon on the given side of the root where the sign is certain; the
 * ends of [0, most] need no sign. */
double inversion_certain(const inversion *in, double side, double most);

/* Between certain signs, by regula falsi of Illinois where log delta is known
 * at both ends, or by its slope where that is known, as far as they go.
 * Leaves in->x where none is certain. */
dosi_interval inversion_narrow(
    inversion *in, dosi_interval known, double slope);

#endif
