/*
 * Training: exact clipping and addition of gradients, per coordinate, against
 * plain doubles; and a whole step of the MLP 64-32-10 at an expected batch of
 * 256, coins and noise included. Shortest of several runs.
 *
 * usage: bench_train [json]
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dosimeter/release.h"
#include "release/train/clip.h"

#define ROUNDS 15

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* ---- Clip and sum ----------------------------------------------------------
 */

/* What clipping in doubles does: norm, then a scaled sum. */
CLIP_WIDE static void plain_add(
    double *sum, const double *g, size_t n, double clip)
{
    double norm = sqrt(clip_squares(g, n));
    double f = norm > clip ? clip / norm : 1;
    for (size_t j = 0; j < n; j++)
        sum[j] += f * g[j];
}

static void bench_clip(size_t n)
{
    size_t n_rows = 4000000 / n + 1;
    double *rows = malloc(4 * n * sizeof *rows);
    double *plain = calloc(n, sizeof *plain);
    double best = HUGE_VAL, best_plain = HUGE_VAL;
    dosi_gradient_sum *sum = NULL;
    dosi_error err;
    uint64_t state = 1;

    if (rows == NULL || plain == NULL ||
        dosi_gradient_sum_new(&sum, n, 1, 0, &err) != DOSI_OK)
        exit(1);
    for (size_t j = 0; j < 4 * n; j++)
        rows[j] = uniform(&state) - 0.5;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (size_t i = 0; i < n_rows; i++)
            if (dosi_gradient_sum_add_f64(
                    sum, rows + i % 4 * n, 1, &err) != DOSI_OK)
                exit(1);
        double middle = now_ns();
        for (size_t i = 0; i < n_rows; i++)
            plain_add(plain, rows + i % 4 * n, n, 1);
        double end = now_ns();
        best = fmin(best, (middle - start) / (double)(n * n_rows));
        best_plain = fmin(best_plain, (end - middle) / (double)(n * n_rows));
    }
    printf("clip and sum, d = %-8zu %.2f ns a coordinate, plain doubles %.2f\n",
        n, best, best_plain);
    dosi_gradient_sum_free(sum);
    free(rows);
    free(plain);
}

/* ---- A step ----------------------------------------------------------------
 */

static const char *const settings[] = {"model mlp:32", "label y",
    "categories y:0,1,2,3,4,5,6,7,8,9", "bounds 0..16", "examples 1437",
    "batch 256", "steps 100000000", "clip 1", "learning-rate 1e-6",
    "noise 100", "delta 1e-5"};

static double step_ms(void)
{
    enum { ROWS = 1437, FEATURES = 64, STEPS = 20 };
    static double x[ROWS * FEATURES], y[ROWS];
    dosi_training_options options = DOSI_TRAINING_OPTIONS_INIT;
    dosi_training *t = NULL;
    dosi_error err;
    uint64_t state = 2;
    double best = HUGE_VAL;

    for (size_t i = 0; i < ROWS * FEATURES; i++)
        x[i] = floor(17 * uniform(&state));
    for (size_t i = 0; i < ROWS; i++)
        y[i] = floor(10 * uniform(&state));
    options.settings = settings;
    options.n_settings = sizeof settings / sizeof *settings;
    if (dosi_training_new(&t, &options, &err) != DOSI_OK ||
        dosi_training_add_rows(t, x, FEATURES, y, NULL, ROWS, &err) !=
            DOSI_OK ||
        dosi_training_start(t, &err) != DOSI_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        if (dosi_training_step(t, STEPS, &err) != DOSI_OK)
            exit(1);
        best = fmin(best, (now_ns() - start) / STEPS);
    }
    dosi_training_free(t);
    return best / 1e6;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "json") == 0) {
        printf("{\"step_ms\":%.6f}\n", step_ms());
        return 0;
    }
    bench_clip(650);
    bench_clip(2410);
    bench_clip(100000);
    bench_clip(1000000);
    printf("step of the MLP 64-32-10, batch 256: %.3f ms\n", step_ms());
    return 0;
}
