/*
 * Rényi divergences of exponential families and of normal laws. Differences
 * that cancel are written as logarithms of 1 + x or as excesses over a tangent;
 * the others are evaluated with thirty digits. Derivation:
 * docs/theory/without_replacement.md, section 6.
 */
#include "exponential_families.h"

#include <stdlib.h>

#include "special/excess.h"

static bool is_one(ball x)
{
    return ball_is_zero(ball_sub_d(x, 1));
}

/* Removes negative values, which a divergence has by rounding only. */
static ball nonnegative(ball x)
{
    return ball_clamp(x, 0, HUGE_VAL);
}

/* ---- One-parameter families -------------------------------------------- */

/* A(eta) = log(1 + e^eta) */
static ball bernoulli(ball x, ball y, ball order)
{
    ball ax = ball_log1pexp(x), ay = ball_log1pexp(y);
    if (is_one(order)) {
        ball mean = ball_exp(ball_sub(x, ax));
        ball d = ball_mul(ball_sub(x, y), mean);
        return ball_add(d, ball_sub(ay, ax));
    }
    ball t = ball_sub_d(order, 1);
    ball mixed = ball_add(x, ball_mul(t, ball_sub(x, y)));
    ball d = ball_sub(ball_log1pexp(mixed), ax);
    return ball_sub(ball_div(d, t), ball_sub(ax, ay));
}

/* y (r^a - 1 - a (r - 1))/(a - 1) with r = x/y */
static ball poisson(ball x, ball y, ball order)
{
    ball ratio = ball_div(x, y), v = ball_div(ball_sub(x, y), y);
    if (is_one(order))
        return ball_sub(ball_mul(x, ball_log(ratio)), ball_sub(x, y));
    ball d = ball_mul(y, excess_power(order, v, ratio));
    return ball_div(d, ball_sub_d(order, 1));
}

/* -log(1 - (a-1) v)/(a-1) - log(1 + v) with v = y/x - 1 */
static ball exponential(ball x, ball y, ball order)
{
    ball v = ball_div(ball_sub(y, x), x);
    ball log_ratio = ball_log1p(v);
    if (is_one(order))
        return ball_sub(v, log_ratio);
    ball t = ball_sub_d(order, 1);
    ball rest = ball_sub(ball_of(1), ball_mul(t, v));
    if (ball_upper(rest) <= 0)
        return ball_of(HUGE_VAL);
    if (!ball_is_positive(rest))
        return ball_unknown();
    ball top = ball_log1p(ball_neg(ball_mul(t, v)));
    return ball_sub(ball_neg(ball_div(top, t)), log_ratio);
}

static ball divergence_of(family f, ball x, ball y, ball order)
{
    switch (f) {
    case FAMILY_BERNOULLI:
        return bernoulli(x, y, order);
    case FAMILY_POISSON:
        return poisson(x, y, order);
    case FAMILY_EXPONENTIAL:
        return exponential(x, y, order);
    }
    return ball_unknown();
}

ball family_divergence(family f, ball x, ball y, ball order)
{
    if (ball_is_zero(ball_sub(x, y)))
        return ball_of(0);
    ball d = divergence_of(f, x, y, order);
    return isinf(d.hi) ? d : nonnegative(d);
}

/* ---- Smooth log-partitions --------------------------------------------- */

ball family_local_bound(ball order, ball distance, ball lipschitz, ball smooth)
{
    ball square = ball_mul(ball_mul(order, smooth), ball_sqr(distance));
    ball line = ball_mul(lipschitz, distance);
    return ball_min(ball_scale2(square, -1), ball_scale2(line, 1));
}

ball family_split_bound(ball order, ball distance, ball far_lipschitz,
    ball near_lipschitz, ball far_smooth, ball near_smooth)
{
    ball bend = ball_mul(ball_sub_d(order, 1), far_smooth);
    bend = ball_mul(ball_add(bend, near_smooth), ball_sqr(distance));
    ball line = ball_mul(ball_add(far_lipschitz, near_lipschitz), distance);
    return ball_min(ball_scale2(bend, -1), line);
}

/* ---- Normal laws ------------------------------------------------------- */

typedef enum definite { DEFINITE, NOT_DEFINITE, NOT_TOLD } definite;

/* Cholesky in place, lower triangle, rows of n; with log det. */
static definite factor(ball *m, size_t n, ball *log_det)
{
    *log_det = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            ball x = m[i * n + j];
            for (size_t k = 0; k < j; k++)
                x = ball_sub(x, ball_mul(m[i * n + k], m[j * n + k]));
            if (j < i) {
                m[i * n + j] = ball_div(x, m[j * n + j]);
                continue;
            }
            if (ball_upper(x) <= 0)
                return NOT_DEFINITE;
            if (!ball_is_positive(x))
                return NOT_TOLD;
            m[i * n + i] = ball_sqrt(x);
            *log_det = ball_add(*log_det, ball_log(x));
        }
    }
    return DEFINITE;
}

/* d' M^-1 d from the factor of M; d is overwritten. */
static ball inverse_form(const ball *m, ball *d, size_t n)
{
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            d[i] = ball_sub(d[i], ball_mul(m[i * n + k], d[k]));
        d[i] = ball_div(d[i], m[i * n + i]);
        sum = ball_add(sum, ball_sqr(d[i]));
    }
    return sum;
}

static dosi_status log_det_of(
    ball *log_det, ball *m, const double *s, size_t n, dosi_error *err)
{
    for (size_t i = 0; i < n * n; i++)
        m[i] = ball_of(s[i]);
    switch (factor(m, n, log_det)) {
    case DEFINITE:
        break;
    case NOT_DEFINITE:
        return dosi_fail(
            err, DOSI_EDOMAIN, "needs positive definite covariances");
    case NOT_TOLD:
        return dosi_fail(
            err, DOSI_EUNABLE, "a covariance is too close to a singular one");
    }
    return DOSI_OK;
}

static dosi_status normal_with(ball *out, ball *m, ball *d,
    const double *const mean[2], const double *const s[2], size_t n, ball order,
    dosi_error *err)
{
    ball log_det[3];
    for (int i = 0; i < 2; i++) {
        dosi_status status = log_det_of(&log_det[i], m, s[i], n, err);
        if (status != DOSI_OK)
            return status;
    }
    ball t = ball_sub_d(order, 1);
    /* a S2 + (1-a) S1 = S2 + (a-1) (S2 - S1) */
    for (size_t i = 0; i < n * n; i++) {
        ball gap = ball_sub(ball_of(s[1][i]), ball_of(s[0][i]));
        m[i] = ball_add(ball_of(s[1][i]), ball_mul(t, gap));
    }
    definite kind = factor(m, n, &log_det[2]);
    if (kind == NOT_TOLD)
        return dosi_fail(err, DOSI_EUNABLE,
            "whether the divergence is finite is too close to call");
    *out = ball_of(HUGE_VAL);
    if (kind == NOT_DEFINITE)
        return DOSI_OK;
    for (size_t i = 0; i < n; i++)
        d[i] = ball_sub(ball_of(mean[0][i]), ball_of(mean[1][i]));
    ball form = ball_mul(order, inverse_form(m, d, n));
    /* log |S_a| - (1-a) log |S1| - a log |S2| */
    ball logs = ball_sub(log_det[2], log_det[1]);
    logs = ball_add(logs, ball_mul(t, ball_sub(log_det[0], log_det[1])));
    ball twice = ball_sub(form, ball_div(logs, t));
    *out = nonnegative(ball_scale2(twice, -1));
    return DOSI_OK;
}

dosi_status family_normal(ball *out, const double *mean1, const double *s1,
    const double *mean2, const double *s2, size_t n, ball order,
    dosi_error *err)
{
    *out = ball_unknown();
    ball *work = calloc(n * n + n, sizeof *work);
    if (work == NULL)
        return dosi_fail_memory(err);
    const double *const mean[2] = {mean1, mean2};
    const double *const s[2] = {s1, s2};
    dosi_status status =
        normal_with(out, work, work + n * n, mean, s, n, order, err);
    free(work);
    return status;
}

/*
 * With w = v1/v2 - 1 and t = a - 1 the mixed variance is v2 (1 - t w), and
 * D = a d^2/(2 v2 (1 - t w)) - (log(1 - t w)/t + log(1 + w))/2.
 */
ball family_normal_line(
    ball mean1, ball variance1, ball mean2, ball variance2, ball order)
{
    ball t = ball_sub_d(order, 1);
    ball w = ball_div(ball_sub(variance1, variance2), variance2);
    ball tw = ball_mul(t, w), rest = ball_sub(ball_of(1), tw);
    if (ball_upper(rest) <= 0)
        return ball_of(HUGE_VAL);
    if (!ball_is_positive(rest))
        return ball_unknown();
    ball form = ball_sqr(ball_sub(mean1, mean2));
    form = ball_div(ball_mul(order, form), ball_mul(variance2, rest));
    /* log(1 - t w)/t tends to -w */
    ball log_rest =
        is_one(order) ? ball_neg(w) : ball_div(ball_log1p(ball_neg(tw)), t);
    ball logs = ball_add(log_rest, ball_log1p(w));
    return nonnegative(ball_scale2(ball_sub(form, logs), -1));
}

/* ---- One data set under sampling --------------------------------------- */

/* 1/(pole - 1) = rate (1 - rate) (n - 1)/(sigma^2 n) */
static ball bad_spread(ball sigma, ball rate, ball n)
{
    ball x = ball_mul(rate, ball_sub(ball_of(1), rate));
    x = ball_mul(x, ball_div(ball_sub_d(n, 1), n));
    return ball_div(x, ball_sqr(sigma));
}

ball family_bad_pole(ball sigma, ball rate, ball n)
{
    return ball_add_d(ball_div(ball_of(1), bad_spread(sigma, rate, n)), 1);
}

/* Normal laws rate/sigma apart, of variances 1 + y and 1. */
ball family_bad_approx(ball sigma, ball rate, ball n, ball order)
{
    ball y = bad_spread(sigma, rate, n), one = ball_of(1);
    return family_normal_line(
        ball_div(rate, sigma), ball_add(one, y), ball_of(0), one, order);
}

ball family_good_approx(ball sigma, ball rate, ball n, ball order)
{
    ball spread = ball_sub(n, ball_div(ball_of(1), n));
    spread = ball_mul(spread, ball_mul(rate, ball_sub(ball_of(1), rate)));
    ball below =
        ball_add(ball_scale2(ball_sqr(sigma), 1), ball_scale2(spread, -1));
    return ball_div(ball_mul(order, ball_sqr(rate)), below);
}

/* Mean and sum of squared deviations of x with its last replaced. */
static void moments_of(
    ball *mean, ball *deviation, const double *x, size_t n, double last)
{
    *mean = ball_of(last);
    for (size_t i = 0; i + 1 < n; i++)
        *mean = ball_add_d(*mean, x[i]);
    *mean = ball_div_d(*mean, (double)n);
    *deviation = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        ball d = ball_sub(ball_of(i + 1 < n ? x[i] : last), *mean);
        *deviation = ball_add(*deviation, ball_sqr(d));
    }
}

ball family_sample_mean_approx(const double *x, size_t n, double replaced,
    ball sigma, ball rate, ball order)
{
    ball mean[2], variance[2];
    ball size = ball_mul_d(rate, (double)n); /* of the sample */
    ball noise = ball_sqr(ball_div(sigma, size));
    ball weight =
        ball_div(ball_sub(ball_of(1), rate), ball_mul_d(size, (double)n));
    for (int i = 0; i < 2; i++) {
        moments_of(&mean[i], &variance[i], x, n, i == 0 ? x[n - 1] : replaced);
        variance[i] = ball_add(ball_mul(weight, variance[i]), noise);
    }
    return family_normal_line(
        mean[0], variance[0], mean[1], variance[1], order);
}
