/*
 * Laws of stated guarantees. Delta is bounded at points of epsilon, which lie
 * closer where it falls faster, and chords between them make it a law.
 */
#include "guarantee_law.h"

#include <stdlib.h>

#include "finite_cache.h"
#include "loss/loss_from_profile.h"
#include "renyi/renyi.h"
#include "renyi/zcdp.h"

/* The law ends at this log delta, whose mass is put to +inf; other routes
 * answer for smaller deltas. */
#define LOG_DELTA_END (-92.0)

/* Log delta falls by about this much between neighbouring points. */
#define LOG_DELTA_STEP 0.25
#define MAX_POINTS 1500

/* A guarantee: D_order <= xi + rho order for orders up to the last. */
typedef struct stated_curve {
    ball rho, xi, leak;
    double last;          /* +inf if it holds at every order */
    double log_variation; /* >= log of the total variation */
} stated_curve;

/* An order near the best one for epsilon, less 1, not certified: the zero of
 * the derivative of
 * t (xi + rho (t + 1) - eps) - t log(1 + 1/t) - log(1 + t). */
static double order_less_1_approx(const stated_curve *b, double eps)
{
    double rho = ball_mid(b->rho), xi = ball_mid(b->xi);
    double lo = -30, hi = 30; /* log t */
    for (int i = 0; i < 40; i++) {
        double mid = (lo + hi) / 2, t = exp(mid);
        if (xi + rho * (2 * t + 1) - eps - log1p(1 / t) < 0)
            lo = mid;
        else
            hi = mid;
    }
    return fmin(exp(lo), b->last - 1);
}

/* An upper bound of log delta at eps >= 0, by the conversion at one order
 * (T000-33.8) and by the total variation. */
static double log_delta_upper(const stated_curve *b, double eps, double *t)
{
    *t = order_less_1_approx(b, eps);
    ball order = ball_add_d(ball_of(*t), 1);
    ball d = ball_add(b->xi, ball_mul(b->rho, order));
    double l = ball_upper(renyi_log_delta(order, d, ball_of(eps)));
    l = fmin(l, b->log_variation); /* a NaN is no bound, either */
    if (ball_is_zero(b->leak))
        return l;
    /* leak + (1 - leak) delta */
    ball keep = ball_add(ball_log1p(ball_neg(b->leak)), ball_of(l));
    return fmin(ball_upper(ball_logaddexp(ball_log(b->leak), keep)), 0);
}

/* The total variation is at most sqrt(kl/2) (Pinsker) and sqrt(1 - e^-kl)
 * (Bretagnolle and Huber), for kl >= KL, which orders near 1 bound. */
static double log_variation(ball kl)
{
    if (!ball_is_positive(kl))
        return 0;
    double a = ball_upper(ball_log(ball_scale2(kl, -1)));
    double b = ball_upper(ball_log1mexp(ball_neg(kl)));
    return fmin(fmin(a, b) / 2, 0);
}

typedef struct curve {
    size_t n;
    double at[MAX_POINTS];
    dosi_interval log_delta[MAX_POINTS];
} curve;

static bool curve_fill(curve *out, const stated_curve *b)
{
    double eps = 0;
    double log_leak =
        ball_is_zero(b->leak) ? -HUGE_VAL : ball_mid(ball_log(b->leak));
    for (out->n = 0; out->n < MAX_POINTS; out->n++) {
        double t, l = log_delta_upper(b, eps, &t);
        out->at[out->n] = eps;
        out->log_delta[out->n] = (dosi_interval){-HUGE_VAL, l};
        if (l < LOG_DELTA_END || l < log_leak + 1e-6) {
            out->n++;
            return true;
        }
        eps += LOG_DELTA_STEP / (1 + t);
    }
    return false;
}

/* Operations that one point takes: its bound, its mass, and sums in balls. */
#define POINT_OPERATIONS 2e4

static const finite_law *curve_atoms(
    const stated_curve *b, const mechanism_context *c)
{
    static const char maker = 0;
    finite_key key = {
        &maker, {b->rho.hi, b->rho.lo, b->rho.rad, b->xi.hi, b->xi.lo,
                    b->xi.rad, b->leak.hi, b->leak.lo, b->leak.rad, b->last}};
    const finite_law *known = finite_store_find(c->finite_laws, &key);
    if (known != NULL)
        return known;
    curve *x = malloc(sizeof *x);
    if (x == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    if (!curve_fill(x, b)) {
        free(x);
        (void)mechanism_decline(
            c, "the stated guarantee takes too many points");
        return NULL;
    }
    loss_values values = {x->n, x->at, x->log_delta};
    loss_curve both = {values, values}; /* it bounds both directions */
    loss_from_profile law_points = {0};
    finite_law *made = NULL;
    dosi_status status =
        loss_from_profile_make(&law_points, &both, DOSI_SIDE_UPPER, NULL);
    if (status == DOSI_OK)
        status = finite_from_points(
            &made, law_points.at, law_points.mass, law_points.n, NULL);
    loss_from_profile_free(&law_points);
    work_spend(c->pool->limits, POINT_OPERATIONS * (double)x->n);
    free(x);
    if (!profile_made(c->pool, status))
        return NULL;
    return finite_store_keep(&key, made, c);
}

const finite_law *guarantee_law_zcdp(
    const mechanism_zcdp_bound *z, const mechanism_context *c)
{
    stated_curve b = {z->rho, z->xi, z->leak, HUGE_VAL,
        log_variation(ball_add(z->rho, z->xi))};
    return curve_atoms(&b, c);
}

const finite_law *guarantee_law_renyi(
    double order, ball divergence, const mechanism_context *c)
{
    stated_curve b = {
        ball_of(0), divergence, ball_of(0), order, log_variation(divergence)};
    return curve_atoms(&b, c);
}
