/* Words: the stream against libsodium's own, keys that are erased, words that
 * are overwritten, and a system that fails. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* ---- No two calls have a word in common -------------------------------- */

#define CALLS 8
#define WORDS_A_CALL 256

typedef uint64_t draws[CALLS][WORDS_A_CALL];

static void draw_calls(draws out)
{
    for (size_t i = 0; i < CALLS; i++) {
        struct words w;
        assert_int_equal(words_open(&w, NULL), DOSI_OK);
        for (size_t j = 0; j < WORDS_A_CALL; j++)
            out[i][j] = words_next(&w);
        assert_int_equal(words_check(&w, NULL), DOSI_OK);
        words_close(&w);
    }
}

static void *draw_thread(void *out)
{
    draw_calls(out);
    return NULL;
}

static int word_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Parent, child after fork, and two threads: 8192 words, of which two equal
 * ones have a probability of 2^-39. */
static void test_no_reuse(void **state)
{
    static draws all[4];
    int pipes[2];
    pthread_t threads[2];
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        draw_calls(all[0]);
        ssize_t n = write(pipes[1], all[0], sizeof all[0]);
        _exit(n == (ssize_t)sizeof all[0] ? 0 : 1);
    }
    assert_true(child > 0);
    draw_calls(all[1]);
    for (size_t got = 0; got < sizeof all[0];) {
        ssize_t n = read(pipes[0], (char *)all[0] + got, sizeof all[0] - got);
        assert_true(n > 0);
        got += (size_t)n;
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, draw_thread, all[2 + i]), 0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    uint64_t *words = &all[0][0][0];
    size_t n = sizeof all / sizeof words[0];
    qsort(words, n, sizeof words[0], word_order);
    for (size_t i = 1; i < n; i++)
        assert_true(words[i] != words[i - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_no_reuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
