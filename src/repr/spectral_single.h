/*
 * Finite laws with heavy tails: the greatest losses are so rare that no two
 * runs have one, and each that one run may have leaves a plan of light tails,
 * with a tilt of its own. Derivation: docs/theory/spectral.md, section 12.
 * Internal to the spectral files.
 */
#ifndef DOSI_REPR_SPECTRAL_SINGLE_H
#define DOSI_REPR_SPECTRAL_SINGLE_H

#include "spectral_engine.h"

/* Whether all parts are finite laws, few of them. */
bool spectral_single_applies(const spectral *s);

/* Narrows *out, which encloses the epsilon where log delta of the finite part
 * is in target.
 *
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status spectral_single_epsilon(dosi_interval *out,
    spectral *s, dosi_interval target, dosi_error *err);

#endif
