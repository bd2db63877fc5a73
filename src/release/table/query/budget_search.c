/*
 * The smallest factor of all noise whose plan is certainly within the budget,
 * by secants and bisection on the certified cost. Derivation:
 * docs/theory/release_table.md, section 4.
 */
#include "budget_search.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "budget_plan.h"

#define MAX_FACTOR 0x1p200

/* A question of the search may cost a quarter of one that is asked alone. */
#define OPERATIONS 2.5e8

/* The steps after which a cost that is certified alone is within epsilon. */
#define STEP (1 + 0x1p-30)

/* A factor with the upper end of epsilon that it has. */
struct tried {
    double t, epsilon;
};

/* Positive doubles are ordered as their bits. */
static int64_t bits_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(int64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

dosi_status budget_ask(dosi_interval *out, const dosi_table_query *q,
    const dosi_plan *plan, double max_operations, dosi_error *err)
{
    dosi_options options = q->accounting;
    dosi_answer answer;
    options.neighbours = q->settings.neighbours;
    if (max_operations > 0)
        options.max_operations = max_operations;
    dosi_status status = dosi_epsilon_at_delta(
        &answer, plan, q->settings.delta, &options, err);
    if (status == DOSI_OK && options.stop != NULL &&
        options.stop(options.stop_context) != 0)
        status = dosi_fail(err, DOSI_EUNABLE,
            "the search for noise was stopped before it was done");
    if (status == DOSI_OK)
        *out = answer.value;
    return status;
}

static dosi_status try_factor(struct tried *out, dosi_table_query *q,
    double t, bool is_last, dosi_error *err)
{
    const dosi_plan *plan = NULL;
    dosi_interval epsilon;
    double given = q->accounting.max_operations;
    double quarter = given > 0 ? given / 4 : OPERATIONS;
    *out = (struct tried){t, HUGE_VAL};
    dosi_status status = budget_try(q, t, err);
    if (status == DOSI_OK)
        status = budget_plan(&plan, q, err);
    if (status == DOSI_OK)
        status = budget_ask(&epsilon, q, plan, is_last ? 0 : quarter, err);
    dosi_plan_free(plan);
    if (status == DOSI_OK)
        out->epsilon = epsilon.hi;
    return status;
}

static dosi_status fail_unable(const dosi_table_query *q, dosi_error *err)
{
    return dosi_fail(err, DOSI_EUNABLE,
        "no noise was found that is certainly within epsilon %g at delta %g",
        q->settings.epsilon, q->settings.delta);
}

/* Doubles or halves the factor until one is good and one is bad. */
static dosi_status find_ends(struct tried *good, struct tried *bad,
    dosi_table_query *q, dosi_error *err)
{
    double aim = q->settings.epsilon, start = 0;
    size_t i, j;
    bool has_good = false, has_bad = false;
    struct table_part *p = budget_first(q, &i, &j);
    for (; p != NULL; p = budget_next(q, &i, &j))
        start += p->weight / aim;
    dosi_status status = DOSI_OK;
    for (double t = start; status == DOSI_OK && !(has_good && has_bad);) {
        struct tried next;
        if (!(t < MAX_FACTOR && t > 1 / MAX_FACTOR))
            return fail_unable(q, err);
        status = try_factor(&next, q, t, false, err);
        if (next.epsilon <= aim) {
            *good = next;
            has_good = true;
            t = next.t / 2;
        } else {
            *bad = next;
            has_bad = true;
            t = next.t * 2;
        }
    }
    return status;
}

/* The zero of the line through both ends, on logarithmic scales, and
 * a little beyond it to the side of the longer rest; else the middle. */
static double next_factor(
    const struct tried *good, const struct tried *bad, double aim, bool halves)
{
    int64_t low = bits_of(bad->t), high = bits_of(good->t);
    int64_t middle = low + (high - low) / 2;
    double slope = log(bad->epsilon / good->epsilon) / log(good->t / bad->t);
    if (halves || !(slope > 0 && slope < HUGE_VAL))
        return of_bits(middle);
    double root = bad->t * exp(log(bad->epsilon / aim) / slope);
    double margin = fmax((good->t - bad->t) * 0x1p-6, root * 0x1p-50);
    root = root - bad->t < good->t - root ? root + margin : root - margin;
    int64_t at = root > bad->t && root < good->t ? bits_of(root) : middle;
    return of_bits(at > low && at < high ? at : middle);
}

dosi_status budget_search(dosi_table_query *q, dosi_error *err)
{
    struct tried good = {0}, bad = {0}, next = {0};
    double aim = q->settings.epsilon;
    bool halves = false;
    dosi_status status = find_ends(&good, &bad, q, err);
    while (status == DOSI_OK && bits_of(good.t) - bits_of(bad.t) > 1) {
        double width = good.t - bad.t;
        status = try_factor(
            &next, q, next_factor(&good, &bad, aim, halves), false, err);
        if (next.epsilon <= aim)
            good = next;
        else
            bad = next;
        halves = good.t - bad.t > width / 4 && !halves;
    }
    /* evaluated as a reader of the answer would */
    while (status == DOSI_OK) {
        status = try_factor(&next, q, good.t, true, err);
        if (status != DOSI_OK || next.epsilon <= aim)
            break;
        good.t *= STEP;
        if (!(good.t < MAX_FACTOR))
            return fail_unable(q, err);
    }
    return status;
}
