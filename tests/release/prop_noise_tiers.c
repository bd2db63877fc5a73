/*
 * The parts of the sampler against Arb: the exponential of doubles, envelopes,
 * comparisons next to the curve; and the same outcomes with widened bands.
 * DOSI_EFFORT=250 runs 10^6 proposals a law.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/random.h"
#include "release/exp_compare.h"
#include "release/int128.h"
#include "release/noise_modes.h"
#include "release/proposal.h"
#include "release/quick_exp.h"
#include "support/noise_cases.h"
#include "support/noise_truth.h"
#include "support/tape.h"

/* ---- The exponential of tier 0 ----------------------------------------- */

static void test_quick_exp(void **state)
{
    prop_random r = prop_start("quick_exp");
    double worst = 0;
    arb_t x;
    (void)state;
    arb_init(x);
    for (long i = 0; i < prop_count(100000); i++) {
        double y = i % 3 == 0 ? prop_uniform(&r, 0, 700)
            : i % 3 == 1      ? prop_uniform(&r, 0, 4)
                              : prop_scaled(&r, -40, 8);
        double e = quick_exp_neg(y);
        arb_set_d(x, -y);
        arb_exp(x, x, TRUTH_BITS);
        double ulp = nextafter(truth_double(x), 2) - truth_double(x);
        arb_t off;
        arb_init(off);
        arb_set_d(off, e);
        arb_sub(off, off, x, TRUTH_BITS);
        worst = fmax(worst, fabs(truth_double(off)) / ulp);
        arb_clear(off);
    }
    arb_clear(x);
    print_message("quick_exp_neg: at most %.3f ulp\n", worst);
    assert_true(quick_exp_neg(0) == 1);
    assert_true(worst <= 4);
}

/* ---- Tiers ------------------------------------------------------------- */

#define TAPE_WORDS 60

struct outcome {
    bool is_accepted;
    int64_t value;
    size_t used;
};

typedef bool propose(size_t *n_kept, int64_t *kept, size_t n,
    const struct bricks *b, struct words *w);

static struct outcome run_proposal(propose *run, const struct bricks *b,
    const uint64_t *list, double band, double ball_band)
{
    static struct words w;
    struct tape tape = {.words = list, .n = TAPE_WORDS};
    struct bricks banded = *b;
    size_t n_kept = 0;
    int64_t kept[1] = {0};
    banded.band = b->band + band;
    banded.ball_band = ball_band;
    tape_of_list(&w, &tape);
    assert_true(run(&n_kept, kept, 1, &banded, &w));
    assert_int_equal(words_check(&w, NULL), DOSI_OK);
    return (struct outcome){n_kept == 1, n_kept == 1 ? kept[0] : 0, tape.used};
}

/* All of it by proposal_decide, with the words that the two modes take. */
static struct outcome run_exactly(
    const struct bricks *b, const uint64_t *list, size_t n_u)
{
    static struct words w;
    struct tape tape = {
        .words = list + n_u + 1, .n = TAPE_WORDS - n_u - 1};
    struct proposal p = {{{{0}}, 0}, {{{0}}, 0}};
    int64_t value = 0;
    tape_of_list(&w, &tape);
    for (size_t i = 0; i < n_u; i++)
        digits_append(&p.u, list[i]);
    digits_append(&p.v, list[n_u]);
    enum verdict verdict = proposal_decide(&value, &p, b, &w);
    assert_int_not_equal(verdict, VERDICT_UNABLE);
    bool is_accepted = verdict == VERDICT_ACCEPTED;
    return (struct outcome){is_accepted, is_accepted ? value : 0, 0};
}

static void assert_same(struct outcome a, struct outcome b)
{
    assert_int_equal(a.is_accepted, b.is_accepted);
    assert_true(a.value == b.value);
}

/* Two words of U just below a point where the piece changes: the third word
 * decides which piece it is. */
static void put_below_edge(uint64_t *list, const struct bricks *b)
{
    uint64_t count = 2 * (uint64_t)b->n_pieces, j = 1 + list[0] % (count - 1);
    for (int i = 0; i < 2; i++) {
        list[i] = (uint64_t)(((uint128)j << 64) / count);
        j = (uint64_t)(((uint128)j << 64) % count);
    }
    if (j == 0)
        list[1]--;
}

/* Widened bands change no outcome, nor does deciding everything exactly. */
static void check_tiers(const struct bricks *b, long n)
{
    static struct words source;
    uint64_t list[TAPE_WORDS];
    tape_of_key(&source, 5);
    for (long i = 0; i < n; i++) {
        words_take(list, TAPE_WORDS, &source);
        if (i % 8 == 1)
            put_below_edge(list, b);
        if (i % 2 == 0) { /* one word of U, V if it is needed */
            struct outcome a =
                run_proposal(noise_propose_fast, b, list, 0, 0);
            struct outcome wide =
                run_proposal(noise_propose_fast, b, list, 1e300, 0);
            assert_same(a, wide);
            assert_same(
                a, run_proposal(noise_propose_fast, b, list, 0.25, 0));
            if (i % 64 == 0)
                assert_same(a,
                    run_proposal(noise_propose_fast, b, list, 1e300, 1e300));
            /* two words, and more in the other tier: U and V in doubles */
            if (a.used == 1 || (a.used == 2 && wide.used > 2))
                assert_same(a, run_exactly(b, list, 1));
        } else {
            struct outcome a =
                run_proposal(noise_propose_constant, b, list, 0, 0);
            assert_same(a,
                run_proposal(noise_propose_constant, b, list, 1e300, 0));
            assert_same(a, run_exactly(b, list, 2));
            if (i % 64 == 1)
                assert_same(a, run_proposal(noise_propose_constant, b, list,
                                   1e300, 1e300));
        }
    }
}

static void test_tiers(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct bricks b;
        assert_int_equal(
            bricks_make(&b, cases[i].law, cases[i].scale, NULL, NULL),
            DOSI_OK);
        check_tiers(&b, prop_count(4000));
        bricks_free(&b);
    }
}

/* ---- Comparisons against Arb ------------------------------------------- */

#define EXACT 2400

static void random_wide(struct wide *out, prop_random *r)
{
    out->limb[WIDE_LIMBS - 1] = 0;
    for (int i = 0; i < WIDE_LIMBS - 1; i++)
        out->limb[i] = prop_bits(r);
}

static void arb_set_wide(arb_t out, const struct wide *a)
{
    arb_t limb;
    arb_init(limb);
    arb_zero(out);
    for (int i = 0; i < WIDE_LIMBS; i++) {
        arb_set_ui(limb, a->limb[i]);
        arb_mul_2exp_si(limb, limb, 64 * (i - WIDE_LIMBS + 1));
        arb_add(out, out, limb, EXACT);
    }
    arb_clear(limb);
}

/* The digits of x in [0, 1), rounded down. */
static void digits_of_arb(struct digits *out, const arb_t x)
{
    fmpz_t n, low;
    arb_t scaled;
    fmpz_init(n);
    fmpz_init(low);
    arb_init(scaled);
    arb_mul_2exp_si(scaled, x, DIGITS_MAX);
    arb_floor(scaled, scaled, EXACT);
    assert_true(arb_get_unique_fmpz(n, scaled));
    out->n_bits = DIGITS_MAX;
    out->lo.limb[WIDE_LIMBS - 1] = 0;
    for (int i = 0; i < WIDE_LIMBS - 1; i++) {
        fmpz_fdiv_r_2exp(low, n, 64);
        out->lo.limb[i] = fmpz_get_ui(low);
        fmpz_fdiv_q_2exp(n, n, 64);
    }
    fmpz_clear(n);
    fmpz_clear(low);
    arb_clear(scaled);
}

static void random_place(
    struct place *at, const struct bricks *b, prop_random *r)
{
    const struct bricks_shape *s = &b->shape;
    at->is_tail = prop_below(r, 3) == 0;
    at->block = at->is_tail ? prop_below(r, 30) : 0;
    at->length = at->is_tail ? s->tail_length : s->width;
    uint64_t column = at->is_tail
        ? s->n_columns
        : prop_bits(r) % s->n_columns;
    at->cell = column * s->width + (uint64_t)at->block * s->tail_length;
    if (!b->is_rounded)
        at->cell += prop_bits(r) % at->length;
    random_wide(&at->part.lo, r);
    at->part.hi = at->part.lo;
}

/* exp(-y) / u, or exp(-y) 2^b / H in the tail. */
static void exact_height(
    arb_t out, const struct bricks *b, const struct place *at)
{
    arb_t x;
    arb_init(x);
    arb_set_wide(out, &at->part.lo);
    arb_mul_ui(out, out, b->is_rounded ? at->length : 0, EXACT);
    arb_add_ui(out, out, at->cell, EXACT);
    arb_set_d(x, b->is_rounded ? 16 : b->scale);
    arb_div(out, out, x, EXACT);
    if (b->is_gaussian) {
        arb_sqr(out, out, EXACT);
        arb_mul_2exp_si(out, out, -1);
    }
    arb_neg(out, out);
    arb_exp(out, out, EXACT);
    arb_mul_2exp_si(out, out, b->shape.height_bits);
    if (at->is_tail) {
        arb_mul_2exp_si(out, out, at->block + 1);
        arb_mul_ui(out, out, b->shape.tail_length, EXACT);
        arb_div_ui(out, out, b->shape.width, EXACT);
    }
    arb_clear(x);
}

/* V' is put at height (1 +- 2^-j): the comparison must tell the side, by fixed
 * point for any j here, by balls for small ones. */
static void check_compare(const struct bricks *b, prop_random *r)
{
    struct place at;
    struct digits v;
    arb_t height, shift;
    arb_init(height);
    arb_init(shift);
    random_place(&at, b, r);
    exact_height(height, b, &at);
    at.v = at.is_tail ? 0 : (uint32_t)floor(truth_double(height));
    arb_sub_ui(height, height, at.v, EXACT);
    int j = 1 + prop_below(r, 800), is_under = (int)(prop_bits(r) & 1);
    arb_one(shift);
    arb_mul_2exp_si(shift, shift, -j);
    arb_set_si(height, is_under ? -1 : 1);
    arb_mul(shift, shift, height, EXACT);
    exact_height(height, b, &at);
    arb_sub_ui(height, height, at.v, EXACT);
    arb_addmul(height, height, shift, EXACT);
    if (truth_double(height) < 0.999 && truth_double(height) > 0x1p-150) {
        digits_of_arb(&v, height);
        int told = is_under ? 1 : -1, by_ball = compare_ball(b, &at, &v);
        assert_int_equal(compare_wide(b, &at, &v), told);
        assert_true(by_ball == told || by_ball == 0);
        if (j < 20 && truth_double(height) > 0x1p-50)
            assert_int_equal(by_ball, told);
    }
    arb_clear(height);
    arb_clear(shift);
}

static void test_compare(void **state)
{
    prop_random r = prop_start("compare");
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct bricks b;
        assert_int_equal(
            bricks_make(&b, cases[i].law, cases[i].scale, NULL, NULL),
            DOSI_OK);
        for (long k = 0; k < prop_count(40); k++)
            check_compare(&b, &r);
        bricks_free(&b);
    }
}

/* ---- Envelopes --------------------------------------------------------- */

/* Every scale has an envelope under whose pieces the curve lies: h_c u >=
 * exp(-y) at the start of a column, interior pieces below the curve at its
 * end, and a tail that halves; all by Arb. */
static void check_envelope(const struct bricks *b)
{
    const struct bricks_shape *s = &b->shape;
    struct place at = {.length = 0};
    uint32_t *height = calloc(s->n_columns + 1, sizeof *height);
    uint32_t *interior = calloc(s->n_columns + 1, sizeof *interior);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    for (uint32_t i = 0; i < b->n_pieces; i++) {
        uint32_t c = piece_column(b->piece[i]);
        if ((b->piece[i] & PIECE_IS_TAIL) != 0)
            continue;
        assert_true(c < s->n_columns && piece_v(b->piece[i]) < 1U << 12);
        height[c]++;
        interior[c] += (b->piece[i] & PIECE_IS_BOUNDARY) == 0;
    }
    for (uint32_t c = 0; c < s->n_columns; c += 1 + s->n_columns / 50) {
        at.cell = c * s->width;
        exact_height(x, b, &at);
        arb_set_ui(y, height[c]);
        assert_true(arb_ge(y, x) || c == 0);
        arb_sub_ui(y, y, 1, EXACT);
        assert_true(arb_lt(y, x)); /* no brick is there for nothing */
        at.cell += b->is_rounded ? 1 : s->width - 1;
        exact_height(x, b, &at);
        arb_set_ui(y, interior[c]);
        assert_true(arb_le(y, x) || at.cell == 0);
        arb_add_ui(y, y, 1, EXACT);
        assert_true(arb_gt(y, x));
    }
    at.is_tail = true; /* exp(-y(X)) / H <= 1, half of it a block later */
    at.cell = s->n_columns * s->width;
    exact_height(x, b, &at);
    arb_one(y);
    assert_true(arb_le(x, y));
    at.cell += s->tail_length;
    exact_height(y, b, &at);
    arb_mul_2exp_si(y, y, 1);
    assert_true(arb_le(y, x));
    arb_clear(x);
    arb_clear(y);
    free(height);
    free(interior);
}

static void test_envelopes(void **state)
{
    static const dosi_noise_law laws[] = {DOSI_NOISE_ROUND_GAUSSIAN,
        DOSI_NOISE_ROUND_LAPLACE, DOSI_NOISE_DISCRETE_GAUSSIAN,
        DOSI_NOISE_DISCRETE_LAPLACE};
    prop_random r = prop_start("envelopes");
    uint32_t most = 0;
    (void)state;
    for (long i = 0; i < prop_count(60); i++) {
        struct bricks b;
        double scale = prop_scaled(&r, -6, 40);
        scale = i == 0 ? 0x1p-6 : i == 1 ? 0x1p40 : scale;
        assert_int_equal(
            bricks_make(&b, laws[2 + i % 2], scale, NULL, NULL), DOSI_OK);
        check_envelope(&b);
        most = b.n_pieces > most ? b.n_pieces : most;
        bricks_free(&b);
    }
    for (int i = 0; i < 4; i++) { /* N of 105's oracle, then our own shapes */
        static const struct bricks_shape shapes[] = {
            {8, 4, 1, 144, 2}, {8, 4, 1, 512, 12}};
        struct bricks b;
        assert_int_equal(bricks_make(&b, laws[i % 2], 1,
                             i < 2 ? &shapes[i] : NULL, NULL),
            DOSI_OK);
        if (i < 2)
            assert_int_equal(b.n_pieces, i == 0 ? 5377 : 4677);
        check_envelope(&b);
        bricks_free(&b);
    }
    assert_true(most < 1U << 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quick_exp),
        cmocka_unit_test(test_envelopes),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_tiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
