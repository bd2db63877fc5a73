/*
 * Samplers that a user gives as a table: couplings of the samples of two
 * neighbours, with the group profiles of the base from the accountant.
 * Derivation: docs/theory/couplings.md, section 7.
 */
#include <stdlib.h>

#include "account.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "sampling/amplify_profile.h"
#include "sampling/finite_sampler.h"

struct dosi_sampler {
    sampler_table *tables[2]; /* in either order of the neighbours */
    size_t most;              /* the greatest finite distance */
    bool *has;                /* [0 .. most]: which distances there are */
};

void dosi_sampler_free(dosi_sampler *s)
{
    if (s == NULL)
        return;
    sampler_table_free(s->tables[0]);
    sampler_table_free(s->tables[1]);
    free(s->has);
    free(s);
}

/* ---- Making ------------------------------------------------------------ */

static dosi_status check_law(
    const char *name, const double *w, size_t n, dosi_error *err)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(w[i] >= 0 && w[i] <= 1))
            return dosi_fail(err, DOSI_EINVAL,
                "sampler: %s[%zu] must be between 0 and 1, got %g", name, i,
                w[i]);
        sum += w[i];
    }
    if (!(fabs(sum - 1) <= 1e-9))
        return dosi_fail(err, DOSI_EINVAL,
            "sampler: %s must sum to 1, got %.12g", name, sum);
    return DOSI_OK;
}

static dosi_status check_distances(
    size_t *most, const double *d, size_t n, dosi_error *err)
{
    *most = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double x = d[i * n + j];
            bool whole = x >= 0 && x <= DOSI_SAMPLER_MAX_DISTANCE &&
                         x == floor(x);
            if (!whole && x != HUGE_VAL)
                return dosi_fail(err, DOSI_EINVAL,
                    "sampler: a distance must be a whole number up to %d or "
                    "infinite, got %g between samples %zu and %zu",
                    DOSI_SAMPLER_MAX_DISTANCE, x, i, j);
            if (x != d[j * n + i] || (i == j && x != 0))
                return dosi_fail(err, DOSI_EINVAL,
                    "sampler: distances must be symmetric, and 0 from a "
                    "sample to itself, not so for %zu and %zu", i, j);
            if (whole && (size_t)x > *most)
                *most = (size_t)x;
        }
    return DOSI_OK;
}

static dosi_status check(size_t *most, const double *first,
    const double *second, const double *distance, size_t n, dosi_error *err)
{
    if (n < 1 || n > DOSI_SAMPLER_MAX_OUTCOMES)
        return dosi_fail(err, DOSI_EINVAL,
            "sampler: from 1 to %d samples, got %zu",
            DOSI_SAMPLER_MAX_OUTCOMES, n);
    dosi_status status = check_law("first", first, n, err);
    if (status == DOSI_OK)
        status = check_law("second", second, n, err);
    if (status == DOSI_OK)
        status = check_distances(most, distance, n, err);
    return status;
}

static_assert(DOSI_SAMPLER_MAX_OUTCOMES == SAMPLER_MAX_OUTCOMES, "one limit");

dosi_status dosi_sampler_new(dosi_sampler **out, const double *first,
    const double *second, const double *distance, size_t n, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    size_t most = 0;
    *out = NULL;
    dosi_status status = check(&most, first, second, distance, n, err);
    if (status != DOSI_OK)
        return status;
    dosi_sampler *s = calloc(1, sizeof *s);
    if (s == NULL)
        return dosi_fail_memory(err);
    s->most = most;
    s->has = calloc(most + 1, sizeof *s->has);
    status = s->has == NULL ? dosi_fail_memory(err)
                            : sampler_table_given(&s->tables[0], first,
                                  second, distance, n, err);
    if (status == DOSI_OK)
        status = sampler_table_given(
            &s->tables[1], second, first, distance, n, err);
    if (status != DOSI_OK) {
        dosi_sampler_free(s);
        return status;
    }
    for (size_t i = 0; i < n * n; i++)
        if (distance[i] < HUGE_VAL)
            s->has[(size_t)distance[i]] = true;
    *out = s;
    return DOSI_OK;
}

/* ---- The base ---------------------------------------------------------- */

static dosi_status group_delta(double *out, const dosi_plan *base, double k,
    double epsilon, const dosi_options *options, dosi_error *err)
{
    const dosi_plan *group = NULL;
    dosi_answer a;
    dosi_status status =
        dosi_plan_new(&group, DOSI_GROUP, &k, 1, &base, 1, err);
    if (status == DOSI_OK)
        status = dosi_delta_at_epsilon(&a, group, epsilon, options, err);
    dosi_plan_free(group);
    if (status == DOSI_OK)
        *out = fmin(a.value.hi, 1);
    return status;
}

/* delta_1 .. delta_most at epsilon from above, never falling in k. */
static dosi_status group_deltas(double *delta, const dosi_sampler *s,
    const dosi_plan *base, double epsilon, const dosi_options *options,
    dosi_error *err)
{
    double least = 1;
    for (size_t k = s->most; k > 0; k--) {
        delta[k - 1] = least;
        if (!s->has[k])
            continue;
        double own = 1;
        dosi_status status =
            group_delta(&own, base, (double)k, epsilon, options, err);
        if (status != DOSI_OK)
            return status;
        /* what holds of k records holds of fewer */
        least = fmin(least, own);
        delta[k - 1] = least;
    }
    return DOSI_OK;
}

/* ---- The bounds -------------------------------------------------------- */

/* Asks both methods in one order of the neighbours and keeps the worse
 * bounds. */
static dosi_status one_order(dosi_sampler_answer *out,
    const sampler_table *t, ball eps, const double *base,
    const double *plain, size_t n, dosi_error *err)
{
    dosi_interval found, whole;
    sampler_deltas at_base = {base, n}, at_epsilon = {plain, n};
    dosi_status status = sampler_bound(
        &found, t, SAMPLER_METRIC_R, ball_exp(eps), at_base, err);
    if (status != DOSI_OK)
        return status;
    out->delta = iv_max(out->delta, found);
    /* what both share is coupled with itself: eta of the rest */
    status = sampler_cost(
        &whole, t, SAMPLER_SECOND, SAMPLER_METRIC_R, at_epsilon, err);
    ball eta = sampler_table_eta(t);
    out->coupling = iv_max(out->coupling,
        iv_mul(ball_interval(eta), whole));
    return status;
}

static dosi_status nearest(
    dosi_sampler_answer *out, const sampler_table *t, dosi_error *err)
{
    bool shared = true, other = true;
    ball one = ball_of(1);
    dosi_status status = DOSI_OK;
    if (!ball_is_zero(ball_sub(one, sampler_table_eta(t))))
        status = sampler_compatible(
            &shared, t, SAMPLER_SHARED, SAMPLER_METRIC_R, one, err);
    if (status == DOSI_OK)
        status = sampler_compatible(
            &other, t, SAMPLER_SECOND, SAMPLER_METRIC_R, one, err);
    out->shared_is_nearest = shared;
    out->other_is_nearest = other;
    return status;
}

static dosi_status bounds(dosi_sampler_answer *out, const dosi_sampler *s,
    const dosi_plan *base, double epsilon, const dosi_options *options,
    dosi_error *err)
{
    ball eta = sampler_table_eta(s->tables[0]);
    ball eps = amplify_map_back(eta, ball_of(epsilon));
    dosi_interval e = ball_interval(eps);
    double *delta = malloc((2 * s->most + 1) * sizeof *delta);
    if (delta == NULL)
        return dosi_fail_memory(err);
    double *plain = delta + s->most;
    out->base_epsilon = e;
    /* profiles fall: at the lower end of the base's epsilon */
    dosi_status status =
        group_deltas(delta, s, base, fmax(e.lo, 0), options, err);
    if (status == DOSI_OK)
        status = group_deltas(plain, s, base, epsilon, options, err);
    for (int i = 0; i < 2 && status == DOSI_OK; i++)
        status = one_order(
            out, s->tables[i], eps, delta, plain, s->most, err);
    if (status == DOSI_OK)
        status = nearest(out, s->tables[0], err);
    free(delta);
    return status;
}

dosi_status dosi_sampler_delta_at_epsilon(dosi_sampler_answer *out,
    const dosi_sampler *s, const dosi_plan *base, double epsilon,
    const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(epsilon);
    *out = (dosi_sampler_answer){.theorem = "T004-E3.pipeline, T004-5c"};
    dosi_options opt;
    dosi_status status = account_options(&opt, options, err);
    if (status != DOSI_OK)
        return status;
    if (!(epsilon >= 0 && epsilon <= DBL_MAX))
        return dosi_fail(err, DOSI_EINVAL,
            "epsilon must be non-negative and finite, got %g", epsilon);
    if (opt.neighbours == DOSI_NATURAL)
        opt.neighbours = DOSI_ADD_REMOVE; /* distances were counted so */
    out->neighbours = opt.neighbours;
    ball eta = sampler_table_eta(s->tables[0]);
    out->eta = ball_interval(eta);
    out->shared_is_nearest = out->other_is_nearest = 1;
    out->base_epsilon = iv_point(HUGE_VAL);
    if (ball_is_zero(eta)) /* the neighbours are sampled alike */
        return DOSI_OK;
    return bounds(out, s, base, epsilon, &opt, err);
}
