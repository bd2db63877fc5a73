/*
 * Choices as public calls: one generator each, the plan to charge, and
 * nothing written before the last draw. docs/theory/release_choices.md.
 */
#include "dosimeter/release.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "candidates.h"
#include "choice.h"
#include "coins.h"
#include "release_options.h"

/* ---- Exponential mechanism, permute-and-flip --------------------------- */

static dosi_status check_choice(size_t n, const dosi_plan *leaf,
    int64_t sensitivity, const dosi_release_options *options, dosi_error *err)
{
    dosi_status status = release_leaf(leaf, err);
    if (status != DOSI_OK)
        return status;
    dosi_kind kind = dosi_plan_kind(leaf);
    if (options->permute_and_flip && kind != DOSI_PURE)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "permute-and-flip: the leaf must be pure(epsilon), got %s",
            dosi_kind_at(kind).name);
    if (kind != DOSI_EXPONENTIAL && kind != DOSI_PURE)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "choice: the leaf must be exponential(epsilon) or pure(epsilon), "
            "got %s",
            dosi_kind_at(kind).name);
    if (n == 0)
        return dosi_fail(err, DOSI_EINVAL, "choice: there must be a score");
    if (sensitivity < 1)
        return dosi_fail(err, DOSI_EINVAL,
            "choice: sensitivity must be positive, got %lld",
            (long long)sensitivity);
    if (options->max_cells != 0)
        return dosi_fail(
            err, DOSI_EINVAL, "choice: max_cells is for values only");
    return DOSI_OK;
}

/* The distances to the best score, each below 2^64. */
static uint64_t *distances_new(const int64_t *scores, size_t n)
{
    uint64_t *distances =
        n <= SIZE_MAX / sizeof *distances ? malloc(n * sizeof *distances)
                                          : NULL;
    int64_t best = scores[0];
    if (distances == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++)
        best = scores[i] > best ? scores[i] : best;
    for (size_t i = 0; i < n; i++)
        distances[i] = (uint64_t)best - (uint64_t)scores[i];
    return distances;
}

dosi_status dosi_release_choice(size_t *out, const dosi_plan **charge,
    const int64_t *scores, size_t n, const dosi_plan *leaf,
    int64_t sensitivity, int is_monotone, const dosi_release_options *options,
    dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_release_options opt;
    struct words w;
    size_t chosen = 0;

    *out = 0;
    *charge = NULL;
    dosi_status status = release_options(&opt, options, err);
    if (status == DOSI_OK)
        status = check_choice(n, leaf, sensitivity, &opt, err);
    if (status != DOSI_OK)
        return status;
    uint64_t *distances = distances_new(scores, n);
    if (distances == NULL)
        return dosi_fail_memory(err);
    status = words_open(&w, err);
    if (status == DOSI_OK) {
        uint64_t denominator = (uint64_t)sensitivity * (is_monotone ? 1 : 2);
        status = choice_of_distances(&chosen, distances, n,
            dosi_plan_parameter(leaf, 0), denominator, opt.permute_and_flip,
            &w, err);
        if (status == DOSI_OK)
            status = words_check(&w, err);
        words_close(&w);
    }
    if (status == DOSI_OK) {
        *out = chosen;
        *charge = dosi_plan_retain(leaf);
    }
    free(distances);
    return status;
}

/* ---- Randomized response ----------------------------------------------- */

/* Answers the truth with probability 1 / (1 + (k - 1) exp(-epsilon)): it and k
 * - 1 copies of another answer are the candidates of a choice. */
static dosi_status response_draw(size_t *out, uint64_t truth,
    const dosi_plan *leaf, struct words *w, dosi_error *err)
{
    uint64_t k = (uint64_t)dosi_plan_parameter(leaf, 1);
    const uint64_t distances[] = {0, 1}, copies[] = {1, k - 1};
    struct candidates x = {
        .e = exponent_of(dosi_plan_parameter(leaf, 0), 1),
        .distances = distances,
        .copies = copies,
        .n = 2,
    };
    size_t is_other = 0;
    dosi_status status = candidates_choose(&is_other, &x, TIER_WEIGHTS, w, err);
    uint64_t other = uniform_below(k - 1, w); /* also when it is not needed */
    truth = truth < k ? truth : k - 1;
    other += other >= truth;
    *out = (size_t)(truth ^ ((truth ^ other) & (0 - (uint64_t)is_other)));
    return status;
}

dosi_status dosi_release_response(
    size_t *out, size_t truth, const dosi_plan *leaf, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    struct words w;
    size_t answer = 0;

    *out = 0;
    dosi_status status = release_leaf(leaf, err);
    if (status != DOSI_OK)
        return status;
    if (dosi_plan_kind(leaf) != DOSI_RANDOMIZED_RESPONSE)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "response: the leaf must be rr(epsilon, categories), got %s",
            dosi_kind_at(dosi_plan_kind(leaf)).name);
    status = words_open(&w, err);
    if (status != DOSI_OK)
        return status;
    status = response_draw(&answer, truth, leaf, &w, err);
    if (status == DOSI_OK)
        status = words_check(&w, err);
    words_close(&w);
    if (status == DOSI_OK)
        *out = answer;
    return status;
}
