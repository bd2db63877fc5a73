/*
 * The registry: every row is complete, parameters are read as declared,
 * mistakes are named with their place, and values outside the validity of a
 * statement are refused with the condition that failed.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter.h"

static dosi_status eval(
    dosi_interval *out, dosi_error *err, const char *id, const char *parameters)
{
    return dosi_formula_eval(out, id, parameters, err);
}

/* Fails with that status, and the message holds the words. */
static void refused(const char *id, const char *parameters, dosi_status status,
    const char *words)
{
    dosi_interval x;
    dosi_error err = {0};
    dosi_status got = eval(&x, &err, id, parameters);
    if (got != status || strstr(err.message, words) == NULL)
        print_error("%s %s: %s: %s\n", id, parameters, dosi_status_name(got),
            got == DOSI_OK ? "" : err.message);
    assert_int_equal(got, status);
    assert_non_null(strstr(err.message, words));
    assert_null(strchr(err.message, '\n'));
    assert_int_equal(dosi_formula_eval(&x, id, parameters, NULL), status);
}

static void gives(
    const char *id, const char *parameters, double lower, double upper)
{
    dosi_interval x;
    dosi_error err = {0};
    if (eval(&x, &err, id, parameters) != DOSI_OK)
        fail_msg("%s %s: %s", id, parameters, err.message);
    if (!(x.lo >= lower && x.hi <= upper))
        fail_msg("%s %s: [%.17g, %.17g]", id, parameters, x.lo, x.hi);
}

static void test_rows_are_complete(void **state)
{
    (void)state;
    const char *const directions[] = {
        "exact", "upper", "lower", "approximate", "helper"};
    size_t n = dosi_formula_count();
    assert_true(n > 90);
    for (size_t i = 0; i < n; i++) {
        dosi_formula_info row = dosi_formula_at(i);
        size_t found = 0;
        dosi_error err;
        /* ids and names are unique: each finds its own row */
        assert_int_equal(dosi_formula_find(&found, row.id, &err), DOSI_OK);
        assert_int_equal(found, i);
        assert_int_equal(dosi_formula_find(&found, row.name, &err), DOSI_OK);
        assert_int_equal(found, i);
        assert_true(strlen(row.meaning) > 5 && strlen(row.meaning) < 140);
        size_t d = 0;
        while (d < 5 && strcmp(row.direction, directions[d]) != 0)
            d++;
        assert_true(d < 5);
    }
    assert_string_equal(dosi_formula_at(n).id, "");
}

static bool is_declared(const char *parameters, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = parameters; *p != '\0'; p++) {
        if (strncmp(p, word, n) == 0 && strchr(";[{?", p[n]) != NULL)
            return true; /* strchr finds the end of the text, too */
        p += strcspn(p, ";");
        if (*p == '\0')
            break;
    }
    return false;
}

/* Up to its first semicolon, a validity is what the registry can check:
 * names of parameters, numbers, relations and "whole". */
static void test_validity_is_checked(void **state)
{
    (void)state;
    const char *const words[] = {"<", "<=", ">", ">=", "whole", "inf"};
    const size_t n_words = sizeof words / sizeof *words;
    for (size_t i = 0; i < dosi_formula_count(); i++) {
        dosi_formula_info row = dosi_formula_at(i);
        char text[256];
        assert_true(strlen(row.validity) < sizeof text);
        memcpy(text, row.validity, strlen(row.validity) + 1);
        text[strcspn(text, ";")] = '\0';
        for (char *w = strtok(text, ", "); w; w = strtok(NULL, ", ")) {
            size_t j = 0;
            while (j < n_words && strcmp(w, words[j]) != 0)
                j++;
            size_t end = strspn(w, "0123456789.");
            if (j == n_words && w[end] != '\0' &&
                !is_declared(row.parameters, w))
                fail_msg("%s: '%s' in \"%s\"", row.id, w, row.validity);
        }
    }
}

static void test_find_fails(void **state)
{
    (void)state;
    size_t index = 0;
    dosi_error err;
    assert_int_equal(dosi_formula_find(&index, "T000-99", &err), DOSI_EINVAL);
    assert_non_null(strstr(err.message, "'T000-99'"));
    assert_int_equal(dosi_formula_find(&index, "a\nb\xff", &err), DOSI_EINVAL);
    assert_null(strchr(err.message, '\n'));
    refused("", "", DOSI_EINVAL, "no formula");
}

static void test_reading(void **state)
{
    (void)state;
    /* by id or name, in any order */
    gives("T000-12.rho", "sigma=2;sens=2", 0.5, 0.5);
    gives("zcdp.rho_of_gaussian", "sens=2;sigma=2", 0.5, 0.5);
    gives("T000-01.eps", "eps=1", 1, 1);
    gives("T000-01.eps", "eps=.5|+1e0|2.", 3.5, 3.5);
    gives("T000-01.eps", "eps=1..4|10", 20, 20);
    gives("T000-01.eps", "eps=1|inf", HUGE_VAL, HUGE_VAL);
    /* a parameter is the nearest double */
    gives("T000-01.eps", "eps=0.1", 0.1, 0.1);
    gives("T000-01.eps", "eps=0.1000000000000000055511151231257827", 0.1, 0.1);
}

static void test_malformed(void **state)
{
    (void)state;
    const char *const id = "T000-12.rho"; /* sens;sigma */
    refused(id, "", DOSI_EINVAL, "'sens' is missing");
    refused(id, "sens=1", DOSI_EINVAL, "'sigma' is missing");
    refused(id, "sens=1;sigma=1;x=1", DOSI_EINVAL, "unknown parameter 'x'");
    refused(id, "sens=1;sens=1;sigma=1", DOSI_EINVAL, "twice");
    refused(id, "sens=1;sigma", DOSI_EINVAL, "NAME=VALUE");
    refused(id, "sens=1;;sigma=1", DOSI_EINVAL, "NAME=VALUE");
    refused(id, "sens=1;sigma=1;", DOSI_EINVAL, "NAME=VALUE");
    refused(id, "=1", DOSI_EINVAL, "NAME=VALUE");
    refused(id, "sens=;sigma=1", DOSI_EINVAL, "not a finite number");
    refused(id, "sens=nan;sigma=1", DOSI_EINVAL, "'nan' is not a finite");
    refused(id, "sens=0x1;sigma=1", DOSI_EINVAL, "not a finite number");
    refused(id, "sens=1e999;sigma=1", DOSI_EINVAL, "not a finite number");
    refused(id, "sens=1=2;sigma=1", DOSI_EINVAL, "not a finite number");
    refused(id, "sens=1|2;sigma=1", DOSI_EINVAL, "one number, not a list");
    refused(id, "sens=1..2;sigma=1", DOSI_EINVAL, "not a finite number");
    refused(id, "sens=1; sigma=1", DOSI_EINVAL, "without spaces");
    refused(id, "sens=1;sig\xc3\xa4=1", DOSI_EINVAL, "plain text");
    refused("T000-01.eps", "eps=1||2", DOSI_EINVAL, "not a finite number");
    refused("T000-01.eps", "eps=1|", DOSI_EINVAL, "not a finite number");
    refused("T000-01.eps", "eps=3..1", DOSI_EINVAL, "not a finite number");
    refused("T000-01.eps", "eps=1..99999999", DOSI_EINVAL, "too long");
    refused("T000-10.rho", "sens=1|2;sigma=1", DOSI_EINVAL, "2 elements");
    refused("T000-02.kl", "P=1|2;Q=1", DOSI_EINVAL, "2 elements");
    refused("T000-02.kl", "P=0|0;Q=1|1", DOSI_EINVAL, "");
}

static void test_offset(void **state)
{
    (void)state;
    dosi_interval x;
    dosi_error err;
    assert_int_equal(
        eval(&x, &err, "T000-12.rho", "sens=1;sigma=x"), DOSI_EINVAL);
    assert_int_equal(err.offset, 13);
    assert_int_equal(
        eval(&x, &err, "T000-01.eps", "eps=1|2|oops"), DOSI_EINVAL);
    assert_int_equal(err.offset, 8);
    assert_int_equal(
        eval(&x, &err, "T000-12.rho", "sens=1;simga=2"), DOSI_EINVAL);
    assert_int_equal(err.offset, 7);
    assert_true(x.lo == -HUGE_VAL && x.hi == HUGE_VAL);
}

static void test_long_text(void **state)
{
    (void)state;
    static char text[1 << 20];
    memset(text, '|', sizeof text - 1);
    memcpy(text, "eps=", 4);
    refused("T000-01.eps", text, DOSI_EINVAL, "not a finite number");
    memset(text, 'x', sizeof text - 1);
    refused("T000-01.eps", text, DOSI_EINVAL, "NAME=VALUE");
    memcpy(text, "eps=", 4);
    refused("T000-01.eps", text, DOSI_EINVAL, "not a finite number");
}

/* One or more refusals for each row, with the words of the condition. */
static const struct refusal {
    const char *id;
    const char *parameters;
    const char *words;
} refusals[] = {
    {"T000-01.eps", "eps=1|-1", "needs 0 <= eps <= inf, got eps = -1"},
    {"T000-01.eps", "eps=-inf", "needs 0 <= eps <= inf"},
    {"S000-2.1.laplace_scale", "k=1.5;eps=1", "needs k whole, got k = 1.5"},
    {"S000-2.1.laplace_scale", "k=1;eps=0", "eps > 0"},
    {"S000-2.1.laplace_std", "k=-1;eps=1", "k >= 0"},
    {"S000-2.1.laplace_var", "k=1;eps=inf", "finite eps"},
    {"S000-2.1.l1", "sens=-1;eps=1", "sens >= 0"},
    {"S000-2.1.log_prob_max_ratio", "k=1e300", "k whole"},
    {"S000-4.max_prob_of_eps", "eps=-0.1", "eps >= 0"},
    {"S000-4.mean_bound", "k=1;eps=-1", "eps >= 0"},
    {"S000-4.var_bound", "k=-1;eps=1", "k >= 0"},
    {"S000-4.log_mgf_bound", "k=1;eps=1;t=-1", "t >= 0"},
    {"S000-4.clt", "k=0;eps=1;target_eps=1", "k >= 1"},
    {"D000-rr.mean_loss", "eps=-1", "eps >= 0"},
    {"D000-rr.var_loss", "eps=-1", "eps >= 0"},
    {"D000-rr.rdp", "eps=1;alpha=0.5", "1 <= alpha"},
    {"D000-laplace.delta", "eps0=1;eps=-1", "eps >= 0"},
    {"D000-laplace.rdp", "eps=1;alpha=0", "1 <= alpha"},
    {"T000-02.kl", "P=1|-1;Q=1|1", "P >= 0"},
    {"T000-02.tv", "P=1|1;Q=1|-1", "Q >= 0"},
    {"T000-02.test_accuracy", "P=1|inf;Q=1|1", "finite P"},
    {"T000-02.pure_eps", "P=-1;Q=1", "P >= 0"},
    {"T000-06.q_tail", "eps=-1;P=1;Q=1", "eps >= 0"},
    {"T000-07.delta", "eps=-1;P=1;Q=1", "eps >= 0"},
    {"T000-07.delta_reverse", "eps=-1;P=1;Q=1", "eps >= 0"},
    {"T000-07.tail", "eps=-1;P=1;Q=1", "eps >= 0"},
    {"T000-23.delta", "eps=-1;P=1;Q=1", "eps >= 0"},
    {"T000-23.eps1", "eps=-1;P=1;Q=1", "eps >= 0"},
    {"T000-23.eps2", "eps=-1;P=1;Q=1", "eps >= 0"},
    {"T000-03.rho", "mu=1;mu2=0;sigma=0", "sigma > 0"},
    {"T000-03.tv", "mu=1;mu2=0;sigma=-1", "sigma > 0"},
    {"T000-04.tpr", "rho=0;t=1", "rho > 0"},
    {"T000-04.tnr", "rho=-1;t=1", "rho > 0"},
    {"T000-04.min_fnr", "rho=1;fpr=1.5", "0 <= fpr <= 1"},
    {"T000-08.delta", "eps=-1;sigma=1;sens=1", "eps >= 0"},
    {"T000-08.delta", "eps=1;sigma=inf;sens=1", "finite sigma"},
    {"T000-08.logdelta", "eps=1;sigma=0;sens=1", "sigma > 0"},
    {"T000-08.log1mdelta", "eps=1;sigma=1;sens=-1", "sens >= 0"},
    {"T000-08.delta_rho", "rho=-1;eps=1", "rho >= 0"},
    {"T000-08.tail_bound", "rho=0;eps=1", "rho > 0"},
    {"T000-08.mills_bound", "rho=2;eps=1", "needs 0 < rho <= eps"},
    {"T000-08.eps", "delta=0;sigma=1;sens=1", "0 < delta < 1"},
    {"T000-08.eps", "delta=1;sigma=1;sens=1", "0 < delta < 1"},
    {"T000-08.sigma", "eps=1;delta=1.5;sens=1", "0 < delta < 1"},
    {"T000-10.rho", "sens=1|1;sigma=1|0", "sigma > 0"},
    {"T000-10.delta", "sens=1;sigma=1;eps=-1", "eps >= 0"},
    {"T000-10.eps", "sens=1;sigma=1;delta=0", "0 < delta < 1"},
    {"T000-10.k_delta", "k=0.5;sigma=1;sens=1;eps=1", "k whole"},
    {"T000-10.k_logdelta", "k=-1;sigma=1;sens=1;eps=1", "k >= 0"},
    {"T000-10.k_eps", "k=1;sigma=1;sens=1;delta=1", "0 < delta < 1"},
    {"T000-10.k_sigma", "k=1;sens=1;eps=-1;delta=0.1", "eps >= 0"},
    {"T000-11.log_mgf_bound", "rho=1;t=-1", "t >= 0"},
    {"T000-12.rho", "sens=1;sigma=0", "sigma > 0"},
    {"T000-13.rho", "rho=1|-1", "0 <= rho"},
    {"T000-14.logdelta_t", "rho=1;eps=1;t=0", "t > 0"},
    {"T000-14.logdelta_t_simple", "rho=1;eps=-1;t=1", "eps >= 0"},
    {"T000-14.logdelta", "rho=-1;eps=1", "rho >= 0"},
    {"T000-14.logdelta_simple", "rho=1;eps=0.5", "needs 0 <= rho <= eps"},
    {"T000-14.eps", "rho=1;delta=0", "0 < delta < 1"},
    {"T000-14.eps_unclamped", "rho=0;delta=0.1", "rho > 0"},
    {"T000-14.alpha", "rho=1;delta=1", "0 < delta < 1"},
    {"T000-14.rho", "eps=-1;delta=0.1", "eps >= 0"},
    {"T000-15.eps", "rho=1;delta=2", "0 < delta < 1"},
    {"T000-15.rho", "eps=1;delta=-1", "0 < delta < 1"},
    {"T000-15.rho_lower", "eps=1;delta=1", "0 < delta < 1"},
    {"T000-15.rho_upper", "eps=1;delta=1", "0 < delta < 1"},
    {"T000-15.sigma2", "eps=0;delta=0.1;sens=1", "eps > 0"},
    {"T000-16.rho", "eps=-1", "eps >= 0"},
    {"T000-17.log_mgf_bound", "t=1;mean=-2;eps=1",
        "needs |mean| <= eps, got mean = -2, eps = 1"},
    {"T000-19.rho", "rho=-1", "0 <= rho"},
    {"S000-7.filter", "budget=0.5;rho=0.1|0.25|0.2",
        "needs sum of rho <= budget"},
    {"T000-18.eps", "eps=1;delta=0", "0 < delta < 1"},
    {"T000-18.k_eps", "k=1;eps=1;delta=1", "0 < delta < 1"},
    {"T000-18.k_eps_min_basic", "k=1.5;eps=1;delta=0.1", "k whole"},
    {"T000-18.k_logdelta", "k=10;eps=1;target_eps=4.9",
        "needs target_eps >= k eps^2 / 2"},
    {"T000-18.per_query_eps", "k=0;eps=1;delta=0.1", "k >= 1"},
    {"S000-4.1.laplace_scale_advanced", "k=1;eps=0;delta=0.1", "eps > 0"},
    {"S000-4.1.laplace_scale_basic", "k=1;eps=0", "eps > 0"},
    {"T000-22.basic_delta", "k=1;eps=1;delta0=2", "delta0 <= 1"},
    {"T000-22.eps", "eps=1|1;delta0=1e-6|1e-6;delta=1e-6", "lacking"},
    {"T000-22.k_eps", "k=2;eps=1;delta0=1e-6;delta=1e-6", "lacking"},
    {"T000-22.k_eps_advanced_branch", "k=2;eps=1;delta0=1e-6;delta=1e-6",
        "lacking"},
    {"T000-22.k_eps_product", "k=3;eps=1;delta0=0.1;delta=0.27", "lacking"},
    {"T000-22.k_eps_cdp", "k=3;eps=1;delta0=0.1;delta=0.27", "lacking"},
    {"N000-15.eps", "k=1;eps=1;delta_prime=0", "0 < delta_prime < 1"},
    {"T000-24.p_truth", "eps=1;delta=2", "delta <= 1"},
    {"T000-24.p_lie", "eps=-1;delta=0", "eps >= 0"},
    {"S000-6.2.replace_eps", "eps=-1", "eps <= inf"},
    {"S000-6.2.replace_delta", "eps=1;delta=-1", "0 <= delta"},
    {"S000-7.kov_delta", "k=1;eps=1;delta0=0;target_eps=-1", "target_eps >= 0"},
    {"S000-7.kov_logdelta", "k=1.5;eps=1;delta0=0;target_eps=1", "k whole"},
    {"S000-7.kov_eps", "k=1;eps=1;delta0=0;delta=0", "0 < delta < 1"},
    {"S000-7.kov_log_pmf", "k=3;l=4;eps=1;delta0=0", "0 <= l <= k"},
    {"S000-7.hetero_delta", "eps=1;delta0=2;target_eps=1", "delta0 <= 1"},
    {"S000-7.shuffle_analogue_step", "n=0;eps=1", "n >= 1"},
    {"S000-7.shuffle_analogue_eps", "n=1;eps=1;delta=0", "0 < delta < 1"},
    {"T000-25.applies", "n=0;k=1;eps=1;delta=0", "n >= 1"},
    {"T000-25.rmse_lower", "n=1000;k=1000000;eps=1;delta=1e-4",
        "needs delta <= 1/(100 n)"},
    {"T000-25.rmse_lower", "n=1000;k=10;eps=1;delta=5e-6",
        "needs k >= 200 (e^eps - 1)^2 n"},
    {"T000-25.rmse_lower", "n=1;k=10;eps=800;delta=0",
        "needs k >= 200 (e^eps - 1)^2 n"},
    {"T000-25.rmse_lower_implicit", "n=1;k=0;eps=1;delta=0", "k >= 1"},
    {"S000-5.sample_rmse_bound", "n=1;delta=0", "0 < delta"},
    {"T000-26.lhs", "n=2;f=0|1", "needs 2^n values"},
    {"T000-26.lhs", "n=30;f=0|1", "n <= 20"},
    {"T000-27.bound", "eps=1;delta=0;Delta=1;EY=0.5;EabsY=0.25",
        "needs |EY| <= EabsY"},
    {"T000-27.bound", "eps=1;delta=0;Delta=1;EY=0.5;EabsY=2", "EabsY <= Delta"},
    {"F000-1.basic", "k=-1", "k >= 0"},
    {"F000-1.advanced", "k=0.5", "k whole"},
    {"F000-1.cdp", "k=-1", "k >= 0"},
    {"F000-1.optimal", "k=-1", "k >= 0"},
    {"F000-1.gaussian", "k=-1", "k >= 0"},
    {"F000-1.first_k_advanced_below_basic", "eps=2;delta=1e-6", "eps < 2"},
    {"F000-1.first_k_cdp_below_basic", "eps=2;delta=1e-6", "eps < 2"},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        refused(refusals[i].id, refusals[i].parameters, DOSI_EDOMAIN,
            refusals[i].words);
        refused(refusals[i].id, refusals[i].parameters, DOSI_EDOMAIN,
            refusals[i].id); /* the row is named */
    }
}

/* Nothing spent, nothing asked, nothing guaranteed. */
static void test_special_inputs(void **state)
{
    (void)state;
    gives("T000-10.k_eps", "k=0;sigma=1;sens=1;delta=1e-6", 0, 0);
    gives("T000-10.k_delta", "k=0;sigma=1;sens=1;eps=0", 0, 0);
    gives("T000-08.delta", "eps=1;sigma=1;sens=0", 0, 0);
    gives("T000-08.logdelta", "eps=1;sigma=1;sens=0", -HUGE_VAL, -HUGE_VAL);
    gives("T000-08.eps", "delta=1e-6;sigma=1;sens=0", 0, 0);
    gives("T000-14.eps", "rho=0;delta=1e-6", 0, 0);
    gives("T000-14.logdelta", "rho=0;eps=0", -HUGE_VAL, -HUGE_VAL);
    gives("T000-14.logdelta_simple", "rho=0;eps=0", -HUGE_VAL, -HUGE_VAL);
    gives("T000-15.eps", "rho=0;delta=1e-6", 0, 0);
    gives("T000-18.k_eps_min_basic", "k=0;eps=1;delta=1e-6", 0, 0);
    gives("T000-22.k_eps", "k=0;eps=1;delta0=0.5;delta=1e-6", 0, 0);
    gives("T000-22.k_eps", "k=8;eps=0.5;delta0=1e-6;delta=8e-6", 3.9, 4);
    gives("S000-7.kov_eps", "k=0;eps=1;delta0=0.5;delta=1e-6", 0, 0);
    gives("S000-7.kov_eps", "k=1;eps=1;delta0=0.5;delta=1e-6", HUGE_VAL,
        HUGE_VAL);
    gives("S000-7.kov_delta", "k=0;eps=1;delta0=0.5;target_eps=0", 0, 0);
    gives("T000-02.kl", "P=1|1;Q=1|0", HUGE_VAL, HUGE_VAL);
    gives("T000-02.pure_eps", "P=1|0;Q=1|1", HUGE_VAL, HUGE_VAL);
    gives("T000-07.delta", "eps=1;P=1|0;Q=0|1", 1, 1);
    gives("T000-07.tail", "eps=0;P=1|1;Q=1|1", 0, 0);
    gives("D000-rr.rdp", "eps=1;alpha=inf", 1, 1);
    gives("T000-25.rmse_lower", "n=1;k=1;eps=0;delta=0", 0.099, 0.1001);
    gives("T000-25.rmse_lower_implicit", "n=1;k=1;eps=800;delta=0", 0, 0);
    gives("T000-25.applies", "n=1;k=1;eps=800;delta=0", 0, 0);
    /* a large delta beats basic composition at once */
    gives("F000-1.first_k_cdp_below_basic", "eps=3;delta=0.9", 1, 1);
    gives("S000-6.2.replace_delta", "eps=1000;delta=0.1", DBL_MAX, HUGE_VAL);
    gives("S000-6.2.replace_delta", "eps=1000;delta=0", 0, 0);
    gives("S000-7.filter", "budget=0.5;rho=0.25|0.125", 0.125, 0.125);
}

/* Parameters that are texts, and parameters that may be omitted. */
static void test_mechanisms(void **state)
{
    (void)state;
    gives("D002-4.eps", "mech=rr;p=0.5;alpha=3", 0, 0);
    gives("L002-3.delta", "gamma=0.5;delta=0.25", 0.125, 0.125);
    gives("P002-24.F", "pts=0:0.5|1:1|2:1.5;lambda=1", 0.7499999, 0.7500001);
    gives("A002.pure", "mechs=3*laplace2+2*laplace4@1", 1.999999, 2.000001);
    refused("D002-4.eps", "mech=cauchy;b=1;alpha=3", DOSI_EINVAL,
        "gauss, laplace and rr");
    refused("D002-4.eps", "mech=gauss;alpha=3", DOSI_EINVAL, "takes sigma");
    refused("D002-4.eps", "mech=gauss;sigma=1;b=1;alpha=3", DOSI_EINVAL,
        "takes sigma");
    refused("D002-4.eps", "sigma=1;alpha=3", DOSI_EINVAL, "'mech' is missing");
    refused("D002-4.eps", "mech=rr;p=1;alpha=3", DOSI_EDOMAIN, "p < 1");
    refused("D002-18.logB", "mech=rr;p=0.9;l=3", DOSI_EDOMAIN, "even");
    refused(
        "L002-17.logzeta", "mech=gauss;sigma=1;j=3", DOSI_EDOMAIN, "eps(inf)");
    refused("R002-9.phase", "mech=gauss;sigma=0.3;gamma=0.5", DOSI_EDOMAIN,
        "gamma e^eps(1)");
    refused("T002-9.eps", "mech=gauss;sigma=1;gamma=2;alpha=3", DOSI_EDOMAIN,
        "gamma <= 1");
    refused(
        "T002-26.eps", "eps=2;delta=0;k=3;dstar=0.1", DOSI_EDOMAIN, "eps <= 1");
    refused("P002-24.F", "pts=0:0.5|1:1;lambda=3", DOSI_EDOMAIN, "lambda");
    refused("P002-24.F", "pts=0;lambda=1", DOSI_EINVAL, "0:0.5|1:1");
    refused("A002.pure", "mechs=gauss2", DOSI_EINVAL, "1000*gauss5@0.01");
    refused("A002.pure", "mechs=2*rr2", DOSI_EDOMAIN, "p in (0, 1)");
    refused("EF002.renyi", "family=bernoulli;eta1=logit(2);eta2=1;alpha=2",
        DOSI_EDOMAIN, "0 < p < 1");
    refused("EF002.renyi", "family=poisson;eta1=1;eta2=1;alpha=2", DOSI_EINVAL,
        "rate1");
    refused("MVN002.renyi", "mu1=1|0;S1=1|0;mu2=0|0;S2=1|0|0|1;alpha=2",
        DOSI_EDOMAIN, "d^2");
}

/*
 * Probabilities end at 0 and 1. The exact values are 1 or so close to it that
 * no double is between, or likewise close to 0: total variation of laws that
 * share no outcome, tails a thousand deviations out, G_mu(0) = 1 - alpha at
 * alpha = 1e-300.
 */
static void test_probabilities(void **state)
{
    (void)state;
    const struct {
        const char *id, *parameters;
        bool is_one;
    } rows[] = {
        {"T000-02.tv", "P=0.1|0.2|0.7|0;Q=0|0|0|1", true},
        {"T000-02.test_accuracy", "P=0.1|0.2|0.7|0;Q=0|0|0|1", true},
        {"T000-03.tv", "mu=1;mu2=0;sigma=0.001", true},
        {"T000-04.tpr", "rho=1e-9;t=-1e5", true},
        {"T000-04.tnr", "rho=1e-9;t=-1e5", false},
        {"T000-04.min_fnr", "rho=1e-9;fpr=1e-300", true},
        {"T000-08.delta", "eps=50;sigma=0.001;sens=1", true},
        {"T000-08.delta_rho", "rho=1e-9;eps=1", false},
        {"T000-24.p_truth", "eps=700;delta=0", true},
        {"S000-7.kov_delta", "k=1;eps=700;delta0=0;target_eps=0", true},
        {"S000-7.tight_delta_add", "sigma=0.001;sens=1;p=1;T=1;eps=0", true},
        {"D000-sgm.delta_add", "p=1;sigma=0.001;sens=1;eps=0", true},
        {"T001-D1.power", "eps=1;delta=1;alpha=1e-300", true},
        {"T001-E4.f", "eps=0;delta=0;alpha=1e-300", true},
        {"T001-E5.G", "mu=0;alpha=1e-300", true},
        {"T001-E5.roc", "mu=20;alpha=0.001", true},
        {"T001-E5.fixedpoint", "mu=1000", false},
        {"T001-E13.CG", "p=0;mu=0;alpha=1e-300", true},
        {"T001-S33.delta", "eps0=1;n=1000;eps=0", true},
        {"X002-hs.gauss.delta_exact", "sigma=0.001;eps=0", true},
        {"T003-8.5-pkeep", "eps=700;delta=0", true},
        {"T004-RR.p", "eps=40;delta=1", true},
        {"T004-2.beta", "eta=0.001;eps=0", true},
        {"R105-dgauss.pmf", "sigma=0.001;k=0", true},
        {"R105-dgauss.sf", "sigma=0.001;k=1", false},
        {"R105-dlaplace.sf", "b=1;k=-100", true},
        {"R105-rgauss.sf", "s=1;k=9007199254740992", false},
        {"R105-rlaplace.pmf", "s=0.001;k=0", true},
        {"R105-threshold.delta", "law=rlaplace;scale=1;m=99;tau=0", true},
        {"R105-rr.keep", "epsilon=700;categories=2", true},
        {"R105-pf.p", "epsilon=700;sensitivity=1;distances=0|9;i=0", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double one = rows[i].is_one ? 1 : 0;
        gives(rows[i].id, rows[i].parameters, fmax(0, one - 1e-15),
            fmin(1, one + 1e-15));
    }
    /* a bound that may be above 1 is left there */
    gives("T000-22.basic_delta", "k=2;eps=0;delta0=0.75", 1.5, 1.5);
    /* and so is a deviation of 1 + 9e-17, between 1 and the next double */
    dosi_error err;
    dosi_interval x;
    assert_int_equal(eval(&x, &err, "S000-2.1.laplace_std",
                         "k=1;eps=1.414213562373095"),
        DOSI_OK);
    assert_true(x.lo <= 1 && x.hi > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_validity_is_checked),
        cmocka_unit_test(test_find_fails),
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(test_long_text),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_special_inputs),
        cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_probabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
