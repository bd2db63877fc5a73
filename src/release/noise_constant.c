/*
 * Draws whose time does not depend on their value: every proposal takes three
 * words (two of U, one of V), passes through the same instructions, and is kept
 * or overwritten without a branch. Which proposals are kept is independent of
 * the values that are kept, since proposals are independent
 * (docs/theory/release.md, R105-5). Not covered: reads of the table, and
 * proposals that 128 bits and doubles do not decide, once in 2^40 or less.
 */
#include "noise_modes.h"

#include <string.h>

#include <sodium.h>

#include "int128.h"
#include "proposal.h"
#include "quick_exp.h"

/* A test has valgrind follow the words through this file and marks what may
 * decide a branch or an address (tests/timing). */
#ifndef DECLASSIFY
#define DECLASSIFY(variable) ((void)0)
#define CLASSIFY(variable) ((void)0)
#endif

/* One law's constants. The magnitude is floor((factor (c + F) + half)
 * 2^-shift): rounded laws as in proposal.c, discrete ones with the width for
 * a factor and no shift. */
struct constants {
    uint64_t count; /* 2 N */
    uint64_t factor, half, mask;
    int shift;
    uint64_t most_f;    /* above it, J may be open */
    uint64_t most_rest; /* above it, the magnitude may be open */
    uint8_t is_open;    /* everything is: words are too short */
};

struct block {
    /* of each proposal the upper and the lower word of U, and V */
    uint64_t words[3 * NOISE_BLOCK_CONSTANT];
    uint64_t magnitude[NOISE_BLOCK_CONSTANT];
    double curve[NOISE_BLOCK_CONSTANT]; /* y first, then exp(-y) */
    uint32_t piece[NOISE_BLOCK_CONSTANT];
    uint8_t is_negative[NOISE_BLOCK_CONSTANT], is_open[NOISE_BLOCK_CONSTANT];
    uint8_t is_accepted[NOISE_BLOCK_CONSTANT];
};

/*
 * With two words, F is in [f, f + 1 + 2N 2^-WORD_BITS] 2^-WORD_BITS, and the
 * magnitude before the floor within 1 + factor 2N 2^-WORD_BITS units of the
 * last place of `rest` above its computed value. Too short words, which only
 * tests have, leave everything open.
 */
static struct constants constants_of(const struct bricks *b)
{
    struct constants c = {.count = 2 * (uint64_t)b->n_pieces,
        .factor = b->is_rounded ? b->mantissa : b->shape.width,
        .shift = b->is_rounded ? b->exponent + b->shape.cell_bits : 0};
    c.half = b->is_rounded ? (uint64_t)1 << (c.shift - 1) : 0;
    c.mask = ((uint64_t)1 << c.shift) - 1;
    uint64_t slack_f = (uint64_t)((uint128)c.count >> WORD_BITS) + 1;
    uint128 slack_rest = ((uint128)c.factor * c.count >> WORD_BITS) + 2;
    if (slack_f > WORD_MAX || slack_rest > WORD_MAX) {
        c.is_open = 1;
        return c;
    }
    c.most_f = WORD_MAX - slack_f;
    c.most_rest = WORD_MAX - (uint64_t)slack_rest;
    return c;
}

INLINE_LAW void find_place(struct block *p, size_t i,
    const struct constants *c, const struct bricks *b, bool is_rounded,
    bool is_gaussian)
{
    uint128 low = (uint128)p->words[3 * i + 1] * c->count;
    uint128 high = (uint128)p->words[3 * i] * c->count + (low >> WORD_BITS);
    uint64_t j = (uint64_t)(high >> WORD_BITS);
    uint64_t f = (uint64_t)high & WORD_MAX, f_low = (uint64_t)low & WORD_MAX;
    uint64_t place = j >> 1;
    DECLASSIFY(place);
    uint32_t piece = b->piece[place];
    CLASSIFY(piece);
    uint64_t column = piece_column(piece);
    uint128 inside = (uint128)c->factor * f +
        ((uint128)c->factor * f_low >> WORD_BITS);
    uint64_t whole =
        column * c->factor + c->half + (uint64_t)(inside >> WORD_BITS);
    uint64_t rest = (uint64_t)inside & WORD_MAX;
    p->magnitude[i] = whole >> c->shift;
    p->is_open[i] = (uint8_t)(c->is_open | (f > c->most_f) |
        (((whole & c->mask) == c->mask) & (rest > c->most_rest)));
    p->piece[i] = piece;
    p->is_negative[i] = (uint8_t)(j & 1);
    double z = is_rounded ? (double)(int64_t)column + word_unit(f)
                          : (double)(int64_t)p->magnitude[i];
    double y = b->exponent_factor * (is_gaussian ? z * z : z);
    p->curve[i] = y < 700 ? y : 700; /* beyond it there is the tail alone */
}

/* Tier 0. A proposal that is neither below nor above the curve for certain is
 * open; so is a tail that may be accepted. */
INLINE_LAW void judge(
    struct block *p, size_t i, const struct bricks *b, bool is_rounded)
{
    double above = p->curve[i] * b->height_scale -
        (double)(int32_t)piece_v(p->piece[i]);
    double v = word_unit(p->words[3 * i + 2]);
    unsigned is_boundary = p->piece[i] & PIECE_IS_BOUNDARY;
    unsigned is_tail = (p->piece[i] & PIECE_IS_TAIL) / PIECE_IS_TAIL;
    unsigned is_below = v + 2 * WORD_STEP < above - b->band;
    unsigned is_above = v > above + b->band;
    unsigned is_unclear = (is_boundary & ~is_below & ~is_above) |
        (is_tail & (p->words[3 * i + 2] <= b->tail_limit));
    unsigned is_open = p->is_open[i] | (is_unclear & 1);
    unsigned is_kept = ~is_tail & (~is_boundary | is_below) & ~is_open;
    if (!is_rounded) /* a discrete law has one zero only */
        is_kept &= ~(p->is_negative[i] & (unsigned)(p->magnitude[i] == 0));
    p->is_open[i] = (uint8_t)is_open;
    p->is_accepted[i] = (uint8_t)(is_kept & 1);
}

INLINE_LAW void run_stages(struct block *p, size_t n,
    const struct constants *c, const struct bricks *b, bool is_rounded,
    bool is_gaussian)
{
    for (size_t i = 0; i < n; i++)
        find_place(p, i, c, b, is_rounded, is_gaussian);
    for (size_t i = 0; i < n; i++)
        p->curve[i] = quick_exp_neg(p->curve[i]);
    for (size_t i = 0; i < n; i++)
        judge(p, i, b, is_rounded);
}

static void run_law(struct block *p, size_t n, const struct constants *c,
    const struct bricks *b)
{
    if (b->is_rounded && b->is_gaussian)
        run_stages(p, n, c, b, true, true);
    else if (b->is_rounded)
        run_stages(p, n, c, b, true, false);
    else if (b->is_gaussian)
        run_stages(p, n, c, b, false, true);
    else
        run_stages(p, n, c, b, false, false);
}

/* Decides open proposals with the words that they have. False: unable. */
static bool decide_open(
    struct block *p, size_t n, const struct bricks *b, struct words *w)
{
    unsigned is_any = 0;
    for (size_t i = 0; i < n; i++)
        is_any |= p->is_open[i];
    DECLASSIFY(is_any);
    for (size_t i = 0; is_any != 0 && i < n; i++) {
        struct proposal q = {{{{0}}, 0}, {{{0}}, 0}};
        int64_t value = 0;
        DECLASSIFY(p->is_open[i]);
        if (p->is_open[i] == 0)
            continue;
        digits_append(&q.u, p->words[3 * i]);
        digits_append(&q.u, p->words[3 * i + 1]);
        digits_append(&q.v, p->words[3 * i + 2]);
        enum verdict verdict = proposal_decide(&value, &q, b, w);
        if (verdict == VERDICT_UNABLE)
            return false;
        p->is_negative[i] = value < 0;
        p->magnitude[i] = (uint64_t)(value < 0 ? -value : value);
        p->is_accepted[i] = verdict == VERDICT_ACCEPTED;
    }
    return true;
}

/* Proposals that are not accepted are overwritten by the next one. */
static size_t keep_accepted(int64_t *kept, struct block *p, size_t n)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t is_accepted = p->is_accepted[i];
        DECLASSIFY(is_accepted);
        int64_t sign = -(int64_t)p->is_negative[i];
        kept[n_kept] = ((int64_t)p->magnitude[i] ^ sign) - sign;
        n_kept += is_accepted;
    }
    return n_kept;
}

bool noise_propose_constant(size_t *n_kept, int64_t *kept, size_t n,
    const struct bricks *b, struct words *w)
{
    const struct constants c = constants_of(b);
    struct block p;
    words_take(p.words, 3 * n, w);
    run_law(&p, n, &c, b);
    bool is_decided = decide_open(&p, n, b, w);
    *n_kept = is_decided ? keep_accepted(kept, &p, n) : 0;
    sodium_memzero(&p, sizeof p);
    return is_decided;
}

bool noise_draw_constant(
    int64_t *out, size_t n, const struct bricks *b, struct words *w)
{
    int64_t kept[NOISE_BLOCK_CONSTANT];
    bool is_decided = true;
    for (size_t done = 0; done < n && is_decided;) {
        size_t left = n - done, n_kept = 0;
        /* about 1.2 proposals a draw, and some more */
        size_t size = NOISE_BLOCK_CONSTANT;
        if (left < size && left + left / 5 + 16 < size)
            size = left + left / 5 + 16;
        is_decided = noise_propose_constant(&n_kept, kept, size, b, w);
        n_kept = n_kept < left ? n_kept : left;
        memcpy(out + done, kept, n_kept * sizeof *out);
        done += n_kept;
    }
    sodium_memzero(kept, sizeof kept);
    return is_decided;
}
