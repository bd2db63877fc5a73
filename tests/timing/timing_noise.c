/*
 * Draws from words that valgrind takes for undefined, so that it reports each
 * branch and each address that depends on them. With the argument `fast` the
 * draws are the fast ones, as a control: these must be reported. What is left
 * out, as tests/timing/marks.h says: the place in the table, whether any
 * proposal is open, and which proposals are accepted.
 */
#include <stdio.h>
#include <string.h>

#include <valgrind/memcheck.h>

#include "release/noise_modes.h"

/* splitmix64 (Steele, Lea, Flood 2014): no need of secrets here */
static void refill_secret(struct words *w)
{
    static uint64_t state = 1;
    for (size_t i = 0; i < WORDS_BLOCK; i++) {
        uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        w->block[i] = z ^ (z >> 31);
    }
    w->next = 0;
    w->end = WORDS_BLOCK;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(w->block, sizeof w->block);
}

int main(int argc, char **argv)
{
    static const struct {
        dosi_noise_law law;
        double scale;
    } cases[] = {
        {DOSI_NOISE_ROUND_GAUSSIAN, 1181116006.4},
        {DOSI_NOISE_ROUND_GAUSSIAN, 0.3},
        {DOSI_NOISE_ROUND_LAPLACE, 0x1p50},
        {DOSI_NOISE_DISCRETE_GAUSSIAN, 0.3},
        {DOSI_NOISE_DISCRETE_GAUSSIAN, 0x1p40},
        {DOSI_NOISE_DISCRETE_LAPLACE, 2.5},
        {DOSI_NOISE_DISCRETE_LAPLACE, 1000},
    };
    static struct words w = {.refill = refill_secret};
    static int64_t out[2000];
    int is_fast = argc > 1 && strcmp(argv[1], "fast") == 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bricks b;
        if (bricks_make(&b, cases[i].law, cases[i].scale, NULL, NULL) !=
            DOSI_OK)
            return 4;
        bool is_decided = is_fast ? noise_draw_fast(out, 2000, &b, &w)
                                  : noise_draw_constant(out, 2000, &b, &w);
        if (!is_decided)
            return 4;
        /* the draws are secret, too */
        if (RUNNING_ON_VALGRIND &&
            VALGRIND_CHECK_MEM_IS_DEFINED(out, sizeof out) == 0)
            return 5;
        bricks_free(&b);
    }
    return 0;
}
