/*
 * The envelope of the sampler of integer noise: columns of bricks above the
 * graph of exp(-y(x)), x >= 0, and a tail of the area of one brick. It is the
 * formulary's and the tests' view; the sampler builds tables of its own.
 *
 * y(x) = x^2/2 or x. Rounded laws have real x; discrete laws x = k/scale with
 * lengths that count integers k. Derivation: docs/theory/release_laws.md.
 */
#ifndef DOSI_RELEASE_LAWS_ENVELOPE_H
#define DOSI_RELEASE_LAWS_ENVELOPE_H

#include "base/error.h"
#include "dosimeter/release.h"
#include "num/ball.h"

/* Columns that are counted at most. */
#define ENVELOPE_MAX_COLUMNS ((int64_t)1 << 22)

typedef struct envelope_ratio {
    int64_t over;
    int64_t under; /* > 0 */
} envelope_ratio;

typedef struct envelope {
    dosi_noise_law law;
    double scale;         /* of a discrete law; 1 for a rounded one */
    envelope_ratio brick; /* height u of a brick */
    envelope_ratio width; /* w of a column; whole for a discrete law */
    envelope_ratio tail;  /* t, length of a block of the tail */
    int64_t columns;
} envelope;

/*
 * The parameters of spec 105, 3.4: bricks of 2^-8, 2^-10 or 2^-12, columns of
 * about 1/16 up to 9 (Gaussian) or 32 (Laplace) scales. The tail covers the
 * graph at every scale that dosi_noise_new accepts (test_envelope).
 *
 * requires  2^-10 <= scale <= 2^50; rounded laws ignore it
 */
envelope envelope_of(dosi_noise_law law, double scale);

/*
 * The height of column c in bricks, ceil(exp(-y(c w))/u), which is the least
 * that covers the graph. fails  DOSI_EUNABLE if it is undecided
 */
dosi_status envelope_height(
    int64_t *out, const envelope *e, int64_t column, dosi_error *err);

/* N: the bricks of all columns and the tail. fails  as envelope_height */
dosi_status envelope_pieces(int64_t *out, const envelope *e, dosi_error *err);

/* Expected proposals of one draw, 2 N u w / (sum over all k of exp(-y(k/s)))
 * for a discrete law, N u w / (integral over x >= 0) for a rounded one. */
ball envelope_proposals(const envelope *e, int64_t pieces);

/* Whether the tail certainly covers the graph: with X = columns * w
 *     H = u w/(2 t) >= exp(-y(X))    and    y(X + t) - y(X) >= log 2. */
bool envelope_tail_is_high(const envelope *e);
bool envelope_tail_is_long(const envelope *e);

#endif
