/*
 * Words that a test knows: a list of words, or the ChaCha20 stream of a key.
 * They are in the tests only; no library has them.
 */
#ifndef DOSI_TESTS_SUPPORT_TAPE_H
#define DOSI_TESTS_SUPPORT_TAPE_H

#include "release/entropy/words.h"

/* The n words in turn, which the caller keeps; after them the words are zero
 * and words_check fails. */
struct tape {
    const uint64_t *words;
    size_t n;
    size_t used;
};
void tape_of_list(struct words *w, struct tape *tape);

/* The stream of the key (number, 0, 0, 0). */
void tape_of_key(struct words *w, uint64_t number);

#endif
