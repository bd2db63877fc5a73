/*
 * The public calls that make, describe and draw integer noise: the choice of an
 * envelope for a law and a scale, and of one of the two modes of the sampler.
 * Derivation: docs/theory/release.md.
 */
#include "noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "release_laws/integer_law.h"
#include "noise_modes.h"

/* Below it a column would be finer than the bits of a word; above it values
 * of the tail would leave 62 bits. */
#define MIN_SCALE 0x1p-6
#define MAX_SCALE_ROUNDED 0x1p50
#define MAX_SCALE_DISCRETE 0x1p40

static dosi_status check_law(
    dosi_noise_law law, double scale, dosi_timing timing, dosi_error *err)
{
    bool is_rounded = false;
    switch (law) {
    case DOSI_NOISE_ROUND_GAUSSIAN:
    case DOSI_NOISE_ROUND_LAPLACE:
        is_rounded = true;
        break;
    case DOSI_NOISE_DISCRETE_GAUSSIAN:
    case DOSI_NOISE_DISCRETE_LAPLACE:
        break;
    default: /* a caller's integer may be no enumerator */
        return dosi_fail(
            err, DOSI_EINVAL, "noise: there is no law %d", (int)law);
    }
    if (timing != DOSI_TIMING_CONSTANT && timing != DOSI_TIMING_FAST)
        return dosi_fail(
            err, DOSI_EINVAL, "noise: there is no timing %d", (int)timing);
    double most = is_rounded ? MAX_SCALE_ROUNDED : MAX_SCALE_DISCRETE;
    if (!(scale >= MIN_SCALE && scale <= most)) /* also rejects NaN */
        return dosi_fail(err, DOSI_EINVAL,
            "noise: the scale must be in [2^-6, 2^%d], got %.17g%s",
            is_rounded ? 50 : 40, scale,
            scale > 0 && scale < MIN_SCALE ? "; use a finer grid" : "");
    return DOSI_OK;
}

dosi_status dosi_noise_new(dosi_noise **out, dosi_noise_law law, double scale,
    dosi_timing timing, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(scale);
    if (out == NULL)
        return dosi_fail(err, DOSI_EINVAL, "noise: the output is NULL");
    *out = NULL;
    dosi_status status = check_law(law, scale, timing, err);
    if (status != DOSI_OK)
        return status;
    dosi_noise *noise = calloc(1, sizeof *noise);
    if (noise == NULL)
        return dosi_fail_memory(err);
    noise->law = law;
    noise->timing = timing;
    status = bricks_make(&noise->bricks, law, scale, NULL, err);
    if (status != DOSI_OK) {
        dosi_noise_free(noise);
        return status;
    }
    *out = noise;
    return DOSI_OK;
}

void dosi_noise_free(dosi_noise *noise)
{
    if (noise == NULL)
        return;
    bricks_free(&noise->bricks);
    free(noise);
}

dosi_status noise_draw(int64_t *out, size_t n, const dosi_noise *noise,
    struct words *w, dosi_error *err)
{
    bool is_decided = noise->timing == DOSI_TIMING_FAST
        ? noise_draw_fast(out, n, &noise->bricks, w)
        : noise_draw_constant(out, n, &noise->bricks, w);
    if (is_decided)
        return DOSI_OK;
    if (n > 0)
        memset(out, 0, n * sizeof *out);
    return dosi_fail(err, DOSI_EUNABLE,
        "noise: a comparison was not decided by 1024 bits");
}

dosi_status dosi_noise_draw(
    int64_t *out, size_t n, const dosi_noise *noise, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    struct words w;
    if (noise == NULL || (out == NULL && n > 0))
        return dosi_fail(
            err, DOSI_EINVAL, "noise: the sampler or the output is NULL");
    dosi_status status = words_open(&w, err);
    if (status == DOSI_OK) {
        status = noise_draw(out, n, noise, &w, err);
        if (status == DOSI_OK)
            status = words_check(&w, err);
        words_close(&w);
    }
    if (status != DOSI_OK && n > 0)
        memset(out, 0, n * sizeof *out);
    return status;
}

dosi_status dosi_noise_half_width(
    int64_t *out, const dosi_noise *noise, double beta, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(beta);
    if (out == NULL || noise == NULL)
        return dosi_fail(
            err, DOSI_EINVAL, "noise: the sampler or the output is NULL");
    *out = 0;
    return integer_law_half_width(
        out, noise->law, noise->bricks.scale, beta, err);
}
