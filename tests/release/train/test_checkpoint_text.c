/* The text of a checkpoint: what is written is read, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "release/train/train_run.h"

static double numbers[3][5] = {{0.5, -1, 0x1p-1040, 3, -0.0}, {1}, {2}};
static char *names[] = {(char[]){"batch 2"}, (char[]){"clip 1"}};
static const struct name_list settings_here = {names, 2};

static dosi_status read_text(const char *bytes, size_t n, double *used)
{
    struct checkpoint_text text;
    double read[3][5];
    struct train_state at = {.n_parameters = 5, .parameters = read[0],
        .first = read[1], .second = read[2]};
    dosi_error err;
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    rewind(f);
    dosi_status status = checkpoint_text_read(
        &text, &at, f, "x", &settings_here, "gaussian(1)", &err);
    fclose(f);
    *used = at.used;
    if (status == DOSI_OK) {
        assert_memory_equal(read, numbers, sizeof read);
        assert_int_equal(at.n_updates, 4);
        assert_int_equal(text.run, 3);
        assert_int_equal(text.file, UINT64_MAX);
    } else {
        assert_non_null(strstr(err.message, "damaged"));
    }
    return status;
}

static size_t small_text(char *bytes, size_t most, double used, double run)
{
    struct checkpoint_text text = {.run = run, .file = UINT64_MAX};
    struct train_state at = {.used = used, .n_updates = 4, .n_parameters = 5,
        .parameters = numbers[0], .first = numbers[1], .second = numbers[2]};
    FILE *f = tmpfile();
    assert_non_null(f);
    checkpoint_text_write(f, &text, &at, &settings_here, "gaussian(1)");
    rewind(f);
    size_t n = fread(bytes, 1, most, f);
    fclose(f);
    char line[CHECKPOINT_USED_BYTES + 1];
    checkpoint_used_line(line, used, text.checksum);
    memcpy(bytes + CHECKPOINT_USED_AT, line, CHECKPOINT_USED_BYTES);
    return n;
}

/* Every bit, every length, more bytes, a count of another checkpoint. */
static void test_damaged_text(void **state)
{
    (void)state;
    char bytes[2000], other[2000];
    double used;
    size_t n = small_text(bytes, sizeof bytes - 1, 7, 3);
    assert_true(n > 200 && n < sizeof bytes - 1);
    assert_int_equal(read_text(bytes, n, &used), DOSI_OK);
    assert_int_equal(used, 7);
    for (size_t i = 0; i < 8 * n; i++) {
        bytes[i / 8] ^= (char)(1 << i % 8);
        assert_int_equal(read_text(bytes, n, &used), DOSI_EINVAL);
        bytes[i / 8] ^= (char)(1 << i % 8);
    }
    for (size_t i = 0; i < n; i++)
        assert_int_equal(read_text(bytes, i, &used), DOSI_EINVAL);
    bytes[n] = '\n';
    assert_int_equal(read_text(bytes, n + 1, &used), DOSI_EINVAL);
    assert_int_equal(small_text(other, sizeof other, 6, 2), n);
    memcpy(bytes + CHECKPOINT_USED_AT, other + CHECKPOINT_USED_AT,
        CHECKPOINT_USED_BYTES);
    assert_int_equal(read_text(bytes, n, &used), DOSI_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damaged_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
