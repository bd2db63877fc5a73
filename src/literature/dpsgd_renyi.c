/*
 * The Rényi accountant of DP-SGD: T rounds have T times the divergence of one
 * (T000-31); T000-33.8 converts the total to epsilon at every order, and the
 * minimum is returned. It falls as sigma grows, so the least sufficient sigma
 * is the root of a monotone function whose sign is certified. Derivation:
 * docs/theory/sampling.md, section 3.
 */
#include "dpsgd_renyi.h"

#include "sampling/amplify.h"
#include "renyi/composition_theorems.h"
#include "base/error.h"
#include "noise/gaussian.h"
#include "num/bracket.h"
#include "renyi/renyi.h"
#include "renyi/poisson_renyi.h"
#include "renyi/without_replacement_renyi.h"
#include "renyi/zcdp.h"

/* The largest sum of the orders, which is the number of terms. */
#define MAX_TERMS 0x1p25

static ball gaussian_rho(double sens, double sigma)
{
    ball mu = ball_div(ball_of(sens), ball_of(sigma));
    return ball_scale2(ball_sqr(mu), -1);
}

static dosi_status rounds_base(wr_table **out, const sampled_rounds *s,
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

dosi_status sampled_rounds_epsilon(dosi_interval *eps, dosi_interval *order,
    const sampled_rounds *s, double sigma, double delta, dosi_error *err)
{
    ball rho = gaussian_rho(s->sens, sigma), rate = ball_of(s->rate);
    ball log_delta = ball_log(ball_of(delta)), best = ball_of(HUGE_VAL);
    wr_table *base = NULL;
    dosi_status status = rounds_base(&base, s, &rho, err);
    if (status != DOSI_OK)
        return status;
    *order = iv_point(s->orders[0]);
    for (size_t i = 0; i < s->n_orders; i++) {
        ball at = ball_of(s->orders[i]);
        ball d = sampled_renyi_at(base, rate, s->orders[i]);
        ball e = renyi_epsilon(at, ball_mul_d(d, s->rounds), log_delta);
        if (ball_less(best, e))
            continue;
        dosi_interval here = iv_point(s->orders[i]);
        bool certain = isinf(best.hi) || ball_less(e, best);
        *order = certain ? here : iv_hull(*order, here);
        best = isinf(best.hi) ? e : ball_min(best, e);
    }
    wr_table_free(base);
    *eps = ball_interval(best);
    *eps = iv_max(*eps, iv_point(0)); /* (0, delta) is then certified */
    return DOSI_OK;
}

/* ---- Calibration -------------------------------------------------------- */

typedef struct target {
    const sampled_rounds *s;
    double eps, delta;
    dosi_status *status; /* of the first failed evaluation */
    dosi_error *err;
} target;

/* target - eps(sigma), increasing in sigma. */
static ball sigma_gap(ball sigma, const void *context)
{
    const target *t = context;
    dosi_interval eps, order;
    dosi_status status = sampled_rounds_epsilon(
        &eps, &order, t->s, ball_mid(sigma), t->delta, t->err);
    if (status == DOSI_OK)
        return ball_sub(ball_of(t->eps), ball_of_interval(eps));
    *t->status = status;
    return ball_unknown();
}

dosi_status sampled_rounds_sigma(dosi_interval *sigma, const sampled_rounds *s,
    double eps, double delta, dosi_error *err)
{
    double lo = s->sens * 1e-60, hi = s->sens * 1e60;
    dosi_interval least, order;
    dosi_status status =
        sampled_rounds_epsilon(&least, &order, s, hi, delta, err);
    if (status != DOSI_OK)
        return status;
    if (!(least.hi < eps))
        return dosi_fail(err, DOSI_EDOMAIN,
            "no sigma reaches eps = %g: at delta = %g these orders certify "
            "nothing below eps = %g",
            eps, delta, least.hi);
    target t = {s, eps, delta, &status, err};
    *sigma = bracket_root_of(sigma_gap, &t, lo, hi);
    if (status == DOSI_OK && sigma->lo <= lo &&
        !ball_is_negative(sigma_gap(ball_of(lo), &t)))
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
    /* delta0 >= 1 is no condition */
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

dosi_interval sampled_rounds_analytic_epsilon(
    ball rate, ball rho, ball rounds, ball log_delta)
{
    /* the total is slope order at every order below omega, like a zCDP loss
     * of rho = slope; its best order is that of T000-14 */
    ball slope = ball_mul(amplify_slope(rate, rho), rounds);
    ball omega = amplify_omega(rate, rho);
    dosi_interval free_order = zcdp_alpha(slope, log_delta);
    dosi_interval inside = zcdp_epsilon(slope, log_delta);
    ball edge = renyi_epsilon(omega, ball_mul(slope, omega), log_delta);
    dosi_interval at_edge = iv_max(ball_interval(edge), iv_point(0));
    if (free_order.hi <= ball_lower(omega))
        return inside;
    if (free_order.lo >= ball_upper(omega))
        return at_edge;
    return iv_hull(inside, at_edge); /* they agree where they meet */
}
