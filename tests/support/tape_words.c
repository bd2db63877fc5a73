/*
 * words_open for programs of the tests, in place of src/release/entropy/words_system.c:
 * the n-th call of a process gets the stream of the key DOSI_TAPE + n, or of
 * n alone if there is no such variable. What such a program writes says that
 * it is not private.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "tape.h"

dosi_status words_open(struct words *w, dosi_error *err)
{
    static atomic_ullong calls;
    const char *text = getenv("DOSI_TAPE");
    uint64_t first = text != NULL ? strtoull(text, NULL, 0) : 0;
    (void)err;
    tape_of_key(w, first + atomic_fetch_add(&calls, 1));
    return DOSI_OK;
}

const char *words_warning(void)
{
    return "INSECURE TEST NOISE";
}
