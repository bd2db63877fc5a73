/*
 * Plans and questions as JSON: both trees read back what the printers write,
 * events keep to the safe side, and bad input is answered, never obeyed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <cjson/cJSON.h>

#include "dosimeter.h"
#include "dosimeter/json.h"

static const dosi_plan *text_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    return plan;
}

static const dosi_plan *json_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    dosi_status status =
        dosi_json_read_plan(&plan, text, strlen(text), &err);
    if (status != DOSI_OK)
        print_message("%s: %s\n", text, err.message);
    assert_int_equal(status, DOSI_OK);
    return plan;
}

static void printed(
    char *out, size_t size, const dosi_plan *plan, dosi_form form)
{
    size_t length;
    assert_int_equal(
        dosi_plan_print(out, size, &length, plan, form, NULL), DOSI_OK);
    assert_true(length < size);
}

/* The JSON tree reads back as the equal plan, the hole included. */
static void trees_read_back(void **state)
{
    (void)state;
    static const char *const plans[] = {
        "gaussian(1.1)",
        "poisson(0.004266666666666667, gaussian(1.1)) * 14063",
        "laplace(10) * 3 + gaussian(4)",
        "pmf([0.5, 0.25, 0.25], [0.25, 0.25, 0.5])",
        "rr(1, 4) + rr(2) + zcdp(0.1) + zcdp(0.1, 0.2, 1e-09)",
        "without_replacement(10, 100, group(3, laplace(2)) + pure(1))",
        "with_replacement(10, 100, discrete_gaussian(2)) * 9007199254740992",
        "gaussian(?) * 10",
        "pure(1) * ?",
        "nonprivate() + renyi(8, 0.5) + gdp(0.3) + approx(1, 1e-300)",
        "poisson(0.1, gaussian(1) * 10 + exponential(0.5)) * 5",
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        char tree[2000];
        const dosi_plan *plan = text_plan(plans[i]);
        printed(tree, sizeof tree, plan, DOSI_FORM_JSON);
        const dosi_plan *back = json_plan(tree);
        assert_true(dosi_plan_equal(plan, back));
        dosi_plan_free(back);
        dosi_plan_free(plan);
    }
}

/* Events in, normal text out: names and fields as in dp_accounting. */
static void events_are_understood(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":1.5}",
            "gaussian(1.5)"},
        {"{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":0}",
            "nonprivate()"},
        {"{\"module_name\":\"dp_accounting.dp_event\",\"class_name\":"
         "\"LaplaceDpEvent\",\"noise_multiplier\":2}",
            "laplace(2)"},
        {"{\"class_name\":\"DiscreteLaplaceDpEvent\",\"noise_parameter\":"
         "0.25,\"sensitivity\":1}",
            "discrete_laplace(4)"},
        {"{\"class_name\":\"DiscreteLaplaceDpEvent\",\"noise_parameter\":"
         "0.25,\"sensitivity\":3}",
            "group(3, discrete_laplace(4))"},
        {"{\"class_name\":\"ExponentialMechanismDpEvent\",\"epsilon\":0.5}",
            "exponential(0.5)"},
        {"{\"class_name\":\"EpsilonDeltaDpEvent\",\"epsilon\":0.5,"
         "\"delta\":1e-6}",
            "approx(0.5, 1e-06)"},
        {"{\"class_name\":\"ZCDpEvent\",\"rho\":0.5,\"xi\":0.25}",
            "zcdp(0.5, 0.25)"},
        {"{\"class_name\":\"NoOpDpEvent\"}", "pure(0)"},
        {"{\"class_name\":\"NonPrivateDpEvent\"}", "nonprivate()"},
        {"{\"class_name\":\"ComposedDpEvent\",\"events\":[]}", "pure(0)"},
        {"{\"class_name\":\"ComposedDpEvent\",\"events\":[{\"class_name\":"
         "\"GaussianDpEvent\",\"noise_multiplier\":1},{\"class_name\":"
         "\"SelfComposedDpEvent\",\"count\":3,\"event\":{\"class_name\":"
         "\"GaussianDpEvent\",\"noise_multiplier\":1}}]}",
            "gaussian(1) * 4"},
        {"{\"class_name\":\"PoissonSampledDpEvent\","
         "\"sampling_probability\":0.25,\"event\":{\"class_name\":"
         "\"GaussianDpEvent\",\"noise_multiplier\":1}}",
            "poisson(0.25, gaussian(1))"},
        {"{\"class_name\":\"SampledWithoutReplacementDpEvent\","
         "\"source_dataset_size\":100,\"sample_size\":10,\"event\":"
         "{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":1}}",
            "without_replacement(10, 100, group(2, gaussian(1)))"},
        {"{\"class_name\":\"SampledWithReplacementDpEvent\","
         "\"source_dataset_size\":100,\"sample_size\":10,\"event\":"
         "{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":1}}",
            "with_replacement(10, 100, group(2, gaussian(1)))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        const dosi_plan *normal = NULL, *plan = json_plan(cases[i][0]);
        assert_int_equal(dosi_plan_normal(&normal, plan, NULL), DOSI_OK);
        printed(text, sizeof text, normal, DOSI_FORM_TEXT);
        const dosi_plan *expected = text_plan(cases[i][1]);
        char want[500];
        printed(want, sizeof want, expected, DOSI_FORM_TEXT);
        assert_string_equal(text, want);
        dosi_plan_free(expected);
        dosi_plan_free(normal);
        dosi_plan_free(plan);
    }
}

/* Randomized response: e^eps = 1 + k (1 - p) / p, rounded up on reading and
 * p rounded down on writing, so that a round trip never gains privacy. */
static void randomized_response_keeps_to_the_safe_side(void **state)
{
    (void)state;
    for (int i = 1; i < 200; i++) {
        double p = i / 200.0;
        char event[200];
        (void)snprintf(event, sizeof event,
            "{\"class_name\":\"RandomizedResponseDpEvent\","
            "\"noise_parameter\":%.17g,\"num_buckets\":%d}",
            p, 2 + i % 5);
        const dosi_plan *plan = json_plan(event);
        double eps = dosi_plan_parameter(plan, 0);
        long double exact =
            log1pl((long double)(2 + i % 5) * (1 - (long double)p) / p);
        assert_true((long double)eps >= exact);
        assert_true((long double)eps <= exact * (1 + 1e-14L));
        char back[300];
        printed(back, sizeof back, plan, DOSI_FORM_EVENTS);
        const dosi_plan *again = json_plan(back);
        assert_true(dosi_plan_parameter(again, 0) >= eps);
        assert_true(
            dosi_plan_parameter(again, 0) <= eps * (1 + 1e-12) + 1e-12);
        dosi_plan_free(again);
        dosi_plan_free(plan);
    }
}

#define GAUSSIAN "{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":1}"
#define LAPLACE "{\"class_name\":\"LaplaceDpEvent\",\"noise_multiplier\":2}"
#define STATED                                                                \
    "{\"class_name\":\"EpsilonDeltaDpEvent\",\"epsilon\":1,"                   \
    "\"delta\":0.125}"
#define SAMPLED(event)                                                        \
    "{\"class_name\":\"PoissonSampledDpEvent\",\"sampling_probability\":"      \
    "0.25,\"event\":" event "}"
#define BATCH(name, event)                                                    \
    "{\"class_name\":\"Sampled" name "DpEvent\",\"source_dataset_size\":9,"    \
    "\"sample_size\":1,\"event\":" event "}"
#define BOTH(a, b)                                                            \
    "{\"class_name\":\"ComposedDpEvent\",\"events\":[" a "," b "]}"

/*
 * An event's noise is relative to the norm of one record. Replacing the
 * record moves a sum by up to twice that; what poisson holds is stated for a
 * record added or removed under both relations.
 */
static void events_follow_the_relation(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *of[3]; /* add_remove, replace, natural */
    } cases[] = {
        {GAUSSIAN, {"gaussian(1)", "group(2, gaussian(1))", "gaussian(1)"}},
        {LAPLACE, {"laplace(2)", "group(2, laplace(2))", "laplace(2)"}},
        {"{\"class_name\":\"DiscreteLaplaceDpEvent\",\"noise_parameter\":"
         "0.5,\"sensitivity\":3}",
            {"group(3, discrete_laplace(2))",
                "group(2, group(3, discrete_laplace(2)))",
                "group(3, discrete_laplace(2))"}},
        {"{\"class_name\":\"DiscreteGaussianDpEvent\",\"sigma\":2,"
         "\"dimension\":1}",
            {"discrete_gaussian(2)", "group(2, discrete_gaussian(2))",
                "discrete_gaussian(2)"}},
        {STATED, {"approx(1, 0.125)", "approx(1, 0.125)",
                     "approx(1, 0.125)"}},
        {SAMPLED(GAUSSIAN), {"poisson(0.25, gaussian(1))",
                                "poisson(0.25, gaussian(1))",
                                "poisson(0.25, gaussian(1))"}},
        {SAMPLED(STATED), {"poisson(0.25, approx(1, 0.125))", NULL,
                              "poisson(0.25, approx(1, 0.125))"}},
        {BATCH("WithReplacement", STATED),
            {"with_replacement(1, 9, group(2, approx(1, 0.125)))",
                "with_replacement(1, 9, approx(1, 0.125))",
                "with_replacement(1, 9, group(2, approx(1, 0.125)))"}},
        {BATCH("WithReplacement", BOTH(GAUSSIAN, LAPLACE)),
            {"with_replacement(1, 9, "
             "(group(2, gaussian(1)) + group(2, laplace(2))))",
                "with_replacement(1, 9, "
                "(group(2, gaussian(1)) + group(2, laplace(2))))",
                "with_replacement(1, 9, "
                "(group(2, gaussian(1)) + group(2, laplace(2))))"}},
        {BOTH(LAPLACE, BATCH("WithoutReplacement", STATED)),
            {"laplace(2) + without_replacement(1, 9, group(2, approx(1, "
             "0.125)))",
                "group(2, laplace(2)) + without_replacement(1, 9, approx(1, "
                "0.125))",
                "group(2, laplace(2)) + without_replacement(1, 9, approx(1, "
                "0.125))"}},
        {BATCH("WithoutReplacement", SAMPLED(GAUSSIAN)),
            {"without_replacement(1, 9, poisson(0.25, gaussian(1)))",
                "without_replacement(1, 9, poisson(0.25, gaussian(1)))",
                "without_replacement(1, 9, poisson(0.25, gaussian(1)))"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int r = 0; r < 3; r++) {
            const dosi_plan *plan = NULL;
            dosi_error err = {0};
            dosi_status status = dosi_json_read_plan_under(&plan,
                cases[i].json, strlen(cases[i].json), (dosi_neighbours)r,
                &err);
            if (cases[i].of[r] == NULL) {
                assert_int_equal(status, DOSI_EUNSUPPORTED);
                assert_non_null(
                    strstr(err.message, "sample of EpsilonDeltaDpEvent"));
                continue;
            }
            assert_int_equal(status, DOSI_OK);
            const dosi_plan *expected = text_plan(cases[i].of[r]);
            assert_true(dosi_plan_equal(plan, expected));
            dosi_plan_free(expected);
            dosi_plan_free(plan);
        }
}

/* A dimension that is unknown is not 1. */
static void events_of_unknown_dimension_are_refused(void **state)
{
    (void)state;
    static const char text[] =
        "{\"class_name\":\"DiscreteGaussianDpEvent\",\"sigma\":2}";
    const dosi_plan *plan = NULL;
    assert_int_equal(
        dosi_json_read_plan(&plan, text, sizeof text - 1, NULL), DOSI_EINVAL);
}

static void bad_plans_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        dosi_status status;
        const char *says;
    } cases[] = {
        {"{\"kind\":\"gaussian\",\"sigma\":1", DOSI_ESYNTAX, "not JSON"},
        {"", DOSI_ESYNTAX, "not JSON"},
        {"{\"kind\":\"gaussian\",\"sigma\":1} x", DOSI_ESYNTAX, "not JSON"},
        {"[1,2]", DOSI_EINVAL, "a plan must be an object"},
        {"{\"kind\":\"gaussian(1) + pure\",\"epsilon\":1}", DOSI_EINVAL,
            "unknown kind"},
        {"{\"kind\":\"gaussian\"}", DOSI_ESYNTAX, "sigma"},
        {"{\"kind\":\"gaussian\",\"sigma\":1,\"mu\":2}", DOSI_EINVAL,
            "takes no mu"},
        {"{\"kind\":\"gaussian\",\"sigma\":\"1\"}", DOSI_EINVAL,
            "must be a number"},
        {"{\"kind\":\"gaussian\",\"sigma\":-1}", DOSI_EINVAL, "positive"},
        {"{\"kind\":\"gaussian\",\"sigma\":1,\"sigma\":2}", DOSI_ESYNTAX,
            "not JSON"},
        {"{\"kind\":\"compose\",\"parts\":3}", DOSI_EINVAL, "parts"},
        {"{\"kind\":\"repeat\",\"of\":{\"kind\":\"pure\",\"epsilon\":1},"
         "\"count\":9007199254740994}",
            DOSI_EINVAL, "count"},
        {"{\"class_name\":\"TruncatedSubsampledGaussianDpEvent\"}",
            DOSI_EUNSUPPORTED, "TruncatedSubsampledGaussianDpEvent"},
        {"{\"class_name\":\"SelfComposedDpEvent\",\"count\":0,\"event\":"
         "{\"class_name\":\"NoOpDpEvent\"}}",
            DOSI_EINVAL, "count"},
        {"{\"class_name\":\"GaussianDpEvent\"}", DOSI_EINVAL,
            "noise_multiplier"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dosi_plan *plan = NULL;
        dosi_error err = {0};
        dosi_status status = dosi_json_read_plan(
            &plan, cases[i].json, strlen(cases[i].json), &err);
        if (strstr(err.message, cases[i].says) == NULL)
            print_message("%s: %s\n", cases[i].json, err.message);
        assert_non_null(strstr(err.message, cases[i].says));
        assert_true(status == cases[i].status ||
                    (status != DOSI_OK && cases[i].status == DOSI_ESYNTAX));
        assert_null(plan);
    }
}

/* ---- Questions --------------------------------------------------------- */

static cJSON *ask(const char *question)
{
    char *text = NULL;
    assert_int_equal(
        dosi_json_answer(&text, question, strlen(question), NULL, NULL),
        DOSI_OK);
    assert_null(strchr(text, '\n'));
    cJSON *answer = cJSON_Parse(text);
    assert_non_null(answer);
    dosi_json_free(text);
    return answer;
}

static double number(const cJSON *answer, const char *key)
{
    const cJSON *value = cJSON_GetObjectItem(answer, key);
    assert_true(cJSON_IsNumber(value));
    return value->valuedouble;
}

static void questions_are_answered(void **state)
{
    (void)state;
    cJSON *a = ask("{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\","
                    "\"delta\":1e-6,\"neighbours\":\"replace\",\"id\":[7]}");
    assert_true(number(a, "lower") <= 4.8865541174623);
    assert_true(number(a, "upper") >= 4.8865541174621);
    assert_true(number(a, "upper") - number(a, "lower") < 1e-12);
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(a, "neighbours")), "replace");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(a, "id")), 1);
    cJSON_Delete(a);
    a = ask("{\"query\":\"epsilon\",\"log_delta\":-2000,\"plan\":"
            "{\"kind\":\"gaussian\",\"sigma\":1}}");
    assert_true(number(a, "upper") > 60 && number(a, "upper") < 70);
    cJSON_Delete(a);
    a = ask("{\"query\":\"delta\",\"epsilon\":1,\"plan\":\"gaussian(1)\"}");
    assert_true(fabs(number(a, "upper") - 0.126936737506644) < 1e-14);
    cJSON_Delete(a);
    a = ask("{\"query\":\"epsilon\",\"delta\":0.1,\"plan\":"
            "\"nonprivate()\"}");
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(a, "upper")), "inf");
    cJSON_Delete(a);
}

/*
 * delta(e) = Phi(1 - e/2) - exp(e) Phi(-1 - e/2) of distance 2 and sigma 1
 * is 1e-5 at e = 9.997256146434300...; 1 - exp((e - 1)/2) of Laplace noise of
 * scale 2 and distance 2 at e = 1 + 2 log(1 - 1e-5). By mpmath, 30 digits.
 */
static void events_replaced_lose_twice(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        double least, most;
    } cases[] = {
        {"{\"query\":\"epsilon\",\"delta\":1e-5,\"neighbors\":\"replace\","
         "\"plan\":" GAUSSIAN "}",
            9.9972561464342, 9.9972561464344},
        {"{\"query\":\"epsilon\",\"delta\":1e-5,\"neighbours\":\"replace\","
         "\"plan\":" LAPLACE "}",
            0.99997999989999, 0.99997999990001},
        {"{\"query\":\"epsilon\",\"delta\":1e-5,\"plan\":" GAUSSIAN "}",
            4.3771780956812, 4.3771780956813},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *a = ask(cases[i].json);
        assert_true(number(a, "upper") >= cases[i].least);
        assert_true(number(a, "lower") <= cases[i].most);
        assert_true(number(a, "upper") - number(a, "lower") < 1e-12);
        cJSON_Delete(a);
    }
}

static void bad_questions_are_answered(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{\"query\":\"epsilon\"", "ESYNTAX"},
        {"17", "EINVAL"},
        {"{\"query\":\"epsilom\",\"plan\":\"gaussian(1)\",\"delta\":0.1}",
            "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\"}", "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":-1}",
            "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":1}",
            "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":\"x\"}",
            "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":0.1,"
         "\"neighbours\":\"both\"}",
            "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":0.1,"
         "\"speed\":3}",
            "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1\",\"delta\":0.1}",
            "ESYNTAX"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(?)\",\"delta\":0.1}",
            "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"\xff\",\"delta\":0.1}",
            "ESYNTAX"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":0.1,"
         "\"log_delta\":-9}",
            "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":0.1,"
         "\"epsilon\":1}",
            "EINVAL"},
        {"{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":0.1,"
         "\"route\":7}",
            "EINVAL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        dosi_error err = {0};
        assert_int_equal(dosi_json_answer(&text, cases[i][0],
                             strlen(cases[i][0]), NULL, &err),
            DOSI_OK);
        assert_string_equal(dosi_status_name(err.status), cases[i][1]);
        dosi_json_free(text);
        cJSON *a = ask(cases[i][0]);
        const cJSON *error = cJSON_GetObjectItem(a, "error");
        assert_string_equal(
            cJSON_GetStringValue(cJSON_GetObjectItem(error, "status")),
            cases[i][1]);
        assert_true(
            strlen(cJSON_GetStringValue(
                cJSON_GetObjectItem(error, "message"))) > 5);
        assert_non_null(cJSON_GetObjectItem(error, "offset"));
        cJSON_Delete(a);
    }
}

/* ---- Bytes ------------------------------------------------------------- */

#define BYTES(text) text, sizeof text - 1

/* Where a NUL or a byte that is not UTF-8 stands; none of these texts means
 * what stands before it. */
static const struct {
    const char *text;
    size_t n;
    size_t offset;
} bad_bytes[] = {
    {BYTES("{\"kind\":\"gaussian\\u0000\",\"sigma\":1}"), 17},
    {BYTES("{\"kind\":\"gaussian\0\",\"sigma\":1}"), 17},
    {BYTES("{\"kind\\u0000s\":\"gaussian\",\"sigma\":1}"), 6},
    {BYTES("{\"kind\":\"gaussian\",\"sigma\\u0000\":1}"), 25},
    {BYTES("{\"kind\":\"gaussian\",\"sigma\":1\0}"), 28},
    {BYTES("{\"kind\":\"gaussian\",\0\"sigma\":1}"), 19},
    {BYTES("{\"kind\":\"gaussian\",\"sigma\":1}\0"), 29},
    {BYTES("{\"kind\":\"gaussian\",\"sigma\":1}\0*2"), 29},
    {BYTES("{\"kind\":\"repeat\",\"count\":\"?\\u0000\",\"of\":"
           "{\"kind\":\"pure\",\"epsilon\":1}}"), 27},
    {BYTES("{\"class_name\":\"NoOpDpEvent\\u0000x\"}"), 26},
    {BYTES("{\"class_name\\u0000\":\"NoOpDpEvent\"}"), 12},
    {BYTES("{\"kind\":\"gauss\\\\\\u0000\",\"sigma\":1}"), 16},
    {BYTES("{\"kind\":\"gaussian\xc0\x80\",\"sigma\":1}"), 17},
    {BYTES("{\"kind\":\"gaussian\xed\xa0\x80\",\"sigma\":1}"), 17},
};

static void nul_is_a_syntax_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_bytes / sizeof *bad_bytes; i++) {
        const dosi_plan *plan = NULL;
        dosi_sampler *sampler = NULL;
        dosi_error err = {0};
        assert_int_equal(dosi_json_read_plan(&plan, bad_bytes[i].text,
                             bad_bytes[i].n, &err),
            DOSI_ESYNTAX);
        assert_int_equal(err.offset, bad_bytes[i].offset);
        assert_null(plan);
        err = (dosi_error){0};
        assert_int_equal(dosi_json_read_sampler(&sampler, bad_bytes[i].text,
                             bad_bytes[i].n, DOSI_ADD_REMOVE, &err),
            DOSI_ESYNTAX);
        assert_int_equal(err.offset, bad_bytes[i].offset);
        char *answer = NULL;
        assert_int_equal(dosi_json_answer(&answer, bad_bytes[i].text,
                             bad_bytes[i].n, NULL, NULL),
            DOSI_OK);
        assert_non_null(strstr(answer, "\"status\":\"ESYNTAX\""));
        dosi_json_free(answer);
    }
}

/* What the text form refuses: each would be read as a smaller number. */
static void numbers_without_a_double_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        size_t offset;
        const char *says;
    } cases[] = {
        {"{\"kind\":\"pure\",\"epsilon\":1e-400}", 25, "1e-400 is smaller"},
        {"{\"kind\":\"pure\",\"epsilon\":0.02E-350}", 25, "is smaller"},
        {"{\"kind\":\"pure\",\"epsilon\":1e400}", 25, "1e400 is greater"},
        {"{\"kind\":\"repeat\",\"count\":9007199254740993,\"of\":"
         "{\"kind\":\"pure\",\"epsilon\":1}}",
            25, "9007199254740993 is greater than the double"},
        {"{\"class_name\":\"ComposedDpEvent\",\"a\\\"0\":\"1e400\","
         "\"events\":[],\"b\":[-1e-400]}",
            65, "1e-400 is smaller"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dosi_plan *plan = NULL;
        dosi_error err = {0};
        assert_int_equal(dosi_json_read_plan(&plan, cases[i].json,
                             strlen(cases[i].json), &err),
            DOSI_EINVAL);
        assert_non_null(strstr(err.message, cases[i].says));
        assert_int_equal(err.offset, cases[i].offset);
    }
    dosi_plan_free(json_plan("{\"kind\":\"repeat\",\"count\":"
                             "9007199254740992,\"of\":{\"kind\":\"pure\","
                             "\"epsilon\":0e-400}}"));
    dosi_plan_free(json_plan("{\"kind\":\"pure\",\"epsilon\":5e-324}"));
    const dosi_plan *plan = NULL; /* the text ends with the number */
    assert_int_equal(dosi_json_read_plan(&plan, "17x", 2, NULL), DOSI_EINVAL);
}

/* gaussian(1) loses 0.1269 where gaussian(1) * 2 loses 0.2862. */
static void questions_with_nul_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{\"query\":\"delta\",\"epsilon\":1,"
        "\"plan\":\"gaussian(1)\\u0000*2\"}",
        "{\"query\":\"delta\\u0000s\",\"epsilon\":1,"
        "\"plan\":\"gaussian(1)\"}",
        "{\"query\":\"delta\",\"epsilon\\u0000\":1,"
        "\"plan\":\"gaussian(1)\"}",
        "{\"query\":\"delta\",\"epsilon\":1,\"neighbours\":"
        "\"replace\\u0000d\",\"plan\":\"gaussian(1)\"}",
        "{\"query\":\"delta\",\"epsilon\":1,\"route\":"
        "\"closed\\u0000d\",\"plan\":\"gaussian(1)\"}",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *a = ask(cases[i]);
        const cJSON *error = cJSON_GetObjectItem(a, "error");
        assert_string_equal(
            cJSON_GetStringValue(cJSON_GetObjectItem(error, "status")),
            "ESYNTAX");
        assert_int_equal(number(error, "offset"),
            (int)(strstr(cases[i], "\\u0000") - cases[i]));
        cJSON_Delete(a);
    }
    /* a backslash that is escaped itself begins no NUL */
    cJSON *a = ask("{\"query\":\"delta\",\"epsilon\":1,"
                   "\"plan\":\"gaussian(1)\",\"id\":\"\\\\u0000\"}");
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(a, "id")), "\\u0000");
    cJSON_Delete(a);
}

/* Records that differ behind a NUL are not one record. */
static void samples_with_nul_are_refused(void **state)
{
    (void)state;
    static const char text[] = "{\"first\":[1,0],\"second\":[0,1],"
                               "\"samples\":[[\"a\\u0000b\"],[\"a\"]]}";
    dosi_sampler *sampler = NULL;
    dosi_error err = {0};
    assert_int_equal(dosi_json_read_sampler(
                         &sampler, text, sizeof text - 1, DOSI_REPLACE, &err),
        DOSI_ESYNTAX);
    assert_int_equal(err.offset, 44);
}

/* A megabyte of brackets is an answer, not a crash. */
static void depth_is_limited(void **state)
{
    (void)state;
    size_t n = 1 << 20;
    char *text = malloc(n + 1);
    assert_non_null(text);
    memset(text, '[', n);
    text[n] = '\0';
    const dosi_plan *plan = NULL;
    assert_int_equal(dosi_json_read_plan(&plan, text, n, NULL), DOSI_ESYNTAX);
    static const char level[] = "{\"kind\":\"group\",\"size\":1,\"of\":";
    size_t step = sizeof level - 1, levels = 1500;
    for (size_t i = 0; i < levels; i++)
        memcpy(text + i * step, level, step);
    memset(text + levels * step, '}', levels);
    dosi_status status = dosi_json_read_plan(
        &plan, text, levels * step + levels, NULL);
    assert_true(status == DOSI_EINVAL || status == DOSI_ESYNTAX);
    free(text);
}

static const char good_claims[] =
    "[{\"label\":\"a\",\"plan\":\"gaussian(2)\",\"epsilon\":1.5,"
    "\"delta\":1e-5},"
    "{\"plan\":{\"kind\":\"pure\",\"epsilon\":1},\"mu\":2,"
    "\"neighbors\":\"replace\"},"
    "{\"plan\":\"pure(1)\",\"alpha\":0.1,\"beta\":0.5}]";

static void claims_are_read(void **state)
{
    (void)state;
    dosi_json_claims *claims = NULL;
    assert_int_equal(dosi_json_read_claims(&claims, good_claims,
                         sizeof good_claims - 1, DOSI_NATURAL, NULL),
        DOSI_OK);
    assert_int_equal(claims->n, 3);
    assert_string_equal(claims->claims[0].label, "a");
    assert_null(claims->claims[1].label);
    assert_int_equal(claims->claims[0].neighbours, DOSI_NATURAL);
    assert_int_equal(claims->claims[1].neighbours, DOSI_REPLACE);
    assert_int_equal(claims->claims[0].target.kind, DOSI_TARGET_EPSILON);
    assert_true(claims->claims[0].target.value == 1.5);
    assert_true(claims->claims[0].target.at == 1e-5);
    assert_int_equal(claims->claims[1].target.kind, DOSI_TARGET_GDP);
    assert_true(claims->claims[1].target.at == 0);
    assert_int_equal(claims->claims[2].target.kind, DOSI_TARGET_TRADEOFF);
    assert_true(dosi_plan_parameter(claims->claims[0].plan, 0) == 2);
    dosi_json_claims_free(claims);
    dosi_json_claims_free(NULL);
}

/* Each message names the claim, and nothing is returned. */
static void bad_claims_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"{}", "claims must be a list of at least one object"},
        {"[]", "claims must be a list of at least one object"},
        {"[3]", "claim 1: a claim must be an object"},
        {"[{\"plan\":\"pure(1)\",\"epsilon\":1}]",
            "claim 1: a target must be"},
        {"[{\"plan\":\"pure(1)\",\"mu\":1,\"rho\":1}]",
            "claim 1: a target must be"},
        {"[{\"plan\":\"pure(1)\",\"mu\":1},{\"mu\":1}]",
            "claim 2: the member \"plan\" is missing"},
        {"[{\"plan\":\"pure(x)\",\"mu\":1}]", "claim 1: pure: epsilon"},
        {"[{\"plan\":\"pure(1)\",\"mu\":1,\"name\":\"a\"}]",
            "claim 1: a claim has no member \"name\""},
        {"[{\"plan\":\"pure(1)\",\"mu\":1,\"label\":3}]",
            "claim 1: label must be a string"},
        {"[{\"plan\":\"pure(1)\",\"mu\":1,\"neighbours\":\"all\"}]",
            "claim 1: neighbours must be"},
        {"[{\"plan\":\"pure(1)\",\"mu\":\"1\"}]",
            "claim 1: mu of a target must be a number"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dosi_json_claims *claims = NULL;
        dosi_error err = {0};
        assert_int_equal(dosi_json_read_claims(&claims, bad[i].text,
                             strlen(bad[i].text), DOSI_NATURAL, &err),
            DOSI_EINVAL + (i == 6));
        assert_null(claims);
        assert_memory_equal(
            err.message, bad[i].message, strlen(bad[i].message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_read_back),
        cmocka_unit_test(events_are_understood),
        cmocka_unit_test(randomized_response_keeps_to_the_safe_side),
        cmocka_unit_test(events_follow_the_relation),
        cmocka_unit_test(events_of_unknown_dimension_are_refused),
        cmocka_unit_test(bad_plans_are_refused),
        cmocka_unit_test(questions_are_answered),
        cmocka_unit_test(events_replaced_lose_twice),
        cmocka_unit_test(bad_questions_are_answered),
        cmocka_unit_test(numbers_without_a_double_are_refused),
        cmocka_unit_test(nul_is_a_syntax_error),
        cmocka_unit_test(questions_with_nul_are_refused),
        cmocka_unit_test(samples_with_nul_are_refused),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(claims_are_read),
        cmocka_unit_test(bad_claims_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
