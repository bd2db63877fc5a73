/*
 * Draws of integer noise from given words: what dosi_noise_draw does within
 * its own public call, for callers that have one open.
 */
#ifndef DOSI_RELEASE_NOISE_H
#define DOSI_RELEASE_NOISE_H

#include "release/entropy/words.h"

/* n draws. fails  DOSI_EUNABLE (probability below 2^-950; independent of
 * data); words_check is the caller's. */
dosi_status noise_draw(int64_t *out, size_t n, const dosi_noise *noise,
    struct words *w, dosi_error *err);

#endif
