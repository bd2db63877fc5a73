/*
 * No two calls have a word in common: of two processes, of a process and its
 * child, of two threads, and of one process whose writable pages are put back
 * between the calls, as a snapshot of a machine does. Control: a generator
 * that keeps its state and starts from a constant repeats itself in each.
 */
#define _DEFAULT_SOURCE /* pread, pwrite */

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/tape.h"

#define CALLS 8
#define WORDS_A_CALL 256

typedef uint64_t draws[CALLS][WORDS_A_CALL];

/* ---- Generators ---------------------------------------------------------- */

static void take(uint64_t *out, struct words *w)
{
    words_take(out, WORDS_A_CALL, w);
    assert_int_equal(words_check(w, NULL), DOSI_OK);
}

/* One call of the library. */
static void call_ours(uint64_t *out)
{
    struct words w;
    assert_int_equal(words_open(&w, NULL), DOSI_OK);
    take(out, &w);
    words_close(&w);
}

static void call_control(uint64_t *out)
{
    static _Thread_local struct words w;
    static _Thread_local bool is_open;
    if (!is_open)
        tape_of_key(&w, 7);
    is_open = true;
    take(out, &w);
}

typedef void generator(uint64_t *out);

static const struct {
    const char *name;
    generator *call;
} generators[] = {{"ours", call_ours}, {"control", call_control}};

static void draw_calls(draws out, generator *call)
{
    for (size_t i = 0; i < CALLS; i++)
        call(out[i]);
}

/* ---- Pipes --------------------------------------------------------------- */

static bool write_all(int file, const void *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t got = write(file, (const char *)bytes + at, n - at);
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

static bool read_all(int file, void *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t got = read(file, (char *)bytes + at, n - at);
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

static void end_child(pid_t child)
{
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- Who draws ----------------------------------------------------------- */

/* Two processes, each started anew. */
static void draw_processes(draws out[2], size_t g)
{
    for (int i = 0; i < 2; i++) {
        int pipes[2];
        assert_int_equal(pipe(pipes), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            char file[16];
            (void)snprintf(file, sizeof file, "%d", pipes[1]);
            (void)execl("/proc/self/exe", "test_words_reuse",
                generators[g].name, file, (char *)NULL);
            _exit(1);
        }
        assert_int_equal(close(pipes[1]), 0);
        assert_true(read_all(pipes[0], out[i], sizeof out[i]));
        assert_int_equal(close(pipes[0]), 0);
        end_child(child);
    }
}

/* A process that has drawn before, and its child. */
static void draw_fork(draws out[2], size_t g)
{
    static draws before;
    int pipes[2];
    draw_calls(before, generators[g].call);
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        draw_calls(out[0], generators[g].call);
        _exit(write_all(pipes[1], out[0], sizeof out[0]) ? 0 : 1);
    }
    draw_calls(out[1], generators[g].call);
    assert_true(read_all(pipes[0], out[0], sizeof out[0]));
    assert_int_equal(close(pipes[0]), 0);
    assert_int_equal(close(pipes[1]), 0);
    end_child(child);
}

struct thread {
    draws *out;
    generator *call;
};

static void *draw_thread(void *context)
{
    struct thread *t = context;
    draw_calls(*t->out, t->call);
    return NULL;
}

static void draw_threads(draws out[2], size_t g)
{
    pthread_t threads[2];
    struct thread contexts[2];
    for (size_t i = 0; i < 2; i++) {
        contexts[i] = (struct thread){&out[i], generators[g].call};
        assert_int_equal(
            pthread_create(&threads[i], NULL, draw_thread, &contexts[i]), 0);
    }
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* ---- Writable pages ------------------------------------------------------ */

/* Larger regions are the sanitizer's, which is not in the state of a
 * generator. */
#define MOST_REGION ((uintptr_t)1 << 28)
#define MOST_REGIONS 512

struct snapshot {
    size_t n;
    struct region {
        uintptr_t start;
        size_t size;
        char *bytes;
    } regions[MOST_REGIONS];
};

static int open_process(pid_t child, const char *name, int flags)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/%s", (long)child, name);
    return open(path, flags);
}

/* Copies every writable page of the child. */
static void snapshot_take(struct snapshot *s, pid_t child)
{
    int memory = open_process(child, "mem", O_RDONLY);
    FILE *maps = fdopen(open_process(child, "maps", O_RDONLY), "r");
    char line[1024];
    assert_true(memory >= 0);
    assert_non_null(maps);
    s->n = 0;
    while (fgets(line, sizeof line, maps) != NULL) {
        uintptr_t start, end;
        char mode[5];
        assert_int_equal(sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &start,
                             &end, mode),
            3);
        if (mode[0] != 'r' || mode[1] != 'w' || end - start > MOST_REGION)
            continue;
        assert_true(s->n < MOST_REGIONS);
        struct region *r = &s->regions[s->n++];
        *r = (struct region){start, end - start, malloc(end - start)};
        assert_non_null(r->bytes);
        assert_true(pread(memory, r->bytes, r->size, (off_t)start) ==
            (ssize_t)r->size);
    }
    assert_true(s->n > 2);
    (void)fclose(maps);
    (void)close(memory);
}

static void snapshot_restore(struct snapshot *s, pid_t child)
{
    int memory = open_process(child, "mem", O_WRONLY);
    assert_true(memory >= 0);
    for (size_t i = 0; i < s->n; i++) {
        struct region *r = &s->regions[i];
        assert_true(pwrite(memory, r->bytes, r->size, (off_t)r->start) ==
            (ssize_t)r->size);
        free(r->bytes);
    }
    (void)close(memory);
}

/* Draws whenever it is asked, until the pipe is closed. */
static void serve(int asks, int answers, generator *call)
{
    static draws out;
    char byte;
    while (read_all(asks, &byte, 1)) {
        draw_calls(out, call);
        if (!write_all(answers, out, sizeof out))
            _exit(1);
    }
    _exit(0);
}

/* A child draws, is copied while it waits, draws, is put back as it was, and
 * draws again. */
static void draw_restored(draws out[2], size_t g)
{
    static struct snapshot s;
    static draws before;
    int asks[2], answers[2];
    assert_int_equal(pipe(asks), 0);
    assert_int_equal(pipe(answers), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(asks[1]);
        serve(asks[0], answers[1], generators[g].call);
    }
    assert_true(write_all(asks[1], "", 1));
    assert_true(read_all(answers[0], before, sizeof before));
    snapshot_take(&s, child);
    for (int i = 0; i < 2; i++) {
        assert_true(write_all(asks[1], "", 1));
        assert_true(read_all(answers[0], out[i], sizeof out[i]));
        if (i == 0)
            snapshot_restore(&s, child);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(close(asks[1 - i]), 0);
        assert_int_equal(close(answers[i]), 0);
    }
    end_child(child);
}

/* ---- Tests --------------------------------------------------------------- */

static int word_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Words that occur twice among 4096; one by chance: probability 2^-41. */
static size_t common_words(draws all[2])
{
    uint64_t *words = &all[0][0][0];
    size_t n = sizeof(draws) / sizeof words[0] * 2, n_common = 0;
    qsort(words, n, sizeof words[0], word_order);
    for (size_t i = 1; i < n; i++)
        n_common += words[i] == words[i - 1];
    return n_common;
}

static void test_reuse(void **state)
{
    static const struct {
        const char *name;
        void (*draw)(draws out[2], size_t g);
    } scenes[] = {
        {"two processes", draw_processes},
        {"parent and child", draw_fork},
        {"two threads", draw_threads},
        {"pages put back", draw_restored},
    };
    static draws all[2];
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        scenes[i].draw(all, 0);
        size_t ours = common_words(all);
        scenes[i].draw(all, 1);
        size_t control = common_words(all);
        print_message("%s: %zu words in common, control %zu\n",
            scenes[i].name, ours, control);
        assert_int_equal(ours, 0);
        assert_true(control >= 2); /* 128 bits */
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reuse)};
    for (size_t g = 0; argc == 3 && g < 2; g++)
        if (strcmp(argv[1], generators[g].name) == 0) {
            static draws out;
            draw_calls(out, generators[g].call);
            return !write_all(
                (int)strtol(argv[2], NULL, 10), out, sizeof out);
        }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
