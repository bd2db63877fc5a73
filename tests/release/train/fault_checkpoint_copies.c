/*
 * Second runs of a checkpoint: several continue one file at once, under one
 * name or another; files are copied and damaged.
 */
#define _DEFAULT_SOURCE
#include "support/checkpoint_runs.h"

/* Several continue at once: one of them does, and the others draw nothing. */
static void test_at_once(void **state)
{
    (void)state;
    dosi_error err;
    for (long i = 0; i < prop_count(10); i++) {
        fresh(NULL);
        dosi_training *t = started(false, NULL);
        assert_int_equal(dosi_training_step(t, 4, &err), DOSI_OK);
        dosi_training_free(t);
        pid_t pids[4];
        for (int k = 0; k < 4; k++)
            pids[k] = child_runs();
        int n_whole = 0;
        for (int k = 0; k < 4; k++) {
            int status = status_of(pids[k]);
            assert_true(WIFEXITED(status));
            /* one that comes late continues what is finished */
            assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3);
            n_whole += WEXITSTATUS(status) == 0;
        }
        assert_true(n_whole >= 1);
        assert_true(*n_draws <= STEPS);
        assert_int_equal(used_on_disk(), STEPS);
    }
}

/* Another name, or none for the lock, while a run is on: the file is in use,
 * and what is left under the other name is no checkpoint any more. */
static void test_other_names(void **state)
{
    (void)state;
    dosi_error err;
    char other[220];
    snprintf(other, sizeof other, "%s.other", base);
    for (int i = 0; i < 3; i++) {
        fresh(NULL);
        dosi_training *t = started(false, NULL);
        assert_int_equal(dosi_training_step(t, 4, &err), DOSI_OK);
        if (i == 0) {
            snprintf(other, sizeof other, "%s.lock", base);
            assert_int_equal(remove(other), 0);
            snprintf(other, sizeof other, "%s.other", base);
            refused(true, NULL, "in use");
        } else {
            assert_int_equal(
                i == 1 ? rename(base, other) : link(base, other), 0);
            set_path(".other");
            refused(true, NULL, "in use");
            checks_count = false;
            assert_int_equal(dosi_training_step(t, 1, &err), DOSI_OK);
            assert_int_equal(used_of(other), 5);
        }
        assert_int_equal(dosi_training_save(t, &err), DOSI_OK);
        dosi_training_free(t);
        if (i > 0)
            refused(true, NULL, "old version");
        set_path("");
        finish();
    }
}

static size_t read_bytes(char *bytes, size_t most, const char *name)
{
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, most, f);
    fclose(f);
    assert_true(n > 100 && n < most);
    return n;
}

static void write_bytes(const char *name, const char *bytes, size_t n)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void test_copies(void **state)
{
    (void)state;
    dosi_error err;
    char bytes[20000];
    dosi_training *t = started(false, NULL);
    assert_int_equal(dosi_training_step(t, 4, &err), DOSI_OK);
    dosi_training_free(t);
    size_t n = read_bytes(bytes, sizeof bytes, base);
    /* under another name */
    set_path(".other");
    write_bytes(path, bytes, n);
    refused(true, NULL, "is a copy");
    /* declared to be the only one */
    is_moved = true;
    t = started(true, NULL);
    dosi_training_free(t);
    is_moved = false;
    dosi_training_free(started(true, NULL));
    /* written over a version that was continued */
    set_path("");
    dosi_training_free(started(true, NULL));
    write_bytes(path, bytes, n);
    refused(true, NULL, "is a copy");
    /* moved in the file system: it is the file itself */
    fresh(NULL);
    t = started(false, NULL);
    assert_int_equal(dosi_training_step(t, 4, &err), DOSI_OK);
    dosi_training_free(t);
    char other[220];
    snprintf(other, sizeof other, "%s.other", base);
    assert_int_equal(rename(base, other), 0);
    set_path(".other");
    finish();
    /* moved is for what is resumed */
    is_moved = true;
    assert_null(run(false, NULL, &err));
    assert_non_null(strstr(err.message, "moved needs resume"));
}

/* Damaged files are refused by name, and are left as they are. */
static void test_damaged(void **state)
{
    (void)state;
    prop_random r = {32};
    dosi_error err;
    char bytes[20000], after[20000];
    dosi_training *t = started(false, NULL);
    assert_int_equal(dosi_training_step(t, 6, &err), DOSI_OK);
    dosi_training_free(t);
    size_t n = read_bytes(bytes, sizeof bytes, path);
    for (long i = 0; i < prop_count(100); i++) {
        size_t kept = prop_below(&r, 3) ? n : (size_t)prop_below(&r, (int)n);
        size_t at = (size_t)prop_below(&r, (int)n);
        char before = bytes[at];
        bytes[at] ^= (char)(1 + prop_below(&r, 255));
        write_bytes(path, bytes, kept);
        refused(true, NULL, "damaged");
        if (kept > 100) {
            assert_int_equal(read_bytes(after, sizeof after, path), kept);
            assert_memory_equal(after, bytes, kept);
        }
        bytes[at] = before;
    }
    write_bytes(path, bytes, n);
    finish();
}

static int all(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_at_once, fresh),
        cmocka_unit_test_setup(test_other_names, fresh),
        cmocka_unit_test_setup(test_copies, fresh),
        cmocka_unit_test_setup(test_damaged, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return checkpoint_tests(all);
}
