/*
 * Values with the noise of a leaf. docs/theory/release_choices.md, section 5.
 */
#include "dosimeter/release.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "int128.h"
#include "noise.h"
#include "release_options.h"
#include "scale.h"

/* ---- The law and its charge -------------------------------------------- */

struct leaf_law {
    dosi_noise_law law;
    double scale;
    bool is_grouped; /* the distance is part of the plan, not of the scale */
};

static dosi_status law_of_leaf(struct leaf_law *out, const dosi_plan *leaf,
    int64_t distance, dosi_error *err)
{
    double scale = dosi_plan_parameter(leaf, 0);
    dosi_kind kind = dosi_plan_kind(leaf);
    /* Rounded laws: more noise is post-processing, so the product is rounded
     * up. Discrete laws keep the plan's own double. */
    if (kind == DOSI_GAUSSIAN || kind == DOSI_LAPLACE)
        *out = (struct leaf_law){kind == DOSI_GAUSSIAN
                                     ? DOSI_NOISE_ROUND_GAUSSIAN
                                     : DOSI_NOISE_ROUND_LAPLACE,
            scale_upper(scale, (uint128)distance), false};
    else if (kind == DOSI_DISCRETE_GAUSSIAN || kind == DOSI_DISCRETE_LAPLACE)
        *out = (struct leaf_law){kind == DOSI_DISCRETE_GAUSSIAN
                                     ? DOSI_NOISE_DISCRETE_GAUSSIAN
                                     : DOSI_NOISE_DISCRETE_LAPLACE,
            scale, true};
    else
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "values: the leaf must be gaussian, laplace, discrete_gaussian "
            "or discrete_laplace, got %s",
            dosi_kind_at(kind).name);
    return DOSI_OK;
}

/* group(distance, leaf) * max_cells, without what is 1. */
static dosi_status charge_new(const dosi_plan **out, const dosi_plan *leaf,
    int64_t distance, bool is_grouped, size_t max_cells, dosi_error *err)
{
    const double size = (double)distance, count = (double)max_cells;
    const dosi_plan *one = NULL;
    dosi_status status = DOSI_OK;

    *out = NULL;
    if (is_grouped && distance > 1) {
        if (distance > (int64_t)1 << 53) /* size would be rounded */
            return dosi_fail(err, DOSI_EINVAL,
                "values: distance of a discrete kind must be at most 2^53, "
                "got %lld",
                (long long)distance);
        status = dosi_plan_new(&one, DOSI_GROUP, &size, 1, &leaf, 1, err);
    } else {
        one = dosi_plan_retain(leaf);
    }
    if (status != DOSI_OK || max_cells <= 1) {
        *out = one;
        return status;
    }
    if (max_cells > (uint64_t)1 << 53)
        status = dosi_fail(
            err, DOSI_EINVAL, "values: max_cells must be at most 2^53");
    else
        status = dosi_plan_repeat(out, one, count, err);
    dosi_plan_free(one);
    return status;
}

/* ---- Drawing ----------------------------------------------------------- */

/* Draws all of the noise, or fails. owns  *out, n numbers */
static dosi_status noise_of_law(int64_t **out, size_t n,
    const struct leaf_law *law, dosi_timing timing, dosi_error *err)
{
    struct words w;
    dosi_noise *noise = NULL;
    int64_t *drawn = NULL;
    dosi_status status =
        dosi_noise_new(&noise, law->law, law->scale, timing, err);

    *out = NULL;
    if (status != DOSI_OK)
        return status;
    drawn = calloc(n > 0 ? n : 1, sizeof *drawn);
    status = drawn == NULL ? dosi_fail_memory(err) : words_open(&w, err);
    if (status == DOSI_OK) {
        status = noise_draw(drawn, n, noise, &w, err);
        if (status == DOSI_OK)
            status = words_check(&w, err);
        words_close(&w);
    }
    if (status == DOSI_OK) {
        *out = drawn;
        drawn = NULL; /* moved to out */
    }
    if (drawn != NULL)
        sodium_memzero(drawn, n * sizeof *drawn);
    free(drawn);
    dosi_noise_free(noise);
    return status;
}

static int64_t add_saturating(int64_t a, int64_t b)
{
    int128 sum = (int128)a + b;
    sum = sum > INT64_MAX ? INT64_MAX : sum;
    return (int64_t)(sum < INT64_MIN ? INT64_MIN : sum);
}

static dosi_status values_draw(int64_t *out, const dosi_plan **charge,
    const int64_t *values, size_t n, const dosi_plan *leaf, int64_t distance,
    const dosi_release_options *options, dosi_error *err)
{
    dosi_release_options opt;
    struct leaf_law law = {DOSI_NOISE_ROUND_GAUSSIAN, 0, false};
    const dosi_plan *plan = NULL;
    int64_t *noise = NULL;

    dosi_status status = release_options(&opt, options, err);
    if (status == DOSI_OK)
        status = release_leaf(leaf, err);
    if (status != DOSI_OK)
        return status;
    if (distance < 1)
        return dosi_fail(err, DOSI_EINVAL,
            "values: distance must be positive, got %lld",
            (long long)distance);
    if (opt.permute_and_flip)
        return dosi_fail(err, DOSI_EINVAL,
            "values: permute_and_flip is for choices only");
    status = law_of_leaf(&law, leaf, distance, err);
    if (status == DOSI_OK)
        status = charge_new(
            &plan, leaf, distance, law.is_grouped, opt.max_cells, err);
    if (status == DOSI_OK)
        status = noise_of_law(&noise, n, &law, opt.timing, err);
    if (status != DOSI_OK) {
        dosi_plan_free(plan);
        return status;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = add_saturating(values[i], noise[i]);
    sodium_memzero(noise, n * sizeof *noise);
    free(noise);
    *charge = plan;
    return DOSI_OK;
}

dosi_status dosi_release_values(int64_t *out, const dosi_plan **charge,
    const int64_t *values, size_t n, const dosi_plan *leaf, int64_t distance,
    const dosi_release_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    *charge = NULL;
    dosi_status status = values_draw(
        out, charge, values, n, leaf, distance, options, err);
    if (status != DOSI_OK && n > 0)
        memset(out, 0, n * sizeof *out);
    return status;
}
