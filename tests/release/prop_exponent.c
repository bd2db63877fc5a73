/*
 * exp(-c d), the coins of that probability and choices with such weights
 * against Arb. Weights, balls and fixed point contain the exact value and are
 * as narrow as declared; coins and choices are asked with words that agree
 * with an exact boundary in 1 to 60 words, and must be on its right side from
 * every tier.
 */
#include "support/random.h"
#include "release/candidates.h"
#include "support/digits_of_arb.h"
#include "support/tape.h"

#define TAPE_WORDS 75
#define MOST_LIMBS 40
#define MOST_CANDIDATES 12

static void require(bool is_right, const char *what)
{
    if (is_right)
        return;
    printf("wrong: %s\n", what);
    exit(1);
}

/* ---- Exponents --------------------------------------------------------- */

struct problem {
    double epsilon;
    uint64_t denominator;
};

static struct problem draw_problem(prop_random *r)
{
    struct problem p = {prop_scaled(r, -20, 6), 1};
    switch (prop_below(r, 8)) {
    case 0:
        p.epsilon = prop_scaled(r, -1074, 1023);
        break;
    case 1:
        p.epsilon = 0;
        break;
    case 2:
        p.epsilon = (double)prop_below(r, 20) / 4;
        break;
    default:
        break;
    }
    if (prop_below(r, 2))
        p.denominator = prop_bits(r) >> prop_below(r, 64) | 1;
    return p;
}

/* A distance with c d at most about 50, or any. */
static uint64_t draw_distance(struct problem p, prop_random *r)
{
    double c = p.epsilon / (double)p.denominator;
    double far = prop_uniform(r, 0, prop_below(r, 5) ? 5 : 60) / c;
    if (prop_below(r, 6) == 0)
        return 0;
    if (prop_below(r, 10) == 0 || !(far < 0x1p63))
        return prop_bits(r) >> prop_below(r, 64);
    return (uint64_t)far;
}

static void exact_exp(arb_t x, struct problem p, uint64_t d)
{
    arb_set_d(x, p.epsilon);
    arb_mul_ui(x, x, d, DIGITS_PRECISION);
    arb_div_ui(x, x, p.denominator, DIGITS_PRECISION);
    arb_neg(x, x);
    arb_exp(x, x, DIGITS_PRECISION);
}

static void property_weight(prop_random *r)
{
    struct problem p = draw_problem(r);
    uint64_t d = draw_distance(p, r);
    struct exponent e = exponent_of(p.epsilon, p.denominator);
    uint64_t weight = exponent_weight(&e, d);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    exact_exp(x, p, d);
    arb_mul_2exp_si(x, x, WEIGHT_BITS);
    arb_set_ui(y, weight);
    arb_sub(x, x, y, 200);
    arb_abs(x, x);
    arb_set_ui(y, (uint64_t)weight_error((int128)weight, 1));
    require(arb_le(x, y), "weight");
    require(d != 0 || weight == (uint64_t)1 << WEIGHT_BITS, "weight of 0");
    arb_clear(x);
    arb_clear(y);
}

static void property_ball(prop_random *r)
{
    struct problem p = draw_problem(r);
    uint64_t d = draw_distance(p, r);
    struct exponent e = exponent_of(p.epsilon, p.denominator);
    ball found = exponent_ball(&e, d);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    exact_exp(x, p, d);
    arb_set_d(y, found.hi);
    arb_sub(x, x, y, DIGITS_PRECISION);
    arb_set_d(y, found.lo);
    arb_sub(x, x, y, DIGITS_PRECISION);
    arb_abs(x, x);
    arb_set_d(y, found.rad);
    require(arb_le(x, y), "ball");
    /* c d is within 2^-98 of itself, and e^-y y at most 0.37 */
    require(found.rad <= 0x1p-97, "ball, width");
    arb_clear(x);
    arb_clear(y);
}

static void property_limbs(prop_random *r)
{
    static uint64_t work[EXPONENT_WORK(MOST_LIMBS)];
    uint64_t lo[MOST_LIMBS], hi[MOST_LIMBS];
    struct problem p = draw_problem(r);
    uint64_t d = draw_distance(p, r);
    struct exponent e = exponent_of(p.epsilon, p.denominator);
    size_t n = 2 + (size_t)prop_below(r, MOST_LIMBS - 1);
    exponent_limbs(lo, hi, &e, d, n, work);
    arb_t x, y;
    fmpz_t z;
    arb_init(x);
    arb_init(y);
    fmpz_init(z);
    exact_exp(x, p, d);
    arb_mul_2exp_si(x, x, 64 * ((slong)n - 1));
    fmpz_set_ui_array(z, lo, (slong)n);
    arb_set_fmpz(y, z);
    require(!arb_gt(y, x), "limbs, lower");
    fmpz_set_ui_array(z, hi, (slong)n);
    arb_set_fmpz(y, z);
    require(!arb_lt(y, x), "limbs, upper");
    require(limbs_sub(hi, hi, lo, n) == 0 && hi[0] <= 3, "limbs, width");
    hi[0] = 0;
    require(limbs_is_zero(hi, n), "limbs, width");
    arb_clear(x);
    arb_clear(y);
    fmpz_clear(z);
}

/* ---- Decisions near a boundary ----------------------------------------- */

/* Words that agree with the boundary in up to 60 words, or any. */
static void draw_words(uint64_t *words, const arb_t boundary, prop_random *r)
{
    uint64_t edge[TAPE_WORDS];
    /* as many words as one of the tiers has, or any number */
    static const int tiers[] = {1, 2, 16, 33};
    int n = prop_below(r, 4) ? tiers[prop_below(r, 4)] : prop_below(r, 61);
    int by = prop_below(r, 11) - 5, fill = prop_below(r, 3);
    for (size_t i = 0; i < TAPE_WORDS; i++)
        words[i] = fill == 0 ? 0 : fill == 1 ? UINT64_MAX : prop_bits(r);
    words_of_arb(edge, TAPE_WORDS, boundary);
    memcpy(words, edge, (size_t)n * sizeof *words);
    for (; by != 0; by += by < 0 ? 1 : -1)
        words_step(words, (size_t)n, by);
}

/* A tape may end only where more words than it has are needed: next to a
 * boundary, or to 0 or 1. */
static bool is_near(const arb_t v, const arb_t boundary)
{
    arb_t x;
    arb_init(x);
    arb_sub(x, v, boundary, DIGITS_PRECISION);
    arb_mul_2exp_si(x, x, 64 * 60);
    bool is_small = arb_contains_zero(x) ||
                    arf_cmpabs_2exp_si(arb_midref(x), 0) <= 0;
    arb_clear(x);
    return is_small;
}

static void property_coin(prop_random *r)
{
    struct problem p = draw_problem(r);
    uint64_t d = draw_distance(p, r), words[TAPE_WORDS];
    struct exponent e = exponent_of(p.epsilon, p.denominator);
    arb_t x, v;
    arb_init(x);
    arb_init(v);
    exact_exp(x, p, d);
    draw_words(words, x, r);
    arb_of_words(v, words, TAPE_WORDS);
    for (int first = TIER_WEIGHTS; first <= TIER_LIMBS; first++) {
        struct words w;
        struct tape tape = {words, TAPE_WORDS, 0};
        bool found = false;
        dosi_error err;
        tape_of_list(&w, &tape);
        require(exponent_coin(&found, &e, d, (enum tier)first, &w, &err) ==
                    DOSI_OK, "coin, status");
        if (w.failed)
            require(is_near(v, x), "words used up");
        else
            require(found == (bool)arb_lt(v, x), "coin");
    }
    arb_clear(x);
    arb_clear(v);
}

struct choice {
    struct problem p;
    uint64_t distances[MOST_CANDIDATES], copies[MOST_CANDIDATES];
    size_t n;
    bool has_copies;
};

static struct choice draw_choice(prop_random *r)
{
    struct choice c = {.p = draw_problem(r)};
    c.n = 1 + (size_t)prop_below(r, prop_below(r, 4) ? 4 : MOST_CANDIDATES);
    c.has_copies = prop_below(r, 2);
    for (size_t i = 0; i < c.n; i++) {
        c.distances[i] = draw_distance(c.p, r);
        c.copies[i] = 1 + (prop_bits(r) >> (12 + prop_below(r, 52)));
        if (i > 0 && prop_below(r, 5) == 0)
            c.distances[i] = c.distances[i - 1];
    }
    c.distances[prop_below(r, (int)c.n)] = 0;
    return c;
}

/* prefix[i] = sum of the weights up to i over that of all */
static void exact_prefixes(arb_t *prefix, const struct choice *c)
{
    arb_t sum, weight;
    arb_init(sum);
    arb_init(weight);
    for (size_t i = 0; i < c->n; i++) {
        exact_exp(weight, c->p, c->distances[i]);
        if (c->has_copies)
            arb_mul_ui(weight, weight, c->copies[i], DIGITS_PRECISION);
        arb_add(sum, sum, weight, DIGITS_PRECISION);
        arb_set(prefix[i], sum);
    }
    for (size_t i = 0; i < c->n; i++)
        arb_div(prefix[i], prefix[i], sum, DIGITS_PRECISION);
    arb_clear(sum);
    arb_clear(weight);
}

static void property_choose(prop_random *r)
{
    struct choice c = draw_choice(r);
    uint64_t words[TAPE_WORDS];
    arb_t prefix[MOST_CANDIDATES], v;
    arb_init(v);
    for (size_t i = 0; i < c.n; i++)
        arb_init(prefix[i]);
    exact_prefixes(prefix, &c);
    draw_words(words, prefix[prop_below(r, (int)c.n)], r);
    arb_of_words(v, words, TAPE_WORDS);
    /* an exact boundary, as 1/2 is, is met by words in which all that
     * follows are zeros: one more digit decides */
    size_t expected = 0;
    for (size_t i = 0; i + 1 < c.n; i++)
        expected += !arb_lt(v, prefix[i]);
    struct candidates x = {
        .e = exponent_of(c.p.epsilon, c.p.denominator),
        .distances = c.distances,
        .copies = c.has_copies ? c.copies : NULL,
        .n = c.n,
    };
    for (int first = TIER_WEIGHTS; first <= TIER_LIMBS; first++) {
        struct words w;
        struct tape tape = {words, TAPE_WORDS, 0};
        size_t found = 0;
        dosi_error err;
        tape_of_list(&w, &tape);
        require(candidates_choose(&found, &x, (enum tier)first, &w, &err) ==
                    DOSI_OK, "choose, status");
        bool is_open = false;
        for (size_t i = 0; i < c.n; i++)
            is_open = is_open || is_near(v, prefix[i]);
        require(w.failed ? is_open : found == expected, "choose");
    }
    for (size_t i = 0; i < c.n; i++)
        arb_clear(prefix[i]);
    arb_clear(v);
}

int main(void)
{
    static const prop_property properties[] = {
        {property_weight, 5000},
        {property_ball, 2000},
        {property_limbs, 150},
        {property_coin, 400},
        {property_choose, 120},
    };
    prop_random r = prop_start("prop_exponent");
    prop_run(&r, properties, sizeof properties / sizeof *properties);
    flint_cleanup();
    return 0;
}
