/*
 * Dosimeter: releasing and training. Link libdosimeter-release.
 *
 * What is released here has exactly the law that the accountant assumes:
 * everything that depends on data before the noise is an integer, the noise
 * is an integer with an exactly known law, and what comes after it is
 * post-processing. Every released thing carries the plan to account for.
 *
 * Conventions as in dosimeter.h. Randomness comes from the system; it is
 * fresh in every call and wiped at its end. When the system has none, or an
 * allocation fails, nothing is released and outputs are zero.
 */
#ifndef DOSIMETER_RELEASE_H
#define DOSIMETER_RELEASE_H

#include "dosimeter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Noise ------------------------------------------------------------- */

/* Integer laws. Pinned values, never reused. */
typedef enum dosi_noise_law {
    DOSI_NOISE_ROUND_GAUSSIAN = 0,    /* round(scale * standard normal) */
    DOSI_NOISE_ROUND_LAPLACE = 1,     /* round(scale * Laplace(1)) */
    DOSI_NOISE_DISCRETE_GAUSSIAN = 2, /* P[k] ~ exp(-k^2 / (2 scale^2)) */
    DOSI_NOISE_DISCRETE_LAPLACE = 3   /* P[k] ~ exp(-|k| / scale) */
} dosi_noise_law;

typedef enum dosi_timing {
    DOSI_TIMING_CONSTANT = 0, /* the time of a draw tells nothing of it, but
                                 for caches and rare events */
    DOSI_TIMING_FAST = 1
} dosi_timing;

/* A sampler of one law at one scale; immutable. */
typedef struct dosi_noise dosi_noise;

/*
 * requires  scale in [2^-6, 2^50] for rounded laws, [2^-6, 2^40] for
 *           discrete ones; it is taken as exact
 * owns      *out, released with dosi_noise_free
 * fails     DOSI_EINVAL, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_noise_new(dosi_noise **out,
    dosi_noise_law law, double scale, dosi_timing timing, dosi_error *err);
DOSI_API void dosi_noise_free(dosi_noise *noise); /* accepts NULL */

/* n independent draws. fails  DOSI_EENTROPY; then out is zero. */
DOSI_API DOSI_CHECK dosi_status dosi_noise_draw(
    int64_t *out, size_t n, const dosi_noise *noise, dosi_error *err);

/* The smallest integer a with P[|K| > a] <= beta. requires 0 < beta < 1 */
DOSI_API DOSI_CHECK dosi_status dosi_noise_half_width(
    int64_t *out, const dosi_noise *noise, double beta, dosi_error *err);

/* ---- Values and choices ------------------------------------------------ */

/* Initialise with DOSI_RELEASE_OPTIONS_INIT; zero means default. */
typedef struct dosi_release_options {
    size_t size;
    size_t max_cells;     /* not 0: neighbours differ in so many values, in
                             each by at most the distance */
    dosi_timing timing;
    int permute_and_flip; /* choices: in place of the exponential mechanism */
} dosi_release_options;

#define DOSI_RELEASE_OPTIONS_INIT {sizeof(dosi_release_options), 0, \
    DOSI_TIMING_CONSTANT, 0}

/*
 * Executes a leaf of a plan: values[j] + noise. Neighbours differ by at most
 * distance: as a vector, L1 for laplace and the discrete kinds, L2 for
 * gaussian; or as options->max_cells says. A sum that leaves int64_t
 * saturates. *charge receives the plan to account, e.g.
 * group(distance, leaf) * max_cells.
 *
 * owns   *charge, released with dosi_plan_free
 * fails  DOSI_EUNSUPPORTED for kinds without a sampler, naming those that
 *        have one; DOSI_EINVAL, DOSI_EENTROPY, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_release_values(int64_t *out,
    const dosi_plan **charge, const int64_t *values, size_t n,
    const dosi_plan *leaf, int64_t distance,
    const dosi_release_options *options, dosi_error *err);

/*
 * The index of a good score, by the exponential mechanism or by
 * permute-and-flip. The leaf is exponential(epsilon), or pure(epsilon).
 * is_monotone: one record moves all scores one way.
 */
DOSI_API DOSI_CHECK dosi_status dosi_release_choice(size_t *out,
    const dosi_plan **charge, const int64_t *scores, size_t n,
    const dosi_plan *leaf, int64_t sensitivity, int is_monotone,
    const dosi_release_options *options, dosi_error *err);

/* Randomized response to a truth below the categories of rr(epsilon, k). */
DOSI_API DOSI_CHECK dosi_status dosi_release_response(
    size_t *out, size_t truth, const dosi_plan *leaf, dosi_error *err);

/* member[i] = 1 with probability rate, exactly, independently; else 0. */
DOSI_API DOSI_CHECK dosi_status dosi_sample_poisson(
    uint8_t *member, size_t n, double rate, dosi_error *err);

/* ---- Statistics of a table --------------------------------------------- */

typedef struct dosi_table_query dosi_table_query;
typedef struct dosi_release dosi_release;

/*
 * Settings are the options of `dosimeter release`, one text each, without
 * the dashes: "user id", "max-rows 3", "grid amount:0.01", "epsilon 1",
 * "file-order". In lists, a name with a comma, a quote or a line end stands
 * in quotes, as in CSV: "categories county:a,\"b,c\"". @FILE is for the
 * command line only.
 */
typedef struct dosi_table_options {
    size_t size;
    const char *const *settings;
    size_t n_settings;
} dosi_table_options;

#define DOSI_TABLE_OPTIONS_INIT {sizeof(dosi_table_options), NULL, 0}

/*
 * Statistics as on the command line: "count", "sum income:0..200000".
 * Everything about the query is checked here, before any data are read;
 * afterwards no status or message depends on a record.
 *
 * owns   *out, released with dosi_table_query_free
 * fails  DOSI_EINVAL, DOSI_ESYNTAX, DOSI_EUNABLE, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_new(dosi_table_query **out,
    const char *const *statistics, size_t n,
    const dosi_table_options *options, dosi_error *err);
DOSI_API void dosi_table_query_free(dosi_table_query *query);

/* The plan of the query; as old as the query. */
DOSI_API const dosi_plan *dosi_table_query_plan(const dosi_table_query *query);

/* The next bytes of a CSV file, in any chunks. fails  DOSI_EINVAL for a
 * header without a column that is read, before any record; DOSI_ENOMEM */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_read_csv(
    dosi_table_query *query, const char *bytes, size_t n, dosi_error *err);

/* Draws the noise, once. owns  *out, released with dosi_release_free */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_finish(
    dosi_release **out, dosi_table_query *query, dosi_error *err);
DOSI_API void dosi_release_free(dosi_release *release); /* accepts NULL */

/* ---- Training ---------------------------------------------------------- */

/* Per-example gradients, clipped to an integer grid and added exactly. */
typedef struct dosi_gradient_sum dosi_gradient_sum;

/* Rows are clipped to the L2 norm clip, on a grid of clip / 2^grid_bits.
 * requires  clip > 0, grid_bits 12 to 30, 0 for 24 */
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_new(dosi_gradient_sum **out,
    size_t dimension, double clip, int grid_bits, dosi_error *err);
DOSI_API void dosi_gradient_sum_free(dosi_gradient_sum *sum);

/* Adds n_rows x dimension numbers, row by row. */
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_add_f32(
    dosi_gradient_sum *sum, const float *rows, size_t n_rows, dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_add_f64(
    dosi_gradient_sum *sum, const double *rows, size_t n_rows,
    dosi_error *err);

/* The sum with noise of gaussian(sigma) under add_remove (replace: pass
 * 2 sigma), in the unit of the gradients; the sum is empty afterwards. */
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_release(double *out,
    dosi_gradient_sum *sum, double sigma, dosi_error *err);

#ifdef __cplusplus
}
#endif

#endif
