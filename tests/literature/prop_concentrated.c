/*
 * Concentrated DP on random lines: closed forms against Arb, inverses
 * against their forward bounds, suprema over orders against sampled orders,
 * and the order in which the bounds were proved.
 */
#include <arb.h>
#include <arb_hypgeom.h>

#include "special/special.h"
#include "support/enclose.h"
#include "support/random.h"
#include "finite/finite_law.h"
#include "literature/zcdp_line.h"
#include "noise/gaussian.h"
#include "literature/mutual_information.h"
#include "literature/mcdp.h"
#include "renyi/zcdp_slope_search.h"
#include "renyi/renyi.h"
#include "literature/zcdp_line_response.h"
#include "literature/sample_size.h"
#include "literature/zcdp_group.h"

#define BITS ENCLOSE_BITS

static int failures = 0;

/* a <= b is not refuted. */
static void order(const char *law, dosi_interval a, dosi_interval b, double x,
    double y, double z)
{
    if (a.lo <= b.hi)
        return;
    printf("%s fails at %.17g, %.17g, %.17g: [%.17g, %.17g] > "
           "[%.17g, %.17g]\n",
        law, x, y, z, a.lo, a.hi, b.lo, b.hi);
    failures++;
}

static void order_balls(
    const char *law, ball a, ball b, double x, double y, double z)
{
    order(law, ball_interval(a), ball_interval(b), x, y, z);
}

/* Relative width of an enclosure that must be narrow. */
static void narrow(
    const char *what, dosi_interval v, double width, double x, double y)
{
    double size = fmax(fabs(v.lo), fabs(v.hi));
    if (v.lo <= v.hi && v.hi - v.lo <= fmax(width * size, 1e-300))
        return;
    printf(
        "%s is wide at %.17g, %.17g: [%.17g, %.17g]\n", what, x, y, v.lo, v.hi);
    failures++;
}

static double draw_rho(prop_random *r)
{
    return prop_scaled(r, -40, 14);
}

static double draw_xi(prop_random *r)
{
    return prop_below(r, 2) ? 0 : prop_scaled(r, -30, 5);
}

static double draw_log_delta(prop_random *r)
{
    return -(
        prop_below(r, 4) ? prop_scaled(r, -1, 10) : prop_scaled(r, -8, 20));
}

static const cdp_rule rules[] = {
    CDP_SIMPLE, CDP_FLAT, CDP_RECIPROCAL, CDP_ALGEBRAIC, CDP_SHARP};

/* ---- Against Arb -------------------------------------------------------- */

/* log(exp(-g^2/4rho) sqrt(pi rho) erfcx((eps - xi + rho) / (2 sqrt rho))) */
static void exact_sharp(arb_t out, double xi, double rho, double eps)
{
    arb_t r, e, x;
    arb_init(r);
    arb_init(e);
    arb_init(x);
    slong bits = 4 * BITS;
    arb_set_d(r, rho);
    arb_set_d(e, eps);
    arb_set_d(x, xi);
    arb_sub(e, e, x, bits); /* the gap eps - xi */
    arb_add(x, e, r, bits);
    arb_sqrt(out, r, bits);
    arb_div(x, x, out, bits);
    arb_mul_2exp_si(x, x, -1);
    arb_hypgeom_erfc(x, x, bits);
    arb_log(x, x, bits);
    arb_add(x, x, e, bits); /* g^2/4rho - (e + rho)^2/4rho = -e */
    arb_const_pi(e, bits);
    arb_mul(r, r, e, bits);
    arb_log(r, r, bits);
    arb_mul_2exp_si(r, r, -1);
    arb_add(out, x, r, bits);
    arb_clear(r);
    arb_clear(e);
    arb_clear(x);
}

static void prop_sharp(prop_random *r)
{
    double rho = draw_rho(r), xi = draw_xi(r);
    double eps = xi + rho + prop_scaled(r, -20, 8);
    if ((eps - xi + rho) * (eps - xi + rho) / rho > 4000)
        return; /* erfc leaves Arb's fast range */
    arb_t exact;
    arb_init(exact);
    exact_sharp(exact, xi, rho, eps);
    cdp_line line = {ball_of(xi), ball_of(rho)};
    const double in[] = {xi, rho, eps};
    ball log_delta = cdp_log_delta(CDP_SHARP, line, ball_of(eps));
    if (arb_rel_accuracy_bits(exact) >= 100)
        failures += enclose_fails("sharp", log_delta, exact, 1e-18, in, 3);
    arb_clear(exact);
}

static void prop_harmonic(prop_random *r)
{
    double k = floor(prop_scaled(r, 0, prop_below(r, 2) ? 10 : 53));
    arb_t exact, euler;
    arb_init(exact);
    arb_init(euler);
    arb_set_d(exact, k);
    arb_add_ui(exact, exact, 1, BITS);
    arb_digamma(exact, exact, BITS);
    arb_const_euler(euler, BITS);
    arb_add(exact, exact, euler, BITS);
    failures +=
        enclose_fails("harmonic", harmonic_number(k), exact, 1e-25, &k, 1);
    arb_clear(exact);
    arb_clear(euler);
}

/* sum_j C(n,j) p^(n-j) q^j (log 2 - log(1 + e^(-eps (n - 2j)))) */
static void prop_copies(prop_random *r)
{
    double eps = prop_scaled(r, -16, 5);
    int n = 1 + prop_below(r, 50);
    arb_t p, q, e, term, sum, c;
    arb_init(p);
    arb_init(q);
    arb_init(e);
    arb_init(term);
    arb_init(sum);
    arb_init(c);
    arb_set_d(e, eps);
    arb_neg(q, e);
    arb_exp(q, q, BITS);
    arb_add_ui(p, q, 1, BITS);
    arb_inv(p, p, BITS);
    arb_mul(q, q, p, BITS);
    for (int j = 0; j <= n; j++) {
        arb_bin_uiui(c, (ulong)n, (ulong)j, BITS);
        arb_pow_ui(term, p, (ulong)(n - j), BITS);
        arb_mul(c, c, term, BITS);
        arb_pow_ui(term, q, (ulong)j, BITS);
        arb_mul(c, c, term, BITS);
        arb_mul_si(term, e, -(n - 2 * j), BITS);
        arb_exp(term, term, BITS);
        arb_add_ui(term, term, 1, BITS);
        arb_mul_2exp_si(term, term, -1);
        arb_log(term, term, BITS);
        arb_submul(sum, c, term, BITS);
    }
    const double in[] = {eps, n};
    failures += enclose_fails(
        "copies", information_of_copies(ball_of(eps), n), sum, 1e-15, in, 2);
    arb_clear(p);
    arb_clear(q);
    arb_clear(e);
    arb_clear(term);
    arb_clear(sum);
    arb_clear(c);
}

/* log(p (p/q)^l + q (q/p)^l + 1 - p - q) - l (p - q) log(p/q) */
static void prop_bit(prop_random *r)
{
    double sigma = prop_scaled(r, -3, 8), t = prop_scaled(r, -3, 6);
    double lambda = prop_sign(r, prop_scaled(r, -6, 6));
    double far = (t + 1) / sigma;
    if (far * far > 1000)
        return;
    slong bits = 4 * BITS;
    arb_t p, q, d, x, sum;
    arb_init(p);
    arb_init(q);
    arb_init(d);
    arb_init(x);
    arb_init(sum);
    arb_set_d(x, sigma);
    arb_set_d(p, t);
    arb_sqrt_ui(d, 2, bits);
    arb_mul(x, x, d, bits);
    arb_add_ui(q, p, 1, bits);
    arb_sub_ui(p, p, 1, bits);
    arb_div(p, p, x, bits);
    arb_div(q, q, x, bits);
    arb_hypgeom_erfc(p, p, bits);
    arb_hypgeom_erfc(q, q, bits);
    arb_mul_2exp_si(p, p, -1);
    arb_mul_2exp_si(q, q, -1);
    arb_div(d, p, q, bits);
    arb_log(d, d, bits);
    arb_set_d(x, lambda);
    arb_mul(d, d, x, bits); /* lambda log(p/q) */
    arb_exp(x, d, bits);
    arb_mul(sum, p, x, bits);
    arb_inv(x, x, bits);
    arb_addmul(sum, q, x, bits);
    arb_add_ui(sum, sum, 1, bits);
    arb_sub(sum, sum, p, bits);
    arb_sub(sum, sum, q, bits);
    arb_log(sum, sum, bits);
    arb_sub(p, p, q, bits);
    arb_submul(sum, p, d, bits);
    bit_release bit = bit_release_of(ball_of(sigma), ball_of(t));
    const double in[] = {sigma, t, lambda};
    if (arb_rel_accuracy_bits(sum) >= 100)
        failures += enclose_fails("bit_log_moment",
            bit_log_moment(&bit, ball_of(lambda)), sum, 1e-13, in, 3);
    arb_clear(p);
    arb_clear(q);
    arb_clear(d);
    arb_clear(x);
    arb_clear(sum);
}

/* ---- Bounds in the order of their proofs -------------------------------- */

static void prop_bounds(prop_random *r)
{
    double rho = draw_rho(r), xi = draw_xi(r);
    double eps = xi + rho + prop_scaled(r, -30, 8);
    cdp_line line = {ball_of(xi), ball_of(rho)};
    ball log_delta[5];
    if (ball_is_negative(ball_sub(ball_sub(ball_of(eps), line.xi), line.rho)))
        return;
    for (int i = 0; i < 5; i++) {
        log_delta[i] = cdp_log_delta(rules[i], line, ball_of(eps));
        narrow("log_delta", ball_interval(log_delta[i]), 1e-14, rho, eps);
    }
    for (int i = 0; i < 3; i++)
        order_balls("the last option is below the others", log_delta[3],
            log_delta[i], xi, rho, eps);
    order_balls("the sharp bound is below all", log_delta[4], log_delta[3], xi,
        rho, eps);
    /* the Gaussian mechanism has this line, shifted by xi */
    ball gaussian = gauss_log_delta(ball_sqrt(ball_scale2(line.rho, 1)),
        ball_sub(ball_of(eps), line.xi));
    if (!ball_is_unknown(gaussian))
        order_balls("the Gaussian is below the sharp bound", gaussian,
            log_delta[4], xi, rho, eps);
    ball total = cdp_delta_total(line, ball_of(eps));
    ball lower = cdp_delta_total(line, ball_of(eps * 0.99));
    order_balls("delta falls with eps", total, lower, xi, rho, eps);
}

static void prop_inverse(prop_random *r)
{
    double rho = draw_rho(r), xi = draw_xi(r), log_delta = draw_log_delta(r);
    cdp_line line = {ball_of(xi), ball_of(rho)};
    cdp_rule rule = rules[prop_below(r, 5)];
    ball target = ball_of(log_delta);
    ball eps = cdp_epsilon(rule, line, target);
    narrow("cdp_epsilon", ball_interval(eps), 1e-14, rho, log_delta);
    /* the forward bound is met at eps, and just so unless eps = xi + rho */
    ball back = cdp_log_delta(rule, line, eps);
    order_balls(
        "delta at epsilon", back, ball_of(log_delta), xi, rho, log_delta);
    ball least = ball_add(line.xi, line.rho);
    if (ball_less(least, eps))
        order_balls("epsilon is least", target, back, xi, rho, log_delta);
    cdp_line more = {line.xi, ball_of(rho * 1.01)};
    order_balls("epsilon rises with rho", eps, cdp_epsilon(rule, more, target),
        xi, rho, log_delta);
    if (rule == CDP_FLAT)
        return;
    double gap = prop_scaled(r, -20, 10);
    ball m = cdp_mu(rule, ball_of(gap), target);
    narrow("cdp_mu", ball_interval(m), 1e-14, gap, log_delta);
    cdp_line found = {ball_of(0), ball_scale2(ball_sqr(m), -1)};
    order_balls("rho <= eps", found.rho, ball_of(gap), gap, log_delta, 0);
    if (ball_less(found.rho, ball_of(gap))) {
        ball at = cdp_epsilon(rule, found, target);
        order_balls("rho certifies eps", at, ball_of(gap), gap, log_delta, 0);
        order_balls("rho is greatest", ball_of(gap), at, gap, log_delta, 0);
    }
}

/* ---- Suprema ------------------------------------------------------------ */

static void prop_front(prop_random *r)
{
    double eps = prop_scaled(r, -16, 8);
    double share =
        prop_below(r, 3) ? prop_uniform(r, 0, 1) : prop_scaled(r, -40, 0);
    dosi_interval xi = response_least_xi(ball_of(eps), ball_of(share));
    narrow("response_least_xi", xi, 1e-12, eps, share);
    ball rho = ball_mul_d(renyi_rr_mean_loss(ball_of(eps)), share);
    double best = 0;
    for (int i = 0; i < 60; i++) {
        double t = exp2(i - 20 + prop_uniform(r, 0, 1)) / fmin(eps, 1);
        ball at = ball_add_d(ball_of(t), 1);
        ball height =
            ball_sub(renyi_rr(at, ball_of(eps), 2), ball_mul(rho, at));
        order("xi holds at every order", ball_interval(height), xi, eps, share,
            t);
        best = fmax(best, ball_upper(height));
    }
    double at_1 = (1 - share) * eps * tanh(eps / 2);
    /* an octave of orders away from the best loses less than half */
    if (!(fmax(best, at_1) >= 0.5 * xi.lo) && xi.lo > 1e-25) {
        printf("xi is not attained at %.17g, %.17g: %.17g of %.17g\n", eps,
            share, best, xi.lo);
        failures++;
    }
}

static ball law_divergence(ball at, const void *context)
{
    return finite_renyi(context, at);
}

static void prop_least_rho(prop_random *r)
{
    double p[4], q[4];
    int n = 2 + prop_below(r, 3);
    double spread = prop_scaled(r, -20, 3);
    for (int i = 0; i < n; i++) {
        p[i] = prop_uniform(r, 0.01, 1);
        q[i] = p[i] * exp(prop_uniform(r, -spread, spread));
    }
    finite_law *law = NULL;
    dosi_error err;
    if (finite_from_pair(&law, p, q, (size_t)n, &err) != DOSI_OK) {
        failures++;
        return;
    }
    double xi = prop_below(r, 2)
                    ? 0
                    : prop_uniform(r, 0, 1.1) * ball_mid(finite_max_loss(law));
    const order_curve curve = {.divergence = law_divergence,
        .context = law,
        .limit = finite_max_loss(law),
        .range = ball_upper(ball_scale2(finite_pure_epsilon(law), 1)),
        .max_evaluations = 1 << 16};
    dosi_interval rho;
    if (order_least_rho(&rho, &curve, ball_of(xi), &err) != DOSI_OK)
        failures++;
    narrow("order_least_rho", rho, 1e-10, spread, xi);
    double best = 0;
    for (int i = 0; i < 72; i++) {
        double t = exp2(i - 12 + prop_uniform(r, 0, 1));
        ball at = ball_add_d(ball_of(t), 1);
        ball ratio = ball_div(ball_sub_d(finite_renyi(law, at), xi), at);
        order("rho holds at every order", ball_interval(ratio), rho, spread, xi,
            t);
        best = fmax(best, ball_upper(ratio));
    }
    best = fmax(best, ball_upper(ball_sub_d(finite_kl(law), xi)));
    if (!(best >= 0.25 * rho.lo) && rho.hi > 0) {
        printf("rho is not attained at %.17g, %.17g\n", spread, xi);
        failures++;
    }
    finite_free(law);
}

static void prop_tail(prop_random *r)
{
    double rho = prop_scaled(r, -30, 6), t = prop_scaled(r, -12, 10);
    ball tail = curve_log_tail(ball_of(rho), ball_of(t));
    narrow("curve_log_tail", ball_interval(tail), 1e-13, rho, t);
    for (int i = 0; i < 40; i++) {
        double l = prop_below(r, 2) ? prop_uniform(r, 0, t)
                                    : t - prop_scaled(r, -60, 0) * t;
        if (!(l > 0 && l < t))
            continue;
        ball u = ball_sub(ball_of(t), ball_of(l));
        ball at =
            ball_neg(ball_add(ball_div(ball_sqr(ball_of(l)), ball_of(rho)),
                ball_log1mexp(ball_neg(u))));
        order_balls("the tail bound is least", tail, ball_max(at, ball_of(0)),
            rho, t, l);
        order_balls("the tail bound is least", tail, at, rho, t, l);
    }
}

/* ---- Sample sizes -------------------------------------------------------- */

static void prop_rows(prop_random *r)
{
    double xi = draw_xi(r), rho = draw_rho(r), nats = prop_scaled(r, -10, 12);
    cdp_line line = {ball_of(xi), ball_of(rho)};
    ball n = rows_of_information(line, ball_of(nats));
    narrow("rows_of_information", ball_interval(n), 1e-14, xi, rho);
    ball log_part = ball_mul(ball_mul(line.xi, n), ball_add_d(ball_log(n), 1));
    ball back = ball_add(log_part, ball_mul(line.rho, ball_sqr(n)));
    order_balls(
        "rows reach the information", ball_of(nats), back, xi, rho, nats);
    order_balls("rows are least", back, ball_of(nats), xi, rho, nats);
    double size = prop_scaled(r, 1, 300), beta = prop_uniform(r, 0, 0.5);
    order_balls("Fano is stronger",
        packing_information(ball_of(size), ball_of(beta)),
        packing_information_fano(ball_of(size), ball_of(beta)), size, beta, 0);
}

/* The best number of blocks against every one of them. */
static void prop_blocks(prop_random *r)
{
    double acc = prop_uniform(r, 0.002, 0.49), size = prop_scaled(r, 0, 300);
    dosi_interval n =
        histogram_rows_best(acc, ball_of(1), ball_log(ball_of(size)));
    narrow("histogram_rows_best", n, 1e-13, acc, size);
    double best = 0, log_size = log(size);
    for (double m = 1; 2 * acc * m < 1; m++)
        best = fmax(
            best, m * ((1 - 2 * acc * m) * m * log_size - m * log(m) - log(2)));
    best = sqrt(best);
    if (fabs(best - n.lo) > 1e-7 + 1e-10 * best) {
        printf("blocks at %.17g, %.17g: [%.17g, %.17g], not %.17g\n", acc, size,
            n.lo, n.hi, best);
        failures++;
    }
}

int main(void)
{
    prop_random r = prop_start("prop_concentrated");
    for (long i = prop_count(2000); i > 0; i--) {
        prop_sharp(&r);
        prop_harmonic(&r);
        prop_copies(&r);
        prop_bit(&r);
        for (int j = 0; j < 4; j++) {
            prop_bounds(&r);
            prop_inverse(&r);
            prop_rows(&r);
        }
        prop_front(&r);
        prop_tail(&r);
        prop_blocks(&r);
    }
    for (long i = prop_count(400); i > 0; i--)
        prop_least_rho(&r);
    flint_cleanup();
    printf("%d failures\n", failures);
    return failures != 0;
}
