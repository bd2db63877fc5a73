/*
 * The Gaussian hockey stick against the direct formula in Arb at many digits:
 * containment and width of delta, log delta, log(1 - delta); inverses that
 * are neighbouring doubles with the exact root between them; wide parameters;
 * round trips; the trade-off curve through its own parametrisation.
 */
#include "special/special.h"
#include "support/exact_normal.h"
#include "support/random.h"
#include "noise/gaussian.h"

#define WIDTH 1e-20

/* Exact values of the profile at one (mu, eps). */
typedef struct exact {
    arb_t mu, eps, delta, log_delta, log_miss;
} exact;

static void exact_init(exact *e)
{
    arb_ptr all[] = {e->mu, e->eps, e->delta, e->log_delta, e->log_miss};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_init(all[i]);
}

static void exact_clear(exact *e)
{
    arb_ptr all[] = {e->mu, e->eps, e->delta, e->log_delta, e->log_miss};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_clear(all[i]);
}

/* a > 0: log delta = log phi(a) + log(R(a) - R(b)). */
static void exact_lower(exact *e, const arb_t a, const arb_t b, slong bits)
{
    arb_t r;
    arb_init(r);
    exact_mills(e->delta, a, bits);
    exact_mills(r, b, bits);
    arb_sub(r, e->delta, r, bits);
    arb_log(r, r, bits);
    exact_log_pdf(e->log_delta, a, bits);
    arb_add(e->log_delta, e->log_delta, r, bits);
    arb_exp(e->delta, e->log_delta, bits);
    arb_neg(r, e->delta);
    arb_log1p(e->log_miss, r, bits);
    arb_clear(r);
}

/* a <= 0: 1 - delta = phi(a) (R(-a) + R(b)), R(b) phi(b) = sf(b). */
static void exact_upper(exact *e, const arb_t a, const arb_t b, slong bits)
{
    arb_t r, s;
    arb_init(r);
    arb_init(s);
    arb_neg(r, a);
    exact_mills(r, r, bits);
    exact_mills(s, b, bits);
    arb_add(r, r, s, bits);
    arb_log(r, r, bits);
    exact_log_pdf(e->log_miss, a, bits);
    arb_add(e->log_miss, e->log_miss, r, bits);
    arb_expm1(e->delta, e->log_miss, bits);
    arb_neg(e->delta, e->delta);
    arb_exp(r, e->log_miss, bits);
    arb_neg(r, r);
    arb_log1p(e->log_delta, r, bits);
    arb_clear(r);
    arb_clear(s);
}

/* The formula as printed, where it is good: sf(a) - e^eps sf(b). */
static void exact_printed(exact *e, const arb_t a, const arb_t b, slong bits)
{
    arb_t r;
    arb_init(r);
    exact_sf(r, b, bits);
    arb_exp(e->delta, e->eps, bits);
    arb_mul(r, r, e->delta, bits);
    exact_sf(e->delta, a, bits);
    arb_sub(e->delta, e->delta, r, bits);
    arb_log(e->log_delta, e->delta, bits);
    arb_sub_ui(r, e->delta, 1, bits);
    arb_neg(r, r);
    arb_log(e->log_miss, r, bits);
    arb_clear(r);
}

static void exact_profile(exact *e, double mu, double eps)
{
    arb_t a, b, h;
    arb_init(a);
    arb_init(b);
    arb_init(h);
    arb_set_d(e->mu, mu);
    arb_set_d(e->eps, eps);
    double x = eps / mu;
    slong bits = 900 + 4 * (slong)ilogb(1 + fabs(x));
    if (fabs(x) < 40)
        bits = 2000; /* e^-800 against 1 is 1200 bits */
    arb_div(a, e->eps, e->mu, bits);
    arb_mul_2exp_si(h, e->mu, -1);
    arb_add(b, a, h, bits);
    arb_sub(a, a, h, bits);
    if (fabs(x) < 20 && mu < 40)
        exact_printed(e, a, b, bits);
    else if (arb_is_positive(a))
        exact_lower(e, a, b, bits);
    else
        exact_upper(e, a, b, bits);
    arb_clear(a);
    arb_clear(b);
    arb_clear(h);
}

/* ---- Points ------------------------------------------------------------ */

static double draw_mu(prop_random *r)
{
    switch (prop_below(r, 4)) {
    case 0:
        return prop_scaled(r, -40, 14);
    case 1:
        return prop_near(r, 0.0625);
    default:
        return prop_uniform(r, 0, 1) < 0.5 ? prop_scaled(r, -6, 4)
                                           : pow(10, prop_uniform(r, -12, 4));
    }
}

static double draw_eps(prop_random *r, double mu)
{
    switch (prop_below(r, 6)) {
    case 0:
        return 0;
    case 1:
        return pow(10, prop_uniform(r, -12, 5));
    case 2: /* a near 0 */
        return mu * mu / 2 * (1 + prop_sign(r, prop_scaled(r, -53, -1)));
    case 3: /* a in the rows of the table, or at the edge of the range */
        return fabs(mu * (prop_uniform(r, -6.5, 6.5) + mu / 2));
    case 4:
        return fabs(mu * (prop_uniform(r, -40, 40) + mu / 2));
    default:
        return mu * pow(10, prop_uniform(r, -3, 6));
    }
}

static int check_point(exact *e, double mu, double eps)
{
    ball m = ball_of(mu), x = ball_of(eps);
    exact_profile(e, mu, eps);
    int failed = check_ball_at(
        "delta", gauss_delta(m, x), e->delta, WIDTH, 8 * BALL_TINY);
    ball log_delta = gauss_log_delta(m, x);
    failed |= check_ball_at(
        "log_delta", log_delta, e->log_delta, WIDTH, 32 * BALL_TINY);
    if (fabs(log_delta.hi) < 1000 && !(log_delta.rad <= WIDTH)) {
        printf("FAILED log_delta: radius %g\n", log_delta.rad);
        failed = 1;
    }
    failed |= check_ball_at("log_1m_delta", gauss_log_1m_delta(m, x),
        e->log_miss, WIDTH, 32 * BALL_TINY);
    if (failed)
        printf("  at mu = %a, eps = %a\n", mu, eps);
    return failed;
}

static int check_points(prop_random *r)
{
    exact e;
    exact_init(&e);
    int failed = 0;
    for (long i = prop_count(4000); i > 0 && !failed; i--) {
        double mu = draw_mu(r), eps = draw_eps(r, mu);
        if (prop_below(r, 8) == 0)
            eps = -eps;
        failed = check_point(&e, mu, eps);
    }
    exact_clear(&e);
    return failed;
}

/* ---- Wide parameters --------------------------------------------------- */

static int check_wide(exact *e, prop_random *r)
{
    double mu = draw_mu(r), eps = draw_eps(r, mu);
    if (prop_bits(r) & 1)
        eps = -eps;
    ball m = ball_of(mu), x = ball_of(eps);
    m.rad = prop_below(r, 4) == 0 ? 0 : mu * prop_scaled(r, -100, 1);
    x.rad = prop_bits(r) & 1 ? fabs(eps) * prop_scaled(r, -100, 2)
                             : mu * prop_scaled(r, -100, 3);
    ball delta = gauss_delta(m, x), log_delta = gauss_log_delta(m, x);
    ball log_miss = gauss_log_1m_delta(m, x);
    int failed = 0;
    for (int i = 0; i < 5 && !failed; i++) {
        double s = i < 4 ? 2 * (i % 2) - 1 : prop_uniform(r, -1, 1);
        double t = i < 4 ? 2 * (i / 2) - 1 : prop_uniform(r, -1, 1);
        /* inward, so that rounding keeps the point in the ball */
        double mu_at = mu + s * m.rad * (1 - 0x1p-20);
        double eps_at = eps + t * x.rad * (1 - 0x1p-20);
        if (!(mu_at > 0) || fabs(mu_at - mu) > m.rad ||
            fabs(eps_at - eps) > x.rad)
            continue;
        exact_profile(e, mu_at, eps_at);
        failed = check_ball_at("delta", delta, e->delta, 0, HUGE_VAL);
        failed |=
            check_ball_at("log_delta", log_delta, e->log_delta, 0, HUGE_VAL);
        failed |=
            check_ball_at("log_1m_delta", log_miss, e->log_miss, 0, HUGE_VAL);
    }
    /* delta is never unknown: it is a probability between two corners */
    if (failed || ball_is_unknown(delta))
        printf("FAILED wide: at mu = %a +- %a, eps = %a +- %a\n", mu, m.rad,
            eps, x.rad);
    return failed || ball_is_unknown(delta);
}

static int check_all_wide(prop_random *r)
{
    exact e;
    exact_init(&e);
    int failed = 0;
    for (long i = prop_count(400); i > 0 && !failed; i--)
        failed = check_wide(&e, r);
    exact_clear(&e);
    return failed;
}

/* ---- Inverses ---------------------------------------------------------- */

/* At most two steps wide. */
static int is_tight(dosi_interval x)
{
    return nextafter(nextafter(x.lo, HUGE_VAL), HUGE_VAL) >= x.hi;
}

/* The sign of log delta(mu, eps) - log_delta, exactly; 0 unless certain. */
static int exact_side(exact *e, double mu, double eps, double log_delta)
{
    arb_t t;
    arb_init(t);
    exact_profile(e, mu, eps);
    arb_set_d(t, log_delta);
    arb_sub(t, e->log_delta, t, 1000);
    int side = arb_is_positive(t) ? 1 : arb_is_negative(t) ? -1 : 0;
    arb_clear(t);
    return side;
}

static double draw_log_delta(prop_random *r)
{
    switch (prop_below(r, 4)) {
    case 0: /* delta near 1 */
        return -pow(10, prop_uniform(r, -300, 0));
    case 1:
        return log(pow(10, -prop_uniform(r, 0, 300)));
    case 2:
        return -pow(10, prop_uniform(r, 0, 12));
    default:
        return prop_near(r, log(0.5));
    }
}

static int check_epsilon(exact *e, prop_random *r)
{
    double mu = draw_mu(r), log_delta = draw_log_delta(r);
    dosi_interval x = gauss_epsilon(ball_of(mu), ball_of(log_delta));
    int failed =
        !(x.lo >= 0 && is_tight(x)) || exact_side(e, mu, x.hi, log_delta) > 0;
    if (!failed && x.hi > 0)
        failed = exact_side(e, mu, x.lo, log_delta) < 0;
    if (failed)
        printf("FAILED epsilon: mu = %a, log_delta = %a: [%a, %a]\n", mu,
            log_delta, x.lo, x.hi);
    return failed;
}

static int check_mu(exact *e, prop_random *r)
{
    double log_delta = draw_log_delta(r);
    double eps = prop_below(r, 8) == 0 ? 0 : pow(10, prop_uniform(r, -12, 5));
    if (eps == 0 && log_delta < -700)
        log_delta /= 1e10; /* mu is near delta and must not underflow */
    dosi_interval x = gauss_mu(ball_of(eps), ball_of(log_delta));
    int failed = !(x.lo > 0 && x.hi < HUGE_VAL && is_tight(x)) ||
                 exact_side(e, x.lo, eps, log_delta) > 0 ||
                 exact_side(e, x.hi, eps, log_delta) < 0;
    if (failed)
        printf("FAILED mu: eps = %a, log_delta = %a: [%a, %a]\n", eps,
            log_delta, x.lo, x.hi);
    return failed;
}

/* eps and mu come back from log delta, which is known to 30 digits; and
 * from a wide log delta within what its ends say. */
static int check_round_trip(prop_random *r)
{
    double mu = draw_mu(r), eps = draw_eps(r, mu);
    ball log_delta = gauss_log_delta(ball_of(mu), ball_of(eps));
    if (!(log_delta.hi < -1e-280))
        return 0; /* no digits left to come back from */
    dosi_interval x = gauss_epsilon(ball_of(mu), log_delta);
    dosi_interval y = gauss_mu(ball_of(eps), log_delta);
    int failed = !iv_contains(x, eps) || !iv_contains(y, mu) ||
                 !(x.hi - x.lo <= 1e-12 * eps + 1e-18 * mu) ||
                 !(y.hi - y.lo <= 1e-12 * mu);
    log_delta.rad = fabs(log_delta.hi) * prop_scaled(r, -60, 1);
    dosi_interval wide_x = gauss_epsilon(ball_of(mu), log_delta);
    dosi_interval wide_y = gauss_mu(ball_of(eps), log_delta);
    failed |= !iv_contains(wide_x, eps) || !iv_contains(wide_y, mu);
    ball wide_mu = ball_of(mu);
    wide_mu.rad = mu * prop_scaled(r, -60, 1);
    failed |= !iv_contains(gauss_epsilon(wide_mu, log_delta), eps);
    if (failed)
        printf("FAILED round trip: mu = %a, eps = %a: eps [%a, %a], "
               "mu [%a, %a]\n",
            mu, eps, x.lo, x.hi, y.lo, y.hi);
    return failed;
}

static int check_inverses(prop_random *r)
{
    exact e;
    exact_init(&e);
    int failed = 0;
    for (long i = prop_count(700); i > 0 && !failed; i--) {
        failed = check_epsilon(&e, r);
        failed |= check_mu(&e, r);
    }
    for (long i = prop_count(10000); i > 0 && !failed; i--)
        failed = check_round_trip(r);
    exact_clear(&e);
    return failed;
}

/* ---- Trade-off and order ----------------------------------------------- */

/* At alpha = sf(x) the curve is cdf(x - mu). */
static int check_tradeoff(prop_random *r)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    double mu = draw_mu(r);
    double t = prop_bits(r) & 1 ? prop_uniform(r, -37, 37)
                                : mu + prop_uniform(r, -37, 37);
    arb_set_d(x, t);
    arb_set_d(y, mu);
    arb_sub(y, y, x, 2000);
    int failed = 0;
    if (fabs(t) < 37) {
        ball alpha = ball_normal_sf(ball_of(t));
        exact_sf(x, y, 2000);
        failed |= check_ball_at(
            "tradeoff", gauss_tradeoff(ball_of(mu), alpha), x, 1e-14, 1e-28);
    }
    if (failed)
        printf("  at mu = %a, threshold %a\n", mu, t);
    arb_clear(x);
    arb_clear(y);
    return failed;
}

/* delta falls with eps, rises with mu, and tails bound it:
 * delta <= P[loss > eps], P[loss > eps] >= e^eps Q[loss > eps]. */
static int check_order(prop_random *r)
{
    double mu = draw_mu(r), eps = draw_eps(r, mu);
    ball m = ball_of(mu), x = ball_of(eps);
    ball log_delta = gauss_log_delta(m, x);
    ball less = gauss_log_delta(m, ball_of(prop_near(r, eps) * 1.0000001));
    ball more = gauss_log_delta(ball_of(mu * 1.0000001), x);
    ball tail = ball_log(gauss_tail_p(m, x));
    ball tail_q = gauss_log_tail_q(m, x);
    int failed = ball_less(log_delta, less) || ball_less(more, log_delta) ||
                 ball_less(tail, log_delta) ||
                 ball_less(tail, ball_add(tail_q, x));
    if (failed)
        printf("FAILED order: mu = %a, eps = %a\n", mu, eps);
    return failed;
}

int main(void)
{
    prop_random r = prop_start("prop_gaussian");
    int failed = check_points(&r);
    failed |= check_all_wide(&r);
    failed |= check_inverses(&r);
    for (long i = prop_count(1500); i > 0 && !failed; i--)
        failed = check_tradeoff(&r);
    for (long i = prop_count(10000); i > 0 && !failed; i--)
        failed = check_order(&r);
    flint_cleanup();
    return failed;
}
