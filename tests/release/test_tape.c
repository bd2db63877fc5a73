/* A program that is linked with predictable words says so, and its draws are
 * those of the tape; both timings and every public call take fresh ones. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "release/noise.h"
#include "support/tape.h"

static void test_tape(void **state)
{
    int64_t drawn[2][50], expected[50];
    struct words w;
    dosi_noise *noise;
    (void)state;
    assert_string_equal(words_warning(), "INSECURE TEST NOISE");
    assert_int_equal(setenv("DOSI_TAPE", "1234", 1), 0);
    assert_int_equal(dosi_noise_new(&noise, DOSI_NOISE_ROUND_GAUSSIAN, 1e9,
                         DOSI_TIMING_CONSTANT, NULL),
        DOSI_OK);
    for (uint64_t i = 0; i < 2; i++) {
        assert_int_equal(
            dosi_noise_draw(drawn[i], 50, noise, NULL), DOSI_OK);
        tape_of_key(&w, 1234 + i);
        assert_int_equal(noise_draw(expected, 50, noise, &w, NULL), DOSI_OK);
        assert_memory_equal(drawn[i], expected, sizeof expected);
    }
    assert_memory_not_equal(drawn[0], drawn[1], sizeof drawn[0]);
    dosi_noise_free(noise);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
