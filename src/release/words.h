/*
 * Secret random words for the length of one public call: a key of the
 * system's, expanded by ChaCha20 with fast key erasure. docs/theory/release.md
 * section 2. Only words_open draws from the system; everything below it takes
 * a struct words, which tests fill from a tape of their own.
 */
#ifndef DOSI_RELEASE_WORDS_H
#define DOSI_RELEASE_WORDS_H

#include "dosimeter/release.h"

#include <stdbool.h>

#define WORDS_BLOCK 2048 /* in one block; the first one is shorter */

struct words {
    uint64_t block[WORDS_BLOCK];
    size_t next, end;                /* words [next, end) are unused */
    void (*refill)(struct words *w); /* sets next and end; clears failed words */
    unsigned char key[32];
    void *context; /* of a tape */
    bool failed;   /* a tape ended: words are zero, nothing may be released */
};

/* Keyed from the system. fails  DOSI_EENTROPY. Closed in any case. */
dosi_status words_open(struct words *w, dosi_error *err);

/* Wipes all of it. */
void words_close(struct words *w);

/* DOSI_OK, or DOSI_EENTROPY when a word was missing: asked once, after the
 * last draw and before anything is handed out. */
dosi_status words_check(const struct words *w, dosi_error *err);

static inline uint64_t words_next(struct words *w)
{
    if (w->next == w->end)
        w->refill(w);
    uint64_t word = w->block[w->next];
    w->block[w->next++] = 0;
    return word;
}

#endif
