/*
 * T rounds add up T times the divergence of one (T000-31); T000-33.8 turns
 * the total into epsilon at every order, and the least is reported. It falls
 * as sigma grows, so the least sufficient sigma is the root of a monotone
 * function whose sign is certified.
 */
#include "sampled_rounds.h"

#include "amplify.h"
#include "approx.h"
#include "base/error.h"
#include "gaussian.h"
#include "num/bracket.h"
#include "renyi.h"
#include "renyi_approx.h"
#include "sampled_renyi.h"

/* Largest sum over the orders; one term each. */
#define MAX_TERMS 0x1p25

static ball gaussian_rho(double sens, double sigma)
{
    ball mu = ball_div(ball_of(sens), ball_of(sigma));
    return ball_scale2(ball_sqr(mu), -1);
}

static dosi_status rounds_base(sampled_renyi **out, const sampled_rounds *s,
    const ball *rho, dosi_error *err)
{
    double last = 2, total = 0;
    for (size_t i = 0; i < s->n_orders; i++) {
        last = fmax(last, s->orders[i]);
        total += s->orders[i];
    }
    if (total > MAX_TERMS)
        return dosi_fail(err, DOSI_EUNABLE,
            "the orders add up to %g, more than the %g terms attempted", total,
            MAX_TERMS);
    return sampled_renyi_new(out, last, renyi_curve_gaussian, rho, err);
}

/* T000-33.8 after T rounds; base = NULL stands for no loss at all. */
static ball epsilon_at(const sampled_renyi *base, const sampled_rounds *s,
    double order, ball log_delta)
{
    ball d = ball_of(0);
    if (base != NULL) {
        d = sampled_renyi_at(base, ball_of(s->rate), order);
        d = ball_mul_d(d, s->rounds);
    }
    return renyi_epsilon(ball_of(order), d, log_delta);
}

dosi_status sampled_rounds_epsilon(dosi_interval *eps, dosi_interval *order,
    const sampled_rounds *s, double sigma, double delta, dosi_error *err)
{
    ball rho = gaussian_rho(s->sens, sigma);
    ball log_delta = ball_log(ball_of(delta));
    sampled_renyi *base = NULL;
    dosi_status status = rounds_base(&base, s, &rho, err);
    if (status != DOSI_OK)
        return status;
    ball best = ball_of(HUGE_VAL);
    *order = iv_point(s->orders[0]);
    for (size_t i = 0; i < s->n_orders; i++) {
        ball e = epsilon_at(base, s, s->orders[i], log_delta);
        if (ball_less(best, e))
            continue;
        dosi_interval here = iv_point(s->orders[i]);
        bool certain = isinf(best.hi) || ball_less(e, best);
        *order = certain ? here : iv_hull(*order, here);
        best = isinf(best.hi) ? e : ball_min(best, e);
    }
    sampled_renyi_free(base);
    *eps = ball_interval(best);
    *eps = iv_max(*eps, iv_point(0)); /* (0, delta) is certified, too */
    return DOSI_OK;
}

/* ---- Calibration -------------------------------------------------------- */

typedef struct target {
    const sampled_rounds *s;
    ball eps;
    ball log_delta;
    dosi_status *status; /* of the first failure inside a sign */
    dosi_error *err;
} target;

static double steer_epsilon(const target *t, double sigma, size_t i)
{
    double order = t->s->orders[i], mu = t->s->sens / sigma;
    double d = t->s->rate == 1
                   ? order * mu * mu / 2
                   : sampled_gaussian_renyi_approx(
                         SAMPLED_MIXTURE_FIRST, t->s->rate, mu, order);
    return t->s->rounds * d + log1p(-1 / order) -
           (ball_mid(t->log_delta) + log(order)) / (order - 1);
}

/* Where the least epsilon is likely attained: epsilon falls, then grows. */
static size_t steer_order(const target *t, double sigma)
{
    size_t low = 0, high = t->s->n_orders - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (steer_epsilon(t, sigma, middle) <=
            steer_epsilon(t, sigma, middle + 1))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static double steer_sigma(double sigma, const void *context)
{
    const target *t = context;
    double eps = steer_epsilon(t, sigma, steer_order(t, sigma));
    return ball_mid(t->eps) - eps;
}

/* The sign of target - eps(sigma), increasing in sigma. */
static int sigma_sign(double sigma, const void *context)
{
    const target *t = context;
    ball rho = gaussian_rho(t->s->sens, sigma);
    sampled_renyi *base = NULL;
    dosi_status status = rounds_base(&base, t->s, &rho, t->err);
    if (status != DOSI_OK) {
        *t->status = status;
        return 0;
    }
    /* one order below the target is enough; all must be above it */
    size_t n = t->s->n_orders, likely = steer_order(t, sigma);
    int sign = -1;
    for (size_t i = 0; i < n && sign != 1; i++) {
        size_t j = (likely + i) % n;
        ball e = epsilon_at(base, t->s, t->s->orders[j], t->log_delta);
        int here = bracket_sign_of(ball_sub(t->eps, e));
        sign = here > sign ? here : sign;
    }
    sampled_renyi_free(base);
    return sign;
}

dosi_status sampled_rounds_sigma(dosi_interval *sigma, const sampled_rounds *s,
    double eps, double delta, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    target t = {s, ball_of(eps), ball_log(ball_of(delta)), &status, err};
    double least = HUGE_VAL;
    for (size_t i = 0; i < s->n_orders; i++) {
        ball floor_eps = epsilon_at(NULL, s, s->orders[i], t.log_delta);
        least = fmin(least, ball_upper(floor_eps));
    }
    if (!(least < eps))
        return dosi_fail(err, DOSI_EDOMAIN,
            "no sigma reaches eps = %g: at delta = %g these orders certify "
            "nothing below eps = %g",
            eps, delta, least);
    double lo = s->sens * 1e-60, hi = s->sens * 1e60;
    double guess = bracket_steer(steer_sigma, &t, lo, hi);
    *sigma = bracket_root(sigma_sign, &t, lo, hi, guess);
    if (status == DOSI_OK && ((sigma->lo <= lo && sigma_sign(lo, &t) >= 0) ||
                                 (sigma->hi >= hi && sigma_sign(hi, &t) <= 0)))
        return dosi_fail(err, DOSI_EUNABLE,
            "no root certified for sens/sigma between 1e-60 and 1e60");
    return status;
}

/* ---- Without Rényi privacy ---------------------------------------------- */

sampled_naive sampled_rounds_naive(ball rate, ball rounds, ball mu, ball delta)
{
    sampled_naive r;
    ball share = ball_mul(ball_scale2(rounds, 1), rate);
    ball log_delta0 = ball_sub(ball_log(delta), ball_log(share));
    /* from delta0 = 1 on nothing is asked */
    r.base = ball_is_negative(log_delta0) ? gauss_epsilon(mu, log_delta0)
                                          : iv_point(0);
    ball one = amplify_epsilon(rate, ball_of_interval(r.base));
    one = ball_clamp(one, 0, HUGE_VAL);
    r.sampled = ball_interval(one);
    approx_total total =
        approx_total_add(approx_total_empty(), one, ball_of(0), rounds);
    r.total = approx_epsilon(&total, ball_interval(ball_scale2(delta, -1)));
    return r;
}
