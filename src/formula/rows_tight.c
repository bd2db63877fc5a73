/*
 * The exact limit of a privacy-loss-distribution accountant for T steps of
 * Poisson sampling and Gaussian noise (S000-7.tight_*), one row a direction:
 * add is mixture against base, rem base against mixture.
 */
#include "formula.h"

#include "repr/contour.h"
#include "repr/gaussian.h"
#include "repr/sampled_gaussian.h"
#include "repr/spectral.h"

/* The source calls "add" what the pair (mixture, base) loses. */
static dosi_status tight_pair(contour_pair *pair, const formula_args *a,
    bool base_first, dosi_error *err)
{
    ball mu = ball_div(formula_ball(a, "sens"), formula_ball(a, "sigma"));
    *pair = (contour_pair){
        mu, formula_real(a, "p"), formula_real(a, "T"), base_first};
    if (ball_is_unknown(mu) || !ball_is_positive(mu))
        return formula_domain(
            err, "needs sens / sigma within the range of numbers");
    return DOSI_OK;
}

/* Without sampling the steps are Gaussian, mu grows by sqrt(T). */
static ball tight_gaussian_mu(const contour_pair *pair)
{
    return ball_mul(pair->mu, ball_sqrt(ball_of(pair->count)));
}

/* Where the contour leaves more than this the spectral route is asked, too:
 * its losses may be far apart or few. */
#define NARROW 1e-9

/* Larger mu is beyond what that route ends with soon. */
#define LARGEST_MU 64.0

typedef struct tight_route {
    loss law;
    work_limits limits;
    spectral *s; /* NULL: it does not apply */
} tight_route;

/* r must not move; r->s is released with spectral_free. */
static dosi_status tight_route_make(
    tight_route *r, const contour_pair *pair, dosi_error *err)
{
    *r = (tight_route){.limits = work_default(1e-12)};
    r->law = (loss){.noise = LOSS_GAUSSIAN,
        .map = pair->add ? LOSS_ADD : LOSS_REMOVE,
        .flag = LAW_EXACT,
        .parameter = pair->mu,
        .rate = ball_of(pair->rate),
        .count = pair->count};
    if (!(ball_upper(pair->mu) <= LARGEST_MU))
        return DOSI_OK;
    return spectral_new(&r->s, &r->law, 1, &r->limits, err);
}

static dosi_status tight_log_delta(dosi_interval *out, const contour_pair *pair,
    double eps, dosi_error *err)
{
    dosi_status status = contour_log_delta(out, pair, eps, err);
    if (status != DOSI_OK || out->hi - out->lo < NARROW)
        return status;
    tight_route r;
    dosi_interval found = {-HUGE_VAL, 0};
    status = tight_route_make(&r, pair, err);
    if (status == DOSI_OK && r.s != NULL)
        status = spectral_log_delta(&found, r.s, eps, err);
    spectral_free(r.s);
    *out = iv_meet(*out, found);
    return status;
}

static dosi_status tight_least_epsilon(dosi_interval *out,
    const contour_pair *pair, ball delta, dosi_error *err)
{
    ball log_delta = ball_log(delta);
    dosi_status status = contour_epsilon(out, pair, log_delta, err);
    if (status != DOSI_OK || out->hi - out->lo < NARROW * out->lo)
        return status;
    tight_route r;
    dosi_interval found = {0, HUGE_VAL};
    status = tight_route_make(&r, pair, err);
    if (status == DOSI_OK && r.s != NULL)
        status = spectral_epsilon(&found, r.s, delta, log_delta, err);
    spectral_free(r.s);
    *out = iv_meet(*out, found);
    return status;
}

static dosi_status tight_delta(dosi_interval *out, const formula_args *a,
    bool base_first, dosi_error *err)
{
    contour_pair pair;
    dosi_status status = tight_pair(&pair, a, base_first, err);
    if (status != DOSI_OK)
        return status;
    ball eps = formula_ball(a, "eps");
    if (pair.rate == 0)
        return formula_give(out, ball_of(0), err);
    ball whole = gauss_delta(tight_gaussian_mu(&pair), eps);
    if (pair.rate == 1)
        return formula_give(out, whole, err);
    if (pair.count == 1)
        return formula_give(out,
            sampled_gaussian_delta(
                base_first ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST,
                ball_of(pair.rate), pair.mu, eps),
            err);
    dosi_interval log_delta;
    status = tight_log_delta(&log_delta, &pair, formula_real(a, "eps"), err);
    if (status != DOSI_OK)
        return status;
    dosi_interval delta = {0, 1};
    if (log_delta.hi < 0)
        delta.hi = ball_upper(ball_exp(ball_of(log_delta.hi)));
    if (log_delta.lo > -HUGE_VAL)
        delta.lo = ball_lower(ball_exp(ball_of(log_delta.lo)));
    /* telling the samples makes it no less */
    delta = iv_meet(delta, iv_make(0, fmax(ball_upper(whole), 0)));
    return formula_give_interval(out, delta, err);
}

static dosi_status tight_epsilon(dosi_interval *out, const formula_args *a,
    bool base_first, dosi_error *err)
{
    contour_pair pair;
    dosi_status status = tight_pair(&pair, a, base_first, err);
    if (status != DOSI_OK)
        return status;
    ball delta = formula_ball(a, "delta");
    if (pair.rate == 0)
        return formula_give(out, ball_of(0), err);
    dosi_interval whole =
        gauss_epsilon(tight_gaussian_mu(&pair), ball_log(delta));
    if (pair.rate == 1)
        return formula_give_interval(out, whole, err);
    dosi_interval epsilon;
    status = tight_least_epsilon(&epsilon, &pair, delta, err);
    if (status != DOSI_OK)
        return status;
    epsilon = iv_meet(epsilon, iv_make(0, whole.hi));
    return formula_give_interval(out, epsilon, err);
}

static dosi_status tight_delta_add(
    dosi_interval *out, const formula_args *a, dosi_error *err)
{
    return tight_delta(out, a, false, err);
}

static dosi_status tight_delta_rem(
    dosi_interval *out, const formula_args *a, dosi_error *err)
{
    return tight_delta(out, a, true, err);
}

static dosi_status tight_eps_add(
    dosi_interval *out, const formula_args *a, dosi_error *err)
{
    return tight_epsilon(out, a, false, err);
}

static dosi_status tight_eps_rem(
    dosi_interval *out, const formula_args *a, dosi_error *err)
{
    return tight_epsilon(out, a, true, err);
}

#define DELTA_VALIDITY \
    "sigma > 0, sens > 0, 0 <= p <= 1, T >= 1, T whole, eps >= 0"
#define EPSILON_VALIDITY \
    "sigma > 0, sens > 0, 0 <= p <= 1, T >= 1, T whole, 0 < delta < 1"

static const formula_row rows[] = {
    {"S000-7.tight_delta_add", "sampled_gaussian.tight_delta_add",
        "sigma;sens;p;T;eps", "exact", DELTA_VALIDITY,
        "delta of T Poisson-sampled Gaussian steps, mixture against base",
        tight_delta_add},
    {"S000-7.tight_delta_rem", "sampled_gaussian.tight_delta_rem",
        "sigma;sens;p;T;eps", "exact", DELTA_VALIDITY,
        "delta of T Poisson-sampled Gaussian steps, base against mixture",
        tight_delta_rem},
    {"S000-7.tight_eps_add", "sampled_gaussian.tight_eps_add",
        "sigma;sens;p;T;delta", "exact", EPSILON_VALIDITY,
        "epsilon of T Poisson-sampled Gaussian steps, mixture against base",
        tight_eps_add},
    {"S000-7.tight_eps_rem", "sampled_gaussian.tight_eps_rem",
        "sigma;sens;p;T;delta", "exact", EPSILON_VALIDITY,
        "epsilon of T Poisson-sampled Gaussian steps, base against mixture",
        tight_eps_rem},
};

FORMULA_TABLE(formula_tight, rows);
