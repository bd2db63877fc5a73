/*
 * exp(-c d) for an exact rational c and whole numbers d, as precisely as a
 * comparison needs: an integer weight, a ball, fixed point of any width. And
 * the coin of that probability. docs/theory/release_choices.md, sections 2
 * and 3.
 */
#ifndef DOSI_RELEASE_EXPONENT_H
#define DOSI_RELEASE_EXPONENT_H

#include "int128.h"
#include "limbs.h"
#include "num/ball.h"
#include "release/entropy/words.h"

/* c = mantissa 2^shift / denominator, mantissa < 2^53 */
struct exponent {
    uint64_t mantissa;
    int shift;
    uint64_t denominator;
    double c; /* within two roundings */
};

/* c = epsilon / denominator, exactly. requires  epsilon >= 0 and finite,
 * denominator > 0 */
struct exponent exponent_of(double epsilon, uint64_t denominator);

#define WEIGHT_BITS 62

/*
 * A whole number w with |w - 2^62 exp(-c d)| <= weight_error(w), made by a
 * fixed sequence of operations without branches; 2^62 for d = 0.
 */
uint64_t exponent_weight(const struct exponent *e, uint64_t d);

/*
 * For one weight, or for the sum of n weights and n. Proof: c is rounded
 * twice, d once and their product once, so that c d is known within
 * 44 * 4 * 2^-53 < 2^-45.5 where it is at most 44; quick_exp_neg errs by less
 * than 2^-49 of itself; the weight is cut to a whole number. Beyond 44 the
 * weight is 0 and 2^62 exp(-c d) < 1. Hence
 * |w - exact| <= 1 + 2^-45.3 exact <= 2 + 2^-45 w.
 */
static inline int128 weight_error(int128 sum, int128 n)
{
    return 2 * n + (sum >> 45) + 1;
}

ball exponent_ball(const struct exponent *e, uint64_t d); /* of exp(-c d) */

/* Room for exponent_limbs in numbers of n limbs. */
#define EXPONENT_WORK(n) (LIMBS_EXP_WORK(n) + (n))

/* lo <= exp(-c d) <= hi in n limbs (limbs.h), hi - lo <= 3 units. */
void exponent_limbs(uint64_t *lo, uint64_t *hi, const struct exponent *e,
    uint64_t d, size_t n, uint64_t *work);

/* The words of one uniform number U = 0.w1 w2 ..., drawn as they are
 * needed. */
struct uniform {
    uint64_t *word;
    size_t n;
};

/* The first word is known. fails  DOSI_ENOMEM; then *u is zero */
dosi_status uniform_start(struct uniform *u, uint64_t first, dosi_error *err);

/* At least n words. fails  DOSI_ENOMEM */
dosi_status uniform_extend(
    struct uniform *u, size_t n, struct words *w, dosi_error *err);
ball uniform_ball(const struct uniform *u);                  /* of 2 words */
void uniform_limbs(uint64_t *lo, uint64_t *hi, const struct uniform *u,
    size_t n); /* of n - 1 words: hi - lo is a unit */
void uniform_free(struct uniform *u); /* wipes it */

/* The precision that a comparison starts with. Later tiers never change a
 * decision; the first one is a parameter so that tests see that. */
enum tier {
    TIER_WEIGHTS,
    TIER_BALLS,
    TIER_LIMBS,
};

#define TIER_FIRST_LIMBS 17 /* and twice as many each time */

/* *out is true with probability exp(-c d), exactly. fails  DOSI_ENOMEM, with
 * a probability below 2^-1000 */
dosi_status exponent_coin(bool *out, const struct exponent *e, uint64_t d,
    enum tier first, struct words *w, dosi_error *err);

#endif
