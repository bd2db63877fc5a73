/*
 * Finite laws against plain sums in Arb over all outcomes: random pairs with
 * ties, near-ties, zeros and extreme weights, their compositions, and the
 * identities of composition, reversal and sampling.
 */
#include "support/finite_pair.h"
#include "support/random.h"
#include "finite/finite_law.h"
#include "finite/response_composition.h"

#define MOST 8

static int failures;
static const char *context;

static void check(bool right, const char *what, double at)
{
    if (right)
        return;
    printf("%s: %s fails at %.17g\n", context, what, at);
    failures++;
}

static void must(dosi_status status)
{
    if (status != DOSI_OK) {
        printf("%s: status %d\n", context, (int)status);
        exit(1);
    }
}

/* A list with ties, near-ties, zeros and sizes far apart. */
static void random_weights(prop_random *r, double *w, const double *tie, int n)
{
    int low = prop_below(r, 2) == 0 ? -4 : -60;
    for (int i = 0; i < n; i++) {
        w[i] = prop_scaled(r, low, 2);
        if (prop_below(r, 10) == 0)
            w[i] = 0;
        if (tie != NULL && prop_below(r, 3) == 0)
            w[i] = prop_bits(r) & 1 ? tie[i] : fabs(prop_near(r, tie[i]));
    }
    w[prop_below(r, n)] = 1;
}

static double random_eps(prop_random *r, const finite_law *law)
{
    size_t n = finite_count(law);
    if (n > 0 && prop_below(r, 2) == 0) { /* at a loss */
        size_t i = (size_t)prop_below(r, (int)n);
        return prop_near(r, ball_mid(finite_loss(law, i)));
    }
    return prop_sign(r, prop_scaled(r, -10, 5));
}

static void check_profile(
    prop_random *r, const finite_law *law, const finite_pair *x, arb_t exact)
{
    double eps = random_eps(r, law);
    pair_delta(exact, x, eps);
    ball delta = finite_delta(law, ball_of(eps));
    check(pair_in_ball(delta, exact), "delta", eps);
    dosi_interval log_delta = finite_log_delta(law, ball_of(eps));
    if (arb_is_positive(exact) && arb_rel_accuracy_bits(exact) > 100) {
        arb_log(exact, exact, PAIR_BITS);
        check(pair_in_interval(log_delta, exact), "log delta", eps);
        /* next to a loss the profile is as wide as that loss */
        ball near = finite_tail_p(law, ball_of(eps - 1e-9));
        double slack = 1e-28 * (1 + fabs(eps)) * ball_upper(near);
        bool narrow = pair_width(log_delta) < 1e-12 ||
                      log_delta.hi - log_delta.lo < 1e-15 ||
                      delta.rad < slack || log_delta.hi < -730;
        check(narrow, "log delta width", eps);
    }
}

static void check_inverse(
    prop_random *r, const finite_law *law, const finite_pair *x, arb_t exact)
{
    double log_delta =
        prop_bits(r) & 1 ? -prop_scaled(r, -20, 7) : -prop_uniform(r, 0, 5);
    arb_set_d(exact, log_delta);
    arb_exp(exact, exact, PAIR_BITS);
    dosi_interval e =
        finite_epsilon(law, ball_exp(ball_of(log_delta)), ball_of(log_delta));
    check(pair_in_epsilon(x, e, exact), "epsilon", log_delta);
    bool narrow = e.lo == HUGE_VAL || pair_width(e) < 1e-9;
    check(narrow, "epsilon width", log_delta);
}

static void check_tests(
    prop_random *r, const finite_law *law, const finite_pair *x, arb_t exact)
{
    double alpha =
        prop_bits(r) & 1 ? prop_uniform(r, 0, 1) : prop_scaled(r, -100, 0);
    if (prop_below(r, 5) == 0) /* near a vertex */
        alpha = fmin(
            1, fabs(prop_near(r, arf_get_d(arb_midref(x->p), ARF_RND_NEAR))));
    dosi_interval f = finite_tradeoff(law, alpha);
    pair_tradeoff(exact, x, alpha);
    check(pair_in_interval(f, exact), "trade-off", alpha);
    check(
        pair_width(f) < 1e-12 || f.hi - f.lo < 1e-25, "trade-off width", alpha);
}

static void check_renyi(
    prop_random *r, const finite_law *law, const finite_pair *x, arb_t exact)
{
    double order = prop_scaled(r, -3, 8);
    if (prop_below(r, 4) == 0)
        order = 1 + prop_sign(r, prop_scaled(r, -50, 0)) / 2;
    if (prop_below(r, 8) == 0)
        order = 1;
    ball v = finite_renyi(law, ball_of(order));
    bool singular = !ball_is_zero(finite_p_inf(law)) && order >= 1;
    if (singular || finite_count(law) == 0) {
        check(v.hi == HUGE_VAL, "infinite divergence", order);
        return;
    }
    pair_renyi(exact, x, order);
    check(pair_in_ball(v, exact), "renyi", order);
    dosi_interval i = ball_interval(v);
    check(pair_width(i) < 1e-10 || i.hi - i.lo < 1e-26, "renyi width", order);
}

static void check_all(
    prop_random *r, const finite_law *law, const finite_pair *x, arb_t exact)
{
    for (int i = 0; i < 4; i++) {
        check_profile(r, law, x, exact);
        check_inverse(r, law, x, exact);
    }
    check_tests(r, law, x, exact);
    check_renyi(r, law, x, exact);
}

static bool same(ball a, ball b)
{
    return !ball_less(a, b) && !ball_less(b, a);
}

/* (a b) c = a (b c) = their definition, and two at once. */
static void check_composition(prop_random *r, arb_t exact)
{
    double p[2][MOST], q[2][MOST];
    finite_law *law[2], *ab = NULL, *ba = NULL;
    finite_pair x[2];
    for (int i = 0; i < 2; i++) {
        int n = 1 + prop_below(r, MOST);
        random_weights(r, p[i], NULL, n);
        random_weights(r, q[i], p[i], n);
        must(finite_from_pair(&law[i], p[i], q[i], (size_t)n, NULL));
        x[i] = pair_of_doubles(p[i], q[i], n);
    }
    must(finite_convolve(&ab, law[0], law[1], 0, NULL));
    must(finite_convolve(&ba, law[1], law[0], 0, NULL));
    finite_pair xy = pair_product(&x[0], &x[1]);
    check_all(r, ab, &xy, exact);
    double eps = random_eps(r, ab);
    check(same(finite_delta(ab, ball_of(eps)), finite_delta(ba, ball_of(eps))),
        "commuting", eps);
    pair_delta(exact, &xy, eps);
    ball two = finite_product_delta(law[0], law[1], ball_of(eps));
    check(pair_in_ball(two, exact), "two at once", eps);
    double log_delta = -prop_uniform(r, 0, 20);
    ball delta = ball_exp(ball_of(log_delta));
    dosi_interval e =
        finite_product_epsilon(law[0], law[1], delta, ball_of(log_delta));
    arb_set_d(exact, log_delta);
    arb_exp(exact, exact, PAIR_BITS);
    check(pair_in_epsilon(&xy, e, exact), "epsilon of two", log_delta);
    check(e.lo == HUGE_VAL || pair_width(e) < 1e-9, "its width", log_delta);
    pair_clear(&xy);
    for (int i = 0; i < 2; i++) {
        finite_free(law[i]);
        pair_clear(&x[i]);
    }
    finite_free(ab);
    finite_free(ba);
}

/* law^(j + k) = law^j law^k, by multinomials and by pairs. */
static void check_power(prop_random *r)
{
    double p[MOST], q[MOST];
    int n = 1 + prop_below(r, 4), j = prop_below(r, 5), k = prop_below(r, 5);
    random_weights(r, p, NULL, n);
    random_weights(r, q, p, n);
    finite_law *one = NULL, *a = NULL, *b = NULL, *ab = NULL, *all = NULL;
    must(finite_from_pair(&one, p, q, (size_t)n, NULL));
    must(finite_power(&a, one, j, 0, NULL));
    must(finite_power(&b, one, k, 0, NULL));
    must(finite_power(&all, one, j + k, 0, NULL));
    must(finite_convolve(&ab, a, b, 0, NULL));
    for (int i = 0; i < 5; i++) {
        double eps = random_eps(r, all);
        check(same(finite_delta(ab, ball_of(eps)),
                  finite_delta(all, ball_of(eps))),
            "powers", eps);
    }
    ball kl = ball_mul_d(finite_kl(one), j + k);
    if (j + k > 0 && !isinf(kl.hi))
        check(same(finite_kl(all), kl), "kl adds", j + k);
    finite_law *laws[] = {one, a, b, ab, all};
    for (int i = 0; i < 5; i++)
        finite_free(laws[i]);
}

/* H_rev(x) = 1 - x + x H(1/x); sampling by its formulas of the profile. */
static void check_maps(prop_random *r, arb_t exact)
{
    double p[MOST], q[MOST];
    int n = 1 + prop_below(r, MOST);
    random_weights(r, p, NULL, n);
    random_weights(r, q, p, n);
    finite_law *law = NULL, *back = NULL, *remove = NULL, *add = NULL;
    must(finite_from_pair(&law, p, q, (size_t)n, NULL));
    must(finite_reverse(&back, law, NULL));
    double eps = random_eps(r, law), rate = prop_uniform(r, 0, 1);
    if (prop_below(r, 3) == 0)
        rate = prop_scaled(r, -60, 0);
    ball x = ball_exp(ball_of(eps)), one = ball_of(1), t = ball_of(rate);
    ball h = finite_delta(law, ball_of(-eps));
    ball mirrored = ball_add(ball_sub(one, x), ball_mul(x, h));
    check(same(finite_delta(back, ball_of(eps)), mirrored), "reversal", eps);
    must(finite_poisson(&remove, law, t, FINITE_MIXTURE_FIRST, NULL));
    must(finite_poisson(&add, back, t, FINITE_BASE_FIRST, NULL));
    /* q H(1 + (x - 1)/q) */
    ball inner = ball_add_d(ball_div(ball_expm1(ball_of(eps)), t), 1);
    if (ball_is_positive(inner) && inner.rad < inner.hi * 1e-20) {
        ball expected = ball_mul(t, finite_delta(law, ball_log(inner)));
        check(
            same(finite_delta(remove, ball_of(eps)), expected), "remove", eps);
    }
    /* c H(x q / c), c = 1 - (1 - q) x */
    ball c = ball_sub(one, ball_mul(ball_sub(one, t), x));
    if (ball_is_positive(c) && c.rad < c.hi * 1e-20) {
        ball level = ball_log(ball_div(ball_mul(x, t), c));
        ball expected = ball_mul(c, finite_delta(back, level));
        check(same(finite_delta(add, ball_of(eps)), expected), "add", eps);
    }
    finite_pair y = pair_of_doubles(p, q, n), z = pair_reversed(&y);
    check_all(r, back, &z, exact);
    pair_clear(&y);
    finite_law *laws[] = {law, back, remove, add};
    for (int i = 0; i < 4; i++)
        finite_free(laws[i]);
}

int main(void)
{
    prop_random r = prop_start("prop_finite_law");
    arb_t exact;
    arb_init(exact);
    for (long i = 0; i < prop_count(1500); i++) {
        double p[MOST], q[MOST];
        int n = 1 + prop_below(&r, MOST);
        random_weights(&r, p, NULL, n);
        random_weights(&r, q, p, n);
        finite_law *law = NULL;
        context = "pair";
        must(finite_from_pair(&law, p, q, (size_t)n, NULL));
        finite_pair x = pair_of_doubles(p, q, n);
        check_all(&r, law, &x, exact);
        pair_clear(&x);
        finite_free(law);
        context = "maps";
        check_maps(&r, exact);
    }
    for (long i = 0; i < prop_count(300); i++) {
        context = "composition";
        check_composition(&r, exact);
        context = "powers";
        check_power(&r);
    }
    arb_clear(exact);
    flint_cleanup();
    return failures > 0;
}
