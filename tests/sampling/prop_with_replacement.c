/*
 * Against Arb: binomial means of the Gaussian profile, and the profile of draws
 * with replacement at its threshold. Every result holds the exact value and is
 * as narrow as promised.
 */
#include <stdbool.h>

#include "num/dball.h"
#include "support/exact_normal.h"
#include "support/random.h"
#include "sampling/amplify_profile.h"
#include "sampling/with_replacement_gaussian.h"

static int failures = 0;

/* scale x holds exact, and is not wider than width, relatively. */
static void check(const char *what, dball x, const arb_t scale,
    const arb_t exact, double width, const double *inputs, size_t n)
{
    arb_t gap, rad;
    arb_init(gap);
    arb_init(rad);
    arb_set_d(gap, x.mid);
    arb_mul(gap, gap, scale, 1500);
    arb_sub(gap, gap, exact, 1500);
    arb_abs(gap, gap);
    arb_set_d(rad, x.rad);
    arb_mul(rad, rad, scale, 1500);
    bool misses = !dball_is_known(x) || !arb_is_finite(exact) ||
                  arb_rel_accuracy_bits(exact) < 100 || !arb_le(gap, rad);
    bool wide = !(x.rad <= width * fabs(x.mid));
    if (misses || wide) {
        failures++;
        printf("%s(", what);
        for (size_t i = 0; i < n; i++)
            printf("%s%.17g", i == 0 ? "" : ", ", inputs[i]);
        printf("): %.17g +- %g %s ", x.mid, x.rad, misses ? "misses" : "wide");
        arb_printd(exact, 25);
        printf(", scale ");
        arb_printd(scale, 25);
        printf("\n");
    }
    arb_clear(gap);
    arb_clear(rad);
}

/* ---- The profile -------------------------------------------------------- */

/* sf(a) - e^eps sf(b) = phi(a) (R(a) - R(b)) for exact mu and eps. */
static void exact_delta(arb_t y, const arb_t mu, const arb_t eps, slong bits)
{
    arb_t a, b, h;
    arb_init(a);
    arb_init(b);
    arb_init(h);
    arb_div(a, eps, mu, bits);
    arb_mul_2exp_si(h, mu, -1);
    arb_add(b, a, h, bits);
    arb_sub(a, a, h, bits);
    exact_mills(y, a, bits);
    exact_mills(h, b, bits);
    arb_sub(y, y, h, bits);
    exact_log_pdf(h, a, bits);
    arb_exp(h, h, bits);
    arb_mul(y, y, h, bits);
    arb_clear(a);
    arb_clear(b);
    arb_clear(h);
}

/* ---- Sums --------------------------------------------------------------- */

#define BITS 500

/* Adds C(n,k) p^k (1-p)^(n-k) t. */
static void add_binomial(
    arb_t sum, unsigned n, unsigned k, const arb_t p, const arb_t t)
{
    arb_t w, q;
    arb_init(w);
    arb_init(q);
    arb_bin_uiui(w, n, k, BITS);
    arb_pow_ui(q, p, k, BITS);
    arb_mul(w, w, q, BITS);
    arb_sub_ui(q, p, 1, BITS);
    arb_neg(q, q);
    arb_pow_ui(q, q, n - k, BITS);
    arb_mul(w, w, q, BITS);
    arb_addmul(sum, w, t, BITS);
    arb_clear(w);
    arb_clear(q);
}

/* eps of the k-th term, from growth = e^eps' - 1. */
static void term_epsilon(arb_t eps, const amplified *a, const arb_t growth,
    const arb_t base, unsigned k)
{
    if (a->theorem == AMPLIFY_WITH) {
        arb_set(eps, base);
        return;
    }
    arb_mul_ui(eps, growth, (ulong)a->n, BITS);
    arb_div_ui(eps, eps, k, BITS);
    arb_log1p(eps, eps, BITS);
}

/* The sums of T004-10 and X004-PS.sharp, term by term. */
static void exact_sum(arb_t sum, const amplified *a, double eps_out)
{
    bool draws = a->theorem == AMPLIFY_WITH;
    unsigned n = (unsigned)(draws ? a->m : a->n - 1);
    arb_t p, growth, base, eps, mu, t;
    arb_ptr all[] = {p, growth, base, eps, mu, t};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_init(all[i]);
    arb_zero(sum);
    if (draws) {
        arb_set_d(p, a->n);
        arb_inv(p, p, BITS);
        arb_sub_ui(base, p, 1, BITS); /* rate 1 - (1 - 1/n)^m */
        arb_neg(base, base);
        arb_pow_ui(base, base, n, BITS);
        arb_sub_ui(base, base, 1, BITS);
        arb_neg(base, base);
    } else {
        arb_set_ball(p, a->gamma);
        arb_one(base);
    }
    arb_set_d(growth, eps_out);
    arb_expm1(growth, growth, BITS);
    arb_div(base, growth, base, BITS);
    arb_log1p(base, base, BITS);
    for (unsigned j = draws ? 1 : 0; j <= n; j++) {
        unsigned k = draws ? j : j + 1;
        term_epsilon(eps, a, growth, base, k);
        arb_set_ball(mu, a->base.parameter);
        if (draws)
            arb_mul_ui(mu, mu, k, BITS);
        exact_delta(t, mu, eps, BITS);
        add_binomial(sum, n, j, p, t);
    }
    if (!draws)
        arb_mul(sum, sum, p, BITS);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_clear(all[i]);
}

/* A scaled ball as a number times a power of two. */
static void check_scaled(const char *what, scaled x, const arb_t exact,
    double width, const double *inputs, size_t n)
{
    arb_t scale;
    arb_init(scale);
    arb_one(scale);
    arb_mul_2exp_si(scale, scale, (slong)x.e);
    dball d = {x.m.hi + x.m.lo, x.m.rad + 0x1p-52 * fabs(x.m.hi)};
    check(what, d, scale, exact, width, inputs, n);
    arb_clear(scale);
}

static amplified draw_sum(prop_random *r)
{
    amplified a = {.theorem = prop_below(r, 2) ? AMPLIFY_WITH : AMPLIFY_SHARP,
        .base = {
            BASE_PROFILE_GAUSSIAN, ball_of(prop_scaled(r, -5, 3)), {0, 0, 0}}};
    a.n = 2 + floor(prop_scaled(r, 0, 1 + prop_below(r, 5)));
    a.m = 1 + floor(prop_scaled(r, 0, 1 + prop_below(r, 5)));
    a.gamma = ball_of(prop_scaled(r, -12, -1));
    return a;
}

static void prop_sums(prop_random *r)
{
    amplified a = draw_sum(r);
    double eps_out = prop_scaled(r, -8, 2);
    const double inputs[] =
        {(double)a.theorem, ball_mid(a.base.parameter), a.n, a.m,
        ball_mid(a.gamma), eps_out};
    arb_t exact;
    arb_init(exact);
    exact_sum(exact, &a, eps_out);
    scaled d = amplified_delta(&a, ball_of(eps_out), -HUGE_VAL);
    check_scaled("sum", d, exact, 0x1p-51, inputs, 6);
    arb_clear(exact);
}

/* ---- Draws with replacement --------------------------------------------- */

typedef struct exact_draws {
    unsigned n, m;
    bool base_first;
    arb_t p, theta, eps;
} exact_draws;

/* S(t), and with it sum_k w_k sf(t - k theta). */
static void exact_ratio(
    arb_t ratio, arb_t tail, const exact_draws *x, const arb_t t)
{
    arb_t shift, e, sf;
    arb_init(shift);
    arb_init(e);
    arb_init(sf);
    arb_zero(ratio);
    arb_zero(tail);
    for (unsigned k = 0; k <= x->m; k++) {
        arb_mul_ui(shift, x->theta, k, BITS);
        arb_mul_2exp_si(e, shift, -1);
        arb_sub(e, t, e, BITS);
        arb_mul(e, e, shift, BITS);
        arb_exp(e, e, BITS);
        add_binomial(ratio, x->m, k, x->p, e);
        arb_sub(e, t, shift, BITS);
        exact_sf(sf, e, BITS);
        add_binomial(tail, x->m, k, x->p, sf);
    }
    arb_clear(shift);
    arb_clear(e);
    arb_clear(sf);
}

/* The threshold by bisection to 2^-90, and the value there: P - e^eps Q of
 * the event beyond, or Q' - e^eps P' of the other one. */
static void exact_draws_delta(arb_t y, const exact_draws *x)
{
    arb_t t, step, level, ratio, tail;
    arb_ptr all[] = {t, step, level, ratio, tail};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_init(all[i]);
    arb_set(level, x->eps);
    if (x->base_first)
        arb_neg(level, level);
    arb_exp(level, level, BITS);
    arb_set_si(t, -4096);
    for (slong i = 12; i >= -90; i--) {
        arb_one(step);
        arb_mul_2exp_si(step, step, i);
        arb_add(step, step, t, ARF_PREC_EXACT);
        exact_ratio(ratio, tail, x, step);
        if (arb_lt(ratio, level))
            arb_set(t, step);
    }
    exact_ratio(ratio, tail, x, t);
    exact_sf(y, t, BITS);
    if (x->base_first) {
        arb_sub_ui(y, y, 1, BITS);
        arb_sub_ui(tail, tail, 1, BITS);
        arb_div(tail, tail, level, BITS);
        arb_sub(y, tail, y, BITS);
    } else {
        arb_mul(y, y, level, BITS);
        arb_sub(y, tail, y, BITS);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_clear(all[i]);
}

static void prop_with_replacement(prop_random *r)
{
    exact_draws x = {.n = 2 + (unsigned)prop_below(r, 200),
        .m = 1 + (unsigned)prop_below(r, 12),
        .base_first = prop_below(r, 2)};
    double theta = prop_scaled(r, -3, 3), n = x.n, m = x.m;
    double end = -m * log1p(-1 / n); /* of the base first */
    double eps =
        x.base_first ? end * prop_uniform(r, 0, 0.95) : prop_scaled(r, -8, 2);
    const double inputs[] = {(double)x.base_first, n, m, theta, eps};
    sampled_side side =
        x.base_first ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST;
    arb_t exact;
    arb_init(x.p);
    arb_init(x.theta);
    arb_init(x.eps);
    arb_init(exact);
    arb_set_ui(x.p, x.n);
    arb_inv(x.p, x.p, BITS);
    arb_set_d(x.theta, theta);
    arb_set_d(x.eps, eps);
    exact_draws_delta(exact, &x);
    check_scaled("draws",
        with_replacement_gaussian_delta(
            side, n, m, ball_of(theta), ball_of(eps), NULL),
        exact, 0x1p-51, inputs, 5);
    arb_clear(x.p);
    arb_clear(x.theta);
    arb_clear(x.eps);
    arb_clear(exact);
}

static const prop_property properties[] = {
    {prop_sums, 200},
    {prop_with_replacement, 25},
};

int main(void)
{
    prop_random r = prop_start("prop_with_replacement");
    prop_run(&r, properties, sizeof properties / sizeof *properties);
    printf("%d failures\n", failures);
    flint_cleanup();
    return failures != 0;
}
