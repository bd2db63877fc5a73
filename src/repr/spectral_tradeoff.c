/*
 * The trade-off curve from the profile: with Q as the null hypothesis and
 * x = e^eps,
 *
 *     f(alpha) = max over eps of g = 1 - delta(eps) - alpha x,
 *
 * and g is concave in x, with slope Q[L > eps] - alpha. Any point bounds f
 * from below; chords around the maximum, extended, bound it from above.
 * Derivation: docs/theory/accounting.md.
 */
#include "spectral.h"

#include "num/special.h"
#include "spectral_steer.h"

#define POINTS 4

#define NEAR 1e-5   /* to the top, over the spread, to find it */
#define ENOUGH 1e-9 /* left open, over the error itself */

/* g at one epsilon. */
typedef struct height {
    double epsilon;
    double width; /* of log delta there */
    ball x, g;
} height;

/* Two points of g on either side of the top, or nearly. */
typedef struct bracket {
    height left, right;
} bracket;

static dosi_status height_at(height *out, spectral *s, double epsilon,
    double alpha, dosi_error *err)
{
    dosi_interval log_delta;
    dosi_status status = spectral_log_delta(&log_delta, s, epsilon, err);
    ball lo = ball_exp(ball_of(log_delta.lo));
    ball hi = ball_exp(ball_of(log_delta.hi));
    ball delta = ball_of_interval(
        (dosi_interval){fmax(ball_lower(lo), 0), ball_upper(hi)});
    out->epsilon = epsilon;
    out->width = log_delta.hi - log_delta.lo;
    out->x = ball_exp(ball_of(epsilon));
    out->g = ball_sub(
        ball_sub(ball_of(1), delta), ball_mul_d(out->x, alpha));
    return status;
}

/* Roughly the log-odds of Q[L > eps] over those of alpha, by a difference of
 * width 2d. */
static dosi_status log_odds(double *out, bracket *around, spectral *s,
    double epsilon, double d, double alpha, dosi_error *err)
{
    height *a = &around->left, *b = &around->right;
    dosi_status status = height_at(a, s, epsilon - d, alpha, err);
    if (status == DOSI_OK)
        status = height_at(b, s, epsilon + d, alpha, err);
    if (status != DOSI_OK)
        return status;
    double rise = ball_mid(b->g) - ball_mid(a->g);
    double q = rise / (ball_mid(b->x) - ball_mid(a->x)) + alpha;
    *out = log(q / alpha) - log1p(-q) + log1p(-alpha);
    return DOSI_OK;
}

/* The epsilon with Q[L > eps] near alpha: steers. NaN where the profile is
 * not known. */
static dosi_status top_of(double *epsilon, bracket *around, spectral *s,
    double alpha, double spread, dosi_error *err)
{
    double z = normal_isf_log_approx(log(alpha));
    double x = spread * (z - spread / 2), slope = -(fabs(z) + 0.8) / spread;
    double last = 0, f_last = 0;
    *epsilon = NAN;
    for (int i = 0; i < 16; i++) {
        double f, d = spread * (i < 1 ? 0.02 : 2e-3);
        dosi_status status = log_odds(&f, around, s, x, d, alpha, err);
        if (status != DOSI_OK)
            return status;
        if (i == 0 && !(fmin(around->left.width, around->right.width) < 0.1)) {
            height middle; /* is anything known? */
            status = height_at(&middle, s, spread / 2, alpha, err);
            if (status != DOSI_OK || !(middle.width < 1e-6))
                return status;
        }
        if (!(fabs(f) < HUGE_VAL)) /* beyond the law, on either side */
            f = f > 0 ? 1 : -1;
        double secant = (f - f_last) / (x - last);
        if (i > 0 && secant < 0.2 * slope && secant > 5 * slope)
            slope = secant;
        last = x;
        f_last = f;
        x -= fmin(fmax(f / slope, -spread), spread);
        *epsilon = x;
        if (i >= 1 && fabs(f) < 2e-3) /* the square after this step */
            break;
    }
    return DOSI_OK;
}

/* At least the rise of g from point i to point i + 1, each unit of x; or the
 * fall. */
static double slope_upper(const height *p, bool falls)
{
    ball rise = ball_sub(p[1].g, p[0].g);
    return ball_upper(ball_div(
        falls ? ball_neg(rise) : rise, ball_sub(p[1].x, p[0].x)));
}

/* At least the maximum of g between p[0] and p[1], where it is below lines
 * through both that rise by s to the right and by r to the left. The mean of
 * both lines with weights r and s does not depend on where. */
static double cell_bound(const height *p, double s, double r)
{
    if (!(s > 0)) /* a NaN gives a NaN below */
        return s <= 0 ? ball_upper(p[0].g) : NAN;
    if (!(r > 0))
        return r <= 0 ? ball_upper(p[1].g) : NAN;
    ball up = ball_of(s), down = ball_of(r);
    ball width = ball_sub(p[1].x, p[0].x);
    if (!(s < HUGE_VAL)) /* the other line alone */
        return ball_upper(ball_add(p[1].g, ball_mul(down, width)));
    if (!(r < HUGE_VAL))
        return ball_upper(ball_add(p[0].g, ball_mul(up, width)));
    ball sum = ball_add(ball_mul(p[0].g, down), ball_mul(p[1].g, up));
    sum = ball_add(sum, ball_mul(ball_mul(up, down), width));
    return ball_upper(ball_div(sum, ball_add(up, down)));
}

/*
 * What chords through n points, in order, say of the maximum of the concave
 * g; infinite unless g certainly rises from the first to the second and falls
 * from the last but one to the last, so that the maximum lies among them.
 * Between two neighbours the chords on either side, extended, are above g.
 */
static double chords_bound(const height *p, int n)
{
    double most = -HUGE_VAL;
    if (!ball_is_positive(ball_sub(p[1].g, p[0].g)) ||
        !ball_is_positive(ball_sub(p[n - 2].g, p[n - 1].g)))
        return HUGE_VAL;
    for (int i = 0; i + 1 < n; i++) {
        double s = i > 0 ? slope_upper(&p[i - 1], false) : HUGE_VAL;
        double r = i + 2 < n ? slope_upper(&p[i + 1], true) : HUGE_VAL;
        double bound = cell_bound(&p[i], s, r);
        if (!(bound < HUGE_VAL)) /* nor does a NaN bound */
            return HUGE_VAL;
        most = fmax(most, bound);
    }
    return most;
}

/* Where the slope vanishes if it changes evenly between the outer chords:
 * steers. */
static double top_between(const height p[POINTS])
{
    double x[POINTS], g[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = ball_mid(p[i].x);
        g[i] = ball_mid(p[i].g);
    }
    double rise = (g[1] - g[0]) / (x[1] - x[0]);
    double fall = (g[2] - g[3]) / (x[3] - x[2]);
    double flat = (g[2] - g[1]) / (x[2] - x[1]);
    double apart = (x[3] + x[2] - x[1] - x[0]) / 2;
    return log((x[1] + x[2]) / 2 + flat * apart / (rise + fall));
}

/* Closer to the top, by two points that the ones which steering ended with
 * enclose. */
static dosi_status refine(dosi_interval *out, double *top, spectral *s,
    double alpha, double h, const bracket *around, dosi_error *err)
{
    height p[POINTS] = {around->left, around->left, around->left,
        around->right};
    if (!(p[0].epsilon < *top - 2 * h && *top + 2 * h < p[3].epsilon))
        return DOSI_OK;
    dosi_status status = height_at(&p[1], s, *top - h, alpha, err);
    if (status == DOSI_OK)
        status = height_at(&p[2], s, *top + h, alpha, err);
    if (status != DOSI_OK)
        return status;
    out->hi = fmin(out->hi, chords_bound(p, POINTS));
    double closer = top_between(p);
    if (p[0].epsilon < closer && closer < p[3].epsilon) /* not for NaN */
        *top = closer;
    return DOSI_OK;
}

/* Distances from the top, over the spread: what the chords leave open is
 * their square, as long as they can be told from the top. */
static const double steps[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1};

#define N_STEPS (int)(sizeof steps / sizeof *steps)

/* The maximum lies near the top that steering found. */
static dosi_status search(dosi_interval *out, spectral *s, double alpha,
    double spread, dosi_error *err)
{
    double top;
    bracket around;
    dosi_status status = top_of(&top, &around, s, alpha, spread, err);
    if (status != DOSI_OK || isnan(top))
        return status;
    status = refine(out, &top, s, alpha, NEAR * spread, &around, err);
    for (int j = 0; status == DOSI_OK && j < N_STEPS; j++) {
        double h = steps[j] * spread;
        const double at[POINTS] = {-2 * h, -h, h, 2 * h};
        height p[POINTS + 2] = {around.left};
        for (int i = 0; i < POINTS && status == DOSI_OK; i++) {
            status = height_at(&p[i + 1], s, top + at[i], alpha, err);
            out->lo = fmax(out->lo, ball_lower(p[i + 1].g));
        }
        p[POINTS + 1] = around.right;
        bool is_around = p[0].epsilon < p[1].epsilon &&
                         p[POINTS].epsilon < p[POINTS + 1].epsilon;
        if (status == DOSI_OK)
            out->hi = fmin(out->hi, is_around
                                        ? chords_bound(p, POINTS + 2)
                                        : chords_bound(p + 1, POINTS));
        if (out->hi - out->lo <= ENOUGH * out->hi)
            break; /* longer steps leave more open */
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
    dosi_status status = spectral_deviation(&spread, s, err);
    if (status != DOSI_OK || !(spread > 0 && spread < 1e3))
        return status;
    spectral_set_max_cost(s, CHEAP);
    status = search(out, s, alpha, spread, err);
    spectral_set_max_cost(s, 0);
    return status;
}
