/*
 * The reader of the text form: what it accepts, and the transcript of what it
 * says to everything else.
 */
#include "lang/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void accepted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *printed;
    } cases[] = {
        {"gaussian(1.1)", "gaussian(1.1)"},
        {" gaussian\t(\r\nsigma = 1.1 ) ", "gaussian(1.1)"},
        {"gaussian(noise_multiplier=1.1)", "gaussian(1.1)"},
        {"gaussian(+1.1e+0)", "gaussian(1.1)"},
        {"gaussian(.5)", "gaussian(0.5)"},
        {"gaussian(5.)", "gaussian(5)"},
        {"gaussian(1/3)", "gaussian(0.3333333333333333)"},
        {"gaussian(-1 / -4)", "gaussian(0.25)"},
        {"pure(-0)", "pure(0)"},
        {"rr(1)", "rr(1)"},
        {"rr(1, 3)", "rr(1, 3)"},
        {"rr(categories=3, epsilon=1)", "rr(1, 3)"},
        {"rr(1, categories=2)", "rr(1)"},
        {"zcdp(0.5, delta=1e-6)", "zcdp(0.5, 0, 1e-6)"},
        {"renyi(8, 1)", "renyi(8, 1)"},
        {"nonprivate()", "nonprivate()"},
        {"pmf([1, 2], [2/3, 1])", "pmf([1, 2], [0.6666666666666666, 1])"},
        {"pmf(q=[1], p=[2])", "pmf([2], [1])"},
        {"poisson(256/60000, gaussian(1.1)) * 14063",
            "poisson(0.004266666666666667, gaussian(1.1)) * 14063"},
        {"poisson(sample_rate=0.1, gaussian(1))", "poisson(0.1, gaussian(1))"},
        {"poisson(of=gaussian(1), sampling_probability=0.1)",
            "poisson(0.1, gaussian(1))"},
        {"poisson(0.1, gaussian(1) + laplace(2) * 3)",
            "poisson(0.1, gaussian(1) + laplace(2) * 3)"},
        {"without_replacement(10, population=100, of=gaussian(1))",
            "without_replacement(10, 100, gaussian(1))"},
        {"3 * gaussian(1)", "gaussian(1) * 3"},
        {"2 * gaussian(1) * 3", "gaussian(1) * 3 * 2"},
        {"gaussian(1) + 2 * laplace(1)", "gaussian(1) + laplace(1) * 2"},
        {"gaussian(1) * 6/2", "gaussian(1) * 3"},
        {"gaussian(1) * 1e3", "gaussian(1) * 1000"},
        {"((gaussian(1)))", "gaussian(1)"},
        {"(gaussian(1) + laplace(1)) * 3", "(gaussian(1) + laplace(1)) * 3"},
        {"(gaussian(1) + laplace(1)) + pure(1)",
            "(gaussian(1) + laplace(1)) + pure(1)"},
        {"gaussian(?)", "gaussian(?)"},
        {"? * gaussian(1)", "gaussian(1) * ?"},
        {"poisson(?, gaussian(1)) * 10", "poisson(?, gaussian(1)) * 10"},
        {"rr(1, ?)", "rr(1, ?)"},
        {"without_replacement(?, 10, gaussian(1))",
            "without_replacement(?, 10, gaussian(1))"},
        /* lines, comments and a byte order mark */
        {"\xef\xbb\xbfgaussian(1)\r\nlaplace(2)\r\n",
            "gaussian(1) + laplace(2)"},
        {"# both\n\ngaussian(1) # one\n  laplace(2)# other",
            "gaussian(1) + laplace(2)"},
        {"gaussian(1) *\n3\n2 * laplace(2)\n(pure(1))",
            "gaussian(1) * 3 + laplace(2) * 2 + pure(1)"},
        {"gaussian(1)\n* 3\n+ laplace(2)", "gaussian(1) * 3 + laplace(2)"},
        {"gaussian(1) #\xff\a\rlaplace(2)", "gaussian(1) + laplace(2)"},
        /* labels */
        {"\"a\": gaussian(1)", "\"a\": gaussian(1)"},
        {"\"a b\":gaussian(1)*3\n\"c\" : (pure(1) + pure(2)) * 2",
            "\"a b\": gaussian(1) * 3 + \"c\": (pure(1) + pure(2)) * 2"},
        {"(\"a\": gaussian(1)) * 3", "(\"a\": gaussian(1)) * 3"},
        {"\"a\": (pure(1) + pure(2))", "\"a\": (pure(1) + pure(2))"},
        {"\"a\": (\"b\": pure(1) + pure(2)) + pure(3)",
            "\"a\": (\"b\": pure(1) + pure(2)) + pure(3)"},
        {"poisson(0.1, \"in\": gaussian(1))",
            "poisson(0.1, \"in\": gaussian(1))"},
        {"\"say \\\"hi\\\" \\\\ # \xc3\xa9\": gaussian(?)",
            "\"say \\\"hi\\\" \\\\ # \xc3\xa9\": gaussian(?)"},
        /* other units */
        {"gaussian(std=100, sensitivity=50)", "gaussian(2)"},
        {"laplace(scale=100, sensitivity=50)", "laplace(2)"},
        {"laplace(100, sensitivity=50)", "laplace(2)"},
        {"laplace(epsilon=0.5)", "laplace(2)"},
        {"discrete_laplace(epsilon=0.25)", "discrete_laplace(4)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dosi_plan *plan = NULL;
        dosi_error err = {0};
        char got[256];
        size_t length;
        if (dosi_plan_parse(
                &plan, cases[i].text, strlen(cases[i].text), &err) != DOSI_OK)
            fail_msg("%s: %s", cases[i].text, err.message);
        assert_int_equal(dosi_plan_print(got, sizeof got, &length, plan,
                             DOSI_FORM_TEXT, NULL),
            DOSI_OK);
        assert_string_equal(got, cases[i].printed);
        dosi_plan_free(plan);
    }
}

typedef struct refusal {
    const char *text;
    dosi_status status;
    size_t offset;
    const char *message;
} refusal;

static void check(const refusal *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = cases[i].text;
        const dosi_plan *plan = NULL;
        dosi_error err = {0};
        dosi_status status = dosi_plan_parse(&plan, text, strlen(text), &err);
        assert_null(plan);
        if (status != cases[i].status || err.status != status ||
            err.offset != cases[i].offset ||
            strcmp(err.message, cases[i].message) != 0)
            fail_msg("%s\n  expected %s at %zu: %s\n  got %s at %zu: %s", text,
                dosi_status_name(cases[i].status), cases[i].offset,
                cases[i].message, dosi_status_name(status), err.offset,
                err.message);
        assert_int_equal(
            dosi_plan_parse(&plan, text, strlen(text), NULL), status);
    }
}

#define CHECK(cases) check(cases, sizeof(cases) / sizeof(cases)[0])

static void syntax_errors(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"", DOSI_ESYNTAX, 0,
            "expected a mechanism, found the end of the text"},
        {"  ", DOSI_ESYNTAX, 2,
            "expected a mechanism, found the end of the text"},
        {"gaussian", DOSI_ESYNTAX, 8,
            "expected '(', found the end of the text"},
        {"gaussian(1", DOSI_ESYNTAX, 10,
            "expected ',' or ')', found the end of the text"},
        {"gaussian(1,)", DOSI_EINVAL, 11, "gaussian: takes at most 1 argument"},
        {"gaussian(1))", DOSI_ESYNTAX, 11,
            "expected '+', '*' or the end of the text, found ')'"},
        {"gaussian(1) gaussian(1)", DOSI_ESYNTAX, 12,
            "expected '+', '*' or the end of the text, found 'gaussian'"},
        {"gaussian(1) +", DOSI_ESYNTAX, 13,
            "expected a mechanism, found the end of the text"},
        {"(gaussian(1)", DOSI_ESYNTAX, 12,
            "expected '+', '*' or ')', found the end of the text"},
        {"gaussian(1) * laplace(1)", DOSI_ESYNTAX, 14,
            "repeat: count must be a number, found 'laplace'"},
        {"7", DOSI_ESYNTAX, 0,
            "expected a mechanism, found a number without '*'"},
        {"poisson(0.1, 3)", DOSI_ESYNTAX, 13,
            "expected a mechanism, found a number without '*'"},
        {"poisson(gaussian(1), 0.1)", DOSI_ESYNTAX, 8,
            "poisson: rate must be a number, found 'gaussian'"},
        {"gaussian(sigma)", DOSI_ESYNTAX, 9,
            "gaussian: sigma must be a number, found 'sigma'"},
        {"gaussian(sigma=)", DOSI_ESYNTAX, 15,
            "gaussian: sigma must be a number, found ')'"},
        {"gaussian([1])", DOSI_ESYNTAX, 9,
            "gaussian: sigma must be a number, found '['"},
        {"gaussian(--1)", DOSI_ESYNTAX, 10,
            "gaussian: sigma must be a number, found '-'"},
        {"gaussian(1/2/3)", DOSI_ESYNTAX, 12, "expected ',' or ')', found '/'"},
        {"gaussian(?/2)", DOSI_ESYNTAX, 10, "expected ',' or ')', found '/'"},
        {"pmf(1, 2)", DOSI_ESYNTAX, 4,
            "pmf: p must be a list in brackets, found '1'"},
        {"pmf([1, 2)", DOSI_ESYNTAX, 9, "expected ',' or ']', found ')'"},
        {"pmf([], [])", DOSI_ESYNTAX, 5, "pmf: p must be a number, found ']'"},
        {"gaussian(1.2.3)", DOSI_ESYNTAX, 9, "'1.2.3' is not a number"},
        {"gaussian(1e)", DOSI_ESYNTAX, 9, "'1e' is not a number"},
        {"gaussian(0x10)", DOSI_ESYNTAX, 9, "'0x10' is not a number"},
        {"gaussian(1_000)", DOSI_ESYNTAX, 9, 
            "'1_000' is not a number; digits are not grouped"},
        {"gaussian(.)", DOSI_ESYNTAX, 9, "'.' is not a number"},
        {"gaussian(1) ~ pure(1)", DOSI_ESYNTAX, 12, "unexpected character '~'"},
        {"gaussian(\xce\xb6)", DOSI_ESYNTAX, 9,
            "unexpected byte 0xce: plans are written in ASCII, except labels "
            "and comments"},
        {"gaussian(1) \xff", DOSI_ESYNTAX, 12,
            "unexpected byte 0xff: plans are written in ASCII, except labels "
            "and comments"},
        {"gauss\aian(1)", DOSI_EINVAL, 0,
            "unknown kind 'gauss'; did you mean 'gaussian'?"},
        {"gaussian\a(1)", DOSI_ESYNTAX, 8,
            "unexpected byte 0x07: plans are written in ASCII, except labels "
            "and comments"},
        {"repeat(3, gaussian(1))", DOSI_ESYNTAX, 0,
            "'repeat' is written M * count"},
        {"compose(gaussian(1), gaussian(1))", DOSI_ESYNTAX, 0,
            "'compose' is written A + B"},
        {"rr(epsilon=1, 3)", DOSI_ESYNTAX, 14,
            "rr: a named argument must be followed by named ones"},
        {"poisson(rate=1, gaussian(1), 3)", DOSI_ESYNTAX, 29,
            "poisson: a named argument must be followed by named ones"},
    };
    CHECK(cases);
}

static void wrong_labels(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"\"a\" gaussian(1)", DOSI_ESYNTAX, 4,
            "expected ':' behind a label, found 'gaussian'"},
        {"\"a\": \"b\": gaussian(1)", DOSI_ESYNTAX, 5,
            "a label must stand before a part: \"label\": gaussian(1)"},
        {"\"\": gaussian(1)", DOSI_EINVAL, 0,
            "a label must have 1 to 200 bytes, got 0"},
        {"\"a", DOSI_ESYNTAX, 0,
            "the quote that opens here must be closed in its line"},
        {"pure(1) + \"a\n\": pure(1)", DOSI_ESYNTAX, 10,
            "the quote that opens here must be closed in its line"},
        {"\"a\\n\": pure(1)", DOSI_ESYNTAX, 2,
            "a backslash in quotes must stand before a quote or another "
            "backslash"},
        {"\"\xff\": pure(1)", DOSI_EINVAL, 0,
            "a label must be UTF-8 without control characters, got byte 0xff"},
        {"\"\xc2\x85\": pure(1)", DOSI_EINVAL, 0,
            "a label must be UTF-8 without control characters, got byte 0xc2"},
        {"\"\xe2\x80\xae\": pure(1)", DOSI_EINVAL, 0,
            "a label must be UTF-8 without control characters, got byte 0xe2"},
        {"\"\t\": pure(1)", DOSI_ESYNTAX, 1,
            "unexpected byte 0x09 in quotes"},
        {"county: pure(1)", DOSI_ESYNTAX, 0,
            "a label, which ':' follows, must be in double quotes"},
        {"(gaussian(1)\nlaplace(2))", DOSI_ESYNTAX, 13,
            "expected '+', '*' or ')', found 'laplace'"},
        {"pure(1) + @past.plan", DOSI_EINVAL, 10,
            "no file can be included here"},
        {"pure(1) + @", DOSI_ESYNTAX, 10,
            "'@' must be followed by the name of a file"},
    };
    CHECK(cases);
}

/* Names of files are the plans themselves. */
static dosi_status include_text(const dosi_plan **out, const char *name,
    void *context, dosi_error *err)
{
    size_t *n_calls = context;
    ++*n_calls;
    return dosi_plan_parse(out, name, strlen(name), err);
}

static void files_are_included(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
        dosi_status status;
        size_t offset, n_calls;
    } cases[] = {
        {"@\"gaussian(1)\"", "gaussian(1)", DOSI_OK, 0, 1},
        {"@\"pure(1) + pure(2)\" * 3 + laplace(2)",
            "(pure(1) + pure(2)) * 3 + laplace(2)", DOSI_OK, 0, 1},
        {"\"old\": @\"pure(?)\"\n@\"pure(1)\"",
            "\"old\": pure(?) + pure(1)", DOSI_OK, 0, 2},
        {"poisson(0.1, @\"\\\"in\\\": gaussian(1)\")",
            "poisson(0.1, \"in\": gaussian(1))", DOSI_OK, 0, 1},
        {"pure(1) + @x", "unknown kind 'x'", DOSI_EINVAL, 10, 1},
        {"pure(?) + @\"pure(?)\"",
            "a plan must have at most one hole, and this file has another",
            DOSI_EINVAL, 10, 1},
        {"@\"pure(?)\" + pure(?)",
            "pure: a plan must have at most one hole", DOSI_EINVAL, 18, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dosi_plan *plan = NULL;
        dosi_error err = {0};
        char got[256] = "";
        size_t length, n_calls = 0;
        dosi_status status = dosi_plan_parse_including(&plan, cases[i].text,
            strlen(cases[i].text), include_text, &n_calls, &err);
        if (status == DOSI_OK)
            assert_int_equal(dosi_plan_print(got, sizeof got, &length, plan,
                                 DOSI_FORM_TEXT, NULL),
                DOSI_OK);
        assert_string_equal(
            status == DOSI_OK ? got : err.message, cases[i].printed);
        assert_int_equal(status, cases[i].status);
        assert_int_equal(n_calls, cases[i].n_calls);
        if (status != DOSI_OK)
            assert_int_equal(err.offset, cases[i].offset);
        dosi_plan_free(plan);
    }
}

static void wrong_names_and_arguments(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"gausian(1)", DOSI_EINVAL, 0,
            "unknown kind 'gausian'; did you mean 'gaussian'?"},
        {"pure(1) + poison(0.1, pure(1))", DOSI_EINVAL, 10,
            "unknown kind 'poison'; did you mean 'poisson'?"},
        {"frobnicate(1)", DOSI_EINVAL, 0, "unknown kind 'frobnicate'"},
        {"shuffle(10, gaussian(1))", DOSI_EUNSUPPORTED, 0,
            "'shuffle': no amplification theorem for shuffled batches is "
            "implemented here; gaussian(1) bounds it without amplification, "
            "if a removed record leaves its slot empty"},
        {"gaussian()", DOSI_EINVAL, 9, "gaussian: sigma is missing"},
        {"approx(1)", DOSI_EINVAL, 8, "approx: delta is missing"},
        {"poisson(0.1)", DOSI_EINVAL, 11, "poisson: the mechanism is missing"},
        {"gaussian(1, 2)", DOSI_EINVAL, 12,
            "gaussian: takes at most 1 argument"},
        {"nonprivate(1)", DOSI_EINVAL, 11,
            "nonprivate: takes at most 0 arguments"},
        {"poisson(0.1, pure(1), pure(2))", DOSI_EINVAL, 22,
            "poisson: takes at most 2 arguments"},
        {"gaussian(1, sigma=2)", DOSI_EINVAL, 18,
            "gaussian: sigma is given twice"},
        {"gaussian(sigma=1, noise_multiplier=2)", DOSI_EINVAL, 35,
            "gaussian: sigma is given twice"},
        {"poisson(0.1, pure(1), of=pure(2))", DOSI_EINVAL, 25,
            "poisson: the mechanism is given twice"},
        {"gaussian(sgima=2)", DOSI_EINVAL, 9,
            "gaussian: unknown argument 'sgima'; did you mean 'sigma'?"},
        {"gaussian(of=2)", DOSI_EINVAL, 9, "gaussian: unknown argument 'of'"},
        {"laplace(noise_multiplier=2)", DOSI_EINVAL, 8,
            "laplace: unknown argument 'noise_multiplier'"},
    };
    CHECK(cases);
}

static void wrong_values(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"gaussian(-1)", DOSI_EINVAL, 9,
            "gaussian: sigma must be positive and finite, got -1"},
        {"laplace(1) + gaussian(sigma=0)", DOSI_EINVAL, 28,
            "gaussian: sigma must be positive and finite, got 0"},
        {"gaussian(nan)", DOSI_EINVAL, 9,
            "gaussian: sigma must be positive and finite, got nan"},
        {"gaussian(NaN)", DOSI_EINVAL, 9,
            "gaussian: sigma must be positive and finite, got nan"},
        {"gaussian(inf)", DOSI_EINVAL, 9,
            "gaussian: sigma must be positive and finite, got inf"},
        {"pure(-Infinity)", DOSI_EINVAL, 5,
            "pure: epsilon must be non-negative and finite, got -inf"},
        {"gaussian(1/inf)", DOSI_EINVAL, 9,
            "gaussian: sigma is a ratio outside the range of doubles"},
        {"gaussian(1e400)", DOSI_EINVAL, 9,
            "1e400 is greater than the largest double"},
        {"poisson(1e-400, gaussian(1))", DOSI_EINVAL, 8,
            "1e-400 is smaller than the smallest positive double"},
        {"gaussian(1e300/1e-300)", DOSI_EINVAL, 9,
            "gaussian: sigma is a ratio outside the range of doubles"},
        {"poisson(1e-300/1e300, pure(1))", DOSI_EINVAL, 8,
            "poisson: rate is a ratio outside the range of doubles"},
        {"gaussian(1/0)", DOSI_EINVAL, 9, "gaussian: sigma is divided by 0"},
        {"poisson(1.5, gaussian(1))", DOSI_EINVAL, 8,
            "poisson: rate must be between 0 and 1, got 1.5"},
        {"rr(1, 2.5)", DOSI_EINVAL, 6,
            "rr: categories must be an integer from 2 to 2^53, got 2.5"},
        {"without_replacement(11, 10, gaussian(1))", DOSI_EINVAL, 20,
            "without_replacement: batch must be at most the population, "
            "got 11 of 10"},
        {"gaussian(1) * 0", DOSI_EINVAL, 14,
            "repeat: count must be an integer from 1 to 2^53, got 0"},
        {"gaussian(1) * 9007199254740994", DOSI_EINVAL, 14,
            "repeat: count must be an integer from 1 to 2^53, "
            "got 9007199254740994"},
        {"-2 * gaussian(1)", DOSI_EINVAL, 0,
            "repeat: count must be an integer from 1 to 2^53, got -2"},
        {"pmf([1, -1], [1, 1])", DOSI_EINVAL, 4,
            "pmf: each entry of p must be non-negative and finite, got -1 "
            "as number 2"},
        {"pmf([1], [1, 2])", DOSI_EINVAL, 9,
            "pmf: p and q must have equally many entries, got 1 and 2"},
        {"pmf([?], [1])", DOSI_EINVAL, 5,
            "pmf: the hole cannot stand in a list"},
        {"gaussian(?) + laplace(?)", DOSI_EINVAL, 22,
            "laplace: a plan must have at most one hole"},
        {"approx(?, ?)", DOSI_EINVAL, 10,
            "approx: a plan must have at most one hole"},
    };
    CHECK(cases);
}

/* n copies of what, then the rest, then n copies of the end. */
static char *nested(
    const char *what, const char *rest, const char *end, size_t n)
{
    size_t a = strlen(what), b = strlen(end);
    char *text = malloc(n * (a + b) + strlen(rest) + 1), *s = text;
    assert_non_null(text);
    for (size_t i = 0; i < n; i++, s += a)
        memcpy(s, what, a);
    memcpy(s, rest, strlen(rest));
    s += strlen(rest);
    for (size_t i = 0; i < n; i++, s += b)
        memcpy(s, end, b);
    *s = '\0';
    return text;
}

static void nesting_is_limited(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        const char *end;
        size_t n_good;
        const char *message;
    } cases[] = {
        {"(", ")", 399, "plan: at most 400 parentheses may be open at once"},
        {"\"a\":(", ")", 399,
            "plan: at most 400 parentheses may be open at once"},
        {"2*", "", 199, "must be nested at most 200 levels deep"},
        {"", "*2", 199, "must be nested at most 200 levels deep"},
        {"group(2,", ")", 199, "must be nested at most 200 levels deep"},
        {"(pure(1)+", ")", 199, "must be nested at most 200 levels deep"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t big = 0; big < 2; big++) {
            size_t n = big ? (size_t)1 << 20 : cases[i].n_good + 2;
            const dosi_plan *plan = NULL;
            dosi_error err = {0};
            char *text = nested(cases[i].what, "gaussian(1)", cases[i].end, n);
            assert_int_equal(
                dosi_plan_parse(&plan, text, strlen(text), &err), DOSI_EINVAL);
            /* the deeper one may end at the limit of parentheses */
            if (!big)
                assert_non_null(strstr(err.message, cases[i].message));
            assert_true(err.offset < strlen(text));
            free(text);
            text = nested(
                cases[i].what, "gaussian(1)", cases[i].end, cases[i].n_good);
            assert_int_equal(
                dosi_plan_parse(&plan, text, strlen(text), &err), DOSI_OK);
            dosi_plan_free(plan);
            free(text);
        }
}

static void long_texts(void **state)
{
    (void)state;
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    char *text = nested("gaussian(1) + ", "laplace(1)", "", 20000);
    assert_int_equal(dosi_plan_parse(&plan, text, strlen(text), &err), DOSI_OK);
    assert_int_equal(dosi_plan_child_count(plan), 20001);
    dosi_plan_free(plan);
    free(text);
    text = nested("x", "", "", 1 << 20);
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), &err), DOSI_EINVAL);
    assert_true(strlen(err.message) < 80);
    free(text);
    text = nested("\"a\": gaussian(1) # of many\n", "laplace(1)", "", 20000);
    assert_int_equal(dosi_plan_parse(&plan, text, strlen(text), &err), DOSI_OK);
    assert_int_equal(dosi_plan_child_count(plan), 20001);
    dosi_plan_free(plan);
    free(text);
    /* what must not be looked through again and again */
    static const char *const long_ones[] = {"#", "\"", "\"a", "\"\\\"", "@",
        "@a", "\n", "#\n", ":", "x(", "poisson(", "shuffle(", "1,", "\xe2"};
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
        text = nested(long_ones[i], "", "", 1 << 18);
        assert_true(
            dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK);
        assert_true(strlen(err.message) < 200);
        free(text);
    }
    text = nested("9", "", "", 1 << 20);
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), &err), DOSI_EINVAL);
    free(text);
}

static void zero_bytes_and_ends(void **state)
{
    (void)state;
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    assert_int_equal(dosi_plan_parse(&plan, NULL, 0, &err), DOSI_ESYNTAX);
    assert_int_equal(
        dosi_plan_parse(&plan, "gaussian(1)\0", 12, &err), DOSI_ESYNTAX);
    assert_int_equal(err.offset, 11);
    /* only n_bytes are read, even where more digits follow */
    const char digits[] = {'p', 'u', 'r', 'e', '(', '1', ')', '*', '1', '2'};
    assert_int_equal(dosi_plan_parse(&plan, digits, 9, &err), DOSI_OK);
    assert_true(dosi_plan_parameter(plan, 0) == 1);
    dosi_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted),
        cmocka_unit_test(syntax_errors),
        cmocka_unit_test(wrong_labels),
        cmocka_unit_test(files_are_included),
        cmocka_unit_test(wrong_names_and_arguments),
        cmocka_unit_test(wrong_values),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(zero_bytes_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
