/*
 * Public calls whose words end before their last draw: words_open is this
 * test's own, a list of few words. Everything is zero, nothing is charged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/release.h"
#include "support/tape.h"

static struct tape tape;
static size_t n_words;

dosi_status words_open(struct words *w, dosi_error *err)
{
    static const uint64_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)err;
    tape = (struct tape){words, n_words, 0};
    tape_of_list(w, &tape);
    return DOSI_OK;
}

const char *words_warning(void)
{
    return "INSECURE TEST NOISE";
}

static void test_all(void **state)
{
    static const dosi_kind kinds[] = {DOSI_GAUSSIAN, DOSI_LAPLACE,
        DOSI_DISCRETE_GAUSSIAN, DOSI_DISCRETE_LAPLACE};
    static const double two[] = {2, 2};
    static const int64_t scores[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    dosi_release_options flip = DOSI_RELEASE_OPTIONS_INIT;
    const dosi_plan *pure = NULL, *rr = NULL, *leaf = NULL, *charge = NULL;
    size_t chosen;
    dosi_error err;
    (void)state;
    flip.permute_and_flip = 1;
    assert_int_equal(
        dosi_plan_new(&pure, DOSI_PURE, two, 1, NULL, 0, &err), DOSI_OK);
    assert_int_equal(dosi_plan_new(&rr, DOSI_RANDOMIZED_RESPONSE, two, 2, NULL,
                         0, &err),
        DOSI_OK);
    for (n_words = 0; n_words < 8; n_words++) {
        uint8_t member[100];
        chosen = 9;
        charge = pure;
        memset(member, 1, sizeof member);
        assert_int_equal(dosi_release_choice(&chosen, &charge, scores, 9, pure,
                             1, 0, &flip, &err),
            DOSI_EENTROPY);
        assert_int_equal(chosen, 0);
        assert_null(charge);
        assert_int_equal(
            dosi_sample_poisson(member, 100, 0.5, &err), DOSI_EENTROPY);
        for (size_t i = 0; i < 100; i++)
            assert_int_equal(member[i], 0);
        for (size_t k = 0; k < 4; k++) {
            int64_t out[9];
            memset(out, 0x55, sizeof out);
            charge = pure;
            assert_int_equal(
                dosi_plan_new(&leaf, kinds[k], two, 1, NULL, 0, &err),
                DOSI_OK);
            assert_int_equal(dosi_release_values(out, &charge, scores, 9, leaf,
                                 1, NULL, &err),
                DOSI_EENTROPY);
            assert_null(charge);
            for (size_t i = 0; i < 9; i++)
                assert_int_equal(out[i], 0);
            dosi_plan_free(leaf);
        }
    }
    n_words = 0; /* these need one word, and two */
    chosen = 9;
    assert_int_equal(dosi_release_choice(&chosen, &charge, scores, 9, pure, 1,
                         0, NULL, &err),
        DOSI_EENTROPY);
    assert_int_equal(chosen, 0);
    for (; n_words < 2; n_words++) {
        chosen = 9;
        assert_int_equal(
            dosi_release_response(&chosen, 1, rr, &err), DOSI_EENTROPY);
        assert_int_equal(chosen, 0);
    }
    assert_int_equal(dosi_release_response(&chosen, 1, rr, &err), DOSI_OK);
    dosi_plan_free(pure);
    dosi_plan_free(rr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
