/*
 * Randomness of the system, once a public call: 64 bytes, of which the first
 * half becomes the key. The second half is read for a check of health only: a
 * source that is stuck returns equal halves or zeros.
 */
#include "words.h"

#include <errno.h>

#include <sodium.h>
#ifdef __linux__
#include <sys/random.h>
#else
#include <unistd.h>
#endif

#include "base/error.h"

#define SEED_BYTES 64

/* True if all of the seed was read. An interrupted read is repeated. */
static bool read_system(unsigned char seed[SEED_BYTES])
{
#ifdef __linux__
    ssize_t got;
    do
        got = getrandom(seed, SEED_BYTES, 0);
    while (got < 0 && errno == EINTR);
    return got == SEED_BYTES;
#else
    int got;
    do
        got = getentropy(seed, SEED_BYTES);
    while (got != 0 && errno == EINTR);
    return got == 0;
#endif
}

static bool is_healthy(const unsigned char seed[SEED_BYTES])
{
    const size_t half = SEED_BYTES / 2;
    return sodium_memcmp(seed, seed + half, half) != 0 &&
        sodium_is_zero(seed, half) == 0 &&
        sodium_is_zero(seed + half, half) == 0;
}

dosi_status words_open(struct words *w, dosi_error *err)
{
    unsigned char seed[SEED_BYTES] = {0};
    dosi_status status = DOSI_OK;
    if (sodium_init() < 0 || !read_system(seed) || !is_healthy(seed))
        status = dosi_fail(err, DOSI_EENTROPY,
            "the system provided no randomness: nothing is released");
    if (status == DOSI_OK)
        words_expand(w, seed);
    else
        words_close(w);
    sodium_memzero(seed, sizeof seed);
    return status;
}

const char *words_warning(void)
{
    return NULL;
}
