/*
 * Secret random words for the length of one public call: a key of the
 * system's, expanded by ChaCha20 with fast key erasure. docs/theory/release.md
 * section 2. Only words_open draws from the system; everything below it takes
 * a struct words, which tests fill from a tape of their own. words_open and
 * words_warning are in words_system.c alone, so that a program of the tests
 * can be linked with others in their place (tests/support/tape_words.c).
 */
#ifndef DOSI_RELEASE_ENTROPY_WORDS_H
#define DOSI_RELEASE_ENTROPY_WORDS_H

#include "dosimeter/release.h"

#include <stdbool.h>
#include <string.h>

#define WORDS_BLOCK 2048 /* in one block; the first one is shorter */

struct words {
    uint64_t block[WORDS_BLOCK];
    size_t next, end;                /* words [next, end) are unused */
    void (*refill)(struct words *w); /* sets next and end, or failed */
    unsigned char key[32];
    void *context; /* of a tape */
    bool failed;   /* a tape ended: words are zero, nothing may be released */
};

/* Keyed from the system. fails  DOSI_EENTROPY; then *w holds zeros and needs
 * no words_close. */
dosi_status words_open(struct words *w, dosi_error *err);

/* NULL, or the line that a program with predictable words has to write into
 * every output. */
const char *words_warning(void);

/* Starts the expansion of a key. The first block is short, for callers that
 * need few words. */
void words_expand(struct words *w, const unsigned char key[32]);

/* Wipes all of it. */
void words_close(struct words *w);

/* DOSI_OK, or DOSI_EENTROPY if a word was missing: asked once, after the
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

/* n words at once. */
static inline void words_take(uint64_t *out, size_t n, struct words *w)
{
    while (n > 0) {
        if (w->next == w->end)
            w->refill(w);
        size_t left = w->end - w->next, part = n < left ? n : left;
        memcpy(out, w->block + w->next, part * sizeof *out);
        memset(w->block + w->next, 0, part * sizeof *out);
        w->next += part;
        out += part;
        n -= part;
    }
}

#endif
