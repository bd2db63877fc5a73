/*
 * One proposal of the sampler, decided exactly: a uniform U gives sign, piece
 * and position, a uniform V says whether the point lies under the curve. Both
 * are real numbers of which some bits are known. If the known bits do not
 * decide, one word more is drawn, so this is the algorithm on real numbers.
 * docs/theory/release.md, 3.2 and 3.3.
 */
#ifndef DOSI_RELEASE_PROPOSAL_H
#define DOSI_RELEASE_PROPOSAL_H

#include "bricks.h"
#include "wide.h"
#include "release/entropy/words.h"

/* A real number in [lo, lo + 2^-n_bits). */
struct digits {
    struct wide lo;
    int n_bits;
};

struct proposal {
    struct digits u, v;
};

enum verdict { VERDICT_REJECTED, VERDICT_ACCEPTED, VERDICT_UNABLE };

#define DIGITS_MAX (64 * (WIDE_LIMBS - 1))

/* Appends a word. requires  n_bits < DIGITS_MAX */
void digits_append(struct digits *d, uint64_t word);

/* a + count 2^-n_bits. */
struct wide digits_above(const struct wide *a, uint64_t count, int n_bits);

/*
 * Decides a proposal of which U and V may have some words already; further
 * words come from w. *out is the value if it is accepted.
 *
 * VERDICT_UNABLE has a probability below 2^-950, whatever the law. A tail of
 * more than 2^10 blocks is a source that is stuck: it marks w as failed.
 */
enum verdict proposal_decide(int64_t *out, struct proposal *p,
    const struct bricks *b, struct words *w);

#endif
