/*
 * Checkpoints: whatever ends a run, and however often it is continued, noise
 * is drawn for no more than the planned steps, and never for a step that the
 * disk does not count yet. Writes fail one after the other, and at every byte;
 * runs are killed before and after every write.
 */
#define _DEFAULT_SOURCE
#include "support/checkpoint_runs.h"

/* Stopped, saved and continued, with the same words a call: the same
 * parameters as in one piece. */
static void test_continues(void **state)
{
    (void)state;
    dosi_training_report report;
    dosi_error err;
    double whole[256];
    dosi_training *t = started(false, NULL);
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(dosi_training_step(t, 1, &err), DOSI_OK);
    dosi_training_state(&report, t);
    size_t n = report.n_parameters;
    memcpy(whole, report.parameters, n * sizeof *whole);
    dosi_training_free(t);
    refused(false, NULL, "exists already");
    /* what is finished gives its model again, and draws nothing */
    t = started(true, NULL);
    assert_int_equal(dosi_training_step(t, STEPS, &err), DOSI_OK);
    dosi_training_state(&report, t);
    assert_memory_equal(whole, report.parameters, n * sizeof *whole);
    assert_int_equal(report.n_updates, STEPS);
    dosi_training_free(t);
    assert_int_equal(*n_draws, STEPS);
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
}

/* The n-th write fails, for n = 0, 1, ... until none does: the call fails with
 * DOSI_EIO, no step is made until the state was saved, and the file can be
 * continued. */
static void test_full_disk(void **state)
{
    (void)state;
    dosi_error err;
    fault = FAULT_FULL;
    for (long n = 0;; n++) {
        fresh(NULL);
        dosi_training *t = run(false, NULL, &err);
        assert_non_null(t);
        fault_after = n;
        dosi_status status = run_start(t, data, &err);
        bool is_started = status == DOSI_OK;
        if (is_started)
            status = dosi_training_step(t, STEPS, &err);
        fault_after = -1;
        if (status == DOSI_OK) {
            dosi_training_free(t);
            assert_true(n > STEPS);
            break;
        }
        assert_int_equal(status, DOSI_EIO);
        long before = *n_draws;
        dosi_training_report report;
        dosi_training_state(&report, t);
        if (is_started && report.n_used < STEPS) {
            assert_int_equal(dosi_training_step(t, 1, &err), DOSI_EIO);
            assert_non_null(strstr(err.message, "save it first"));
            assert_int_equal(*n_draws, before);
            if (n % 2 == 0) {
                assert_int_equal(dosi_training_save(t, &err), DOSI_OK);
                assert_int_equal(
                    dosi_training_step(t, STEPS, &err), DOSI_OK);
                assert_int_equal(used_on_disk(), STEPS);
            }
        }
        dosi_training_free(t);
        finish();
    }
}

/* Files may have n bytes, for all n until a checkpoint fits. */
static void test_short_files(void **state)
{
    (void)state;
    dosi_error err;
    struct rlimit limit, all;
    struct stat about;
    dosi_training_free(started(false, NULL));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (off_t n = 0; n <= about.st_size; n += 1 + n / 50) {
        dosi_training *t = run(true, NULL, &err);
        assert_non_null(t);
        limit = (struct rlimit){(rlim_t)n, all.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        dosi_status status = run_start(t, data, &err);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
        assert_int_equal(
            status, n < about.st_size ? DOSI_EIO : DOSI_OK);
        dosi_training_free(t);
    }
    finish();
}

/* Children are killed before or after the n-th write, for n = 0, 1, ... until
 * they reach the end; the next one is killed at the same write. */
static void test_killed_at_writes(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        fault = i == 0 ? FAULT_DIES_BEFORE : FAULT_DIES_AFTER;
        for (long n = 0;; n++) {
            int n_killed = 0;
            fresh(NULL);
            for (int child = 0; child < 2; child++) {
                fault_after = n;
                int status = status_of(child_runs());
                fault_after = -1;
                assert_true(WIFEXITED(status)
                                ? WEXITSTATUS(status) == 0
                                : WTERMSIG(status) == SIGKILL);
                n_killed += WIFSIGNALED(status);
            }
            finish();
            if (n_killed == 0) {
                assert_true(n > 3 * STEPS);
                break;
            }
        }
    }
}

/* Children run and are killed at any time; whoever comes next continues. */
static void test_killed(void **state)
{
    (void)state;
    prop_random r = {31};
    for (long i = 0; i < prop_count(10); i++) {
        fresh(NULL);
        for (int child = 0; used_on_disk() < STEPS; child++) {
            pid_t pid = child_runs();
            usleep((useconds_t)prop_below(&r, 20000));
            kill(pid, SIGKILL);
            int status = status_of(pid);
            assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL
                                            : WEXITSTATUS(status) == 0);
            assert_true(child < 1000);
        }
        assert_true(*n_draws <= STEPS);
    }
}

static int all(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_continues, fresh),
        cmocka_unit_test_setup(test_not_there, fresh),
        cmocka_unit_test_setup(test_changes, fresh),
        cmocka_unit_test_setup(test_full_disk, fresh),
        cmocka_unit_test_setup(test_short_files, fresh),
        cmocka_unit_test_setup(test_killed_at_writes, fresh),
        cmocka_unit_test_setup(test_killed, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return checkpoint_tests(all);
}
