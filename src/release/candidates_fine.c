/*
 * Prefix sums of weights in more digits, for a uniform number that integer
 * weights leave undecided: docs/theory/release_choices.md, section 4. Weights
 * are computed twice, for the sum and for the prefixes, and never stored.
 */
#include "candidates.h"

#include <stdlib.h>

#include "base/error.h"

/* ---- Balls ------------------------------------------------------------- */

static ball weight_ball(const struct candidates *x, size_t i)
{
    ball weight = exponent_ball(&x->e, x->distances[i]);
    if (x->copies == NULL)
        return weight; /* copies are at most 2^54, so two parts are exact */
    uint64_t high = x->copies[i] >> 32, low = x->copies[i] & UINT32_MAX;
    ball copies = ball_add_d(ball_of((double)high * 0x1p32), (double)low);
    return ball_mul(weight, copies);
}

struct prefix_count candidates_count_balls(
    const struct candidates *x, const struct uniform *u)
{
    struct prefix_count count = {0, 0};
    ball sum = ball_of(0), prefix = ball_of(0);
    for (size_t i = 0; i < x->n; i++)
        sum = ball_add(sum, weight_ball(x, i));
    ball target = ball_mul(uniform_ball(u), sum);
    for (size_t i = 0; i + 1 < x->n; i++) {
        prefix = ball_add(prefix, weight_ball(x, i));
        count.certain += ball_less_equal(prefix, target);
        count.possible += !ball_less(target, prefix);
    }
    return count;
}

/* ---- Limbs ------------------------------------------------------------- */

/* Numbers of n limbs each, within one allocation. */
struct sums {
    size_t n;
    uint64_t *sum_lo, *sum_hi, *weight_lo, *weight_hi, *target_lo, *target_hi;
    uint64_t *copies;
    uint64_t *work; /* EXPONENT_WORK(n), which is more than 2 n */
};

#define N_NUMBERS 7

static struct sums sums_at(uint64_t *memory, size_t n)
{
    return (struct sums){n, memory, memory + n, memory + 2 * n,
        memory + 3 * n, memory + 4 * n, memory + 5 * n, memory + 6 * n,
        memory + N_NUMBERS * n};
}

/* Adds candidate i; nothing overflows, as the sum is at most 2^54. */
static void sums_add(struct sums *s, const struct candidates *x, size_t i)
{
    size_t n = s->n;
    exponent_limbs(s->weight_lo, s->weight_hi, &x->e, x->distances[i], n,
        s->work);
    if (x->copies != NULL) {
        limbs_set(s->copies, x->copies[i], n);
        (void)limbs_mul(
            s->weight_lo, s->weight_lo, s->copies, n, false, s->work);
        (void)limbs_mul(
            s->weight_hi, s->weight_hi, s->copies, n, true, s->work);
    }
    (void)limbs_add(s->sum_lo, s->sum_lo, s->weight_lo, n);
    (void)limbs_add(s->sum_hi, s->sum_hi, s->weight_hi, n);
}

dosi_status candidates_count_limbs(struct prefix_count *out,
    const struct candidates *x, const struct uniform *u, size_t limbs,
    dosi_error *err)
{
    uint64_t *memory = calloc(
        N_NUMBERS * limbs + EXPONENT_WORK(limbs), sizeof *memory);
    if (memory == NULL)
        return dosi_fail_memory(err);
    struct sums s = sums_at(memory, limbs);
    for (size_t i = 0; i < x->n; i++)
        sums_add(&s, x, i);
    /* target = U sum, with U and the sum each at their lower, upper ends */
    uniform_limbs(s.target_lo, s.target_hi, u, limbs);
    (void)limbs_mul(
        s.target_lo, s.target_lo, s.sum_lo, limbs, false, s.work);
    (void)limbs_mul(s.target_hi, s.target_hi, s.sum_hi, limbs, true, s.work);

    *out = (struct prefix_count){0, 0};
    limbs_set(s.sum_lo, 0, limbs);
    limbs_set(s.sum_hi, 0, limbs);
    for (size_t i = 0; i + 1 < x->n; i++) {
        sums_add(&s, x, i);
        out->certain += limbs_compare(s.sum_hi, s.target_lo, limbs) <= 0;
        out->possible += limbs_compare(s.sum_lo, s.target_hi, limbs) <= 0;
    }
    free(memory);
    return DOSI_OK;
}
