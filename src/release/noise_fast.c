/*
 * Fast draws: one word of U, one of V if the piece is a boundary piece.
 * Proposals come in blocks, because whether a piece is a boundary piece is a
 * coin that no processor predicts; accepted ones keep their order. How long a
 * block takes depends on its values.
 */
#include "noise_modes.h"

#include <math.h>

#include "int128.h"
#include "proposal.h"
#include "quick_exp.h"

/* The fields of the envelope that a proposal reads. */
struct quick {
    uint64_t count; /* 2 N */
    uint64_t width; /* cells of a column; of a rounded law M */
    int shift;      /* rounded: e + cell_bits, so M z 2^-shift = s x */
};

struct block {
    uint64_t u[NOISE_BLOCK_FAST];
    int64_t value[NOISE_BLOCK_FAST];
    uint32_t piece[NOISE_BLOCK_FAST];
    uint8_t is_accepted[NOISE_BLOCK_FAST];
    /* proposals that need V, and their V */
    size_t n_boundary;
    uint16_t boundary[NOISE_BLOCK_FAST];
    uint64_t v[NOISE_BLOCK_FAST];
    double y[NOISE_BLOCK_FAST], curve[NOISE_BLOCK_FAST];
    /* proposals that are decided exactly: of the first ones no V was drawn,
     * the others are places in the list of boundary proposals */
    size_t n_open_without_v, n_open;
    uint16_t open[NOISE_BLOCK_FAST + 1];
};

/* Piece and value of every proposal, and the lists of those that need more.
 * The magnitude is floor((width (c + F) + half) 2^-shift) for all F in
 * [f, f + count) 2^-WORD_BITS; the end is not reached, so `last` is the last
 * integer below it. A discrete law has one zero only. */
INLINE_LAW void find_pieces(struct block *p, size_t n,
    const struct quick *q, const struct bricks *b, bool is_rounded)
{
    const uint32_t *pieces = b->piece;
    const uint64_t count = q->count, width = q->width;
    const uint128 length = (uint128)width * count - 1;
    const int shift = is_rounded ? q->shift : 0;
    const uint64_t half = is_rounded ? (uint64_t)1 << (shift - 1) : 0;
    size_t n_boundary = 0, n_open = 0;
    for (size_t i = 0; i < n; i++) {
        uint128 product = (uint128)p->u[i] * count;
        uint64_t j = (uint64_t)(product >> WORD_BITS);
        uint64_t f = (uint64_t)product & WORD_MAX;
        uint32_t piece = pieces[j >> 1];
        uint128 at = (uint128)width * f;
        uint64_t whole = piece_column(piece) * width + half +
            (uint64_t)(at >> WORD_BITS);
        uint64_t last = whole +
            (uint64_t)(((at & WORD_MAX) + length) >> WORD_BITS);
        uint64_t magnitude = whole >> shift;
        unsigned is_open = (((uint128)f + (count - 1)) >> WORD_BITS != 0) |
            (last >> shift != magnitude) | ((piece & PIECE_IS_TAIL) != 0);
        unsigned is_left = 1 ^ is_open;
        if (!is_rounded)
            is_left &= 1 ^ ((j & 1) & (magnitude == 0));
        unsigned is_boundary = piece & PIECE_IS_BOUNDARY;
        int64_t sign = -(int64_t)(j & 1);
        p->piece[i] = piece;
        p->value[i] = ((int64_t)magnitude ^ sign) - sign;
        p->is_accepted[i] = (uint8_t)(is_left & (1 ^ is_boundary));
        p->boundary[n_boundary] = (uint16_t)i;
        n_boundary += is_left & is_boundary;
        p->open[n_open] = (uint16_t)i;
        n_open += is_open;
    }
    p->n_boundary = n_boundary;
    p->n_open = p->n_open_without_v = n_open;
}

/* y of the l-th boundary proposal; z is its position in cells. */
INLINE_LAW double boundary_y(const struct block *p, size_t l,
    const struct quick *q, const struct bricks *b, bool is_rounded,
    bool is_gaussian)
{
    size_t i = p->boundary[l];
    double z;
    if (is_rounded) {
        uint64_t f = (uint64_t)((uint128)p->u[i] * q->count) & WORD_MAX;
        z = (double)(int32_t)piece_column(p->piece[i]) + word_unit(f);
    } else {
        z = fabs((double)p->value[i]);
    }
    return b->exponent_factor * (is_gaussian ? z * z : z);
}

/* Tier 0: V < exp(-y) for certain, or V >= exp(-y), or neither. */
INLINE_LAW void judge(struct block *p, const struct bricks *b)
{
    const double band = b->band, height_scale = b->height_scale;
    size_t n_open = p->n_open;
    for (size_t l = 0; l < p->n_boundary; l++) {
        size_t i = p->boundary[l];
        double above = p->curve[l] * height_scale -
            (double)(int32_t)piece_v(p->piece[i]);
        double v = word_unit(p->v[l]);
        bool is_below = v + 2 * WORD_STEP < above - band;
        bool is_above = v > above + band;
        p->is_accepted[i] = is_below;
        p->open[n_open] = (uint16_t)l;
        n_open += !is_below & !is_above;
    }
    p->n_open = n_open;
}

static bool decide_open(
    struct block *p, const struct bricks *b, struct words *w)
{
    for (size_t k = 0; k < p->n_open; k++) {
        struct proposal q = {{{{0}}, 0}, {{{0}}, 0}};
        bool has_v = k >= p->n_open_without_v;
        size_t l = p->open[k], i = has_v ? p->boundary[l] : l;
        digits_append(&q.u, p->u[i]);
        if (has_v)
            digits_append(&q.v, p->v[l]);
        enum verdict verdict = proposal_decide(&p->value[i], &q, b, w);
        if (verdict == VERDICT_UNABLE)
            return false;
        p->is_accepted[i] = verdict == VERDICT_ACCEPTED;
    }
    return true;
}

INLINE_LAW bool run_law(struct block *p, size_t n, const struct bricks *b,
    struct words *w, bool is_rounded, bool is_gaussian)
{
    const struct quick q = {.count = 2 * (uint64_t)b->n_pieces,
        .width = is_rounded ? b->mantissa : b->shape.width,
        .shift = is_rounded ? b->exponent + b->shape.cell_bits : 0};
    words_take(p->u, n, w);
    find_pieces(p, n, &q, b, is_rounded);
    words_take(p->v, p->n_boundary, w);
    for (size_t l = 0; l < p->n_boundary; l++)
        p->y[l] = boundary_y(p, l, &q, b, is_rounded, is_gaussian);
    for (size_t l = 0; l < p->n_boundary; l++)
        p->curve[l] = quick_exp_neg(p->y[l]);
    judge(p, b);
    return decide_open(p, b, w);
}

/* One loop a law, so that its constants are known to the compiler. */
static bool run_block(
    struct block *p, size_t n, const struct bricks *b, struct words *w)
{
    if (b->is_rounded && b->is_gaussian)
        return run_law(p, n, b, w, true, true);
    if (b->is_rounded)
        return run_law(p, n, b, w, true, false);
    if (b->is_gaussian)
        return run_law(p, n, b, w, false, true);
    return run_law(p, n, b, w, false, false);
}

bool noise_propose_fast(size_t *n_kept, int64_t *kept, size_t n,
    const struct bricks *b, struct words *w)
{
    struct block p;
    bool is_decided = run_block(&p, n, b, w);
    size_t m = 0;
    for (size_t i = 0; is_decided && i < n; i++) {
        kept[m] = p.value[i];
        m += p.is_accepted[i];
    }
    *n_kept = m;
    return is_decided;
}

bool noise_draw_fast(
    int64_t *out, size_t n, const struct bricks *b, struct words *w)
{
    int64_t kept[NOISE_BLOCK_FAST];
    bool is_decided = true;
    for (size_t done = 0; done < n && is_decided;) {
        size_t left = n - done, n_kept;
        size_t size = NOISE_BLOCK_FAST;
        if (left < size && left + left / 8 + 4 < size)
            size = left + left / 8 + 4;
        is_decided = noise_propose_fast(&n_kept, kept, size, b, w);
        n_kept = n_kept < left ? n_kept : left;
        memcpy(out + done, kept, n_kept * sizeof *out);
        done += n_kept;
    }
    return is_decided;
}
