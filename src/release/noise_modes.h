/*
 * The two ways to draw from an envelope: fast, and in constant time. Both hand
 * to proposal_decide what their few bits do not decide, with the words that
 * they have, so they differ in time only. docs/theory/release.md, 3.6.
 */
#ifndef DOSI_RELEASE_NOISE_MODES_H
#define DOSI_RELEASE_NOISE_MODES_H

#include "bricks.h"
#include "release/entropy/words.h"

struct dosi_noise {
    struct bricks bricks;
    dosi_noise_law law;
    dosi_timing timing;
};

/* n draws; false if a comparison was not decided by 1024 bits. */
bool noise_draw_fast(
    int64_t *out, size_t n, const struct bricks *b, struct words *w);
bool noise_draw_constant(
    int64_t *out, size_t n, const struct bricks *b, struct words *w);

/* One block of n proposals, at most that many; the accepted ones in turn.
 * requires  room for n values */
#define NOISE_BLOCK_FAST 64
#define NOISE_BLOCK_CONSTANT 256
bool noise_propose_fast(size_t *n_kept, int64_t *kept, size_t n,
    const struct bricks *b, struct words *w);
bool noise_propose_constant(size_t *n_kept, int64_t *kept, size_t n,
    const struct bricks *b, struct words *w);

/* For loops that are compiled once a law, with its constants. */
#define INLINE_LAW static inline __attribute__((always_inline))

/* A word as the lower end of an interval of [0, 1), of length WORD_STEP.
 * From a signed integer: from uint64_t the conversion is a branch on x86. */
#if WORD_BITS == 64
#define WORD_STEP 0x1p-53
static inline double word_unit(uint64_t word)
{
    return (double)(int64_t)(word >> 11) * WORD_STEP;
}
#else
#define WORD_STEP (1.0 / ((uint64_t)1 << WORD_BITS))
static inline double word_unit(uint64_t word)
{
    return (double)(int64_t)word * WORD_STEP;
}
#endif

#endif
