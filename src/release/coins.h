/* Exact coins and whole numbers from words. docs/theory/release.md 4. */
#ifndef DOSI_RELEASE_COINS_H
#define DOSI_RELEASE_COINS_H

#include "words.h"

/* True with probability rate, exactly. requires  rate in [0, 1] */
bool coin(double rate, struct words *w);

/* Uniform on 0 .. n - 1, exactly. requires  n > 0 */
uint64_t uniform_below(uint64_t n, struct words *w);

/* Poisson sample: member[i] = coin(rate), a byte of entropy at a time. */
void poisson_sample(uint8_t *member, size_t n, double rate, struct words *w);

/* A uniform subset of m of n members by Floyd's algorithm: their indices, in
 * rising order. requires  m <= n, room for m.
 * fails  DOSI_ENOMEM */
dosi_status uniform_subset(size_t *members, size_t m, size_t n,
    struct words *w, dosi_error *err);

#endif
