/*
 * Gradient sums for training loops of others: rows are clipped to the grid
 * and added as integers modulo 2^64, the release adds rounded Gaussian noise.
 * docs/theory/release_training.md 2.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "clip.h"
#include "dosimeter/release.h"

struct dosi_gradient_sum {
    size_t dimension;
    struct clip_grid grid;
    uint64_t *sum; /* modulo 2^64 */
    double *row;   /* a copy of the caller's, read once */
    int32_t *z;
};

/* ---- Making ------------------------------------------------------------- */

dosi_status dosi_gradient_sum_new(dosi_gradient_sum **out, size_t dimension,
    double clip, int grid_bits, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(clip);
    int bits = grid_bits == 0 ? CLIP_DEFAULT_BITS : grid_bits;

    *out = NULL;
    if (dimension == 0 || dimension > SIZE_MAX / 16)
        return dosi_fail(err, DOSI_EINVAL,
            "gradient sum: the dimension must be at least 1, got %zu",
            dimension);
    if (!(clip >= 1e-290 && clip < HUGE_VAL)) /* 2^30 / clip is finite */
        return dosi_fail(err, DOSI_EINVAL,
            "gradient sum: clip must be at least 1e-290 and finite, got %g",
            clip);
    if (bits < CLIP_MIN_BITS || bits > CLIP_MAX_BITS)
        return dosi_fail(err, DOSI_EINVAL,
            "gradient sum: grid bits must be %d to %d, got %d",
            CLIP_MIN_BITS, CLIP_MAX_BITS, grid_bits);
    dosi_gradient_sum *sum = calloc(1, sizeof *sum);
    if (sum == NULL)
        return dosi_fail_memory(err);
    sum->dimension = dimension;
    sum->grid = clip_grid_of(clip, bits);
    sum->sum = calloc(dimension, sizeof *sum->sum);
    sum->row = calloc(dimension, sizeof *sum->row);
    sum->z = calloc(dimension, sizeof *sum->z);
    if (sum->sum == NULL || sum->row == NULL || sum->z == NULL) {
        dosi_gradient_sum_free(sum);
        return dosi_fail_memory(err);
    }
    *out = sum;
    return DOSI_OK;
}

void dosi_gradient_sum_free(dosi_gradient_sum *sum)
{
    if (sum == NULL)
        return;
    free(sum->sum);
    free(sum->row);
    free(sum->z);
    free(sum);
}

/* ---- Adding ------------------------------------------------------------- */

/* Adds the row that was copied. */
static void row_add(dosi_gradient_sum *sum)
{
    if (clip_row(sum->z, sum->row, sum->dimension, &sum->grid))
        (void)clip_add(sum->sum, sum->z, sum->dimension, sum->grid.bits);
}

static void copy_f32(double *to, const float *from, size_t n)
{
    for (size_t j = 0; j < n; j++)
        to[j] = (double)from[j];
}

dosi_status dosi_gradient_sum_add_f32(dosi_gradient_sum *sum,
    const float *rows, size_t n_rows, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return dosi_gradient_sum_add_layers_f32(
        sum, &rows, &sum->dimension, 1, n_rows, err);
}

dosi_status dosi_gradient_sum_add_f64(dosi_gradient_sum *sum,
    const double *rows, size_t n_rows, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return dosi_gradient_sum_add_layers_f64(
        sum, &rows, &sum->dimension, 1, n_rows, err);
}

static dosi_status check_sizes(const dosi_gradient_sum *sum,
    const size_t *sizes, size_t n_layers, dosi_error *err)
{
    size_t total = 0;

    for (size_t l = 0; l < n_layers; l++) {
        if (sizes[l] > sum->dimension - total)
            return dosi_fail(err, DOSI_EINVAL,
                "gradient sum: the layers have more than %zu numbers a row",
                sum->dimension);
        total += sizes[l];
    }
    if (total != sum->dimension)
        return dosi_fail(err, DOSI_EINVAL,
            "gradient sum: the layers have %zu numbers a row, not %zu", total,
            sum->dimension);
    return DOSI_OK;
}

dosi_status dosi_gradient_sum_add_layers_f32(dosi_gradient_sum *sum,
    const float *const *layers, const size_t *sizes, size_t n_layers,
    size_t n_rows, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_status status = check_sizes(sum, sizes, n_layers, err);

    for (size_t r = 0; r < n_rows && status == DOSI_OK; r++) {
        double *at = sum->row;
        for (size_t l = 0; l < n_layers; at += sizes[l++])
            copy_f32(at, layers[l] + r * sizes[l], sizes[l]);
        row_add(sum);
    }
    return status;
}

dosi_status dosi_gradient_sum_add_layers_f64(dosi_gradient_sum *sum,
    const double *const *layers, const size_t *sizes, size_t n_layers,
    size_t n_rows, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_status status = check_sizes(sum, sizes, n_layers, err);

    for (size_t r = 0; r < n_rows && status == DOSI_OK; r++) {
        double *at = sum->row;
        for (size_t l = 0; l < n_layers; at += sizes[l++])
            memcpy(at, layers[l] + r * sizes[l], sizes[l] * sizeof *at);
        row_add(sum);
    }
    return status;
}

void dosi_gradient_sum_add_integers(
    dosi_gradient_sum *sum, const int64_t *integers)
{
    for (size_t j = 0; j < sum->dimension; j++)
        sum->sum[j] += (uint64_t)integers[j];
}

void dosi_gradient_sum_take_integers(int64_t *out, dosi_gradient_sum *sum)
{
    for (size_t j = 0; j < sum->dimension; j++)
        out[j] = (int64_t)sum->sum[j];
    memset(sum->sum, 0, sum->dimension * sizeof *sum->sum);
}

/* ---- Releasing ---------------------------------------------------------- */

dosi_status dosi_gradient_sum_release_integers(int64_t *out,
    dosi_gradient_sum *sum, double sigma, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(sigma);
    size_t n = sum->dimension;
    dosi_noise *noise = NULL;

    memset(out, 0, n * sizeof *out);
    if (!(sigma > 0 && sigma < HUGE_VAL))
        return dosi_fail(err, DOSI_EINVAL,
            "gradient sum: sigma must be positive and finite, got %g", sigma);
    /* sigma R, R a power of two: exact, for scales outside [2^-6, 2^50] are
     * refused. */
    dosi_status status = dosi_noise_new(&noise, DOSI_NOISE_ROUND_GAUSSIAN,
        ldexp(sigma, sum->grid.bits), DOSI_TIMING_FAST, err);
    if (status == DOSI_OK)
        status = dosi_noise_draw(out, n, noise, err);
    if (status == DOSI_OK) {
        for (size_t j = 0; j < n; j++)
            out[j] = (int64_t)(sum->sum[j] + (uint64_t)out[j]);
        memset(sum->sum, 0, n * sizeof *sum->sum);
    }
    dosi_noise_free(noise);
    return status;
}

dosi_status dosi_gradient_sum_release(
    double *out, dosi_gradient_sum *sum, double sigma, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(sigma);
    size_t n = sum->dimension;
    double unit = sum->grid.clip / sum->grid.radius;
    int64_t *noisy = malloc(n * sizeof *noisy);

    memset(out, 0, n * sizeof *out);
    if (noisy == NULL)
        return dosi_fail_memory(err);
    dosi_status status =
        dosi_gradient_sum_release_integers(noisy, sum, sigma, err);
    for (size_t j = 0; j < n && status == DOSI_OK; j++)
        out[j] = unit * (double)noisy[j];
    free(noisy);
    return status;
}
