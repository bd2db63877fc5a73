/*
 * Finite laws for tests: made in a line, and checked against their definition
 * in Arb.
 */
#ifndef DOSI_TESTS_SUPPORT_FINITE_LAWS_H
#define DOSI_TESTS_SUPPORT_FINITE_LAWS_H

#include <cmocka.h>

#include "finite_pair.h"
#include "finite/finite_law.h"

static inline ball d(double x)
{
    return ball_of(x);
}

/* Frees the old law when it gives the new one. */
static inline finite_law *reversed(finite_law *law)
{
    finite_law *out = NULL;
    assert_int_equal(finite_reverse(&out, law, NULL), DOSI_OK);
    finite_free(law);
    return out;
}

static inline finite_law *composed(finite_law *a, finite_law *b)
{
    finite_law *out = NULL;
    assert_int_equal(finite_convolve(&out, a, b, 0, NULL), DOSI_OK);
    finite_free(a);
    finite_free(b);
    return out;
}

static inline finite_law *response(double eps0, double delta0)
{
    finite_law *out = NULL;
    assert_int_equal(
        finite_leaky_response(&out, d(eps0), d(delta0), NULL), DOSI_OK);
    return out;
}

/* delta, epsilon and the trade-off of the law, and their widths. */
static inline void check_law(const finite_law *law, const finite_pair *x)
{
    arb_t exact;
    arb_init(exact);
    for (double eps = -2.5; eps < 3; eps += 0.25) {
        pair_delta(exact, x, eps);
        ball delta = finite_delta(law, d(eps));
        assert_true(pair_in_ball(delta, exact));
        assert_true(pair_width(ball_interval(delta)) < 1e-15);
    }
    for (double log_delta = -20; log_delta < 0; log_delta += 0.7) {
        arb_set_d(exact, log_delta);
        arb_exp(exact, exact, PAIR_BITS);
        dosi_interval e =
            finite_epsilon(law, ball_exp(d(log_delta)), d(log_delta));
        assert_true(pair_in_epsilon(x, e, exact));
        assert_true(pair_width(e) < 1e-15);
    }
    for (double alpha = 0; alpha <= 1; alpha += 0.0625) {
        pair_tradeoff(exact, x, alpha);
        dosi_interval f = finite_tradeoff(law, alpha);
        assert_true(pair_in_interval(f, exact));
        assert_true(f.hi - f.lo < 1e-15);
    }
    arb_clear(exact);
}

#endif
