/*
 * Dosimeter: releasing and training. Link libdosimeter-release.
 *
 * Releases have exactly the law that the accountant assumes: everything that
 * depends on data before the noise is an integer, the noise is an integer with
 * an exactly known law, and everything after it is post-processing. Every
 * release carries the plan to account for.
 *
 * Conventions as in dosimeter.h. Randomness comes from the system; it is
 * fresh in every call and wiped at its end. If the system provides none, or an
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
    DOSI_TIMING_CONSTANT = 0, /* the time of a draw is independent of its
                                 value, except for caches and rare events */
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
    size_t max_cells;     /* not 0: neighbours differ in at most this many
                             values, in each by at most the distance */
    dosi_timing timing;
    int permute_and_flip; /* choices: in place of the exponential mechanism */
} dosi_release_options;

#define DOSI_RELEASE_OPTIONS_INIT {sizeof(dosi_release_options), 0, \
    DOSI_TIMING_CONSTANT, 0}

/*
 * Executes a leaf of a plan: values[j] + noise. Neighbours differ by at most
 * distance: as a vector, L1 for laplace and the discrete kinds, L2 for
 * gaussian; or as options->max_cells says. A sum that leaves int64_t
 * saturates. *charge receives the plan to account for, e.g.
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
 * Selects the index of a high score, by the exponential mechanism or by
 * permute-and-flip. The leaf is exponential(epsilon), or pure(epsilon).
 * is_monotone: one record changes all scores in the same direction.
 */
DOSI_API DOSI_CHECK dosi_status dosi_release_choice(size_t *out,
    const dosi_plan **charge, const int64_t *scores, size_t n,
    const dosi_plan *leaf, int64_t sensitivity, int is_monotone,
    const dosi_release_options *options, dosi_error *err);

/* Randomized response to a true answer from 0 to k - 1, for rr(epsilon, k). A
 * larger one is taken for k - 1; no status reveals it. */
DOSI_API DOSI_CHECK dosi_status dosi_release_response(
    size_t *out, size_t truth, const dosi_plan *leaf, dosi_error *err);

/* member[i] = 1 with probability rate, exactly, independently; else 0. */
DOSI_API DOSI_CHECK dosi_status dosi_sample_poisson(
    uint8_t *member, size_t n, double rate, dosi_error *err);

/*
 * Poisson sampling of one member by its id, for work that may be repeated, as
 * on a cluster: with fresh randomness the coin would be flipped a second time,
 * and whether that happens may depend on the data. With a fresh secret key for
 * every sample the coins of different ids are independent and have the stated
 * probability if BLAKE2b is a random function; equal keys and ids give equal
 * coins.
 *
 * requires  a key of 32 bytes
 * fails     DOSI_EINVAL
 */
DOSI_API DOSI_CHECK dosi_status dosi_sample_keyed(uint8_t *member,
    const uint8_t *key, const void *id, size_t n_bytes, double rate,
    dosi_error *err);

/* ---- Statistics of a table --------------------------------------------- */

typedef struct dosi_table_query dosi_table_query;
typedef struct dosi_release dosi_release;

/*
 * Settings are the options of `dosimeter release`, one text each, without
 * the dashes: "user id", "max-rows 3", "grid amount:0.01", "epsilon 1",
 * "file-order". In lists, a name with a comma, a quote or a line end is quoted
 * as in CSV: "categories county:a,\"b,c\"". @FILE is for the command line
 * only.
 */
typedef struct dosi_table_options {
    size_t size;
    const char *const *settings;
    size_t n_settings;
    const dosi_options *accounting; /* of the search for noise; NULL: the
                                       defaults. Its relation and width are
                                       not read. */
} dosi_table_options;

#define DOSI_TABLE_OPTIONS_INIT {sizeof(dosi_table_options), NULL, 0, NULL}

/*
 * Statistics as on the command line: "count", "sum income:0..200000".
 * Everything about the query is checked here, before any data are read;
 * afterwards no status or message depends on a record.
 *
 * owns   *out, released with dosi_table_query_free
 * fails  DOSI_EINVAL, DOSI_ESYNTAX, DOSI_ENOMEM; DOSI_EUNABLE, also if the
 *        search for noise was stopped
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_new(dosi_table_query **out,
    const char *const *statistics, size_t n,
    const dosi_table_options *options, dosi_error *err);
DOSI_API void dosi_table_query_free(dosi_table_query *query);

/* The plan of the query; it lives as long as the query. */
DOSI_API const dosi_plan *dosi_table_query_plan(const dosi_table_query *query);

/* The next bytes of a CSV file, in any chunks. fails  DOSI_EINVAL for a
 * header without a column that is read, before any record; DOSI_ENOMEM */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_read_csv(
    dosi_table_query *query, const char *bytes, size_t n, dosi_error *err);

/*
 * The three structs of Arrow's C data and C stream interfaces, as in its ABI.
 * Code that has them already defines the guards.
 */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *schema);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *array);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(
        struct ArrowArrayStream *stream, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *stream);
    void (*release)(struct ArrowArrayStream *stream);
    void *private_data;
};
#endif

/*
 * All batches of a stream of Arrow records. Integers, floats, decimals of
 * 128 bits, booleans, texts, binaries, dictionaries of them, dates and
 * timestamps are read; everything else, and a column that does not fit its
 * use, is refused from the schema, before the first batch. The order of rows
 * and the sizes of batches do not matter. Error messages of the producer are
 * not shown, because they may quote records.
 *
 * owns   the caller keeps the stream and releases it in any case
 * fails  DOSI_EINVAL, before the first batch; DOSI_EIO if the stream ends
 *        with an error; DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_read_arrow(
    dosi_table_query *query, struct ArrowArrayStream *stream,
    dosi_error *err);

/* Dialects of SQL. Pinned values, never reused. */
typedef enum dosi_dialect {
    DOSI_SQL_DUCKDB = 0,
    DOSI_SQL_POSTGRES = 1,
    DOSI_SQL_SPARK = 2,
    DOSI_SQL_GENERIC = 3 /* SQL:2003 with DECIMAL(38); not tested with any
                            engine: run dosi_sql_self_test in it first */
} dosi_dialect;

/* "duckdb", ...; NULL after the last dialect. */
DOSI_API const char *dosi_sql_name(dosi_dialect dialect);

/* The command that the session must run before a statement, without a
 * semicolon; "" for none, NULL after the last dialect. */
DOSI_API const char *dosi_sql_settings(dosi_dialect dialect);

/*
 * The statement that sums the integers of the query inside an engine, as one
 * text without a semicolon. It is a function of the query, the dialect and the
 * table; the query remembers which statement a tally has to answer. The
 * table is a name, or several with dots between them (PostgreSQL: with its
 * schema), in double quotes if need be. A column that is read as a number
 * needs the setting "type".
 *
 * owns   *text, released with dosi_sql_free
 * fails  DOSI_EINVAL if a statement cannot express the query, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_sql(char **text,
    dosi_table_query *query, dosi_dialect dialect, const char *table,
    dosi_error *err);
DOSI_API void dosi_sql_free(char *text); /* accepts NULL */

/*
 * The query of a statement, from its first line. The text may begin with the
 * settings of the dialect and a semicolon, and end with a semicolon.
 * accounting is as in dosi_table_options.
 *
 * owns   *out, released with dosi_table_query_free
 * fails  DOSI_ESYNTAX, and DOSI_EINVAL for a statement that this version
 *        would not print; like dosi_table_query_new
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_from_sql(
    dosi_table_query **out, const char *text, size_t n,
    const dosi_options *accounting, dosi_error *err);

/*
 * The whole answer of an engine to the statement, as CSV with or without a
 * header. NULL may be empty, NULL, None or \N. Everything is checked before
 * anything counts, and no message reveals what was read. Call it once per
 * statement: reading the same people twice would double the sensitivity.
 *
 * fails  DOSI_EINVAL for an answer that is malformed, incomplete or to
 *        another statement; DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_read_tally(
    dosi_table_query *query, const char *bytes, size_t n, dosi_error *err);

/*
 * One integer of a tally that the caller summed. part and cell are as in the
 * statement: "rows/n0" is the column n0 of the part rows; cell is empty if the
 * part has no cells. Integers of disjoint sets of people are added; the caller
 * promises that nobody is in two of them.
 *
 * fails  DOSI_EINVAL, also with min-count, where sums are not valid;
 *        DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_add(dosi_table_query *query,
    const char *part, const void *cell, size_t cell_size,
    const char *decimal, dosi_error *err);

/*
 * A query with the statistics, settings and noise of another and no data, for
 * a part of the table: the noise is not searched for again.
 *
 * owns   *out, released with dosi_table_query_free
 * fails  DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_part(dosi_table_query **out,
    const dosi_table_query *query, dosi_error *err);

/*
 * Adds the data of another query to one with the same statistics and
 * settings, as if one query had read all of them; the other is then finished.
 * Several threads, files or sites each have a query; they are merged in any
 * order, and the noise is drawn once. Rows that were read merge exactly, also
 * those of a person who is in both. Tallies are added; the caller promises that
 * nobody is in two of them.
 *
 * fails  DOSI_EINVAL for other statistics or settings, file-order, ids or
 *        order columns of another type, a statement without its tally, a
 *        tally with rows that were read, and tallies with min-count; also
 *        for the other's CSV without a header. The first query is then
 *        unchanged. DOSI_ENOMEM: neither query can be used any more
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_merge(
    dosi_table_query *into, dosi_table_query *other, dosi_error *err);

/*
 * The self-test of an engine: a statement with public rows of its own, on which
 * engines differ, and the check of the answer.
 *
 * owns   *text, released with dosi_sql_free
 * fails  self_check: DOSI_EUNABLE if an integer differs, naming the first;
 *        DOSI_EINVAL like dosi_table_query_read_tally
 */
DOSI_API DOSI_CHECK dosi_status dosi_sql_self_test(
    char **text, dosi_dialect dialect, dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_sql_self_check(dosi_dialect dialect,
    const char *answer, size_t n, dosi_error *err);

/* Draws the noise, once. owns  *out, released with dosi_release_free */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_finish(
    dosi_release **out, dosi_table_query *query, dosi_error *err);
DOSI_API void dosi_release_free(dosi_release *release); /* accepts NULL */

/*
 * One number of an answer, as exact texts that live as long as the release, or
 * NULL. Names are those of statistics ("sum.income") and of their parts
 * ("mean.income.count"). Control bytes, backslashes and bytes that are not
 * UTF-8 are \xHH in cells. lower and upper cover the noise alone, with the
 * probability of the level; within bounds the distance of the score of a choice
 * (a quantile in rows of rank, a mode in rows) from the best score.
 */
typedef struct dosi_release_row {
    const char *name, *cell, *value, *lower, *upper, *within;
} dosi_release_row;

DOSI_API size_t dosi_release_row_count(const dosi_release *release);
DOSI_API dosi_release_row dosi_release_row_at(
    const dosi_release *release, size_t index);

/* The plan that was run; it lives as long as the release. */
DOSI_API const dosi_plan *dosi_release_plan(const dosi_release *release);

/* The certified epsilon of the plan at a delta; 0: pure. */
typedef struct dosi_release_cost {
    dosi_interval epsilon;
    double delta;
    dosi_neighbours neighbours;
} dosi_release_cost;

DOSI_API dosi_release_cost dosi_release_cost_of(const dosi_release *release);

/* Assumptions that were not checked, one sentence each. */
DOSI_API size_t dosi_release_assumption_count(const dosi_release *release);
DOSI_API const char *dosi_release_assumption_at(
    const dosi_release *release, size_t index);

typedef enum dosi_release_form {
    DOSI_RELEASE_TEXT = 0,
    DOSI_RELEASE_JSON = 1, /* numbers of the answer are strings */
    DOSI_RELEASE_CSV = 2   /* name,cell,value,lower,upper */
} dosi_release_form;

/* Writes the answer into text as dosi_plan_print does. */
DOSI_API DOSI_CHECK dosi_status dosi_release_print(char *text, size_t size,
    size_t *length, const dosi_release *release, dosi_release_form form,
    dosi_error *err);

/* Writes plan, cost and the width of the noise, before any data are read. */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_print(char *text,
    size_t size, size_t *length, const dosi_table_query *query,
    dosi_release_form form, dosi_error *err);

/*
 * For the owner of a file, and nobody else: a query with the setting
 * "not-private" needs no budget and releases nothing; once the file is read
 * it writes how many lines and values are bad, or beyond bounds and limits.
 */
DOSI_API DOSI_CHECK dosi_status dosi_table_query_check(char *text,
    size_t size, size_t *length, dosi_table_query *query,
    dosi_release_form form, dosi_error *err);

/* ---- Training ---------------------------------------------------------- */

/*
 * Per-example gradients, clipped to an integer grid and added exactly.
 * Clipping, sum and noise are guaranteed; the caller is responsible for the sampling of
 * examples, and for gradients that are functions of their example alone, bit
 * for bit.
 */
typedef struct dosi_gradient_sum dosi_gradient_sum;

/* Rows are clipped to the L2 norm clip, on a grid of clip / 2^grid_bits.
 * requires  clip > 0, grid_bits 12 to 30, 0 for 24 */
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_new(dosi_gradient_sum **out,
    size_t dimension, double clip, int grid_bits, dosi_error *err);
DOSI_API void dosi_gradient_sum_free(dosi_gradient_sum *sum);

/* Adds n_rows x dimension numbers, row by row. Rows with NaN or infinities
 * contribute nothing; sums wrap modulo 2^64. */
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_add_f32(
    dosi_gradient_sum *sum, const float *rows, size_t n_rows, dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_add_f64(
    dosi_gradient_sum *sum, const double *rows, size_t n_rows,
    dosi_error *err);

/* Adds rows in pieces: layers[l] holds n_rows x sizes[l] numbers, and a row
 * is the concatenation of its pieces.
 * fails  DOSI_EINVAL if the sizes do not add up to the dimension */
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_add_layers_f32(
    dosi_gradient_sum *sum, const float *const *layers, const size_t *sizes,
    size_t n_layers, size_t n_rows, dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_add_layers_f64(
    dosi_gradient_sum *sum, const double *const *layers, const size_t *sizes,
    size_t n_layers, size_t n_rows, dosi_error *err);

/* Sums of parts of the data, to be added elsewhere. These integers are not
 * private: they have no noise. Taking them empties the sum. */
DOSI_API void dosi_gradient_sum_take_integers(
    int64_t *out, dosi_gradient_sum *sum);
DOSI_API void dosi_gradient_sum_add_integers(
    dosi_gradient_sum *sum, const int64_t *integers);

/* The sum with noise of gaussian(sigma) under add_remove (replace: pass
 * 2 sigma), in the unit of the gradients; the sum is empty afterwards.
 * fails  DOSI_EINVAL, DOSI_EENTROPY, DOSI_ENOMEM; then out is zero and the
 *        sum is unchanged */
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_release(double *out,
    dosi_gradient_sum *sum, double sigma, dosi_error *err);

/* The noisy sum in units of clip / 2^grid_bits, modulo 2^64. */
DOSI_API DOSI_CHECK dosi_status dosi_gradient_sum_release_integers(
    int64_t *out, dosi_gradient_sum *sum, double sigma, dosi_error *err);

/*
 * A training run: NoisySGD or NoisyAdam on records in memory. Settings are
 * the options of `dosimeter train`, one text each, without the dashes:
 * "model softmax", "label digit", "categories digit:0,1", "bounds 0..16",
 * "examples 1437", "batch 256", "steps 150", "clip 1", "learning-rate 2",
 * "epsilon 3", "delta 1e-5".
 *
 * The order of calls is: new, data in any chunks, start, step. Everything
 * about the run is checked in new; afterwards no status or message depends
 * on a record, except for DOSI_ENOMEM.
 *
 * threads  a mutable handle
 */
typedef struct dosi_training dosi_training;
typedef struct dosi_model dosi_model;

/* Initialise with DOSI_TRAINING_OPTIONS_INIT. */
typedef struct dosi_training_options {
    size_t size;
    const char *const *settings;
    size_t n_settings;
    const dosi_options *accounting; /* of calibration and epsilon; NULL: the
                                       defaults. Its relation is not read. */
} dosi_training_options;

#define DOSI_TRAINING_OPTIONS_INIT \
    {sizeof(dosi_training_options), NULL, 0, NULL}

/*
 * owns   *out, released with dosi_training_free
 * fails  DOSI_EINVAL for a setting, DOSI_EUNSUPPORTED for settings without a
 *        theorem, DOSI_EDOMAIN and DOSI_EUNABLE like dosi_calibrate,
 *        DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_training_new(dosi_training **out,
    const dosi_training_options *options, dosi_error *err);
DOSI_API void dosi_training_free(dosi_training *training); /* accepts NULL */

/* The next bytes of a CSV file, in any chunks. fails  DOSI_EINVAL for a
 * header without a column that is read, before any record; DOSI_ENOMEM */
DOSI_API DOSI_CHECK dosi_status dosi_training_read_csv(
    dosi_training *training, const char *bytes, size_t n, dosi_error *err);

/*
 * Rows from arrays, n_rows x n_features numbers. Features are named 1, 2,
 * ... in settings; NaN means missing; a category or class is given by its
 * index. users holds ids if the setting user is given, else it is NULL.
 */
DOSI_API DOSI_CHECK dosi_status dosi_training_add_rows(
    dosi_training *training, const double *features, size_t n_features,
    const double *labels, const int64_t *users, size_t n_rows,
    dosi_error *err);

/*
 * Ends the data. With the setting checkpoint it takes the lock of that file
 * and writes it, or continues it with the setting resume.
 *
 * fails  DOSI_EINVAL for a batch or examples that do not fit the number of
 *        lines (without_replacement, where that is public), a checkpoint of
 *        other settings, one that is damaged, in use, or a copy without the
 *        setting moved; DOSI_EIO; DOSI_ENOMEM; with examples auto also
 *        like dosi_training_new
 */
DOSI_API DOSI_CHECK dosi_status dosi_training_start(
    dosi_training *training, dosi_error *err);

/*
 * Runs n_steps steps, or the remaining ones if they are fewer. With a
 * checkpoint the number of used steps is on disk before the noise of a step is
 * drawn.
 *
 * fails  DOSI_EENTROPY, DOSI_EIO, DOSI_ENOMEM, DOSI_EINVAL before the start;
 *        the parameters are then those of the last complete step, and the
 *        step that failed is used up. After DOSI_EIO no step is made until
 *        dosi_training_save succeeds
 */
DOSI_API DOSI_CHECK dosi_status dosi_training_step(
    dosi_training *training, size_t n_steps, dosi_error *err);

/* Writes the checkpoint now. fails  DOSI_EINVAL without one, DOSI_EIO */
DOSI_API DOSI_CHECK dosi_status dosi_training_save(
    dosi_training *training, dosi_error *err);

/* The public state of a run; pointers live as long as the run. */
typedef struct dosi_training_report {
    size_t n_steps;  /* planned; 0 before they are known */
    size_t n_used;   /* steps whose noise may have been drawn */
    size_t n_updates; /* steps in the parameters: fewer after a resume, if
                         steps were drawn and not kept */
    size_t n_parameters;      /* 0 before the start */
    const double *parameters; /* NULL before the start */
    const dosi_plan *plan;    /* of all steps; NULL before it is known */
    double sigma;             /* of its gaussian */
    double noise_multiplier;  /* standard deviation on the sum / clip */
    double delta;
    dosi_interval epsilon; /* at delta */
    dosi_neighbours neighbours;
    const char *unit; /* "row" or "user" */
    size_t n_assumptions;
    const char *const *assumptions; /* not checked here */
} dosi_training_report;

DOSI_API void dosi_training_state(
    dosi_training_report *out, const dosi_training *training);

/* The model with the current parameters, its plan and its assumptions.
 * owns   *out, released with dosi_model_free
 * fails  DOSI_EINVAL before the start, DOSI_ENOMEM */
DOSI_API DOSI_CHECK dosi_status dosi_training_model(
    dosi_model **out, const dosi_training *training, dosi_error *err);

/*
 * A model from settings (model, label, categories, feature, missing) and its
 * parameters: layer by layer, output by output, weights and then the bias.
 * Immutable. dosi_json_read_model reads both from a model file.
 *
 * owns   *out, released with dosi_model_free
 * fails  DOSI_EINVAL, also for a wrong number of parameters; DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_model_new(dosi_model **out,
    const char *const *settings, size_t n_settings, const double *parameters,
    size_t n_parameters, dosi_error *err);
DOSI_API void dosi_model_free(dosi_model *model); /* accepts NULL */

/* The model file, JSON, as snprintf does; *length receives the length. */
DOSI_API DOSI_CHECK dosi_status dosi_model_print(char *text, size_t size,
    size_t *length, const dosi_model *model, dosi_error *err);

DOSI_API size_t dosi_model_feature_count(const dosi_model *model);
DOSI_API const char *dosi_model_feature(const dosi_model *model, size_t index);
DOSI_API const char *dosi_model_label(const dosi_model *model);

/* Numbers of a prediction: a probability for each class, or one value in the
 * unit of the label, for which there is no class name. */
DOSI_API size_t dosi_model_output_count(const dosi_model *model);
DOSI_API const char *dosi_model_class(const dosi_model *model, size_t index);

/* out has n_rows x outputs; NaN if a feature is missing. Features are in the
 * order of the model. fails  DOSI_EINVAL, DOSI_ENOMEM */
DOSI_API DOSI_CHECK dosi_status dosi_model_predict(double *out,
    const dosi_model *model, const double *features, size_t n_features,
    size_t n_rows, dosi_error *err);

/*
 * A CSV file that a model predicts from; nothing in it is protected. Settings
 * describe its format: "delimiter ;", "decimal ,", "no-header" with
 * "columns 65". Every line after the header is a row.
 */
typedef struct dosi_model_rows dosi_model_rows;

DOSI_API DOSI_CHECK dosi_status dosi_model_rows_new(dosi_model_rows **out,
    const dosi_model *model, int with_labels, const char *const *settings,
    size_t n_settings, dosi_error *err);
DOSI_API void dosi_model_rows_free(dosi_model_rows *rows);
DOSI_API DOSI_CHECK dosi_status dosi_model_rows_read_csv(
    dosi_model_rows *rows, const char *bytes, size_t n, dosi_error *err);

/* Ends the file. fails  DOSI_EINVAL without a header, DOSI_ENOMEM */
DOSI_API DOSI_CHECK dosi_status dosi_model_rows_end(
    size_t *n_rows, dosi_model_rows *rows, dosi_error *err);

/* Predictions by the model that the rows were read for, or a later one of the
 * same run. out has n_rows x outputs; labels, if not NULL, n_rows: the index of
 * the class, or the value, NaN if there is none. */
DOSI_API DOSI_CHECK dosi_status dosi_model_rows_predict(double *out,
    double *labels, const dosi_model *model, const dosi_model_rows *rows,
    dosi_error *err);

#ifdef __cplusplus
}
#endif

#endif
