/*
 * Rényi divergences against Arb, each by the formula as printed, at a
 * precision where its cancellation does not matter: curves of single
 * mechanisms, finite pairs, the sum of T000-34; and the real orders of the
 * sampled Gaussian against Arb's own adaptive integration.
 */
#include <acb_calc.h>
#include <arb.h>

#include "support/enclose.h"
#include "support/random.h"
#include "finite/finite_law.h"
#include "renyi/renyi.h"
#include "renyi/poisson_gaussian_moment.h"
#include "renyi/poisson_renyi.h"

#define BITS 1200

static int failures = 0;

/* v = exp(sign order' eps) with order' = order + shift; helpers of sums. */
static void arb_exp_of(
    arb_t v, const arb_t order, slong shift, const arb_t eps, int sign)
{
    arb_add_si(v, order, shift, BITS);
    arb_mul(v, v, eps, BITS);
    if (sign < 0)
        arb_neg(v, v);
    arb_exp(v, v, BITS);
}

/* result = log(result)/(order - 1) */
static void arb_finish(arb_t result, const arb_t order)
{
    arb_t t;
    arb_init(t);
    arb_log(result, result, BITS);
    arb_sub_si(t, order, 1, BITS);
    arb_div(result, result, t, BITS);
    arb_clear(t);
}

/* ( a e^((a-1) e) + (a-1) e^(-a e) ) / (2a - 1) */
static void arb_laplace(arb_t result, const arb_t a, const arb_t eps)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    arb_exp_of(x, a, -1, eps, 1);
    arb_mul(x, x, a, BITS);
    arb_exp_of(y, a, 0, eps, -1);
    arb_mul(result, y, a, BITS);
    arb_sub(y, result, y, BITS);
    arb_add(result, x, y, BITS);
    arb_mul_2exp_si(x, a, 1);
    arb_sub_si(x, x, 1, BITS);
    arb_div(result, result, x, BITS);
    arb_finish(result, a);
    arb_clear(x);
    arb_clear(y);
}

/* ( e^(a e) + e^((1-a) e) + c - 2 ) / (e^e + c - 1) */
static void arb_rr(arb_t result, const arb_t a, const arb_t eps, int c)
{
    arb_t x;
    arb_init(x);
    arb_exp_of(result, a, 0, eps, 1);
    arb_exp_of(x, a, -1, eps, -1);
    arb_add(result, result, x, BITS);
    arb_add_si(result, result, c - 2, BITS);
    arb_exp(x, eps, BITS);
    arb_add_si(x, x, c - 1, BITS);
    arb_div(result, result, x, BITS);
    arb_finish(result, a);
    arb_clear(x);
}

/* sinh((a - 1/2) e) / ((2a - 1) sinh(e/2)) */
static void arb_exponential(arb_t result, const arb_t a, const arb_t eps)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    arb_mul_2exp_si(x, a, 1);
    arb_sub_si(x, x, 1, BITS); /* 2a - 1 */
    arb_mul(y, x, eps, BITS);
    arb_mul_2exp_si(y, y, -1);
    arb_sinh(result, y, BITS);
    arb_div(result, result, x, BITS);
    arb_mul_2exp_si(y, eps, -1);
    arb_sinh(y, y, BITS);
    arb_div(result, result, y, BITS);
    arb_finish(result, a);
    arb_clear(x);
    arb_clear(y);
}

/* The two atoms at l and l - e, at the best l of docs/theory:
 * e^l = e^e (a-1)(1 - e^(-a e)) / (a (1 - e^(-(a-1) e))). */
static void arb_bounded_range(arb_t result, const arb_t a, const arb_t eps)
{
    arb_t x, y, t, l;
    arb_init(x);
    arb_init(y);
    arb_init(t);
    arb_init(l);
    arb_sub_si(t, a, 1, BITS);
    arb_exp_of(x, a, 0, eps, -1);
    arb_sub_si(x, x, 1, BITS);
    arb_exp_of(y, a, -1, eps, -1);
    arb_sub_si(y, y, 1, BITS);
    arb_div(l, x, y, BITS);
    arb_mul(l, l, t, BITS);
    arb_div(l, l, a, BITS);
    arb_log(l, l, BITS);
    arb_add(l, l, eps, BITS);
    /* p = (1 - e^(l-e))/(1 - e^-e); p e^(t l) + (1-p) e^(t (l-e)) */
    arb_sub(x, l, eps, BITS);
    arb_expm1(x, x, BITS);
    arb_neg(y, eps);
    arb_expm1(y, y, BITS);
    arb_div(x, x, y, BITS);
    arb_mul(result, t, l, BITS);
    arb_exp(result, result, BITS);
    arb_exp_of(y, a, -1, eps, -1);
    arb_sub_si(y, y, 1, BITS);
    arb_mul(y, y, x, BITS); /* p (e^(-t e) - 1) */
    arb_exp_of(t, a, -1, eps, -1);
    arb_sub(y, t, y, BITS); /* e^(-te) + p (1 - e^(-te)) */
    arb_mul(result, result, y, BITS);
    arb_finish(result, a);
    arb_clear(x);
    arb_clear(y);
    arb_clear(t);
    arb_clear(l);
}

static double draw_order(prop_random *r)
{
    switch (prop_below(r, 3)) {
    case 0:
        return 1 + prop_scaled(r, -40, 2);
    case 1:
        return 2 + prop_below(r, 300);
    default:
        return 1 + prop_scaled(r, -4, 14);
    }
}

static void check_curves(prop_random *r)
{
    double order = draw_order(r), eps = prop_scaled(r, -40, 11);
    int categories = 2 + prop_below(r, 20);
    const double inputs[] = {order, eps, categories};
    ball a = ball_of(order), e = ball_of(eps);
    arb_t x, y, v;
    arb_init(x);
    arb_init(y);
    arb_init(v);
    arb_set_d(x, order);
    arb_set_d(y, eps);
    arb_laplace(v, x, y);
    failures +=
        enclose_fails("laplace", renyi_laplace(a, e), v, 1e-20, inputs, 2);
    arb_rr(v, x, y, categories);
    failures +=
        enclose_fails("rr", renyi_rr(a, e, categories), v, 1e-20, inputs, 3);
    arb_exponential(v, x, y);
    failures += enclose_fails(
        "exponential", renyi_exponential(a, e), v, 1e-14, inputs, 2);
    arb_bounded_range(v, x, y);
    failures += enclose_fails(
        "bounded_range", renyi_bounded_range(a, e), v, 1e-14, inputs, 2);
    arb_clear(x);
    arb_clear(y);
    arb_clear(v);
}

/* ---- Pairs -------------------------------------------------------------- */

#define MAX_ATOMS 6

static double draw_weights(prop_random *r, double *p, double *q, size_t n)
{
    bool close = prop_below(r, 3) == 0;
    for (size_t i = 0; i < n; i++) {
        p[i] = prop_below(r, 9) == 0 ? 0 : prop_scaled(r, -30, 1);
        q[i] = close ? p[i] * (1 + prop_uniform(r, 0, 1e-9))
                     : prop_scaled(r, -30, 1);
    }
    p[0] = prop_scaled(r, -3, 1);
    q[0] = close ? p[0] : prop_scaled(r, -3, 1);
    return 0;
}

static void check_pair(prop_random *r)
{
    double p[MAX_ATOMS], q[MAX_ATOMS], order = draw_order(r);
    size_t n = 2 + (size_t)prop_below(r, MAX_ATOMS - 1);
    (void)draw_weights(r, p, q, n);
    arb_t sum_p, sum_q, v, x, a;
    arb_init(sum_p);
    arb_init(sum_q);
    arb_init(v);
    arb_init(x);
    arb_init(a);
    for (size_t i = 0; i < n; i++) {
        arb_set_d(x, p[i]);
        arb_add(sum_p, sum_p, x, BITS);
        arb_set_d(x, q[i]);
        arb_add(sum_q, sum_q, x, BITS);
    }
    arb_set_d(a, order);
    arb_div(x, sum_q, sum_p, BITS);
    arb_set(sum_p, x); /* the ratio of the sums */
    for (size_t i = 0; i < n; i++) {
        if (p[i] == 0)
            continue;
        arb_set_d(x, p[i]);
        arb_mul(x, x, sum_p, BITS);
        arb_t w;
        arb_init(w);
        arb_set_d(w, q[i]);
        arb_div(x, x, w, BITS);
        arb_pow(x, x, a, BITS);
        arb_mul(x, x, w, BITS);
        arb_add(v, v, x, BITS);
        arb_clear(w);
    }
    arb_div(v, v, sum_q, BITS);
    arb_finish(v, a);
    const double inputs[] = {order, p[0], p[1], q[0], q[1], (double)n};
    finite_law *pair = NULL;
    ball found = ball_unknown();
    if (finite_from_pair(&pair, p, q, n, NULL) == DOSI_OK)
        found = finite_renyi(pair, ball_of(order));
    finite_free(pair);
    failures += enclose_fails("pair", found, v, 1e-14, inputs, 6);
    arb_clear(sum_p);
    arb_clear(sum_q);
    arb_clear(v);
    arb_clear(x);
    arb_clear(a);
}

/* ---- The sum of T000-34 -------------------------------------------------- */

/* As printed: sum_k C(a,k) (1-p)^(a-k) p^k e^((k-1) k rho). */
static void check_sum(prop_random *r)
{
    ulong order = 2 + (ulong)prop_below(r, prop_below(r, 4) ? 40 : 400);
    double rate = prop_below(r, 5) == 0 ? 1 - prop_scaled(r, -40, 0)
                                        : prop_scaled(r, -40, 0);
    double rho = prop_scaled(r, -40, 8);
    arb_t p, keep, v, x, y, a;
    arb_init(p);
    arb_init(keep);
    arb_init(v);
    arb_init(x);
    arb_init(y);
    arb_init(a);
    arb_set_d(p, rate);
    arb_sub_si(keep, p, 1, BITS);
    arb_neg(keep, keep);
    for (ulong k = 0; k <= order; k++) {
        arb_bin_uiui(x, order, k, BITS);
        arb_pow_ui(y, keep, order - k, BITS);
        arb_mul(x, x, y, BITS);
        arb_pow_ui(y, p, k, BITS);
        arb_mul(x, x, y, BITS);
        arb_set_d(y, rho);
        arb_mul_ui(y, y, k == 0 ? 0 : k * (k - 1), BITS);
        arb_exp(y, y, BITS);
        arb_addmul(v, x, y, BITS);
    }
    arb_set_ui(a, order);
    arb_finish(v, a);
    ball base = ball_of(rho), d;
    const double inputs[] = {rate, rho, (double)order};
    if (sampled_renyi_once(&d, ball_of(rate), (double)order,
            renyi_curve_gaussian, &base, NULL) != DOSI_OK)
        failures++;
    else
        failures += enclose_fails("T000-34", d, v, 1e-22, inputs, 3);
    arb_clear(p);
    arb_clear(keep);
    arb_clear(v);
    arb_clear(x);
    arb_clear(y);
    arb_clear(a);
}

/* ---- Real orders --------------------------------------------------------- */

typedef struct integrand {
    double rate, mu, s;
} integrand;

/* (1 - p + p e^(mu y - mu^2/2))^s e^(-y^2/2) */
static int moment_integrand(
    acb_ptr out, const acb_t y, void *param, slong order, slong bits)
{
    const integrand *f = param;
    acb_t x, t;
    arb_t c;
    acb_init(x);
    acb_init(t);
    arb_init(c);
    arb_set_d(c, f->mu);
    acb_mul_arb(x, y, c, bits);
    arb_sqr(c, c, bits);
    arb_mul_2exp_si(c, c, -1);
    acb_sub_arb(x, x, c, bits);
    acb_exp(x, x, bits);
    acb_sub_si(x, x, 1, bits);
    arb_set_d(c, f->rate);
    acb_mul_arb(x, x, c, bits);
    acb_add_si(x, x, 1, bits);
    acb_log_analytic(x, x, order != 0, bits);
    arb_set_d(c, f->s);
    acb_mul_arb(x, x, c, bits);
    acb_sqr(t, y, bits);
    acb_mul_2exp_si(t, t, -1);
    acb_sub(x, x, t, bits);
    acb_exp(out, x, bits);
    acb_clear(x);
    acb_clear(t);
    arb_clear(c);
    return 0;
}

#define MOMENT_BITS 240

static void check_moment(prop_random *r)
{
    integrand f = {prop_scaled(r, -24, 0), prop_scaled(r, -8, 3), 0};
    if (prop_below(r, 4) == 0)
        f.rate = 1 - prop_scaled(r, -12, 0);
    double t = prop_scaled(r, -6, 5);
    f.s = prop_below(r, 2) ? 1 + t : -t;
    double far = fabs(f.s) * f.mu + f.mu + 26; /* e^(-26^2/2) < 2^-480 */
    acb_t low, high, v;
    acb_init(low);
    acb_init(high);
    acb_init(v);
    acb_set_d(low, -far);
    acb_set_d(high, far);
    mag_t tolerance;
    mag_init(tolerance);
    mag_set_ui_2exp_si(tolerance, 1, -MOMENT_BITS);
    acb_calc_integrate(v, moment_integrand, &f, low, high, MOMENT_BITS,
        tolerance, NULL, MOMENT_BITS + 30);
    arb_t c;
    arb_init(c);
    arb_const_pi(c, MOMENT_BITS + 30);
    arb_mul_2exp_si(c, c, 1);
    arb_sqrt(c, c, MOMENT_BITS + 30);
    arb_div(c, acb_realref(v), c, MOMENT_BITS + 30);
    arb_log(c, c, MOMENT_BITS + 30);
    const double inputs[] = {f.rate, f.mu, f.s};
    ball moment =
        sampled_log_moment(ball_of(f.rate), ball_of(f.mu), ball_of(f.s),
            SAMPLED_MAX_NODES);
    failures += enclose_fails("moment", moment, c, 0x1p-35, inputs, 3);
    arb_clear(c);
    mag_clear(tolerance);
    acb_clear(low);
    acb_clear(high);
    acb_clear(v);
}

int main(void)
{
    prop_random r = prop_start("prop_renyi");
    long n = prop_count(2000);
    for (long i = 0; i < n; i++) {
        check_curves(&r);
        check_pair(&r);
        if (i % 2 == 0)
            check_sum(&r);
        if (i % 8 == 0)
            check_moment(&r);
    }
    flint_cleanup();
    printf("%ld rounds, %d failures\n", n, failures);
    return failures != 0;
}
