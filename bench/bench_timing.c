/*
 * Does the time of a proposal that is accepted tell what was drawn? Welch's t
 * between the times of those with a large and a small |k|, of both signs, and
 * by each of the top 8 bits of the position in the piece and of V (the largest
 * |t| of the 8; 2.7 is usual where there is nothing). Constant mode, and
 * controls whose time does tell: fast mode, a plain CKS20 sampler, and
 * constant mode with doubles made from unsigned words. Several runs each, all
 * of them printed. Times beyond the 99th percentile (interrupts) are left out
 * by a common limit. Prints; asserts nothing: noise of the machine decides
 * too.
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plain_noise.h"
#include "release/noise_modes.h"

#define DRAWS 200000
#define RUNS 5

typedef bool propose(size_t *n_kept, int64_t *kept, size_t n,
    const struct bricks *b, struct words *w);

propose control_propose_constant; /* in timing_control.c */

static uint64_t ticks(void)
{
#if defined(__x86_64__)
    unsigned low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence"
                     : "=a"(low), "=d"(high)
                     :
                     : "memory");
    return (uint64_t)high << 32 | low;
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
#endif
}

/* ---- Draws --------------------------------------------------------------- */

static double elapsed[DRAWS];
static int64_t value[DRAWS];
static int position[DRAWS], height[DRAWS]; /* top 8 bits; -1: unknown */

struct sampler {
    const char *name;
    const dosi_noise *noise; /* NULL: a plain sampler of the scale */
    propose *run;
    int64_t (*plain)(struct words *w, uint64_t scale);
    uint64_t scale;
};

static int top_bits(uint64_t word)
{
    return (int)(word >> 56);
}

/* One proposal that is accepted: those before it are not measured. The first
 * word is the upper one of U, the last one V if a second one was taken. */
static void measure_proposal(
    size_t i, const struct sampler *s, struct words *w)
{
    const struct bricks *b = &s->noise->bricks;
    size_t n_kept = 0;
    do {
        size_t first = w->next;
        uint64_t words[3];
        memcpy(words, w->block + first, sizeof words);
        uint64_t start = ticks();
        bool is_decided = s->run(&n_kept, &value[i], 1, b, w);
        elapsed[i] = (double)(ticks() - start);
        if (!is_decided)
            exit(4);
        size_t n_words = w->next - first;
        position[i] = top_bits(words[0] * 2 * b->n_pieces);
        height[i] = n_words == 2 || n_words == 3
            ? top_bits(words[n_words - 1])
            : -1;
    } while (n_kept == 0);
}

/* No refill falls within the measured part: 200 words are more than enough,
 * nearly always. */
static void measure(const struct sampler *s, struct words *w)
{
    for (size_t i = 0; i < DRAWS; i++) {
        if (w->end - w->next < 200)
            w->next = w->end;
        if (w->next == w->end)
            w->refill(w);
        if (s->noise != NULL) {
            measure_proposal(i, s, w);
            continue;
        }
        uint64_t start = ticks();
        value[i] = s->plain(w, s->scale);
        elapsed[i] = (double)(ticks() - start);
    }
}

/* ---- Welch's t ----------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *x, double q)
{
    static double sorted[DRAWS];
    memcpy(sorted, x, sizeof sorted);
    qsort(sorted, DRAWS, sizeof(double), by_size);
    return sorted[(size_t)(q * (DRAWS - 1))];
}

/* class[i] is 0 or 1; others are left out. */
static double welch(const int *class, double limit)
{
    double n[2] = {0, 0}, sum[2] = {0, 0}, square[2] = {0, 0};
    for (size_t i = 0; i < DRAWS; i++) {
        int c = class[i];
        if (elapsed[i] > limit || c < 0)
            continue;
        n[c]++;
        sum[c] += elapsed[i];
        square[c] += elapsed[i] * elapsed[i];
    }
    double mean[2], error = 0;
    for (int c = 0; c < 2; c++) {
        mean[c] = sum[c] / n[c];
        error += (square[c] / n[c] - mean[c] * mean[c]) / n[c];
    }
    return (mean[1] - mean[0]) / sqrt(error);
}

static int class[DRAWS];

static double welch_size(double limit)
{
    static double size[DRAWS];
    for (size_t i = 0; i < DRAWS; i++)
        size[i] = fabs((double)value[i]);
    double middle = quantile(size, 0.5);
    for (size_t i = 0; i < DRAWS; i++)
        class[i] = size[i] > middle;
    return welch(class, limit);
}

static double welch_sign(double limit)
{
    for (size_t i = 0; i < DRAWS; i++)
        class[i] = value[i] < 0;
    return welch(class, limit);
}

/* The t that is farthest from 0 among those of the 8 bits. */
static double welch_bits(const int *bits, double limit)
{
    double most = 0;
    for (int bit = 0; bit < 8; bit++) {
        for (size_t i = 0; i < DRAWS; i++)
            class[i] = bits[i] < 0 ? -1 : bits[i] >> bit & 1;
        double t = welch(class, limit);
        most = fabs(t) > fabs(most) ? t : most;
    }
    return most;
}

/* ---- Report -------------------------------------------------------------- */

static void print_runs(const char *name, const double t[RUNS])
{
    printf("    %-9s", name);
    for (int run = 0; run < RUNS; run++)
        printf(" %6.1f", t[run]);
    printf("\n");
}

static void report(const struct sampler *s, struct words *w)
{
    double size[RUNS], sign[RUNS], place[RUNS], v[RUNS];
    for (int run = 0; run < RUNS; run++) {
        measure(s, w);
        double limit = quantile(elapsed, 0.99);
        size[run] = welch_size(limit);
        sign[run] = welch_sign(limit);
        if (s->noise != NULL) {
            place[run] = welch_bits(position, limit);
            v[run] = welch_bits(height, limit);
        }
    }
    printf("%s\n", s->name);
    print_runs("|k|", size);
    print_runs("sign", sign);
    if (s->noise != NULL) {
        print_runs("position", place);
        print_runs("V", v);
    }
}

static dosi_noise *noise_of(dosi_noise_law law, double scale)
{
    dosi_noise *noise;
    if (dosi_noise_new(&noise, law, scale, DOSI_TIMING_CONSTANT, NULL) !=
        DOSI_OK)
        exit(4);
    return noise;
}

int main(void)
{
    static struct words w;
    if (words_open(&w, NULL) != DOSI_OK)
        return 4;
    dosi_noise *round = noise_of(DOSI_NOISE_ROUND_GAUSSIAN, 0x1.1p30);
    dosi_noise *gaussian = noise_of(DOSI_NOISE_DISCRETE_GAUSSIAN, 10);
    dosi_noise *laplace = noise_of(DOSI_NOISE_DISCRETE_LAPLACE, 10);
    const struct sampler samplers[] = {
        {"constant rounded Gaussian 2^30", round, noise_propose_constant, NULL,
            0},
        {"constant discrete Gaussian 10", gaussian, noise_propose_constant,
            NULL, 0},
        {"constant discrete Laplace 10", laplace, noise_propose_constant, NULL,
            0},
        {"control: fast rounded Gaussian 2^30", round, noise_propose_fast, NULL,
            0},
        {"control: CKS20 discrete Gaussian 10", NULL, NULL, plain_gaussian, 10},
        {"control: CKS20 discrete Laplace 10", NULL, NULL, plain_laplace, 10},
        {"control: doubles from unsigned words, rounded Gaussian 2^30", round,
            control_propose_constant, NULL, 0},
    };
    printf("Welch's t of the time of an accepted proposal, %d runs of %d\n",
        RUNS, DRAWS);
    for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++)
        report(&samplers[i], &w);
    dosi_noise_free(round);
    dosi_noise_free(gaussian);
    dosi_noise_free(laplace);
    words_close(&w);
    return 0;
}
