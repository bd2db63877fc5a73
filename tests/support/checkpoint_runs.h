/*
 * Runs with a checkpoint, seen from outside: a draw of noise aborts if the
 * disk does not count it, and calls that write fail or kill as asked. A test
 * that includes this wraps fsync, pwrite, rename and noise_draw.
 */
#ifndef DOSI_TESTS_SUPPORT_CHECKPOINT_RUNS_H
#define DOSI_TESTS_SUPPORT_CHECKPOINT_RUNS_H

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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "random.h"
#include "release/noise.h"
#include "training_runs.h"

#define STEPS 12

static char base[100]; /* of all paths */
static char path[200];
static char path_setting[220];

/* ---- What the code does, seen from outside ------------------------------ */

static long *n_draws;    /* shared with children */
static bool is_dirty;    /* written, and not flushed yet */
static bool checks_count = true; /* the file has its name during the run */

/* What happens to a call that writes, after so many that succeed; -1: none. */
enum fault {
    FAULT_FULL, /* it fails, and so do all later ones: the disk is full */
    FAULT_DIES_BEFORE,
    FAULT_DIES_AFTER
};
static enum fault fault;
static long fault_after = -1;

static bool is_due(void)
{
    if (fault_after < 0)
        return false;
    if (fault_after > 0) {
        fault_after--;
        return false;
    }
    return true;
}

/* Whether the call fails; a killed process does not come back. */
static bool before_write(bool due)
{
    if (due && fault == FAULT_DIES_BEFORE)
        raise(SIGKILL);
    errno = ENOSPC;
    return due && fault == FAULT_FULL;
}

static void after_write(bool due)
{
    if (due && fault == FAULT_DIES_AFTER)
        raise(SIGKILL);
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    bool due = is_due();
    if (before_write(due))
        return -1;
    is_dirty = false;
    int status = __real_fsync(file);
    after_write(due);
    return status;
}

ssize_t __real_pwrite(int file, const void *bytes, size_t n, off_t at);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t n, off_t at);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t n, off_t at)
{
    bool due = is_due();
    is_dirty = true;
    if (before_write(due))
        return -1;
    ssize_t status = __real_pwrite(file, bytes, n, at);
    after_write(due);
    return status;
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    bool due = is_due();
    if (before_write(due))
        return -1;
    int status = __real_rename(from, to);
    after_write(due);
    return status;
}

/* The number of used steps that the file has. */
static long used_of(const char *name)
{
    unsigned long long used = 0;
    FILE *f = fopen(name, "rb");
    if (f == NULL)
        return -1;
    int n = fscanf(f, "dosimeter checkpoint 2\nused %llu ", &used);
    fclose(f);
    return n == 1 ? (long)used : -1;
}

static long used_on_disk(void)
{
    return used_of(path);
}

dosi_status __real_noise_draw(int64_t *out, size_t n, const dosi_noise *noise,
    struct words *w, dosi_error *err);
dosi_status __wrap_noise_draw(int64_t *out, size_t n, const dosi_noise *noise,
    struct words *w, dosi_error *err);
dosi_status __wrap_noise_draw(int64_t *out, size_t n, const dosi_noise *noise,
    struct words *w, dosi_error *err)
{
    ++*n_draws;
    if ((checks_count && used_on_disk() < *n_draws) || is_dirty)
        abort(); /* drawn before it was counted */
    return __real_noise_draw(out, n, noise, w, err);
}

/* ---- Runs --------------------------------------------------------------- */

static bool is_moved; /* a setting of the next run */

static dosi_training *run(bool resumes, const char *change, dosi_error *err)
{
    const char *settings[RUN_MOST_SETTINGS] = {"model mlp:30", "label y",
        "categories y:a,b", "bounds 0..1", "examples 4", "batch 2",
        "steps 12", "clip 1", "noise 1", "delta 1e-5", "optimizer adam",
        "checkpoint-every 3", path_setting};
    size_t n = 13;
    settings[n++] = change != NULL ? change : "learning-rate 0.1";
    if (change != NULL && strncmp(change, "learning-rate", 13) != 0)
        settings[n++] = "learning-rate 0.1";
    if (is_moved)
        settings[n++] = "moved";
    if (resumes)
        settings[n++] = "resume";
    settings[n] = NULL;
    return run_new(settings, err);
}

static const char data[] = "u,v,y\n0.5,0.25,a\n1,0,b\n0.125,1,a\n";

/* The path of the checkpoint with an ending; the runs from now on have it. */
static void set_path(const char *ending)
{
    snprintf(path, sizeof path, "%s%s", base, ending);
    snprintf(path_setting, sizeof path_setting, "checkpoint %s", path);
}

static void remove_files(void)
{
    char name[220];
    static const char *const endings[] = {
        "", ".lock", ".new", ".other", ".other.lock", ".other.new"};
    for (size_t i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "%s%s", base, endings[i]);
        (void)remove(name);
    }
}

static int fresh(void **state)
{
    (void)state;
    remove_files();
    set_path("");
    fault_after = -1;
    checks_count = true;
    is_moved = false;
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

/* Whatever is on the disk is continued to its end, if anything is: no more
 * draws than steps, and no step is left. */
static void finish(void)
{
    dosi_error err;
    assert_true(*n_draws <= STEPS);
    if (used_on_disk() < 0) {
        assert_int_equal(*n_draws, 0);
        return;
    }
    assert_true(used_on_disk() >= *n_draws);
    dosi_training *t = started(true, NULL);
    assert_int_equal(dosi_training_step(t, STEPS, &err), DOSI_OK);
    dosi_training_free(t);
    assert_true(*n_draws <= STEPS);
    assert_int_equal(used_on_disk(), STEPS);
}

/* Starts, or continues what is there, and runs to the end in a child process,
 * whose status is 0 then and 3 if it is refused. */
static pid_t child_runs(void)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
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

static int status_of(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

/* Runs the tests of a program, all files of which are removed. */
static int checkpoint_tests(int (*tests)(void))
{
    /* in memory if there is such a folder: a real disk takes a minute */
    snprintf(base, sizeof base, "%s/dosimeter_checkpoint_%ld",
        access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    n_draws = mmap(NULL, sizeof *n_draws, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n_draws == MAP_FAILED)
        return 1;
    int status = tests();
    remove_files();
    return status;
}

#endif
