/*
 * Million draws a second of exact integer noise against samplers in doubles
 * (which are not private) and a plain port of the discrete Gaussian and
 * Laplace samplers of Canonne, Kamath and Steinke [CKS20]. All take their
 * words from one ChaCha20 stream. Rounds of all samplers are interleaved, the
 * time is that of the thread, and the median round counts. Prints ratios;
 * asserts nothing.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plain_noise.h"
#include "release/noise.h"
#include "release/entropy/words.h"

#define ROUNDS 31
#define DRAWS 16384
#define SAMPLERS 21

static struct words source;
static int64_t integers[DRAWS];
static double reals[DRAWS];
static volatile double sink;

static void run_plain_gaussian(const void *sigma)
{
    for (int i = 0; i < DRAWS; i++)
        integers[i] = plain_gaussian(&source, *(const uint64_t *)sigma);
}

static void run_plain_laplace(const void *t)
{
    for (int i = 0; i < DRAWS; i++)
        integers[i] = plain_laplace(&source, *(const uint64_t *)t);
}

/* ---- Doubles ----------------------------------------------------------- */

static double unit(uint64_t word)
{
    return ((double)(int64_t)(word >> 11) + 0.5) * 0x1p-53;
}

static void run_box_muller(const void *unused)
{
    (void)unused;
    for (int i = 0; i < DRAWS; i += 2) {
        double r = sqrt(-2 * log(unit(words_next(&source))));
        double angle = 6.283185307179586 * unit(words_next(&source));
        reals[i] = r * cos(angle);
        reals[i + 1] = r * sin(angle);
    }
}

/* Marsaglia and Tsang's layers: 256 of one area. */
#define LAYERS 256
static double layer_x[LAYERS + 1], layer_y[LAYERS + 1];

static void make_layers(void)
{
    const double r = 3.6541528853610088, area = 0.00492867323399;
    layer_x[0] = area * exp(r * r / 2);
    layer_x[1] = r;
    for (int i = 2; i < LAYERS; i++) {
        double x = layer_x[i - 1];
        layer_x[i] = sqrt(-2 * log(area / x + exp(-x * x / 2)));
    }
    layer_x[LAYERS] = 0;
    for (int i = 0; i <= LAYERS; i++)
        layer_y[i] = exp(-layer_x[i] * layer_x[i] / 2);
}

static double draw_ziggurat(void)
{
    const double r = 3.6541528853610088;
    for (;;) {
        uint64_t word = words_next(&source);
        int i = (int)(word & (LAYERS - 1));
        double sign = word & LAYERS ? -1 : 1;
        double x = unit(word) * layer_x[i];
        if (x < layer_x[i + 1])
            return sign * x;
        if (i == 0) {
            double y;
            do {
                x = -log(unit(words_next(&source))) / r;
                y = -log(unit(words_next(&source)));
            } while (2 * y < x * x);
            return sign * (r + x);
        }
        if (layer_y[i] + unit(words_next(&source)) *
                    (layer_y[i + 1] - layer_y[i]) <
            exp(-x * x / 2))
            return sign * x;
    }
}

static void run_ziggurat(const void *unused)
{
    (void)unused;
    for (int i = 0; i < DRAWS; i++)
        reals[i] = draw_ziggurat();
}

/* ---- Ours -------------------------------------------------------------- */

static void run_noise(const void *noise)
{
    if (noise_draw(integers, DRAWS, noise, &source, NULL) != DOSI_OK)
        exit(4);
}

static const dosi_noise *noise_of(
    dosi_noise_law law, double scale, dosi_timing timing)
{
    dosi_noise *noise;
    if (dosi_noise_new(&noise, law, scale, timing, NULL) != DOSI_OK)
        exit(4);
    return noise;
}

/* ---- Rounds ------------------------------------------------------------ */

struct sampler {
    const char *name;
    void (*run)(const void *argument);
    const void *argument;
    size_t plain; /* the sampler of [CKS20] that it is compared with */
};

static double seconds[SAMPLERS][ROUNDS], median[SAMPLERS];

static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_rounds(const struct sampler *samplers, size_t n)
{
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < n; i++) {
            double start = thread_seconds();
            samplers[i].run(samplers[i].argument);
            sink = reals[round] + (double)integers[round];
            seconds[i][round] = thread_seconds() - start;
        }
    for (size_t i = 0; i < n; i++) {
        qsort(seconds[i], ROUNDS, sizeof(double), by_size);
        median[i] = seconds[i][ROUNDS / 2];
    }
}

/* A public call for one draw: entropy of the system, a block, and wiping. */
static void time_scalar(const char *name, const dosi_noise *noise)
{
    double times[ROUNDS];
    const int calls = 1000;
    for (int round = 0; round < ROUNDS; round++) {
        double start = thread_seconds();
        for (int i = 0; i < calls; i++)
            if (dosi_noise_draw(integers, 1, noise, NULL) != DOSI_OK)
                exit(4);
        times[round] = (thread_seconds() - start) / calls;
    }
    qsort(times, ROUNDS, sizeof(double), by_size);
    printf("%-40s %8.2f us\n", name, 1e6 * times[ROUNDS / 2]);
}

static void time_new(const char *name, dosi_noise_law law, double scale)
{
    double start = thread_seconds();
    for (int i = 0; i < 20; i++) {
        dosi_noise *noise;
        if (dosi_noise_new(&noise, law, scale, DOSI_TIMING_FAST, NULL) !=
            DOSI_OK)
            exit(4);
        dosi_noise_free(noise);
    }
    printf("%-40s %8.2f us\n", name, 5e4 * (thread_seconds() - start));
}

int main(void)
{
    const dosi_noise_law dg = DOSI_NOISE_DISCRETE_GAUSSIAN;
    const dosi_noise_law dl = DOSI_NOISE_DISCRETE_LAPLACE;
    const dosi_noise_law rg = DOSI_NOISE_ROUND_GAUSSIAN;
    const dosi_noise_law rl = DOSI_NOISE_ROUND_LAPLACE;
    const dosi_timing fast = DOSI_TIMING_FAST, safe = DOSI_TIMING_CONSTANT;
    static const uint64_t one = 1, ten = 10, thousand = 1000;
    const double large = 1181116006.4; /* 1.1 * 2^30 */
    const struct sampler samplers[SAMPLERS] = {
        {"CKS20 discrete Gaussian 1", run_plain_gaussian, &one, 0},
        {"CKS20 discrete Gaussian 10", run_plain_gaussian, &ten, 1},
        {"CKS20 discrete Gaussian 1000", run_plain_gaussian, &thousand, 2},
        {"CKS20 discrete Laplace 10", run_plain_laplace, &ten, 3},
        {"CKS20 discrete Laplace 1000", run_plain_laplace, &thousand, 4},
        {"Box-Muller in doubles", run_box_muller, NULL, 2},
        {"ziggurat in doubles", run_ziggurat, NULL, 2},
        {"discrete Gaussian 1", run_noise, noise_of(dg, 1, fast), 0},
        {"discrete Gaussian 10", run_noise, noise_of(dg, 10, fast), 1},
        {"discrete Gaussian 1000", run_noise, noise_of(dg, 1000, fast), 2},
        {"discrete Laplace 10", run_noise, noise_of(dl, 10, fast), 3},
        {"discrete Laplace 1000", run_noise, noise_of(dl, 1000, fast), 4},
        {"rounded Gaussian 4", run_noise, noise_of(rg, 4, fast), 1},
        {"rounded Gaussian 2^30", run_noise, noise_of(rg, large, fast), 2},
        {"rounded Laplace 2^30", run_noise, noise_of(rl, large, fast), 4},
        {"constant discrete Gaussian 1", run_noise, noise_of(dg, 1, safe), 0},
        {"constant discrete Gaussian 10", run_noise, noise_of(dg, 10, safe),
            1},
        {"constant discrete Gaussian 1000", run_noise,
            noise_of(dg, 1000, safe), 2},
        {"constant discrete Laplace 1000", run_noise,
            noise_of(dl, 1000, safe), 4},
        {"constant rounded Gaussian 2^30", run_noise,
            noise_of(rg, large, safe), 2},
        {"constant rounded Laplace 2^30", run_noise,
            noise_of(rl, large, safe), 4},
    };
    const size_t n = SAMPLERS, box_muller = 5;
    if (words_open(&source, NULL) != DOSI_OK)
        return 4;
    make_layers();
    run_rounds(samplers, n);
    printf("%-40s %8s %8s %8s\n", "sampler", "M/s", "x CKS20", "x BoxM");
    for (size_t i = 0; i < n; i++)
        printf("%-40s %8.1f %8.2f %8.2f\n", samplers[i].name,
            DRAWS * 1e-6 / median[i],
            median[samplers[i].plain] / median[i],
            median[box_muller] / median[i]);
    time_scalar("one call, constant", samplers[n - 2].argument);
    time_scalar("one call, fast", samplers[13].argument);
    time_new("new rounded Gaussian", rg, large);
    time_new("new discrete Laplace 31.9", dl, 31.9);
    words_close(&source);
    return 0;
}
