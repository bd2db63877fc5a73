#include "tape.h"

#include <string.h>

#include <sodium.h>

/* One word at a time, so that `used` counts those that were asked for. */
static void refill_list(struct words *w)
{
    struct tape *tape = w->context;
    bool is_over = tape->used == tape->n;
    w->failed = w->failed || is_over;
    w->block[0] = is_over ? 0 : tape->words[tape->used++];
    w->next = 0;
    w->end = 1;
}

void tape_of_list(struct words *w, struct tape *tape)
{
    memset(w, 0, sizeof *w);
    tape->used = 0;
    w->refill = refill_list;
    w->context = tape;
}

void tape_of_key(struct words *w, uint64_t number)
{
    unsigned char key[32] = {0};
    if (sodium_init() < 0)
        w->failed = true;
    for (size_t i = 0; i < sizeof number; i++)
        key[i] = (unsigned char)(number >> (8 * i));
    words_expand(w, key);
}
