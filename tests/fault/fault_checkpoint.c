/*
 * Checkpoints: whatever ends a run, and however often it is continued, noise
 * is drawn for no more than the planned steps, and never for a step that the
 * disk does not count yet. Writes fail one after the other; runs are killed;
 * two continue one file at once; files are damaged.
 */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "prop/random.h"
#include "release/noise.h"
#include "support/training_runs.h"

#define STEPS 12

static char path[200];
static char path_setting[220];

/* ---- What the code does, seen from outside ------------------------------ */

static long *n_draws;    /* shared with children */
static bool is_dirty;    /* written, and not flushed yet */
static long fails_after; /* so many calls that write succeed; -1: all */

static bool fails(void)
{
    if (fails_after < 0)
        return false;
    if (fails_after-- > 0)
        return false;
    fails_after = 0; /* a full disk stays full */
    errno = ENOSPC;
    return true;
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    if (fails())
        return -1;
    is_dirty = false;
    return __real_fsync(file);
}

ssize_t __real_pwrite(int file, const void *bytes, size_t n, off_t at);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t n, off_t at);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t n, off_t at)
{
    is_dirty = true;
    return fails() ? -1 : __real_pwrite(file, bytes, n, at);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    return fails() ? -1 : __real_rename(from, to);
}

/* The number of used steps that the file has. */
static long used_on_disk(void)
{
    unsigned long long used = 0;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return -1;
    int n = fscanf(f, "dosimeter checkpoint 1\nused %llu\n", &used);
    fclose(f);
    return n == 1 ? (long)used : -1;
}

dosi_status __real_noise_draw(int64_t *out, size_t n, const dosi_noise *noise,
    struct words *w, dosi_error *err);
dosi_status __wrap_noise_draw(int64_t *out, size_t n, const dosi_noise *noise,
    struct words *w, dosi_error *err);
dosi_status __wrap_noise_draw(int64_t *out, size_t n, const dosi_noise *noise,
    struct words *w, dosi_error *err)
{
    ++*n_draws;
    if (used_on_disk() < *n_draws || is_dirty)
        abort(); /* drawn before it was counted */
    return __real_noise_draw(out, n, noise, w, err);
}

/* ---- Runs --------------------------------------------------------------- */

static dosi_training *run(bool resumes, const char *change, dosi_error *err)
{
    const char *settings[RUN_MOST_SETTINGS] = {"model mlp:3", "label y",
        "categories y:a,b", "bounds 0..1", "examples 4", "batch 2",
        "steps 12", "clip 1", "noise 1", "delta 1e-5", "optimizer adam",
        "checkpoint-every 3", path_setting};
    size_t n = 13;
    settings[n++] = change != NULL ? change : "learning-rate 0.1";
    if (change != NULL && strncmp(change, "learning-rate", 13) != 0)
        settings[n++] = "learning-rate 0.1";
    if (resumes)
        settings[n++] = "resume";
    settings[n] = NULL;
    return run_new(settings, err);
}

static const char data[] = "u,v,y\n0.5,0.25,a\n1,0,b\n0.125,1,a\n";

static void remove_files(void)
{
    char name[220];
    static const char *const endings[] = {"", ".lock", ".new"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        (void)remove(name);
    }
}

static int fresh(void **state)
{
    (void)state;
    remove_files();
    fails_after = -1;
    *n_draws = 0;
    return 0;
}

static dosi_training *started(bool resumes, const char *change)
{
    dosi_error err;
    dosi_training *t = run(resumes, change, &err);
    assert_non_null(t);
    dosi_status status = run_start(t, data, &err);
    if (status != DOSI_OK)
        print_error("%s\n", err.message);
    assert_int_equal(status, DOSI_OK);
    return t;
}

static void refused(bool resumes, const char *change, const char *says)
{
    dosi_error err;
    dosi_training *t = run(resumes, change, &err);
    assert_non_null(t);
    assert_int_equal(run_start(t, data, &err), DOSI_EINVAL);
    if (strstr(err.message, says) == NULL)
        print_error("%s\n", err.message);
    assert_non_null(strstr(err.message, says));
    assert_int_equal(dosi_training_step(t, 1, &err), DOSI_EINVAL);
    dosi_training_free(t);
}

/* ---- Tests -------------------------------------------------------------- */

/* Stopped, saved and continued, with the same words a call: the same
 * parameters as in one piece. */
static void test_continues(void **state)
{
    (void)state;
    dosi_training_report report;
    dosi_error err;
    double whole[64];
    dosi_training *t = started(false, NULL);
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(dosi_training_step(t, 1, &err), DOSI_OK);
    dosi_training_state(&report, t);
    size_t n = report.n_parameters;
    memcpy(whole, report.parameters, n * sizeof *whole);
    dosi_training_free(t);
    refused(true, NULL, "used up");
    refused(false, NULL, "there already");
    fresh(NULL);
    for (int i = 0; i < STEPS; i += 4) {
        t = started(i > 0, NULL);
        refused(true, NULL, "in use");
        for (int k = 0; k < 4; k++)
            assert_int_equal(dosi_training_step(t, 1, &err), DOSI_OK);
        assert_int_equal(dosi_training_save(t, &err), DOSI_OK);
        dosi_training_state(&report, t);
        if (i == 8)
            assert_memory_equal(
                whole, report.parameters, n * sizeof *whole);
        dosi_training_free(t);
    }
    assert_int_equal(*n_draws, STEPS);
}

static void test_not_there(void **state)
{
    (void)state;
    refused(true, NULL, "there is no checkpoint");
}

static void test_changes(void **state)
{
    (void)state;
    dosi_error err;
    dosi_training *t = started(false, NULL);
    assert_int_equal(dosi_training_step(t, 4, &err), DOSI_OK);
    dosi_training_free(t);
    refused(true, "momentum 0", "another run");
    refused(true, "init-seed 1", "another run");
    refused(true, "grid-bits 20", "another run");
    dosi_training_free(started(true, "learning-rate 0.2"));
    /* a second name would have a lock of its own */
    char other[220];
    snprintf(other, sizeof other, "%s.other", path);
    assert_int_equal(link(path, other), 0);
    refused(true, NULL, "two names");
    assert_int_equal(remove(other), 0);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    refused(true, NULL, "a link");
    assert_int_equal(remove(path), 0);
    assert_int_equal(remove(other), 0);
}

/* The n-th write fails, for n = 0, 1, ... until none does: the call fails with
 * DOSI_EIO, and the file can be continued. */
static void test_full_disk(void **state)
{
    (void)state;
    dosi_error err;
    for (long n = 0;; n++) {
        fresh(NULL);
        dosi_training *t = run(false, NULL, &err);
        assert_non_null(t);
        fails_after = n;
        dosi_status status = run_start(t, data, &err);
        if (status == DOSI_OK)
            status = dosi_training_step(t, STEPS, &err);
        bool finished = status == DOSI_OK;
        if (!finished)
            assert_int_equal(status, DOSI_EIO);
        fails_after = -1;
        dosi_training_free(t);
        if (finished) {
            assert_true(n > STEPS);
            break;
        }
        assert_true(*n_draws <= STEPS);
        if (used_on_disk() < 0)
            continue; /* nothing was written: start again */
        assert_true(used_on_disk() >= *n_draws);
        if (used_on_disk() == STEPS) {
            refused(true, NULL, "used up");
            continue;
        }
        t = started(true, NULL);
        assert_int_equal(dosi_training_step(t, STEPS, &err), DOSI_OK);
        dosi_training_free(t);
        assert_true(*n_draws <= STEPS);
        assert_int_equal(used_on_disk(), STEPS);
    }
}

/* Children run and are killed; whoever comes next continues. */
static void test_killed(void **state)
{
    (void)state;
    prop_random r = {31};
    for (long i = 0; i < prop_count(10); i++) {
        fresh(NULL);
        for (int child = 0; used_on_disk() < STEPS; child++) {
            pid_t pid = fork();
            assert_true(pid >= 0);
            if (pid == 0) {
                dosi_error err;
                dosi_training *t = run(used_on_disk() >= 0, NULL, &err);
                if (t == NULL || run_start(t, data, &err) != DOSI_OK)
                    _exit(3);
                for (int k = 0; k < STEPS; k++) {
                    if (dosi_training_step(t, 1, &err) != DOSI_OK)
                        _exit(4);
                    usleep(300);
                }
                _exit(0);
            }
            usleep((useconds_t)prop_below(&r, 20000));
            kill(pid, SIGKILL);
            int status;
            assert_int_equal(waitpid(pid, &status, 0), pid);
            assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
            assert_true(
                !WIFSIGNALED(status) || WTERMSIG(status) == SIGKILL);
            assert_true(child < 1000);
        }
        assert_true(*n_draws <= STEPS);
    }
}

/* Damaged files are refused, or read as what they say, without a crash. */
static void test_damaged(void **state)
{
    (void)state;
    prop_random r = {32};
    dosi_error err;
    char bytes[20000];
    dosi_training *t = started(false, NULL);
    assert_int_equal(dosi_training_step(t, 6, &err), DOSI_OK);
    dosi_training_free(t);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_true(n > 100 && n < sizeof bytes);
    for (long i = 0; i < prop_count(300); i++) {
        size_t kept = prop_below(&r, 3) ? n : (size_t)prop_below(&r, (int)n);
        char before = bytes[0];
        size_t at = (size_t)prop_below(&r, (int)n);
        before = bytes[at];
        bytes[at] = (char)prop_bits(&r);
        f = fopen(path, "wb");
        assert_int_equal(fwrite(bytes, 1, kept, f), kept);
        fclose(f);
        bytes[at] = before;
        t = run(true, NULL, &err);
        assert_non_null(t);
        dosi_status status = run_start(t, data, &err);
        assert_true(status == DOSI_OK || status == DOSI_EINVAL);
        dosi_training_free(t);
        if (kept < n)
            assert_int_equal(status, DOSI_EINVAL);
    }
}

int main(void)
{
    /* in memory if there is such a folder: a real disk takes a minute */
    snprintf(path, sizeof path, "%s/dosimeter_checkpoint_%ld",
        access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    snprintf(path_setting, sizeof path_setting, "checkpoint %s", path);
    n_draws = mmap(NULL, sizeof *n_draws, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n_draws == MAP_FAILED)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_continues, fresh),
        cmocka_unit_test_setup(test_not_there, fresh),
        cmocka_unit_test_setup(test_changes, fresh),
        cmocka_unit_test_setup(test_full_disk, fresh),
        cmocka_unit_test_setup(test_killed, fresh),
        cmocka_unit_test_setup(test_damaged, fresh),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    remove_files();
    return status;
}
