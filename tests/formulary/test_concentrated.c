/*
 * Concentrated DP through the formulary: answers of the literature to the
 * digits it prints, the cases at the edge of each statement, and refusals
 * that name the condition.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formulary/formula.h"

/* Fails with that status, and the message holds the words. */
static void refused(const char *id, const char *parameters, dosi_status status,
    const char *words)
{
    dosi_interval x;
    dosi_error err = {0};
    dosi_status got = dosi_formula_eval(&x, id, parameters, &err);
    if (got != status || strstr(err.message, words) == NULL)
        print_error("%s %s: %s: %s\n", id, parameters, dosi_status_name(got),
            got == DOSI_OK ? "" : err.message);
    assert_int_equal(got, status);
    assert_non_null(strstr(err.message, words));
}

/* The enclosure lies in [lower, upper] and is narrow. */
static void gives(
    const char *id, const char *parameters, double lower, double upper)
{
    dosi_interval x;
    dosi_error err = {0};
    if (dosi_formula_eval(&x, id, parameters, &err) != DOSI_OK)
        fail_msg("%s %s: %s", id, parameters, err.message);
    if (!(x.lo >= lower && x.hi <= upper))
        fail_msg("%s %s: [%.17g, %.17g]", id, parameters, x.lo, x.hi);
}

/* Printed answers, rounded to nearest at their last digit. */
static const struct answer {
    const char *id;
    const char *parameters;
    double value;
    double unit; /* of the last digit */
} answers[] = {
    {"T003-1.4", "eps=1", 0.5, 1e-15},
    {"D003-3.3-tightrho", "eps=1", 0.462117157260010, 1e-15},
    {"T003-3.3-curve", "eps=1;alpha=2", 0.735325664055519, 1e-15},
    {"T003-3.3-curve", "eps=1;alpha=10", 0.965193146453842, 1e-15},
    {"T003-1.6-rho", "Delta=1;sigma=4", 0.03125, 1e-15},
    {"D003-2.5-het", "Delta=1|1|1|1|1|1|1|1|1|1;sigma=10..19",
        0.0269477563732413, 1e-16},
    {"T003-3.5-eps", "xi=0;rho=0.03125;delta=1e-6", 1.34538044, 1e-8},
    {"T003-3.6-eps", "xi=0;rho=0.03125;delta=1e-6", 1.28897650, 1e-8},
    {"T003-3.6-eps-o3", "xi=0;rho=0.03125;delta=1e-6", 1.19391579, 1e-8},
    {"D003-B.2-eps-h", "xi=0;rho=0.03125;delta=1e-6", 1.19327066, 1e-8},
    {"T003-3.5-logdelta", "xi=0;rho=0.01;eps=1", -24.5025, 1e-10},
    {"T003-3.6-logdelta-o3", "xi=0;rho=0.01;eps=1", -28.4367274474, 1e-10},
    {"D003-B.2-logdelta-h", "xi=0;rho=0.01;eps=1", -28.4432001330, 1e-10},
    {"T003-B.2-gauss-logdelta", "rho=0.01;eps=1", -31.3456540022, 1e-10},
    {"T003-3.5-rho", "xi=0;eps=1;delta=1e-6", 0.0174689048, 1e-10},
    {"T003-3.6-rho-o3", "xi=0;eps=1;delta=1e-6", 0.0224087619, 1e-10},
    {"D003-B.2-rho-h", "xi=0;eps=1;delta=1e-6", 0.0224324895, 1e-10},
    {"T003-calib-sigma-35", "eps=1;delta=1e-6;Delta=1", 5.34998006, 1e-8},
    {"T003-calib-sigma-o3", "eps=1;delta=1e-6;Delta=1", 4.72363217, 1e-8},
    {"D003-calib-sigma-h", "eps=1;delta=1e-6;Delta=1", 4.72113334, 1e-8},
    {"T003-fn2-eps", "sigma=40;k=1000;delta=1e-5", 4.10606782, 1e-8},
    {"T003-8.9-eps", "eps=0.1;delta=1e-8;k=100;deltaprime=1e-5", 4.92731021,
        1e-8},
    {"T003-8.11-eps-alt", "eps=0.1;delta=1e-8;k=100;deltaprime=1e-5",
        5.34535176, 1e-8},
    {"X003-drv10-eps", "eps=0.1;delta=1e-8;k=100;deltaprime=1e-5", 5.85023509,
        1e-8},
    {"T003-1.9-eps-35", "rho=0.01;k=5;delta=1e-6", 3.96692219, 1e-8},
    {"T003-1.9-eps-o3", "rho=0.01;k=5;delta=1e-6", 3.67560920, 1e-8},
    {"T003-5.3-xi", "xi=0.1;k=5", 1.14166666666667, 1e-14},
    {"T003-3.7-xi", "xihat=0.1;rhohat=0.01", 1.67863883, 1e-8},
    {"D003-B.3-xi-opt", "xihat=0.1;rhohat=0.01", 1.03431085, 1e-8},
    {"D003-4.3-tau", "xi=0;rho=0.1", 1.26491106, 1e-8},
    {"T003-A.1-logmgf", "sigma=1;t=3;lambda=2", 9.07189834799635, 1e-14},
    {"T003-A.1-allowed", "sigma=1;t=3;lambda=2", 8, 1e-14},
    {"T003-1.10", "rho=0.01;n=50", 25, 1e-12},
    {"T003-7.4-n", "T=1e6;beta=0.05;xi=0;rho=0.1", 11.1497, 1e-4},
    {"D003-7.4-marginals-n", "d=1000;beta=0.1;rho=0.5", 35.3027, 1e-4},
    {"D003-6.4-n", "alpha=0.1;rho=0.5;T=1e6", 4.55, 1e-2},
    {"D003-6.4-n-opt", "alpha=0.1;rho=0.5;T=1e6", 8.69, 1e-2},
    {"T003-6.ex2-radius", "T=1e6;rho=1;beta=0.01", 6.06970852, 1e-8},
    {"T003-6.ex2-exactprob", "T=1000;rho=1;beta=0.05", 0.00853, 1e-5},
    {"X003-6.ex2-exactprob-printed", "T=1000;rho=1;beta=0.05", 0.808, 1e-3},
    {"T003-7.1-nprime", "n=100;alpha=0.1;eps=1;rho=0.01;xi=0", 4040, 1e-9},
    {"T003-7.3-hp", "T=1000;beta=0.05;Delta=0.01;eps=1", 0.198069751, 1e-9},
    {"T003-C.3-q", "alpha=0.1;xi=0;rho=0.01", 0.341421356, 1e-9},
    {"T003-C.2", "xi=0;rho=0.1;Ef2=1", 0.470534545, 1e-9},
    {"D003-1.1-minrho", "P=0.5|0.5;Q=0.25|0.75;xi=0", 0.145564375985597, 1e-15},
    {"D003-1.1-minrho", "P=0.5|0.5;Q=0.25|0.75;xi=0.25", 0.0561249376281453,
        1e-16},
    {"T003-5.3-Hk", "k=10000", 9.78760603604438226418, 1e-14},
    {"X003-4.3-varratio", "eps=10", 2.86, 1e-2},
};

static void test_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const struct answer *a = &answers[i];
        /* half a unit for the print, the rest for the enclosure's width */
        gives(a->id, a->parameters,
            a->value - 0.51 * a->unit - 1e-12 * fabs(a->value),
            a->value + 0.51 * a->unit + 1e-12 * fabs(a->value));
    }
}

/* rho = 0 is pure DP, delta above its curve asks for nothing more. */
static void test_edges(void **state)
{
    (void)state;
    gives("T003-3.6-eps-o3", "xi=0.5;rho=0;delta=0", 0.5, 0.5);
    gives("D003-B.2-eps-h-total", "xi=0.5;rho=0;delta=0.1", 0.5, 0.5);
    gives("D003-B.2-logdelta-h", "xi=0.5;rho=0;eps=0.5", -HUGE_VAL, -HUGE_VAL);
    gives("D003-B.2-delta-h-total", "xi=0;rho=0;eps=0", 0, 0);
    gives("T003-3.5-logdelta", "xi=0;rho=0.25;eps=0.25", 0, 0);
    gives("T003-3.6-logdelta-o2", "xi=0;rho=3;eps=3", 0, 0);
    /* sqrt(pi rho) <= delta: xi + rho */
    gives("T003-3.6-eps", "xi=0;rho=0.0001220703125;delta=0.5", 0.0001220703125,
        0.0001220703125);
    gives("D003-B.2-eps-h", "xi=1;rho=0.0001220703125;delta=0.5",
        1.0001220703125, 1.0001220703125);
    gives("D003-B.2-eps-h-total", "xi=0;rho=0.0001220703125;delta=0.5", 0, 0);
    gives("T003-3.6-rho-o3", "xi=0.5;eps=0.5;delta=0.1", 0, 0);
    gives("T003-3.6-rho-o3", "xi=0;eps=1e-6;delta=0.9", 0.999999999999999e-6,
        1.000000000000001e-6);
    gives("D003-3.3-front", "eps=1;rhofrac=0", 1, 1);
    gives("D003-3.3-front", "eps=1;rhofrac=1", 0, 0);
    gives("D003-3.3-front", "eps=0;rhofrac=0.5", 0, 0);
    gives("T003-3.3-bound", "eps=0;alpha=inf", 0, 0);
    gives("T003-3.3-bound", "eps=3;alpha=inf", 3, 3);
    gives("T003-2.1", "P=0.5|0.5;Q=1|0;alpha=2", HUGE_VAL, HUGE_VAL);
    gives("T003-2.1", "P=1|0;Q=0.5|0.5;alpha=inf", 0.69314718055994529,
        0.69314718055994540);
    gives("D003-1.1-minrho", "P=0.5|0.5;Q=0.5|0.5;xi=0", 0, 0);
    gives("D003-1.1-minrho", "P=0.5|0.5;Q=0.25|0.75;xi=0.7", 0, 0);
    gives("T003-7.4-n", "T=2;beta=0;xi=0;rho=1e-8", 0, 0);
    gives("T003-7.4-n", "T=2;beta=0.5;xi=1;rho=0", 0, 0);
    gives("D003-7.4-n-fano", "T=2;beta=0.5;rho=1", 0, 0);
    gives("D003-7.4-marginals-n", "d=1;beta=0;rho=1", 0, 0);
    gives("D003-6.4-n-opt", "alpha=0.4999;rho=1;T=10", 0, 0);
    gives("T003-6.1", "xi=-0.5;rho=1;n=4", 14, 14); /* n xi + rho n^2 */
    gives("T003-8.8-delta", "delta=0;xi=0;rho=1e-6;eps=100", 0, 1e-300);
    gives("T003-8.9-delta", "eps_i=0|0;delta_i=0|0;eps=0", 0, 0);
    gives("T003-8.10-delta", "eps=0;delta=0;k=5;lambda=1", 0, 0);
    gives("D003-4.3-tau", "xi=0;rho=1000", 0x1p1023, HUGE_VAL);
    gives("T003-C.2", "xi=0;rho=1000;Ef2=0", 0, 0);
    gives("T003-B.3-logtail", "rhohat=1;t=0.01", 0, 0);
    gives("T003-7.2-lattice", "n=10;radius=2", 1, 1);
    gives("T003-7.2-lattice", "n=10;radius=0", 11, 11);
    gives("T003-8.1-group", "delta=0;rho=0.5;k=3", 4.5, 4.5);
}

static void test_verdicts(void **state)
{
    (void)state;
    const char *const pair = "T003-3.1";
    gives(pair, "P=0.5|0.5;Q=0.25|0.75;eps=0.5;delta=0.0879", 1, 1);
    gives(pair, "P=0.5|0.5;Q=0.25|0.75;eps=0.5;delta=0.0878", 0, 0);
    /* log 2 lies between these doubles */
    gives("T003-pure-Z", "P=0.5|0.5;Q=0.25|0.75;eps=0.6931471805599453", 0, 0);
    gives("T003-pure-Z", "P=0.5|0.5;Q=0.25|0.75;eps=0.6931471805599454", 1, 1);
    gives("T003-pure-Z", "P=0.5|0.5;Q=0.5|0.5;eps=0", 1, 1);
    gives("T003-A.1", "sigma=1;t=7", 1, 1);
    gives("T003-A.1", "sigma=3;t=163", 1, 1);
}

static void test_ledger(void **state)
{
    (void)state;
    gives("T003-8.mixed-rho",
        "gauss=1xsigma1|2xsigma2;pure=0x1;approx=1x(2:0.5)", 2.75, 2.75);
    gives("T003-8.mixed-delta", "gauss=1xsigma1;pure=0x1;approx=1x(2:0.5)",
        0.5 - 1e-15, 0.5 + 1e-15);
    gives("T003-8.mixed-eps-o3",
        "gauss=20xsigma5;pure=5x0.1;approx=2x(0.2:1e-7);deltatotal=1e-6",
        5.230304185, 5.230304186);
    refused("T003-8.mixed-eps-o3",
        "gauss=20xsigma5;pure=5x0.1;approx=2x(0.2:1e-7);deltatotal=1.9e-7",
        DOSI_EDOMAIN, "infeasible");
    static const char *const id = "T003-8.mixed-rho";
    refused(id, "gauss=;pure=5x0.1;approx=2x(0.2:1e-7)", DOSI_EINVAL,
        "gauss reads as COUNTxsigmaSIGMA");
    refused(id, "gauss=1xsigma0;pure=5x0.1;approx=2x(0.2:1e-7)", DOSI_EINVAL,
        "gauss reads");
    refused(id, "gauss=1.5xsigma1;pure=5x0.1;approx=2x(0.2:1e-7)", DOSI_EINVAL,
        "gauss reads");
    refused(id, "gauss=1xsigma1|;pure=5x0.1;approx=2x(0.2:1e-7)", DOSI_EINVAL,
        "gauss reads");
    refused(id, "gauss=1xsigma1;pure=5x-1;approx=2x(0.2:1e-7)", DOSI_EINVAL,
        "pure reads as COUNTxEPS");
    refused(id, "gauss=1xsigma1;pure=5x1;approx=2x(0.2:1e-7", DOSI_EINVAL,
        "approx reads as COUNTx(EPS:DELTA)");
    refused(id, "gauss=1xsigma1;pure=5x1;approx=2x(0.2:1)", DOSI_EINVAL,
        "approx reads");
    refused("X003-ocr-numer1-true", "P=0.64|0.36;q1=0.64*exp(;eps=1",
        DOSI_EINVAL, "q1 is a number or NUMBER*exp(NUMBER)");
    refused("X003-ocr-numer1-true", "P=0.64|0.36;q1=2;eps=1", DOSI_EDOMAIN,
        "0 <= q1 <= 1");
    gives("X003-ocr-numer1-true", "P=0.64|0.36;q1=0.25;eps=0", 0.39 - 1e-15,
        0.39 + 1e-15);
}

/* Outside the validity of a statement, with the words of the condition. */
static const struct refusal {
    const char *id;
    const char *parameters;
    const char *words;
} refusals[] = {
    {"T003-1.1-rdp", "xi=-1;rho=0.5;alpha=2", "needs xi + rho >= 0"},
    {"T003-1.1-rdp", "xi=0;rho=1;alpha=1", "alpha > 1"},
    {"T003-1.1-logmgf", "xi=0;rho=-1;alpha=2", "rho >= 0"},
    {"T003-1.1-logtail", "lambda=0;rho=1", "lambda > 0"},
    {"T003-2.3-xi", "xi=0|1;rho=1", "one length"},
    {"T003-2.3-rho", "xi=0|-2;rho=1|1", "xi + rho >= 0"},
    {"T003-2.4", "mu=0;nu=1;sigma=0;alpha=2", "sigma > 0"},
    {"T003-2.5", "mu=0|0;nu=1;sigma=1;alpha=2", "one length"},
    {"T003-1.6-sigma", "Delta=1;rho=0", "rho > 0"},
    {"T003-2.5-meanrho", "d=1.5;n=1;sigma=1", "d whole"},
    {"D003-2.5-het", "Delta=1|1;sigma=1", "one length"},
    {"T003-fn2-eps", "sigma=1;k=1;delta=1", "delta < 1"},
    {"T003-1.3", "rho=1;delta=0", "0 < delta"},
    {"T003-3.5-eps", "xi=0;rho=1;delta=0", "delta > 0 unless rho = 0"},
    {"T003-3.5-logdelta", "xi=0.1;rho=0.2;eps=0.2",
        "needs eps >= xi + rho, got eps = 0.2"},
    {"T003-3.6-logdelta-o3", "xi=0;rho=1;eps=0.5", "eps >= xi + rho"},
    {"D003-B.2-logdelta-h", "xi=0;rho=1;eps=0.5", "eps >= xi + rho"},
    {"T003-3.5-alpha", "xi=0;rho=0;eps=1", "rho > 0"},
    {"T003-3.5-rho", "xi=1;eps=0.5;delta=0.1", "xi <= eps"},
    {"T003-calib-sigma-35", "eps=0;delta=0.1;Delta=1", "eps > 0"},
    {"D003-8.4-logdelta", "m=1;xi=0;rho=1;eps=2", "m > 1"},
    {"T003-1.4", "eps=-1", "eps >= 0"},
    {"T003-3.3-curve", "eps=1;alpha=0.5", "1 <= alpha"},
    {"D003-3.3-front", "eps=1;rhofrac=-1", "rhofrac >= 0"},
    {"T003-B.1-lhs", "x=1;y=1", "y < x"},
    {"T003-2.1", "P=0.5|0.4;Q=0.5|0.5;alpha=2", "P of sum 1"},
    {"T003-2.1", "P=0.5|0.5;Q=1;alpha=2", "one length"},
    {"D003-1.1-minrho", "P=1|0;Q=0.5|0.5;xi=0", "positive at the same"},
    {"T003-5.2-orderPR", "k=1;alpha=2", "k > 1"},
    {"T003-B.4-lhs", "X=1|2;P=0.5|0.4", "sum 1"},
    {"T003-4.2-xi", "mu=-1;tau=1", "mu >= 0"},
    {"T003-4.3-mu", "xi=-1;rho=0", "xi + rho >= 0"},
    {"T003-3.7-xi", "xihat=0;rhohat=2", "rhohat <= 1"},
    {"D003-B.3-xi-opt", "xihat=0;rhohat=0", "rhohat > 0"},
    {"T003-A.1", "sigma=1;t=6", "t >= 6 sigma^3 + 1"},
    {"T003-A.1", "sigma=0.5;t=9", "sigma >= 1"},
    {"T003-A.2-logp-lo", "sigma=2;t=2.5", "sigma <= t - 1"},
    {"T003-1.9", "rho=1;k=1.5", "k whole"},
    {"T003-1.9", "rho=1;k=0", "k >= 1"},
    {"T003-5.3-xi", "xi=-1;k=2", "xi >= 0"},
    {"D003-5.3-xi-neg", "xi=0;k=2", "xi < 0"},
    {"D003-8.4-group-m", "m=3;k=3", "k < m"},
    {"T003-8.1-group", "delta=1e-9;rho=1;k=2", "has no group bound"},
    {"T003-6.1", "xi=0;rho=1;n=0", "n >= 1"},
    {"D003-6.1-rr-mi-copies", "eps=1;n=2.5", "n whole"},
    {"T003-C.1", "D1=-1", "D1 >= 0"},
    {"T003-7.4-n", "T=10;beta=0;xi=0;rho=0", "xi > 0 or rho > 0"},
    {"T003-7.4-n", "T=10;beta=1;xi=0;rho=1", "beta < 1"},
    {"D003-7.4-n-fano", "T=4;beta=0.8;rho=1", "beta <= 1 - 1/T"},
    {"D003-6.4-n", "alpha=0.2;rho=1;T=10", "alpha <= 0.1"},
    {"D003-6.4-n-opt", "alpha=0.5;rho=1;T=10", "alpha < 0.5"},
    {"T003-6.ex2-radius", "T=10;rho=1;beta=0", "0 < beta"},
    {"T003-7.1-nprime", "n=10;alpha=0.1;eps=1;rho=0.02;xi=0", "rho <= alpha^2"},
    {"T003-1.11-nprime", "n=10;alpha=0.09", "alpha >= 1/n"},
    {"T003-7.3-prob", "loss=1|2;Delta=1;eps=1;i=2", "i below the number"},
    {"T003-8.2-delta", "delta=0|1", "delta < 1"},
    {"T003-8.8-delta", "delta=0;xi=0;rho=1;eps=0.5", "eps >= xi + rho"},
    {"T003-8.8-eps", "delta=1e-6;xi=0;rho=1;deltatotal=1e-6", "infeasible"},
    {"T003-8.10-eps", "eps=1;delta=0;k=1;lambda=-1", "lambda >= 0"},
    {"T003-8.9-eps", "eps=1;delta=0;k=1;deltaprime=0", "0 < deltaprime"},
    {"T003-8.9-delta", "eps_i=1|1;delta_i=0|0;eps=0.5", "eps >= rho"},
    {"T003-8.9-delta", "eps_i=1|1;delta_i=0;eps=5", "one length"},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        refused(refusals[i].id, refusals[i].parameters, DOSI_EDOMAIN,
            refusals[i].words);
}

/* Conditions on rounded inputs: 0.1^2 is below 0.01 as doubles. */
static void test_slack(void **state)
{
    (void)state;
    gives("T003-7.1-nprime", "n=100;alpha=0.01;eps=1;rho=1e-4;xi=0", 799, 801);
    gives("T003-1.11-nprime", "n=3;alpha=0.3333333333333333", 45, 45);
    refused("T003-1.11-nprime", "n=3;alpha=0.33333333333333", DOSI_EDOMAIN,
        "alpha >= 1/n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_ledger),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_slack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
