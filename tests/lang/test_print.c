/*
 * The writers: text, JSON, events, and the hash of the text.
 */
#include "lang/print.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <arb.h>
#include <cmocka.h>

static const dosi_plan *read_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

static void json(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"gaussian(1.1)", "{\"kind\":\"gaussian\",\"sigma\":1.1}"},
        {"rr(1)", "{\"kind\":\"rr\",\"epsilon\":1,\"categories\":2}"},
        {"nonprivate()", "{\"kind\":\"nonprivate\"}"},
        {"gaussian(?)", "{\"kind\":\"gaussian\",\"sigma\":\"?\"}"},
        {"gdp(1e-300)", "{\"kind\":\"gdp\",\"mu\":1e-300}"},
        {"pmf([0.5, 0.5], [1, 0])",
            "{\"kind\":\"pmf\",\"p\":[0.5,0.5],\"q\":[1,0]}"},
        {"poisson(0.01, gaussian(1.1)) * 1000",
            "{\"kind\":\"repeat\",\"count\":1000,\"of\":"
            "{\"kind\":\"poisson\",\"rate\":0.01,\"of\":"
            "{\"kind\":\"gaussian\",\"sigma\":1.1}}}"},
        {"pure(1) + without_replacement(1, 2, pure(3)) * ?",
            "{\"kind\":\"compose\",\"parts\":["
            "{\"kind\":\"pure\",\"epsilon\":1},"
            "{\"kind\":\"repeat\",\"count\":\"?\",\"of\":"
            "{\"kind\":\"without_replacement\",\"batch\":1,\"population\":2,"
            "\"of\":{\"kind\":\"pure\",\"epsilon\":3}}}]}"},
        {"pure(1) * 9007199254740992",
            "{\"kind\":\"repeat\",\"count\":9007199254740992,\"of\":"
            "{\"kind\":\"pure\",\"epsilon\":1}}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dosi_plan *plan = read_plan(cases[i][0]);
        char got[512];
        size_t length;
        assert_int_equal(dosi_plan_print(got, sizeof got, &length, plan,
                             DOSI_FORM_JSON, NULL),
            DOSI_OK);
        assert_string_equal(got, cases[i][1]);
        assert_int_equal(length, strlen(got));
        dosi_plan_free(plan);
    }
}

/* Class and field names as in dp_accounting's dp_event.py. */
static void events(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"gaussian(1.1)",
            "{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":1.1}"},
        {"laplace(2)",
            "{\"class_name\":\"LaplaceDpEvent\",\"noise_multiplier\":2}"},
        {"discrete_gaussian(3)",
            "{\"class_name\":\"DiscreteGaussianDpEvent\",\"sigma\":3,"
            "\"sensitivity\":1,\"dimension\":1}"},
        {"discrete_laplace(2)", "{\"class_name\":\"DiscreteLaplaceDpEvent\","
                                "\"noise_parameter\":0.5,\"sensitivity\":1}"},
        /* 1/3 rounded up, by 200-bit arithmetic */
        {"discrete_laplace(3)",
            "{\"class_name\":\"DiscreteLaplaceDpEvent\","
            "\"noise_parameter\":0.33333333333333337,\"sensitivity\":1}"},
        {"group(4, discrete_laplace(2))",
            "{\"class_name\":\"DiscreteLaplaceDpEvent\","
            "\"noise_parameter\":0.5,\"sensitivity\":4}"},
        {"group(4, laplace(2))",
            "{\"class_name\":\"LaplaceDpEvent\",\"noise_multiplier\":0.5}"},
        /* the double nearest to 1/5 is 0.200000000000000011... */
        {"group(5, gaussian(1))",
            "{\"class_name\":\"GaussianDpEvent\","
            "\"noise_multiplier\":0.19999999999999998}"},
        /* a record replaced is one removed and one added */
        {"without_replacement(1, 9, group(2, gaussian(1)))",
            "{\"class_name\":\"SampledWithoutReplacementDpEvent\","
            "\"source_dataset_size\":9,\"sample_size\":1,\"event\":"
            "{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":1}}"},
        {"with_replacement(1, 9, group(3, discrete_laplace(2)))",
            "{\"class_name\":\"SampledWithReplacementDpEvent\","
            "\"source_dataset_size\":9,\"sample_size\":1,\"event\":"
            "{\"class_name\":\"DiscreteLaplaceDpEvent\","
            "\"noise_parameter\":0.5,\"sensitivity\":2}}"},
        {"group(2, discrete_gaussian(3))",
            "{\"class_name\":\"DiscreteGaussianDpEvent\",\"sigma\":3,"
            "\"sensitivity\":2,\"dimension\":1}"},
        /* 2 / (e + 1) rounded down, by 200-bit arithmetic */
        {"rr(1)", "{\"class_name\":\"RandomizedResponseDpEvent\","
                  "\"noise_parameter\":0.5378828427399902,\"num_buckets\":2}"},
        {"exponential(0.5)", "{\"class_name\":\"ExponentialMechanismDpEvent\","
                             "\"epsilon\":0.5}"},
        {"pure(1)", "{\"class_name\":\"EpsilonDeltaDpEvent\",\"epsilon\":1,"
                    "\"delta\":0}"},
        {"pure(0)", "{\"class_name\":\"NoOpDpEvent\"}"},
        {"approx(1, 1e-6)",
            "{\"class_name\":\"EpsilonDeltaDpEvent\",\"epsilon\":1,"
            "\"delta\":1e-6}"},
        {"zcdp(0.5, 0.1)",
            "{\"class_name\":\"ZCDpEvent\",\"rho\":0.5,\"xi\":0.1}"},
        {"nonprivate()", "{\"class_name\":\"NonPrivateDpEvent\"}"},
        {"poisson(0.01, gaussian(1)) * 10",
            "{\"class_name\":\"SelfComposedDpEvent\",\"count\":10,\"event\":"
            "{\"class_name\":\"PoissonSampledDpEvent\","
            "\"sampling_probability\":0.01,\"event\":"
            "{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":1}}}"},
        {"without_replacement(3, 7, pure(1))",
            "{\"class_name\":\"SampledWithoutReplacementDpEvent\","
            "\"source_dataset_size\":7,\"sample_size\":3,\"event\":"
            "{\"class_name\":\"EpsilonDeltaDpEvent\",\"epsilon\":1,"
            "\"delta\":0}}"},
        {"with_replacement(9, 7, nonprivate())",
            "{\"class_name\":\"SampledWithReplacementDpEvent\","
            "\"source_dataset_size\":7,\"sample_size\":9,\"event\":"
            "{\"class_name\":\"NonPrivateDpEvent\"}}"},
        {"pure(0) + laplace(1)",
            "{\"class_name\":\"ComposedDpEvent\",\"events\":["
            "{\"class_name\":\"NoOpDpEvent\"},"
            "{\"class_name\":\"LaplaceDpEvent\",\"noise_multiplier\":1}]}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dosi_plan *plan = read_plan(cases[i][0]);
        char got[512];
        size_t length;
        assert_int_equal(dosi_plan_print(got, sizeof got, &length, plan,
                             DOSI_FORM_EVENTS, NULL),
            DOSI_OK);
        assert_string_equal(got, cases[i][1]);
        dosi_plan_free(plan);
    }
}

static void parts_without_event_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"gaussian(1) + gdp(1)", "events: dp_accounting has no event for gdp"},
        {"group(2, pure(1)) * 3",
            "events: dp_accounting has no event for group"},
        {"renyi(2, 1)", "events: dp_accounting has no event for renyi"},
        {"pmf([1], [1])", "events: dp_accounting has no event for pmf"},
        {"zcdp(1, 0, 0.1)",
            "events: dp_accounting has no event for zcdp with delta > 0"},
        {"gaussian(1) * ?",
            "events: dp_accounting cannot express the hole in repeat"},
        {"rr(800)", "events: the noise_parameter of rr(800) is not a double"},
        {"discrete_laplace(1e-310) + pure(1)",
            "events: the noise_parameter of discrete_laplace(1e-310) is not a "
            "double"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dosi_plan *plan = read_plan(cases[i][0]);
        dosi_error err = {0};
        char got[256] = "before";
        size_t length = 7;
        assert_int_equal(dosi_plan_print(got, sizeof got, &length, plan,
                             DOSI_FORM_EVENTS, &err),
            DOSI_EUNSUPPORTED);
        assert_string_equal(err.message, cases[i][1]);
        assert_string_equal(got, "");
        assert_int_equal(length, 0);
        dosi_plan_free(plan);
    }
}

/* The noise parameter of an event, read back from its text. */
static double noise_of(dosi_kind kind, double x, double k)
{
    const double both[] = {x, k};
    const dosi_plan *plan = NULL;
    char got[256];
    size_t length;
    assert_int_equal(dosi_plan_new(&plan, kind, both,
                         kind == DOSI_DISCRETE_LAPLACE ? 1 : 2, NULL, 0, NULL),
        DOSI_OK);
    assert_int_equal(
        dosi_plan_print(got, sizeof got, &length, plan, DOSI_FORM_EVENTS, NULL),
        DOSI_OK);
    dosi_plan_free(plan);
    return strtod(strstr(got, "_parameter\":") + 12, NULL);
}

/* Rounded to the side of more loss, and by less than one unit. */
static void event_noise_is_on_the_safe_side(void **state)
{
    (void)state;
    arb_t exact, k, bound;
    arb_init(exact);
    arb_init(k);
    arb_init(bound);
    for (int i = 1; i < 2000; i++) {
        double x = ldexp(1 + i * 0.00049, i % 40 - 20);
        double a = noise_of(DOSI_DISCRETE_LAPLACE, x, 0);
        arb_set_d(exact, x);
        arb_inv(exact, exact, 200);
        arb_set_d(bound, a);
        assert_true(arb_le(exact, bound) || arb_overlaps(exact, bound));
        arb_set_d(bound, nextafter(a, 0));
        assert_true(arb_lt(bound, exact));

        double epsilon = x > 500 ? 500 : x, n = 2 + i % 7 * 1000;
        double p = noise_of(DOSI_RANDOMIZED_RESPONSE, epsilon, n);
        arb_set_d(exact, epsilon);
        arb_expm1(exact, exact, 300);
        arb_set_d(k, n);
        arb_add(exact, exact, k, 300);
        arb_div(exact, k, exact, 300);
        arb_set_d(bound, p);
        assert_true(arb_le(bound, exact));
        arb_set_d(bound, nextafter(nextafter(p, 1), 1));
        assert_true(arb_lt(exact, bound));
    }
    arb_clear(exact);
    arb_clear(k);
    arb_clear(bound);
    flint_cleanup();
}

static void the_text_is_cut_as_by_snprintf(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("gaussian(1) + laplace(2)");
    const char *whole = "gaussian(1) + laplace(2)";
    for (size_t size = 0; size < 30; size++) {
        char got[40];
        size_t length = 0;
        memset(got, '#', sizeof got);
        assert_int_equal(dosi_plan_print(size > 0 ? got : NULL, size, &length,
                             plan, DOSI_FORM_TEXT, NULL),
            DOSI_OK);
        assert_int_equal(length, strlen(whole));
        assert_int_equal(got[size], '#');
        if (size > 0) {
            size_t kept = size - 1 < length ? size - 1 : length;
            assert_int_equal(strlen(got), kept);
            assert_memory_equal(got, whole, kept);
        }
    }
    dosi_error err = {0};
    size_t length;
    assert_int_equal(
        dosi_plan_print(NULL, 0, &length, plan, (dosi_form)9, &err),
        DOSI_EINVAL);
    dosi_plan_free(plan);
}

/* FNV-1a of the text, computed elsewhere. */
static void the_hash_is_that_of_the_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t hash;
    } cases[] = {
        {"gaussian(1.1)", 0x87402467c64df907},
        {"pure(0)", 0xfbec0a9a8c52b84e},
        {"poisson(0.01, gaussian(1.1)) * 1000", 0xac3379d776fadd25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dosi_plan *plan = read_plan(cases[i].text);
        assert_true(dosi_plan_hash(plan) == cases[i].hash);
        dosi_plan_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json),
        cmocka_unit_test(events),
        cmocka_unit_test(parts_without_event_are_named),
        cmocka_unit_test(event_noise_is_on_the_safe_side),
        cmocka_unit_test(the_text_is_cut_as_by_snprintf),
        cmocka_unit_test(the_hash_is_that_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
