/* Words: the stream against libsodium's own, keys that are erased, words that
 * are overwritten, and a system that fails. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>
#include <sodium.h>

#include "support/tape.h"

/* ---- A system that fails ----------------------------------------------- */

enum fault { WELL, ERROR, SHORT, ZERO, EQUAL, HALF_ZERO };
static enum fault system_is;
static int interruptions; /* before it answers */
static int asked;

ssize_t __real_getrandom(void *buffer, size_t n, unsigned flags);
ssize_t __wrap_getrandom(void *buffer, size_t n, unsigned flags);

ssize_t __wrap_getrandom(void *buffer, size_t n, unsigned flags)
{
    asked++;
    if (interruptions > 0) {
        interruptions--;
        errno = EINTR;
        return -1;
    }
    assert_int_equal(n, 64);
    assert_int_equal(flags, 0);
    ssize_t got = __real_getrandom(buffer, n, flags);
    switch (system_is) {
    case WELL:
        break;
    case ERROR:
        errno = ENOSYS;
        return -1;
    case SHORT:
        return 63;
    case ZERO:
        memset(buffer, 0, n);
        break;
    case EQUAL:
        memcpy((char *)buffer + 32, buffer, 32);
        break;
    case HALF_ZERO:
        memset((char *)buffer + 32, 0, 32);
        break;
    }
    return got;
}

static void test_failures(void **state)
{
    static const enum fault failures[] = {ERROR, SHORT, ZERO, EQUAL, HALF_ZERO};
    struct words w;
    dosi_error err;
    (void)state;
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        memset(&w, 0x55, sizeof w);
        system_is = failures[i];
        assert_int_equal(words_open(&w, &err), DOSI_EENTROPY);
        assert_int_equal(err.status, DOSI_EENTROPY);
        assert_true(sodium_is_zero((unsigned char *)&w, sizeof w));
    }
    system_is = WELL;
    interruptions = 3;
    asked = 0;
    assert_int_equal(words_open(&w, &err), DOSI_OK);
    assert_int_equal(asked, 4);
    words_close(&w);
    assert_true(sodium_is_zero((unsigned char *)&w, sizeof w));
    assert_null(words_warning());
}

/* ---- The stream -------------------------------------------------------- */

/* Three blocks by libsodium, keyed each by the first bytes of the one before:
 * the words of the tape, in turn. */
static void test_stream(void **state)
{
    static const size_t lengths[] = {64, WORDS_BLOCK, WORDS_BLOCK};
    static uint64_t block[WORDS_BLOCK];
    unsigned char key[32] = {7};
    struct words w = {0};
    (void)state;
    tape_of_key(&w, 7);
    for (size_t i = 0; i < 3; i++) {
        static const unsigned char nonce[8] = {0};
        assert_int_equal(crypto_stream_chacha20((unsigned char *)block,
                             lengths[i] * sizeof block[0], nonce, key),
            0);
        memcpy(key, block, sizeof key);
        for (size_t j = 4; j < lengths[i]; j++)
            assert_true(words_next(&w) == block[j]);
        /* all of the block was overwritten, and the key is the next one's */
        assert_true(sodium_is_zero((unsigned char *)w.block, sizeof w.block));
        assert_memory_equal(w.key, key, sizeof key);
    }
    assert_int_equal(words_check(&w, NULL), DOSI_OK);
}

static void test_list(void **state)
{
    static const uint64_t list[] = {1, 2, UINT64_MAX};
    struct tape tape = {.words = list, .n = 3};
    struct words w;
    dosi_error err;
    (void)state;
    tape_of_list(&w, &tape);
    for (size_t i = 0; i < 3; i++)
        assert_true(words_next(&w) == list[i]);
    assert_int_equal(words_check(&w, &err), DOSI_OK);
    assert_true(words_next(&w) == 0);
    assert_int_equal(words_check(&w, &err), DOSI_EENTROPY);
    assert_int_equal(err.status, DOSI_EENTROPY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
