/*
 * The Gaussian pair: its rows of oracles/oracle_000.csv, known values, and
 * the edges of its parameters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arb.h>
#include <cmocka.h>

#include "num/interval.h"
#include "noise/gaussian.h"

#define BITS 200

/* Widest enclosure relative to the value: a few steps of double. */
#define WIDTH 1e-15

/* ---- Reference rows ---------------------------------------------------- */

/* The value, rounded at its 25th digit, lies in x. */
static bool contains(dosi_interval x, const char *value)
{
    arb_t v, slack, end;
    arb_init(v);
    arb_init(slack);
    arb_init(end);
    bool ok = arb_set_str(v, value, BITS) == 0;
    arb_set_d(slack, 1e-24);
    arb_mul(slack, slack, v, BITS);
    arb_add_error(v, slack);
    arb_set_d(end, x.lo);
    ok = ok && !arb_gt(end, v);
    arb_set_d(end, x.hi);
    ok = ok && !arb_lt(end, v);
    arb_clear(v);
    arb_clear(slack);
    arb_clear(end);
    return ok;
}

/* The list of a parameter "name=a|b|c"; returns its length. */
static size_t read_list(const char *params, const char *name, double *out)
{
    size_t length = strlen(name), n = 0;
    const char *s = params;
    while (s && !(strncmp(s, name, length) == 0 && s[length] == '=')) {
        s = strchr(s, ';');
        s = s ? s + 1 : NULL;
    }
    for (s = s ? s + length : NULL; s && n < 8; s = *s == '|' ? s : NULL) {
        char *end = NULL;
        out[n++] = strtod(s + 1, &end);
        s = end;
    }
    return n;
}

static ball read_real(const char *params, const char *name)
{
    double x[8] = {NAN};
    read_list(params, name, x);
    return ball_of(x[0]);
}

/* mu from rho, from (mu, mu2, sigma), or from (k, sens, sigma) lists; with
 * sigma asked for, the sensitivity sqrt(k) sens. */
static ball read_mu(const char *params)
{
    double sens[8] = {1}, sigma[8] = {1}, k[8] = {1}, x[8] = {0}, y[8] = {0};
    if (read_list(params, "rho", x) > 0)
        return ball_sqrt(ball_scale2(ball_of(x[0]), 1));
    size_t n = read_list(params, "sens", sens);
    read_list(params, "sigma", sigma);
    read_list(params, "k", k);
    if (read_list(params, "mu", x) > 0 && read_list(params, "mu2", y) > 0)
        return ball_abs(ball_div_d(ball_sub_d(ball_of(x[0]), y[0]), sigma[0]));
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add(sum, ball_sqr(ball_div_d(ball_of(sens[i]), sigma[i])));
    return ball_sqrt(ball_mul_d(sum, k[0]));
}

typedef ball (*forward)(ball mu, ball x);

/* P[Q-loss <= t] is P[P-loss >= -t] by symmetry. */
static ball tail_below(ball mu, ball t)
{
    return gauss_tail_p(mu, ball_neg(t));
}

static const struct {
    const char *id;
    const char *argument;
    forward f;
} forwards[] = {
    {"T000-03.tv", "", gauss_delta},
    {"T000-04.tpr", "t", gauss_tail_p},
    {"T000-04.tnr", "t", tail_below},
    {"T000-04.min_fnr", "fpr", gauss_tradeoff},
    {"T000-08.delta", "eps", gauss_delta},
    {"T000-08.delta_rho", "eps", gauss_delta},
    {"T000-08.tail_bound", "eps", gauss_tail_p},
    {"T000-08.logdelta", "eps", gauss_log_delta},
    {"T000-08.log1mdelta", "eps", gauss_log_1m_delta},
    {"T000-10.delta", "eps", gauss_delta},
    {"T000-10.k_delta", "eps", gauss_delta},
    {"T000-10.k_logdelta", "eps", gauss_log_delta},
};

/* Evaluates the row; false when it is not one of ours. */
static bool evaluate(dosi_interval *out, const char *id, const char *params)
{
    ball mu = read_mu(params);
    for (size_t i = 0; i < sizeof forwards / sizeof *forwards; i++) {
        if (strcmp(id, forwards[i].id) != 0)
            continue;
        ball x = forwards[i].argument[0] == '\0'
                     ? ball_of(0)
                     : read_real(params, forwards[i].argument);
        *out = ball_interval(forwards[i].f(mu, x));
        return true;
    }
    ball log_delta = ball_log(read_real(params, "delta"));
    if (strcmp(id, "T000-08.eps") == 0 || strcmp(id, "T000-10.eps") == 0 ||
        strcmp(id, "T000-10.k_eps") == 0) {
        *out = gauss_epsilon(mu, log_delta);
        return true;
    }
    if (strcmp(id, "T000-08.sigma") == 0 ||
        strcmp(id, "T000-10.k_sigma") == 0) {
        dosi_interval root = gauss_mu(read_real(params, "eps"), log_delta);
        *out = ball_interval(ball_div(mu, ball_of_interval(root)));
        return true;
    }
    return false;
}

static void reference_rows(void **state)
{
    (void)state;
    FILE *file = fopen(DOSI_TEST_DATA "/oracles/oracle_000.csv", "r");
    assert_non_null(file);
    char line[1024];
    int n = 0, failed = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        char *params = strchr(line, ',');
        char *value = params ? strrchr(line, ',') : NULL;
        if (!value || value == params)
            continue;
        *params++ = '\0';
        *value++ = '\0';
        dosi_interval x;
        if (!evaluate(&x, line, params))
            continue;
        n++;
        double size = fmax(fabs(x.lo), fabs(x.hi));
        if (!contains(x, value) || !(x.hi - x.lo <= WIDTH * size)) {
            printf("%s %s = %s: [%.17g, %.17g]\n", line, params, value, x.lo,
                x.hi);
            failed++;
        }
    }
    (void)fclose(file);
    assert_int_equal(failed, 0);
    assert_true(n >= 100);
}

/* ---- Known values ------------------------------------------------------ */

static void assert_encloses(dosi_interval x, const char *value)
{
    assert_true(contains(x, value));
    assert_true(x.hi - x.lo <= WIDTH * fabs(x.hi));
}

/* Digits: mpmath at 120 digits, from sf(a) - e^eps sf(b). */
static void known_values(void **state)
{
    (void)state;
    assert_encloses(ball_interval(gauss_delta(ball_of(1), ball_of(1))),
        "0.12693673750664394580064864");
    ball small = ball_of(1e-6);
    assert_encloses(ball_interval(gauss_log_delta(small, ball_of(0))),
        "-14.7344490911689885578068333046");
    assert_encloses(ball_interval(gauss_log_delta(small, ball_of(3e-5))),
        "-471.540149318562466595286290966");
    assert_encloses(gauss_epsilon(small, ball_log(ball_of(1e-300))),
        "0.0000365743125142488872617271752008");
    assert_encloses(ball_interval(gauss_tradeoff(ball_of(1), ball_of(0.05))),
        "0.740488977158555920630946230189963333644");
    assert_encloses(ball_interval(gauss_tradeoff(ball_of(1), ball_of(0.5))),
        "0.158655253931457051414767454368");
    assert_encloses(ball_interval(gauss_tail_p(ball_of(1), ball_of(1))),
        "0.308537538725986896362295389392");
}

/* delta(-e) = 1 - x + x delta(e), x = e^-e, is what sf(a) - e^eps sf(b)
 * says; and the pair of equal laws has delta(-e) = 1 - e^-e. */
static void negative_epsilon(void **state)
{
    (void)state;
    ball mu = ball_of(0.75), minus = ball_of(-1.25);
    ball p = gauss_tail_p(mu, minus), q = gauss_tail_q(mu, minus);
    ball direct = ball_sub(p, ball_mul(ball_exp(minus), q));
    ball delta = gauss_delta(mu, minus);
    ball gap = ball_sub(direct, delta);
    assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
    assert_true(gap.rad < 1e-27);
    gap = ball_sub(ball_log(direct), gauss_log_delta(mu, minus));
    assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
    ball equal = gauss_delta(ball_of(0), minus);
    gap = ball_add(equal, ball_expm1(minus));
    assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
    assert_true(equal.hi > 0.7 && equal.rad < 1e-28);
}

/* ---- Edges ------------------------------------------------------------- */

static void assert_exactly(ball x, double value)
{
    assert_true(x.hi == value && x.lo == 0 && x.rad == 0);
}

static void assert_point(dosi_interval x, double value)
{
    assert_true(x.lo == value && x.hi == value);
}

static void forward_edges(void **state)
{
    (void)state;
    ball zero = ball_of(0), one = ball_of(1), inf = ball_of(HUGE_VAL);
    assert_exactly(gauss_delta(zero, zero), 0);
    assert_exactly(gauss_delta(zero, ball_of(1e5)), 0);
    assert_exactly(gauss_log_delta(zero, one), -HUGE_VAL);
    assert_exactly(gauss_log_1m_delta(zero, one), 0);
    assert_exactly(gauss_delta(inf, one), 1);
    assert_exactly(gauss_log_delta(inf, one), 0);
    assert_exactly(gauss_log_1m_delta(inf, one), -HUGE_VAL);
    assert_exactly(gauss_tail_p(zero, zero), 0);
    assert_exactly(gauss_tail_p(zero, ball_of(-1)), 1);
    assert_exactly(gauss_tradeoff(one, zero), 1);
    assert_exactly(gauss_tradeoff(one, one), 0);
    assert_exactly(gauss_tradeoff(inf, zero), 0);
    assert_exactly(gauss_delta(one, inf), 0);
    assert_exactly(gauss_log_delta(one, inf), -HUGE_VAL);
    assert_exactly(gauss_delta(one, ball_of(-HUGE_VAL)), 1);
    assert_exactly(gauss_log_1m_delta(one, ball_of(-HUGE_VAL)), -HUGE_VAL);
    assert_true(ball_is_unknown(gauss_delta(inf, inf)));
    assert_true(ball_is_unknown(gauss_delta(ball_of(-1), one)));
    assert_true(ball_is_unknown(gauss_delta(ball_unknown(), one)));
    assert_true(ball_is_unknown(gauss_delta(one, ball_unknown())));
    /* log delta as low as -1e25 and lower, where delta is long gone */
    ball low = gauss_log_delta(ball_of(1e-12), ball_of(10));
    assert_true(low.hi < -4.9e25 && low.rad < 1e-20 * -low.hi);
    low = gauss_log_delta(ball_of(1e-12), ball_of(1e5));
    assert_true(low.hi < -4.9e33 && low.rad < 1e-20 * -low.hi);
    assert_true(ball_upper(gauss_delta(ball_of(1e-12), one)) < 1e-300);
    /* delta near 1: digits of log delta, not of delta */
    ball high = gauss_log_delta(ball_of(50), zero);
    assert_true(high.hi < 0 && high.hi > -1e-130);
    assert_true(high.rad < 1e-20 * -high.hi);
}

static void inverse_edges(void **state)
{
    (void)state;
    ball zero = ball_of(0), one = ball_of(1), minus_inf = ball_of(-HUGE_VAL);
    assert_point(gauss_epsilon(zero, ball_of(-5)), 0);
    assert_point(gauss_epsilon(zero, minus_inf), 0);
    assert_point(gauss_epsilon(one, zero), 0);
    assert_point(gauss_epsilon(one, minus_inf), HUGE_VAL);
    assert_point(gauss_epsilon(ball_of(HUGE_VAL), ball_of(-5)), HUGE_VAL);
    assert_point(gauss_mu(one, minus_inf), 0);
    assert_point(gauss_mu(one, zero), HUGE_VAL);
    /* total variation is 0.3829...: nothing to pay from there on */
    assert_point(gauss_epsilon(one, ball_log(ball_of(0.383))), 0);
    assert_true(gauss_epsilon(one, ball_log(ball_of(0.3829))).lo > 0);
    /* delta equal to the total variation: 0, and no more than rounding */
    dosi_interval x = gauss_epsilon(one, gauss_log_delta(one, zero));
    assert_true(x.lo == 0 && x.hi < 1e-25);
    x = gauss_epsilon(ball_unknown(), ball_of(-5));
    assert_true(x.lo == 0 && x.hi == HUGE_VAL);
    /* wide parameters that reach the edge */
    x = gauss_epsilon((ball){0.5, 0, 1}, ball_of(-5));
    dosi_interval end = gauss_epsilon(ball_of(1.5), ball_of(-5));
    assert_true(x.lo == 0 && x.hi >= end.lo && x.hi <= end.hi * 1.000001);
    x = gauss_epsilon(one, (ball){-1, 0, 2});
    end = gauss_epsilon(one, ball_of(-3));
    assert_true(x.lo == 0 && x.hi >= end.lo && x.hi <= end.hi * 1.000001);
    x = gauss_mu((ball){0.5, 0, 1}, ball_of(-5));
    dosi_interval start = gauss_mu(zero, ball_of(-5));
    end = gauss_mu(ball_of(1.5), ball_of(-5));
    assert_true(x.lo <= start.hi && x.lo >= start.lo * 0.999999);
    assert_true(x.hi >= end.lo && x.hi <= end.hi * 1.000001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_rows),
        cmocka_unit_test(known_values),
        cmocka_unit_test(negative_epsilon),
        cmocka_unit_test(forward_edges),
        cmocka_unit_test(inverse_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
