/* The checks of the public calls of release.h before anything is drawn. */
#ifndef DOSI_RELEASE_RELEASE_OPTIONS_H
#define DOSI_RELEASE_RELEASE_OPTIONS_H

#include "dosimeter/release.h"

/* The caller's options, or the default ones for NULL; a caller's struct may be
 * older than this library. fails  DOSI_EINVAL */
dosi_status release_options(dosi_release_options *out,
    const dosi_release_options *given, dosi_error *err);

/* A leaf must be there and without a hole. fails  DOSI_EINVAL */
dosi_status release_leaf(const dosi_plan *leaf, dosi_error *err);

#endif
