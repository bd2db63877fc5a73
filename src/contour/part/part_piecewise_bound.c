/*
 * Bounds for piecewise analytic loss laws, in doubles rounded outward: the
 * error of the Gauss-Legendre rule by the integrand on Bernstein ellipses, the
 * integral beyond the last panel, and the total variation of the density. All
 * of them bound errors, so that a relative 1e-9 does not matter. Derivation:
 * docs/theory/contour_piecewise.md.
 */
#include "part_piecewise.h"

#define HALF_ELLIPSE_ARCS 8 /* of half an ellipse */
#define CELLS_PER_PANEL 16  /* of a panel */

/* cos(pi i/8), i = 0 ... 4. */
static const double cosines[] = {1, 0.92387953251128675613,
    0.70710678118654752440, 0.38268343236508977173, 0};

/* Relative charge on a logarithm that sums a few terms. */
#define LOG_SLACK 0x1p-36

/* 1 + v is formed to 2^-51, so that its logarithm is not trusted below log
 * 2^-14: only rates above 1 - 2^-14 reach that. */
#define MIN_LOG_ONE_PLUS_V (-9.7)

pieces_point pieces_at(const pieces *s, double x)
{
    double y = s->slope * x - s->offset;
    if (y < 300) {
        double e = expm1(y), v = s->rate * e;
        return (pieces_point){log1p(v), s->rate * (e + 1) / (1 + v)};
    }
    double sum = s->rate + (1 - s->rate) * exp(-y);
    return (pieces_point){y + log(sum), s->rate / sum};
}

/* cos and sin of pi i/8 for 0 <= i <= 8. */
static double arc_cosine(int i)
{
    return i <= HALF_ELLIPSE_ARCS / 2 ? cosines[i]
        : -cosines[HALF_ELLIPSE_ARCS - i];
}
static double arc_sine(int i)
{
    return i <= HALF_ELLIPSE_ARCS / 2 ? cosines[HALF_ELLIPSE_ARCS / 2 - i]
        : cosines[i - HALF_ELLIPSE_ARCS / 2];
}

static double log_base(const pieces *s, double x)
{
    return s->is_gaussian ? -x * x / 2 : -x / 2;
}

/* A box of the complex plane: x from lo to hi, Im x from 0 <= low to high. */
typedef struct box {
    double lo, hi, low, high;
    pieces_point left, right; /* at lo and hi */
} box;

/* The greatest |arg(1+v)| for r up to the given one and Im y up to a < pi: it
 * grows with both until cos a = -r/(1-r), where it is asin(r/(1-r)). */
static double greatest_argument(double r, double a)
{
    if (r < 0.5 && cos(a) < -r / (1 - r))
        return asin(r / (1 - r));
    return atan2(r * sin(a), 1 - r + r * cos(a));
}

/* log of the greatest |1+v|^p in a box: |1+v| = (1 + v(Re x)) sqrt(1 - 4r(1-r)
 * sin^2), r at Re x, sin of Im y/2. */
static double log_power(const pieces *s, const box *b, double p)
{
    double f = 4 * b->left.r * fmax(1 - b->left.r, 0);
    double g = 4 * b->right.r * fmax(1 - b->right.r, 0);
    bool has_half = b->left.r <= 0.5 && b->right.r >= 0.5;
    double least = fmin(f, g), most = has_half ? 1 : fmax(f, g);
    double sine = sin(s->slope * (p >= 0 ? b->low : b->high) / 2);
    double shrink = log1p(-sine * sine * (p >= 0 ? least : most)) / 2;
    return p * ((p >= 0 ? b->right.l : b->left.l) + shrink);
}

/* log of the greatest |e^base (1+v)^(p + iu)| in a box, |u| <= reach, any
 * branch. */
static double log_integrand(
    const pieces *s, const box *b, double t, double reach)
{
    double base = -b->lo / 2;
    if (b->left.l < MIN_LOG_ONE_PLUS_V)
        return HUGE_VAL;
    if (s->is_gaussian) {
        double least = b->lo > 0 ? b->lo : b->hi < 0 ? b->hi : 0;
        base = (b->high * b->high - least * least) / 2;
    }
    double turn =
        reach * greatest_argument(b->right.r, s->slope * b->high);
    double best = -HUGE_VAL;
    for (int i = 0; i < s->n_branches; i++) {
        double p = pieces_exponent(s->sign[i], t);
        double power = log_power(s, b, p);
        double size = fabs(base) + b->high * b->high + turn + fabs(power) +
                      fabs(p) * (4 + fabs(b->left.l) + fabs(b->right.l));
        best = fmax(best, base + power + turn + LOG_SLACK * (size + 1));
    }
    return best;
}

/* log of the greatest integrand on the ellipse around c with half axes a > b,
 * by boxes around arcs of its upper half; the modulus is the same below. */
static double log_on_ellipse(const pieces *s, double c, double a,
    double b, double t, double reach)
{
    /* covers the rounding of the box and of y */
    double pad = 0x1p-44 * (fabs(c) + a + b + s->offset / s->slope);
    if (!(s->slope * (b + pad) < 3.12))
        return HUGE_VAL;
    double best = -HUGE_VAL;
    for (int i = 0; i < HALF_ELLIPSE_ARCS; i++) {
        double s0 = arc_sine(i), s1 = arc_sine(i + 1);
        box now = {.lo = c + a * arc_cosine(i + 1) - pad,
            .hi = c + a * arc_cosine(i) + pad,
            .low = fmax(b * fmin(s0, s1) - pad, 0),
            .high = b * (i < HALF_ELLIPSE_ARCS / 2 ? s1 : s0) + pad};
        now.left = pieces_at(s, now.lo);
        now.right = pieces_at(s, now.hi);
        best = fmax(best, log_integrand(s, &now, t, reach));
    }
    return best;
}

double pieces_panel_error(const pieces *s, double a, double b,
    double rho, double t, double reach)
{
    double half = (b - a) / 2, c = a + half;
    double wide = half * (rho + 1 / rho) / 2;
    double high = half * (rho - 1 / rho) / 2;
    double f = log_on_ellipse(s, c, wide, high, t, reach);
    double fall = 2 * PIECES_POINTS * log(rho);
    /* (64/15) half F rho^-2n / (1 - rho^-2) for each branch */
    double e = log(64 / 15.0 * half * s->n_branches / (1 - 1 / (rho * rho)));
    return f - fall + e + LOG_SLACK * (fall + fabs(e) + 1);
}

double pieces_log_beyond(const pieces *s, double x, double t)
{
    double best = -HUGE_VAL;
    pieces_point at = pieces_at(s, x);
    for (int i = 0; i < s->n_branches; i++) {
        double p = pieces_exponent(s->sign[i], t);
        double slope = (x - fmax(p, 0) * s->slope) * (1 - LOG_SLACK);
        slope -= LOG_SLACK * (x + fabs(p) * s->slope);
        if (!(slope > 0))
            return HUGE_VAL;
        /* (log G)' = -x + p slope r <= -(x - p+ slope), falling */
        double g = log_base(s, x) + p * at.l - log(slope);
        double size = x * x + fabs(log(slope)) +
                      fabs(p) * (4 + fabs(at.l) + s->slope * x);
        best = fmax(best, g + LOG_SLACK * (size + 1));
    }
    return best + log(s->n_branches) + LOG_SLACK;
}

/* At least log(e^a + e^b), by a relative LOG_SLACK. */
static double log_add(double a, double b)
{
    double top = fmax(a, b), low = fmin(a, b);
    if (!(top > -HUGE_VAL && top < HUGE_VAL))
        return top;
    return top + log1p(exp(low - top)) + LOG_SLACK * (1 + fabs(top));
}

double pieces_log_error(const pieces *s, double t, double reach)
{
    double sum = -HUGE_VAL;
    for (size_t i = 0; i < s->n_panels; i++)
        sum = log_add(sum, pieces_panel_error(s, s->edge[i], s->edge[i + 1],
                               s->rho[i], t, reach));
    if (s->is_gaussian)
        sum = log_add(sum, pieces_log_beyond(s, s->edge[s->n_panels], t));
    return sum;
}

/* A density, and a bound of its relative error downwards. */
typedef struct height {
    double f, charge;
} height;

/* The density of Z at x, e^base (1+v)^p / (slope r), over the moment. */
static height density(const pieces *s, double p, double x,
    pieces_point at, double log_moment)
{
    double base = log_base(s, x), power = p * at.l;
    double step = log(s->slope * at.r), y = s->slope * fabs(x);
    double size = fabs(base) + fabs(power) + fabs(step) + fabs(log_moment) +
                  (fabs(p) + 1) * (8 + y + s->offset);
    double f = base + power - step - log_moment + LOG_SLACK * size;
    return (height){exp(f), 4 * LOG_SLACK * size};
}

/* Encloses (log density)' = base' - slope + (p+1) slope r, r rising. */
static dosi_interval density_slope(const pieces *s, double p,
    double lo, double hi, double r_lo, double r_hi)
{
    double pull = (p + 1) * s->slope;
    double least = fmin(pull * r_lo, pull * r_hi);
    double most = fmax(pull * r_lo, pull * r_hi);
    double from = s->is_gaussian ? -hi : -0.5;
    double to = s->is_gaussian ? -lo : -0.5;
    double pad = LOG_SLACK * (fabs(lo) + fabs(hi) + s->slope + fabs(pull) + 1);
    return (dosi_interval){
        from - s->slope + least - pad, to - s->slope + most + pad};
}

/* Total variation of one branch from the first edge to the last, with the jump
 * at the end. */
static double branch_variation(
    const pieces *s, double p, double log_moment, bool jumps)
{
    double x = s->edge[0], sum = 0;
    pieces_point at = pieces_at(s, x);
    height f = density(s, p, x, at, log_moment);
    if (at.l < MIN_LOG_ONE_PLUS_V)
        return HUGE_VAL;
    if (jumps)
        sum += f.f;
    for (size_t i = 0; i < s->n_panels; i++)
        for (int j = 1; j <= CELLS_PER_PANEL; j++) {
            double w = (s->edge[i + 1] - s->edge[i]) / CELLS_PER_PANEL;
            double next =
                j < CELLS_PER_PANEL ? s->edge[i] + j * w : s->edge[i + 1];
            pieces_point there = pieces_at(s, next);
            height g = density(s, p, next, there, log_moment);
            dosi_interval d =
                density_slope(s, p, x, next, at.r, there.r);
            double steep = fmax(-d.lo, d.hi), far = next - x;
            /* monotone, or |f'| <= steep f and f <= f(x) e^(steep far) */
            if (d.lo > 0 || d.hi < 0)
                sum += fabs(g.f - f.f) + g.charge * g.f + f.charge * f.f;
            else
                sum += far * steep * f.f * exp(steep * far);
            x = next;
            at = there;
            f = g;
        }
    /* the density falls beyond the last edge, or ends there */
    return sum + f.f;
}

double pieces_variation(
    const pieces *s, double t, double log_moment)
{
    double sum = 0;
    for (int i = 0; i < s->n_branches; i++)
        sum += branch_variation(s, pieces_exponent(s->sign[i], t),
            log_moment, !s->is_joined);
    return sum * (1 + 0x1p-20);
}

double pieces_log_decay(double mass, double variation, double u)
{
    static const double multiples[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16,
        20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128};
    double best = 0;
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++) {
        double m = multiples[i];
        double c = (mass + variation / (m * u)) * (1 + 0x1p-45);
        if (c < 1)
            best = fmin(
                best, contour_decay_from_multiple(log(c) * (1 - 0x1p-48), m));
    }
    return best;
}
