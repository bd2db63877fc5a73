/*
 * A choice whose words and distances valgrind takes for undefined: it reports
 * every jump that depends on them. check_undefined.py counts these.
 *
 * usage: undefined_choice exponential|flip
 */
#include <stdio.h>
#include <string.h>

#include <valgrind/memcheck.h>

#include "release/choice.h"
#include "support/tape.h"

#define N 1500

int main(int argc, char **argv)
{
    static struct words w;
    static int64_t distances[N];
    size_t chosen = 0;
    bool is_flip = argc > 1 && strcmp(argv[1], "flip") == 0;

    tape_of_key(&w, 1);
    while (w.end != WORDS_BLOCK) /* a whole block, so that none is refilled */
        (void)words_next(&w);
    for (int i = 0; i < N; i++) /* 4000: a weight of 0 */
        distances[i] = i % 37 == 36 ? 4000 : i % 37;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(w.block, sizeof w.block);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(distances, sizeof distances);
    dosi_status status = choice_draw(
        &chosen, distances, N, 0.1, 1, false, is_flip, &w, NULL);
    (void)VALGRIND_MAKE_MEM_DEFINED(&chosen, sizeof chosen);
    (void)VALGRIND_MAKE_MEM_DEFINED(&status, sizeof status);
    printf("%zu\n", chosen);
    return status != DOSI_OK;
}
