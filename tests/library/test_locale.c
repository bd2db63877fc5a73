/*
 * The caller's locale: numbers in messages, plans and JSON have a decimal
 * point in every locale, and the locale is the caller's again afterwards.
 * The test makes its locales with localedef, from sources of its own: one
 * with a decimal comma, and one whose decimal point takes two bytes.
 */
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "dosimeter.h"
#include "dosimeter/json.h"

static char folder[] = "/tmp/test_locale_XXXXXX";
static bool is_made;

static const struct {
    const char *name;
    const char *point; /* in the locale's source */
    const char *half;  /* what printf makes of 1.5 */
} locales[] = {
    {"comma", ",", "1,5"},
    {"arab", "<U066B>", "1\xd9\xab"
                        "5"},
};

#define N_LOCALES (sizeof locales / sizeof *locales)

static void write_file(
    const char *name, const char *before, const char *point, const char *behind)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    (void)fprintf(out, "%s%s%s", before, point, behind);
    assert_int_equal(fclose(out), 0);
}

static int make_locales(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file("map",
        "<code_set_name> UTF-8\n<escape_char> /\n<mb_cur_min> 1\n"
        "<mb_cur_max> 6\nCHARMAP\n"
        "<U0000>..<U007F> /x00 ASCII\n<U066B> /xd9/xab POINT\n"
        "END CHARMAP\n",
        "", "");
    for (size_t i = 0; i < N_LOCALES; i++) {
        char source[20], command[400];
        (void)snprintf(source, sizeof source, "%s.src", locales[i].name);
        write_file(source, "LC_NUMERIC\ndecimal_point \"",
            locales[i].point,
            "\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n");
        /* it warns, with a status of 1, that the other parts are missing */
        (void)snprintf(command, sizeof command,
            "cd %s && localedef -c -f ./map -i ./%s ./%s >/dev/null 2>&1",
            folder, source, locales[i].name);
        (void)!system(command);
    }
    assert_int_equal(setenv("LOCPATH", folder, 1), 0);
    is_made = system("command -v localedef >/dev/null") == 0;
    return 0;
}

static int remove_locales(void **state)
{
    (void)state;
    char command[100];
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* Enters a locale, or skips the test where there is no localedef. */
static void enter(size_t i)
{
    if (!is_made)
        skip();
    assert_non_null(setlocale(LC_ALL, locales[i].name));
}

/* The locale is still the one that was entered. */
static void leave(size_t i)
{
    char text[20];
    (void)snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, locales[i].half);
    assert_non_null(setlocale(LC_ALL, "C"));
}

static void messages_have_a_point(void **state)
{
    (void)state;
    const dosi_plan *plan = NULL;
    assert_int_equal(dosi_plan_parse(&plan, "gaussian(1)", 11, NULL), DOSI_OK);
    for (size_t i = 0; i < N_LOCALES; i++) {
        dosi_answer answer;
        dosi_interval x;
        dosi_error err = {0};
        enter(i);
        assert_int_equal(
            dosi_epsilon_at_delta(&answer, plan, 1.5, NULL, &err),
            DOSI_EINVAL);
        assert_non_null(strstr(err.message, "got 1.5"));
        const dosi_plan *none = NULL;
        assert_int_equal(
            dosi_plan_parse(&none, "pure(-1.5)", 10, &err), DOSI_EINVAL);
        assert_non_null(strstr(err.message, "-1.5"));
        assert_int_equal(dosi_formula_eval(&x, "T000-08.delta",
                             "eps=1;sigma=-1.5;sens=1", &err),
            DOSI_EDOMAIN);
        assert_non_null(strstr(err.message, "-1.5"));
        assert_int_equal(dosi_formula_eval(&x, "T000-38.eps_per_alpha",
                             "p=0.75;rho=1", &err),
            DOSI_EDOMAIN);
        assert_non_null(strstr(err.message, "got p = 0.75"));
        leave(i);
    }
    dosi_plan_free(plan);
}

/* One way there and back through every reader and writer of numbers. */
static void numbers_read_back(void **state)
{
    (void)state;
    static const char text[] = "gaussian(1.5) * 3 + pure(0.25)";
    static const char tree[] =
        "{\"kind\":\"compose\",\"parts\":[{\"kind\":\"repeat\",\"count\":3,"
        "\"of\":{\"kind\":\"gaussian\",\"sigma\":1.5}},"
        "{\"kind\":\"pure\",\"epsilon\":0.25}]}";
    for (size_t i = 0; i < N_LOCALES; i++) {
        const dosi_plan *plan = NULL, *back = NULL;
        char printed[200];
        size_t length;
        enter(i);
        assert_int_equal(
            dosi_plan_parse(&plan, text, sizeof text - 1, NULL), DOSI_OK);
        assert_int_equal(
            dosi_json_read_plan(&back, tree, sizeof tree - 1, NULL), DOSI_OK);
        assert_true(dosi_plan_equal(plan, back));
        assert_int_equal(dosi_plan_print(printed, sizeof printed, &length,
                             plan, DOSI_FORM_JSON, NULL),
            DOSI_OK);
        assert_string_equal(printed, tree);
        dosi_plan_free(plan);
        dosi_plan_free(back);
        leave(i);
    }
}

static void answers_are_the_same(void **state)
{
    (void)state;
    static const char question[] =
        "{\"query\":\"epsilon\",\"delta\":1.5e-5,\"id\":2.5,"
        "\"plan\":{\"kind\":\"gaussian\",\"sigma\":1.5}}";
    static const char wrong[] =
        "{\"query\":\"epsilon\",\"delta\":1.5,\"plan\":\"gaussian(1.5)\"}";
    char *expected = NULL, *refused = NULL;
    assert_int_equal(dosi_json_answer(
                         &expected, question, sizeof question - 1, NULL, NULL),
        DOSI_OK);
    assert_int_equal(
        dosi_json_answer(&refused, wrong, sizeof wrong - 1, NULL, NULL),
        DOSI_OK);
    assert_non_null(strstr(expected, "\"id\":2.5,\"lower\":"));
    assert_non_null(strstr(refused, "got 1.5"));
    for (size_t i = 0; i < N_LOCALES; i++) {
        char *got = NULL;
        enter(i);
        assert_int_equal(dosi_json_answer(
                             &got, question, sizeof question - 1, NULL, NULL),
            DOSI_OK);
        assert_string_equal(got, expected);
        dosi_json_free(got);
        assert_int_equal(
            dosi_json_answer(&got, wrong, sizeof wrong - 1, NULL, NULL),
            DOSI_OK);
        assert_string_equal(got, refused);
        dosi_json_free(got);
        leave(i);
    }
    dosi_json_free(expected);
    dosi_json_free(refused);
}

/* A thread may have a locale of its own, which stays its own. */
static void threads_keep_their_locale(void **state)
{
    (void)state;
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    enter(0); /* newlocale itself would leak the parts of LOCPATH */
    locale_t mine = duplocale(LC_GLOBAL_LOCALE);
    assert_true(mine != (locale_t)0);
    assert_non_null(setlocale(LC_ALL, "C"));
    locale_t before = uselocale(mine);
    assert_int_equal(
        dosi_plan_parse(&plan, "pure(-1.5)", 10, &err), DOSI_EINVAL);
    assert_non_null(strstr(err.message, "-1.5"));
    assert_true(uselocale(before) == mine);
    freelocale(mine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_have_a_point),
        cmocka_unit_test(numbers_read_back),
        cmocka_unit_test(answers_are_the_same),
        cmocka_unit_test(threads_keep_their_locale),
    };
    return cmocka_run_group_tests(tests, make_locales, remove_locales);
}
