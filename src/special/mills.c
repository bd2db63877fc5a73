/*
 * The Mills ratio at points. Below 6.25 a Taylor polynomial about the nearest
 * multiple of 1/2; above, the continued fraction from a tail enclosed on both
 * sides, with a bound of the error computed along in doubles. Derivation and
 * constants: docs/theory/noise.md.
 */
#include "mills.h"

#include "mills_table.h"

/* u^2 with u = 2^-53: the unit of a double-double error. */
#define UU 0x1p-106

/* A row serves |t| <= ROW_REACH, where consecutive terms fall by a factor of
 * 0.28 or less; relative charges there of the value and of the mean slope. */
#define ROW_REACH 0.28125
#define ROW_VALUE_UNIT 0x1p-100
#define ROW_SLOPE_UNIT 0x1p-95

/* Covers the rounding of the few plain operations on an error bound. */
#define BOUND_SLACK (1 + 0x1p-45)

/* From here on R(x) = 1/x (1 - theta), S(x) = 1/x^2 (1 - 3 theta) with
 * 0 <= theta <= 1/x^2 <= 2^-200. */
#define MILLS_ASYMPTOTIC 0x1p100

static ball charged(dd x, double relative)
{
    return ball_widen((ball){x.hi, x.lo, 0},
        fabs(x.hi) * relative * BOUND_SLACK);
}

static ball exact(dd x)
{
    return (ball){x.hi, x.lo, 0};
}

/* The row whose centre is nearest to x > -1/2, or NULL beyond the table. */
static inline const mills_row *row_near(double x, double *centre)
{
    if (!(x < MILLS_ROWS / 2.0 - 0.25))
        return NULL;
    int j = (int)(2 * x + 0.5);
    *centre = 0.5 * j;
    return &mills_table[j];
}

/* p(t) = sum a_n t^n. */
static dd row_value(const mills_row *row, dd t)
{
    double tail = row->tail[MILLS_TAIL - 1];
    for (int n = MILLS_TAIL - 2; n >= 0; n--)
        tail = tail * t.hi + row->tail[n];
    dd p = dd_mul_d(t, tail);
    for (int n = MILLS_HEAD - 1; n > 0; n--)
        p = dd_mul(dd_add_small(row->head[n], p), t);
    return dd_add_small(row->head[0], p);
}

/* The divided difference (p(s) - p(t)) / (s - t) by synthetic division; p'(t)
 * for s = t. */
static dd row_slope(const mills_row *row, dd s, dd t)
{
    double p = row->tail[MILLS_TAIL - 1], q = p;
    for (int n = MILLS_TAIL - 2; n >= 0; n--) {
        p = p * s.hi + row->tail[n];
        q = q * t.hi + p;
    }
    dd value = {p, 0}, slope = {q, 0};
    for (int n = MILLS_HEAD - 1; n > 0; n--) {
        value = dd_add_small(row->head[n], dd_mul(value, s));
        slope = dd_add_small(value, dd_mul(slope, t));
    }
    return slope;
}

/* r_n(x) with |r - r_n| <= error r_n. */
typedef struct fraction {
    dd x;
    dd r;
    dd denominator; /* x + r_(n+1), with an error no larger than that of r */
    double error;
} fraction;

/* The n to start from: enough for 100 bits at x >= 6. Any start is valid, as
 * the remaining error is computed along. */
static int fraction_start(double x)
{
    return x > 1000 ? 6 : (int)(8 + 200 / x + 600 / (x * x));
}

/* n / (x + g_(n+1)) <= r_n <= g_n = 2n / (sqrt(x^2 + 4n) + x), x >= 6. */
static fraction fraction_tail(dd x, int n)
{
    double y = x.hi;
    double high = 2 * n / (sqrt(y * y + 4 * n) + y);
    double next = 2 * (n + 1) / (sqrt(y * y + 4 * (n + 1)) + y);
    double low = n / (y + next);
    /* each is within 2^-48 of its exact value, relatively */
    double error = (high - low) / (2 * low) + 0x1p-45;
    return (fraction){x, {(low + high) / 2, 0}, {0, 0}, error};
}

/* The step from r_(n+1) to r_n = k / (x + r_(n+1)); k = n, and k = 1 gives R at
 * the end. An error e of r_(n+1) becomes e theta / (1 - e)^3 at most, with
 * theta = r_(n+1) / (x + r_(n+1)), and the kernels add (3 + 15) u^2. */
static void fraction_step(fraction *f, int k)
{
    f->denominator = dd_add_small(f->x, f->r);
    double theta = f->r.hi / f->denominator.hi;
    f->r = dd_div((dd){k, 0}, f->denominator);
    f->error = (f->error * theta * (1 + 8 * f->error) + 26 * UU) * BOUND_SLACK;
}

static ball mills_fraction(dd x)
{
    int n = fraction_start(x.hi);
    fraction f = fraction_tail(x, n);
    while (--n > 0)
        fraction_step(&f, n);
    fraction_step(&f, 1);
    return charged(f.r, f.error * (1 + 2 * f.error));
}

/* With b = a + w and d_n = (r_n(a) - r_n(b)) / w, subtracting the fractions
 *     d_n = r_n(a) / (b + r_(n+1)(b)) (1 - d_(n+1)),  0 <= d_n < 1,
 *     (R(a) - R(b)) / w = R(a) R(b) (1 - d_1):
 * nothing cancels, since d_n <= r_n(a)^2 / n < 1/2 for a >= 6, n <= 58. */
static ball slope_fraction(dd a, dd b)
{
    int n = fraction_start(a.hi);
    fraction f = fraction_tail(a, n), g = fraction_tail(b, n);
    double kappa = f.r.hi * g.r.hi / n * 1.1; /* d_n is in [0, kappa] */
    dd d = {kappa / 2, 0};
    double error = kappa / 2; /* absolute, of d */
    const dd one = {1, 0};
    while (--n > 0) {
        fraction_step(&f, n);
        fraction_step(&g, n);
        dd ratio = dd_div(f.r, g.denominator);
        d = dd_mul(ratio, dd_sub(one, d));
        double relative = f.error + g.error;
        error = ratio.hi * (error + relative * (1 + 2 * relative) + 24 * UU) *
                BOUND_SLACK;
    }
    fraction_step(&f, 1);
    fraction_step(&g, 1);
    dd rest = dd_sub(one, d);
    double relative = f.error + g.error + error / (rest.hi - error) + 32 * UU;
    return charged(
        dd_mul(dd_mul(f.r, g.r), rest), relative * (1 + 2 * relative));
}

ball mills_at(dd x)
{
    double centre = 0;
    const mills_row *row = row_near(x.hi, &centre);
    if (row) {
        dd t = dd_sub((dd){centre, 0}, x);
        return charged(row_value(row, t), ROW_VALUE_UNIT);
    }
    if (x.hi < MILLS_ASYMPTOTIC)
        return mills_fraction(x);
    ball r = ball_div(ball_of(1), exact(x));
    return ball_widen(r, r.hi * 0x1p-199 + BALL_TINY);
}

ball mills_mean_slope_at(dd a, dd w)
{
    dd b = dd_add(a, w);
    double centre = 0;
    const mills_row *row = row_near(a.hi + w.hi / 2, &centre);
    if (row && fmax(fabs(centre - a.hi), fabs(centre - b.hi)) <= ROW_REACH) {
        dd s = dd_sub((dd){centre, 0}, a), t = dd_sub((dd){centre, 0}, b);
        return charged(row_slope(row, s, t), ROW_SLOPE_UNIT);
    }
    if (a.hi >= MILLS_ASYMPTOTIC) { /* the mean of 1/x^2 is 1/(a b) */
        ball r = ball_mul(
            ball_div(ball_of(1), exact(a)), ball_div(ball_of(1), exact(b)));
        return ball_widen(r, r.hi * 0x1p-198 + BALL_TINY);
    }
    if (a.hi >= 6 && w.hi <= a.hi / 4)
        return slope_fraction(a, b);
    /* b is rounded by 3u^2 |b|, and |b| r_1(b) <= 1: 3u^2 of R(b) */
    ball below = mills_at(b);
    ball drop = ball_sub(mills_at(a), ball_widen(below, 4 * UU * below.hi));
    return ball_div(drop, exact(w));
}

double mills_ratio_upper(int n, double x)
{
    if (x > 0x1p60)
        return n / x * BOUND_SLACK; /* r_n <= n/x for x > 0 */
    double root = sqrt(x * x + 4 * n);
    return (x >= 0 ? 2 * n / (root + x) : (root - x) / 2) * BOUND_SLACK;
}

double mills_approx(double x)
{
    if (x < MILLS_MIN_X) /* R(x) = sqrt(2 pi) e^(x^2/2) - R(-x) */
        return 2.5066282746310002 * exp(x * x / 2) - mills_approx(-x);
    double centre = 0, p = 0;
    const mills_row *row = row_near(x, &centre);
    if (row == NULL) {
        for (int n = fraction_start(x) / 2; n > 0; n--)
            p = n / (x + p);
        return 1 / (x + p);
    }
    for (int n = MILLS_HEAD - 1; n >= 0; n--)
        p = p * (centre - x) + row->head[n].hi;
    return p;
}

double mills_mean_slope_approx(double a, double w)
{
    double b = a + w, centre = 0;
    const mills_row *row = row_near(a + w / 2, &centre);
    if (row && w <= 0.5) { /* as in row_slope */
        double s = centre - a, p = row->head[MILLS_HEAD - 1].hi, q = p;
        for (int n = MILLS_HEAD - 2; n > 0; n--) {
            p = p * s + row->head[n].hi;
            q = q * (s - w) + p;
        }
        return q;
    }
    if (!(a >= 6 && w <= a / 4))
        return (mills_approx(a) - mills_approx(b)) / w;
    double r = 0, t = 0, d = 0; /* as in slope_fraction */
    for (int n = fraction_start(a) / 2; n > 0; n--) {
        r = n / (a + r);
        t = n / (b + t);
        d = r * t / n * (1 - d);
    }
    return (1 - d) / ((a + r) * (b + t));
}
