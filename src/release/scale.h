/* Products of a plan's scale and a distance, rounded to the safe side. */
#ifndef DOSI_RELEASE_SCALE_H
#define DOSI_RELEASE_SCALE_H

#include "int128.h"

/*
 * The least double >= sigma * distance, the product formed exactly: more
 * noise of a rounded law is post-processing (docs/theory/release.md, R105-3).
 * inf if no double is. requires  sigma >= 0 and finite
 */
double scale_upper(double sigma, uint128 distance);

#endif
