/*
 * Rows whose parameters are curves, ledgers or laws by name, and rows at
 * parameters where digits are easily lost. The truths were computed with 60
 * digits by other formulas, which stand beside them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter.h"

/* The row contains the truth, which is rounded to the nearest double, and is
 * no wider than 1e-14 of it. */
static void is(const char *id, const char *parameters, double truth)
{
    dosi_interval x;
    dosi_error err = {0};
    if (dosi_formula_eval(&x, id, parameters, &err) != DOSI_OK)
        fail_msg("%s %s: %s", id, parameters, err.message);
    bool contains = x.lo <= nextafter(truth, HUGE_VAL) &&
                    x.hi >= nextafter(truth, -HUGE_VAL);
    if (!contains || !(x.hi - x.lo <= 1e-14 * fabs(truth)))
        fail_msg("%s %s: [%.17g, %.17g], not %.17g", id, parameters, x.lo, x.hi,
            truth);
}

static void refused(const char *id, const char *parameters, dosi_status status,
    const char *words)
{
    dosi_interval x;
    dosi_error err = {0};
    dosi_status got = dosi_formula_eval(&x, id, parameters, &err);
    if (got != status || strstr(err.message, words) == NULL)
        fail_msg("%s %s: %s: %s", id, parameters, dosi_status_name(got),
            got == DOSI_OK ? "" : err.message);
}

/* ---- Curves by name ------------------------------------------------------ */

static void implies(const char *parameters, double truth)
{
    is("T001-T2.dominates", parameters, truth);
}

static void test_curves_of_one_family(void **state)
{
    (void)state;
    implies("f=Cgauss:0.1:1;g=gauss:1", 1);
    implies("f=CG:0.5:1;g=Cgauss:0.25:1", 0);
    implies("f=gauss:1;g=Cgauss:1:1", 1);
    implies("f=Cgauss:0:5;g=Id", 1);
    implies("f=Id;g=Cgauss:1e-300:1e-300", 1);
    implies("f=Cgauss:1e-300:1e-300;g=Id", 0);
    /* The tail of the greater mu is heavier, however rare the sample. */
    implies("f=Cgauss:1e-9:1;g=gauss:0.999", 0);
    /* Else total variations: TV(1/2)/TV(1) = 0.51553879035149. */
    implies("f=gauss:0.5;g=Cgauss:0.5155387:1", 0);
    implies("f=gauss:0.5;g=Cgauss:0.5155388:1", 1);
    /* Total variations, (1-e^(-1/2))/(1-e^-1) = 0.622459331202, if f has the
     * lesser parameter; losses, (e-1)/(e^2-1) = 0.26894142137, if not. */
    implies("f=laplace:1;g=Claplace:0.622459331:2", 0);
    implies("f=laplace:1;g=Claplace:0.622459332:2", 1);
    implies("f=Claplace:0.2689414213:2;g=laplace:1", 1);
    implies("f=Claplace:0.2689414214:2;g=laplace:1", 0);
}

static void test_curves_of_two_families(void **state)
{
    (void)state;
    /* G through the vertex (b, p b + (1-p)(1-b)), b = 1/(1+e^2), p = 1/4:
     * mu = isf(b) + isf(0.690398539) = 0.682000412325879 */
    implies("f=Cpure:0.25:2;g=gauss:0.6820004", 0);
    implies("f=Cpure:0.25:2;g=gauss:0.6820005", 1);
    /* log(1 + (e^2-1)/4) = 0.954459 */
    implies("f=Cpure:0.25:2;g=pure:0.9544", 0);
    implies("f=Cpure:0.25:2;g=pure:0.9545", 1);
    /* delta of mu = 1 at eps = 1 is 0.126936737506644 */
    implies("f=gauss:1;g=ed:1:0.1269367375", 0);
    implies("f=gauss:1;g=ed:1:0.1269367376", 1);
    implies("f=ed:1:1e-300;g=gauss:100", 0);
    implies("f=ed:0.5:0.1;g=Ced:0.5:3:0.2", 1);
    implies("f=ed:0.5:0.1;g=Ced:0.5:3:0.19", 0);
    implies("f=ed:5:1;g=approx:0:1", 1);
    implies("f=Cgauss:0.001:0.1;g=pure:50", 0);
    /* The least mu is 0.97827817, needed at an eps inside (0, 1.434). */
    implies("f=Claplace:0.5:2;g=gauss:0.978278", 0);
    implies("f=Claplace:0.5:2;g=gauss:0.978279", 1);
    /* Needed at eps = 0: (1-e^(-1/2)) = TV(2.49038325521848)/2. */
    implies("f=laplace:1;g=Cgauss:0.5:2.490383", 0);
    implies("f=laplace:1;g=Cgauss:0.5:2.490384", 1);
    /* Beyond e^709; and 1 - delta below what is told apart from 0. */
    implies("f=laplace:1000;g=gauss:20", 0);
    refused("T001-T2.dominates", "f=laplace:1000;g=gauss:60", DOSI_EUNABLE,
        "too close");
}

static void test_curve_mistakes(void **state)
{
    (void)state;
    const char *const id = "T001-T2.dominates";
    refused(id, "f=gauss;g=Id", DOSI_EINVAL, "got 'gauss'");
    refused(id, "f=Id;g=Cgauss:1", DOSI_EINVAL, "g is gauss:MU");
    refused(id, "f=C;g=Id", DOSI_EINVAL, "got 'C'");
    refused(id, "f=gauss:1:;g=Id", DOSI_EINVAL, "got 'gauss:1:'");
    refused(id, "f=ed:1:2;g=Id", DOSI_EDOMAIN, "deltas in [0, 1]");
    refused(id, "f=Cgauss:1.5:1;g=Id", DOSI_EDOMAIN, "rates");
}

/* ---- Ledgers ------------------------------------------------------------- */

/* mu = 2 sum kl/sqrt(V), gamma = 0.56 sum k3bar/V^1.5; moments of Laplace and
 * of C_p(G) by quadrature of the losses' densities. */
static void test_ledger(void **state)
{
    (void)state;
#define MIXED                                                                  \
    "ledger=50*gauss:0.1|200*pure:0.05|30*laplace:0.1|1000*Cgauss:0.01:1"
    is("T001-T5.mu", MIXED, 1.253205241089878835168155);
    is("T001-T5.gamma", MIXED, 0.04477780752995278923782264);
    is("T001-T5.lower", MIXED ";alpha=0.25", 0.1929207752333055184221851);
    is("T001-T5.upper", MIXED ";alpha=0.25", 0.3783416648625632775631751);
    is("T001-T5.delta_upper", MIXED ";eps_out=0.5", 0.4571312781275816329427);
    is("T001-T5.delta_lower", MIXED ";eps_out=0.5", 0.2199234156077769962309);
    /* an entry without a count is one step */
    is("T001-T5.mu", "ledger=500*Cpure:0.2:1|gauss:0.5",
        5.265637331573298204827644);
    is("T001-T5.gamma", "ledger=500*Cpure:0.2:1|gauss:0.5",
        0.03207055176696296065757492);
    is("T001-T5.mu", "ledger=3*gauss:1|0*pure:9|1*gauss:1", 2);
    is("T001-T5.gamma", "f=Cgauss;p=0.01;mu=0.5;n=10000",
        0.01386130251065677513535147); /* T001-C5.gamma of sigma = 2 */
}

static void test_ledger_mistakes(void **state)
{
    (void)state;
    const char *const id = "T001-T5.mu";
    refused(id, "ledger=", DOSI_EINVAL, "got ''");
    refused(id, "ledger=5", DOSI_EINVAL, "COUNT*CURVE");
    refused(id, "ledger=5*gauss:1|", DOSI_EINVAL, "got ''");
    refused(id, "ledger=1.5*gauss:1", DOSI_EDOMAIN, "whole counts");
    refused(id, "ledger=-1*gauss:1", DOSI_EDOMAIN, "whole counts");
    refused(id, "ledger=ed:1:0.1", DOSI_EDOMAIN, "E|L|^3 < inf");
    refused(id, "ledger=5*Claplace:0.5:1", DOSI_EUNABLE, "Laplace");
    refused(id, "ledger=0*gauss:1|Id", DOSI_EDOMAIN, "perfect");
    refused(id, "ledger=gauss:1;n=5", DOSI_EINVAL, "or else ledger");
    refused(id, "n=5", DOSI_EINVAL, "or else ledger");
    refused(id, "f=gauss;n=5", DOSI_EINVAL, "takes mu");
}

/* ---- Laws ---------------------------------------------------------------- */

/* Whether all mass finds a nearest point: by hand. */
static void test_laws(void **state)
{
    (void)state;
    const char *const id = "T004-7.compatible";
#define TOY "nu=0:0.5|1:0.5;nup=2:0.75|9:0.25"
    is(id, TOY ";dist=line", 0); /* all want 2, which takes 3/4 */
    is(id, TOY ";dist=abs", 0);
    is(id, TOY ";dist=|x-y|", 0);
    is(id, TOY, 0);
    is(id, TOY ";dist=2|9|1|8", 0);
    is(id, TOY ";dist=2|9|1|1", 1); /* 1 has two nearest points */
    is(id, TOY ";dist=2|inf|1|1", 1);
    is(id, TOY ";dist=2|2|1|8", 1);
    is(id, TOY ";dist=0:2:1|1:2:1|1:9:1", 1);
    is(id, TOY ";dist=0:2:1|1:2:1|1:9:2", 0);
    is(id, "nu=0:0.5|10:0.5;nup=2:0.5|9:0.5;dist=line", 1);
    /* a point without mass is nobody's nearest */
    is(id, "nu=0:0.5|10:0.5;nup=0:0|2:0.5|9:0.5;dist=line", 1);
    is(id, "nu=0:0.5|5:0|10:0.5;nup=0:0|2:0.5|9:0.5;dist=0|2|9|5|3|4|10|8|1",
        1);
    /* sums that differ by 1e-10 */
    is(id,
        "nu=0:0.3333333333|1:0.3333333333|10:0.3333333333;"
        "nup=1:0.6666666666666666|9:0.3333333333333333",
        1);
    is("T004-5c.min_cost",
        "nu=0:0.5|1:0.5;nup=2:0.75|9:0.25;dist=2|9|1|8;"
        "deltas=1:0.0625|2:0.125|8:0.75|9:0.875",
        0.265625);
}

static void test_law_mistakes(void **state)
{
    (void)state;
    const char *const id = "T004-7.compatible";
    refused(id, TOY ";dist=2|9|1", DOSI_EINVAL, "4 numbers");
    refused(id, TOY ";dist=2|9|1|-8", DOSI_EINVAL, "numbers >= 0");
    refused(id, TOY ";dist=0:3:1", DOSI_EINVAL, "POINT:POINT:d");
    refused(id, TOY ";dist=2|9|1|1:9:8", DOSI_EINVAL, "POINT:POINT:d");
    refused(id, TOY ";dist=", DOSI_EINVAL, "dist is line");
    refused(id, "nu=0:0.5;nup=1:1", DOSI_EDOMAIN, "sum 1");
    refused(id, "nu=0:1;dist=line", DOSI_EINVAL, "or else nu");
    refused(id, TOY ";n=3", DOSI_EINVAL, "or else nu");
    refused(id, "sampler=wr;n=3;m=2", DOSI_EINVAL, "sampler, n and pair");
}

/* ---- Digits -------------------------------------------------------------- */

/* The curve of C_p(G_mu) where its line of slope -1 ends, alpha near 1 - p:
 * 1-p-alpha + 2p sf(mu/2) on the line; beyond it sf(z) with
 * p sf(mu-z) - (1-p) sf(z) = alpha - (1-p), by bisection. */
static void test_sampled_curve(void **state)
{
    (void)state;
    const char *const id = "T001-E13.CG";
    is(id, "p=0.5;mu=20;alpha=0.5", 7.6198530241605260659733e-24);
    is(id, "p=0.25;mu=30;alpha=0.75", 2.1180311897345662870425e-51);
    is(id, "p=0.5;mu=40;alpha=0.5", 2.7536241186062336950756e-89);
    is(id, "p=0.5;mu=40;alpha=0.4999999999999999", 1.1102230246251565404e-16);
    is(id, "p=0.5;mu=40;alpha=0.5000000000000001", 3.0506000320552135e-223);
    is(id, "p=0.3;mu=20;alpha=0.7", 5.5511155803169641517497e-17);
    is(id, "p=0.75;mu=20;alpha=0.25", 1.1429779536240789098960e-23);
    is(id, "p=0.25;mu=24;alpha=0.7500000000000001", 1.2411862029926741783e-57);
    is(id, "p=0.0625;mu=16;alpha=0.9375", 1.5843908314685976844418e-16);
    is("T001-E3.fp_inv", "p=0.5;mu=40;alpha=0.5", 2.75362411860623369508e-89);
}

/* Rows that lost everything: a group of k next to the end of doubles, a sum
 * whose factors grew from an underflow, slopes and quotients below doubles.
 * Each value is within 1e-300 of what is said. */
static void test_ends_of_doubles(void **state)
{
    (void)state;
    static const struct {
        const char *id, *parameters;
        double truth;
    } cases[] = {
        {"T001-T3.group_CG", "p=0.1;mu=1;k=100;alpha=0.05", 0},
        {"T001-T3.group_CG", "p=0.1;mu=1;k=1000;alpha=0.9999", 0},
        {"T001-E3.fp_inv", "p=0.5;mu=700;alpha=0.5", 0},
        {"T001-E13.CG", "p=0.35;mu=1e15;alpha=0.99", 0},
        {"T001-E13.CG", "p=0.5;mu=80;alpha=0.5", 0},
        {"T001-C1.delta", "mu=5e-324;eps=3", 0},
        {"T001-C1.delta", "mu=20;eps=1e300", 0},
        {"T001-D5.laplace_laplace", "mu1=0.5;mu2=1.25;eps=1000", 0},
        {"T001-E15.delta_CG", "p=0.5;mu=1e-310;eps=1e-6", 0},
        {"T001-E15.delta_CG", "p=0.5;mu=20;eps=1e300", 0},
        /* 1 - delta = E min(1, e^(4-L)) <= e^-1000 + P[L <= 1004], L a sum of
         * 10^6 losses of mean 0.0447, at most 0.3: by Hoeffding e^-10000 */
        {"T001-S33.delta", "eps0=0.3;n=1000000;eps=4", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dosi_interval x;
        dosi_error err = {0};
        if (dosi_formula_eval(&x, cases[i].id, cases[i].parameters, &err))
            fail_msg("%s %s: %s", cases[i].id, cases[i].parameters,
                err.message);
        double room = cases[i].truth == 0 ? 1e-300 : 1e-15;
        if (!(x.lo <= cases[i].truth && x.hi >= cases[i].truth &&
                x.hi - x.lo <= room))
            fail_msg("%s %s: [%.17g, %.17g]", cases[i].id, cases[i].parameters,
                x.lo, x.hi);
    }
    refused("T001-T10.eps", "p=0.01;sigma=0.5;T=9007199254740992;delta=1e-5",
        DOSI_EUNABLE, "converges too slowly");
}

/* Few steps, and noise that is small or large: one step in closed form, two
 * as E_P[delta_1(eps - L)] by quadrature with 30 digits. */
static void test_few_steps(void **state)
{
    (void)state;
    is("S000-7.tight_delta_add", "sigma=1;sens=1;p=0.01;T=1;eps=0.5",
        2.2145190131530615558e-7);
    is("S000-7.tight_delta_rem", "sigma=1;sens=1;p=0.01;T=1;eps=0.005",
        0.00096314433530530480432);
    static const struct {
        const char *id, *parameters;
        double truth, width;
    } cases[] = {
        {"S000-7.tight_delta_add", "sigma=0.3;sens=1;p=0.01;T=2;eps=0.5",
            0.01084011837054171944, 1e-10},
        {"S000-7.tight_delta_add", "sigma=1;sens=1;p=0.5;T=2;eps=0.5",
            0.14792013341095416244, 1e-10},
        /* at most delta of mu = sqrt(1000)/10^5: below doubles */
        {"S000-7.tight_delta_add", "sigma=1e5;sens=1;p=0.01;T=1000;eps=0.5", 0,
            1e-300},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dosi_interval x;
        dosi_error err = {0};
        assert_int_equal(
            dosi_formula_eval(&x, cases[i].id, cases[i].parameters, &err),
            DOSI_OK);
        if (!(x.lo <= cases[i].truth && x.hi >= cases[i].truth &&
                x.hi - x.lo <= cases[i].width))
            fail_msg("%s %s: [%.17g, %.17g]", cases[i].id, cases[i].parameters,
                x.lo, x.hi);
    }
}

/* The least rho, from 40 digits of the supremum over all orders. */
static void test_least_rho(void **state)
{
    (void)state;
    static const struct {
        const char *parameters;
        double truth;
    } cases[] = {{"mech=laplace;b=0.5;xi=0.5", 0.64985086143782220},
        {"mech=laplace;b=0.605375;xi=0.4823", 0.41284625031546739}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dosi_interval x;
        dosi_error err = {0};
        assert_int_equal(
            dosi_formula_eval(&x, "R002-8.rho", cases[i].parameters, &err),
            DOSI_OK);
        if (!(x.lo <= cases[i].truth && x.hi >= cases[i].truth &&
                x.hi - x.lo <= 1e-12))
            fail_msg("%s: [%.17g, %.17g]", cases[i].parameters, x.lo, x.hi);
    }
}

/* epsilon of two rounds by the lattice, and their delta in closed form on both
 * sides of it. */
static void test_few_rounds(void **state)
{
    (void)state;
    dosi_interval x;
    dosi_error err = {0};
    assert_int_equal(dosi_formula_eval(&x, "T001-T10.eps",
                         "p=0.01;sigma=0.5;T=2;delta=1e-5", &err),
        DOSI_OK);
    assert_true(x.lo <= 3.4300124 && x.hi >= 3.4300123);
    assert_true(x.hi - x.lo <= 1e-6);
    assert_int_equal(dosi_formula_eval(&x, "T001-D5.CG_CG",
                         "p=0.01;mu=2;eps=3.4300123", &err),
        DOSI_OK);
    assert_true(x.lo > 1e-5 && x.hi < 1.0000002e-5);
    assert_int_equal(dosi_formula_eval(&x, "T001-D5.CG_CG",
                         "p=0.01;mu=2;eps=3.4300124", &err),
        DOSI_OK);
    assert_true(x.hi < 1e-5 && x.lo > 0.9999998e-5);
    assert_int_equal(dosi_formula_eval(&x, "T001-T10.delta",
                         "p=0.01;sigma=0.5;T=3;eps=1", &err),
        DOSI_OK);
    assert_true(x.hi - x.lo <= 1e-6 * x.lo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves_of_one_family),
        cmocka_unit_test(test_curves_of_two_families),
        cmocka_unit_test(test_curve_mistakes),
        cmocka_unit_test(test_ledger),
        cmocka_unit_test(test_ledger_mistakes),
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_law_mistakes),
        cmocka_unit_test(test_sampled_curve),
        cmocka_unit_test(test_ends_of_doubles),
        cmocka_unit_test(test_few_steps),
        cmocka_unit_test(test_few_rounds),
        cmocka_unit_test(test_least_rho),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
