/*
 * Plans of Poisson-sampled Gaussian noise, and noise beside it, with their
 * parts, for the tests of classes of jumps.
 */
#ifndef DOSI_TESTS_SUPPORT_JUMP_PLANS_H
#define DOSI_TESTS_SUPPORT_JUMP_PLANS_H

#include <cmocka.h>

#include "repr/spectral_jumps.h"
#include "repr/spectral_jumps_line.h"

static inline loss jumps_of(double q, double mu, double count)
{
    return (loss){.noise = LOSS_GAUSSIAN, .map = LOSS_REMOVE,
        .parameter = ball_of(mu), .rate = ball_of(q), .count = count};
}

#define BENCH_PARTS 8 /* of which some are not sampled */

static inline loss noise_of(double mu, double count)
{
    return (loss){.noise = LOSS_GAUSSIAN, .map = LOSS_PLAIN,
        .parameter = ball_of(mu), .rate = ball_of(0), .count = count};
}

typedef struct bench {
    loss laws[BENCH_PARTS];
    spectral_part items[BENCH_PARTS];
    spectral_parts parts;
} bench;

static inline void bench_open(bench *b, const loss *laws, size_t n)
{
    b->parts = (spectral_parts){n, b->items, NULL};
    for (size_t i = 0; i < n; i++) {
        b->laws[i] = laws[i];
        assert_true(spectral_part_init(&b->items[i], &b->laws[i]));
    }
    assert_true(spectral_can_jump(&b->parts));
}

static inline void bench_close(bench *b)
{
    for (size_t i = 0; i < b->parts.n; i++)
        spectral_part_free(&b->items[i]);
}

static inline spectral_jumps *bench_build(
    const bench *b, double epsilon, double log_delta)
{
    spectral_jumps *j = NULL;
    assert_int_equal(spectral_jumps_new(&j, &b->parts, epsilon, log_delta,
                         0, 1e9, NULL, NULL),
        DOSI_OK);
    return j;
}

/* Roughly epsilon. */
static inline double bench_guess(const bench *b, double log_delta)
{
    return spectral_jumps_guess(&b->parts, log_delta);
}

#endif
