/*
 * The expansion of a key into words by ChaCha20 with fast key erasure: the
 * first bytes of every block of the stream replace the key before a word of
 * it is handed out, so no word can be computed again from what is in memory.
 * docs/theory/release.md, section 2.
 */
#include "words.h"

#include <string.h>

#include <sodium.h>

#include "base/error.h"

#define KEY_WORDS 4
#define FIRST_WORDS 64 /* 512 bytes */

_Static_assert(sizeof((struct words){0}.key) == KEY_WORDS * sizeof(uint64_t) &&
        crypto_stream_chacha20_KEYBYTES == KEY_WORDS * sizeof(uint64_t),
    "the key is as long as ChaCha20's");

/* A block of n words. The key is used once, so the nonce may be 0. */
static void fill_block(struct words *w, size_t n)
{
    static const unsigned char nonce[crypto_stream_chacha20_NONCEBYTES] = {0};
    if (crypto_stream_chacha20((unsigned char *)w->block, n * sizeof(uint64_t),
            nonce, w->key) != 0)
        w->failed = true;
    memcpy(w->key, w->block, sizeof w->key);
    sodium_memzero(w->block, sizeof w->key);
    w->next = KEY_WORDS;
    w->end = n;
}

static void refill_long(struct words *w)
{
    fill_block(w, WORDS_BLOCK);
}

void words_expand(struct words *w, const unsigned char key[32])
{
    w->refill = refill_long;
    w->context = NULL;
    w->failed = false;
    memcpy(w->key, key, sizeof w->key);
    fill_block(w, FIRST_WORDS);
}

void words_close(struct words *w)
{
    sodium_memzero(w, sizeof *w);
}

dosi_status words_check(const struct words *w, dosi_error *err)
{
    if (w->failed)
        return dosi_fail(err, DOSI_EENTROPY,
            "randomness ran out before the last draw: nothing is released");
    return DOSI_OK;
}
