/*
 * The trade-off curve from the profile: with Q as the null hypothesis and
 * x = e^eps,
 *
 *     f(alpha) = max over eps of g = 1 - delta(eps) - alpha x,
 *
 * and g is concave in x, with slope Q[L > eps] - alpha. Any point bounds f
 * from below; two chords, extended towards each other across the maximum,
 * bound it from above. Derivation: docs/theory/accounting.md.
 */
#include "spectral.h"

#include "num/special.h"
#include "spectral_steer.h"

#define POINTS 4

/* g at one epsilon. */
typedef struct height {
    ball x, g;
} height;

static dosi_status height_at(height *out, spectral *s, double epsilon,
    double alpha, dosi_error *err)
{
    dosi_interval log_delta;
    dosi_status status = spectral_log_delta(&log_delta, s, epsilon, err);
    ball lo = ball_exp(ball_of(log_delta.lo));
    ball hi = ball_exp(ball_of(log_delta.hi));
    ball delta = ball_of_interval(
        (dosi_interval){fmax(ball_lower(lo), 0), ball_upper(hi)});
    out->x = ball_exp(ball_of(epsilon));
    out->g = ball_sub(
        ball_sub(ball_of(1), delta), ball_mul_d(out->x, alpha));
    return status;
}

/* Roughly the log-odds of Q[L > eps] over those of alpha, by a difference of
 * width 2d. */
static dosi_status log_odds(double *out, spectral *s, double epsilon,
    double d, double alpha, dosi_error *err)
{
    height a, b;
    dosi_status status = height_at(&a, s, epsilon - d, alpha, err);
    if (status == DOSI_OK)
        status = height_at(&b, s, epsilon + d, alpha, err);
    if (status != DOSI_OK)
        return status;
    double rise = ball_mid(b.g) - ball_mid(a.g);
    double q = rise / (ball_mid(b.x) - ball_mid(a.x)) + alpha;
    *out = log(q / alpha) - log1p(-q) + log1p(-alpha);
    return DOSI_OK;
}

/* The epsilon with Q[L > eps] near alpha: steers. */
static dosi_status top_of(double *epsilon, spectral *s, double alpha,
    double spread, dosi_error *err)
{
    double z = normal_isf_log_approx(log(alpha));
    double x = spread * (z - spread / 2), slope = -(fabs(z) + 0.8) / spread;
    double last = 0, f_last = 0;
    for (int i = 0; i < 16; i++) {
        double f, d = spread * (i < 1 ? 0.02 : 1e-3);
        dosi_status status = log_odds(&f, s, x, d, alpha, err);
        if (status != DOSI_OK)
            return status;
        if (!(fabs(f) < HUGE_VAL)) /* beyond the law, on either side */
            f = f > 0 ? 1 : -1;
        double secant = (f - f_last) / (x - last);
        if (i > 0 && secant < 0.2 * slope && secant > 5 * slope)
            slope = secant;
        last = x;
        f_last = f;
        x -= fmin(fmax(f / slope, -spread), spread);
        if (i >= 2 && fabs(f) < 1e-4) /* the square after this step */
            break;
    }
    *epsilon = x;
    return DOSI_OK;
}

/* What the chords through four points, at -2h, -h, h and 2h from the top,
 * say of the maximum; infinite unless they certainly rise and fall. */
static double chords_meet(const height p[POINTS])
{
    ball s = ball_div(ball_sub(p[1].g, p[0].g), ball_sub(p[1].x, p[0].x));
    ball r = ball_div(ball_sub(p[2].g, p[3].g), ball_sub(p[3].x, p[2].x));
    if (!ball_is_positive(s) || !ball_is_positive(r))
        return HUGE_VAL;
    /* the mean of both lines with weights r and s does not depend on where */
    ball steep = ball_of(ball_upper(s)), down = ball_of(ball_upper(r));
    ball width = ball_sub(p[2].x, p[1].x);
    ball sum = ball_add(ball_mul(p[1].g, down), ball_mul(p[2].g, steep));
    sum = ball_add(sum, ball_mul(ball_mul(steep, down), width));
    return ball_upper(ball_div(sum, ball_add(steep, down)));
}

/* Distances from the top, over the spread: what the chords leave open is
 * their square, as long as they can be told from the top. */
static const double steps[] = {1e-5, 1e-6, 1e-4, 1e-3, 1e-2, 0.1};

#define N_STEPS (int)(sizeof steps / sizeof *steps)

/* The maximum lies near the top that steering found. */
static dosi_status search(dosi_interval *out, spectral *s, double alpha,
    double spread, dosi_error *err)
{
    double top;
    dosi_status status = top_of(&top, s, alpha, spread, err);
    for (int j = 0; status == DOSI_OK && j < N_STEPS; j++) {
        double h = steps[j] * spread;
        const double at[POINTS] = {-2 * h, -h, h, 2 * h};
        height p[POINTS];
        for (int i = 0; i < POINTS && status == DOSI_OK; i++) {
            status = height_at(&p[i], s, top + at[i], alpha, err);
            out->lo = fmax(out->lo, ball_lower(p[i].g));
        }
        if (status == DOSI_OK)
            out->hi = fmin(out->hi, chords_meet(p));
        if (out->hi - out->lo <= 1e-12 * out->hi)
            break;
    }
    return status;
}

/* Of one contour: many are looked at. */
#define CHEAP 3e5

dosi_status spectral_tradeoff(
    dosi_interval *out, spectral *s, double alpha, dosi_error *err)
{
    *out = (dosi_interval){0, 1};
    double spread;
    dosi_interval middle = {-HUGE_VAL, 0};
    dosi_status status = spectral_deviation(&spread, s, err);
    if (status != DOSI_OK || !(spread > 0 && spread < 1e3))
        return status;
    spectral_set_max_cost(s, CHEAP);
    status = spectral_log_delta(&middle, s, spread / 2, err);
    if (status == DOSI_OK && middle.hi - middle.lo < 1e-6)
        status = search(out, s, alpha, spread, err);
    spectral_set_max_cost(s, 0);
    return status;
}
