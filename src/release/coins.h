/* Exact coins and whole numbers from words. docs/theory/release_choices.md,
 * section 1. */
#ifndef DOSI_RELEASE_COINS_H
#define DOSI_RELEASE_COINS_H

#include "release/entropy/words.h"

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

/*
 * The coin of an id under a secret key: the digits of BLAKE2b(key, id), its
 * first byte the most significant one, are less than those of rate. A key
 * and an id always give the same coin; with a random function in place of
 * BLAKE2b coins of different ids are independent and true with probability
 * rate, exactly. Block 0 of 64 bytes is the plain keyed hash; further ones,
 * which have a probability of 2^-512, have their number as salt.
 *
 * requires  rate in [0, 1]
 */
bool keyed_coin(
    const unsigned char key[32], const void *id, size_t n_bytes, double rate);

#endif
