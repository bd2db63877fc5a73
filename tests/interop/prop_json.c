/*
 * JSON with bytes in it that do not belong there: NUL, raw or escaped, bytes
 * that are not UTF-8, control characters, blanks. A plan or a question with
 * such bytes anywhere is refused or means what it meant without them, never
 * something else; with a NUL, and cut short, it is refused.
 */
#include "support/questions.h"

#include "dosimeter/json.h"

#define JSON_BYTES 4000

static prop_random rng;

typedef struct insertion {
    const char *bytes;
    size_t n;
    bool is_refused; /* always */
} insertion;

#define INSERTION(bytes, is_refused) {bytes, sizeof(bytes) - 1, is_refused}

static const insertion insertions[] = {
    INSERTION("\0", true),
    INSERTION("\\u0000", true),
    INSERTION("\0*2", true),
    INSERTION("\\u0000*2", true),
    INSERTION("\xff", false),
    INSERTION("\xc0\x80", false), /* NUL, in more bytes than it has */
    INSERTION("\xed\xa0\x80", false), /* half a surrogate pair */
    INSERTION("\\ud800", false),
    INSERTION("\xe2\x82", false),
    INSERTION("\xef\xbb\xbf", false), /* the mark of byte order */
    INSERTION("\x01", false),
    INSERTION("\x7f", false),
    INSERTION(" ", false),
    INSERTION("\n", false),
    INSERTION("\t", false),
    INSERTION("\\n", false),
    INSERTION("\xc2\xa0", false), /* a blank that is none in JSON */
    INSERTION("\xe2\x80\x8b", false),
};

/* The text with an insertion at a random place; returns its length. */
static size_t insert(
    char *out, const char *text, size_t n, const insertion *i, size_t *at)
{
    *at = (size_t)prop_below(&rng, (int)n + 1);
    memcpy(out, text, *at);
    memcpy(out + *at, i->bytes, i->n);
    memcpy(out + *at + i->n, text + *at, n - *at);
    return n + i->n;
}

/* Bytes that would spoil the output are shown as numbers. */
static void say(const char *what, const char *text, size_t n)
{
    static char words[4 * JSON_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < n && used + 8 < sizeof words; i++) {
        unsigned char c = (unsigned char)text[i];
        bool shown = c >= 32 && c <= 126;
        used += (size_t)(shown ? snprintf(words + used, 8, "%c", c)
                               : snprintf(words + used, 8, "<%02x>", c));
    }
    report("%s: %s", what, words);
}

/* ---- Plans --------------------------------------------------------------- */

static void check_plan(const char *text, size_t n, const dosi_plan *plan,
    bool is_refused)
{
    const dosi_plan *back = NULL;
    dosi_error err = {0};
    dosi_status status = dosi_json_read_plan(&back, text, n, &err);
    if (status != DOSI_OK && (back != NULL || err.message[0] == '\0'))
        say("refused without a message", text, n);
    if (status == DOSI_OK && is_refused)
        say("a plan that should be refused", text, n);
    else if (status == DOSI_OK && !dosi_plan_equal(back, plan))
        say("another plan", text, n);
    dosi_plan_free(back);
}

static void one_plan(void)
{
    char text[PLAN_BYTES], json[JSON_BYTES], other[JSON_BYTES + 16];
    size_t n = 0, at = 0;
    plan_source s = {
        .rng = &rng, .extreme_one_in = 8, .worse = PLAN_AS_IT_IS};
    plan_random(text, &s, DOSI_ADD_REMOVE);
    const dosi_plan *plan = plan_of(text);
    assert_int_equal(dosi_plan_print(json, sizeof json, &n, plan,
                         DOSI_FORM_JSON, NULL),
        DOSI_OK);
    assert_true(n < sizeof json);
    check_plan(json, n, plan, false);
    for (size_t i = 0; i < sizeof insertions / sizeof *insertions; i++) {
        const insertion *bytes = &insertions[i];
        size_t m = insert(other, json, n, bytes, &at);
        check_plan(other, m, plan, bytes->is_refused);
    }
    check_plan(json, (size_t)prop_below(&rng, (int)n), plan, true);
    dosi_plan_free(plan);
}

/* ---- Questions ----------------------------------------------------------- */

static bool is_error(const char *answer)
{
    return strstr(answer, "\"error\"") != NULL;
}

static void check_question(const char *text, size_t n, const char *expected,
    bool is_refused)
{
    char *answer = NULL;
    dosi_error err;
    assert_int_equal(
        dosi_json_answer(&answer, text, n, NULL, &err), DOSI_OK);
    if (!is_error(answer) && is_refused)
        say("an answer to what should be refused", text, n);
    else if (!is_error(answer) && strcmp(answer, expected) != 0)
        say("an answer to another question", text, n);
    dosi_json_free(answer);
}

/* Every member counts: without its neighbours, route or width a question has
 * another answer. */
static size_t random_question(char *json, const char *plan)
{
    static const char *const asked[] = {"\"epsilon\",\"delta\":1e-5",
        "\"epsilon\",\"log_delta\":-30", "\"delta\",\"epsilon\":0.5",
        "\"tradeoff\",\"alpha\":0.05", "\"renyi\",\"order\":3",
        "\"zcdp\",\"xi\":0"};
    static const char *const more[] = {
        "", ",\"neighbours\":\"replace\"", ",\"route\":\"closed\""};
    int i = prop_below(&rng, (int)(sizeof asked / sizeof *asked));
    int j = prop_below(&rng, (int)(sizeof more / sizeof *more));
    return (size_t)snprintf(json, JSON_BYTES, "{\"query\":%s,\"plan\":%s%s}",
        asked[i], plan, more[j]);
}

static void one_question(void)
{
    static const char *const kinds[] = {
        "gaussian", "laplace", "pure", "rr", "zcdp", "gdp"};
    char text[PART_BYTES], plan[JSON_BYTES], json[JSON_BYTES];
    char other[JSON_BYTES + 16], *expected = NULL;
    size_t n = 0, at = 0;
    dosi_error err;
    double x = prop_scaled(&rng, -2, 3);
    snprintf(text, sizeof text, "%s(%.17g) * %d", kinds[prop_below(&rng, 6)],
        x, 1 + prop_below(&rng, 12));
    if (prop_below(&rng, 2)) {
        const dosi_plan *p = plan_of(text);
        assert_int_equal(dosi_plan_print(plan, sizeof plan, &n, p,
                             DOSI_FORM_JSON, NULL),
            DOSI_OK);
        dosi_plan_free(p);
    } else {
        snprintf(plan, sizeof plan, "\"%s\"", text);
    }
    n = random_question(json, plan);
    assert_int_equal(
        dosi_json_answer(&expected, json, n, NULL, &err), DOSI_OK);
    if (is_error(expected))
        say("no answer", json, n);
    for (size_t i = 0; i < sizeof insertions / sizeof *insertions; i++) {
        const insertion *bytes = &insertions[i];
        size_t m = insert(other, json, n, bytes, &at);
        check_question(other, m, expected, bytes->is_refused);
    }
    check_question(json, (size_t)prop_below(&rng, (int)n), expected, true);
    dosi_json_free(expected);
}

static void test_json(void **state)
{
    (void)state;
    for (long i = prop_count(150); i > 0; i--) {
        one_plan();
        one_question();
    }
    nothing_failed();
}

int main(void)
{
    rng = prop_start("prop_json");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
